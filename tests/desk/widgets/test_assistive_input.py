# SPDX-License-Identifier: Apache-2.0
"""What screen readers and voice control do through the accessibility interface counts as done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.inputs.field import LineField, TextField
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.inputs.step_field import StepField
from dpdesk.desk.widgets.inputs.tab import Tab
from dpdesk.desk.widgets.inputs.toggle import Toggle

Show = Callable[..., None]


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def toggle(button: QAbstractButton) -> None:
    """What Qt does for a screen reader: the interface's own call, where this binding has it."""
    actions = interface(button).actionInterface()
    assert actions is not None
    actions.doAction(QAccessibleActionInterface.toggleAction())


def write(field: LineField | TextField, text: str) -> None:
    old = interface(field.edit).text(QAccessible.Text.Value)
    editing = interface(field.edit).editableTextInterface()
    assert editing is not None
    editing.replaceText(0, len(old), text)


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """Puts widgets into a window for as long as the test runs."""
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)

    def showing(*widgets: QWidget) -> None:
        for widget in widgets:
            row.addWidget(widget)
        window.show()

    return showing


@pytest.mark.parametrize("make", [LineField, StepField, TextField])
def test_what_is_written_into_a_field_is_an_edit(
    show: Show, make: Callable[[str], LineField | TextField]
) -> None:
    field = make("Lowest value")
    show(field)
    signals: list[str] = []
    field.edited.connect(signals.append)
    write(field, "18")
    write(field, "")
    assert signals == ["18", ""]


def test_a_field_that_was_never_entered_is_left_at_once(qtbot: QtBot, show: Show) -> None:
    field = LineField("Lowest value")
    show(field)
    with qtbot.waitSignal(field.left):
        write(field, "18")


@pytest.mark.parametrize("text", ["18", "x" * 5_000])
def test_what_the_program_puts_in_is_no_edit(show: Show, text: str) -> None:
    field = LineField("Lowest value")
    show(field)
    signals: list[str] = []
    field.edited.connect(signals.append)
    field.set_text(text)
    field.edit.clear()
    assert signals == []


def test_typing_is_one_edit_a_letter(show: Show) -> None:
    field = LineField("Lowest value")
    show(field)
    signals: list[str] = []
    field.edited.connect(signals.append)
    QTest.keyClicks(field.edit, "18")
    QTest.keyClick(field.edit, Qt.Key.Key_Backspace)
    assert signals == ["1", "18", "1"]


@pytest.mark.parametrize("make", [OptionCard, Tab, Toggle])
def test_what_is_put_on_is_pressed(show: Show, make: Callable[[str], QAbstractButton]) -> None:
    button = make("A person can have several rows")
    show(button)
    signals: list[bool] = []
    button.clicked.connect(lambda on: signals.append(on))
    toggle(button)
    assert signals == [True]


def test_pressing_and_the_program_send_signals_as_before(show: Show) -> None:
    button = Toggle("Used")
    show(button)
    signals: list[bool] = []
    button.clicked.connect(lambda on: signals.append(on))
    button.setChecked(True)
    assert signals == []
    button.click()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=button.rect().center())
    QTest.keyClick(button, Qt.Key.Key_Return)
    toggle(button)
    assert signals == [False, True, False, True]


def test_of_several_only_the_one_put_on_is_pressed(show: Show) -> None:
    group = QButtonGroup()
    one, other = OptionCard("Secret"), OptionCard("Public")
    for card in (one, other):
        group.addButton(card)
    show(one, other)
    signals: list[str] = []
    one.clicked.connect(lambda: signals.append("one"))
    other.clicked.connect(lambda: signals.append("other"))
    toggle(one)
    toggle(other)
    assert signals == ["one", "other"]


def test_a_kind_of_column_is_picked(show: Show) -> None:
    kinds = Segmented([("number", "Number", ""), ("category", "Category", "")])
    show(kinds)
    signals: list[str] = []
    kinds.picked.connect(signals.append)
    toggle(kinds.segment("category"))
    assert signals == ["category"]
