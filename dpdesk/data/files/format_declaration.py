# SPDX-License-Identifier: Apache-2.0
"""What a declaration of a file format says; the formats are in ``file_formats.py``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from dpdesk.catalogue import Template, spoken
from dpdesk.study.model.unit import FileFormat

TimeKind = Literal["day", "moment", "time"]
SMALL_ROWS = 1 << 17
"""Rows read at once where a row is found without reading those before it."""
LARGE_ROWS = 1 << 20
"""Rows read at once from a file that has to be read from its beginning each time."""


@dataclass(frozen=True)
class DateOrigin:
    """How a package counts days and moments.

    Attributes:
        day: pattern of the formats that show a day.
        moment: pattern of those that show a day and a time.
        time: pattern of those that show a time of day or a duration.
        day_unit: seconds in the unit that days are counted in.
        moment_unit: seconds in the unit that moments and times are counted in.
        origin: seconds from the package's own beginning to 1970-01-01.
    """

    day: re.Pattern[str]
    moment: re.Pattern[str]
    time: re.Pattern[str]
    day_unit: float
    moment_unit: float
    origin: int

    def kind(self, format: str) -> TimeKind | None:
        """What a variable's format makes of its numbers; ``None``: they stay numbers."""
        if self.moment.fullmatch(format):
            return "moment"
        if self.time.fullmatch(format):
            return "time"
        return "day" if self.day.fullmatch(format) else None


@dataclass(frozen=True)
class FileKind:
    """Files that begin alike; what is asked of the first bytes is asked of ``HEAD_BYTES`` of them.

    Attributes:
        starts: what they begin with: one of these.
        begins: whether a file begins as they do, where no fixed bytes say it.
        endings: how their names end.
        library_reader: the function of the library that reads statistics files.
        gives_missing: whether it can give values that the file says are missing.
        lacks: parts of how a format is read that these files have nothing for.
        refused: why one of them is not read as a table, by its first bytes; nothing where it is.
        encoding: what texts are in where neither file nor study says it, by its first bytes.
        rows: how many rows to read at once, by its first bytes; ``None``: all of them.
    """

    key: str
    starts: tuple[bytes, ...] = ()
    begins: Callable[[bytes], bool] = lambda _head: False
    endings: tuple[str, ...] = ()
    library_reader: str = ""
    gives_missing: bool = False
    lacks: tuple[str, ...] = ()
    refused: Callable[[bytes], str] = lambda _head: ""
    encoding: Callable[[bytes], str] = lambda _head: "utf-8"
    rows: Callable[[bytes], int | None] = lambda _head: LARGE_ROWS


@dataclass(frozen=True)
class NativeReader:
    """Native code, which may panic or never end: it runs in a process of its own (``worker.py``).

    Attributes:
        place: its module and function, ``module:function``, which only that process imports.
        loads_all: whether it holds the whole table, so that memory may not suffice.
    """

    place: str
    loads_all: bool = False

    def load(self) -> Callable[..., Any]:
        module, function = self.place.split(":")
        opener: Callable[..., Any] = getattr(import_module(module), function)
        return opener


TableReader = Literal["text", "parquet"] | NativeReader
"""What opens a format: a reader that ``data/opened.py`` knows, or a native one."""


@dataclass(frozen=True)
class FormatDeclaration:
    """A format that a study can name for its data file.

    Attributes:
        title: what people call it; a product has one name in every language.
        kinds: the kinds of files that it comes in.
        parts: what of a data source says how it is read, in reading order; not the format.
        has_labels: whether it says what values mean, as a codebook does.
        dates: which of its numbers are days, moments or times; ``None`` where cells say so.
    """

    key: FileFormat
    title: Template
    kinds: tuple[FileKind, ...]
    reader: TableReader
    parts: tuple[str, ...]
    has_labels: bool = False
    dates: DateOrigin | None = None

    @property
    def name(self) -> str:
        return spoken().say_word("", self.title)

    @property
    def endings(self) -> tuple[str, ...]:
        return tuple(ending for kind in self.kinds for ending in kind.endings)
