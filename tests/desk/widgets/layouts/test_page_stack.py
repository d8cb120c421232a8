# SPDX-License-Identifier: Apache-2.0
"""A page that goes is not searched for a control that nobody will have."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.layouts.page_stack import PageStack
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


class Asked(QWidget):
    """A page of two fields that counts how often it is asked for its next stop of Tab."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0
        self.edits = [QLineEdit(), QLineEdit()]
        column = QVBoxLayout(self)
        for edit in self.edits:
            column.addWidget(edit)

    def focusNextPrevChild(self, forward: bool) -> bool:
        self.times += 1
        return super().focusNextPrevChild(forward)


def test_the_keyboard_leaves_a_page_before_the_page_goes(qtbot: QtBot) -> None:
    window, stack, beside = QWidget(), PageStack(), QLineEdit()
    column = QVBoxLayout(window)
    column.addWidget(stack)
    column.addWidget(beside)
    pages = [Asked(), Asked()]
    for page in pages:
        stack.addWidget(page)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    pages[0].edits[0].setFocus()
    stack.setCurrentWidget(pages[1])
    assert pages[1].isVisible() and not pages[0].isVisible()
    assert window.focusWidget() is None and pages[0].times == 0
    beside.setFocus()
    stack.setCurrentWidget(pages[0])
    assert window.focusWidget() is beside, "elsewhere it stays"
    pages[0].edits[1].setFocus()
    stack.setCurrentWidget(pages[0])
    assert window.focusWidget() is pages[0].edits[1], "and where the page is on show already"


def test_the_keyboard_leaves_the_windows_pages_and_comes_to_what_is_first(
    open_window: OpenWindow, study_file: Path, qapp: QApplication
) -> None:
    """After a study was closed, nothing had it: Return and a screen reader were nowhere."""
    window = open_window(study_file)
    window.go_to("columns")
    settle()
    came: list[QWidget | None] = []
    qapp.focusChanged.connect(lambda _before, now: came.append(now))
    page = window.pages["data"]
    window.go_to("data")
    assert came[0] is None and page.isAncestorOf(window.focusWidget())
    came.clear()
    window.session.document.close()
    settle()
    assert came[0] is None and window.focusWidget() is window.welcome.first_way
