# SPDX-License-Identifier: Apache-2.0
"""From noisy integers to the published table: post-processing, a pure function of public things.

Whatever is done to the noisy integers costs nothing (Dwork and Roth 2014, proposition 2.1), as
long as nothing else flows in. Here flow in: the plan, which was made without data, and the
noisy integers. The integers themselves stay in the table, so that anyone can do it again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Literal

from dpdesk.privacy.compiler import ratio_margin
from dpdesk.privacy.plan import QueryPlan
from dpdesk.study.columns import Grid, column_title
from dpdesk.study.document import Study
from dpdesk.study.queries import Query

Role = Literal["group", "value", "half-width", "lowest", "highest", "part"]
Noisy = tuple[tuple[int, ...], ...]
EXTRA_DIGITS = 2


@dataclass(frozen=True)
class TableColumn:
    """One column of a published table.

    Attributes:
        name: machine name, unique in the table.
        role: what its cells are.
        unit: unit of its numbers; may be empty.
        title: heading for people: a declared title or the column's name in the file.
    """

    name: str
    role: Role
    unit: str
    title: str


@dataclass(frozen=True)
class Table:
    """One query's published figures.

    Attributes:
        id: the query's id.
        title: the query's declared title; may be empty.
        columns: groups first, then value, half-width, range and noisy parts.
        rows: one a cell, texts; the empty text where a figure says nothing (a mean whose noisy
            count is not positive).
    """

    id: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Figure:
    """One published number with its margin, exact."""

    value: Fraction
    half_width: Fraction


def table(study: Study, plan: QueryPlan, noisy: Noisy) -> Table:
    """The published table of one query.

    Args:
        study: the study that the plan was made from.
        plan: the query's plan.
        noisy: one noisy vector a part, each with one integer a cell.
    """
    columns = tuple(_unique_names(_columns(study, plan)))
    rows = tuple(_row(plan, noisy, cell) for cell in range(len(plan.cells)))
    return Table(plan.query.id, plan.query.title, columns, rows)


def _columns(study: Study, plan: QueryPlan) -> Iterator[TableColumn]:
    for column in plan.by:
        yield TableColumn(column.name, "group", "", column_title(column))
    query = plan.query
    unit, of = _unit(study, query), _title_of(study, query)
    yield TableColumn(query.statistic.replace("-", "_"), "value", unit, of)
    yield TableColumn("half_width_95", "half-width", unit, of)
    yield TableColumn("lowest_95", "lowest", unit, of)
    yield TableColumn("highest_95", "highest", unit, of)
    for part in plan.parts:
        yield TableColumn(f"noisy_{part.name}", "part", "", of)


def _unique_names(columns: Iterator[TableColumn]) -> Iterator[TableColumn]:
    """Number the later of two equal names: a grouping column may well be called ``count``."""
    taken: set[str] = set()
    for column in columns:
        names = (column.name, *(f"{column.name}_{n}" for n in range(2, len(taken) + 3)))
        name = next(n for n in names if n not in taken)
        taken.add(name)
        yield replace(column, name=name)


def _unit(study: Study, query: Query) -> str:
    column = study.column(query.column) if query.column else None
    return column.label if column else ""


def _title_of(study: Study, query: Query) -> str:
    column = study.column(query.column) if query.column else None
    return column_title(column) if column else ""


def _row(plan: QueryPlan, noisy: Noisy, cell: int) -> tuple[str, ...]:
    found = tuple(vector[cell] for vector in noisy)
    return (*plan.cells[cell], *_figure_texts(plan, found), *map(str, found))


def _figure_texts(plan: QueryPlan, found: tuple[int, ...]) -> tuple[str, ...]:
    if plan.query.statistic != "mean" or plan.grid is None:
        part = plan.parts[0]
        return _exact_texts(found[0], part.half_width, part.width)
    figure = mean_figure(plan, plan.grid, found)
    return _rounded_texts(figure, *_bounds(plan.grid)) if figure else ("", "", "", "")


def _bounds(grid: Grid) -> tuple[Fraction, Fraction]:
    return grid.lowest * grid.quantum, grid.highest * grid.quantum


def mean_figure(plan: QueryPlan, grid: Grid, found: tuple[int, ...]) -> Figure | None:
    """A mean and its margin from the noisy sum and count; ``None`` for a count below one.

    The margin is ``ratio_margin / noisy count`` (see ``ratio``), and never more than the range,
    inside which both the published and the exact mean lie.
    """
    noisy_sum, noisy_count = found
    if noisy_count < 1:
        return None
    lowest, highest = _bounds(grid)
    step = plan.parts[0].width
    value = lowest + step * (grid.last // 2 + Fraction(noisy_sum, noisy_count))
    margin = ratio_margin(plan.parts, grid) / noisy_count
    return Figure(min(max(value, lowest), highest), min(margin, highest - lowest))


def _exact_texts(found: int, half_width: int, width: Fraction) -> tuple[str, ...]:
    """Value, margin and range in full: whole multiples of a width that is a finite decimal."""
    digits = _decimals(width)
    unit = int(width * 10**digits)
    whole = (found, half_width, found - half_width, found + half_width)
    return tuple(_plain(_fixed(n * unit, digits)) for n in whole)


@lru_cache(maxsize=256)
def _decimals(width: Fraction) -> int:
    """How many decimals a finite decimal has."""
    return next(n for n in count() if (width * 10**n).denominator == 1)


def _fixed(whole: int, digits: int) -> str:
    """``whole / 10**digits`` with that many decimals; no precision cuts it short."""
    return f"{Decimal(f'{whole}E-{digits}'):f}"


def _plain(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _rounded_texts(figure: Figure, lowest: Fraction, highest: Fraction) -> tuple[str, ...]:
    """Value and margin to two digits of the margin; the margin grows by what rounding moves.

    The range is cut at the bounds, rounded outwards: what the margin promises to hold stays in.
    """
    digits = rounding_digits(figure.half_width)
    unit = 10**digits
    value = round(figure.value * unit)
    moved = abs(value - figure.value * unit)
    margin = math.ceil(figure.half_width * unit + moved)
    low = max(math.floor(lowest * unit), value - margin)
    high = min(math.ceil(highest * unit), value + margin)
    return tuple(_fixed(whole, digits) for whole in (value, margin, low, high))


def rounding_digits(half_width: Fraction) -> int:
    """Decimals that show a margin with two significant digits."""
    if half_width <= 0:
        return EXTRA_DIGITS
    return max(0, EXTRA_DIGITS - 1 - math.floor(math.log10(half_width)))
