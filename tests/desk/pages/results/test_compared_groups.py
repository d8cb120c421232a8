# SPDX-License-Identifier: Apache-2.0
"""The comparisons of a query's groups are below its figures, and gone where there are none."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.widgets.tables.rows_model import SECOND
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.compared_text import ComparedText

COLUMNS = (TableColumn("sex", "group", "", ""), TableColumn("count", "value", "", ""))
TABLE = Table("q", "Count", COLUMNS, (("f", "3"), ("m", "4")))
NUMBERS = (False, False, True, True, True, True, False)
TEXT = ComparedText(
    ("Verglichen", "Kennzahl", "Ergebnis", "mindestens", "höchstens", "p", "Anmerkung"),
    NUMBERS,
    (
        ("Andere Regionen mit Nord", "Differenz (Prozentpunkte)", "1", "−2,2", "1,3", "0,4000", ""),
        ("Andere Regionen mit Nord", "Odds Ratio", "1,3", "", "", "", "kein Bereich"),
    ),
    (("", "", "1", "-2.2", "1.3", "0.4000", ""), ("", "", "1.3", "", "", "", "")),
    "Made of the released figures.",
    ("Grundgesamtheit, 95 %", "{lowest} bis {highest}"),
)
WIDTH = 700
"""Of a card in a window of 1366 x 768."""


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
    first, second = ([model.index(row, place).data() for place in range(4)] for row in (0, 1))
    assert first == [TEXT.rows[0][0], "1", "−2,2 bis 1,3", "0,4000"]
    assert second[1:] == ["1,3", "", ""]
    below = [model.index(row, 0).data(SECOND) for row in (0, 1)]
    assert below == ["Differenz (Prozentpunkte)", "Odds Ratio; kein Bereich"]
    heads = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(4)]
    assert heads == ["Verglichen", "Ergebnis", "Grundgesamtheit, 95 %", "p"]
    assert shown.meaning.text() == TEXT.meaning
    assert shown.table.accessibleName() == "Groups compared: Count by sex"
    card.resize(WIDTH, 600)
    qtbot.wait_until(lambda: card.width() == WIDTH)
    assert shown.table.horizontalScrollBar().maximum() == 0
    card.show_compared(None)
    assert not shown.isVisible()
