# SPDX-License-Identifier: Apache-2.0
"""Segments, switches, option cards, rail items: pressed, moved along by keys, spoken."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QButtonGroup, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import StepState
from dpdesk.desk.main_window.rail_view import rail_entries
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.rail import RailForm, StepRail
from tests.desk.screens import press, settle, spoken


@pytest.fixture
def kinds(qtbot: QtBot) -> Segmented:
    choices = [("number", "Number", "hash"), ("category", "Category", "tag"), ("yes", "Yes/no", "")]
    made = Segmented(choices, "Kind of column")
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
    return made


def test_a_segment_sends_a_signal_when_pressed_and_not_when_put(
    kinds: Segmented, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(kinds.picked):
        kinds.select("number")
        kinds.select("absent")
    assert kinds.key == "number"
    with qtbot.waitSignal(kinds.picked) as picked:
        qtbot.mouseClick(kinds.segment("yes"), Qt.MouseButton.LeftButton)
    assert picked.args == ["yes"]
    assert kinds.segment("yes").accessibleDescription() == "Kind of column"


def test_arrows_choose_each_neighbour_once(kinds: Segmented, qtbot: QtBot) -> None:
    kinds.select("number")
    kinds.segment("number").setFocus()
    picked: list[str] = []
    kinds.picked.connect(picked.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        press(key)
    assert picked == ["category", "yes", "category"]
    assert kinds.key == "category"
    assert kinds.segment("category").hasFocus()


def test_arrows_go_around(kinds: Segmented) -> None:
    kinds.select("yes")
    kinds.segment("yes").setFocus()
    press(Qt.Key.Key_Right)
    assert kinds.key == "number"


def test_a_switch_is_a_check_box_that_can_be_pressed_anywhere(qtbot: QtBot) -> None:
    made = Toggle("Used")
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    for place in (QPoint(2, 2), made.rect().center(), QPoint(made.width() - 3, 5)):
        before = made.isChecked()
        qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=place)
        assert made.isChecked() is not before
    assert spoken(made) == "Used"
    role = QAccessible.queryAccessibleInterface(made).role()
    assert role == QAccessible.Role.CheckBox
    off = made.grab().toImage()
    made.toggle()
    assert made.grab().toImage() != off


def test_a_switch_that_cannot_be_used_says_whether_it_is_on(qtbot: QtBot) -> None:
    made = Toggle("Used")
    qtbot.addWidget(made)
    made.setEnabled(False)
    made.setChecked(True)
    on = _filled(made)
    made.setChecked(False)
    assert on > 2 * _filled(made), "the two differ by more than where the knob is"


def _filled(part: QWidget) -> int:
    """How many points of a part that cannot be used have the colour of what is off."""
    image, ink = part.grab().toImage(), color(Role.DISABLED)
    spots = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(image.pixelColor(*spot) == ink for spot in spots)


def test_an_option_says_what_it_means_and_grows_when_narrow(qtbot: QtBot) -> None:
    text = "Hides whether someone is in the file at all, and all that is recorded about them."
    made = OptionCard("Yes, keep it secret", text)
    qtbot.addWidget(made)
    assert spoken(made) == "Yes, keep it secret"
    assert made.accessibleDescription() == text
    assert made.heightForWidth(200) > made.heightForWidth(600)
    made.resize(300, made.heightForWidth(300))
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=QPoint(295, made.height() - 3))
    assert made.isChecked()


def test_an_option_asks_for_as_much_room_right_of_its_words_as_left_of_its_mark(
    qtbot: QtBot,
) -> None:
    made = OptionCard("Zurückgenommen: Die Werte sind nicht mehr zu verwenden")
    qtbot.addWidget(made)
    words = made.fontMetrics().horizontalAdvance(made.text())
    assert made.sizeHint().width() - made._words_left() - words >= Space.CARDS


def test_options_of_a_group_exclude_each_other(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    group = QButtonGroup(holder)
    cards = [OptionCard(text, parent=holder) for text in ("one", "two")]
    for card in cards:
        group.addButton(card)
        card.click()
    assert [card.isChecked() for card in cards] == [False, True]


@pytest.fixture
def rail(qtbot: QtBot) -> StepRail:
    made = StepRail(rail_entries())
    qtbot.addWidget(made)
    made.set_study("Stays", "Hospital")
    with qtbot.waitActive(made):
        made.show()
    return made


@pytest.mark.parametrize(
    ("state", "count", "said"),
    [
        (StepState.DONE, 0, "By patient, done"),
        (StepState.NOT_YET, 0, "By patient, not yet"),
        (StepState.ATTENTION, 3, "By patient, 3 need attention"),
    ],
)
def test_a_step_says_its_name_what_is_set_and_how_far_it_is(
    rail: StepRail, state: StepState, count: int, said: str
) -> None:
    rail.item("people").set_state(state, "By patient", count)
    assert spoken(rail.item("people")) == "People"
    assert rail.item("people").accessibleDescription() == said
    assert rail.item("people").state is state


def test_states_look_different_without_colour(rail: StepRail) -> None:
    item = rail.item("data")
    pictures = []
    for state in StepState:
        item.set_state(state, "", 1)
        pictures.append(item.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8))
    assert all(a != b for i, a in enumerate(pictures) for b in pictures[:i])


def test_arrows_go_through_all_items_and_around(rail: StepRail) -> None:
    picked: list[str] = []
    rail.page_picked.connect(picked.append)
    rail.select("data")
    rail.item("data").setFocus()
    for _ in range(6):
        press(Qt.Key.Key_Down)
    assert picked == ["people", "columns", "queries", "release", "history", "verify"]
    press(Qt.Key.Key_Down)
    assert rail.item("data").hasFocus()


@pytest.mark.parametrize(("form", "most"), [(RailForm.NARROW, 100), (RailForm.ICONS, 50)])
def test_the_narrow_rail_keeps_names(rail: StepRail, form: RailForm, most: int) -> None:
    rail.set_form(form)
    settle()
    assert rail.width() < most
    # A tooltip says the name where it is not on show.
    assert rail.item("queries").toolTip() == ("Queries" if form is RailForm.ICONS else "")
    assert spoken(rail.item("queries")) == "Queries"
    assert rail.item("queries").sizeHint().width() <= rail.width()


def test_a_rail_item_explains_only_what_cannot_be_read(rail: StepRail) -> None:
    item = rail.item("data")
    item.set_state(StepState.DONE, "stays.csv")
    assert item.toolTip() == "", "both lines are readable"
    long = "admissions-of-all-wards-since-2019.parquet"
    item.set_state(StepState.DONE, long)
    assert item.toolTip() == long
    item.set_state(StepState.DONE, "stays.csv")
    for form, said in {RailForm.NARROW: "stays.csv", RailForm.ICONS: "Data: stays.csv"}.items():
        rail.set_form(form)
        assert item.toolTip() == said
