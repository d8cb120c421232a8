# SPDX-License-Identifier: Apache-2.0
"""The bytes of many ids, eight at a time as one integer each.

A byte at a time, a column of ids costs a pass over memory for every sign. Eight of them are one
integer, whose bytes are tested, shifted and put together by a few operations on all at once:

    P0012345  ->  0x3534333231303050, the first sign in the lowest byte
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

NO_ID = -1
WORD = 8
_AROUND = 4 * WORD
"""This many zeros are before the first id and behind the last; a word may reach into them."""

_PIECE_ROWS = 1 << 13
_ALL = (1 << 64) - 1
_FIRST = np.array([(1 << 8 * count) - 1 for count in range(WORD + 1)], np.uint64)
"""Which bits the first bytes of a word have, by their number."""
_LAST = np.array([_ALL ^ ((1 << 8 * (WORD - count)) - 1) for count in range(WORD + 1)], np.uint64)


@dataclass(frozen=True, repr=False)
class IdKeys:
    """The keys of some rows, as far as one way of making them goes.

    Attributes:
        low: low half of each key, 0 or more; ``NO_ID`` where there is no id.
        high: high half.
        found: which rows are done; the others' halves mean nothing.
    """

    low: Ints
    high: Ints
    found: Mask

    @classmethod
    def of_none(cls, rows: int) -> IdKeys:
        """This many rows, none of them done."""
        low, high = (np.empty(rows, np.int64) for _ in range(2))
        return cls(low, high, np.zeros(rows, np.bool_))

    def put(self, rows: Ints, keys: IdKeys) -> None:
        self.low[rows], self.high[rows], self.found[rows] = keys.low, keys.high, keys.found


@dataclass(frozen=True, repr=False)
class IdWords:
    """Some ids that follow one another.

    Attributes:
        rows: their places in the column.
        text: their bytes.
        begin: where each begins in ``text``, and where the last one ends.
        lengths: how many bytes each has; 0 where there is none.
    """

    rows: slice
    text: bytes
    begin: Ints
    lengths: Ints

    @cached_property
    def shortest(self) -> int:
        return int(self.lengths.min())

    @cached_property
    def longest(self) -> int:
        return int(self.lengths.max())

    def row_of(self, places: Ints) -> Ints:
        return np.searchsorted(self.begin, places, "right") - 1


def pieces(cells: pa.Array) -> Iterator[IdWords]:
    """A column of type string, piece by piece; null is an id of no bytes."""
    if not len(cells):
        return
    offset, validity = cells.offset, cells.buffers()[0]
    ends = np.frombuffer(cells.buffers()[1], np.int32, len(cells) + 1 + offset)[offset:]
    data = memoryview(cells.buffers()[2] or b"")
    null = cells.is_null().to_numpy(zero_copy_only=False) if validity else None
    for start in range(0, len(cells), _PIECE_ROWS):
        rows = slice(start, min(start + _PIECE_ROWS, len(cells)))
        part = ends[rows.start : rows.stop + 1].astype(np.int64)
        text = bytes(data[part[0] : part[-1]])
        lengths = np.diff(part)
        if null is not None:
            lengths[null[rows]] = 0
        yield IdWords(rows, text, part - part[0], lengths)


class Words:
    """The words of a piece, after each of its bytes was looked up in a table."""

    def __init__(self, ids: IdWords, table: bytes) -> None:
        """Look every byte up.

        Args:
            ids: the piece.
            table: what represents each of the 256 bytes.
        """
        around = bytes(_AROUND)
        self._ids = ids
        self._text = b"".join((around, ids.text.translate(table), around))
        shape = (len(self._text) - WORD + 1,)
        self._at: Uint64 = np.ndarray(shape, "<u8", self._text, strides=(1,))
        width = ids.shortest
        same = 0 < width == ids.longest and len(ids.text) == width * len(ids.lengths)
        self._width = width if same else 0

    def first(self, skipped: int) -> Uint64:
        """Of each id the eight bytes behind the skipped ones; those it lacks are 0."""
        kept: Uint64 = _FIRST[self._left(skipped)]
        if self._width:
            return self._evenly(_AROUND + skipped) & kept
        # Of an id that ends before, any word will do: nothing of it is left.
        places = np.minimum(self._ids.begin[:-1] + (_AROUND + skipped), len(self._at) - 1)
        return self._at[places] & kept

    def last(self, skipped: int) -> Uint64:
        """Of each id the eight bytes before the last, skipped ones, in the file's order."""
        kept: Uint64 = _LAST[self._left(skipped)]
        offset = _AROUND - WORD - skipped
        if self._width:
            return self._evenly(offset + self._width) & kept
        words: Uint64 = self._at[self._ids.begin[:-1] + self._ids.lengths + offset]
        return words & kept

    def with_byte(self, byte: int) -> Ints:
        """The ids that have such a byte, some more than once."""
        if self._text.find(byte, _AROUND, -_AROUND) < 0:
            return np.empty(0, np.int64)
        is_byte = np.frombuffer(self._text, np.uint8)[_AROUND:-_AROUND] == byte
        return self._ids.row_of(np.flatnonzero(is_byte))

    def _left(self, skipped: int) -> Any:
        """How many bytes of the word are the id's: of each, or of all alike."""
        if self._ids.shortest - skipped >= WORD:
            return WORD
        if self._width:
            return max(self._width - skipped, 0)
        return np.clip(self._ids.lengths - skipped, 0, WORD)

    def _evenly(self, offset: int) -> Uint64:
        last = offset + self._width * (len(self._ids.lengths) - 1)
        return self._at[offset : last + 1 : self._width]
