# SPDX-License-Identifier: Apache-2.0
"""How useful the figures are: margins of the tables, and what clipping may have shifted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.compared_text import compares_groups
from dpdesk.release.bundle.report.report_blocks import Paragraph, Section
from dpdesk.release.dossier.blocks import grid, number
from dpdesk.release.dossier.constants import rules
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.columns import DateColumn, NumberColumn, column_title
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import in_percent
from dpdesk.study.text.unit_names import POINTS, named_unit

_MARGINS = ("half-width", "share-half-width", "score-bound")

_COMPARED: Final[Template] = (
    "Groups are compared (differences, ratios, odds ratios, trends, tests) in: {titles}. That is "
    "computed from released figures alone and costs nothing; intervals and p-values count noise "
    "and chance."
)


@dataclass(frozen=True)
class Utility:
    """One table's use.

    Attributes:
        figures: how many lines it has.
        least, most: its smallest and largest margin as plain decimals; empty where it has none.
        too_noisy: how many lines are marked as too noisy to use.
    """

    query: str
    figures: int
    least: str
    most: str
    unit: str
    too_noisy: int


def utilities(subject: Subject) -> Iterator[Utility]:
    """Of each table that can be made again."""
    for query in subject.record.queries:
        table = subject.tables.get(query.id)
        if table is not None:
            yield _utility(table, query)


def _utility(table: Table, query: ReleasedQuery) -> Utility:
    places = [i for i, column in enumerate(table.columns) if column.role in _MARGINS][:1]
    margins = sorted((row[i] for row in table.rows for i in places if row[i]), key=Decimal)
    least, most = (margins[0], margins[-1]) if margins else ("", "")
    unit = _unit(table.columns[places[0]], query) if places else ""
    return Utility(table.id, len(table.rows), least, most, unit, table.too_noisy)


def _unit(column: TableColumn, query: ReleasedQuery) -> str:
    """Of a margin: a choice's is named by its column, ``rows_off_95``, a count's by what it counts.

    A share's has none here: people read percentage points, programs a number up to 1.
    """
    if column.role == "score-bound":
        return column.name.partition("_")[0]
    declared = DECLARATIONS[query.statistic]
    counts = declared.unit if declared.unit in ("rows", "people") and not declared.is_share else ""
    return column.unit or (query.question.subject if counts == "rows" else counts)


def utility_section(subject: Subject) -> Section:
    words = subject.words
    say = words.say
    heads = (say("Statistic"), say("Lines"), say("± 95 %"), say("Too noisy to use"))
    margins = grid(heads, _margin_rows(subject), words, (1, 3))
    clipped = tuple(_clipped(subject))
    columns = (say("Column"), say("Bounds"), say("Rules for other cells"))
    clipping = grid(columns, clipped, words) if clipped else ()
    kept = say(
        "At most {k} rows of one unit count; which ones is chosen at random. Cells beyond the "
        "bounds are treated as declared below. Both shift the exact figure that the margins are "
        "about; by how much depends on the data and is not published.",
        k=number(subject.record.claim.max_rows, words),
    )
    said = (*margins, *_compared(subject), Paragraph(kept), *clipping)
    return Section(say("Utility: margins and clipping"), said)


def _compared(subject: Subject) -> Iterator[Paragraph]:
    """Of which tables groups are compared, which costs nothing more."""
    record = subject.record
    titles = [subject.headings[q.id].title for q in record.queries if compares_groups(record, q)]
    if titles:
        yield Paragraph(subject.words.say(_COMPARED, titles="; ".join(titles)))


def _margin_rows(subject: Subject) -> Iterator[tuple[str, ...]]:
    words = subject.words
    shares = {q.id for q in subject.record.queries if DECLARATIONS[q.statistic].is_share}
    for found in utilities(subject):
        is_share = found.query in shares
        ends = (found.least, found.most)
        least, most = (
            in_percent(end, words.numbers) if is_share else number(end, words) for end in ends
        )
        margin = words.say("{least} to {most}", least=least, most=most)
        if least == most:
            margin = least or "–"
        unit = named_unit(POINTS if is_share else found.unit, subject.names)
        title = subject.headings[found.query].title
        yield title, str(found.figures), f"{margin} {unit}".strip(), str(found.too_noisy)


def _clipped(subject: Subject) -> Iterator[tuple[str, str, str]]:
    """Number and date columns that a query uses."""
    study, words = subject.record.study.study, subject.words
    if study is None:
        return
    for column in study.columns:
        if column.name not in study.used_names:
            continue
        if isinstance(column, NumberColumn):
            ends = [number(end, words) for end in (column.lower, column.upper)]
            bounds = words.say("{lower} to {upper}", lower=ends[0], upper=ends[1])
            yield column_title(column), bounds, rules(column, words)
        elif isinstance(column, DateColumn):
            first, last = (words.day(str(day)) for day in (column.first, column.last))
            period = words.say("{first} to {last}", first=first, last=last)
            yield column_title(column), period, rules(column, words)
