# SPDX-License-Identifier: Apache-2.0
"""A list under a chip: typing filters, Enter picks, Escape closes, several have check marks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup

NAMES = ("Ada", "Bela", "Cleo", "Dora", "Ella", "Fay", "Gil", "Hal")
WARDS = [Choice(f"w{i}", text) for i, text in enumerate(NAMES)]


class Opened:
    def __init__(self, bot: QtBot, parent: QWidget, choices: list[Choice], **how: object) -> None:
        self.popup = ChoicePopup(choices, parent=parent, **how)  # type: ignore[arg-type]
        self.chosen: list[tuple[str, ...]] = []
        self.gone: list[bool] = []
        self.popup.chosen.connect(self.chosen.append)
        self.popup.destroyed.connect(lambda: self.gone.append(True))
        self.popup.open_under(parent)
        bot.waitUntil(self.popup.isVisible)


@pytest.fixture
def chip(qtbot: QtBot) -> Chip:
    made = Chip("Ward", "Ada")
    qtbot.addWidget(made)
    made.show()
    return made


def visible(popup: ChoicePopup) -> list[str]:
    items = [popup.list.item(row) for row in range(popup.list.count())]
    return [i.text() for i in items if not i.isHidden()]


def test_typing_filters_and_enter_picks(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS)
    qtbot.keyClicks(opened.popup.search, "EL")
    assert visible(opened.popup) == ["Bela", "Ella"]
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Return)
    assert opened.chosen == [("w1",)]
    qtbot.waitUntil(lambda: bool(opened.gone))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_selected_row_is_tinted_and_its_icon_stays_as_it_is(
    qtbot: QtBot, chip: Chip, themed: Theme, scheme: str
) -> None:
    themed.apply(scheme)
    words = [Choice(key, "", "calendar") for key in ("first", "second")]
    popup = Opened(qtbot, chip, words).popup
    rows = [popup.list.visualItemRect(popup.list.item(row)) for row in (0, 1)]
    picture = popup.list.viewport().grab().toImage()
    inks = [
        {picture.pixelColor(x, y).name() for x in range(40) for y in range(r.top(), r.bottom())}
        for r in rows
    ]
    assert popup.list.currentRow() == 0
    assert color(Role.TINT).name() in inks[0]
    assert color(Role.TINT).name() not in inks[1]
    assert all(color(Role.TEXT_QUIET).name() in ink for ink in inks)


@pytest.mark.parametrize("share", [0.1, 0.45, 0.52, 0.9])
def test_a_long_list_covers_neither_its_field_nor_the_title_and_stays_on_the_screen(
    qtbot: QtBot, share: float
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field = QPushButton("Ward", window)
    screen = window.screen().availableGeometry()
    window.setGeometry(screen.adjusted(0, 30, 0, 0))
    field.setGeometry(40, round(share * window.height()), 120, 40)
    window.show()
    many = [Choice(f"w{i}", f"Ward {i}", group=f"Floor {i // 10}") for i in range(60)]
    popup = Opened(qtbot, field, many, picked=("w40",)).popup
    on_show = popup.geometry()
    place = field.rect().translated(field.mapToGlobal(field.rect().topLeft()))
    assert screen.contains(on_show)
    assert not on_show.intersects(place)
    assert on_show.top() >= window.geometry().top()
    assert (
        popup.list.viewport()
        .rect()
        .contains(popup.list.visualItemRect(popup.list.currentItem()).center())
    )


def test_arrows_go_from_the_search_into_the_list(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS)
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Down)
    qtbot.keyClick(opened.popup.list, Qt.Key.Key_Down)
    qtbot.keyClick(opened.popup.list, Qt.Key.Key_Return)
    assert opened.chosen == [("w1",)]


def test_nothing_is_picked_where_nothing_matches(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS)
    qtbot.keyClicks(opened.popup.search, "zzz")
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Return)
    assert opened.chosen == []
    assert opened.popup.isVisible()
    assert visible(opened.popup) == ["Nothing found"]
    opened.popup.search.clear()
    assert visible(opened.popup) == list(NAMES)


def test_umlauts_are_found_as_they_are_spelt_out(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, [*WARDS, Choice("most", "Häufigste Gruppe")])
    for typed in ("haeuf", "HÄUF"):
        opened.popup.search.setText(typed)
        assert visible(opened.popup) == ["Häufigste Gruppe"]
    opened.popup.close()


def test_escape_closes_without_a_choice(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS)
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bool(opened.gone))
    assert opened.chosen == []


def test_short_lists_need_no_search(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS[:3], picked=("w2",))
    assert not opened.popup.search.isVisible()
    assert opened.popup.list.currentItem().text() == "Cleo"
    opened.popup.close()


def test_a_line_that_explains_cannot_be_picked(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, [Choice("x", "Nothing is described yet", enabled=False)])
    qtbot.keyClick(opened.popup.list, Qt.Key.Key_Return)
    item = opened.popup.list.visualItemRect(opened.popup.list.item(0))
    qtbot.mouseClick(opened.popup.list.viewport(), Qt.MouseButton.LeftButton, pos=item.center())
    assert opened.chosen == []
    opened.popup.close()


def test_several_are_checked_with_space_and_taken_with_enter(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS, picked=("w1",), several=True)
    box = opened.popup.list
    box.setFocus()
    box.setCurrentRow(2)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert opened.chosen == [("w1", "w2")]


def test_several_are_checked_by_pressing_their_words(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS, several=True)
    box = opened.popup.list
    for row in (0, 3):
        place = box.visualItemRect(box.item(row)).center()
        qtbot.mouseClick(box.viewport(), Qt.MouseButton.LeftButton, pos=place)
    done = next(b for b in opened.popup.findChildren(Button) if b.text() == "Done")
    qtbot.mouseClick(done, Qt.MouseButton.LeftButton)
    assert opened.chosen == [("w0", "w3")]


def test_the_check_box_itself_works_once(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS, several=True)
    box = opened.popup.list
    rect = box.visualItemRect(box.item(0))
    rect.setWidth(16)
    qtbot.mouseClick(box.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert opened.chosen == [("w0",)]


def whole_number(text: str) -> Choice | None:
    return Choice(f"n{text}", f"Ward {text}") if text.isdigit() else None


def test_what_is_typed_can_be_picked_where_the_list_does_not_hold_it(
    qtbot: QtBot, chip: Chip
) -> None:
    opened = Opened(qtbot, chip, WARDS[:3], typed=whole_number)
    assert opened.popup.search.isVisible()
    qtbot.keyClicks(opened.popup.search, "12")
    assert visible(opened.popup) == ["Ward 12"]
    qtbot.keyClicks(opened.popup.search, "x")
    assert visible(opened.popup) == ["Nothing found"]
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Backspace)
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Return)
    assert opened.chosen == [("n12",)]


def test_several_can_be_typed_one_after_the_other(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS, picked=("w1",), several=True, typed=whole_number)
    search = opened.popup.search
    for text in ("7", "41", "Hal"):
        qtbot.keyClicks(search, text)
        qtbot.keyClick(search, Qt.Key.Key_Return)
        assert search.text() == ""
    qtbot.keyClicks(search, "5")
    search.clear()
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert opened.chosen == [("w1", "w7", "n7", "n41")]


def test_a_chip_says_label_and_value(chip: Chip) -> None:
    assert chip.accessibleName() == "Ward: Ada"
    narrow = chip.sizeHint().width()
    chip.set_value("General surgery")
    assert chip.accessibleName() == "Ward: General surgery"
    assert chip.sizeHint().width() > narrow


def grouped() -> list[Choice]:
    return [
        *(Choice(f"n{i}", f"Name {i}", group="Names") for i in range(6)),
        *(Choice(f"t{i}", f"Town {i}", group="Towns") for i in range(6)),
    ]


def test_headings_part_groups_and_cannot_be_picked(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, grouped())
    assert visible(opened.popup)[0] == "Names" and visible(opened.popup)[7] == "Towns"
    assert opened.popup.list.currentItem().text() == "Name 0"
    heading = opened.popup.list.item(7)
    opened.popup.list.itemClicked.emit(heading)
    assert opened.chosen == [] and opened.popup.isVisible()
    for _ in range(7):
        qtbot.keyClick(opened.popup.list, Qt.Key.Key_Down)
    qtbot.keyClick(opened.popup.list, Qt.Key.Key_Return)
    assert opened.chosen == [("t1",)]


def test_what_is_searched_for_needs_no_heading(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, grouped())
    qtbot.keyClicks(opened.popup.search, "town")
    assert visible(opened.popup) == [f"Town {i}" for i in range(6)]
    qtbot.keyClick(opened.popup.search, Qt.Key.Key_Return)
    assert opened.chosen == [("t0",)]


def _press_beside(qtbot: QtBot, popup: ChoicePopup) -> None:
    qtbot.mousePress(popup, Qt.MouseButton.LeftButton, pos=popup.rect().bottomRight() * 2)


def test_a_press_beside_a_list_of_several_takes_what_was_checked(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS, several=True)
    opened.popup.list.item(1).setCheckState(Qt.CheckState.Checked)
    _press_beside(qtbot, opened.popup)
    assert opened.chosen == [("w1",)]
    qtbot.waitUntil(lambda: bool(opened.gone))


def test_the_button_beside_a_list_that_was_changed_needs_no_second_press(
    qtbot: QtBot, chip: Chip
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    pressed: list[bool] = []
    button = QPushButton("Continue", window)
    button.setGeometry(600, 600, 200, 60)
    button.clicked.connect(lambda: pressed.append(True))
    window.show()
    opened = Opened(qtbot, chip, WARDS, several=True)
    opened.popup.move(window.pos())
    opened.popup.list.item(1).setCheckState(Qt.CheckState.Checked)
    spot = opened.popup.mapFromGlobal(button.mapToGlobal(button.rect().center()))
    qtbot.mousePress(opened.popup, Qt.MouseButton.LeftButton, pos=spot)
    assert (opened.chosen, len(pressed)) == ([("w1",)], 1)


def test_a_press_on_what_opened_a_list_only_closes_it(qtbot: QtBot, chip: Chip) -> None:
    pressed: list[bool] = []
    chip.clicked.connect(lambda: pressed.append(True))
    opened = Opened(qtbot, chip, WARDS, several=True)
    opened.popup.list.item(1).setCheckState(Qt.CheckState.Checked)
    opened.popup.move(chip.mapToGlobal(chip.rect().bottomRight()) * 2)
    spot = opened.popup.mapFromGlobal(chip.mapToGlobal(chip.rect().center()))
    qtbot.mousePress(opened.popup, Qt.MouseButton.LeftButton, pos=spot)
    assert (opened.chosen, pressed) == ([("w1",)], [])


@pytest.mark.parametrize("several", [False, True])
def test_a_press_beside_an_unchanged_list_only_closes_it(
    qtbot: QtBot, chip: Chip, several: bool
) -> None:
    opened = Opened(qtbot, chip, WARDS, several=several, picked=("w2",))
    _press_beside(qtbot, opened.popup)
    qtbot.waitUntil(lambda: bool(opened.gone))
    assert opened.chosen == []


def test_escape_leaves_a_list_of_several_as_it_was(qtbot: QtBot, chip: Chip) -> None:
    opened = Opened(qtbot, chip, WARDS, several=True)
    opened.popup.list.item(1).setCheckState(Qt.CheckState.Checked)
    qtbot.keyClick(opened.popup, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bool(opened.gone))
    assert opened.chosen == []


@pytest.mark.parametrize("icon", ["", "tag"])
def test_a_short_list_ends_with_its_last_line(
    qtbot: QtBot, chip: Chip, themed: Theme, icon: str
) -> None:
    themed.apply("light")
    listed = Opened(qtbot, chip, [Choice(str(n), f"Ward {n}", icon) for n in range(4)]).popup.list
    last = listed.visualItemRect(listed.item(3))
    assert listed.viewport().height() - 2 <= last.bottom() + 1 <= listed.viewport().height()
    assert not listed.verticalScrollBar().isVisible()
