# SPDX-License-Identifier: Apache-2.0
"""Ids of plain letters and digits as whole numbers, many at a time.

An id of up to 20 of a-z, 0-9, ``_`` and ``-`` takes six bits a sign: ten signs fill the low half
of a key, the ten before them the high half, below a mark that no number and no hash has. Nothing
is lost: equal keys are equal ids. Capital letters count as small ones, as everywhere in ids. Ids
of digits alone are numbers, and packed only where the zeros before them matter.

    P0007  ->  p 0 0 0 7  ->  16, 48, 48, 48, 55 in six bits each
    P0012  ->  p 0 0 1 2  ->  16, 48, 48, 49, 50
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.people.id_words import WORD, IdKeys, IdWords, Words, pieces

Uint64 = npt.NDArray[np.uint64]

MARK = 1 << 62
"""In the high half of a packed id."""

LONGEST = 20
_BITS = 6
_DIGIT, _LETTER, _OTHER = 48, 1 << _BITS, 1 << 7


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
    words, longest = Words(ids, _CODES), min(ids.longest, LONGEST)
    last = words.last(0)
    seen, low = last, _together(last)
    high: Uint64 | np.uint64 = np.uint64(MARK)
    if longest > WORD:
        # Sixteen signs: ten of them below.
        last = words.last(WORD)
        seen, signs = seen | last, _together(last)
        low |= (signs << np.uint64(48)) & np.uint64((1 << 60) - 1)
        high = (signs >> np.uint64(12)) | high
    if longest > 2 * WORD:
        last = words.last(2 * WORD)
        seen = seen | last
        high |= _together(last) << np.uint64(36)
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
