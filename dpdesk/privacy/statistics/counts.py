# SPDX-License-Identifier: Apache-2.0
"""Counts of rows and of people, rows per person, and sums: one vector, one draw."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal

from dpdesk.privacy import public_total
from dpdesk.privacy.consistent import ConsistentFigures, FigureErrors, NoiseTerms
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends, expected_count, share_of_known
from dpdesk.privacy.public_total import TWO, all_counts, projected, whole_parts
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import (
    one_cell_sensitivity,
    people_sensitivity,
    rows_sensitivity,
    sum_sensitivity,
)
from dpdesk.privacy.statistics.base import (
    Added,
    Method,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    additive_part,
    grid_of,
    measure_of,
)
from dpdesk.privacy.statistics.figures_text import Figure, exact_text, fixed, rounding_digits
from dpdesk.privacy.usable import Number, Possible, interval
from dpdesk.study.model.parameters import RowsPerPersonParameters
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.title_words import OR_MORE_ROWS

RANGE = (
    PublishedColumn("half_width_95", "half-width"),
    PublishedColumn("lowest_95", "lowest"),
    PublishedColumn("highest_95", "highest"),
)
CountKind = Literal["rows", "people", "rows-per-person"]
NEAREST = PublishedColumn("nearest_possible", "nearest")


class OneVector(Method):
    """A statistic that is one noisy vector, each entry a figure."""

    has_quick_levels = True

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """The noise's own, in the result's unit."""
        return parts[0].half_width * parts[0].width

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The noisy integer with its noise's margin."""
        part = plan.parts[0]
        margin = noise_distribution.half_width(part.noise, miss) * part.width
        return (Figure(noisy[0][cell] * part.width, margin),)

    def noise_of_figure(self, plan: QueryPlan) -> tuple[Noise, Fraction] | None:
        """Its one noise."""
        return plan.parts[0].noise, plan.parts[0].width

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, the noisy integer, and the nearest possible value."""
        value = PublishedColumn(plan.query.statistic.replace("-", "_"), "value")
        drawn = PublishedColumn(f"noisy_{plan.parts[0].name}", "part", has_unit=False)
        return (value, *RANGE, drawn, NEAREST)

    @abstractmethod
    def possible(self, plan: QueryPlan) -> Possible:
        """What a figure can be: whole quanta."""

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell."""
        part = plan.parts[0]
        text, margin = exact_text(part.width), exact_text(part.width)(part.half_width)
        possible = in_quanta(self.possible(plan), part.width)
        for drawn in noisy[0]:
            shown = interval(drawn, part.half_width, possible)
            nearest = "" if shown.nearest is None else text(shown.nearest)
            yield text(drawn), margin, text(shown.low), text(shown.high), str(drawn), nearest

    def drawn(self, plan: QueryPlan, noisy: Noisy) -> Sequence[int]:
        """The noisy whole number of every line."""
        return noisy[0]

    def consistent_rows(
        self, plan: QueryPlan, noisy: Noisy, figures: ConsistentFigures
    ) -> tuple[tuple[str, ...], ...]:
        """One line a figure; its margin grows by what rounding moved it."""
        possible, margin = self.possible(plan), figures.margin * 10**figures.digits
        lines = zip(plan.lines, figures.published, self.drawn(plan, noisy), strict=True)
        rows = []
        for line, (labels, whole, count) in enumerate(lines):
            half = math.ceil(margin + figures.moved(line))
            rows.append((*labels, *_figure_texts(whole, half, figures.digits, possible, count)))
        return tuple(rows)


class Counts(OneVector):
    """Counts of lines into which everyone falls, where how many there are may be public.

    Claims and proofs of what is drawn and published then: see ``public_total``.
    """

    kind: ClassVar[CountKind]
    """What is counted in each line: rows; people with a row in it; people of so many rows."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """The draw of every line, of the one that gives the other, or none of a public number."""
        if question.is_public:
            return ()
        unit, own = question.unit, question.query.parameters
        last = own.top_code or TWO if isinstance(own, RowsPerPersonParameters) else 0
        cells, measure = question.size * (last or 1), measure_of(question, self.kind, top_code=last)
        if cells == TWO and question.public_total is not None:
            cells, measure = 1, replace(measure, without_last=True)
        if self.kind == "rows":
            most = question.query.rows_per_group
            found = rows_sensitivity(unit.max_rows, cells, unit.neighbours, most)
        elif self.kind == "people":
            found = people_sensitivity(unit.max_rows, cells, unit.neighbours)
        else:
            found = one_cell_sensitivity(cells, unit.neighbours)
        name = "rows" if self.kind == "rows" else "people"
        return (additive_part(name, measure, cells, found, question.share, question),)

    def added(self, plan: QueryPlan) -> Added | None:
        """Rows or people; a public number alone is no answer that others are made to fit."""
        return None if plan.is_public else Added(self.kind)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """The noise's own, or what is left of it; of a public number nothing."""
        if not parts:
            return Fraction(0)
        noise, cells = parts[0].noise, parts[0].cells
        if cells > TWO and question.public_total is not None:
            return public_total.half_width(noise, cells)
        return Fraction(noise_distribution.half_width(noise))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """As ``half_width``, for another miss."""
        if plan.is_public:
            return Fraction(0)
        part = plan.parts[0]
        if plan.is_projected:
            return public_total.half_width(part.noise, part.cells, miss)
        return Fraction(noise_distribution.half_width(part.noise, miss))

    def accuracy_together(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of figures that share their noise; two that are one draw hold or fail together."""
        if plan.public_total is None or plan.is_public:
            return super().accuracy_together(plan, miss)
        return self.accuracy_at(plan, miss / plan.parts[0].cells)

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """Each line's count with its margin."""
        lines = len(self.inner_labels(plan.question))
        margin = self.accuracy_at(plan, miss)
        counts = _counts(plan, noisy)[cell * lines : (cell + 1) * lines]
        return tuple(Figure(Fraction(count), margin) for count in counts)

    def drawn(self, plan: QueryPlan, noisy: Noisy) -> Sequence[int]:
        """What was drawn, and what it leaves of a public total."""
        if plan.public_total is None:
            return noisy[0]
        if plan.is_public:
            return (plan.public_total,)
        return all_counts(noisy[0], plan.public_total, len(plan.lines))

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the expected count; of all whose number is public, each is in a line by chance."""
        if plan.is_public:
            return iter([(Fraction(count), Fraction(count)) for count in self.drawn(plan, noisy)])
        noise, total = plan.parts[0].noise, plan.public_total
        if total is None:
            return (expected_count(count, noise, miss) for count in noisy[0])
        ends = (share_of_known(count, total, noise, miss) for count in self.drawn(plan, noisy))
        return ((low * total, high * total) for low, high in ends)

    def exact_counts(
        self, plan: QueryPlan, noisy: Noisy, consistent: ConsistentFigures | None
    ) -> Iterator[Figure]:
        """Each line's count with its margin."""
        if consistent is not None:
            values = map(consistent.value, range(len(plan.lines)))
            return (Figure(value, consistent.margin) for value in values)
        margin = self.accuracy_at(plan, MISS)
        return (Figure(Fraction(count), margin) for count in _counts(plan, noisy))

    def errors_of_count(self, plan: QueryPlan, errors: FigureErrors | None) -> NoiseTerms:
        """One noise, those of a public total, or those of the consistent figures."""
        if errors is not None:
            return errors.terms()
        noise, count = plan.parts[0].noise, len(plan.lines)
        if plan.is_projected:
            return ((noise, 1 - 1 / count, 1), (noise, 1 / count, count - 1))
        return ((noise, 1.0, 1),)

    def noise_of_figure(self, plan: QueryPlan) -> tuple[Noise, Fraction] | None:
        """Its one noise, if that is all that is in it."""
        if plan.is_projected or plan.is_public:
            return None
        return super().noise_of_figure(plan)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Without a noisy integer where nothing is drawn."""
        if not plan.is_public:
            return super().heads(plan)
        return (PublishedColumn(plan.query.statistic.replace("-", "_"), "value"), *RANGE)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a count; where the total is public, they add up to it."""
        if plan.public_total is None:
            return super().texts(plan, noisy)
        if plan.is_public:
            number = str(plan.public_total)
            return iter([(number, "0", number, number)])
        drawn = tuple(self.drawn(plan, noisy))
        if plan.is_projected:
            return self._projected_texts(plan, drawn)
        return super().texts(plan, (drawn,))

    def _projected_texts(
        self, plan: QueryPlan, drawn: tuple[int, ...]
    ) -> Iterator[tuple[str, ...]]:
        margin = self.accuracy_at(plan, MISS)
        step = 10 ** (digits := rounding_digits(margin))
        exact = [value * step for value in projected(drawn, plan.public_total or 0)]
        possible = self.possible(plan)
        for value, whole, count in zip(exact, whole_parts(exact), drawn, strict=True):
            half = math.ceil(margin * step + abs(whole - value))
            yield _figure_texts(whole, half, digits, possible, count)


class CountRows(Counts):
    """How many rows."""

    kind: ClassVar[CountKind] = "rows"

    def possible(self, plan: QueryPlan) -> Possible:
        """From 0 to all rows that count, where that is public."""
        return Possible(Fraction(0), _most_rows(plan), is_total=True)


class CountPeople(Counts):
    """How many people have at least one row."""

    kind: ClassVar[CountKind] = "people"

    def possible(self, plan: QueryPlan) -> Possible:
        """From 0 to all people, where their number is public."""
        people = _public_people(plan.unit)
        most = None if people is None else Fraction(people)
        return Possible(Fraction(0), most, is_total=True)


class RowsPerPerson(CountPeople):
    """How many people have 1, 2, 3 ... rows, counted before the row limit.

    It is what one needs to choose the limit, and to judge what a limit leaves out. Each person
    with an id is in one line, so its noise is that of one row a person, whatever the limit is; the
    proof is in ``one_cell_sensitivity``. Rows without an id are in no line, also where they
    count as one person elsewhere: then the lines add up to a number that is not public.
    """

    kind: ClassVar[CountKind] = "rows-per-person"

    def inner(self, question: Question) -> tuple[str, ...]:
        """The number of rows tells lines apart."""
        return ("number_of_rows",)

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """From "1" to "10 or more"."""
        last = _top_code(question)
        numbers = (str(rows) for rows in range(1, last))
        return (*((number,) for number in numbers), (OR_MORE_ROWS.format(number=last),))

    def added(self, plan: QueryPlan) -> Added | None:
        """Nothing: it is counted before the row limit, other people after it."""
        return None

    def claims(self, plan: QueryPlan) -> int:
        """One a line."""
        return len(plan.lines)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """As of a count of people; the figure is called ``people``."""
        _value, *others = super().heads(plan)
        return (PublishedColumn("people", "value"), *others)


class Sum(OneVector):
    """The sum of a number column."""

    def added(self, plan: QueryPlan) -> Added | None:
        """The column's values."""
        return Added(("sum", plan.query.column))

    def row_adds(self, plan: QueryPlan) -> Fraction:
        """The bound that is further from 0."""
        grid = grid_of(plan)
        return max(abs(grid.lowest), abs(grid.highest)) * grid.quantum

    def possible(self, plan: QueryPlan) -> Possible:
        """From the least to the most that rows of the column's bounds can add up to.

        An end is open where rows could move it further away for ever.
        """
        grid, rows, most = grid_of(plan), plan.public_rows, _most_rows(plan)
        low, high = grid.lowest * grid.quantum, grid.highest * grid.quantum
        if rows is not None:
            return Possible(rows * low, rows * high, is_total=True)
        least = Fraction(0) if low >= 0 else None if most is None else most * low
        largest = Fraction(0) if high <= 0 else None if most is None else most * high
        return Possible(least, largest, is_total=True)

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One sum a cell, in quanta of the column's grid."""
        unit, cells, grid = question.unit, question.size, grid_of(question)
        sensitivity = sum_sensitivity(
            *(unit.max_rows, cells, unit.neighbours, grid.lowest, grid.highest),
            question.query.rows_per_group,
        )
        measure = measure_of(question, "sum", offset=grid.offset, factor=grid.factor)
        return (
            additive_part(
                "sum", measure, cells, sensitivity, question.share, question, grid.quantum
            ),
        )


def _figure_texts(
    whole: int, half: int, digits: int, possible: Possible, drawn: int
) -> tuple[str, ...]:
    """A line's texts, of whole numbers of the last decimal."""
    shown = interval(whole, half, _in_steps(possible, digits))
    texts = (fixed(int(n), digits) for n in (whole, half, shown.low, shown.high))
    nearest = "" if shown.nearest is None else fixed(int(shown.nearest), digits)
    return (*texts, str(drawn), nearest)


@lru_cache(maxsize=256)
def _in_steps(possible: Possible, digits: int) -> Possible:
    """What a figure can be, in steps of the last decimal; an end between two goes outwards."""
    low, high = possible.lowest, possible.highest
    return replace(
        possible,
        lowest=None if low is None else math.floor(low * 10**digits),
        highest=None if high is None else math.ceil(high * 10**digits),
    )


def in_quanta(possible: Possible, width: Fraction) -> Possible:
    """What a figure can be, counted in whole quanta of that width."""
    ends = (possible.lowest, possible.highest)
    lowest, highest = (None if end is None else int(end / width) for end in ends)
    return replace(possible, lowest=lowest, highest=highest)


def _counts(plan: QueryPlan, noisy: Noisy) -> Sequence[Number]:
    """The count of every line, exact."""
    total = plan.public_total
    if total is None:
        return noisy[0]
    if plan.is_public:
        return (total,)
    drawn = all_counts(noisy[0], total, len(plan.lines))
    return projected(drawn, total) if plan.is_projected else drawn


def _top_code(question: Question) -> int:
    return question.query.parameters_as(RowsPerPersonParameters).top_code or TWO


def _public_people(unit: Unit) -> int | None:
    return unit.people if unit.neighbours == "change-one" else None


def _most_rows(plan: QueryPlan) -> Fraction | None:
    """How many rows can count in a cell at most, where the number of people is public."""
    people, most = _public_people(plan.unit), plan.query.rows_per_group or plan.unit.max_rows
    return None if people is None else Fraction(people * most)
