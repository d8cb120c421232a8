# SPDX-License-Identifier: Apache-2.0
"""The chart of a query in the report: the one that fits it best, or its cross-table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.reconcile.cross_totals import AddingTable, CellShare, CellTotal, Groups
from dpdesk.privacy.statistics.base import is_from_best
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.bars_drawing import bars_drawing
from dpdesk.release.bundle.charts.box_drawing import box_drawing
from dpdesk.release.bundle.charts.cross_table import CrossTable, cross_table, heats
from dpdesk.release.bundle.charts.curve_drawing import StepWords, curve_drawing
from dpdesk.release.bundle.charts.description import MOST_BARS, QUARTILES, ChartFigure, FigureChart
from dpdesk.release.bundle.charts.drawing import ChartDrawing
from dpdesk.release.bundle.charts.figures import TableFigures, bars_of, lines_of
from dpdesk.release.bundle.charts.forest import forest_drawing
from dpdesk.release.bundle.charts.funnel import Funnel
from dpdesk.release.bundle.charts.funnel_drawing import funnel_drawing, words_of
from dpdesk.release.bundle.charts.lines_drawing import lines_drawing
from dpdesk.release.bundle.charts.share_decimals import decimals_of, with_decimals
from dpdesk.release.bundle.charts.suitable_charts import (
    BARS,
    BOX,
    CURVE,
    FOREST,
    FUNNEL,
    LINE,
    Charts,
    charts_of,
)
from dpdesk.release.bundle.quantile_notes import NONE_SMALL, SmallGroups
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import Form, cell_writer, forms_of, within
from dpdesk.release.bundle.report.report_blocks import CrossCell, CrossFigures, CrossLine, Figures
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import PLUS_MINUS, rounded
from dpdesk.study.text.titles import measured

WIDTH = 495.0
"""Points across a page."""
PICTURE: Final[Template] = "Released figures with their 95 % intervals"
MADE_UP_PICTURE: Final[Template] = "Made-up figures with their 95 % intervals"
AT_RISK: Final[Template] = "At risk"
"""How many have neither had the event nor been censored before."""
_AT_RISK_AFTER: Final[Template] = (
    "At risk: followed beyond the time (\N{EN DASH}: follow-up ends there)"
)
_BAND: Final[Template] = "noise band: 95 times in 100 all of the curve is in it"
_AXIS: Final[Template] = "axis from {low} to {high}"
_ALTERNATIVES: Final[dict[str, Template]] = {
    BARS: "Bar chart: {title}. {picture}",
    LINE: "Line chart: {title}. {picture}",
    CURVE: "Curves over time: {title}. {picture}",
    BOX: "Box plot: {title}. {picture}",
    FUNNEL: "Funnel plot: {title}. {picture}",
    FOREST: "Forest plot of effects: {title}. {picture}",
}
ALL: Final[Template] = "All"
RANK: Final[Template] = "rank {sign} {rows}"
UNKNOWN: Final[Template] = "not known"
_QUANTILE: Final[Template] = "Quantile {q}"
_QUANTILES: Final[dict[str, Template]] = {
    "0.25": "Lower quartile",
    "0.5": "Median",
    "0.75": "Upper quartile",
}
_PERCENT: Final[Template] = "{across}: per cent of each column, margins in points"
_ENDS: Final[Template] = "{first} and {last}"


@dataclass(frozen=True)
class Charted:
    """A query's figures, and what is needed to draw them.

    Attributes:
        study: as released; ``None`` where nobody can read it.
        adding: the table, where its cells may have totals.
        is_made_up: its figures are a rehearsal's.
        small: the groups that are too small for its ranks.
    """

    table: Table
    query: ReleasedQuery
    words: ReleaseWords
    study: Study | None
    adding: AddingTable | None = None
    is_made_up: bool = False
    small: SmallGroups = NONE_SMALL

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        return forms_of(self.table, self.query)

    @property
    def roles(self) -> frozenset[str]:
        """Of the columns of its table."""
        return frozenset(column.role for column in self.table.columns)

    @cached_property
    def requested(self) -> Query | None:
        """As it was asked; ``None`` where nobody can read that."""
        return None if self.study is None else self.study.query(self.query.id)

    @cached_property
    def charts(self) -> Charts:
        return charts_of(self.study, self.query, self.table, self.words)

    @cached_property
    def figures(self) -> TableFigures:
        return TableFigures(self.table, self.forms, self.words)

    @cached_property
    def cross(self) -> CrossTable | None:
        """Its cross-table, as paper has it, where its figures are one a line."""
        return cross_table(self.table, is_tall=True) if self.figures.has_intervals else None

    @cached_property
    def funnel(self) -> Funnel | None:
        """The rates of its units over their exposure, where they make a funnel."""
        return self.charts.funnel()

    @property
    def file(self) -> str:
        """Where all its lines are in the bundle."""
        name = self.query.name
        return f"results/made_up_{name}.csv" if self.is_made_up else f"results/{name}.csv"

    @property
    def picture(self) -> str:
        """What its chart is called."""
        return self.words.say(MADE_UP_PICTURE if self.is_made_up else PICTURE)

    @property
    def lines_over_periods(self) -> FigureChart | None:
        """Lines over one grouping's periods, one for each of another one's groups, few of them."""
        query = self.requested
        if query is None or len(query.by) != 2 or self.cross is None:
            return None
        times = [isinstance(one, Periods) and one.period != "weekday" for one in query.by]
        if times.count(True) != 1:
            return None
        periods = times.index(True)
        return lines_of(self.figures, periods, 1 - periods)


def drawing_of(charted: Charted) -> ChartDrawing | None:
    """The chart of a query; ``None`` where it is a table, or a single figure."""
    kind, style = charted.charts.kinds[0], charted.words.numbers
    more = (WIDTH, charted.picture, style, charted.is_made_up)
    charts = charted.charts
    if kind == CURVE:
        beside = step_words(charted.words)
        return curve_drawing(charts.curves(), charts.unit, *more, beside=beside)
    if kind == BOX:
        return _boxes(charted)
    if kind == FUNNEL:
        return _funnel(charted)
    if kind == FOREST:
        return None  # it is beside the model
    lines = charted.lines_over_periods
    if lines is not None:
        return lines_drawing(lines, *more)
    count = len(charted.table.rows)
    if charted.cross is not None or not charted.figures.has_intervals:
        return None
    if not 1 < count <= MOST_BARS:
        return None
    chart = bars_of(charted.figures, is_line=kind == LINE)
    if not chart.figures:
        return None
    return lines_drawing(chart, *more) if kind == LINE else bars_drawing(chart, *more)


def step_words(words: ReleaseWords) -> StepWords:
    """What is written beside curves over time."""
    return StepWords(
        words.say(_AT_RISK_AFTER),
        words.say(_BAND),
        lambda low, high: words.say(_AXIS, low=low, high=high),
    )


def forest_of_model(charted: Charted) -> ChartDrawing | None:
    """The coefficients or effects of its model."""
    forest, style = charted.charts.forest, charted.words.numbers
    if forest is None:
        return None
    return forest_drawing(forest, WIDTH, charted.picture, style, charted.is_made_up)


def alternative(charted: Charted, heading: str, is_first: bool) -> str:
    """What a chart is for those who do not see it; the figures themselves are in its table.

    Args:
        heading: what its section is called.
        is_first: whether it is of the query's own figures, not of what follows from them.
    """
    kind = charted.charts.kinds[0]
    if kind not in _ALTERNATIVES:
        kind = BARS if charted.lines_over_periods is None else LINE
    template = _ALTERNATIVES[kind if is_first else FOREST]
    return charted.words.say(template, title=heading, picture=charted.picture)


def _funnel(charted: Charted) -> ChartDrawing | None:
    funnel, words = charted.funnel, charted.words
    if funnel is None or charted.charts.asked is None:
        return None
    funnel_words = words_of(funnel, *charted.charts.asked, words)
    return funnel_drawing(
        funnel, funnel_words, WIDTH, charted.picture, words.numbers, charted.is_made_up
    )


def _boxes(charted: Charted) -> ChartDrawing | None:
    charts, words = charted.charts, charted.words
    write = cell_writer("number", words)
    return box_drawing(
        charts.boxes_with_ranges(),
        charts.unit,
        WIDTH,
        charted.picture,
        words.numbers,
        lambda value: write(rounded(Fraction(value), 6)),
        _box_heads(charts.quantiles, charts.unit, words),
        charted.is_made_up,
    )


def _box_heads(quantiles: tuple[Decimal, ...], unit: str, words: ReleaseWords) -> tuple[str, str]:
    """What is above the figure in the middle of a box, and above those of its ends."""
    if quantiles == QUARTILES:
        ends = words.say("Quartiles")
        return words.say("Median"), f"{ends} ({unit})" if unit else ends
    first, middle, last = map(words.number, quantiles)
    ends = words.say(_ENDS, first=first, last=last)
    return middle, f"{ends} ({unit})" if unit else ends


def cross_figures(charted: Charted, plain: Figures) -> CrossFigures | None:
    """The cross-table of a query by two groupings; ``None`` of any other, and over periods."""
    cross = charted.cross
    if cross is None or (plain.chart is not None and plain.is_all_in_chart):
        return None
    figures, columns = charted.figures, charted.table.columns
    down, across = (1, 0) if cross.is_turned else (0, 1)
    warm = heats([_value(one) for one in figures.figures], [_noisy(one) for one in figures.figures])
    totals = _Totals(charted, down, across)
    lines = []
    for places in cross.places:
        cells = [_cell(figures.figures[place], warm[place]) for place in places]
        name = figures.label_at(places[0], down)
        group = charted.table.rows[places[0]][down]
        lines.append(CrossLine(name, (*cells, *totals.of_line(group))))
    heads = [figures.label_at(place, across) for place in cross.places[0]]
    has_totals = totals.are_known
    if has_totals:
        groups = [charted.table.rows[place][across] for place in cross.places[0]]
        lines.append(CrossLine(charted.words.say(ALL), totals.of_columns(groups), is_total=True))
        heads.append(charted.words.say(ALL))
    return CrossFigures(
        columns[down].title,
        columns[across].title,
        tuple(heads),
        tuple(lines),
        has_totals,
        plain,
    )


def cross_quantiles(charted: Charted, plain: Figures) -> CrossFigures | None:
    """Quantiles side by side, a line for each group; ``None`` of what is no such table."""
    table, words, study = charted.table, charted.words, charted.study
    columns, form = table.columns, charted.forms
    groups = [at for at, column in enumerate(columns) if column.role == "group"]
    roles = [column.role for column in columns]
    if any(is_from_best(column.name) for column in columns):
        return None  # such a distance is not one of ranks alone
    if len(groups) < 2 or columns[groups[-1]].name != "quantile" or "score-bound" not in roles:
        return None
    *down, across = groups
    value, bound = roles.index("value"), roles.index("score-bound")
    write, mark = cell_writer(form[value], words), "mark" in roles and roles.index("mark")
    ranges, lines = ranges_of(charted), dict[str, list[CrossCell]]()
    for at, row in enumerate(table.rows):
        name = ", ".join(charted.figures.label_at(at, place) for place in down)
        off = words.say(RANK, sign=PLUS_MINUS, rows=cell_writer(form[bound], words)(row[bound]))
        off = ranges[at] if ranges else off
        is_noisy = mark is not False and row[mark] == YES
        cell = CrossCell(write(row[value]), off if row[bound] else words.say(UNKNOWN), is_noisy)
        lines.setdefault(name, []).append(cell)
    asked = charted.query.question.column
    return CrossFigures(
        ", ".join(columns[place].title for place in down),
        measured(study, asked) if study is not None and asked else "",
        tuple(dict.fromkeys(quantile_name(row[across], words) for row in table.rows)),
        tuple(CrossLine(name, tuple(cells)) for name, cells in lines.items()),
        has_totals=False,
        plain=plain,
    )


def ranges_of(charted: Charted) -> tuple[str, ...]:
    """Between which values the exact one of each line is; none where only ranks are known.

    A range of one value is a margin of 0.
    """
    boxes, words = charted.charts.boxes_with_ranges(), charted.words
    if not boxes or any(box.ends or not box.ranges for box in boxes):
        return ()
    write = cell_writer("number", words)
    ends = [end for box in boxes for end in box.ranges]
    texts = ([write(rounded(Fraction(one), 6)) for one in end] for end in ends)
    return tuple(
        within(low, high, words) if low != high else f"{PLUS_MINUS} 0" for low, high in texts
    )


def quantile_name(number: str, words: ReleaseWords) -> str:
    named = _QUANTILES.get(number)
    return words.say(_QUANTILE, q=words.number(number)) if named is None else words.say(named)


def cross_shares(charted: Charted) -> CrossFigures | None:
    """The same in per cent of each column; ``None`` where its figures count nothing."""
    cross, adding = charted.cross, charted.adding
    if cross is None or adding is None or not adding.has_shares or charted.lines_over_periods:
        return None
    figures, columns, rows = charted.figures, charted.table.columns, charted.table.rows
    down, across = (1, 0) if cross.is_turned else (0, 1)
    inside, beside = adding.shares((0, 1), (across,)), adding.shares((down,), ())
    decimals = decimals_of((*inside.values(), *beside.values()))
    lines = []
    for places in cross.places:
        shares = [inside[rows[place][:2]] for place in places]
        cells = tuple(
            _share_cell(with_decimals(one, decimals), charted)
            for one in (*shares, beside[rows[places[0]][down],])
        )
        lines.append(CrossLine(figures.label_at(places[0], down), cells))
    heads = [figures.label_at(place, across) for place in cross.places[0]]
    said = charted.words.say(_PERCENT, across=columns[across].title)
    all_of_them = charted.words.say(ALL)
    plain = Figures((), (), (), None, "")
    return CrossFigures(
        columns[down].title, said, (*heads, all_of_them), tuple(lines), has_totals=True, plain=plain
    )


def _share_cell(share: CellShare, charted: Charted) -> CrossCell:
    if not share.percent:
        return CrossCell("–", "", is_noisy=True)
    write = cell_writer("number", charted.words)
    has_margin = bool(share.half_width.strip("0."))
    margin = f"{PLUS_MINUS} {write(share.half_width)}" if has_margin else ""
    return CrossCell(write(share.percent), margin, share.is_noisy)


class _Totals:
    """The totals of a cross-table's lines and columns.

    Args:
        down, across: places of the groupings of its lines and of its columns.
    """

    def __init__(self, charted: Charted, down: int, across: int) -> None:
        adding = charted.adding
        self.are_known = adding is not None and adding.adds_up
        self._charted, self._value = charted, charted.figures.form_of("value")
        self._by_line: Mapping[Groups, CellTotal] = {}
        self._by_column: Mapping[Groups, CellTotal] = {}
        self._all: Mapping[Groups, CellTotal] = {}
        if adding is not None and adding.adds_up:
            self._by_line, self._by_column = adding.totals((down,)), adding.totals((across,))
            self._all = adding.totals(())

    def of_line(self, group: str) -> tuple[CrossCell, ...]:
        return (self._cell(self._by_line[group,]),) if self.are_known else ()

    def of_columns(self, groups: list[str]) -> tuple[CrossCell, ...]:
        cells = [self._cell(self._by_column[group,]) for group in groups]
        return (*cells, self._cell(self._all[()]))

    def _cell(self, total: CellTotal) -> CrossCell:
        write = cell_writer("number", self._charted.words)
        has_margin = bool(total.half_width.strip("0."))
        margin = f"{PLUS_MINUS} {write(total.half_width)}" if has_margin else ""
        return CrossCell(write(total.value), margin, total.is_noisy)


def _cell(figure: ChartFigure | None, heat: float | None) -> CrossCell:
    if figure is None:
        return CrossCell("–", "", is_noisy=True)
    return CrossCell(figure.figure, figure.beside, figure.is_noisy, heat)


def _value(figure: ChartFigure | None) -> float | None:
    return None if figure is None else figure.value


def _noisy(figure: ChartFigure | None) -> bool:
    return figure is None or figure.is_noisy
