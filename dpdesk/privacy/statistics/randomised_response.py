# SPDX-License-Identifier: Apache-2.0
r"""Randomised response: how many rows have a property, estimated from answers that may lie.

Noise is put on every row's own answer before anything is counted (input perturbation), not on the
count (output perturbation). That needs no trusted counter, and costs accuracy: at the same loss
the error grows with the square root of the number of rows, where noise on the count stays as it
is. ``Method.beside`` states both, for a custodian who has to choose.

Claim: for neighbours that replace the row of one person (change-one, one row a person, so that
both have the same public number n of rows), the number of yeses that are said is
ln(p / (1 - p))-DP. Why: the vector of true answers has one bit a row, whatever the row holds; a
neighbour changes one bit; each bit is flipped by itself (see ``response``); adding the said bits
up is post-processing. Nothing is claimed under add-remove: there n is a secret, and the vector's
length would show it. A person with up to k > 1 rows has no claim either, because how many rows
there are depends on the people. The statistic is refused in both cases, and where a group, a
condition or a rule could leave a row out (``study.checks.query_checks``).

In zCDP the loss is rho = epsilon^2 / 2 by OpenDP's own conversion (Bun and Steinke 2016,
proposition 1.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.distributions import noise_distribution, response
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import rows_sensitivity
from dpdesk.privacy.statistics.base import Method, Noisy, PublishedColumn, additive_noise
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.parameters import PropertyParameters


class RandomisedResponse(Method):
    """How many rows have a property, each row answering by itself."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One draw on one bit a row."""
        rows = _public_rows(question)
        has = question.query.parameters_as(PropertyParameters).has
        noise = calibrate.calibrated(Noise("randomised-response", 1.0), 1, question.share)
        part = Part(
            name="yeses",
            measure=AggregateSpec("bits", split=has),
            cells=rows,
            noise=noise,
            sensitivity=1,
            share=question.share,
            loss=loss(noise, 1),
            width=Fraction(1),
            half_width=response.half_width(rows, noise.scale),
        )
        return (part,)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """In rows, and never more than there are."""
        return Fraction(min(parts[0].half_width, parts[0].cells))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of the estimate, in rows."""
        rows, noise = plan.parts[0].cells, plan.parts[0].noise
        return Fraction(min(response.half_width(rows, noise.scale, miss), rows))

    def beside(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """The margin of the same count with noise on the count, at the same share."""
        sensitivity = rows_sensitivity(1, 1, question.unit.neighbours)
        noise, _ = additive_noise(sensitivity, question.share, "auto")
        return Fraction(min(noise_distribution.half_width(noise), parts[0].cells))

    def possible(self, plan: QueryPlan) -> Possible:
        """From none to all rows, whose number is public."""
        return Possible(Fraction(0), Fraction(plan.parts[0].cells), is_total=True)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Estimate, margin, range, and how many said yes."""
        return (
            PublishedColumn("estimate", "value"),
            *RANGE,
            PublishedColumn("said_yes", "part", has_unit=False),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line of whole rows.

        The estimate, moved into 0..n, is off by at most the half-width w; moving takes it nearer
        to every count of 0..n. Rounded to the nearest whole number it is off by at most
        w + 1/2, and, being whole as the true count is, by at most w.
        """
        part, said = plan.parts[0], noisy[0][0]
        fraction = response.estimate(said, part.cells, part.scale)
        value = round(min(max(fraction, Fraction(0)), Fraction(part.cells)))
        low, high = response.interval(said, part.cells, part.scale)
        yield tuple(map(str, (value, min(part.half_width, part.cells), low, high, said)))


def _public_rows(question: Question) -> int:
    if question.public_rows is None:
        raise ValueError("randomised response needs a public number of rows")
    return question.public_rows
