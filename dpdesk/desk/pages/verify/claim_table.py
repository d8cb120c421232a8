# SPDX-License-Identifier: Apache-2.0
"""A bundle's privacy claim in numbers: one line a draw, in the measure of its account."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.bundle.metadata.datapackage import part_name
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery, ReleaseRecord
from dpdesk.study.model.document import Study
from dpdesk.study.text.number_text import rounded

INDENT = "\N{EM SPACE}"


class ClaimTable(DataTable):
    """Sensitivity, budget, scale and margin of each draw, and their sum."""

    def __init__(self) -> None:
        tr = QCoreApplication.translate
        heads = (
            tr("ClaimTable", "Query"),
            tr("ClaimTable", "Sensitivity"),
            tr("ClaimTable", "Budget"),
            tr("ClaimTable", "Noise scale"),
            tr("ClaimTable", "± (95 in 100)"),
        )
        self._claim = RowsModel(heads, right=(1, 2, 3, 4))
        self._claim.last_is_sum = True
        super().__init__(self._claim, tr("ClaimTable", "The privacy claim in numbers"))

    def show_claim(self, record: ReleaseRecord) -> None:
        study = record.study.study
        rows = [row for query in record.queries for row in _rows(_title(study, query), query)]
        total = words.budget(record.claim.total)
        self._claim.set_rows([*rows, (self.tr("Sum"), "", total, "", "")])
        self.clearSpans()
        for place, row in enumerate(rows):
            if len(row) == 1:
                self.setSpan(place, 0, 1, self._claim.columnCount())
        # All of it: the page scrolls, and a sum is read with what it sums.
        self.fit_height(len(rows) + 1)


def _title(study: Study | None, query: ReleasedQuery) -> str:
    planned = study.query(query.id) if study is not None else None
    if study is None or planned is None:
        return query.title or query.id
    return words.query_title(study, planned)


def _rows(title: str, query: ReleasedQuery) -> Iterator[tuple[str, ...]]:
    """One line a draw; those of a query with several stand below its title."""
    if len(query.draws) == 1:
        yield (title, *_numbers(query.draws[0]))
        return
    yield (title,)
    for draw in query.draws:
        part = part_name(draw.name, ReleaseWords.of(catalogue().language))
        yield (INDENT + part, *_numbers(draw))


def _numbers(draw: ReleasedDraw) -> tuple[str, ...]:
    return (
        words.in_column(str(draw.sensitivity)),
        words.amount(draw.share),
        words.in_column(rounded(Fraction(repr(draw.noise.scale)), 6)),
        f"± {words.in_column(str(draw.half_width))}",
    )
