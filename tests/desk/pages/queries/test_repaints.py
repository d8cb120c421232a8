# SPDX-License-Identifier: Apache-2.0
"""What an edit leaves as it was is not painted anew: a share follows the hand that types it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.widgets.inputs.chip import Chip
from tests.desk.conftest import OpenWindow
from tests.desk.event_counts import EventCount
from tests.desk.screens import settle


@pytest.mark.painted
@pytest.mark.in_turn(2)
def test_typing_a_share_paints_only_what_it_changes(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file, page="queries")
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
    gauge = EventCount(QEvent.Type.Paint, window.panel.gauge)
    others = EventCount(QEvent.Type.Paint, *chips, window.rail.item("data"))
    QTest.keyClicks(edit, "3")
    settle()
    assert chips and gauge.times and not others.times
