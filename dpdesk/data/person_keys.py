# SPDX-License-Identifier: Apache-2.0
"""Ids as 128 bits each, and people as numbers from 0.

Ids of up to 18 digits are their own key. Any other id is hashed to 127 bits and a mark, so that
two people share a key with a chance below 1e-20 even among a billion. Keys need 16 bytes a
person, texts some 100, and they depend on the id alone, so that a sketch of them recognises the
same people in another file.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpdesk.data.person import normalise_ids
from dpdesk.data.reader import TextColumn

Uint64 = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.int64]

NO_PERSON = -1
_HASHED = 1 << 127
_LOW = (1 << 64) - 1
_LENGTHS = frozenset(range(1, 19))


@dataclass(frozen=True, repr=False)
class People:
    """Who each row is about.

    Attributes:
        codes: for each row a person's number in ``0..count - 1``, or ``NO_PERSON``.
        keys: shape ``(people with an id, 2)``, high and low half of each one's key.
        count: how many people, those without an id counted as declared.
    """

    codes: Codes
    keys: Uint64
    count: int


class PersonCoder:
    """Collects ids batch by batch, and numbers the people at the end."""

    def __init__(
        self,
        markers: tuple[str, ...],
        leading_zeros: bool = False,
        without_id: Literal["drop", "one-person"] = "drop",
    ) -> None:
        """Start with no rows.

        Args:
            markers: texts that mean "no id"; the empty cell always does.
            leading_zeros: whether zeros before a number matter.
            without_id: whether rows without an id are left out or are together one person.
        """
        self._leading_zeros = leading_zeros
        self._none = frozenset({"", *normalise_ids(markers, leading_zeros)})
        self._without_id = without_id
        self._high: list[Uint64] = []
        self._low: list[Uint64] = []
        self._known: list[npt.NDArray[np.bool_]] = []

    def add(self, column: TextColumn) -> None:
        """Take in the ids of a batch."""
        ids = normalise_ids(column.texts, self._leading_zeros)
        high, low = self._keys(ids)
        known = np.fromiter((i not in self._none for i in ids), np.bool_, len(ids))
        self._high.append(high[column.codes])
        self._low.append(low[column.codes])
        self._known.append(known[column.codes])

    def _keys(self, ids: list[str]) -> tuple[Uint64, Uint64]:
        if not self._leading_zeros and _are_numbers("".join(ids), set(map(len, ids))):
            return np.zeros(len(ids), np.uint64), np.fromiter(map(int, ids), np.uint64, len(ids))
        keys = [self._key(i) for i in ids]
        high = np.fromiter((key >> 64 for key in keys), np.uint64, len(keys))
        low = np.fromiter((key & _LOW for key in keys), np.uint64, len(keys))
        return high, low

    def _key(self, normalised: str) -> int:
        number = not self._leading_zeros and _are_numbers(normalised, {len(normalised)})
        return int(normalised) if number else _hash(normalised)

    def people(self) -> People:
        """Number the people of all batches."""
        known = _joined(self._known, np.bool_)
        high, low = (_joined(parts, np.uint64)[known] for parts in (self._high, self._low))
        numbers, keys = _numbered(high, low)
        missing = len(keys) if self._without_id == "one-person" else NO_PERSON
        codes = np.full(len(known), missing, np.int64)
        codes[known] = numbers
        pooled = missing != NO_PERSON and not known.all()
        return People(codes, keys, len(keys) + pooled)


def _are_numbers(digits: str, lengths: set[int]) -> bool:
    """Whether ids of these characters and lengths are numbers that fit into a key."""
    return digits.isascii() and digits.isdigit() and lengths <= _LENGTHS


def _hash(normalised: str) -> int:
    digest = blake2b(normalised.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest, "big") | _HASHED


def _joined(parts: list[npt.NDArray[Any]], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.concatenate([np.empty(0, kind), *parts])


def _numbered(high: Uint64, low: Uint64) -> tuple[Codes, Uint64]:
    """Number the distinct keys by first appearance; their numbers by row, and the keys."""
    codes, distinct = pd.factorize(low)
    count = len(distinct)
    if high.any():
        high_codes, high_distinct = pd.factorize(high)
        codes, pairs = pd.factorize(codes * len(high_distinct) + high_codes)
        count = len(pairs)
    some_row = np.empty(count, np.int64)
    some_row[codes] = np.arange(len(codes))
    return codes, np.column_stack([high[some_row], low[some_row]])
