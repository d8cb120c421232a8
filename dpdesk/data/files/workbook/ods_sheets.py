# SPDX-License-Identifier: Apache-2.0
"""The XML of an OpenDocument table, gone through before its reader is.

That reader goes round in circles for ever over XML that ends too early, which nobody can stop, and
writes out every repeated cell and row: one line of XML can stand for 17 thousand million of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO
from xml.parsers import expat

_CHUNK_BYTES = 1 << 20
_CELLS = frozenset({"table:table-cell", "table:covered-table-cell"})
_MOST_DIGITS = 9


class BadSheet(Exception):
    """XML that is broken, or that no program writes."""


def spanned_cells(stream: IO[bytes]) -> int:
    """The cells from the first to the last row and column that hold anything, of the largest sheet.

    Raises:
        BadSheet: the XML is broken.
    """
    extent = _UsedRange()
    parser = expat.ParserCreate()
    parser.StartElementHandler = extent.start
    parser.EndElementHandler = extent.end
    # Without a document type nothing can stand for more than it is.
    parser.StartDoctypeDeclHandler = extent.refuse
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except (expat.ExpatError, ValueError):
        extent.is_bad = True
    if extent.is_bad:
        raise BadSheet
    return extent.most


class _UsedRange:
    """Counts rows and columns.

    Attributes:
        most: cells of the largest sheet.
        is_bad: whether there is something that no program writes.
    """

    def __init__(self) -> None:
        self.most = 0
        self.is_bad = False
        self._row = self._last_row = self._last_column = 0
        self._repeats = self._column = self._filled = 0
        self._cell = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table:table":
            self._row = self._last_row = self._last_column = 0
        elif name == "table:table-row":
            self._repeats = self._times(attributes, "table:number-rows-repeated")
            self._column = self._filled = 0
        elif name in _CELLS:
            self._cell = self._times(attributes, "table:number-columns-repeated")
            self._column += self._cell
            if any(key.startswith(("office:", "calcext:")) for key in attributes):
                self._filled = self._column
        elif self._cell:
            self._filled = self._column

    def end(self, name: str) -> None:
        if name in _CELLS:
            self._cell = 0
        elif name == "table:table-row":
            self._row += self._repeats
            if self._filled:
                self._last_row = self._row
                self._last_column = max(self._last_column, self._filled)
                self.most = max(self.most, self._last_row * self._last_column)

    def refuse(self, *_: object) -> None:
        """Take in a document type, which no spreadsheet program writes."""
        self.is_bad = True

    def _times(self, attributes: Mapping[str, str], name: str) -> int:
        text = attributes.get(name, "1")
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
            self.is_bad = True
            return 0
        return int(text)
