# SPDX-License-Identifier: Apache-2.0
"""The comparisons of a query's groups are below its figures, and gone where there are none."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.compared_text import ComparedText

COLUMNS = (TableColumn("sex", "group", "", ""), TableColumn("count", "value", "", ""))
TABLE = Table("q", "Count", COLUMNS, (("f", "3"), ("m", "4")))
TEXT = ComparedText(
    ("Compared", "Figure", "Released", "p"),
    (False, False, True, True),
    (("m with f", "Difference", "1", "0.4000"), ("m with f", "Ratio", "1.3", "0.4000")),
    (("", "", "1", "0.4000"), ("", "", "1.3", "0.4000")),
    "Made of the released figures.",
)


def test_comparisons_are_below_the_figures(qtbot: QtBot) -> None:
    card = ResultTable()
    qtbot.addWidget(card)
    card.show_table(TABLE, "Count by sex", "count")
    card.show_compared(None)
    assert card.compared is None
    card.show_compared(TEXT)
    card.show()
    shown = card.compared
    assert shown is not None and shown.isVisible()
    model = shown.table.model()
    assert [model.index(0, place).data() for place in range(4)] == list(TEXT.rows[0])
    heads = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(4)]
    assert heads == list(TEXT.heads)
    assert shown.meaning.text() == TEXT.meaning
    assert shown.table.accessibleName() == "Groups compared: Count by sex"
    card.show_compared(None)
    assert not shown.isVisible()
