# SPDX-License-Identifier: Apache-2.0
r"""From noisy counts of events and of censored to a survival curve (Kaplan and Meier 1958, binned).

A group's rows lie in time bins, each as an event or as censored: e_1, c_1, e_2, c_2 ... From the
end, the counts add up to r_j = e_j + c_j + r_(j+1), at risk when bin j begins. When in the bin
somebody is censored is not known. So each of them counts for half of it, as in a life table (the
actuarial estimate, Cutler and Ederer, 1958):

    n_j = r_j - c_j / 2         at risk of the events of bin j,
    m_j = n_j - e_j             at risk still after them,

and the curve at the end of bin j is S_j = product of m_i / n_i over i up to j. If they counted for
the whole bin the curve would be too high: of made-up patients who enter all through two years, in
bins of three months, by 1.3 points after a year and by 3.1 before the last bin, where n_j is within
0.03 points of the curve of each day (``tests/privacy/statistics/survival``). Where a bin holds one
time alone those censored at it are at risk of its events, n_j = r_j: of such bins that is the curve
of Kaplan and Meier. So it is in the last bin, where times beyond the highest one are, too: who is
censored there may have been followed longer. If nobody was, the last value is 1.5 points too high;
if all were, halves would make it 3.2 too low.

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
        wide: of each bin whether it holds several times; empty where none does.
    """

    counts: tuple[int, ...]
    chain: tuple[int, ...]
    parts: int
    survival: tuple[float, ...]
    kinds: int = 1
    wide: tuple[bool, ...] = ()

    @property
    def size(self) -> int:
        """How many counts a bin has."""
        return self.kinds + 1

    @property
    def halved(self) -> tuple[bool, ...]:
        """Of each bin whether those censored in it count for half of it."""
        return halved_in(self.wide, len(self.survival))

    def at_risk(self, bin: int) -> int:
        """How many are at risk when a bin begins, rounded."""
        later = self.counts[self.size * bin + self.kinds] // 2 * self.halved[bin]
        return round((self.chain[2 * bin] + later) / self.parts)

    def events(self, bin: int, kind: int = 0) -> int:
        """How many have an event of a kind in a bin, rounded."""
        return round(self.counts[self.size * bin + kind] / self.parts)

    def censored(self, bin: int) -> int:
        """How many are censored in a bin, rounded."""
        return round(self.counts[self.size * bin + self.kinds] / self.parts)

    def has_value(self, bin: int) -> bool:
        """Whether a row or more is at risk of a bin's events, and the bin has an end.

        Bins of several times end with one of the highest time alone for all who are followed
        beyond it: its events are those of any later time, and no curve has a value there.
        """
        is_last = bin == len(self.survival) - 1
        is_open = is_last and self.wide[-2:] == (True, False)
        return self.chain[2 * bin] >= self.parts and not is_open

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


def survival_curve(
    noisy: Sequence[int], total: int | None, kinds: int = 1, wide: tuple[bool, ...] = ()
) -> SurvivalCurve:
    """The curve of some noisy counts.

    Args:
        noisy: of each bin the events, of every kind, then the censored.
        total: how many rows there are, where that is public.
        kinds: of how many kinds events are.
        wide: of each bin whether it holds several times; empty where none does.

    Of ten rows three have their event in the first bin, two are censored there, and of the five
    that are left one has it in the second bin: 7 / 10, then 7 / 10 * 4 / 5.

    >>> [round(share, 2) for share in survival_curve((3, 2, 1, 4), None).survival]
    [0.7, 0.56]

    Had the first bin several times, those two would be at risk in half of it: 6 / 9 before 4 / 5.

    >>> [round(s, 2) for s in survival_curve((3, 2, 1, 4), None, 1, (True, True)).survival]
    [0.67, 0.53]
    """
    counts, parts = nearest_counts(noisy, sum(noisy) if total is None else total)
    halved = halved_in(wide, len(counts) // (kinds + 1))
    if any(halved):
        counts, parts = tuple(2 * count for count in counts), 2 * parts
    left = tuple(accumulate(reversed(counts)))[::-1]
    away = (had // 2 * half for had, half in zip(counts[kinds :: kinds + 1], halved, strict=True))
    ends = zip(left[:: kinds + 1], left[kinds :: kinds + 1], away, strict=True)
    pairs = tuple((before - half, after - half) for before, after, half in ends)
    factors = (after / at_risk if at_risk >= parts else 1.0 for at_risk, after in pairs)
    chain = tuple(one for pair in pairs for one in pair)
    return SurvivalCurve(counts, chain, parts, tuple(accumulate(factors, mul)), kinds, wide)


def halved_in(wide: tuple[bool, ...], bins: int) -> tuple[bool, ...]:
    """Of each bin whether those censored in it count for half: of several times, but the last."""
    return (*wide[:-1], False) if wide else (False,) * bins


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
