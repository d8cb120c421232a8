# SPDX-License-Identifier: Apache-2.0
"""What became of budgets under faults, as one line of one table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dpdesk.study.model.amount import Epsilon

_SHOWN = 5
_WIDTHS = (44, 7, 10, 10, 10, 10, 9)


class Outcome(NamedTuple):
    """What became of the budgets, in millionths of epsilon.

    Attributes:
        cases: how many faults there were.
        shown: what the figures cost that somebody saw, on the screen or in a bundle.
        spent: what the ledgers say.
        budget: all that could be spent.
        bundles: how many whole bundles there are.
        wrong: whatever contradicts the claim.
    """

    cases: int
    shown: int
    spent: int
    budget: int
    bundles: int = 0
    wrong: tuple[str, ...] = ()

    def and_(self, other: Outcome) -> Outcome:
        """Both together."""
        return Outcome(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[arg-type]

    def held(self) -> Outcome:
        """The same; where ``shown <= spent <= budget`` does not hold, that is wrong, too."""
        if self.shown <= self.spent <= self.budget:
            return self
        return self._replace(wrong=(*self.wrong, "shown <= spent <= budget does not hold"))

    @property
    def cells(self) -> tuple[str, ...]:
        """Cases, shown, spent, budget, left and bundles."""
        amounts = (self.shown, self.spent, self.budget, self.budget - self.spent)
        shown, spent, budget, left = (str(Epsilon(units)) for units in amounts)
        return (str(self.cases), shown, spent, budget, left, str(self.bundles))


NOTHING = Outcome(0, 0, 0, 0)


def together(outcomes: Iterable[Outcome]) -> Outcome:
    """All of them added up."""
    found = NOTHING
    for one in outcomes:
        found = found.and_(one)
    return found


def heading() -> str:
    """The first line of the table."""
    return _aligned("fault", ("cases", "shown", "spent", "budget", "left", "bundles")) + "  wrong"


def line(what: str, found: Outcome, seconds: float) -> str:
    """A line of the table."""
    more = f"; and {len(found.wrong) - _SHOWN} more" if len(found.wrong) > _SHOWN else ""
    wrong = "; ".join(found.wrong[:_SHOWN]) + more or "nothing"
    return f"{_aligned(what, found.cells)}  {wrong} ({seconds:.0f} s)"


def _aligned(what: str, cells: tuple[str, ...]) -> str:
    first, *others = _WIDTHS
    return f"{what:<{first}}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells, others, strict=True)
    )
