# SPDX-License-Identifier: Apache-2.0
"""Which figures a Table 1 shows, and where: post-processing of its queries' released figures.

Each figure has a margin of its own, which holds 95 times in 100: that of its own table, of
a total or a share of it (``cross_totals``), or of the mean beside a variance (``variance``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.quantile_ranges import quantile_ranges
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.reconcile.cross_totals import AddingTable, CellShare, part_of_another
from dpdesk.privacy.statistics.base import Noisy, by_cell, grid_of
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts, rounding_digits
from dpdesk.privacy.statistics.variance import mean_beside
from dpdesk.privacy.usable import YES, Possible, is_half, is_too_noisy
from dpdesk.study.model.baseline.declared import BaselineTable, Component, Figures
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of, labels_of

OVERALL = ""
"""The column of all groups together."""


@dataclass(frozen=True)
class ShownFigure:
    """One number.

    Attributes:
        value: decimal text; empty where it says nothing.
        half_width: its margin, a decimal text; of a choice by its rank, how many rows that may be
            off; empty where it is not known.
        is_noisy: whether it is too noisy to use.
        ends: of a choice by its rank, between which values the exact one is, where that is known.
    """

    value: str
    half_width: str
    is_noisy: bool = False
    ends: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class BaselineCell:
    """A cell: a figure, and those that stand beside it.

    Attributes:
        main: the count, mean or median.
        beside: the per cent, the standard deviation, or both quartiles.
    """

    main: ShownFigure
    beside: tuple[ShownFigure, ...] = ()

    @property
    def is_noisy(self) -> bool:
        """Whether one of its figures is too noisy to use."""
        return any(one.is_noisy for one in (self.main, *self.beside))


@dataclass(frozen=True)
class BaselineRow:
    """A row.

    Attributes:
        place: of its characteristic.
        figures: what its cells are.
        label: the category, where it is of one.
        cells: one a column.
    """

    place: int
    figures: Figures
    label: str
    cells: tuple[BaselineCell, ...]


@dataclass(frozen=True)
class BaselineLayout:
    """A Table 1.

    Attributes:
        table: as declared.
        columns: labels of the groups, behind ``OVERALL``.
        heads: how many are in each column.
        rows: those of each characteristic, in its order.
    """

    table: BaselineTable
    columns: tuple[str, ...]
    heads: tuple[BaselineCell, ...]
    rows: tuple[BaselineRow, ...]


@dataclass(frozen=True)
class Answered:
    """A query's answer.

    Attributes:
        table: as published.
        noisy: what was drawn.
        consistent: its figures, where they were made consistent with others.
        mean_margin: of a mean, in place of the one that follows from what was drawn; a rehearsal
            states the plan's.
    """

    plan: QueryPlan
    table: Table
    noisy: Noisy
    consistent: ConsistentFigures | None
    mean_margin: Fraction | None = None

    def mean(self, drawn: tuple[int, ...]) -> Figure | None:
        """The mean of a cell, by the sums that were drawn for it."""
        figure = mean_beside(self.plan, drawn)
        if figure is None or self.mean_margin is None:
            return figure
        unit = 10 ** rounding_digits(self.mean_margin)
        return Figure(Fraction(round(figure.value * unit), unit), self.mean_margin)

    def texts(self, role: str) -> tuple[str, ...]:
        """One column of the table, by its role; empty texts where it has none."""
        places = [at for at, column in enumerate(self.table.columns) if column.role == role]
        return tuple(row[places[0]] if places else "" for row in self.table.rows)

    @cached_property
    def adding(self) -> AddingTable:
        return AddingTable(self.plan, self.noisy, self.texts("value"), self.consistent)

    @cached_property
    def cells(self) -> dict[tuple[str, ...], BaselineCell]:
        """Each line's figure, by its labels."""
        columns = (self.texts(role) for role in ("value", "half-width", "mark"))
        lines = zip(self.plan.lines, *columns, strict=True)
        return {
            labels: BaselineCell(ShownFigure(value, margin, mark == YES))
            for labels, value, margin, mark in lines
        }


def layouts(study: Study, answers: Mapping[str, Answered]) -> tuple[BaselineLayout, ...]:
    """Each Table 1 of a release.

    Args:
        answers: by query id.
    """
    return tuple(_Laid(study, table, answers).layout() for table in study.baseline_tables)


@dataclass(frozen=True)
class _Laid:
    """One table, and the answers that it is made of."""

    study: Study
    table: BaselineTable
    answers: Mapping[str, Answered]

    @cached_property
    def answered(self) -> dict[Component, Answered]:
        own = (q for q in self.study.queries if q.component and q.component.table == self.table.id)
        return {q.component: self.answers[q.id] for q in own if q.component}

    @cached_property
    def groups(self) -> tuple[str, ...]:
        pairs = ((by, self.study.column(column_of(by))) for by in self.table.by)
        return tuple(label for by, column in pairs if column for label in labels_of(by, column))

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """The labels that a cell's line begins with, in each column; none in that of all."""
        return ((), *((group,) for group in self.groups))

    def layout(self) -> BaselineLayout:
        found = tuple(row for answer in self.answered.items() for row in self._rows(*answer))
        return BaselineLayout(self.table, (OVERALL, *self.groups), self.heads, found)

    @cached_property
    def heads(self) -> tuple[BaselineCell, ...]:
        """How many are in each column."""
        return tuple(self._counts(self.answered[Component(self.table.id, None, "rows")], ())[0])

    def _rows(self, component: Component, answer: Answered) -> Iterator[BaselineRow]:
        place, figures = component.place, component.figures
        if place is None or component.is_overall:
            return
        if figures == "counts":
            labels = tuple(dict.fromkeys(line[-1] for line in answer.plan.lines))
            columns = self._counts(answer, labels)
            yield from (
                BaselineRow(place, figures, label, tuple(cells))
                for label, cells in zip(labels, columns, strict=True)
            )
            return
        read = {"moments": _moments, "quantiles": _quartiles}.get(figures)
        if read is None:
            yield BaselineRow(place, figures, "", tuple(self._missing(answer)))
            return
        found = read(answer)
        if self.table.by:
            found |= read(self.answered[Component(self.table.id, place, figures, True)])
        cells = [found[group] for group in self.columns]
        if figures == "quantiles":
            cells = [_judged(*one) for one in zip(cells, self._known(place), strict=True)]
        yield BaselineRow(place, figures, "", tuple(cells))

    def _known(self, place: int) -> Iterator[Fraction]:
        """How many have a value, in each column; all of them where nobody counts missing ones."""
        about = self.table.characteristics
        counted = (
            answer
            for one, answer in self.answered.items()
            if one.figures == "missing" and about[one.place or 0].column == about[place].column
        )
        missing = next(counted, None)
        blank = self._counts(missing, ())[0] if missing else [None] * len(self.heads)
        for head, less in zip(self.heads, blank, strict=True):
            yield Fraction(head.main.value) - (Fraction(less.main.value) if less else 0)

    def _counts(self, answer: Answered, labels: Sequence[str]) -> list[list[BaselineCell]]:
        """Of each category, or of all rows where there are none, the count in each column."""
        inner: list[tuple[str, ...]] = [(label,) for label in labels] or [()]
        depth = len(self.table.by)
        last = range(depth, depth + bool(labels))
        cells = dict(answer.cells)
        if depth:
            totals = answer.adding.totals(tuple(last))
            for label, total in totals.items():
                shown = ShownFigure(total.value, total.half_width, total.is_noisy)
                cells[label] = BaselineCell(shown)
        shares = self._shares(answer, depth, tuple(last)) if labels else {}
        keys = [[(*group, *one) for group in self.columns] for one in inner]
        return [[_with_share(cells[key], shares.get(key)) for key in row] for row in keys]

    def _shares(
        self, answer: Answered, depth: int, last: tuple[int, ...]
    ) -> dict[tuple[str, ...], ShownFigure]:
        adding, outer = answer.adding, tuple(range(depth))
        if not adding.has_shares:
            return {}
        found = dict(adding.shares(last, ()))
        if depth:
            found |= adding.shares((*outer, *last), outer)
        return {key: _shown(share) for key, share in found.items()}

    def _missing(self, answer: Answered) -> Iterator[BaselineCell]:
        """How many have a missing cell, and which part of all that is."""
        counts = self._counts(answer, ())[0]
        rows = self.answered[Component(self.table.id, None, "rows")]
        kept = [(), *([(0,)] if self.table.by else [])]
        # Of two counts with noise either may miss half as often.
        miss = MISS if rows.plan.is_public else MISS / 2
        parts, wholes = (
            {key: figure for k in kept for key, figure in one.adding.figures(k, miss).items()}
            for one in (answer, rows)
        )
        for group, cell in zip(self.columns, counts, strict=True):
            share = part_of_another(parts[group], wholes[group])
            yield _with_share(cell, _shown(share))


def _shown(share: CellShare) -> ShownFigure:
    return ShownFigure(share.percent, share.half_width, share.is_noisy)


def _with_share(cell: BaselineCell, share: ShownFigure | None) -> BaselineCell:
    """The same with its per cent; a count below zero is no part of anything."""
    if share is not None and cell.main.value.startswith("-"):
        share = ShownFigure("", "", is_noisy=True)
    return cell if share is None else BaselineCell(cell.main, (share,))


def _moments(answer: Answered) -> dict[tuple[str, ...], BaselineCell]:
    """Mean and standard deviation, by the group's labels."""
    grid = grid_of(answer.plan)
    lowest, highest = grid.lowest * grid.quantum, grid.highest * grid.quantum
    found = {}
    for group, drawn in zip(answer.plan.cells, by_cell(answer.plan, answer.noisy), strict=True):
        value, margin, *_ends = rounded_texts(answer.mean(drawn), lowest, highest)
        number = Fraction(value) if value else None
        is_noisy = is_too_noisy(number, Fraction(margin or 0), Possible(lowest, highest))
        spread = answer.cells[group].main
        found[group] = BaselineCell(ShownFigure(value, margin, is_noisy), (spread,))
    return found


def _quartiles(answer: Answered) -> dict[tuple[str, ...], BaselineCell]:
    """Median and quartiles, by the group's labels."""
    values, off = iter(answer.texts("value")), iter(answer.texts("score-bound"))
    found: dict[tuple[str, ...], BaselineCell] = {}
    for cell, group in enumerate(answer.plan.cells):
        ranges = quantile_ranges(answer.plan, answer.noisy, cell)
        ends = [(str(low), str(high)) for low, high in ranges] or [("", "")] * 3
        lower, median, upper = (ShownFigure(next(values), next(off), ends=end) for end in ends)
        found[group] = BaselineCell(median, (lower, upper))
    return found


def _judged(cell: BaselineCell, known: Fraction) -> BaselineCell:
    """Mark what is too noisy: a rank that may be off by half of the rows or more, any value may be.

    Of values that came out in the wrong order nobody knows how far off their ranks are.
    """

    def judged(one: ShownFigure) -> ShownFigure:
        if not one.half_width:
            return replace(one, is_noisy=not any(one.ends))
        return replace(one, is_noisy=is_half(Fraction(one.half_width), Possible(0, known)))

    return BaselineCell(judged(cell.main), tuple(judged(one) for one in cell.beside))
