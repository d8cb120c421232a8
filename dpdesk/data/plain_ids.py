# SPDX-License-Identifier: Apache-2.0
"""Ids of plain letters and digits as whole numbers, many at a time, and the fewest bits of them.

An id of up to 20 of a-z, 0-9, ``_`` and ``-`` with at least one sign that is no digit takes six
bits a sign: ten signs fill the low half of a key, the ten before them the high half, below a mark
that no number and no hash has. Nothing is lost: equal keys are equal ids. Capital letters count
as small ones, as everywhere in ids.

    P0007  ->  p 0 0 0 7  ->  16, 48, 48, 48, 55 in six bits each
    P0012  ->  p 0 0 1 2  ->  16, 48, 48, 49, 50

Most bits of a file's keys are the same in all of them: the letter, the upper bits of every digit.
Left out, ten million such ids have 28 bits instead of 128, and are sorted as numbers are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
Signs = npt.NDArray[np.uint8]

MARK = 1 << 62
"""In the high half of a packed id."""

NO_ID = -1
LONGEST = 20
_HALF = LONGEST // 2
_BITS = 6
_ALL = (1 << 64) - 1
_NO_SIGN, _OTHER, _DIGIT = 0, 255, 48
_CHUNK_ROWS = 1 << 15


def _codes() -> Signs:
    """The six bits of each byte; digits differ in their lowest four alone."""
    codes = np.full(256, _OTHER, np.uint8)
    codes[48:58] = np.arange(_DIGIT, _DIGIT + 10)
    for start in (ord("a"), ord("A")):
        codes[start : start + 26] = np.arange(1, 27)
    codes[ord("_")], codes[ord("-")] = 27, 28
    return codes


_CODES = _codes()


@dataclass(frozen=True, repr=False)
class PackedIds:
    """The ids of some rows, as far as they are plain.

    Attributes:
        low: low half of each key.
        high: high half.
        plain: which rows have such a key; the others' halves mean nothing.
    """

    low: Ints
    high: Ints
    plain: Mask


def pack_ids(cells: pa.Array) -> PackedIds:
    """Pack a column's cells.

    Args:
        cells: of type string; null is never plain.
    """
    rows, first = len(cells), cells.offset
    ends = np.frombuffer(cells.buffers()[1], np.int32, rows + 1 + first)[first:]
    data = np.frombuffer(cells.buffers()[2] or b"", np.uint8)
    lengths = np.diff(ends)
    packed = PackedIds(np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(rows, np.bool_))
    for length in np.unique(lengths):
        if 0 < length <= LONGEST:
            places = np.flatnonzero(lengths == length)
            for start in range(0, len(places), _CHUNK_ROWS):
                part = places[start : start + _CHUNK_ROWS]
                _pack(packed, part, _signs(data, ends[part].astype(np.int64), int(length)))
    if cells.null_count:
        packed.plain[cells.is_null().to_numpy(zero_copy_only=False)] = False
    return packed


def _signs(data: Signs, begin: Ints, length: int) -> Signs:
    """The six bits of every sign of ids of one length, shape ``(ids, length)``."""
    whole = slice(begin[0], begin[-1] + length)
    if whole.stop - whole.start == len(begin) * length:
        # They stand one behind the other: nothing needs to be looked up.
        return _CODES[data[whole]].reshape(-1, length)
    signs: Signs = _CODES[data[begin[:, None] + np.arange(length)]]
    return signs


def _pack(packed: PackedIds, rows: Ints, signs: Signs) -> None:
    """Pack ids of one length."""
    halves = {0: np.zeros(len(rows), np.uint64), 1: np.full(len(rows), MARK, np.uint64)}
    for behind, codes in enumerate(signs.T[::-1]):
        half, place = divmod(behind, _HALF)
        halves[half] |= codes.astype(np.uint64) << np.uint64(_BITS * place)
    packed.low[rows], packed.high[rows] = (halves[half].view(np.int64) for half in (0, 1))
    if signs.max() < _OTHER and signs[:, 0].max() < _DIGIT:
        packed.plain[rows] = True
    else:
        packed.plain[rows] = (signs.max(axis=1) < _OTHER) & (signs.min(axis=1) < _DIGIT)


@dataclass(frozen=True, repr=False)
class NarrowIds:
    """Keys without the bits that are the same in all of them.

    Attributes:
        ids: each row's, 0 or more; -1 where it has none.
        first: a key's halves, high and low.
        varying: which bits differ, of both halves.
    """

    ids: Ints
    first: tuple[int, int]
    varying: tuple[int, int]

    def keys(self, ids: Ints) -> Uint64:
        """The keys of narrow ids, shape ``(len(ids), 2)``, high and low half."""
        keys = np.empty((len(ids), 2), np.uint64)
        rest = ids.view(np.uint64)
        for half in (1, 0):
            first, varying = self.first[half], self.varying[half]
            keys[:, half] = np.uint64(first & ~varying)
            for place, width in _runs(varying):
                bits = np.uint64((1 << width) - 1)
                keys[:, half] |= (rest & bits) << np.uint64(place)
                rest = rest >> np.uint64(width)
        return keys


def narrow(low: Ints, high: Ints, known: Mask, most: int) -> NarrowIds | None:
    """Leave out the bits in which no two keys differ.

    Args:
        low: low half of each row's key. The narrow ids are written over it.
        high: high half.
        known: which rows have an id.
        most: how many bits a narrow id may have, below 64.

    Returns:
        The rows' ids, or ``None`` where no row has one, or they need more bits; then nothing is
        written over.
    """
    if not known.any():
        return None
    one = int(known.argmax())
    first = (int(high[one]) & _ALL, int(low[one]) & _ALL)
    varying = (_varying(high, first[0], known), _varying(low, first[1], known))
    if sum(bits.bit_count() for bits in varying) > most:
        return None
    for start in range(0, len(low), _CHUNK_ROWS):
        part = slice(start, start + _CHUNK_ROWS)
        ids = _gathered(low[part].view(np.uint64), high[part].view(np.uint64), varying)
        low[part] = np.where(known[part], ids.view(np.int64), NO_ID)
    return NarrowIds(low, first, varying)


def _varying(half: Ints, first: int, known: Mask) -> int:
    """The bits in which any id differs from the first."""
    found = np.uint64(0)
    for start in range(0, len(half), _CHUNK_ROWS):
        part = slice(start, start + _CHUNK_ROWS)
        differing = half[part].view(np.uint64) ^ np.uint64(first)
        found |= np.bitwise_or.reduce(np.where(known[part], differing, np.uint64(0)))
    return int(found)


def _gathered(low: Uint64, high: Uint64, varying: tuple[int, int]) -> Uint64:
    """The varying bits alone: those of the low half, and above them those of the high one."""
    ids, filled = np.zeros(len(low), np.uint64), 0
    for half, bits in ((low, varying[1]), (high, varying[0])):
        for place, width in _runs(bits):
            part = (half >> np.uint64(place)) & np.uint64((1 << width) - 1)
            ids |= part << np.uint64(filled)
            filled += width
    return ids


def _runs(bits: int) -> list[tuple[int, int]]:
    """Where runs of ones begin, and how long they are.

    >>> _runs(0b1101)
    [(0, 1), (2, 2)]
    """
    runs, place = [], 0
    while bits >> place:
        width = 0
        while bits >> (place + width) & 1:
            width += 1
        if width:
            runs.append((place, width))
        place += width + 1
    return runs
