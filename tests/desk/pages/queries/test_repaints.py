# SPDX-License-Identifier: Apache-2.0
"""What an edit leaves as it was is not painted anew: a share follows the hand that types it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.widgets.inputs.chip import Chip
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


class Painted(QObject):
    """Counts how often widgets are painted."""

    def __init__(self, *widgets: QObject) -> None:
        super().__init__(widgets[0])
        self.times: Counter[str] = Counter()
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count it."""
        if event.type() is QEvent.Type.Paint:
            self.times[type(watched).__name__] += 1
        return False


def test_typing_a_share_paints_only_what_it_changes(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.go_to("queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    settle()
    card = page.card(page.selected)
    chips = [chip for chip in card.sentence.findChildren(Chip) if chip.isVisible()]
    edit = card.accuracy.share.edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "0.1")
    settle()
    watch = Painted(window.panel.gauge, *chips, window.rail.item("data"))
    QTest.keyClicks(edit, "3")
    settle()
    assert chips and watch.times["BudgetGauge"]
    assert not watch.times["Chip"] and not watch.times["RailItem"]
