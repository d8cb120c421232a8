# SPDX-License-Identifier: Apache-2.0
"""What a check against the file says: a list of findings, each a code and a coarse word.

No cell, count or share is in one, nor which value occurs. A kind of finding is a code here, what
looks for it (``file_check.py``), and its sentence (``dpdesk/texts/findings.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal

Amount = Literal["", "nearly-all", "most", "many", "some", "few", "hardly-any", "none"]


SEEN: Final = "seen-"
"""What the code of a finding begins with that says what most unreadable cells look like."""


class Weight(IntEnum):
    """How much a finding weighs: what is serious is in the way of a release once."""

    GOOD = 0
    NOTED = 1
    SERIOUS = 2


@dataclass(frozen=True)
class Finding:
    """One thing that a check says.

    Attributes:
        code: what it is about; with its amount the key of its sentence.
        amount: the coarse word; empty where the code says all.
        column: the study's column, or that of the ids; empty where it is the file.
        line: where hardly any cell of a column can be read, the line of a text file on which the
            first that cannot begins.
        row: the same in a file without lines: its row below the header, from 1.
        source: the name of the codebook that it rests on; empty for labels in the file itself.
        account: the other account whose people these seem to be.
        fine_steps: the steps between which numbers lie are so fine that rounding moves no value
            by more than half a thousandth of its range.
        table: the further table that it is about; empty where it is the main one.
        file: the number of the file among several of the table, from 1; 0 where it is the only one.
    """

    code: str
    amount: Amount = ""
    column: str = ""
    line: int | None = None
    row: int | None = None
    source: str = ""
    account: str = ""
    fine_steps: bool = False
    table: str = ""
    file: int = 0

    @property
    def weight(self) -> Weight:
        by_amount = _READ if self.code.startswith(SEEN) else _WEIGHTS.get(self.code, {})
        weight = by_amount.get(self.amount, Weight.SERIOUS)
        return min(weight, Weight.NOTED) if self.fine_steps else weight


_G, _N, _S = Weight.GOOD, Weight.NOTED, Weight.SERIOUS
_READ: Final[dict[str, Weight]] = {"nearly-all": _G, "some": _N, "hardly-any": _S, "none": _S}
_WEIGHTS: Final[dict[str, dict[str, Weight]]] = {
    "numbers": _READ,
    "days": _READ,
    "listed": _READ,
    "codes": _READ,
    "codes-several": {"some": _N, "many": _S},
    "outside-bounds": {"some": _N, "many": _S},
    "outside-period": {"some": _N, "many": _S},
    "between-steps": {"some": _N, "many": _S},
    "ids-missing": {"some": _N, "most": _S},
    "rows-wider": {"few": _N, "some": _S, "most": _S},
    "rows-narrower": {"few": _N, "some": _N, "most": _S},
    "lines-open": {"few": _N, "some": _S, "most": _S},
    "numbers-ambiguous": {"": _N},
    "column-absent": {"": _N},
    "rows-meet": _READ,
    "rows-of-people": _READ,
    "lone-cr": {"few": _N, "some": _S, "most": _S},
}
"""Of the other codes every finding is serious."""

_IN_20_NEARLY_ALL, _IN_20_SOME, _IN_20_MOST = 19, 1, 10


def how_many_read(read: int, unread: int) -> Amount:
    """How many cells can be read.

    >>> how_many_read(19, 1), how_many_read(1, 19), how_many_read(1, 20), how_many_read(0, 0)
    ('nearly-all', 'some', 'hardly-any', 'none')
    """
    if not read:
        return "none"
    if 20 * read >= _IN_20_NEARLY_ALL * (read + unread):
        return "nearly-all"
    return "some" if 20 * read >= _IN_20_SOME * (read + unread) else "hardly-any"


def how_many_faulty(faulty: int, whole: int, most: Amount = "most") -> Amount:
    """How much of something is not as it should be.

    Args:
        faulty: how many are not.
        whole: of how many.
        most: what half of them or more are called.

    >>> how_many_faulty(1, 21), how_many_faulty(1, 20), how_many_faulty(1, 2), how_many_faulty(0, 1)
    ('few', 'some', 'most', 'none')
    """
    if not faulty:
        return "none"
    if 20 * faulty >= _IN_20_MOST * whole:
        return most
    return "some" if 20 * faulty >= _IN_20_SOME * whole else "few"


def are_most(part: int, whole: int) -> bool:
    """Whether more than half are among them."""
    return 2 * part > whole


def are_nearly_all(part: int, whole: int) -> bool:
    """Whether hardly one is not among them, and there are enough to say so."""
    return whole >= LEAST and 20 * part >= _IN_20_NEARLY_ALL * whole


LEAST: Final = 20
"""Of fewer rows it is not said that they are all alike."""
