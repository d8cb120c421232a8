# SPDX-License-Identifier: Apache-2.0
"""A linear model: the second moments of its columns, noisy, of which all else follows.

What is drawn, and how far a person moves it, is in ``moment_design``. Each line is one moment, the
values of a column being taken as -1 at its lower and 1 at its upper bound, no and yes alike: so a
row adds at most 1 to each, and margins are in rows. The coefficients, in the units of the columns,
are in ``planning.linear``: they follow from these figures at no price.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PublishedColumn,
    measure_of,
    mechanism_of,
    summed_part,
)
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.statistics.linear.moment_design import (
    DrawnMoments,
    MomentDesign,
    Pair,
    moment_design,
    moment_lines,
)
from dpdesk.privacy.statistics.rates.rate import without_unit
from dpdesk.study.model.columns import Column, NumberColumn, number_grid
from dpdesk.study.model.parameters import LinearModelParameters

Whose = Question | QueryPlan
ROWS = "rows"
"""The label of the number of rows."""
_SIGNS = frozenset('×²"')


class LinearModel(Method):
    """Second moments of the outcome and of what explains it."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """All moments together, with all of the share."""
        design = design_of(question)
        columns = columns_of(question)
        measure = measure_of(
            question,
            "second-moments",
            columns=tuple(column.name for column in columns),
            lasts=design.lasts,
            contrasts=design.contrasts,
            squares=design.squares,
        )
        moved = design.sensitivity(question.unit.max_rows)
        return (summed_part("moments", measure, design.entries, moved, question, Fraction(1)),)

    def inner(self, question: Question) -> tuple[str, ...]:
        """Each line is one moment."""
        return ("moment",)

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """The rows, sums, squares and products."""
        names = [line_name(column.name) for column in columns_of(question)]
        lines = moment_lines(design_of(question), question.public_rows)
        return tuple((moment_label(pair, names),) for pair in lines)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """Of the least certain moment, in rows."""
        return drawn_moments(question, parts[0]).widest(MISS)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of the least certain moment, in rows."""
        return drawn_moments(plan, plan.parts[0]).widest(miss)

    def accuracy_together(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of all moments at once: what each may miss adds up, as they share noises."""
        return self.accuracy_at(plan, miss / len(plan.lines))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin and range."""
        return (PublishedColumn("scaled_sum", "value", has_unit=False), *without_unit())

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """Each moment with its margin."""
        return tuple(_figures(plan, noisy, miss))

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a moment."""
        for figure in _figures(plan, noisy, MISS):
            ends = (figure.value - figure.half_width, figure.value + figure.half_width)
            yield rounded_texts(figure, *ends)


def columns_of(whose: Whose) -> tuple[Column, ...]:
    """What explains, in the order of the query, and then the outcome."""
    question = whose.question if isinstance(whose, QueryPlan) else whose
    own = question.query.parameters_as(LinearModelParameters)
    declared = {column.name: column for column in question.used}
    return tuple(declared[name] for name in (*own.columns, own.column or ""))


def design_of(whose: Whose) -> MomentDesign:
    """What is drawn for a query."""
    question = whose.question if isinstance(whose, QueryPlan) else whose
    lasts = tuple(map(_last, columns_of(question)))
    is_public = question.public_rows is not None
    mechanism = mechanism_of(question)
    return moment_design(lasts, question.unit.neighbours, mechanism, is_public=is_public)


def drawn_moments(whose: Whose, part: Part) -> DrawnMoments:
    """How the moments of a query follow from what is drawn."""
    return DrawnMoments(design_of(whose), part.noise, whose.public_rows)


def _figures(plan: QueryPlan, noisy: Noisy, miss: float) -> Iterator[Figure]:
    how = drawn_moments(plan, plan.parts[0])
    moments = how.moments(noisy[0])
    return (Figure(moments[pair], how.half_width(pair, miss)) for pair in how.lines)


def _last(column: Column) -> int:
    """The last index of a column's values: yes is 1, no is 0."""
    return number_grid(column).last if isinstance(column, NumberColumn) else 1


def line_name(name: str) -> str:
    """What a column is called in the lines of files: one that reads like another line is quoted.

    No two lines have one label, as what is quoted begins with a quotation mark and nothing else
    does, and what is not has no sign of a product or of a square.

    >>> [line_name(name) for name in ("age", "rows", "a × b")]
    ['age', '"rows"', '"a × b"']
    """
    if name != ROWS and not _SIGNS.intersection(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def moment_label(pair: Pair, names: Sequence[str]) -> str:
    """What a line is called: the column, its square, or two columns.

    Args:
        pair: two places, from 1; 0 is none.
        names: of the columns in lines, as ``columns_of`` has them.
    """
    first, second = (names[at - 1] if at else "" for at in pair)
    if not second:
        return ROWS
    if not first:
        return second
    return f"{first}²" if first == second else f"{first} × {second}"
