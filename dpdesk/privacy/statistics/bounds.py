# SPDX-License-Identifier: Apache-2.0
r"""Bounds of a number column, privately: the magnitudes that enough rows have.

Rows are counted by magnitude, that is, by how many binary digits their value has in steps, on
either side of zero (``study.magnitudes``): one histogram, drawn once. The bounds reach from the
lower end of the lowest bin to the upper end of the highest whose noisy count is above a threshold
t, which is made of the noise alone. Where no count is, there are too few values: that too is a
released answer, and is paid for.

Claim (sensitivity): that of ``rows_sensitivity`` over the bins that a cell can lie in, which are
public: k, and 2k where people are replaced; k again where declared bounds leave a single bin. Why:
each row that counts lies in one bin, whatever its cell holds.

Claim (empty bins): with probability 1 - 10^-9 or more no empty bin passes. Why: t is the smallest
whole number that each of n independent symmetric noises exceeds with probability 10^-9 / n at
most, and the union of n such events has at most 10^-9.

Claim (full bins): a bin with ``found_from`` rows or more passes 97.5 times in 100 or more often,
so that the lowest and the highest bin of this many rows are both within the bounds 95 times in 100.
Why: found_from = t + w + 1 with P(|X| > w) <= 5 %, and X is symmetric.

Source: Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson, Differentially private SQL
with bounded user contribution (2020), section 5.1.1, whose bins these are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan, ScoreBound
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import rows_sensitivity
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PublishedColumn,
    additive_part,
    measure_of,
    number_column,
)
from dpdesk.privacy.statistics.figures_text import exact_texts
from dpdesk.study.model.magnitudes import MAGNITUDES, magnitude_of_ratio, span_of

EMPTY_PASSES = 1e-9
"""With at most this probability any empty bin is taken for a full one."""


def threshold(noise: Noise) -> int:
    """T of the claims above."""
    return noise_distribution.half_width(noise, 2 * EMPTY_PASSES / MAGNITUDES)


class Bounds(Method):
    """Where a column's values begin and end, to a power of two."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One histogram of magnitudes."""
        unit = question.unit
        sensitivity = rows_sensitivity(unit.max_rows, _reach(question), unit.neighbours)
        measure = measure_of(question, "magnitudes")
        part = additive_part(
            "magnitudes", measure, MAGNITUDES, sensitivity, question.share, question
        )
        return (part,)

    def bound(self, question: Question, parts: tuple[Part, ...]) -> ScoreBound | None:
        """Of how many rows a magnitude must be, at most, for the bounds to hold it."""
        return ScoreBound(Fraction(_found_from(parts[0])), "rows", is_from_best=False)

    def claims(self, plan: QueryPlan) -> int:
        """One for each end."""
        return 2

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """From how many rows on a magnitude is seen: the threshold, and the noise below it."""
        noise = plan.parts[0].noise
        return Fraction(threshold(noise) + noise_distribution.half_width(noise, miss) + 1)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Both bounds, and how many rows a magnitude outside may still have."""
        return (
            PublishedColumn("lower", "bound"),
            PublishedColumn("upper", "bound"),
            PublishedColumn("rows_found_from_95", "score-bound", has_unit=False),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line; both bounds are empty where there are too few values."""
        part, column = plan.parts[0], number_column(plan)
        least = threshold(part.noise)
        full = [code for code, count in enumerate(noisy[0]) if count > least]
        ends = map(_text, span_of(column, full)) if full else ("", "")
        yield (*ends, str(_found_from(part)))


def _reach(question: Question) -> int:
    """How many bins a cell can lie in."""
    grid = question.grid
    if grid is None:
        return MAGNITUDES
    low, high = (magnitude_of_ratio(end, grid.factor)[0] for end in (grid.lowest, grid.highest))
    return high - low + 1


def _found_from(part: Part) -> int:
    return threshold(part.noise) + part.half_width + 1


def _text(value: Fraction) -> str:
    """A finite decimal in full."""
    return exact_texts(value.numerator, 0, Fraction(1, value.denominator))[0]
