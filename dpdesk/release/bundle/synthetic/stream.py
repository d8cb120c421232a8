# SPDX-License-Identifier: Apache-2.0
"""Recorded randomness: the same words for the same text, on every machine and in every version.

numpy says of its generators that what they draw may change between versions, and anyone who checks
a bundle years later makes the same rows. SHAKE-256 (FIPS 202) does not change.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]
_WORD = 8


class Stream:
    """Random words, one after another.

    Args:
        seed: what they follow from; drawn afresh and public.
    """

    def __init__(self, seed: str) -> None:
        self._seed, self._asked = seed, 0

    def words(self, count: int) -> Words:
        """That many words of 64 bits."""
        self._asked += 1
        named = f"{self._seed}/{self._asked}".encode("ascii")
        return np.frombuffer(hashlib.shake_256(named).digest(_WORD * count), "<u8")

    def below(self, bounds: Places) -> Places:
        """A whole number from 0 to below each bound, which is 1 or more and below 2^31."""
        return (self.words(len(bounds)) % bounds.astype(np.uint64)).astype(np.int64)

    def order(self, count: int) -> Places:
        """The numbers 0 to count - 1 in random order."""
        return np.argsort(self.words(count), kind="stable").astype(np.int64)
