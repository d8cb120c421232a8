# SPDX-License-Identifier: Apache-2.0
"""The difference between two released figures, and the margin of that difference.

Post-processing of what two releases drew and of public plans: it costs no budget, and whoever has
both bundles can do it again. With e and l the exact figures, e + E and l + L the released ones,

    (l + L) - (e + E) - (l - e) = L - E,

so the margin of the difference is a bound on |L - E|, whatever e and l are.

Claim (one noise each, as in counts and sums): with q the half-width of the sum of both noises,
P(|L - E| > q) <= miss. Why: draws of different releases are independent, and the noise is
symmetric, so L - E is distributed as L + E. For noises of one scale q is that of two equal noises
(``weighted_sum``), for two scales of one mechanism that of their mixed sum (``mixed_sum``), each at
most the sum of two margins that miss half as often; for two mechanisms it is that sum. The noise
is in whole quanta, so what lies behind the point of q is dropped.

Claim (all others, as in means, shares and variances): with the margins m1 and m2 that each miss
half as often, P(|L - E| > m1 + m2) <= miss. Why: |L - E| <= |L| + |E|, and the union of two events
of probability miss / 2. It holds however the two are related. The margins follow from the noisy
counts, which the errors are not independent of; so no sharper sum is claimed.

"More than noise" says that the difference is larger than its margin: where e = l, that happens in
at most 5 of 100 comparisons. The reverse is not claimed: a difference within its margin may be
that of figures that differ.

The same draw seen twice (a stored answer) has no noise of its own: the difference is exactly 0,
and says nothing. That is for the caller to know.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.distributions import noise_distribution, weighted_sum
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.mixed_sum import mixed_half_width
from dpdesk.privacy.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.privacy.statistics.figures_text import Figure


@dataclass(frozen=True)
class Difference:
    """Two released figures of one line, and what lies between them.

    Attributes:
        earlier, later: each with its own margin; ``None`` where one says nothing.
        value: the later less the earlier; ``None`` where one of them says nothing.
        margin: the value lies within it of the exact difference, 95 times in 100.
    """

    earlier: Figure | None
    later: Figure | None
    value: Fraction | None = None
    margin: Fraction = Fraction(0)

    @property
    def is_more_than_noise(self) -> bool:
        """Whether noise alone would do that in at most 5 of 100 comparisons."""
        return self.value is not None and abs(self.value) > self.margin


def differences(
    earlier: tuple[QueryPlan, Noisy], later: tuple[QueryPlan, Noisy], miss: float = MISS
) -> tuple[Difference, ...]:
    """The difference of each line of one question's two answers; none where none has a margin.

    Args:
        earlier: the plan that it was drawn by, and what was drawn.
        later: the same of the other release, drawn independently.
        miss: how often the margin of a difference may fail.

    Raises:
        ValueError: the plans have not the same lines.
    """
    if earlier[0].lines != later[0].lines:
        raise ValueError("only answers to one question are compared")
    return tuple(
        line
        for cell in range(len(earlier[0].cells))
        for line in _of_cell(earlier, later, cell, miss)
    )


def _of_cell(
    earlier: tuple[QueryPlan, Noisy], later: tuple[QueryPlan, Noisy], cell: int, miss: float
) -> Iterator[Difference]:
    both = earlier, later
    shown = [_figures(plan, noisy, cell, miss) for plan, noisy in both]
    wider = [_figures(plan, noisy, cell, miss / 2) for plan, noisy in both]
    exact = _margin_of_noises(earlier[0], later[0], miss)
    for old, new, old_wide, new_wide in zip(*shown, *wider, strict=True):
        if old is None or new is None or old_wide is None or new_wide is None:
            yield Difference(old, new)
            continue
        margin = old_wide.half_width + new_wide.half_width if exact is None else exact
        yield Difference(old, new, new.value - old.value, margin)


def _figures(plan: QueryPlan, noisy: Noisy, cell: int, miss: float) -> tuple[Figure | None, ...]:
    return METHODS[plan.query.statistic].figures_at(plan, noisy, cell, miss)


def _margin_of_noises(earlier: QueryPlan, later: QueryPlan, miss: float) -> Fraction | None:
    """The margin where each figure has one noise; ``None`` where it has several."""
    method = METHODS[earlier.query.statistic]
    old, new = method.noise_of_figure(earlier), method.noise_of_figure(later)
    if old is None or new is None or old[1] != new[1]:
        return None
    return sum_half_width(old[0], new[0], miss) * old[1]


def sum_half_width(one: Noise, other: Noise, miss: float = MISS) -> int:
    """The half-width of the sum of two independent noises; see the head of the module.

    >>> sum_half_width(Noise("laplace", 20.0), Noise("laplace", 20.0))
    82
    """
    halves = [noise_distribution.half_width(noise, miss / 2) for noise in (one, other)]
    apart = sum(halves)
    if one.mechanism != other.mechanism:
        return apart
    if one.scale == other.scale:
        return min(apart, weighted_sum.half_width(one, ((1.0, 2),), miss))
    return min(apart, math.floor(mixed_half_width((one, other), (1.0, 1.0), miss)))
