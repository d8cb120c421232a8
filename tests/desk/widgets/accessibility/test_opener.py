# SPDX-License-Identifier: Apache-2.0
"""Screen readers learn which buttons open something, and whether it is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.widgets.accessibility.opener import OPEN, PRESS, open_menu, show_open
from dpdesk.desk.widgets.buttons import menu_button, secondary
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, shown


def open_state(button: QAbstractButton) -> tuple[bool, bool, bool]:
    """Whether something opens at a button, and is open, and is closed."""
    interface = QAccessible.queryAccessibleInterface(button)
    assert interface is not None and interface.role() == QAccessible.Role.Button
    state = interface.state()
    return bool(state.hasPopup), bool(state.expanded), bool(state.collapsed)


CLOSED, OPENED = (True, False, True), (True, True, False)


def test_a_chip_says_that_its_list_is_open_as_long_as_it_is(qtbot: QtBot) -> None:
    chip = Chip("Separator", "Comma ,")
    qtbot.addWidget(chip)
    chip.show()
    assert open_state(chip) == CLOSED
    popup = ChoicePopup([Choice("a", "A"), Choice("b", "B")], parent=chip)
    popup.open_under(chip)
    assert open_state(chip) == OPENED
    popup.close()
    assert open_state(chip) == CLOSED


def test_a_button_says_that_its_menu_is_open_as_long_as_it_is(qtbot: QtBot) -> None:
    button = menu_button("More")
    qtbot.addWidget(button)
    button.show()
    assert open_state(button) == CLOSED
    menu = QMenu(button)
    menu.addAction("Rename")
    rename = menu.actions()[0]
    button.move(400, 200)
    open_menu(menu, button)
    below = button.mapToGlobal(button.rect().bottomRight())
    assert menu.geometry().right() == below.x() and menu.geometry().top() == below.y() + 1
    assert open_state(button) == OPENED and menu.activeAction() is rename
    assert menu.accessibleName() == "More"
    menu.hide()
    assert open_state(button) == CLOSED
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    open_menu(menu, button)
    assert menu.activeAction() is None
    menu.hide()


def test_it_can_still_be_pressed_by_assistive_software(qtbot: QtBot) -> None:
    chip = Chip("Separator", "Comma ,")
    qtbot.addWidget(chip)
    chip.show()
    interface = QAccessible.queryAccessibleInterface(chip)
    assert interface is not None and interface.text(QAccessible.Text.Name) == "Separator: Comma ,"
    actions = interface.actionInterface()
    assert actions is not None
    for name in (PRESS, OPEN):
        with qtbot.waitSignal(chip.clicked):
            actions.doAction(name)
    chip.setEnabled(False)
    assert actions.actionNames() == []


@pytest.mark.parametrize("key", ["data", "queries"])
def test_every_chip_and_every_three_dots_of_a_page_say_so(
    open_window: OpenWindow, study_file: Path, key: str
) -> None:
    """But for the one that shows more of its own kind, which opens nothing over the page."""
    window = open_window(study_file)
    window.go_to(key)
    settle()
    page = window.pages[key]
    buttons = [w for w in shown(page) if isinstance(w, QAbstractButton)]
    found = [w for w in buttons if isinstance(w, Chip) or w.accessibleName().startswith("More")]
    unfolds = page.chips.more if isinstance(page, DataPage) else None
    assert len(found) > 3
    assert [w for w in found if open_state(w) != CLOSED and w is not unfolds] == []
    if unfolds is not None:
        assert open_state(unfolds) == (False, False, True)


def test_nothing_is_said_of_what_opens_nothing_or_is_gone(qtbot: QtBot) -> None:
    plain, gone = secondary("Use"), Chip("Separator")
    qtbot.addWidget(plain)
    show_open(plain, True)
    assert open_state(plain) == (False, False, False)
    gone.deleteLater()
    QApplication.sendPostedEvents(gone, 52)
    show_open(gone, False)
