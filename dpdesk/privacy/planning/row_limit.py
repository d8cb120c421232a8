# SPDX-License-Identifier: Apache-2.0
"""What a row limit leaves out, of made-up people: nothing but the limit is looked at.

Which rows of a made-up person count is no draw: multiples of the golden ratio, taken within 1, lie
scattered (Weyl 1916), so that the smallest of them look as if chance had picked them, and the same
limit always has the same picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

_RATIO: Final = (sqrt(5) - 1) / 2


@dataclass(frozen=True)
class MadeUpPerson:
    """One of the people in the picture.

    Attributes:
        counts: of each of their rows, whether it counts.
    """

    counts: tuple[bool, ...]

    @property
    def rows(self) -> int:
        """How many rows they have."""
        return len(self.counts)

    @property
    def counted(self) -> int:
        """How many of them count."""
        return sum(self.counts)


def made_up_people(limit: int) -> tuple[MadeUpPerson, ...]:
    """People with fewer rows than the limit, with as many, and with more.

    >>> [(one.counted, one.rows) for one in made_up_people(3)]
    [(1, 1), (2, 2), (3, 3), (3, 5), (3, 9)]
    """
    return tuple(map(_person, sorted({1, 2, limit, 2 * limit - 1, 3 * limit}), 5 * [limit]))


def _person(rows: int, limit: int) -> MadeUpPerson:
    order = sorted(range(rows), key=lambda row: (row + 1) * _RATIO % 1)
    kept = set(order[:limit])
    return MadeUpPerson(tuple(row in kept for row in range(rows)))
