# SPDX-License-Identifier: Apache-2.0
r"""From noisy counts of bins to the share of rows up to the end of each: a histogram added up.

Post-processing of released counts and of their public noise: it costs no budget.

Claim (add-remove or change-one, any k): with one independent noise in each bin's count, the exact
share of the rows that lie up to the end of a bin is within its figure's half-width 95 times in
100, for each bin by itself. Why: the counts are those of ``statistics.distribution`` with one level
of bins, whose claim asks for no other noise than independent, symmetric ones of one scale. The
count up to bin j carries j of them, that behind it the m - j others, each with half of what may
miss. What makes the curve rise keeps it within the margin (``isotonic``).

The margins of neighbouring bins share most of their noises, so they err alike; together the
figures of a curve hold less often than each by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy
from dpdesk.privacy.statistics.distribution import share_figures
from dpdesk.privacy.statistics.figures_text import Figure


def cumulative_shares(noise: Noise, counts: Sequence[int]) -> tuple[Figure | None, ...]:
    """The share of the rows up to the end of each bin; ``None`` where the counts add up to none.

    Args:
        noise: of each count.
        counts: the noisy counts of rows in bins that follow one another and hold every row once.

    >>> [str(one.value) for one in cumulative_shares(Noise("laplace", 1.0), (10, 30, 60))]
    ['1/10', '2/5', '1']
    """
    fractions = tuple(Fraction(total) for total in accumulate(counts))
    return tuple(share_figures(noise, Hierarchy(len(counts), (1,)), fractions, None))
