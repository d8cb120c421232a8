# SPDX-License-Identifier: Apache-2.0
"""Ids of any kind as keyed hashes of 126 bits, nearly all of them many at a time.

A cell is tidy that nothing but its case is folded of (see ``person``): visible ASCII and single
blanks inside, without apostrophes and equals signs, and not only digits, points and commas. Tidy
ids of up to 128 signs are hashed together, four times to 32 bits, by a multilinear function
(Lemire and Kaser, "Strongly universal string hashing is fast", The Computer Journal 57, 2014):

    h(x) = (m0 + m1 x1 + m2 x2 + ... mod 2^64) >> 32

of the id's length x1 and its signs, four to an integer, by factors drawn for that alone. Whatever
two different ids are, over the draw of the factors they share a hash with a chance of 2^-126; who
does not know the key can neither find two that do, nor write one. The rest is hashed one by one
by a keyed BLAKE2b. Which of the two is asked depends on the folded id alone.
"""

from __future__ import annotations

from hashlib import blake2b, shake_256

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.people.id_words import WORD, IdKeys, IdWords, Words, pieces

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]

KEY_BYTES = 32
HASHED = -1 << 63
"""The mark in the high half of a hash, its highest bit."""

LONGEST = 128
_LANES = 4
_FACTORS = 2 + LONGEST // 4
_HALF = np.uint64(32)
_LOWER = np.uint64((1 << 32) - 1)
_SAYS_MORE = 1 << 7
"""In what represents a sign that no number has."""
_SAYS_MORE_ANYWHERE = np.uint64(int.from_bytes(bytes([_SAYS_MORE]) * WORD, "little"))


def _tidy_signs() -> bytes:
    """What represents each byte: 0 for those that are not tidy; capital letters count as small."""
    signs = bytearray(256)
    for sign in map(chr, range(0x20, 0x7F)):
        if sign not in "'=":
            more = 0 if sign in "0123456789.," else _SAYS_MORE
            signs[ord(sign)] = ord(sign.lower()) | more
    return bytes(signs)


_SIGNS = _tidy_signs()


class IdHash:
    """Hashes ids by one key."""

    def __init__(self, key: bytes) -> None:
        """Draw the factors from the key, which is secret: of ``KEY_BYTES`` bytes."""
        stream = shake_256(b"dpdesk ids" + key).digest(_LANES * _FACTORS * 8)
        self._factors = np.frombuffer(stream, "<u8").reshape(_LANES, _FACTORS).astype(np.uint64)
        self._key = key

    def tidy(self, cells: pa.Array) -> IdKeys:
        """Hash what is tidy of a column of type string."""
        hashed = IdKeys.of_none(len(cells))
        for ids in pieces(cells):
            if ids.shortest <= LONGEST:
                self._piece(hashed, ids)
        return hashed

    def one(self, text: str) -> tuple[int, int]:
        """The halves of the hash of one folded id, high and low, as :meth:`tidy` has them."""
        raw = text.encode("utf-8", "surrogatepass")
        high, low = np.frombuffer(blake2b(raw, digest_size=16, key=self._key).digest(), "<i8")
        return int(high) | HASHED, int(low) & ~HASHED

    def _piece(self, hashed: IdKeys, ids: IdWords) -> None:
        words = Words(ids, _SIGNS)
        lanes, seen = self._lanes(ids, words)
        high = (lanes[0] & ~_LOWER) | (lanes[1] >> _HALF)
        low = (lanes[2] & ~_LOWER) | (lanes[3] >> _HALF)
        hashed.high[ids.rows] = high.view(np.int64) | HASHED
        hashed.low[ids.rows] = low.view(np.int64) & ~HASHED
        tidy = ((seen & _SAYS_MORE_ANYWHERE) != 0) & (ids.lengths <= LONGEST)
        for untidy in (words.with_byte(0), _with_loose_blanks(ids)):
            tidy[untidy] = False
        hashed.found[ids.rows] = tidy

    def _lanes(self, ids: IdWords, words: Words) -> tuple[list[Uint64], Uint64]:
        """The four sums of each id, whose upper halves count, and which bits its signs have."""
        lengths = ids.lengths.view(np.uint64)
        lanes = [lengths * factors[1] + factors[0] for factors in self._factors]
        seen, product = np.zeros((2, len(lengths)), np.uint64)
        for start in range(0, min(ids.longest, LONGEST), WORD):
            word = words.first(start)
            seen |= word
            halves = (word & _LOWER, word >> _HALF)
            for lane, factors in zip(lanes, self._factors, strict=True):
                for half, factor in zip(halves, factors[2 + start // 4 :], strict=False):
                    lane += np.multiply(half, factor, out=product)
        return lanes, seen


def _with_loose_blanks(ids: IdWords) -> Ints:
    """The ids with a blank before or behind them, or with two side by side."""
    if b" " not in ids.text:
        return np.empty(0, np.int64)
    blank = np.frombuffer(ids.text, np.uint8) == ord(" ")
    double = np.flatnonzero(blank[1:] & blank[:-1])
    some = np.flatnonzero(ids.lengths)
    begin, end = ids.begin[some], ids.begin[some] + ids.lengths[some] - 1
    return np.concatenate([ids.row_of(double), some[blank[begin] | blank[end]]])
