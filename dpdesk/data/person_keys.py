# SPDX-License-Identifier: Apache-2.0
"""Ids as 128 bits each, and people as numbers from 0.

Ids of up to 18 digits are their own key, and so are ids of up to 20 plain letters and digits (see
``plain_ids``). Any other id is hashed to 127 bits and a mark, so that two people share a key with
a chance below 1e-20 even among a billion. Keys need 16 bytes a person, texts some 100, and they
depend on the id alone, so that a sketch of them recognises the same people in another file.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.cells import TextColumn, distinct_texts
from dpdesk.data.growing import Growing
from dpdesk.data.numbering import Numbered, number_pairs
from dpdesk.data.person import normalise_ids
from dpdesk.data.plain_ids import NO_ID, Ints, Mask, NarrowIds, narrow, pack_ids

Uint64 = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.signedinteger[Any]]

NO_PERSON = -1
_HASHED = 1 << 7
_LONGEST = 18
_LENGTHS = frozenset(range(1, _LONGEST + 1))
_DIGITS = b"0123456789"


@dataclass(frozen=True, repr=False)
class People:
    """Who each row is about.

    Attributes:
        codes: for each row a person's number in ``0..count - 1``, or ``NO_PERSON``.
        keys: shape ``(people with an id, 2)``, high and low half of each one's key.
        count: how many people, those without an id counted as declared.
        rows: how many rows each person has, shape ``(count,)``.
    """

    codes: Codes
    keys: Uint64
    count: int
    rows: Codes


@dataclass(frozen=True, repr=False)
class Ids:
    """The ids of some rows.

    Attributes:
        low: low half of each row's key; ``NO_ID`` where ``high`` is absent and there is no id.
        high: high half, where an id is no number; absent where all are.
        known: which rows have an id, where ``high`` is there.
    """

    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64] | None = None
    known: npt.NDArray[np.bool_] | None = None


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
        self._numbers_none = [int(text) for text in self._none if _are_numbers(text, {len(text)})]
        self._packed_none = _packed(sorted(self._none))
        self._without_id = without_id
        self._low = Growing(np.dtype(np.int64))
        self._high: Growing[np.int64] | None = None
        self._known: Growing[np.bool_] | None = None

    def ids(self, cells: pa.Array) -> Ids:
        """The ids of a batch's cells; may be asked in several threads at once."""
        numbers = None if self._leading_zeros else _numbers(cells)
        if numbers is None:
            is_text = pa.types.is_string(cells.type)
            return self._of_rows(cells) if is_text else self._of_texts(distinct_texts(cells))
        if self._numbers_none:
            numbers = np.where(np.isin(numbers, self._numbers_none), NO_ID, numbers)
        return Ids(numbers)

    def _of_texts(self, column: TextColumn) -> Ids:
        high, low, known = self._texts(column)
        return Ids(low, high, known)

    def _texts(self, column: TextColumn) -> tuple[Ints, Ints, Mask]:
        """The halves of each row's key, high and low, and which rows have an id."""
        ids = normalise_ids(column.texts, self._leading_zeros)
        high, low = self._keys(ids)
        known = np.fromiter((i not in self._none for i in ids), np.bool_, len(ids))
        codes = column.codes
        return high.view(np.int64)[codes], low.view(np.int64)[codes], known[codes]

    def _of_rows(self, cells: pa.Array) -> Ids:
        """The ids of cells that hardly repeat: plain ones many at a time, the others one by one."""
        packed = pack_ids(cells)
        known = packed.plain.copy()
        for none in self._packed_none:
            known &= (packed.high != none[0]) | (packed.low != none[1])
        others = np.flatnonzero(~packed.plain)
        if others.size:
            column = distinct_texts(cells.take(pa.array(others)))
            high, low, has_id = self._texts(column)
            packed.low[others], packed.high[others], known[others] = low, high, has_id
        return Ids(packed.low, packed.high, known)

    def _keys(self, ids: list[str]) -> tuple[Uint64, Uint64]:
        if not self._leading_zeros and _are_numbers("".join(ids), set(map(len, ids))):
            return np.zeros(len(ids), np.uint64), np.fromiter(map(int, ids), np.uint64, len(ids))
        packed = pack_ids(pa.array([i if i.isascii() else "" for i in ids], pa.string()))
        high, low = packed.high.view(np.uint64), packed.low.view(np.uint64)
        others = np.flatnonzero(~packed.plain)
        digests = b"".join(self._key(ids[place]) for place in others)
        halves = np.frombuffer(digests, ">u8").reshape(-1, 2)
        high[others], low[others] = halves[:, 0], halves[:, 1]
        return high, low

    def _key(self, normalised: str) -> bytes:
        number = not self._leading_zeros and _are_numbers(normalised, {len(normalised)})
        return int(normalised).to_bytes(16, "big") if number else _hash(normalised)

    def add(self, ids: Ids) -> None:
        """Take in the ids of the next rows."""
        if ids.high is not None and (self._high is None or self._known is None):
            # So far all were numbers.
            self._high, self._known = Growing(np.dtype(np.int64)), Growing(np.dtype(np.bool_))
            self._high.add(np.zeros(len(self._low), np.int64))
            self._known.add(self._low.all() >= 0)
        self._low.add(ids.low)
        if self._high is not None and self._known is not None:
            self._high.add(np.zeros(len(ids.low), np.int64) if ids.high is None else ids.high)
            self._known.add(ids.low >= 0 if ids.known is None else ids.known)

    @property
    def pools_without_id(self) -> bool:
        """Whether rows without an id are together one person."""
        return self._without_id == "one-person"

    def numbers(self) -> npt.NDArray[np.int64] | None:
        """The ids of all rows, ``NO_ID`` among them, where all others are numbers; no copy."""
        return self._low.all() if self._high is None else None

    def narrow(self, most: int) -> NarrowIds | None:
        """The ids of all rows where they differ in at most so many bits; then they are gone."""
        if self._high is None or self._known is None:
            return None
        found = narrow(self._low.all(), self._high.all(), self._known.all(), most)
        if found is not None:
            self._high = self._known = None
        return found

    def people(self) -> People:
        """Number the people of all batches."""
        low = self._low.all()
        if self._high is None or self._known is None:
            known = low >= 0
            return self._people(known, number_pairs(low[known], None))
        known = self._known.all()
        return self._people(known, number_pairs(low[known], self._high.all()[known]))

    def _people(self, known: npt.NDArray[np.bool_], found: Numbered) -> People:
        """Give a number to rows without an id, too."""
        count = len(found.low)
        keys = np.column_stack([found.high, found.low]).view(np.uint64)
        if known.all():
            return People(found.codes, keys, count, found.rows)
        missing = count if self.pools_without_id else NO_PERSON
        codes: Codes = np.full(len(known), missing, found.codes.dtype)
        codes[known] = found.codes
        if missing == NO_PERSON:
            return People(codes, keys, count, found.rows)
        return People(codes, keys, count + 1, np.append(found.rows, len(known) - len(found.codes)))


def _numbers(cells: pa.Array) -> npt.NDArray[np.int64] | None:
    """Ids as numbers, ``NO_ID`` for empty cells; ``None`` unless all others are just digits."""
    if pa.types.is_string(cells.type):
        lengths = pc.min_max(pc.binary_length(cells)).as_py()
        shortest, longest = (lengths[end] for end in ("min", "max"))
        if shortest == 0 or (longest or 0) > _LONGEST or not _only_digits(cells):
            return None
        cells = pc.cast(cells, pa.int64())
    if not pa.types.is_int64(cells.type):
        return None
    numbers: npt.NDArray[np.int64]
    numbers = pc.fill_null(cells, NO_ID).to_numpy(zero_copy_only=False)
    if numbers.size and (numbers.min() < NO_ID or numbers.max() >= 10**_LONGEST):
        return None
    negative = np.count_nonzero(numbers == NO_ID) != cells.null_count
    return None if negative else numbers


def _only_digits(texts: pa.Array) -> bool:
    data = texts.buffers()[2]
    if data is None or not len(texts):
        return True
    offsets = np.frombuffer(texts.buffers()[1], np.int32, len(texts) + 1 + texts.offset)
    used = memoryview(data)[offsets[texts.offset] : offsets[-1]]
    return not bytes(used).translate(None, _DIGITS)


def _packed(texts: list[str]) -> list[tuple[int, int]]:
    """The halves of the packed keys of the plain ones among some texts, high and low."""
    packed = pack_ids(pa.array([text if text.isascii() else "" for text in texts], pa.string()))
    return [(int(packed.high[at]), int(packed.low[at])) for at in np.flatnonzero(packed.plain)]


def _are_numbers(digits: str, lengths: set[int]) -> bool:
    """Whether ids of these characters and lengths are numbers that fit into a key."""
    return digits.isascii() and digits.isdigit() and lengths <= _LENGTHS


def _hash(normalised: str) -> bytes:
    digest = blake2b(normalised.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return bytes([digest[0] | _HASHED]) + digest[1:]
