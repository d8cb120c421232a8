# SPDX-License-Identifier: Apache-2.0
r"""From noisy counts of events and of censored to a survival curve (Kaplan and Meier, 1958).

A group's rows lie in time bins, each as an event or as censored: e_1, c_1, e_2, c_2 ... Those
censored in a bin are still at risk of the events in it. From the end, the counts add up to

    n_j = e_j + c_j + n_(j+1)   at risk when bin j begins,
    m_j = n_j - e_j             at risk still after its events,

and the curve at the end of bin j is S_j = product of m_i / n_i over i up to j: where each time is
taken for the end of its bin, that is the curve of Kaplan and Meier.

Noise may take a count below 0. The noisy counts y are replaced by the nearest x >= 0 (least
squares) that add up to what y adds up to, or to the public number of rows:

    x_k = max(0, y_k - t), with t so that the sum is right.

That is the isotonic fit of the chain: numbers at risk fall, nearest to the noisy ones when each
difference of two of them has noise of its own. Cutting each count at 0 alone would add what it cuts
to the number at risk: on the lung data at epsilon 1 the curve is then 0.0212 from the exact one,
and 0.0197 with the fit. Counts of whole ranges of bins beside those of the bins (a tree) take more
of the budget than they give: with branches of 2 to 36 and any weights the error of first order is
never below that of the bins alone (``tests/privacy/statistics/survival``). Of x, every m_i / n_i
lies between 0 and 1, so the curve falls and stays between 0 and 1. Where fewer than one row is at
risk, no factor is left and nothing is divided.

Of several kinds of event there are counts e_j1, e_j2 ... of each bin, before its censored. The
curve is that of having none of them, e_j their sum, and

    F_jk = sum of S_(i-1) e_ik / n_i over i up to j

is the cumulative incidence of kind k (Aalen and Johansen, 1978). No e_ik is below 0, so it rises,
and S_(i-1) - S_i is what all kinds together add in bin i: the incidences and S_j add up to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul


@dataclass(frozen=True)
class SurvivalCurve:
    """A group's curve with the counts that it is made of.

    Attributes:
        counts: of each bin the events, of every kind, then the censored; times ``parts``.
        chain: from the first bin on n_j and m_j, one after the other; times ``parts``.
        parts: what counts are whole multiples of one part of.
        survival: at the end of each bin; from where nobody is at risk on, the last value.
        kinds: of how many kinds events are.
    """

    counts: tuple[int, ...]
    chain: tuple[int, ...]
    parts: int
    survival: tuple[float, ...]
    kinds: int = 1

    @property
    def size(self) -> int:
        """How many counts a bin has."""
        return self.kinds + 1

    def at_risk(self, bin: int) -> int:
        """How many are at risk when a bin begins, rounded."""
        return round(self.chain[2 * bin] / self.parts)

    def events(self, bin: int, kind: int = 0) -> int:
        """How many have an event of a kind in a bin, rounded."""
        return round(self.counts[self.size * bin + kind] / self.parts)

    def censored(self, bin: int) -> int:
        """How many are censored in a bin, rounded."""
        return round(self.counts[self.size * bin + self.kinds] / self.parts)

    def has_some(self, bin: int) -> bool:
        """Whether a row or more is at risk when a bin begins."""
        return self.chain[2 * bin] >= self.parts

    def incidence(self, kind: int) -> tuple[float, ...]:
        """The cumulative incidence of a kind of event at the end of each bin.

        Of ten two have the first kind of event and three the other one, then of five one each.

        >>> curve = survival_curve((2, 3, 0, 1, 1, 3), None, 2)
        >>> [[round(share, 2) for share in curve.incidence(kind)] for kind in (0, 1)]
        [[0.2, 0.3], [0.3, 0.4]]
        """
        before = (1.0, *self.survival)
        events, at_risk = self.counts[kind :: self.size], self.chain[::2]
        terms = zip(before, events, at_risk, strict=False)
        shares = (now * had / risk if risk >= self.parts else 0.0 for now, had, risk in terms)
        return tuple(accumulate(shares))


def survival_curve(noisy: Sequence[int], total: int | None, kinds: int = 1) -> SurvivalCurve:
    """The curve of some noisy counts.

    Args:
        noisy: of each bin the events, of every kind, then the censored.
        total: how many rows there are, where that is public.
        kinds: of how many kinds events are.

    Of ten rows three have their event in the first bin, two are censored there, and of the five
    that are left one has it in the second bin: 7 / 10, then 7 / 10 * 4 / 5.

    >>> [round(share, 2) for share in survival_curve((3, 2, 1, 4), None).survival]
    [0.7, 0.56]
    """
    counts, parts = nearest_counts(noisy, sum(noisy) if total is None else total)
    left = tuple(accumulate(reversed(counts)))[::-1]
    pairs = tuple(zip(left[:: kinds + 1], left[kinds :: kinds + 1], strict=True))
    factors = (after / at_risk if at_risk >= parts else 1.0 for at_risk, after in pairs)
    chain = tuple(one for pair in pairs for one in pair)
    return SurvivalCurve(counts, chain, parts, tuple(accumulate(factors, mul)), kinds)


def nearest_counts(noisy: Sequence[int], total: int) -> tuple[tuple[int, ...], int]:
    """The nearest counts of 0 or more with a sum, times a whole number, and that number.

    5, 2 and -1 add up to 6: without the last one, 7, which is 1 too much for two counts.

    >>> nearest_counts((5, 2, -1), 6)  # 9/2, 3/2 and 0
    ((9, 3, 0), 2)
    """
    if total <= 0:
        return (0,) * len(noisy), 1
    falling = sorted(noisy, reverse=True)
    # Those above the threshold are the largest ones: as many as stay above it with themselves.
    many, beyond = 0, 0
    for used, (count, added) in enumerate(zip(falling, accumulate(falling), strict=True), 1):
        if used * count > added - total:
            many, beyond = used, added - total
    return tuple(max(many * count - beyond, 0) for count in noisy), many
