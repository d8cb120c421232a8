# SPDX-License-Identifier: Apache-2.0
"""Whether the ids of a file tell people apart; what is counted here is never shown as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.inspection.finding import Finding, are_nearly_all, how_many_faulty
from dpdesk.data.people.id_words import NO_ID
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.study.model.unit import DataSource, Unit

_LOOKED_AT = 1_000
"""At most this many ids of a batch are looked at for what a spreadsheet made of them."""
_SHORTENED = r"^\s*[0-9](?:[.,][0-9]+)?[Ee]\+[0-9]+\s*$"

Counts = Counter[tuple[int, int]]


@dataclass(frozen=True, repr=False)
class IdBatch:
    """What a batch's ids are like.

    Attributes:
        with_id: rows with an id.
        commonest: the id in the middle of their order, which is that of nearly all if one is.
        alike: how many have that one.
        looked_at: how many were looked at for the next.
        shortened: how many of those end in ``E+`` and digits.
    """

    rows: int
    with_id: int
    commonest: tuple[int, int]
    alike: int
    looked_at: int
    shortened: int


class IdTally:
    """Counts ids that are missing, alike, or were shortened by a spreadsheet."""

    def __init__(self, name: str, unit: Unit, data: DataSource) -> None:
        self.name = name
        self._fills_down = data.fill_down
        self._coder = PersonCoder(
            data.missing,
            unit.leading_zeros,
            unit.without_id,
            fills_down=data.fill_down,
            shape=unit.id_shape,
        )
        self._rows = self._with_id = self._looked_at = self._shortened = 0
        self._alike: Counts = Counter()

    def look(self, cells: pa.Array) -> IdBatch:
        """Look at a batch's ids; may be asked in several threads at once."""
        keys = self._coder.ids(cells)
        looked_at, shortened = _shortened(cells[:_LOOKED_AT])
        # One that is filled from above has an id, too.
        with_id = int(np.count_nonzero(keys.low >= (NO_ID if self._fills_down else 0)))
        return IdBatch(len(cells), with_id, *_commonest(keys), looked_at, shortened)

    def add(self, batch: IdBatch) -> None:
        self._rows += batch.rows
        self._with_id += batch.with_id
        self._alike[batch.commonest] += batch.alike
        self._looked_at += batch.looked_at
        self._shortened += batch.shortened

    def findings(self) -> Iterator[Finding]:
        """What is said of the ids; nothing where they are as ids are."""
        missing = how_many_faulty(self._rows - self._with_id, self._rows)
        if missing in ("some", "most"):
            yield Finding("ids-missing", missing, self.name)
        if are_nearly_all(self._shortened, self._looked_at):
            yield Finding("ids-exponent", column=self.name)
        elif are_nearly_all(max(self._alike.values(), default=0), self._with_id):
            yield Finding("ids-equal", column=self.name)


def _commonest(keys: Keys) -> tuple[tuple[int, int], int]:
    """The id in the middle of the order, and how many rows have it."""
    known = np.flatnonzero(keys.low >= 0)
    if not known.size:
        return (0, 0), 0
    low = keys.low[known]
    high = np.broadcast_to(np.asarray(keys.high, np.int64), len(keys.low))[known]
    middle = np.argpartition(low, len(low) // 2)[len(low) // 2]
    one = int(low[middle]), int(high[middle])
    return one, int(np.count_nonzero((low == one[0]) & (high == one[1])))


def _shortened(cells: pa.Array) -> tuple[int, int]:
    """How many ids there are, and how many of them end in ``E+`` and digits."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if not pa.types.is_string(cells.type):
        return 0, 0
    found = pc.sum(pc.match_substring_regex(cells, _SHORTENED)).as_py()
    return len(cells) - cells.null_count, int(found or 0)
