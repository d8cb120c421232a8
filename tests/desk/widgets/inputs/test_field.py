# SPDX-License-Identifier: Apache-2.0
"""A field has its label as name, shows an error in its hint's place and offers the suggestion."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.inputs.choice_rows import ChoiceRows
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField, PasswordField, TextField
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.desk.widgets.inputs.line_edit import INSET, LONGEST_LINE
from dpdesk.desk.widgets.inputs.step_field import StepField
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel


@pytest.fixture
def field(qtbot: QtBot) -> LineField:
    made = LineField("&Highest value", "As the protocol says.", "days")
    qtbot.addWidget(made)
    made.show()
    return made


def suggestion(field: LineField) -> Button:
    return next(b for b in field.findChildren(Button))


def test_the_label_is_the_name_and_the_shortcut(field: LineField, qtbot: QtBot) -> None:
    spoken = QAccessible.queryAccessibleInterface(field.edit)
    assert spoken.text(QAccessible.Text.Name) == "Highest value"
    assert field._label.buddy() is field.edit
    assert field.edit.accessibleDescription() == "days. As the protocol says."


def test_the_unit_beside_the_number_is_heard(qtbot: QtBot) -> None:
    made = LineField("Margin", "", unit="rows off")
    qtbot.addWidget(made)
    assert made.edit.accessibleDescription() == "rows off"
    made.set_hint("Of all rows.")
    made.set_unit("people")
    assert made.edit.accessibleDescription() == "people. Of all rows."


def test_an_error_takes_the_hints_place_and_leaves_the_text(field: LineField) -> None:
    field.set_text("2")
    field.set_error("The highest value must be above the lowest (3). Did you mean 20?", "20")
    assert field.text == "2"
    assert field.error.startswith("The highest value must")
    assert field.edit.accessibleDescription() == field.error
    assert suggestion(field).text() == "Use 20"
    assert suggestion(field).isVisible()
    field.set_error("")
    assert field.error == ""
    assert field.edit.accessibleDescription() == "days. As the protocol says."
    assert not suggestion(field).isVisible()


def test_nothing_jumps_when_an_error_comes(field: LineField, qtbot: QtBot) -> None:
    field.resize(320, field.sizeHint().height())
    before = field.frame.geometry()
    field.set_error("Too low.")
    qtbot.wait(5)
    assert field.frame.geometry() == before
    assert field.sizeHint().height() - field.height() <= 2


@pytest.fixture
def row(qtbot: QtBot) -> FieldRow:
    fields = [LineField(name) for name in ("&Lowest value", "&Highest value", "&Step")]
    made = FieldRow([(field, 1) for field in fields])
    qtbot.addWidget(made)
    made.show()
    # As a layout does: how many lines a sentence may have depends on the width.
    made.resize(380, made.heightForWidth(380))
    return made


LONG = "The highest value must be above the lowest one (3), and a whole number of steps from it."


def test_a_long_sentence_below_narrow_fields_moves_nothing(row: FieldRow, qtbot: QtBot) -> None:
    highest = row.findChildren(LineField)[1]
    high = row.heightForWidth(row.width())
    highest.set_error(LONG, "20")
    qtbot.wait(5)
    assert row.words.isVisible() and row.words.text() == LONG
    assert row.words.heightForWidth(row.words.width()) <= row.words.height()
    assert row.heightForWidth(row.width()) == high
    assert highest.edit.accessibleDescription() == LONG
    with qtbot.waitSignal(highest.suggestion_pressed) as pressed:
        qtbot.mouseClick(row.suggestion, Qt.MouseButton.LeftButton)
    assert pressed.args == ["20"]
    highest.set_error("")
    assert not row.words.text() and not row.suggestion.isVisible()
    assert not row.words.isVisible(), "an empty text is read out as nothing at all"
    assert row.heightForWidth(row.width()) == high


def test_a_row_of_fields_says_the_first_error(row: FieldRow) -> None:
    lowest, highest, _step = row.findChildren(LineField)
    highest.set_error("Too low.", "20")
    lowest.set_error("No number.")
    assert row.words.text() == "Lowest value: No number."
    assert not row.suggestion.isVisible()
    lowest.set_error("")
    # Alone in its red border, it needs no name.
    assert row.words.text() == "Too low."
    assert row.suggestion.text() == "Use 20"


def test_a_press_beside_the_text_is_one_into_the_field(field: LineField, qtbot: QtBot) -> None:
    field.frame.window().activateWindow()
    edge = QPoint(field.frame.width() - 6, field.frame.height() // 2)
    qtbot.mouseClick(field.frame, Qt.MouseButton.LeftButton, pos=edge)
    assert field.window().focusWidget() is field.edit


def test_a_number_that_matters_is_changed_by_steps(qtbot: QtBot) -> None:
    made = StepField("&Within", sign="±")
    qtbot.addWidget(made)
    made.resize(208, made.sizeHint().height())
    made.show()
    made.set_text("45,000")
    made.set_unit("EUR")
    qtbot.wait(5)
    unit = next(w for w in made.findChildren(QLabel) if w.text() == "EUR")
    gap = unit.mapTo(made, QPoint(0, 0)).x() - made.edit.mapTo(made, QPoint(0, 0)).x()
    needed = made.edit.fontMetrics().horizontalAdvance("45,000")
    assert needed < gap < needed + 24, "the unit follows the number"
    steps: list[int] = []
    made.stepped.connect(steps.append)
    qtbot.mouseClick(made.up, Qt.MouseButton.LeftButton)
    qtbot.keyClick(made.edit, Qt.Key.Key_Down)
    assert steps == [1, -1]
    made.allow_steps(False)
    qtbot.mouseClick(made.up, Qt.MouseButton.LeftButton)
    assert steps == [1, -1]


def test_the_suggestion_link_carries_its_value(field: LineField, qtbot: QtBot) -> None:
    field.set_error("Did you mean 20?", "20")
    with qtbot.waitSignal(field.suggestion_pressed) as pressed:
        qtbot.mouseClick(suggestion(field), Qt.MouseButton.LeftButton)
    assert pressed.args == ["20"]


def test_a_hint_that_changes_does_not_hide_an_error(field: LineField) -> None:
    field.set_error("Too low.")
    field.set_hint("Another hint.")
    assert field.error == "Too low."
    field.set_error("")
    assert field.edit.accessibleDescription() == "days. Another hint."


def test_typing_sends_a_signal_and_putting_does_not(field: LineField, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(field.edited):
        field.set_text("5")
    with qtbot.waitSignal(field.edited) as edited:
        qtbot.keyClicks(field.edit, "0")
    assert edited.args == ["50"]


def test_several_lines_send_what_is_typed_only(qtbot: QtBot) -> None:
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


def test_a_line_that_would_stop_the_window_is_broken_and_no_sign_is_lost(qtbot: QtBot) -> None:
    """Qt lays out a line in time of the square of its length: a million signs took 151 s."""
    made = TextField("&Values")
    qtbot.addWidget(made)
    pasted = QMimeData()
    pasted.setText("a, b\n" + "12345678, " * (LONGEST_LINE // 10 + 1) + "1" * (LONGEST_LINE + 1))
    made.edit.insertFromMimeData(pasted)
    lines = made.text.splitlines()
    assert [lines[0], *map(len, lines[1:])] == ["a, b", LONGEST_LINE, 10, LONGEST_LINE, 1]
    assert made.text.replace("\n", "") == pasted.text().replace("\n", "")
    made.edit.undo()
    assert made.text == ""


def test_a_choice_sends_its_key_and_ignores_the_wheel(qtbot: QtBot) -> None:
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


def test_while_nothing_is_wrong_the_line_says_what_is_wanted(qtbot: QtBot) -> None:
    field = LineField("&Lowest value")
    row = FieldRow([(field, 1)], "From the codebook.")
    qtbot.addWidget(row)
    row.show()
    row.resize(380, row.heightForWidth(380))
    before = row.heightForWidth(380)
    assert row.hint.isVisible() and row.hint.text() == "From the codebook."
    field.set_error("No number.")
    assert not row.hint.isVisible() and row.words.text() == "No number."
    assert row.heightForWidth(380) == before
    field.set_error("")
    assert row.hint.isVisible() and row.heightForWidth(380) == before


def test_a_short_unit_stands_at_the_end_of_its_field(qtbot: QtBot) -> None:
    made = LineField("&Total", unit="ε")
    qtbot.addWidget(made)
    made.setFixedWidth(300)
    made.show()
    (unit,) = [label for label in made.findChildren(ElidedLabel) if label.text() == "ε"]
    assert unit.width() <= unit.fontMetrics().horizontalAdvance("ε") + 2


def test_an_ellipsis_says_that_a_text_goes_on(qtbot: QtBot) -> None:
    field, other = LineField("&Title"), PasswordField("&Passphrase")
    for made in (other, field):
        qtbot.addWidget(made)
        made.resize(200, made.sizeHint().height())
        made.show()
        made.set_text("Admissions of the sample hospital, 2023 to 2025")
    assert field.edit.is_cut and field.edit.shown.endswith("…")
    assert not other.edit.is_cut
    before = field.grab().toImage()
    field.set_text("Admissions of the sample hospital, 2023 to 2026")
    assert field.grab().toImage() == before, "cut where the ellipsis stands"
    field.activateWindow()
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    assert not field.edit.is_cut, "it can be read from end to end"


def test_several_lines_are_shown_whole(qtbot: QtBot) -> None:
    field = TextField("&Values", lines=6)
    qtbot.addWidget(field)
    field.show()
    field.set_text("\n".join(f"Ward {number}" for number in range(9)))
    margin = field.edit.document().documentMargin()
    line = field.edit.blockBoundingRect(field.edit.document().findBlockByNumber(3)).height()
    assert field.edit.viewport().height() >= margin + 6 * line


def test_a_text_of_several_lines_begins_where_a_single_line_does(qtbot: QtBot) -> None:
    shown = QWidget()
    column = QVBoxLayout(shown)
    single, several = LineField("Name"), TextField("Values", lines=6)
    for each in (single, several):
        each.set_text("Hall")
        column.addWidget(each)
    qtbot.addWidget(shown)
    shown.resize(300, 300)
    shown.show()
    editors = (single.edit, several.edit.viewport())
    starts = [editor.mapTo(shown, QPoint(0, 0)).x() for editor in editors]
    assert starts[0] + INSET == starts[1] + several.edit.cursorRect().left()


def ink(widget: QWidget, place: QRect) -> tuple[int, int]:
    """The first and the last line of pixels that is dark."""
    image = widget.grab(place).toImage()
    dark = [
        y
        for y in range(image.height())
        if any(image.pixelColor(x, y).lightness() < 150 for x in range(image.width()))
    ]
    return dark[0], dark[-1]


def test_a_list_of_choices_looks_and_opens_as_the_popup_of_a_chip(qtbot: QtBot) -> None:
    choice = ChoiceField("B")
    choice.set_choices([(key, f"Choice {key}") for key in "abc"], "b")
    qtbot.addWidget(choice)
    choice.resize(240, choice.sizeHint().height())
    choice.move(0, 100)
    choice.show()
    choice.combo.showPopup()
    rows = choice.combo.view()
    assert isinstance(rows.itemDelegate(), ChoiceRows)
    place = rows.visualRect(rows.currentIndex())
    shown = rows.grab().toImage()
    assert shown.pixelColor(place.right() - Space.CARD, place.center().y()) == color(Role.TINT)
    assert rows.window().y() >= choice.combo.mapToGlobal(choice.combo.rect().bottomLeft()).y()
    choice.combo.hidePopup()


def test_choices_that_arrive_while_the_list_is_open_have_room_in_it(qtbot: QtBot) -> None:
    choice = ChoiceField("B")
    choice.set_choices([("none", "None")], "none")
    qtbot.addWidget(choice)
    choice.show()
    choice.combo.showPopup()
    assert choice.combo.is_open
    before = choice.combo.view().height()
    choice.set_choices([("none", "None"), *((key, key) for key in "abc")], "none")
    assert choice.combo.is_open and choice.combo.view().height() > 2 * before
    choice.combo.hidePopup()
    choice.set_choices([("none", "None")], "none")
    assert not choice.combo.is_open
