# SPDX-License-Identifier: Apache-2.0
"""A dialog dims the window, Enter never presses what cannot be undone, Escape changes nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog, DimOverlay
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING
from tests.desk.event_counts import EventCount
from tests.desk.screens import settle


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


@pytest.fixture
def dialog(window: QWidget) -> Dialog:
    made = Dialog(window, "Spend 0.40 of 1.00?", "This happens once.")
    made.edit = QLineEdit()
    made.body.addWidget(made.edit)
    made.safe = made.add_safe("Cancel")
    made.add_danger("Release")
    made.open()
    return made


def test_enter_on_the_dangerous_button_says_which_key_presses_it(
    qtbot: QtBot, dialog: Dialog
) -> None:
    hints = [w for w in dialog.findChildren(Label) if "space bar" in w.text()]
    assert [hint.isVisible() for hint in hints] == [False]
    assert dialog.danger_button is not None
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    assert not hints[0].isVisible()
    dialog.danger_button.setFocus()
    qtbot.keyClick(dialog.danger_button, Qt.Key.Key_Return)
    assert hints[0].isVisible()


def test_enter_never_presses_the_dangerous_button(qtbot: QtBot, dialog: Dialog) -> None:
    done: list[int] = []
    dialog.finished.connect(done.append)
    assert dialog.danger_button is not None
    for place in (dialog, dialog.edit, dialog.danger_button):
        place.setFocus()
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            qtbot.keyClick(place, key)
    assert done == []
    assert dialog.isVisible()


def test_the_safe_button_has_the_keyboard(dialog: Dialog) -> None:
    assert dialog.focusWidget() is dialog.safe


def test_space_presses_the_button_that_has_the_keyboard(qtbot: QtBot, dialog: Dialog) -> None:
    assert dialog.danger_button is not None
    with qtbot.waitSignal(dialog.accepted):
        qtbot.keyClick(dialog.danger_button, Qt.Key.Key_Space)


def test_escape_changes_nothing(qtbot: QtBot, dialog: Dialog) -> None:
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.parametrize("way", ["accept", "reject"])
def test_the_veil_goes_with_the_dialog(
    qtbot: QtBot, window: QWidget, dialog: Dialog, way: str
) -> None:
    veil = window.findChild(DimOverlay)
    assert veil is not None and veil.isVisible()
    assert veil.size() == window.size()
    window.resize(900, 640)
    assert veil.size() == window.size()
    getattr(dialog, way)()
    assert not veil.isVisible()
    qtbot.waitUntil(lambda: window.findChild(DimOverlay) is None)


@pytest.mark.parametrize("height", [500, 700])
def test_a_dialog_is_no_higher_than_a_window_that_fills_the_screen(
    window: QWidget, height: int
) -> None:
    """As high as the screen it lay over the window's frame, and nothing could be painted there."""
    window.resize(800, height)
    dialog = Dialog(window, "Spend 0.40 of 1.00?")
    for _each in range(30):
        dialog.body.addWidget(LineField("Reason"))
    dialog.open()
    settle()
    behind = QRect(window.mapToGlobal(QPoint(0, 0)), window.size())
    fills = height > 0.75 * dialog.screen().availableGeometry().height()
    assert behind.contains(dialog.geometry()) is fills


def test_fields_beside_a_scroll_bar_end_where_the_buttons_do(window: QWidget) -> None:
    dialog = Dialog(window, "Spend 0.40 of 1.00?")
    fields = [LineField("Reason") for _each in range(30)]
    for field in fields:
        dialog.body.addWidget(field)
    dialog.add_safe("Not now")
    go = dialog.add_primary("Spend it")
    dialog.open()
    settle()

    def end(control: QWidget) -> int:
        return control.mapTo(dialog, control.rect().topRight()).x()

    assert end(fields[0].frame) == end(go)


def test_the_keyboard_begins_in_the_first_empty_field(window: QWidget) -> None:
    """Who opens a dialog with fields came to type, not to press the button that leaves it."""
    dialog = Dialog(window, "Plan a series?")
    full, empty = LineField("Account"), LineField("Name")
    full.set_text("registry")
    dialog.body.addWidget(full)
    dialog.body.addWidget(empty)
    dialog.add_safe("Not now")
    dialog.open()
    assert dialog.focusWidget() is empty.edit


def test_a_label_stands_beside_the_first_line_of_its_value(window: QWidget) -> None:
    dialog = Dialog(window, "Spend 0.40 of 1.00?")
    dialog.add_rows((("Account", "registry"), ("Locked", "Restored from a backup of May " * 4)))
    dialog.open()
    settle()
    begin = ("Acco", "regi", "Lock", "Rest")
    rows = [one for one in dialog.findChildren(QLabel) if one.text()[:4] in begin]
    places = {one.text()[:4]: one.mapTo(dialog, QPoint(0, 0)).y() for one in rows}
    assert places["Acco"] == places["regi"] and places["Lock"] == places["Rest"]
    assert all(one.alignment() & Qt.AlignmentFlag.AlignTop for one in rows)


def test_an_open_dialog_grows_once_and_rests(qapp: QApplication, dialog: Dialog) -> None:
    requests = EventCount(QEvent.Type.LayoutRequest, qapp)
    height = dialog.height()
    dialog.edit.setMinimumHeight(dialog.edit.height() + 30)
    settle(20)
    assert dialog.height() == height + 30 and requests.times
    requests.times = 0
    settle(5)
    qapp.removeEventFilter(requests)
    assert requests.times == 0


def test_title_and_text_are_spoken(dialog: Dialog) -> None:
    assert dialog.accessibleName() == "Spend 0.40 of 1.00?"
    assert dialog.accessibleDescription() == "This happens once."


def test_a_closed_dialog_does_not_stay_behind(
    qtbot: QtBot, window: QWidget, dialog: Dialog
) -> None:
    dialog.reject()
    qtbot.waitUntil(lambda: window.findChild(Dialog) is None)


def test_a_signers_address_is_not_broken_at_its_hyphen(window: QWidget) -> None:
    signer = "data-office@lindenfeld.example"
    made = Dialog(window, "Spend 0.40 of 1.00?", "This happens once.")
    made.add_rows((("Left for each and every one of all later releases", "0.60"), ("As", signer)))
    made.open()
    settle()
    (shown,) = [one for one in made.findChildren(QLabel) if one.text() == signer]
    assert shown.height() < 2 * shown.fontMetrics().lineSpacing()
    assert shown.width() >= shown.fontMetrics().horizontalAdvance(signer)
    made.reject()


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> QRect:
    """What there is of a screen of 1366 x 768 at 200 %."""
    screen = QApplication.primaryScreen()
    room = screen.availableGeometry()
    room.setSize(QSize(683, 384))
    monkeypatch.setattr(type(screen), "availableGeometry", lambda _self: room)
    return room


def test_a_field_that_has_the_keyboard_on_opening_is_whole(window: QWidget, low: QRect) -> None:
    made = Dialog(window, "Withdraw the release?")
    fields = [LineField("Reason") for _ in range(12)]
    for field in fields:
        made.body.addWidget(field)
    made.add_safe("Cancel")
    fields[9].edit.setFocus()
    made.open()
    settle()
    frame, room = fields[9].frame, made._scroll.viewport()
    place = QRect(frame.mapTo(room, QPoint()), frame.size())
    assert made.height() == low.height()
    assert room.rect().contains(place.adjusted(0, -RING, 0, RING))
    made.reject()


def test_the_corners_of_a_card_in_a_dialog_are_of_the_dialogs_colour(dialog: Dialog) -> None:
    card = Card()
    card.set_padding(1)
    card.body.addWidget(QLabel("Filled to its edge"))
    dialog.body.addWidget(card)
    settle()
    corner = card.grab().toImage().pixelColor(0, 0)
    assert corner.name() == color(Role.SURFACE).name()


def test_a_scroll_bar_takes_no_line_from_what_is_said(window: QWidget) -> None:
    """A dialog as high as the screen was measured without its bar, and with it, without end."""
    for words in range(20, 40):
        dialog = Dialog(window, "Title")
        dialog.body.addWidget(Label("word " * words, wrap=True))
        dialog.add_safe("Cancel")
        heights = set()
        for is_scrolled in (False, True):
            dialog._is_scrolled = is_scrolled
            dialog._leave_room()
            heights.add(dialog.needed_height())
        assert len(heights) == 1, words
