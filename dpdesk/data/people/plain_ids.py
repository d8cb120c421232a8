# SPDX-License-Identifier: Apache-2.0
"""Ids of plain letters and digits as whole numbers, many at a time, and the fewest bits of them.

An id of up to 20 of a-z, 0-9, ``_`` and ``-`` takes six bits a sign: ten signs fill the low half
of a key, the ten before them the high half, below a mark that no number and no hash has. Nothing
is lost: equal keys are equal ids. Capital letters count as small ones, as everywhere in ids. Ids
of digits alone are numbers, and packed only where the zeros before them matter.

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

from dpdesk.data.people.id_words import NO_ID, WORD, IdKeys, IdWords, Words, pieces

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]

MARK = 1 << 62
"""In the high half of a packed id."""

LONGEST = 20
_BITS = 6
_ALL = (1 << 64) - 1
_DIGIT, _LETTER, _OTHER = 48, 1 << _BITS, 1 << 7
_CHUNK_ROWS = 1 << 15


def _in_each_byte(bits: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([bits]) * WORD, "little"))


_LETTERS, _OTHERS = _in_each_byte(_LETTER), _in_each_byte(_OTHER)


def _codes() -> bytes:
    """The six bits of each byte, and above them what it is; digits differ in their lowest four."""
    codes = bytearray([_OTHER]) * 256
    codes[ord("0") : ord("9") + 1] = range(_DIGIT, _DIGIT + 10)
    for start in (ord("a"), ord("A")):
        codes[start : start + 26] = range(_LETTER + 1, _LETTER + 27)
    codes[ord("_")], codes[ord("-")] = _LETTER + 27, _LETTER + 28
    return bytes(codes)


_CODES = _codes()


def pack_ids(cells: pa.Array, digits: bool = False) -> IdKeys:
    """Pack what is plain of a column's cells.

    Args:
        cells: of type string; null is never plain.
        digits: whether ids of digits alone are packed, too.
    """
    packed = IdKeys.of_none(len(cells))
    for ids in pieces(cells):
        if ids.shortest <= LONGEST:
            _pack(packed, ids, digits)
    return packed


def _pack(packed: IdKeys, ids: IdWords, digits: bool) -> None:
    """Pack a piece of a column."""
    words, longest = Words(ids, _CODES), min(ids.longest, LONGEST)
    found = words.last(0)
    seen, low = found, _together(found)
    high: Uint64 | np.uint64 = np.uint64(MARK)
    if longest > WORD:
        # Sixteen signs: ten of them below.
        found = words.last(WORD)
        seen, signs = seen | found, _together(found)
        low |= (signs << np.uint64(48)) & np.uint64((1 << 60) - 1)
        high = (signs >> np.uint64(12)) | high
    if longest > 2 * WORD:
        found = words.last(2 * WORD)
        seen = seen | found
        high |= _together(found) << np.uint64(36)
    packed.low[ids.rows], packed.high[ids.rows] = low.view(np.int64), high
    plain = (seen & _OTHERS) == 0
    plain &= (ids.lengths > 0) if digits else (seen & _LETTERS) != 0
    if ids.longest > LONGEST:
        plain &= ids.lengths <= LONGEST
    packed.found[ids.rows] = plain


def _together(words: Uint64) -> Uint64:
    """Eight signs of six bits each, the first one highest: 48 bits.

    Pairs of signs become twelve bits, pairs of those 24, and the two of them 48.
    """
    for width, kept in (
        (8, 0x003F003F003F003F),
        (16, 0x00000FFF00000FFF),
        (32, 0x0000000000FFFFFF),
    ):
        lower = words >> np.uint64(width)
        lower &= np.uint64(kept)
        words = words & np.uint64(kept)
        words <<= np.uint64(width * _BITS // WORD)
        words |= lower
    return words


@dataclass(frozen=True, repr=False)
class NarrowIds:
    """Keys without the bits that are the same in all of them.

    Attributes:
        ids: each row's, 0 or more; ``NO_ID`` where it has none.
        first: a key's halves, high and low.
        varying: which bits differ, of both halves.
    """

    ids: Ints
    first: tuple[int, int]
    varying: tuple[int, int]

    def keys(self, ids: Ints) -> Uint64:
        """The keys of narrow ids, shape ``(len(ids), 2)``, high and low half."""
        high, low = self.varying
        keys = np.empty((len(ids), 2), np.uint64)
        for start in range(0, len(ids), _CHUNK_ROWS):
            part = slice(start, start + _CHUNK_ROWS)
            rest = ids[part].view(np.uint64)
            keys[part, 0] = _spread(rest >> np.uint64(low.bit_count()), high)
            keys[part, 1] = _spread(rest, low)
        keys |= np.array([f & ~v for f, v in zip(self.first, self.varying, strict=True)], np.uint64)
        return keys


def narrow(low: Ints, high: Ints | int, most: int) -> NarrowIds | None:
    """Leave out the bits in which no two keys differ.

    Args:
        low: low half of each row's key, below 0 where it has none. The narrow ids are written
            over it.
        high: high half; one number where all rows have the same.
        most: how many bits a narrow id may have, below 64.

    Returns:
        The rows' ids, or ``None`` where no row has one, or they need more bits; then nothing is
        written over.
    """
    one = _first_known(low)
    if one is None:
        return None
    upper = high if isinstance(high, int) else int(high[one])
    first = (upper & _ALL, int(low[one]))
    varying = (0 if isinstance(high, int) else _varying(high, first[0], low), 0)
    varying = (varying[0], _varying(low, first[1], low))
    if sum(bits.bit_count() for bits in varying) > most:
        return None
    for start in range(0, len(low), _CHUNK_ROWS):
        part = slice(start, start + _CHUNK_ROWS)
        ids = _gathered(low[part].view(np.uint64), varying[1])
        if not isinstance(high, int):
            above = _gathered(high[part].view(np.uint64), varying[0])
            ids |= above << np.uint64(varying[1].bit_count())
        _put(ids.view(np.int64), low[part])
    return NarrowIds(low, first, varying)


def _put(ids: Ints, low: Ints) -> None:
    """Write narrow ids over the halves of those that have one."""
    if low.size and low.min() < 0:
        ids[low < 0] = NO_ID
    low[:] = ids


def _first_known(low: Ints) -> int | None:
    """A row that has an id."""
    for start in range(0, len(low), _CHUNK_ROWS):
        known = low[start : start + _CHUNK_ROWS] >= 0
        if known.any():
            return start + int(known.argmax())
    return None


def _varying(half: Ints, first: int, low: Ints) -> int:
    """The bits in which any id differs from the first."""
    found = np.uint64(0)
    for start in range(0, len(half), _CHUNK_ROWS):
        part = slice(start, start + _CHUNK_ROWS)
        differing = half[part].view(np.uint64) ^ np.uint64(first)
        if low[part].min() < 0:
            differing[low[part] < 0] = 0
        found |= np.bitwise_or.reduce(differing)
    return int(found)


def _moves(bits: int) -> list[tuple[np.uint64, np.uint64]]:
    """How some bits come to stand together at the low end.

    All that have an odd number of places to go make one step first, then each whose way has the
    next bit makes two, and so on (Warren, "Hacker's Delight", 7-4: compress).

    Returns:
        How many places, and the bits that go them from where they then are.

    >>> [(int(by), bin(which)) for by, which in _moves(0b1101)]
    [(1, '0b1100')]
    """
    places = [place for place in range(64) if bits >> place & 1]
    ways = [place - rank for rank, place in enumerate(places)]
    moves = []
    for step in (1, 2, 4, 8, 16, 32):
        going = [way & step for way in ways]
        if any(going):
            which = sum(1 << place for place, goes in zip(places, going, strict=True) if goes)
            moves.append((np.uint64(step), np.uint64(which)))
        places = [place - goes for place, goes in zip(places, going, strict=True)]
    return moves


def _gathered(words: Uint64, bits: int) -> Uint64:
    """Some bits of each word, together at the low end."""
    words = words & np.uint64(bits)
    for by, which in _moves(bits):
        going = words & which
        words ^= going
        going >>= by
        words |= going
    return words


def _spread(words: Uint64, bits: int) -> Uint64:
    """The lowest bits of each word, at the places that they were gathered from."""
    words = words & np.uint64((1 << bits.bit_count()) - 1)
    for by, which in reversed(_moves(bits)):
        going = words & (which >> by)
        words ^= going
        going <<= by
        words |= going
    return words
