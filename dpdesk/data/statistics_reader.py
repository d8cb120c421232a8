# SPDX-License-Identifier: Apache-2.0
"""Tables out of files of SPSS, Stata and SAS, some rows at a time.

The library behind this raises with texts that quote cells, and warns with names of columns:
neither travels on.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import pandas as pd

from dpdesk.data.magic import Kind
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.study.problem import refuse

_READERS: dict[Kind, str] = {
    "sav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "sas7bdat": "read_sas7bdat",
    "xport": "read_xport",
}
_ENCODINGS = {
    "latin-1": "ISO-8859-1",
    "cp1252": "WINDOWS-1252",
    "cp1250": "WINDOWS-1250",
    "cp850": "CP850",
    "iso-8859-15": "ISO-8859-15",
}
"""Names by which the library knows encodings; with UTF-8, the usual one, the file has its say."""

_PROGRESS_BYTES = 1 << 20


@dataclass(frozen=True)
class Variable:
    """A column as the file describes it.

    Attributes:
        name: its name, as the library tells it apart.
        format: how its values are shown.
        storage: the type of its values.
    """

    name: str
    format: str
    storage: str

    @property
    def is_text(self) -> bool:
        """Whether its values are texts."""
        return self.storage == "string"

    @property
    def is_single(self) -> bool:
        """Whether its values are numbers of seven digits."""
        return self.storage == "float"


class WatchedStream:
    """A file being read: says how far it is, and fails as soon as the reading is to stop."""

    def __init__(self, stream: BinaryIO, progress: Progress, cancel: CancelToken) -> None:
        self._stream = stream
        self._progress = progress
        self.cancel = cancel
        self._size = stream.seek(0, 2)
        self._told = self._read = 0

    def begin(self, share: float = 0) -> None:
        """Start from the file's beginning; of what is to come, this share needs no reading."""
        self._stream.seek(0)
        self._read = int(self._size * share)

    def read(self, count: int) -> bytes:
        """Read some bytes."""
        self.cancel.check()
        data = self._stream.read(count)
        self._read += len(data)
        if self._read >= self._told + _PROGRESS_BYTES:
            self.tell_progress(self._read)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go somewhere else."""
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """The place of the next byte."""
        return self._stream.tell()

    def tell_progress(self, done: int | None = None) -> None:
        """Say how far the reading is, never less than before; without a number, at the end."""
        self._told = max(self._told, min(self._size, self._size if done is None else done))
        self._progress(self._told, self._size)


class StatisticsReader:
    """Reads one file.

    Attributes:
        variables: its columns.
    """

    def __init__(self, stream: WatchedStream, kind: Kind, encoding: str) -> None:
        self._stream = stream
        self._kind = kind
        self._encoding = _ENCODINGS.get(encoding)
        _, found = self._parsed(metadataonly=True)
        if None in found.column_names:
            # In a broken file names may be cut off.
            raise refuse("data-file-damaged", "$.data.path")
        self._count: int | None = found.number_rows
        if len(set(found.column_names)) < len(found.column_names):
            raise refuse("data-file-damaged", "$.data.path")
        storage, shown = found.readstat_variable_types, found.original_variable_types
        self.variables = tuple(
            Variable(name, shown[name] or "", storage[name]) for name in found.column_names
        )

    def tables(self, places: Sequence[int], rows: int | None) -> Iterator[pd.DataFrame]:
        """The columns at these places, so many rows at once; all of them for ``None``."""
        names = [self.variables[place].name for place in places]
        # The library renames the second of two namesakes, and asks for both by the first's name.
        asked = sorted({*names, *(name.partition("_duplicated")[0] for name in names)})
        done = 0
        while self._count is None or done < self._count:
            share = done / self._count if self._count else 0
            table, _ = self._parsed(share, usecols=asked, row_offset=done, row_limit=rows or 0)
            if not set(names) <= set(table.columns):
                raise refuse("data-file-damaged", "$.data.path")
            done += len(table)
            yield table
            if rows is None or len(table) < rows:
                break
        self._stream.tell_progress()

    def _parsed(self, share: float = 0, **options: Any) -> tuple[pd.DataFrame, Any]:
        # Loaded here: reading a text file needs none of it.
        import pyreadstat

        read: Callable[..., tuple[pd.DataFrame, Any]]
        read = getattr(pyreadstat, _READERS[self._kind])
        if self._encoding and self._kind != "por":
            options["encoding"] = self._encoding
        self._stream.begin(share)
        code = "data-file-damaged"
        try:
            with warnings.catch_warnings(action="ignore"):
                return read(self._stream, disable_datetime_conversion=True, **options)
        except UnicodeError:
            code = "data-file-encoding"
        except Exception as error:
            code = _code(error)
        self._stream.cancel.check()
        raise refuse(code, "$.data.path")


def _code(error: Exception) -> str:
    """A mistake's code by the library's own fixed texts; nothing else of them is kept."""
    about = str(error)
    charset = "Unable to convert string" in about or "character set" in about
    return "data-file-encoding" if charset else "data-file-damaged"
