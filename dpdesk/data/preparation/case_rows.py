# SPDX-License-Identifier: Apache-2.0
"""The rows of a further table by case: those of one person with one case number.

Cases are numbered as people are, over the rows of both tables; then each step that works on a
person's rows works on a case's. Case number 7 of one person and 7 of another are two cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.preparation.numbered import NOBODY, Persons, number_people
from dpdesk.data.preparation.person_rows import PersonRows


@dataclass(frozen=True, repr=False)
class CaseRows:
    """The rows of a further table by case.

    Attributes:
        seen: the rows, as if each case were a person.
        entries: the case of each row of the main table, ``NOBODY`` without a person or a number.
    """

    seen: PersonRows
    entries: Persons

    @classmethod
    def of(
        cls, main: Persons, main_cases: Keys, further: PersonRows, further_cases: Keys
    ) -> CaseRows:
        """Sort a table's rows by case.

        Args:
            main: the person of each row of the main table.
            main_cases: its case numbers.
            further: the rows of the other table; those that are not seen of a person are in no
                case.
            further_cases: its case numbers.
        """
        persons = np.full(len(further.persons), NOBODY, further.persons.dtype)
        persons[further.rows] = further.persons[further.rows]
        keys = _keys((main, persons), (main_cases, further_cases))
        numbered = number_people(keys).tables
        return cls(PersonRows.of(numbered[1], further.content), numbered[0].persons)


def _keys(persons: Sequence[Persons], cases: Sequence[Keys]) -> list[Keys]:
    """One key for a person and a case number; below 0 where either is not there."""
    highs = {one.high if isinstance(one.high, int) else None for one in cases}
    if len(highs) == 1 and None not in highs:
        lows = [one.low for one in cases]
    else:
        lows = [one.persons.astype(np.int64) for one in number_people(cases).tables]
    return [
        Keys(np.where(who < 0, NOBODY, low), who.astype(np.int64))
        for who, low in zip(persons, lows, strict=True)
    ]
