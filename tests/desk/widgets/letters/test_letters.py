# SPDX-License-Identifier: Apache-2.0
"""Alt and a letter press a button, and what is underlined while Alt is down is what works.

That each button of every page and dialog has one, ``tests/desk/test_mnemonics.py`` looks at.
"""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme import letters
from dpdesk.desk.widgets.buttons import Button, danger, secondary
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.letters.alt_letters import follow_alt
from dpdesk.desk.widgets.letters.giving import by_ease, give_letters

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def dialog(qtbot: QtBot) -> Dialog:
    made = Dialog(None, "Spend 0.40 of 1.00?", "This happens once.")
    qtbot.addWidget(made)
    made.field = LineField("&Reason")
    made.body.addWidget(made.field)
    made.safe = made.add_safe("Cancel")
    made.other = made.add_other("Read it")
    made.add_danger("Spend")
    with qtbot.waitActive(made):
        made.open()
        made.activateWindow()
    return made


def press(dialog: Dialog, letter: Qt.Key) -> None:
    """As the window system tells it: Qt then knows that Alt is down."""
    QTest.keyPress(dialog.windowHandle(), Qt.Key.Key_Alt, ALT)
    QTest.keyClick(dialog.windowHandle(), letter, ALT)
    QTest.keyRelease(dialog.windowHandle(), Qt.Key.Key_Alt)


def test_each_button_has_a_letter_that_no_field_has(dialog: Dialog) -> None:
    assert dialog.danger_button is not None
    found = [one.letter for one in (dialog.safe, dialog.other, dialog.danger_button)]
    assert found == ["c", "i", "s"]
    assert dialog.other.text() == "Read it"


def test_the_letter_presses_and_takes_the_keyboard_along(qtbot: QtBot, dialog: Dialog) -> None:
    left: list[int] = []
    dialog.field.left.connect(lambda: left.append(1))
    dialog.field.edit.setFocus()
    qtbot.keyClicks(dialog.field.edit, "x")
    with qtbot.waitSignal(dialog.other.clicked):
        press(dialog, Qt.Key.Key_I)
    assert left == [1] and dialog.focusWidget() is dialog.other


def test_a_letter_that_presses_nothing_is_not_typed(dialog: Dialog) -> None:
    dialog.field.edit.setFocus()
    press(dialog, Qt.Key.Key_X)
    assert dialog.field.text == ""


def test_the_letter_of_what_spends_only_goes_to_it(qtbot: QtBot, dialog: Dialog) -> None:
    spend = dialog.danger_button
    assert spend is not None
    pressed: list[int] = []
    spend.clicked.connect(lambda: pressed.append(1))
    press(dialog, Qt.Key.Key_S)
    qtbot.wait(150)  # longer than Qt shows a button down before it counts as pressed
    assert pressed == [] and dialog.focusWidget() is spend
    qtbot.keyClick(spend, Qt.Key.Key_Space)
    assert pressed == [1]


def test_screen_readers_are_told_the_key_and_the_plain_name(dialog: Dialog) -> None:
    found = QAccessible.queryAccessibleInterface(dialog.other)
    assert found.text(QAccessible.Text.Name) == "Read it"
    actions = found.actionInterface()
    if actions is not None:
        assert actions.keyBindingsForAction("Press") == ["Alt+I"]


def test_another_text_keeps_its_letter_or_finds_another(dialog: Dialog) -> None:
    dialog.other.setText("Print it")
    assert dialog.other.letter == "i"
    dialog.other.setText("Go on")
    assert dialog.other.letter == "" and dialog.other.shortcut().isEmpty()
    dialog.give_letters()
    assert dialog.other.letter == "o" and dialog.safe.letter == "c"


def test_one_gives_way_where_another_would_have_none(qtbot: QtBot) -> None:
    top = QWidget()
    qtbot.addWidget(top)
    column = QVBoxLayout(top)
    buttons: list[Button | Toggle] = [secondary("ab"), secondary("bc"), Toggle("a"), danger("b")]
    for button in buttons:
        column.addWidget(button)
    give_letters(top, taken={"x"})
    found = [button.letter for button in buttons[:3]]
    assert "" not in found and len(set(found)) == 3
    give_letters(top)
    assert [button.letter for button in buttons[:3]] == found


def test_a_word_begins_with_its_letter_where_it_can() -> None:
    assert by_ease("Choose a file…", {"c"})[:2] == ["a", "f"]
    assert letters.marked("Use condition", "c") == "Use &condition"
    assert letters.marked("R & D", "") == "R && D"


def test_letters_are_underlined_while_alt_is_down(
    qtbot: QtBot, qapp: QApplication, dialog: Dialog
) -> None:
    follow_alt(qapp)
    before = picture(dialog.other)
    assert not underlines(dialog)
    send(dialog, QEvent.Type.KeyPress)
    assert underlines(dialog) and (picture(dialog.other) != before).any()
    send(dialog, QEvent.Type.KeyRelease)
    assert not underlines(dialog) and (picture(dialog.other) == before).all()


def test_what_has_come_since_has_its_letter_once_alt_is_down(
    qapp: QApplication, dialog: Dialog
) -> None:
    follow_alt(qapp)
    late = dialog.add_other("Later")
    late.show()
    assert late.letter == ""
    send(dialog, QEvent.Type.KeyPress)
    assert late.letter == "l"
    send(dialog, QEvent.Type.KeyRelease)


def send(dialog: Dialog, kind: QEvent.Type) -> None:
    """Alt goes down or up, as the window system tells the window."""
    event = QKeyEvent(kind, Qt.Key.Key_Alt, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(dialog.windowHandle(), event)
    QApplication.processEvents()


def underlines(dialog: Dialog) -> bool:
    return bool(dialog.style().styleHint(QStyle.StyleHint.SH_UnderlineShortcut))


def picture(button: Button) -> np.ndarray:
    image = button.grab().toImage()
    return np.frombuffer(image.constBits(), np.uint8).copy()
