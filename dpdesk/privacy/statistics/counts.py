# SPDX-License-Identifier: Apache-2.0
"""Counts of rows and of people, and sums: one vector, one draw."""

from __future__ import annotations

from fractions import Fraction

from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import people_sensitivity, rows_sensitivity, sum_sensitivity
from dpdesk.privacy.statistics.base import Head, Method, Noisy, additive_part, measure_of
from dpdesk.privacy.statistics.figures_text import exact_texts

RANGE = (
    Head("half_width_95", "half-width"),
    Head("lowest_95", "lowest"),
    Head("highest_95", "highest"),
)


class OneVector(Method):
    """A statistic that is one noisy vector, each entry a figure."""

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """The noise's own, in the result's unit."""
        return parts[0].half_width * parts[0].width

    def heads(self, plan: QueryPlan) -> tuple[Head, ...]:
        """Value, margin, range, and the noisy integer."""
        value = Head(plan.query.statistic.replace("-", "_"), "value")
        return (value, *RANGE, Head(f"noisy_{plan.parts[0].name}", "part", has_unit=False))

    def texts(self, plan: QueryPlan, noisy: Noisy, cell: int) -> tuple[tuple[str, ...], ...]:
        """One line a cell."""
        part, found = plan.parts[0], noisy[0][cell]
        return ((*exact_texts(found, part.half_width, part.width), str(found)),)


class CountRows(OneVector):
    """How many rows."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One count a cell."""
        unit, cells = question.unit, question.size
        found = rows_sensitivity(unit.max_rows, cells, unit.neighbours)
        measure = measure_of(question, "rows")
        return (additive_part("rows", measure, cells, found, question.share, question),)


class CountPeople(OneVector):
    """How many people have at least one row."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One count a cell."""
        unit, cells = question.unit, question.size
        found = people_sensitivity(unit.max_rows, cells, unit.neighbours)
        measure = measure_of(question, "people")
        return (additive_part("people", measure, cells, found, question.share, question),)


class Sum(OneVector):
    """The sum of a number column."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One sum a cell, in quanta of the column's grid."""
        unit, cells, grid = question.unit, question.size, question.grid
        if grid is None:
            raise ValueError("a sum needs a number column")
        found = sum_sensitivity(unit.max_rows, cells, unit.neighbours, grid.lowest, grid.highest)
        measure = measure_of(question, "sum", offset=grid.offset, factor=grid.factor)
        return (
            additive_part("sum", measure, cells, found, question.share, question, grid.quantum),
        )
