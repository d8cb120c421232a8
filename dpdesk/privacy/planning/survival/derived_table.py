# SPDX-License-Identifier: Apache-2.0
"""The table of what follows from curves and moments: one figure a line, in plain numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.linear.model_lines import LEAST_P, NOT_KNOWN, model_lines
from dpdesk.privacy.planning.survival.derived_figures import DerivedFigure, derived_figures
from dpdesk.privacy.planning.survival.incidence_figures import incidence_figures
from dpdesk.privacy.published_tables import Table, TableColumn, unique_names
from dpdesk.privacy.statistics.base import Noisy, PublishedColumn, number_column
from dpdesk.privacy.statistics.figures_text import fixed, rounding_digits
from dpdesk.privacy.statistics.survival.band import Ends
from dpdesk.privacy.statistics.survival.incidence import down, incidence_bands, kinds_of
from dpdesk.privacy.statistics.survival.survival import band_of
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.groupings import bin_ends, has_open_end
from dpdesk.study.model.parameters import (
    IncidenceParameters,
    LinearModelParameters,
    TimeToEventParameters,
)

COLUMNS = (
    PublishedColumn("figure", "figure", has_unit=False),
    PublishedColumn("compared_with", "figure", has_unit=False),
    PublishedColumn("up_to", "group"),
    PublishedColumn("value", "value", has_unit=False),
    PublishedColumn("lowest_95", "lowest", has_unit=False),
    PublishedColumn("highest_95", "highest", has_unit=False),
    PublishedColumn("population_lowest_95", "population-lowest", has_unit=False),
    PublishedColumn("population_highest_95", "population-highest", has_unit=False),
    PublishedColumn("p_value", "p-value", has_unit=False),
    PublishedColumn("note", "figure", has_unit=False),
)
"""What a line says after its group; times are in the unit of the column, survival is a share."""
NOT_REACHED, TERM = "not-reached", "term"
_DIGITS_OF_TEST = 2
_NO_ENDS = ("", "")
_SHARES = frozenset({"survival-at", "incidence-at"})
_UP_TO, _ENDS = 2, (6, 7)
"""The places of a line's time and of both ends of its range for the population."""


@dataclass(frozen=True)
class DerivedLine:
    """One figure as it is published.

    Attributes:
        groups: the group's labels, then the kind of event where there are kinds; empty texts for a
            test of all groups. Of a linear model the column, or an empty text.
        cells: one for each of ``COLUMNS``.
    """

    groups: tuple[str, ...]
    cells: tuple[str, ...]


def with_derived(table: Table, plan: QueryPlan, noisy: Noisy) -> Table:
    """A query's table with what follows from it, where something does.

    A curve's value at a declared time is one of the figures that follow, so it has one range for
    the population: that of ``shares``, in both tables.

    Args:
        table: as published.
        plan: that it was drawn by.
        noisy: what was drawn.
    """
    lines = derived_lines(plan, noisy)
    if not lines:
        return table
    groups = (TableColumn(column.name, "group", "", column_title(column)) for column in plan.by)
    inner = "kind" if _of_kinds(plan) else TERM if _is_model(plan) else ""
    kinds = [TableColumn(inner, "group", "", "")] if inner else []
    others = (TableColumn(column.name, column.role, "", "") for column in COLUMNS)
    rows = tuple((*line.groups, *line.cells) for line in lines)
    columns = tuple(unique_names((*groups, *kinds, *others)))
    derived = Table(table.id, table.title, columns, rows)
    return replace(table, rows=tuple(_with_one_range_each(table, lines)), derived=derived)


def _with_one_range_each(table: Table, lines: Iterable[DerivedLine]) -> Iterator[tuple[str, ...]]:
    """The lines of curves, each share of a declared time with the range that follows from it."""
    own = {
        (*line.groups, line.cells[_UP_TO]): {COLUMNS[at].role: line.cells[at] for at in _ENDS}
        for line in lines
        if line.cells[0] in _SHARES and all(line.cells[at] for at in _ENDS)
    }
    roles = [column.role for column in table.columns]
    groups = sum(role == "group" for role in roles)
    for row in table.rows:
        ends = own.get(row[:groups], {})
        yield tuple(ends.get(role, cell) for role, cell in zip(roles, row, strict=True))


def derived_lines(plan: QueryPlan, noisy: Noisy) -> tuple[DerivedLine, ...]:
    """What follows from a query's curves, or moments; nothing of another statistic."""
    own = plan.query.parameters
    if _is_model(plan):
        lines = model_lines(plan, noisy)
        return tuple(DerivedLine(term, (name, "", "", *rest)) for term, (name, *rest) in lines)
    if not isinstance(own, TimeToEventParameters):
        return ()
    labels = bin_ends(number_column(plan), own.edges)
    begins = float(number_column(plan).lower or 0)
    ends = [float(label) for label in labels]
    # Of times beyond the highest one nothing is published unless it is asked for.
    last = len(ends) - 1 - has_open_end(number_column(plan), own.edges)
    times = [ends.index(float(time)) for time in own.times] or [last]
    cells = range(len(plan.cells))
    if _of_kinds(plan):
        kinds = [incidence_bands(plan, noisy, cell) for cell in cells]
        figures = incidence_figures(kinds, times, MISS)
    else:
        bands = [band_of(plan, noisy, cell) for cell in cells]
        figures = derived_figures(bands, ends, begins, times, MISS)
    return tuple(_line(plan, labels, figure) for figure in figures)


def _is_model(plan: QueryPlan) -> bool:
    return isinstance(plan.query.parameters, LinearModelParameters)


def _of_kinds(plan: QueryPlan) -> bool:
    """Whether events are of several kinds."""
    return isinstance(plan.query.parameters, IncidenceParameters)


def _line(plan: QueryPlan, labels: tuple[str, ...], figure: DerivedFigure) -> DerivedLine:
    kind = () if figure.kind is None else (kinds_of(plan.question)[figure.kind],)
    first, *others = ((*plan.cells[group], *kind) for group in figure.groups or (0,))
    groups = first if figure.groups else ("",) * len(first)
    up_to = "" if figure.bin is None else labels[figure.bin]
    cells = (*_ends_texts(figure, labels), *_test_texts(figure))
    value, low, high, lowest, highest, p, note = cells
    compared = ", ".join(others[0]) if others else ""
    return DerivedLine(
        groups, (figure.name, compared, up_to, value, low, high, lowest, highest, p, note)
    )


def _ends_texts(figure: DerivedFigure, labels: tuple[str, ...]) -> tuple[str, ...]:
    if figure.test is not None:
        return (f"{figure.test.chi_squared:.{_DIGITS_OF_TEST}f}", *_NO_ENDS, *_NO_ENDS)
    if figure.name == "median-time" and figure.noise is not None:
        # Each end is that of a bin, so there is nothing to round.
        at = {float(label): label for label in labels}
        ends = (figure.value, *figure.noise, *(figure.chance or (None, None)))
        return tuple("" if end is None else at.get(end, "") for end in ends)
    if figure.noise is None or figure.value is None:
        return ("", *_NO_ENDS, *_NO_ENDS)
    digits = _digits(figure.noise)
    # Incidences are rounded down, as they are in the table of their curves.
    to_whole = down if figure.name == "incidence-at" else round
    value = Fraction(to_whole(Fraction(figure.value) * 10**digits), 10**digits)
    noise, chance = (_rounded(ends, value, digits) for ends in (figure.noise, figure.chance))
    return (fixed(round(value * 10**digits), digits), *noise, *chance)


def _digits(ends: Ends) -> int:
    """To two digits of half the width; six where there is no noise to speak of."""
    width = Fraction(ends[1] - ends[0]) / 2
    return min(rounding_digits(width), 6) if width else 6


def _rounded(ends: Ends | None, value: Fraction, digits: int) -> tuple[str, str]:
    """Both ends rounded outwards, around the published value."""
    if ends is None:
        return _NO_ENDS
    unit = 10**digits
    low = min(math.floor(Fraction(ends[0]) * unit), round(value * unit))
    high = max(math.ceil(Fraction(ends[1]) * unit), round(value * unit))
    return fixed(low, digits), fixed(high, digits)


def _test_texts(figure: DerivedFigure) -> Iterator[str]:
    """The p-value, and what a line without a figure means."""
    p = "" if figure.test is None else fixed(_up(figure.test.p), LEAST_P)
    yield p
    if figure.test is not None or figure.value is not None:
        yield ""
    else:
        is_unreached = figure.name == "median-time" and figure.noise is not None
        yield NOT_REACHED if is_unreached else NOT_KNOWN


def _up(p: float) -> int:
    unit: int = 10**LEAST_P
    return max(1, min(unit, math.ceil(p * unit)))
