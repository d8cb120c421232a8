# SPDX-License-Identifier: Apache-2.0
"""The sheets that people read: declared names, figures with their decimals, what is said of them.

A question with a single figure is on the sheet of key figures, any other on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.reconcile.cross_totals import CellShare
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.compared_text import COMPARED, compared_text
from dpdesk.release.bundle.derived_lines import (
    about_derived,
    derived_figures,
    derived_heads,
    follows,
    unit_of,
)
from dpdesk.release.bundle.query_headings import Heading
from dpdesk.release.bundle.readable import NUMBERS, Form
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.printed_columns import (
    NOTE,
    column_heading,
    column_writer,
    shown_columns,
)
from dpdesk.release.bundle.report.query_chart import Charted, alternative
from dpdesk.release.bundle.report.query_section import notes_below
from dpdesk.release.bundle.workbook.cells import shown_unit
from dpdesk.release.bundle.workbook.chart_blocks import write_chart_block
from dpdesk.release.bundle.workbook.native_charts import SheetChart
from dpdesk.release.bundle.workbook.own_totals import OwnTotals, said_of_noisy_numbers
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.bundle.workbook.totals import SheetLine, SheetLines
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.unit_names import in_query

DATA: Final[Template] = "Data"
"""What heads links to sheets of data."""
_NEAREST: Final[Template] = (
    "“{head}”: noise moved the figure and its margin out of what is possible, such as below 0; "
    "this is the possible value nearest to it."
)

Writer: TypeAlias = Callable[[str], str]

KEY_ROLES: Final[tuple[ColumnRole, ...]] = (
    "value",
    "half-width",
    "lowest",
    "highest",
    "nearest",
    "population-lowest",
    "population-highest",
    "part",
    "mark",
)
_DERIVED: Final[tuple[Template, ...]] = (
    "Released",
    "Lowest",
    "Highest",
    "Population, lowest",
    "Population, highest",
    "p",
)
_P: Final = 5
"""The place of p among them."""


@dataclass(frozen=True)
class TableSheets:
    """One query's table with all that its sheets say.

    Attributes:
        totals: which of the release's tables have totals of their own.
        data: name of its sheet of data.
    """

    charted: Charted
    heading: Heading
    text: ReleaseText
    totals: OwnTotals
    data: str = ""

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
        """Those of them that its sheet has; which figures are too noisy, a note says."""
        return [(i, column) for i, column in self.shown if column.role != "mark"]

    @cached_property
    def key_figure(self) -> dict[ColumnRole, int]:
        """The place of each column by its role, where one line says all; else none."""
        # Of a mean how many it is of has a column; events and exposure are on the sheet of data.
        told = [one for one in self.shown if one[1].role != "part" or one[1].name == "noisy_rows"]
        places = {column.role: place for place, column in told}
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
    def notes(self) -> tuple[str, ...]:
        """What is said of it below its figures."""
        below = notes_below(self.charted, self.heading, self.text.names)
        said = (self.heading.left_out, *below, *self._said_of_columns())
        return tuple(filter(None, said))

    def _said_of_columns(self) -> Iterator[str]:
        """What a head alone does not say."""
        words = self.text.words
        heads = [(column, self.head(column, self.forms[i])) for i, column in self.columns]
        yield from (
            words.say(_NEAREST, head=head) for column, head in heads if column.role == "nearest"
        )
        beside = [head for column, head in heads if column.role == "part"]
        if beside:
            yield said_of_noisy_numbers(beside, words)

    def head(self, column: TableColumn, form: Form) -> str:
        return column_heading(column, form, self.text.names, self.text.words)

    def writer(self, column: TableColumn, form: Form) -> Writer:
        """What writes the cells of one of its columns."""
        if (column.name, form) not in self._writers:
            self._writers[column.name, form] = column_writer(column, form, self.text.words)
        return self._writers[column.name, form]

    @cached_property
    def _writers(self) -> dict[tuple[str, Form], Writer]:
        return {}

    def is_too_noisy(self, row: Sequence[str]) -> bool:
        return any(row[i] == YES for i, column in self.shown if column.role == "mark")


def write_question(sheet: ReadingSheet, question: TableSheets, contents: str, most: int) -> None:
    """A query's figures under their heads, with totals where lines add up.

    Args:
        contents: name of the sheet that leads to all others.
        most: lines that the sheet may have; the sheet of data has them all.
    """
    say = question.text.words.say
    links = ((contents, f"← {contents}"), (question.data, f"{say(DATA)} →"))
    left = sheet.top(question.heading.title, question.heading.question, links)
    is_alone = question.totals.are_of(question.table)
    lines = SheetLines(question.charted, is_alone)
    first = _write_lines(sheet, question, lines, most)
    if len(question.table.rows) > most:
        sheet.paragraph(say("The other lines are on the sheet {name}.", name=question.data))
    has_total = is_alone and lines.adding is not None
    totals = question.totals.said_of(question.table) if has_total else ()
    sheet.notes((*left, *totals, *question.notes))
    _write_chart(sheet, question, first)
    _write_derived(sheet, question)
    _write_compared(sheet, question)
    sheet.fit()


def _write_chart(sheet: ReadingSheet, question: TableSheets, first: int) -> None:
    """The chart of its lines, below them; of some, of figures that are set out for it."""
    told, charted = question.columns, question.charted
    heads = [question.head(column, question.forms[i]) for i, column in told]
    pairs = zip(heads, told, strict=True)
    values = (head for head, (_i, column) in pairs if column.role == "value")
    said = alternative(charted, question.heading.title, is_first=True)
    if write_chart_block(sheet, charted, next(values, ""), said):
        return
    chart = SheetChart(charted, sheet.name, first, told).made(sheet.looks, heads)
    if chart is not None:
        sheet.chart(chart, said)


def _write_lines(sheet: ReadingSheet, question: TableSheets, lines: SheetLines, most: int) -> int:
    """The lines under their heads; which of the sheet's is the first."""
    told = question.columns
    forms, shares = question.forms, lines.share_heads
    heads = [*(question.head(column, forms[i]) for i, column in told), *shares]
    are_numbers = [*(forms[i] in NUMBERS for i, _column in told), *(True for _head in shares)]
    if lines.adding is not None or len(told) < len(question.shown):
        heads, are_numbers = [*heads, question.text.words.say(NOTE)], [*are_numbers, False]
    sheet.heads(heads, are_numbers)
    first = sheet.at
    for line in lines.lines(most):
        for place, (i, column) in enumerate(told):
            _write_cell(sheet, place, line, i, question.writer(column, forms[i]), forms[i])
        if line.share is not None:
            _write_share(sheet, len(told), line, line.share)
        if line.note:
            look = sheet.looks.total(is_first=False) if line.is_total else None
            sheet.cell(len(heads) - 1, line.note, look)
        sheet.at += 1
    return first


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


def _write_derived(sheet: ReadingSheet, question: TableSheets) -> None:
    """What follows from the figures, below them: a number a cell."""
    words, points = question.text.words, question.text.names.points
    figures = derived_figures(question.table, question.time_unit, points, words)
    if not figures:
        return
    told = [place for place in range(len(_DERIVED)) if any(one.numbers[place] for one in figures)]
    notes = [NOTE] if any(one.note for one in figures) else []
    named = [*derived_heads(question.table, words)[:2], words.say("Unit")]
    heads = [*named, *(words.say(head) for head in (*(_DERIVED[place] for place in told), *notes))]
    are_numbers = [*(False for _head in named), *(True for _place in told), False]
    sheet.at += 1
    sheet.line((follows(question.table, words),), sheet.looks.bold)
    sheet.paragraph(about_derived(question.table, words), sheet.looks.quiet)
    sheet.heads_below(heads, are_numbers[: len(heads)])
    for one in figures:
        for place, text in enumerate((one.name, one.group, one.unit)):
            sheet.cell(place, text)
        for place, number in enumerate((one.numbers[at] for at in told), start=3):
            if number:
                form = "number" if told[place - 3] == _P else one.form
                look = sheet.looks.number(number, form)
                sheet.figure(place, number, number, form, look)
        sheet.cell(3 + len(told), one.note)
        sheet.at += 1


def _write_compared(sheet: ReadingSheet, question: TableSheets) -> None:
    """The comparisons of its groups, below its figures."""
    words, points = question.text.words, question.text.names.points
    found = compared_text(question.table, question.query, words, points)
    if found is None:
        return
    sheet.at += 1
    sheet.line((words.say(COMPARED),), sheet.looks.bold)
    sheet.paragraph(found.meaning, sheet.looks.quiet)
    sheet.heads_below(found.heads, found.numeric)
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
    told = [q.table.columns[i] for q in questions for i in q.key_figure.values()]
    columns = {c.role: TableColumn(c.name, c.role, "", "") for c in told}
    roles = [role for role in KEY_ROLES if role in columns]
    figures = [first.head(columns[role], "number") for role in roles]
    heads = [say("Question"), *figures, say("Unit"), say("What was counted"), say(DATA)]
    sheet.top(title, "", ((contents, f"← {contents}"),))
    sheet.heads(heads, [False, *(role != "mark" for role in roles), False, False, False])
    for question in questions:
        _write_key_figure(sheet, question, roles)
    sheet.notes(note for question in questions for note in question.notes)
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
        unit, is_quiet = shown_unit(column.unit), question.is_too_noisy(row)
        look = sheet.looks.number(row[i], form, unit, is_quiet) if is_number else None
        sheet.figure(place, row[i], column_writer(column, form, words)(row[i]), form, look)
    sheet.cell(len(roles) + 1, question.unit)
    sheet.cell(len(roles) + 2, question.heading.question)
    sheet.link(len(roles) + 3, question.data, question.data)
    sheet.at += 1
