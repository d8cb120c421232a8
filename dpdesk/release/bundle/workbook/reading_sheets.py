# SPDX-License-Identifier: Apache-2.0
"""The sheets that people read: declared names, figures with their decimals, what is said of them.

A question with a single figure is on the sheet of key figures, any other on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, TypeAlias

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.reconcile.cross_totals import CellShare
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.suitable_charts import BOX
from dpdesk.release.bundle.compared_text import AT_MOST, COMPARED, compared_text
from dpdesk.release.bundle.derived_lines import (
    about_derived,
    derived_figures,
    derived_heads,
    follows,
    is_least,
    unit_of,
)
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords
from dpdesk.release.bundle.readable import NUMBERS, POPULATION_ROLES, Form
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.curve_readings import has_readings
from dpdesk.release.bundle.report.key_figures import ADDED_UP, YEARS, whole_years
from dpdesk.release.bundle.report.notes.query_notes import notes_below
from dpdesk.release.bundle.report.printed_columns import (
    COUNTED,
    NOTE,
    TOO_NOISY,
    column_heading,
    column_writer,
    shown_columns,
)
from dpdesk.release.bundle.report.query_chart import Charted, alternative
from dpdesk.release.bundle.workbook.cells import shown_unit
from dpdesk.release.bundle.workbook.chart_blocks import CrossSheet, QuantileSheet, write_funnel
from dpdesk.release.bundle.workbook.data_sheets import ChartCells
from dpdesk.release.bundle.workbook.native_charts import NativeChart, write_drawn
from dpdesk.release.bundle.workbook.own_totals import OwnTotals, said_of_noisy_numbers
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.bundle.workbook.totals import SheetLine, SheetLines
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import in_text
from dpdesk.study.text.unit_names import in_query

DATA: Final[Template] = "Data"
"""What heads links to sheets of data."""
_NEAREST: Final[Template] = (
    "“{head}”: noise moved the figure and its margin out of what is possible, such as below 0; "
    "this is the possible value nearest to it."
)

_WIDEST = 34
"""Signs of a column, so that figures of a line are near its name and large enough in print."""
_CURVE_ENDS: Final[Template] = (
    "The whole curve of a group is between both ends of its band at once, in at least 95 of 100 "
    "releases. It ends where noise may leave nobody at risk."
)
_LINES_OF_SCREEN = 30
"""Lines below which heads need not stay in view, where they would be above other tables, too."""

Writer: TypeAlias = Callable[[str], str]

_ONE_A_LINE: Final[Template] = "The same figures, one a line"
_HOLDS: Final[Template] = "{head} ({holds})"
_NOISE: Final[Template] = "noise alone"
_CHANCE: Final[Template] = "noise and chance"

KEY_ROLES: Final[tuple[ColumnRole, ...]] = (
    "value",
    "population-lowest",
    "population-highest",
    "half-width",
    "lowest",
    "highest",
    "nearest",
    "part",
    "mark",
)
"""In their order: first the interval that is quoted, which holds noise and chance."""
_OF_NOISE: Final = frozenset({"half-width", "lowest", "highest"})
_DERIVED: Final[dict[int, Template]] = {
    0: "Released",
    3: "Population, lowest",
    4: "Population, highest",
    1: "Lowest",
    2: "Highest",
    5: "p",
}
"""The numbers of what follows from figures, in the order of people, by their places."""
_DERIVED_NOISE, _DERIVED_CHANCE = (1, 2), (3, 4)
"""The places of the ends of both intervals among them."""
_COMPARED_ENDS: Final = (3, 4)
"""The places of both ends of the interval of a comparison."""
_P: Final = 5
"""The place of p among them."""


@dataclass(frozen=True)
class TableSheets:
    """One query's table with all that its sheets say.

    Attributes:
        charted: with the comparisons that are shown.
        totals: which of the release's tables have totals of their own.
        data: name of its sheet of data.
        beside: where the same column has another denominator; may be empty.
        barred: where comparisons are that its sheet does not show; may be empty.
        left_to_cover: notes that the cover has.
    """

    charted: Charted
    heading: Heading
    text: ReleaseText
    totals: OwnTotals
    data: str = ""
    beside: str = ""
    barred: str = ""
    left_to_cover: frozenset[str] = frozenset()

    @property
    def table(self) -> Table:
        return self.charted.table

    @property
    def query(self) -> ReleasedQuery:
        return self.charted.query

    @property
    def file(self) -> str:
        return f"results/{self.query.name}.csv"

    @property
    def forms(self) -> tuple[Form, ...]:
        return self.charted.forms

    @cached_property
    def shown(self) -> list[tuple[int, TableColumn]]:
        """The columns that people read, each with its place."""
        return shown_columns(self.table, self.query)

    @property
    def columns(self) -> list[tuple[int, TableColumn]]:
        """Those of them that its sheet has; which figures are too noisy, a note says.

        The interval that holds noise and chance follows the figure: it is the one to quote.
        """
        # A curve's band is wider upwards than downwards: one margin would be that of neither.
        left = ("mark", *POPULATION_ROLES, *(("half-width",) * has_readings(self.charted)))
        others = [one for one in self.shown if one[1].role not in left]
        quoted = [one for one in self.shown if one[1].role in POPULATION_ROLES]
        roles = [column.role for _i, column in others]
        at = roles.index("value") + 1 if "value" in roles else len(others)
        return [*others[:at], *quoted, *others[at:]]

    @cached_property
    def boxes(self) -> QuantileSheet | None:
        """Its quantiles side by side; ``None`` of another table."""
        return QuantileSheet(self.charted) if self.charted.charts.kinds[0] == BOX else None

    @property
    def is_all_side_by_side(self) -> bool:
        """Whether quantiles side by side, with their ranges, say all that its lines do."""
        return self.boxes is not None and self.boxes.has_all

    @cached_property
    def has_chance(self) -> bool:
        """Whether its figures have a range for the population."""
        return any(column.role in POPULATION_ROLES for _i, column in self.shown)

    @cached_property
    def key_figure(self) -> dict[ColumnRole, int]:
        """The place of each column by its role, where one line says all; else none."""
        # Of a mean how many it is of has a column; events and exposure are on the sheet of data.
        columns = [
            one for one in self.shown if one[1].role != "part" or one[1].name == "noisy_rows"
        ]
        places = {column.role: place for place, column in columns}
        is_one = len(self.table.rows) == 1 and {"value", "half-width"} <= set(places)
        return places if is_one and set(places) <= set(KEY_ROLES) else {}

    @property
    def unit(self) -> str:
        """What its figures are counted in, for people; may be empty."""
        values = [i for i, column in enumerate(self.table.columns) if column.role == "value"]
        if any(self.forms[i] == "percent" for i in values):
            return "%"
        counted = DECLARATIONS[self.query.statistic].unit if values else None
        names = in_query(self.text.names, self.query.question.subject)
        known = {"rows": names.rows, "people": names.people}
        return known.get(counted or "", next((self.table.columns[i].unit for i in values), ""))

    @property
    def time_unit(self) -> str:
        """The unit of the column that it is computed of."""
        study, column = self.text.release.record.study.study, self.query.question.column
        return unit_of(study.column(column)) if study is not None else ""

    @property
    def has_own_limit(self) -> bool:
        """Whether fewer of a person's rows count in one of its groups than in the release."""
        asked = self.charted.requested
        return asked is not None and asked.rows_per_group is not None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said of it below its figures."""
        own = self.is_all_side_by_side or has_readings(self.charted)
        below = notes_below(self.charted, self.heading, self.text.names, are_ranges_explained=own)
        notes = (self.beside, *below, self.barred, *self._said_of_columns())
        return tuple(one for one in notes if one and one not in self.left_to_cover)

    @property
    def requested(self) -> str:
        """What is said above its figures: the question, and what its 100 % are."""
        said, of = self.heading.question, self.heading.left_out
        return ". ".join(filter(None, (said.rstrip("."), of))) if of else said

    def _said_of_columns(self) -> Iterator[str]:
        """What a head alone does not say."""
        words = self.text.words
        heads = [(column, self.head(column, self.forms[i])) for i, column in self.columns]
        yield from (
            words.say(_NEAREST, head=head) for column, head in heads if column.role == "nearest"
        )
        if has_readings(self.charted):
            yield words.say(_CURVE_ENDS)
        parts = [(c, head) for c, head in heads if c.role == "part" and c.name not in COUNTED]
        if beside := [head for _column, head in parts]:
            yield said_of_noisy_numbers(beside, words)

    def head(self, column: TableColumn, form: Form) -> str:
        """What heads a column; of two intervals, what each holds."""
        words = self.text.words
        head = column_heading(column, form, self.text.names, words)
        if not (self.has_chance or has_readings(self.charted)) or column.role not in (
            *_OF_NOISE,
            *POPULATION_ROLES,
        ):
            return head
        return holding(head, words, has_chance=column.role in POPULATION_ROLES)

    def head_of(self, role: str) -> str:
        """The head of its column of a role; empty where it has none."""
        columns = ((i, column) for i, column in self.columns if column.role == role)
        return next((self.head(column, self.forms[i]) for i, column in columns), "")

    def writer(self, column: TableColumn, form: Form) -> Writer:
        """What writes the cells of one of its columns."""
        if (column.name, form) not in self._writers:
            self._writers[column.name, form] = column_writer(column, form, self.text.words)
        return self._writers[column.name, form]

    @cached_property
    def _writers(self) -> dict[tuple[str, Form], Writer]:
        return {}

    @property
    def has_more(self) -> bool:
        """Whether other tables follow from its own."""
        has_others = self.table.derived is not None or self.table.compared is not None
        return has_others or bool(whole_years(self.charted))

    def is_too_noisy(self, row: Sequence[str]) -> bool:
        return any(row[i] == YES for i, column in self.shown if column.role == "mark")


def holding(head: str, words: ReleaseWords, *, has_chance: bool) -> str:
    """The head of an end of an interval, with what the interval holds."""
    return words.say(_HOLDS, head=head, holds=words.say(_CHANCE if has_chance else _NOISE))


def write_question(
    sheet: ReadingSheet, cells: ChartCells, question: TableSheets, contents: str, most: int
) -> None:
    """A query's figures side by side, where they are a cross-table; one a line; what they mean.

    Args:
        cells: those of all charts, which are written later.
        contents: name of the sheet that leads to all others.
        most: lines that the sheet may have; the sheet of data has them all.
    """
    say, charted = question.text.words.say, question.charted
    links = ((contents, f"← {contents}"), (question.data, f"{say(DATA)} →"))
    sheet.widest = _WIDEST
    left = sheet.top(question.heading.title, question.requested, links)
    is_alone = question.totals.are_of(question.table)
    lines = SheetLines(charted, is_alone)
    cross = CrossSheet.of(charted, lines.adding)
    drawn, room = NativeChart.of(charted) if cross is None else cross.chart, None
    said = alternative(charted, question.heading.title, is_first=True)
    boxes = question.boxes
    is_only = not (cross or boxes or drawn or charted.funnel or question.has_more)
    if not is_only and len(question.table.rows) <= _LINES_OF_SCREEN:
        sheet.keep_in_view()
    if cross is not None:
        sheet.at += 1
        cross.write(sheet, question.head_of)
        room = sheet.leave_room() if cross.chart is not None else None
    elif boxes is not None:
        sheet.at += 1
        boxes.write(sheet, cells, question.head_of, said)
    if not question.is_all_side_by_side:
        _write_lines(sheet, question, lines, most, is_second=bool(cross or boxes))
    if len(question.table.rows) > most:
        sheet.paragraph(say("The other lines are on the sheet {name}.", name=question.data))
    has_total = is_alone and lines.adding is not None
    totals = question.totals.said_of(question.table) if has_total else ()
    value = question.head_of("value")
    if drawn is not None and room is None:
        room = sheet.leave_room()
    _write_years(sheet, question)
    # As in the report, what is read off curves is above their notes.
    if has_readings(charted):
        _write_derived(sheet, question)
    sheet.notes((*left, *totals, *question.notes))
    write_funnel(sheet, cells, charted, value, said)
    if not has_readings(charted):
        _write_derived(sheet, question)
    _write_compared(sheet, question)
    if drawn is not None and room is not None:
        at, column = drawn.label, question.table.columns[drawn.label]
        label = question.head(column, question.forms[at])
        cells.keep(sheet, room, said, partial(write_drawn, drawn=drawn, label=label, value=value))
    sheet.fit()


def _write_lines(
    sheet: ReadingSheet, question: TableSheets, lines: SheetLines, most: int, *, is_second: bool
) -> None:
    """The lines under their heads, which stay in view where nothing does so far.

    Args:
        is_second: the same figures are above them, side by side.
    """
    columns = question.columns
    forms, shares = question.forms, lines.share_heads
    heads = [*(question.head(column, forms[i]) for i, column in columns), *shares]
    are_numbers = [*(forms[i] in NUMBERS for i, _column in columns), *(True for _head in shares)]
    if lines.adding is not None or len(columns) < len(question.shown):
        heads, are_numbers = [*heads, question.text.words.say(NOTE)], [*are_numbers, False]
    if is_second:
        sheet.at += 1
        sheet.line((question.text.words.say(_ONE_A_LINE),), sheet.looks.bold)
    if sheet.is_kept or is_second:
        sheet.heads_below(heads, are_numbers)
    else:
        sheet.heads(heads, are_numbers)
    for line in lines.lines(most):
        for place, (i, column) in enumerate(columns):
            _write_cell(sheet, place, line, i, question.writer(column, forms[i]), forms[i])
        if line.share is not None:
            _write_share(sheet, len(columns), line, line.share)
        if line.note:
            look = sheet.looks.total(is_first=False) if line.is_total else None
            sheet.note(len(heads) - 1, line.note, look)
        sheet.at += 1


def _write_cell(
    sheet: ReadingSheet, place: int, line: SheetLine, at: int, write: Writer, form: Form
) -> None:
    text, looks = line.cells[at], sheet.looks
    if at in line.labels:
        sheet.cell(place, line.labels[at], looks.total(is_first=place == 0))
    elif form in NUMBERS and text:
        look = looks.number(text, form, "", line.is_noisy, line.is_total)
        sheet.figure(place, text, write(text), form, look)
    else:
        sheet.cell(place, "" if line.is_total else write(text))


def _write_share(sheet: ReadingSheet, place: int, line: SheetLine, share: CellShare) -> None:
    """What a line is per cent, and within how many points."""
    is_quiet = share.is_noisy or line.is_noisy
    texts = (share.percent, share.half_width if share.half_width.strip("0.") else "")
    for at, text in enumerate(texts, start=place):
        if text:
            look = sheet.looks.number(text, "number", "", is_quiet, line.is_total)
            sheet.figure(at, text, text, "number", look)


def _write_years(sheet: ReadingSheet, question: TableSheets) -> None:
    """The totals of whole years and their changes, which the report has below the chart."""
    say, years = question.text.words.say, whole_years(question.charted)
    if not years:
        return
    sheet.at += 1
    sheet.line((say(YEARS),), sheet.looks.bold)
    sheet.paragraph(say(ADDED_UP), sheet.looks.quiet)
    figures = (question.head_of("value"), question.head_of("half-width"))
    heads = (question.table.columns[0].title, *figures, say(NOTE))
    sheet.heads_below(heads, (False, True, True, False))
    for name, total in years.items():
        sheet.cell(0, name)
        for place, text in enumerate((total.value, total.half_width), start=1):
            look = sheet.looks.number(text, "number", "", total.is_noisy)
            sheet.figure(place, text, text, "number", look)
        sheet.note(3, say(TOO_NOISY) if total.is_noisy else "")
        sheet.at += 1


def _write_derived(sheet: ReadingSheet, question: TableSheets) -> None:
    """What follows from the figures, below them: a number a cell."""
    words, points = question.text.words, question.text.names.points
    figures = derived_figures(question.table, question.time_unit, points, words)
    if not figures:
        return
    places = [place for place in _DERIVED if any(figure.numbers[place] for figure in figures)]
    notes = [NOTE] if any(one.note for one in figures) else []
    named = [*derived_heads(question.table, words)[:2], words.say("Unit")]
    numbers = [_derived_head(place, words) for place in places]
    heads = [*named, *numbers, *map(words.say, notes)]
    are_numbers = [*(False for _head in named), *(True for _head in numbers), False]
    sheet.at += 1
    sheet.line((follows(question.table, words),), sheet.looks.bold)
    sheet.paragraph(about_derived(question.table, words), sheet.looks.quiet)
    sheet.heads_below(heads, are_numbers[: len(heads)])
    for one in figures:
        for place, text in enumerate((one.name, one.group, one.unit)):
            sheet.cell(place, text)
        for place, at in enumerate(places, start=3):
            if number := one.numbers[at]:
                form = "number" if at == _P else one.form
                if at == _P and is_least(number):
                    least = words.say(AT_MOST, p=in_text(number, words.numbers))
                    sheet.figure(place, "", least, "text", None)
                    continue
                look = sheet.looks.number(number, form)
                sheet.figure(place, number, number, form, look)
        sheet.note(3 + len(places), one.note)
        sheet.at += 1


def _derived_head(place: int, words: ReleaseWords) -> str:
    head = words.say(_DERIVED[place])
    if place not in (*_DERIVED_NOISE, *_DERIVED_CHANCE):
        return head
    return holding(head, words, has_chance=place in _DERIVED_CHANCE)


def _write_compared(sheet: ReadingSheet, question: TableSheets) -> None:
    """The comparisons of its groups, below its figures."""
    words, points = question.text.words, question.text.names.points
    found = compared_text(question.table, question.query, words, points)
    if found is None:
        return
    sheet.at += 1
    sheet.line((words.say(COMPARED),), sheet.looks.bold)
    sheet.paragraph(found.meaning, sheet.looks.quiet)
    heads = [
        holding(head, words, has_chance=True) if place in _COMPARED_ENDS else head
        for place, head in enumerate(found.heads)
    ]
    sheet.heads_below(heads, found.numeric)
    for row, figures in zip(found.rows, found.figures, strict=True):
        for place, (text, figure) in enumerate(zip(row, figures, strict=True)):
            look = sheet.looks.number(figure, "number") if figure else None
            sheet.figure(place, figure, text, "number" if figure else "text", look)
        sheet.at += 1


def write_key_figures(
    sheet: ReadingSheet, title: str, questions: Sequence[TableSheets], contents: str
) -> None:
    """One line for each question that has a single figure."""
    first, say = questions[0], questions[0].text.words.say
    key_columns = [q.table.columns[i] for q in questions for i in q.key_figure.values()]
    columns = {c.role: TableColumn(c.name, c.role, "", "") for c in key_columns}
    roles = [role for role in KEY_ROLES if role in columns]
    figures = [first.head(columns[role], "number") for role in roles]
    heads = [say("Question"), *figures, say("Unit"), say("What was counted"), say(DATA)]
    sheet.top(title, "", ((contents, f"← {contents}"),))
    sheet.heads(heads, [False, *(role != "mark" for role in roles), False, False, False])
    for question in questions:
        _write_key_figure(sheet, question, roles)
    notes = ((one.heading.left_out, *one.notes) for one in questions)
    sheet.notes(note for own in notes for note in own)
    sheet.fit()


def _write_key_figure(
    sheet: ReadingSheet, question: TableSheets, roles: Sequence[ColumnRole]
) -> None:
    row, words = question.table.rows[0], question.text.words
    sheet.cell(0, question.heading.title)
    for place, role in enumerate(roles, start=1):
        if role not in question.key_figure:
            continue
        i = question.key_figure[role]
        column, form = question.table.columns[i], question.forms[i]
        is_number = form in NUMBERS and row[i] != ""
        unit = question.text.names.points if form == "points" else shown_unit(column.unit)
        is_quiet = question.is_too_noisy(row)
        look = sheet.looks.number(row[i], form, unit, is_quiet) if is_number else None
        sheet.figure(place, row[i], column_writer(column, form, words)(row[i]), form, look)
    sheet.cell(len(roles) + 1, question.unit)
    sheet.cell(len(roles) + 2, question.heading.question)
    sheet.link(len(roles) + 3, question.data, question.data)
    sheet.at += 1
