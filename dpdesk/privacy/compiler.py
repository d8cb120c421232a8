# SPDX-License-Identifier: Apache-2.0
"""Compiles a study to a plan: measures, sensitivities, scales, losses, margins. No data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from dpdesk.privacy.calibrate import halves, laplace_scale
from dpdesk.privacy.door import laplace_loss
from dpdesk.privacy.laplace import half_width
from dpdesk.privacy.plan import Part, Plan, QueryPlan
from dpdesk.privacy.ratio import ratio_half_width
from dpdesk.privacy.sensitivity import (
    Sensitivity,
    people_sensitivity,
    rows_sensitivity,
    sum_sensitivity,
)
from dpdesk.study.amount import ZERO, Epsilon
from dpdesk.study.checks import check, check_unit
from dpdesk.study.column_checks import check_column
from dpdesk.study.columns import Column, Grid, NumberColumn, group_labels, number_grid
from dpdesk.study.document import Study
from dpdesk.study.measure import Measure
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.study.queries import IsIn, IsNotIn, Query
from dpdesk.study.query_checks import check_query
from dpdesk.study.study_writer import (
    amount_to_number,
    canonical,
    column_to_members,
    condition_to_members,
    data_to_members,
    question_to_members,
    unit_to_members,
)
from dpdesk.study.unit import DataSource, Unit


def compile(study: Study) -> Plan:
    """Compile a complete study.

    Raises:
        Refused: everything that ``dpdesk.study.checks.check`` finds.
    """
    problems = check(study)
    if problems:
        raise Refused(problems)
    plans = tuple(compile_query(study, query) for query in study.queries)
    total = sum((p.share for p in plans), ZERO)
    return Plan(study, plans, total)


def compile_query(study: Study, query: Query) -> QueryPlan:
    """Compile one query of a study whose other parts may still be unfinished.

    Raises:
        Refused: the query, its columns or the privacy unit are not complete.
    """
    if study.unit is None:
        raise refuse("unit-not-declared", "$.unit")
    path = f"$.queries[{study.queries.index(query)}]" if query in study.queries else "$.query"
    question = _Question.of(study, study.unit, query)
    problems = (
        *check_unit(study.unit),
        *check_query(study, query, path),
        *_column_problems(study, question),
    )
    if problems:
        raise Refused(problems)
    return _compile(question)


def _column_problems(study: Study, question: _Question) -> Iterator[Problem]:
    for index, column in enumerate(study.columns):
        if column in question.used:
            path = f"$.columns[{index}]"
            yield from check_column(column, path, question.reading.missing)


@dataclass(frozen=True)
class _Question:
    """A query with what it stands on; hashable, so that an unchanged query compiles once."""

    unit: Unit
    query: Query
    by: tuple[Column, ...]
    used: tuple[Column, ...]
    reading: DataSource

    @classmethod
    def of(cls, study: Study, unit: Unit, query: Query) -> _Question:
        names = (query.column, *query.by, *(c.column for c in query.where))
        used = sorted((c for c in study.columns if c.name in names), key=lambda c: c.name)
        by = tuple(c for name in query.by if (c := study.column(name)) is not None)
        reading = replace(study.data or DataSource(), path="", extract="")
        return cls(unit, query, by, tuple(used), reading)

    @property
    def grid(self) -> Grid | None:
        """The grid of the column that is summed or averaged; counts have none."""
        column = next((c for c in self.used if c.name == self.query.column), None)
        return number_grid(column) if isinstance(column, NumberColumn) else None


@lru_cache(maxsize=2048)
def _compile(question: _Question) -> QueryPlan:
    query = question.query
    share = query.epsilon or ZERO
    cells = tuple(product(*(group_labels(c) for c in question.by)))
    grid = question.grid
    parts = tuple(_parts(question, grid, share, len(cells)))
    return QueryPlan(
        query=query,
        by=question.by,
        cells=cells,
        parts=parts,
        grid=grid,
        share=share,
        half_width=_half_width(query, grid, parts),
        canonical=canonical(_meaning(question)),
    )


def _parts(question: _Question, grid: Grid | None, share: Epsilon, cells: int) -> Iterator[Part]:
    query, unit = question.query, question.unit
    if grid is not None:
        make = _sum_parts if query.statistic == "sum" else _mean_parts
        yield from make(question, grid, share, cells)
    elif query.statistic == "count":
        yield _part("rows", _measure(query, "rows"), cells, _rows(unit, cells), share)
    else:
        found = people_sensitivity(unit.max_rows, cells, unit.neighbours)
        yield _part("people", _measure(query, "people"), cells, found, share)


def _sum_parts(question: _Question, grid: Grid, share: Epsilon, cells: int) -> Iterator[Part]:
    unit = question.unit
    found = sum_sensitivity(unit.max_rows, cells, unit.neighbours, grid.lowest, grid.highest)
    measure = _measure(question.query, "sum", grid.offset, grid.factor)
    yield _part("sum", measure, cells, found, share, grid.quantum)


def _mean_parts(question: _Question, grid: Grid, share: Epsilon, cells: int) -> Iterator[Part]:
    """A centred sum and a count, half the share each.

    Around the middle of the bounds a value weighs at most half the range, so the sum's noise is
    half of what it would be around zero. With the worst mean both noises weigh the same in the
    margin, which is why the share is halved.
    """
    unit, query = question.unit, question.query
    for_sum, for_count = halves(share)
    centre = grid.last // 2
    found = sum_sensitivity(unit.max_rows, cells, unit.neighbours, -centre, grid.last - centre)
    step = grid.quantum * grid.factor
    yield _part("sum", _measure(query, "sum", -centre, 1), cells, found, for_sum, step)
    yield _part("rows", _measure(query, "rows"), cells, _rows(unit, cells), for_count)


def _rows(unit: Unit, cells: int) -> Sensitivity:
    return rows_sensitivity(unit.max_rows, cells, unit.neighbours)


def _measure(query: Query, kind: Any, offset: int = 0, factor: int = 1) -> Measure:
    return Measure(kind, query.column, query.by, query.where, offset, factor)


def _part(
    name: str,
    measure: Measure,
    cells: int,
    found: Sensitivity,
    share: Epsilon,
    width: Fraction = Fraction(1),
) -> Part:
    scale = laplace_scale(found.l1, share)
    return Part(
        name=name,
        measure=measure,
        cells=cells,
        mechanism="laplace",
        sensitivity=found.l1,
        share=share,
        scale=scale,
        loss=laplace_loss(found.l1, scale),
        width=width,
        half_width=half_width(scale),
    )


def _half_width(query: Query, grid: Grid | None, parts: tuple[Part, ...]) -> Fraction | None:
    if query.statistic != "mean" or grid is None:
        return parts[0].half_width * parts[0].width
    if query.expected is None:
        return None
    return min(ratio_margin(parts, grid) / query.expected, grid.last * parts[0].width)


def ratio_margin(parts: tuple[Part, ...], grid: Grid) -> Fraction:
    """Margin of a mean times the noisy count, in the result's unit; see ``ratio``."""
    noisy_sum, noisy_count = parts
    reach = grid.last - grid.last // 2
    quanta = ratio_half_width(noisy_sum.scale, noisy_count.scale, reach)
    return quanta * noisy_sum.width


def _meaning(question: _Question) -> dict[str, Any]:
    """Everything that the answer's distribution depends on, and nothing else.

    How the text is read belongs to it: the same file with another decimal mark has other
    numbers. Which file it is does not; the extract stands for that.
    """
    reading = {k: v for k, v in data_to_members(question.reading).items() if k != "path"}
    return {
        "question": question_to_members(_in_order(question.query)),
        "unit": unit_to_members(question.unit),
        "columns": [_declaration(c) for c in question.used],
        "reading": {**reading, "missing": sorted(set(question.reading.missing))},
        "epsilon": amount_to_number(question.query.epsilon or ZERO),
    }


def _in_order(query: Query) -> Query:
    """The same question with conditions and their values in one order."""
    where = [
        replace(c, values=tuple(sorted(set(c.values)))) if isinstance(c, IsIn | IsNotIn) else c
        for c in query.where
    ]
    by_text = {canonical(condition_to_members(c)): c for c in where}
    return replace(query, where=tuple(by_text[text] for text in sorted(by_text)))


def _declaration(column: Column) -> dict[str, Any]:
    """What a column declares about values; its names and its source change no answer."""
    ordered = replace(column, missing_values=tuple(sorted(set(column.missing_values))))
    members = column_to_members(ordered)
    return {k: v for k, v in members.items() if k not in ("title", "label", "basis")}
