# SPDX-License-Identifier: Apache-2.0
"""One figure's 95 % error beside that of the best mechanism that is published."""

from __future__ import annotations

import math
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
        draws: of how many draws each error is; 0 where both are worked out exactly.
    """

    statistic: str
    neighbours: str
    account: str
    ours: float
    best: float
    peer: str
    why: str = ""
    draws: int = 0

    @property
    def known_to(self) -> float:
        """Three standard errors of the ratio: a Laplace noise's 95 % quantile is the worst known.

        Of n draws it is known to sqrt(0.05 * 0.95 / n) over its density, 0.05 a scale, and it is
        3 scales; the ratio of two, to the root of 2 as much.
        """
        return 3 * math.sqrt(2 * 0.05 * 0.95 / self.draws) / (0.05 * 3) if self.draws else 0.0

    @property
    def ratio(self) -> float:
        """Ours over the best."""
        return self.ours / self.best

    @property
    def is_worse(self) -> bool:
        """Whether somebody does better, and nothing says why."""
        return self.ratio > MOST + self.known_to and not self.why

    @property
    def line(self) -> str:
        """The line that is printed."""
        said = f"{self.statistic:<34} {self.neighbours:<10} {self.account:<9}"
        figures = f"{self.ours:>12.5g} {self.best:>12.5g} {self.ratio:>6.3f} ± {self.known_to:.3f}"
        return f"{said} {figures}  {self.peer}  {self.why}".rstrip()
