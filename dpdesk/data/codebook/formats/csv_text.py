# SPDX-License-Identifier: Apache-2.0
"""A small CSV file of texts: a codebook, never data."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from dpdesk.study.checks.study_checks import SEPARATORS
from dpdesk.study.limits import MAX_CODEBOOK_VARIABLES
from dpdesk.study.problem import refuse

_MOST_CELLS = 1_000
"""Cells of a row; the widest dictionary in use has some forty."""

_MOST_SIGNS = 100_000
"""Characters of a cell; the longest list of choices in use has some thousand."""

LINES_ABOVE = 10
"""At most this many lines may be above the header."""


Row = tuple[int, dict[str, str]]
"""The line that a row ends in, and its cells by the keys of the header."""


@dataclass(frozen=True, repr=False)
class Sheet:
    """A table whose header was found.

    Attributes:
        rows: the rows below that are not blank.
    """

    keys: tuple[str, ...]
    rows: tuple[Row, ...]


def find_sheet(text: str, is_header: Callable[[tuple[str, ...]], bool]) -> Sheet | None:
    """The table of a text, whatever separates its cells; ``None`` where no row is its header.

    Raises:
        Refused: ``codebook-table-malformed`` or ``codebook-too-many-variables`` (most).
    """
    for separator in SEPARATORS:
        for place, cells in enumerate(_first_rows(text, separator)):
            keys = tuple(header_key(cell) for cell in cells)
            if is_header(keys):
                return Sheet(keys, tuple(_rows(text, separator, place, keys)))
    return None


def _reader(text: str, separator: str) -> Any:
    """Strict: a quotation mark that is never closed would swallow all that follows."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _first_rows(text: str, separator: str) -> Iterator[list[str]]:
    reader = _reader(text, separator)
    with contextlib.suppress(csv.Error):
        yield from islice(reader, LINES_ABOVE)


def _rows(text: str, separator: str, place: int, keys: tuple[str, ...]) -> Iterator[Row]:
    reader = _reader(text, separator)
    variables = 0
    try:
        for cells in islice(reader, place + 1, None):
            if len(cells) > _MOST_CELLS or max(map(len, cells), default=0) > _MOST_SIGNS:
                raise refuse("codebook-table-malformed", f"line {reader.line_num}")
            if any(cell.strip() for cell in cells):
                variables += 1
                yield reader.line_num, _members(keys, cells)
            if variables > MAX_CODEBOOK_VARIABLES:
                raise refuse("codebook-too-many-variables", most=str(MAX_CODEBOOK_VARIABLES))
    except csv.Error:
        raise refuse("codebook-table-malformed", f"line {reader.line_num}") from None


def header_key(text: str) -> str:
    """A header without case, punctuation and white space at its ends."""
    words = "".join(c if c.isalnum() or c in "/?" else " " for c in text.casefold())
    return " ".join(words.split())


def _members(keys: tuple[str, ...], cells: list[str]) -> dict[str, str]:
    return {key: cell.strip() for key, cell in zip(keys, cells, strict=False) if key}


def as_csv(rows: Iterable[list[str]]) -> str:
    """Rows as the text that :func:`find_sheet` reads."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def decode(raw: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or, where it is neither, Windows-1252.

    Raises:
        Refused: ``codebook-unknown``: not text.
    """
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise refuse("codebook-unknown")
