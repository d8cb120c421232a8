# SPDX-License-Identifier: Apache-2.0
"""People of several tables get one number each, and every row that of its person."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.preparation.numbered import NOBODY, number_people

id_key = st.sampled_from([-1, 0, 1, 7, 2**40, 2**62]).flatmap(
    lambda low: st.tuples(st.just(low), st.sampled_from([0, 3]))
)
tables = st.lists(st.lists(id_key, max_size=12), min_size=1, max_size=3)


def keys_of(rows: list[tuple[int, int]], has_high: bool) -> Keys:
    low, high = (np.array([row[half] for row in rows], np.int64) for half in range(2))
    return Keys(low, high if has_high else 3)


@given(rows=tables, halves=st.lists(st.booleans(), min_size=3, max_size=3))
def test_one_id_is_one_person_in_all_tables(
    rows: list[list[tuple[int, int]]], halves: list[bool]
) -> None:
    people = number_people([keys_of(r, has) for r, has in zip(rows, halves, strict=False)], True)
    seen: dict[int, set[tuple[int, int]]] = {}
    for own, table, has_high in zip(rows, people.tables, halves, strict=False):
        assert len(table.persons) == len(own)
        for (low, high), person in zip(own, table.persons.tolist(), strict=True):
            assert (person == NOBODY) == (low < 0)
            if low >= 0:
                seen.setdefault(person, set()).add((high if has_high else 3, low))
        lengths = np.diff(table.offsets)
        assert len(lengths) == people.people
        expected = [p for p, length in enumerate(lengths) for _ in range(length)]
        assert table.persons[table.rows].tolist() == expected
        inside = np.diff(table.rows)[np.diff(expected) == 0] if len(expected) else np.zeros(0)
        assert (inside > 0).all()
    assert sorted(seen) == list(range(people.people))
    keys = [tuple(key) for key in people.keys.tolist()]
    assert [seen[person] for person in range(people.people)] == [{key} for key in keys]
    assert len({*keys}) == len(keys)
