# SPDX-License-Identifier: Apache-2.0
r"""Categories found in the data: the texts of a column that enough people have, by noisy counts.

Everywhere else what can be published is declared before the data is read. Here the texts come
from the data, so that even their being there is somebody's secret. Each text that stands in the
column has its people counted; noise is added to each count; a text is given out, with its noisy
count, only where that reaches the threshold t of ``threshold``.

Claim: the output is delta-approximately rho-zCDP (Bun and Steinke, Concentrated differential
privacy, 2016, definition 8.1) for both neighbour notions, where k is the most rows of a person,
rho is the loss of noise on counts that move by k places by one each (add-remove) or by 2k
(change-one), and delta >= 1 - (1 - P(1 + X >= t))^k. Deltas add over releases (lemma 8.2).

Why. Each person has up to k rows after the contribution bound, so up to k different texts, and
counts once in each: a neighbour changes counts by one each. That alone would be the loss of the
noise if all conceivable texts were counted. But texts that nobody has get no noise.

* Add-remove. Let D' be D and one more person, whose texts are T. The texts of T that nobody in D
  has, at most k of them, stand in D' with a count of 1 and not in D at all. Let E be the event
  that none of them is given out on D'. Their noises are drawn by themselves, so that
  P(E) >= (1 - P(1 + X >= t))^k >= 1 - delta, and under E the rest of the output is distributed
  as if they had not been there: as noise on the counts of D's own texts, of which at most k are
  greater by one, then the threshold, which is post-processing. So M(D') given E and M(D) are
  within rho of each other, in both directions, as the definition asks (with the sure event on D).
* Change-one. One person's texts T become T'. Let S be the texts that anybody else has. A text of
  T that is neither in S nor in T' stands in D alone, with a count of 1; one of T' that is neither
  in S nor in T in D' alone. Let E be that none of the former is given out on D, E' that none of
  the latter is on D'; each has a probability of 1 - delta or more as above, for T and T' have at
  most k texts. Under E and E' both outputs come from the counts of one and the same set of texts,
  S and what is in both T and T', of which at most k are less by one and at most k greater.

What is done with the texts afterwards (their order by noisy count and text, the most common
``limits.MAX_FOUND`` of them) looks at what was given out alone.

delta is charged to its account beside rho, out of the part that is kept for it (``conversion``).
The noise library's own threshold constructors are not used: they understate delta.

Sources: Korolova et al. 2009; Wilson et al. 2020; Desfontaines et al. 2022; see ``threshold``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.threshold import found_from, threshold_for
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import Method, Noisy, PublishedColumn, measure_of
from dpdesk.privacy.statistics.counts import NEAREST, RANGE, in_quanta
from dpdesk.privacy.usable import Possible, interval
from dpdesk.study.model.amount import Rho
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.unit import Unit

FOUND = "found"


def found_sensitivity(unit: Unit) -> int:
    """How many counts one person moves, each by one: L1, and L2 squared, over all texts."""
    return unit.max_rows if unit.neighbours == "add-remove" else 2 * unit.max_rows


class CategoriesFound(Method):
    """The texts that enough people have."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One draw on the counts of all texts; how many those are is never shown."""
        noise, sensitivity = _noise(question), found_sensitivity(question.unit)
        part = Part(
            name="people",
            measure=measure_of(question, FOUND),
            cells=0,
            noise=noise,
            sensitivity=sensitivity,
            share=question.share,
            loss=loss(noise, sensitivity),
            width=Fraction(1),
            half_width=noise_distribution.half_width(noise),
        )
        return (part,)

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """No line is known before the draw."""
        return ()

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """Of the count of each category.

        Claim: a category is given out with a count that is off by more than this at most 5 times
        in 100. Among those given out close to the threshold, more are: they had luck.
        """
        return Fraction(parts[0].half_width)

    def claims(self, plan: QueryPlan) -> int:
        """Nobody knows how many are found."""
        return 0

    def found_from(self, parts: tuple[Part, ...]) -> int | None:
        """How many people a category needs to be given out 95 times in 100."""
        noise = parts[0].noise
        return found_from(noise, noise.threshold or 0)

    def possible(self, plan: QueryPlan) -> Possible:
        """Nobody has it, or all people, where their number is public."""
        people = plan.unit.people if plan.unit.neighbours == "change-one" else None
        most = None if people is None else Fraction(people)
        return Possible(Fraction(0), most, is_total=True)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The category, its name, its people, margin and range, and the noisy integer.

        There are names where the study declares some: the code beside it stays what was found.
        """
        category = [PublishedColumn("category", "found", has_unit=False)]
        if _names(plan):
            category.append(PublishedColumn("label", "label", has_unit=False))
        counts = (
            PublishedColumn("people", "value"),
            *RANGE,
            PublishedColumn("noisy_people", "part"),
            NEAREST,
        )
        return (*category, *(replace(head, has_unit=False) for head in counts))

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a category, without its name; somebody has it, so its range begins at 1."""
        part = plan.parts[0]
        somebody = replace(in_quanta(self.possible(plan), part.width), lowest=1)
        return (_line(count, part, somebody) for count in noisy[0])

    def rows(
        self, plan: QueryPlan, noisy: Noisy, found: tuple[str, ...]
    ) -> tuple[tuple[str, ...], ...]:
        """One line a category, in the order in which the door gave them out."""
        lines, names = self.texts(plan, noisy), _names(plan)
        named = ((text, names.get(text, "")) if names else (text,) for text in found)
        return tuple((*texts, *line) for texts, line in zip(named, lines, strict=True))


def _names(plan: QueryPlan) -> dict[str, str]:
    """The declared name of each declared value; public, and none for what else was found."""
    column = plan.column
    if not isinstance(column, CategoryColumn) or not column.labels:
        return {}
    return dict(zip(column.values, column.labels, strict=True))


def _line(count: int, part: Part, possible: Possible) -> tuple[str, ...]:
    shown = interval(count, part.half_width, possible)
    nearest = "" if shown.nearest is None else str(shown.nearest)
    return (str(count), str(part.half_width), str(shown.low), str(shown.high), str(count), nearest)


def _noise(question: Question) -> Noise:
    """The noise with the lowest threshold at the same cost, unless one is wanted."""
    share, sensitivity = question.share, found_sensitivity(question.unit)
    if not isinstance(share, Rho):
        raise ValueError("categories are found in accounts with a delta only")
    wanted = Noise("laplace", 1.0), Noise("gaussian", 1.0)
    both = (calibrate.calibrated(noise, sensitivity, share) for noise in wanted)
    named = {noise.mechanism: _with_threshold(noise, question) for noise in both}
    if question.query.noise != "auto":
        return named[question.query.noise]
    return min(named.values(), key=lambda noise: noise.threshold or 0)


def _with_threshold(noise: Noise, question: Question) -> Noise:
    delta = question.query.delta
    return replace(noise, threshold=threshold_for(noise, question.unit.max_rows, delta))
