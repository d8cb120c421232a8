# SPDX-License-Identifier: Apache-2.0
"""A bundle's privacy claim in numbers: one line a draw, in the measure of its account."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words
from dpdesk.desk.widgets.tables.data_table import DataTable, RowsModel
from dpdesk.release.reprice import read_released_study
from dpdesk.study.model.amount import Share, zero
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
            tr("ClaimTable", "95 in 100 within"),
        )
        self._claim = RowsModel(heads, right=(1, 2, 3, 4))
        self._claim.last_is_sum = True
        super().__init__(self._claim, tr("ClaimTable", "The privacy claim in numbers"))

    def show_claim(self, predicate: Any) -> None:
        """Show a manifest's claim, which was checked before."""
        measure = predicate["claim"].get("measure", "epsilon")
        study = read_released_study(predicate["study"])
        rows = [row for q in predicate["queries"] for row in _rows(_title(study, q), q, measure)]
        total = words.budget(_share(predicate["claim"][measure], measure))
        self._claim.set_rows([*rows, (self.tr("Sum"), "", total, "", "")])
        self.clearSpans()
        for place, row in enumerate(rows):
            if len(row) == 1:
                self.setSpan(place, 0, 1, self._claim.columnCount())
        # All of it: the page scrolls, and a sum is read with what it sums.
        self.fit_height(len(rows) + 1)


def _share(text: str, measure: str) -> Share:
    return type(zero(measure)).of(text)


def _title(study: Study | None, query: dict[str, Any]) -> str:
    """What a query was called when it was released."""
    found = study.query(query["id"]) if study is not None else None
    if study is None or found is None:
        return str(query["title"] or query["id"])
    return words.query_title(study, found)


def _rows(title: str, query: dict[str, Any], measure: str) -> Iterator[tuple[str, ...]]:
    """One line a draw; those of a query with several stand below its title."""
    parts = query["parts"]
    if len(parts) == 1:
        yield (title, *_numbers(parts[0], measure))
        return
    yield (title,)
    for part in parts:
        yield (INDENT + str(part["name"]).replace("_", " "), *_numbers(part, measure))


def _numbers(part: dict[str, Any], measure: str) -> tuple[str, ...]:
    scale = words.in_column(rounded(Fraction(part["scale"]), 6))
    return (
        words.in_column(part["sensitivity"]),
        words.amount(_share(part["share"], measure)),
        scale,
        f"± {words.in_column(part['half_width'])}",
    )
