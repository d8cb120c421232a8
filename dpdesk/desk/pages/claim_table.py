# SPDX-License-Identifier: Apache-2.0
"""A bundle's privacy claim in numbers: one line a draw, in the measure of its account."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.core import words
from dpdesk.desk.widgets.data_table import DataTable, RowsModel
from dpdesk.study.amount import Share, zero


class ClaimTable(DataTable):
    """Sensitivity, budget, scale and margin of each draw, and their sum."""

    def __init__(self) -> None:
        tr = QCoreApplication.translate
        heads = (
            tr("ClaimTable", "Query"),
            tr("ClaimTable", "Part"),
            tr("ClaimTable", "Sensitivity"),
            tr("ClaimTable", "Budget"),
            tr("ClaimTable", "Noise scale"),
            tr("ClaimTable", "95 in 100 within"),
        )
        self._claim = RowsModel(heads, right=(2, 3, 4, 5))
        super().__init__(self._claim, tr("ClaimTable", "The privacy claim in numbers"), stretch=-1)

    def show_claim(self, predicate: Any) -> None:
        """Show a manifest's claim, which was checked before."""
        measure = predicate["claim"].get("measure", "epsilon")
        rows = [
            _row(query, part, measure) for query in predicate["queries"] for part in query["parts"]
        ]
        total = words.budget(_share(predicate["claim"][measure], measure))
        self._claim.set_rows([*rows, (self.tr("Sum"), "", "", total, "", "")])
        self.fit_height(10)


def _share(text: str, measure: str) -> Share:
    return type(zero(measure)).of(text)


def _row(query: dict[str, Any], part: dict[str, Any], measure: str) -> tuple[str, ...]:
    scale = words.localised(_scale(float(part["scale"])))
    return (
        str(query["id"]),
        str(part["name"]),
        words.localised(part["sensitivity"]),
        words.amount(_share(part["share"], measure)),
        scale,
        f"± {words.localised(part['half_width'])}",
    )


def _scale(scale: float) -> str:
    """A noise scale with six significant digits, without an exponent."""
    digits = max(0, 5 - math.floor(math.log10(scale))) if scale > 0 else 0
    text = f"{scale:.{min(digits, 12)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
