# SPDX-License-Identifier: Apache-2.0
"""At most k rows of each person, chosen at random within the person.

The choice looks at one person's rows and their priorities alone, so what is kept of one person
does not depend on anybody else. The bound gives the privacy, the randomness only keeps the
choice fair: the file's order may be that of severity or time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Unsigned, ordered
from dpdesk.data.arrays.parallel import in_halves
from dpdesk.data.people.bounded_integers import Content, bound_integers, most_bits
from dpdesk.data.people.person_keys import PersonCoder

Ints = npt.NDArray[np.int64]
Persons = npt.NDArray[np.signedinteger[Any]]
Priorities = Callable[[int], Unsigned]
"""Draws one priority for each of the next rows of the file."""

_DRAWN_AT_ONCE = 1 << 17


def random_priorities(rows: int) -> Unsigned:
    """Priorities from the operating system's generator, shape ``(rows,)``."""
    drawn = np.empty(rows, np.uint32)

    def draw(places: slice) -> None:
        for start in range(places.start, places.stop, _DRAWN_AT_ONCE):
            part = drawn[start : min(start + _DRAWN_AT_ONCE, places.stop)]
            part[:] = np.frombuffer(os.urandom(part.nbytes), np.uint32)

    in_halves(draw, rows)
    return drawn


@dataclass(frozen=True, repr=False)
class KeptRows:
    """Rows within the contribution bound.

    Attributes:
        rows: their places in the file, rising.
        persons: each one's person, in ``0..people - 1``.
        keys: shape ``(people with an id, 2)``, high and low half of each one's key, or low halves
            alone where all high ones are 0.
        people: how many people there are, those without an id counted as declared.
    """

    rows: Ints
    persons: Persons
    keys: npt.NDArray[np.uint64]
    people: int


def bound_rows(ids: PersonCoder, k: int, priorities: Unsigned, content: Content) -> KeptRows:
    """Of each person the k rows with the smallest priorities; the ids are gone afterwards.

    Args:
        ids: whose the file's rows are.
        k: contribution bound, 1 or more.
        priorities: each row's priority.
        content: what settles equal priorities.
    """
    numbers = ids.numbers()
    if numbers is not None:
        found = bound_integers(numbers, k, priorities, content, ids.pools_without_id)
        if found is not None:
            keys = found.ids.view(np.uint64)
            return KeptRows(found.rows, found.persons, keys, found.people)
    narrow = ids.narrow(most_bits(len(priorities), ids.pools_without_id))
    if narrow is not None:
        found = bound_integers(narrow.ids, k, priorities, content, ids.pools_without_id)
        if found is not None:
            return KeptRows(found.rows, found.persons, narrow.keys(found.ids), found.people)
    people = ids.people()
    kept = bound_contributions(people.codes, k, priorities, content, people.rows)
    return KeptRows(np.flatnonzero(kept), people.codes[kept], people.keys, people.count)


def bound_contributions(
    persons: Persons,
    k: int,
    priorities: Unsigned,
    content: Content = lambda rows: [],
    rows_of: Persons | None = None,
) -> npt.NDArray[np.bool_]:
    """Which rows are kept: of each person those with the k smallest priorities.

    Equal priorities are settled by content and, between rows that are alike, by position: no tie
    lets a row more through, and no order of the file changes what is kept.

    Args:
        persons: each row's person; rows with a negative one are left out.
        k: contribution bound, 1 or more.
        priorities: each row's priority.
        content: what settles equal priorities.
        rows_of: how many rows each person has, where that is known.

    Returns:
        A mask over the rows.
    """
    keep: npt.NDArray[np.bool_] = persons >= 0
    if rows_of is None:
        rows_of = np.bincount(persons[keep], minlength=1)
    is_crowded = np.append(rows_of > k, False)
    crowded = np.flatnonzero(is_crowded[persons] & keep)
    order, owners = ordered(
        persons[crowded],
        priorities[crowded],
        lambda rows: content(crowded[rows]),
    )
    # In this order a row is beyond the bound if the k-th before it is the same person's.
    beyond = np.sort(order[k:][owners[k:] == owners[:-k]])
    keep[crowded[beyond]] = False
    return keep
