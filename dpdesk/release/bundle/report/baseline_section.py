# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in the report: laid out as journals print it, its notes below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.release.bundle.baseline.released import ReleasedBaseline
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.report_blocks import (
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
    Paragraph,
    Section,
)
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.parameters import PropertyParameters

_OTHER_SHARES: Final[Template] = (
    "Section {number} uses a different denominator for {column}: it says which {rows} are its "
    "100 %."
)
_OF_ALL: Final[Template] = (
    "Section {number} uses a different denominator for {column}: there the 100 % are all {rows} "
    "of a column."
)


def other_shares(
    table: ReleasedBaseline, number: str, shares: Mapping[str, Charted], words: ReleaseWords
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Where per cent of one characteristic are of all rows here, and of fewer there.

    Args:
        number: of the table's section.
        shares: the queries of the other sections, by their numbers.
        words: of the language.

    Returns:
        What is said below the table, and below each of the other sections.
    """
    counted = [o.column for o in table.layout.table.characteristics if not o.needs_number]
    here, there = list[str](), dict[str, str]()
    for place, one in shares.items():
        asked, study = one.requested, one.study
        if study is None or asked is None or not asked.declaration.is_share:
            continue
        limited = {condition.column for condition in asked.where}
        own = asked.parameters
        tested = limited.intersection(own.names) if isinstance(own, PropertyParameters) else ()
        for column in (study.column(name) for name in counted if name in tested):
            called = "" if column is None else column_title(column)
            said = {"column": called, "rows": table.printed.counted}
            here.append(words.say(_OTHER_SHARES, number=place, **said))
            there[place] = words.say(_OF_ALL, number=number, **said)
    return tuple(here), there


def baseline_section(table: PrintedTable, number: str, beside: Sequence[str] = ()) -> Section:
    """One table.

    Args:
        table: in the report's language.
        number: what it is listed under.
        beside: where else per cent of its characteristics are, and how they differ.
    """
    notes = Paragraph(" ".join((*table.notes_on_pages, *beside)), "quiet")
    return Section(table.title, (_figures(table), notes), number, common=table.common)


def _figures(table: PrintedTable) -> CrossFigures:
    pairs = zip(table.columns, table.heads, strict=True)
    heads = tuple(f"{column}\n{_unbroken(head)}" for column, head in pairs)
    return CrossFigures(
        corner="",
        across="",
        heads=heads,
        lines=tuple(_line(row, len(heads)) for row in table.rows),
        has_totals=False,
        plain=_as_list(table, heads),
    )


def _unbroken(head: PrintedCell) -> str:
    """How many are in a column, broken before the margin alone."""
    parts = (_together(head.text), _together(head.margin_only))
    return " ".join(filter(None, parts))


def _together(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _line(row: PrintedRow, columns: int) -> CrossLine:
    cells = tuple(map(_cell, _cells(row, columns)))
    # A characteristic whose categories follow is a band across the table.
    return CrossLine(row.stub, cells, is_total=not row.cells)


def _cells(row: PrintedRow, columns: int) -> Sequence[PrintedCell]:
    """Its cells; empty ones where only categories below it have some."""
    return row.cells or [PrintedCell("")] * columns


def _cell(cell: PrintedCell) -> CrossCell:
    return CrossCell(cell.text, cell.margins, cell.is_noisy)


def _as_list(table: PrintedTable, heads: tuple[str, ...]) -> Figures:
    """The same with each figure and its margin in one text, for pages without room across."""
    rows = [
        FigureRow((row.stub, *(cell.whole for cell in _cells(row, len(heads)))), is_noisy=False)
        for row in table.rows
    ]
    numeric = (False, *(True for _head in heads))
    return Figures(("", *heads), numeric, rows, None, f"tables/{table.file_name}.csv")
