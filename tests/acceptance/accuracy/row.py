# SPDX-License-Identifier: Apache-2.0
"""One figure's 95 % error beside that of the best mechanism that is published."""

from __future__ import annotations

from typing import Final, NamedTuple

MOST: Final = 1.02
"""The ratio that needs no reason."""


class Row(NamedTuple):
    """A statistic at one budget, ours and theirs.

    Attributes:
        statistic, neighbours, account: what is asked.
        ours, best: 95 in 100 errors are below it, in the same unit.
        peer: whose mechanism is the best one.
        why: why ours is larger than ``MOST`` times the best; empty where it is not.
    """

    statistic: str
    neighbours: str
    account: str
    ours: float
    best: float
    peer: str
    why: str = ""

    @property
    def ratio(self) -> float:
        """Ours over the best."""
        return self.ours / self.best

    @property
    def is_worse(self) -> bool:
        """Whether somebody does better, and nothing says why."""
        return self.ratio > MOST and not self.why

    @property
    def line(self) -> str:
        """The line that is printed."""
        said = f"{self.statistic:<34} {self.neighbours:<10} {self.account:<9}"
        figures = f"{self.ours:>12.5g} {self.best:>12.5g} {self.ratio:>6.3f}"
        return f"{said} {figures}  {self.peer}  {self.why}".rstrip()
