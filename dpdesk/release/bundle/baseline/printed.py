# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in words and numbers of a language, as every form of it prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.reconcile.cross_totals import CellShare
from dpdesk.release.bundle.baseline.layout import (
    OVERALL,
    BaselineCell,
    BaselineLayout,
    BaselineRow,
    ShownFigure,
)
from dpdesk.release.bundle.baseline.titles import baseline_name, baseline_title, title_in
from dpdesk.release.bundle.charts.share_decimals import decimals_of, with_decimals
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import Form, cell_writer, within
from dpdesk.release.record.table_names import baseline_names
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic, Figures
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of
from dpdesk.study.text.missing_cells import dropping, replaced_cells
from dpdesk.study.text.number_text import MINUS, PLUS_MINUS, in_column
from dpdesk.study.text.unit_names import UnitNames, in_query, names_of

ALL: Final[Template] = "Overall"
HEAD: Final[Template] = "n = {count}"
_CHARACTERISTIC: Final[dict[Figures, Template]] = {
    "counts": "{name}, n (%)",
    "moments": "{name}: mean (SD)",
    "quantiles": "{name}: median [Q1, Q3]",
    "missing": "Missing, n (%)",
}
_FOLLOWING: Final[dict[Figures, Template]] = {
    "moments": "mean (SD)",
    "quantiles": "median [Q1, Q3]",
}
"""Of a characteristic whose name stands in the row above."""
_WITH_UNIT: Final[Template] = "{name} ({unit})"
_MARGINS: Final[Template] = (
    "n counts {rows}. {sign} belongs to the first figure of a cell: the exact one is within it in "
    "at least 95 of 100 releases."
)
_EACH: Final[Template] = (
    "n counts {rows}. Each figure has a margin of its own, ± 95 %: in at least 95 of 100 releases "
    "the exact one is within it."
)
_RANK: Final[Template] = "rank {sign} {rows}"
_RANKS: Final[Template] = (
    "“rank ± n”: with the {rows} put in order, the printed median is at most n of them away from "
    "the middle, 95 times in 100. Q1 and Q3 are the lower and the upper quartile."
)
_BETWEEN: Final[Template] = "from {lowest} to {highest}"
_ON_PAGES: Final[Template] = (
    "n counts {rows}. Below figures are their 95 % margins or ranges in the same order, of the "
    "noise alone."
)
_ABBREVIATIONS: Final[dict[Figures, Template]] = {
    "moments": "SD: standard deviation.",
    "quantiles": "Q1, Q3: lower and upper quartile.",
}
_RANGES: Final[Template] = (
    "“From … to …”: the exact median is between these two, 95 times in 100. Q1 and Q3 are the "
    "lower and the upper quartile."
)
_EACH_RANGE: Final[Template] = (
    "A range, such as at a median, has the exact value between its ends, 95 times in 100."
)
_OF_N: Final[Template] = "Per cent are of n, all {rows} of the column."
_OVERALL: Final[Template] = (
    "Means and medians of “{overall}” have noise of their own, so they may be outside those of the "
    "groups."
)
_LEFT_OUT: Final[Template] = "{columns}: {rows} without a usable value are left out there."
_BRACKETS: Final[Template] = "Margins of the figures in brackets are in {file}."
_NOT_TO_N: Final[Template] = (
    "The categories of a characteristic need not add up to n: they have noise of their own, and "
    "{rows} without a value are in none. Their per cent are of their own sum."
)
_WITH_SHARES: Final = frozenset({"counts", "missing"})
_NOISY: Final[Template] = "* too noisy to use"
NOISY_MARK = "*"


@dataclass(frozen=True)
class PrintedCell:
    """A cell.

    Attributes:
        text: its figures: "3,991 (50.3)".
        margin: of the first: "± 96"; may be empty.
        is_noisy: whether it is too noisy to use.
        figures: the same for programs, the first with its margin; a per cent has the decimals
            that are printed.
        all_margins: those of all figures, in brackets where their figures are: "± 96 (± 0.4)";
            empty where only the first has one.
    """

    text: str
    margin: str = ""
    is_noisy: bool = False
    figures: tuple[ShownFigure, ...] = ()
    all_margins: str = ""

    @property
    def margins(self) -> str:
        """Those of all its figures, in brackets as these are; the first alone where no more are."""
        return self.all_margins or self.margin

    @property
    def margin_only(self) -> str:
        """The margin, with the mark of what is too noisy."""
        mark = NOISY_MARK if self.is_noisy else ""
        return " ".join(filter(None, (self.margin, mark)))

    @property
    def whole(self) -> str:
        """All of it on one line."""
        mark = f" {NOISY_MARK}" if self.is_noisy else ""
        return " ".join(filter(None, (self.text, self.margin))) + mark


@dataclass(frozen=True)
class PrintedRow:
    """A row.

    Attributes:
        stub: what it is about.
        cells: one a column; none of a characteristic whose categories follow.
        is_inner: whether it belongs to the characteristic above.
        figures: what its cells are.
        heading: what the characteristic is called.
        unit: of its numbers; empty where it counts.
    """

    stub: str
    cells: tuple[PrintedCell, ...] = ()
    is_inner: bool = False
    figures: Figures = "rows"
    heading: str = ""
    unit: str = ""

    @property
    def has_ranks(self) -> bool:
        """Whether its margins are those of ranks."""
        return self.figures == "quantiles"


@dataclass(frozen=True)
class PrintedTable:
    """A Table 1.

    Attributes:
        id: of the table.
        file_name: of its files, without folder and ending.
        name: "Table 1", or as the custodian called it.
        title: the name, by which group it is, and of which rows.
        columns: what heads each column.
        heads: how many are in each.
        rows: from the first to the last.
        notes: what its readers must know.
        notes_on_pages: the same where the margins of all figures of a cell are below them.
        notes_of_each: the same where each figure has its margin beside it.
        common: what is said once for several such tables.
        counted: what it counts: "patients".
        noisy: what the mark of a figure means that is too noisy to use; empty where none is.
        adds_up: whether categories add up to how many are in their column, which per cent are of.
    """

    id: str
    file_name: str
    name: str
    title: str
    columns: tuple[str, ...]
    heads: tuple[PrintedCell, ...]
    rows: tuple[PrintedRow, ...]
    notes: tuple[str, ...]
    notes_on_pages: tuple[str, ...] = ()
    notes_of_each: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    counted: str = ""
    noisy: str = ""
    adds_up: bool = True

    @property
    def all_notes(self) -> tuple[str, ...]:
        """For a form that has nothing but the mark to say what is too noisy."""
        return tuple(filter(None, (*self.notes, self.noisy)))


def printed(study: Study, layout: BaselineLayout, words: ReleaseWords) -> PrintedTable:
    """A table as people read it."""
    layout = _with_decimals(layout)
    writing = _Writing(study, layout.table, words)
    return PrintedTable(
        id=layout.table.id,
        file_name=writing.file_name,
        name=writing.name,
        title=writing.title,
        columns=writing.columns(layout.columns),
        heads=tuple(writing.head(one) for one in layout.heads),
        rows=tuple(writing.rows(layout.rows)),
        notes=tuple(writing.notes(layout)),
        notes_on_pages=tuple(writing.notes_on_pages(layout)),
        notes_of_each=tuple(writing.notes_of_each(layout)),
        common=tuple(writing.of_all(layout)),
        counted=writing.counted,
        noisy=words.say(_NOISY) if _has_noisy(layout) else "",
        adds_up=_adds_up(layout),
    )


def _with_decimals(layout: BaselineLayout) -> BaselineLayout:
    """The same with per cent of one number of decimals."""
    shown = [
        CellShare(one.value, one.half_width, one.is_noisy)
        for row in layout.rows
        if row.figures in _WITH_SHARES
        for cell in row.cells
        for one in cell.beside
    ]
    decimals = decimals_of(shown)
    rows = (
        replace(row, cells=tuple(_cut(cell, decimals) for cell in row.cells))
        if row.figures in _WITH_SHARES
        else row
        for row in layout.rows
    )
    return replace(layout, rows=tuple(rows))


def _cut(cell: BaselineCell, decimals: int) -> BaselineCell:
    cut = (
        with_decimals(CellShare(one.value, one.half_width, one.is_noisy), decimals)
        for one in cell.beside
    )
    beside = tuple(ShownFigure(one.percent, one.half_width, one.is_noisy) for one in cut)
    return replace(cell, beside=beside)


def _has_noisy(layout: BaselineLayout) -> bool:
    cells = (*layout.heads, *(cell for row in layout.rows for cell in row.cells))
    return any(cell.is_noisy for cell in cells)


def _adds_up(layout: BaselineLayout) -> bool:
    """Whether the categories of each characteristic add up to how many are in each column."""
    counts = [row for row in layout.rows if row.figures == "counts"]
    for place in {row.place for row in counts}:
        cells = zip(*(row.cells for row in counts if row.place == place), strict=True)
        for column, head in zip(cells, layout.heads, strict=True):
            parts = [one.main.value for one in column]
            if not all((head.main.value, *parts)):
                return False
            if sum(map(Fraction, parts)) != Fraction(head.main.value):
                return False
    return True


@dataclass(frozen=True)
class _Writing:
    study: Study
    table: BaselineTable
    words: ReleaseWords

    @property
    def name(self) -> str:
        return baseline_name(self.table, self.words)

    @property
    def file_name(self) -> str:
        return baseline_names(self.study)[self.table.id]

    @property
    def title(self) -> str:
        """The name with what the table is by, and of which rows."""
        return baseline_title(self.study, self.table, self.words)

    def columns(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        write = self._writer(self.table.by[0]) if self.table.by else str
        return tuple(self.words.say(ALL) if one == OVERALL else write(one) for one in labels)

    def head(self, cell: BaselineCell) -> PrintedCell:
        count = self._number(cell.main.value)
        return PrintedCell(
            self.words.say(HEAD, count=count), self._margin(cell.main), cell.is_noisy, (cell.main,)
        )

    def rows(self, rows: tuple[BaselineRow, ...]) -> Iterator[PrintedRow]:
        before: int | None = None
        for row in rows:
            one = self.table.characteristics[row.place]
            heading = self._heading(one)
            stub = self.words.say(_CHARACTERISTIC[row.figures], name=heading)
            cells = tuple(self._cell(row.figures, cell) for cell in row.cells)
            follows = row.figures in _FOLLOWING and self._follows(before, row.place)
            if follows:
                stub = self.words.say(_FOLLOWING[row.figures])
            if row.figures == "counts":
                if row.place != before:
                    yield PrintedRow(stub, heading=heading)
                stub = self._writer(one.categories)(row.label)
            is_inner = follows or row.figures in ("counts", "missing")
            yield PrintedRow(stub, cells, is_inner, row.figures, heading, self._unit(one))
            before = row.place

    def _follows(self, before: int | None, place: int) -> bool:
        """Whether numbers of the same column stand in the row above."""
        if before is None or before == place:
            return False
        last, one = self.table.characteristics[before], self.table.characteristics[place]
        column = self.study.column(one.column)
        return last.column == one.column and last.figures(column) in _FOLLOWING

    def notes(self, layout: BaselineLayout) -> Iterator[str]:
        yield self.words.say(_MARGINS, rows=self.counted, sign=PLUS_MINUS)
        if any(row.figures == "quantiles" for row in layout.rows):
            said = self.words.say(_RANGES) if self._are_ranges_known(layout) else ""
            yield said or self.words.say(_RANKS, rows=self.counted)
        yield from self._common_notes(layout)
        yield self.words.say(_BRACKETS, file=f"tables/{self.file_name}.csv")

    def _are_ranges_known(self, layout: BaselineLayout) -> bool:
        """Whether it is known between which values each median is."""
        medians = [row.cells for row in layout.rows if row.figures == "quantiles"]
        return all(self._between(cell.main) for cells in medians for cell in cells)

    def notes_on_pages(self, layout: BaselineLayout) -> Iterator[str]:
        yield self.words.say(_ON_PAGES, rows=self.counted)
        shown = {row.figures for row in layout.rows}
        yield from (self.words.say(_ABBREVIATIONS[key]) for key in _ABBREVIATIONS if key in shown)
        if not self._are_ranges_known(layout):
            yield self.words.say(_RANKS, rows=self.counted)
        yield from self._of_n(layout)
        yield from self._missing()

    def of_all(self, layout: BaselineLayout) -> Iterator[str]:
        if self.table.by and any(row.figures in _FOLLOWING for row in layout.rows):
            yield self.words.say(_OVERALL, overall=self.words.say(ALL))

    def notes_of_each(self, layout: BaselineLayout) -> Iterator[str]:
        yield self.words.say(_EACH, rows=self.counted)
        if any(row.figures == "quantiles" for row in layout.rows):
            are_known = self._are_ranges_known(layout)
            yield self.words.say(_EACH_RANGE if are_known else _RANKS, rows=self.counted)
        yield from self._common_notes(layout)

    def _common_notes(self, layout: BaselineLayout) -> Iterator[str]:
        yield from self._of_n(layout)
        yield from self.of_all(layout)
        yield from self._missing()

    def _of_n(self, layout: BaselineLayout) -> Iterator[str]:
        """Of what its per cent are."""
        has_counts = any(row.figures == "counts" for row in layout.rows)
        if not _adds_up(layout):
            yield self.words.say(_NOT_TO_N, rows=self.counted)
        elif has_counts:
            yield self.words.say(_OF_N, rows=self.counted)

    def _missing(self) -> Iterator[str]:
        """What becomes of rows without a usable value in a characteristic, or in a group's."""
        table = self.table
        names = {one.column for one in table.characteristics} | {*map(column_of, table.by)}
        columns = [column for column in self.study.columns if column.name in names]
        yield from replaced_cells(columns, self.words.language)
        dropped = ", ".join(map(column_title, dropping(columns)))
        if dropped:
            yield self.words.say(_LEFT_OUT, columns=dropped, rows=self.counted)

    @property
    def counted(self) -> str:
        """What it counts."""
        return self._names.rows

    @property
    def _names(self) -> UnitNames:
        return in_query(names_of(self.study.unit, self.words.language.names), self.table.of)

    def _cell(self, figures: Figures, cell: BaselineCell) -> PrintedCell:
        main, beside = self._number(cell.main.value), [self._number(f.value) for f in cell.beside]
        if figures == "quantiles":
            lower, upper = beside
            text = f"{main} [{lower}{self._separator} {upper}]"
            off = self._between(cell.main) or rank_text(cell.main, self.words)
            all_of_them = (cell.main, *cell.beside)
            margins = self._spans(*all_of_them)
            return PrintedCell(text, off, cell.is_noisy, all_of_them, margins)
        inner = f"{self._separator} ".join(filter(None, beside))
        text = f"{main} ({inner})" if main and inner else main
        shown = (cell.main, *cell.beside)
        margins = self._margins(cell)
        return PrintedCell(text, self._margin(cell.main), cell.is_noisy, shown, margins)

    def _margins(self, cell: BaselineCell) -> str:
        """Those of a figure and of what is in brackets behind it; empty where one has none."""
        first, others = self._margin(cell.main), [self._margin(f) for f in cell.beside if f.value]
        if not (first and others and all(others)):
            return ""
        return f"{first} ({f'{self._separator} '.join(others)})"

    def _spans(self, *figures: ShownFigure) -> str:
        """Between which values median and quartiles are; empty where one is not known."""
        if not all(map(self._between, figures)):
            return ""
        spans = [self._span(*map(self._number, one.ends)) for one in figures]
        if len(set(spans)) == 1 and figures[0].ends[0] == figures[0].ends[1]:
            return spans[0]
        first, *others = spans
        return f"{first} [{f'{self._separator} '.join(others)}]"

    def _span(self, low: str, high: str) -> str:
        """Both ends on as little room as a cell has; a dash is a sign where one is below zero.

        A range of one value is a margin of 0.
        """
        if low == high:
            return f"{PLUS_MINUS} 0"
        is_signed = low.startswith(MINUS)
        return within(low, high, self.words) if is_signed else f"{low}\N{EN DASH}{high}"

    @property
    def _separator(self) -> str:
        """What parts numbers: a comma is read as a decimal mark where it is one."""
        return ";" if self.words.numbers.decimal == "," else ","

    def _number(self, text: str) -> str:
        return in_column(text, self.words.numbers)

    def _between(self, figure: ShownFigure) -> str:
        """Between which values a median is; empty where its rank alone is known."""
        if not (figure.half_width and all(figure.ends)):
            return ""
        low, high = map(self._number, figure.ends)
        return self.words.say(_BETWEEN, lowest=low, highest=high)

    def _margin(self, figure: ShownFigure) -> str:
        return f"{PLUS_MINUS} {self._number(figure.half_width)}" if figure.half_width else ""

    def _heading(self, one: Characteristic) -> str:
        name, unit = title_in(self.study, one.column), self._unit(one)
        return self.words.say(_WITH_UNIT, name=name, unit=unit) if unit else name

    def _unit(self, one: Characteristic) -> str:
        column = self.study.column(one.column)
        return "" if column is None else column.label

    def _writer(self, grouping: Grouping) -> Callable[[str], str]:
        return cell_writer(_form(grouping), self.words)


def rank_text(figure: ShownFigure, words: ReleaseWords) -> str:
    """How far off a rank may be, in whole rows."""
    if not figure.half_width:
        return ""
    off = in_column(str(ceil(Fraction(figure.half_width))), words.numbers)
    return words.say(_RANK, sign=PLUS_MINUS, rows=off)


def _form(grouping: Grouping) -> Form:
    if isinstance(grouping, Bins):
        return "bins"
    if isinstance(grouping, Periods):
        return "weekday" if grouping.period == "weekday" else "period"
    return "group"
