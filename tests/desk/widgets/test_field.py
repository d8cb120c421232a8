# SPDX-License-Identifier: Apache-2.0
"""A field has its label as name, shows an error in its hint's place and offers the mend."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.field import ChoiceField, LineField, TextField


@pytest.fixture
def field(qtbot: QtBot) -> LineField:
    made = LineField("&Highest value", "As the protocol says.", "days")
    qtbot.addWidget(made)
    made.show()
    return made


def mend(field: LineField) -> Button:
    return next(b for b in field.findChildren(Button))


def test_the_label_is_the_name_and_the_shortcut(field: LineField, qtbot: QtBot) -> None:
    spoken = QAccessible.queryAccessibleInterface(field.edit)
    assert spoken.text(QAccessible.Text.Name) == "Highest value"
    assert field._label.buddy() is field.edit
    assert field.edit.accessibleDescription() == "As the protocol says."


def test_an_error_takes_the_hints_place_and_leaves_the_text(field: LineField) -> None:
    field.set_text("2")
    field.set_error("Highest must be above lowest (3). Did you mean 20?", "20")
    assert field.text == "2"
    assert field.error.startswith("Highest must")
    assert field.edit.accessibleDescription() == field.error
    assert mend(field).text() == "Use 20"
    assert mend(field).isVisible()
    field.set_error("")
    assert field.error == ""
    assert field.edit.accessibleDescription() == "As the protocol says."
    assert not mend(field).isVisible()


def test_nothing_jumps_when_an_error_comes(field: LineField, qtbot: QtBot) -> None:
    field.resize(320, field.sizeHint().height())
    before = field.frame.geometry()
    field.set_error("Too low.")
    qtbot.wait(5)
    assert field.frame.geometry() == before
    assert field.sizeHint().height() - field.height() <= 2


def test_the_mend_tells_its_value(field: LineField, qtbot: QtBot) -> None:
    field.set_error("Did you mean 20?", "20")
    with qtbot.waitSignal(field.mend_pressed) as pressed:
        qtbot.mouseClick(mend(field), Qt.MouseButton.LeftButton)
    assert pressed.args == ["20"]


def test_a_hint_that_changes_does_not_hide_an_error(field: LineField) -> None:
    field.set_error("Too low.")
    field.set_hint("Another hint.")
    assert field.error == "Too low."
    field.set_error("")
    assert field.edit.accessibleDescription() == "Another hint."


def test_typing_tells_and_putting_does_not(field: LineField, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(field.edited):
        field.set_text("5")
    with qtbot.waitSignal(field.edited) as edited:
        qtbot.keyClicks(field.edit, "0")
    assert edited.args == ["50"]


def test_several_lines_tell_what_is_typed_only(qtbot: QtBot) -> None:
    made = TextField("&Values")
    qtbot.addWidget(made)
    with qtbot.assertNotEmitted(made.edited):
        made.set_text("a\nb")
    with qtbot.waitSignal(made.edited) as edited:
        qtbot.keyClicks(made.edit, "x")
    assert edited.args == ["xa\nb"]


def test_tab_leaves_a_field_of_several_lines(qtbot: QtBot) -> None:
    made = TextField("&Values")
    qtbot.addWidget(made)
    assert made.edit.tabChangesFocus()


def test_a_choice_tells_its_key_and_ignores_the_wheel(qtbot: QtBot) -> None:
    made = ChoiceField("&Account", placeholder="No account yet")
    qtbot.addWidget(made)
    made.set_choices([("a", "Registry"), ("b", "Cohort")], None)
    assert made.key is None
    made.set_choices([("a", "Registry"), ("b", "Cohort")], "b")
    assert made.key == "b"
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    made.combo.wheelEvent(wheel)
    assert not wheel.isAccepted()
    assert made.key == "b"
    with qtbot.waitSignal(made.picked) as picked:
        qtbot.keyClick(made.combo, Qt.Key.Key_Up)
    assert picked.args == ["a"]
