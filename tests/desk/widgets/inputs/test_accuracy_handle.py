# SPDX-License-Identifier: Apache-2.0
"""The handle goes where it is put, by mouse and keys, and never beyond what is left."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleValueInterface, QFontMetricsF, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.accessibility import role as role
from dpdesk.desk.widgets.inputs.accuracy_handle import KNOB, AccuracyHandle, ScaleMark
from tests.desk.screens import settle

LEFT = 400_000


@pytest.fixture
def handle(qtbot: QtBot) -> AccuracyHandle:
    made = AccuracyHandle()
    qtbot.addWidget(made)
    made.resize(500, made.sizeHint().height())
    made.show()
    made.set_range_of_shares(4_000, LEFT)
    put(made, 100_000)
    # As in the window: what was dragged comes back as the state.
    made.share_dragged.connect(lambda micro: put(made, micro))
    return made


def put(handle: AccuracyHandle, micro: int, words: str = "") -> None:
    marks = [ScaleMark(micro, "±5", "0.10"), ScaleMark(LEFT, "±1", "0.40")]
    handle.set_marks(marks)
    handle.set_share(micro, "95 times in 100 within ± 5", words)


def test_putting_a_share_sends_no_signal(handle: AccuracyHandle, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(handle.share_dragged):
        put(handle, 200_000)
    assert handle.share == 200_000
    assert handle.accessibleDescription() == "95 times in 100 within ± 5"


@pytest.mark.parametrize(
    ("key", "up"),
    [
        (Qt.Key.Key_Right, True),
        (Qt.Key.Key_Up, True),
        (Qt.Key.Key_PageUp, True),
        (Qt.Key.Key_Left, False),
        (Qt.Key.Key_Down, False),
        (Qt.Key.Key_PageDown, False),
    ],
)
def test_every_press_of_a_key_moves_it(
    handle: AccuracyHandle, qtbot: QtBot, key: Qt.Key, up: bool
) -> None:
    before = handle.share
    for _ in range(200):
        qtbot.keyClick(handle, key)
        end = LEFT if up else 4_000
        assert handle.share > before if up else handle.share < before or before == end
        if handle.share == end:
            return
        before = handle.share
    raise AssertionError("it never reached its end")


def test_home_and_end_are_the_least_share_and_what_is_left(
    handle: AccuracyHandle, qtbot: QtBot
) -> None:
    qtbot.keyClick(handle, Qt.Key.Key_End)
    assert handle.share == LEFT
    qtbot.keyClick(handle, Qt.Key.Key_Right)
    assert handle.share == LEFT
    qtbot.keyClick(handle, Qt.Key.Key_Home)
    assert handle.share == 4_000


def test_dragging_follows_the_mouse_and_stops_at_the_end(
    handle: AccuracyHandle, qtbot: QtBot
) -> None:
    shares = []
    handle.share_dragged.connect(shares.append)
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(100, 12))
    for x in range(120, 900, 40):
        qtbot.mouseMove(handle, QPoint(x, 12))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(900, 12))
    assert shares == sorted(shares)
    assert len(shares) > 5
    assert shares[-1] == LEFT
    assert max(shares) <= LEFT


def test_shares_have_two_digits(handle: AccuracyHandle) -> None:
    for value in range(0, 1_000, 7):
        share = handle._at(value / 1_000)
        assert share in (4_000, LEFT) or int(str(share)[2:]) == 0


def test_an_over_planned_query_can_only_come_back(qtbot: QtBot) -> None:
    made = AccuracyHandle()
    qtbot.addWidget(made)
    made.set_range_of_shares(1_000, 50_000)
    made.set_share(600_000, "")
    assert made.share == 600_000
    with qtbot.waitSignal(made.share_dragged) as moved:
        qtbot.keyClick(made, Qt.Key.Key_Left)
    assert moved.args[0] <= 50_000


def test_end_brings_an_over_planned_query_to_what_is_left(qtbot: QtBot) -> None:
    made = AccuracyHandle()
    qtbot.addWidget(made)
    made.set_range_of_shares(1_000, 50_000)
    made.set_share(600_000, "")
    with qtbot.waitSignal(made.share_dragged) as moved:
        qtbot.keyClick(made, Qt.Key.Key_End)
    assert moved.args == [50_000]


def test_scrolling_past_it_sets_no_budget(handle: AccuracyHandle, qtbot: QtBot) -> None:
    before = handle.share
    wheel = QWheelEvent(
        QPointF(50, 8),
        QPointF(50, 8),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    with qtbot.assertNotEmitted(handle.share_dragged):
        QApplication.sendEvent(handle, wheel)
    assert handle.share == before
    assert not wheel.isAccepted(), "the page scrolls"


def test_long_marks_do_not_touch(handle: AccuracyHandle) -> None:
    """As of German rows: what stands below one mark ends before the next one's begins."""
    places = range(10_000, 400_000, 20_000)
    marks = [ScaleMark(units, "12345 Zeilen", "0,10") for units in places]
    handle.set_marks(marks)
    handle.set_share(110_000, "")
    handle.resize(700, handle.height())
    places_shown = sorted(x for _mark, x in handle.marks_with_room(handle._track()))
    wide = QFontMetricsF(font(Type.QUIET, tabular=True)).horizontalAdvance("12345 Zeilen")
    assert len(places_shown) > 3
    assert all(after - before > wide for before, after in pairwise(places_shown))


@pytest.mark.parametrize("end", [0, LEFT])
def test_words_at_an_end_are_whole(handle: AccuracyHandle, end: int) -> None:
    words = "1,234 people each"
    handle.set_marks([ScaleMark(end, words, "0.40")])
    handle.set_share(200_000, "", "")
    top = 2 * KNOB + 6
    lines = handle.grab(QRect(0, top, handle.width(), handle.height() - top)).toImage()
    ground = lines.pixelColor(lines.width() // 2, 0)
    inked = [
        x
        for x in range(lines.width())
        if any(lines.pixelColor(x, y) != ground for y in range(lines.height()))
    ]
    whole = QFontMetricsF(font(Type.QUIET, tabular=True)).horizontalAdvance(words)
    assert max(inked) - min(inked) >= whole - 4


def test_a_mark_says_where_the_money_ends(handle: AccuracyHandle) -> None:
    handle.set_range_of_shares(10_000, 5_000_000, 700_000)
    marks = [ScaleMark(units, "±13", "") for units in (10_000, 600_000, 700_000, 5_000_000)]
    handle.set_marks(marks)
    handle.set_share(5_000_000, "")
    handle.resize(700, handle.height())
    shown = {mark.units for mark, _x in handle.marks_with_room(handle._track())}
    assert shown == {10_000, 700_000, 5_000_000}
    before = handle.grab().toImage()
    handle.set_range_of_shares(10_000, 5_000_000, 700_000, is_over=True)
    handle.update()
    assert handle.grab().toImage() != before, "what cannot be paid is hatched"


def value_of(handle: AccuracyHandle) -> QAccessibleValueInterface:
    found = QAccessible.queryAccessibleInterface(handle)
    assert found is not None
    assert found.role() == QAccessible.Role.Slider
    assert found.textInterface() is None
    assert found.actionInterface() is not None
    value = found.valueInterface()
    assert value is not None
    return value


def test_a_screen_reader_gets_the_share(handle: AccuracyHandle) -> None:
    value = value_of(handle)
    put(handle, 250_000)
    assert value.currentValue() == 0.25
    assert (value.minimumValue(), value.maximumValue()) == (0.004, 0.4)
    assert value.minimumStepSize() == 0.01
    handle.set_range_of_shares(100_000, 500_000_000, None, 1_000_000_000)
    put(handle, 25_000_000)
    assert (value.currentValue(), value.maximumValue()) == (0.025, 0.5)


@pytest.mark.parametrize(
    ("number", "share"), [(0.25, 250_000), (0.123, 123_000), (7, LEFT), (0, 4_000)]
)
def test_a_screen_reader_sets_the_share(
    handle: AccuracyHandle, qtbot: QtBot, number: float, share: int
) -> None:
    with qtbot.waitSignal(handle.share_dragged) as signal:
        value_of(handle).setCurrentValue(number)
    assert signal.args == [share]
    assert handle.share == share


def test_a_screen_reader_sets_nothing_where_there_is_nothing_to_set(
    handle: AccuracyHandle, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(handle.share_dragged):
        value_of(handle).setCurrentValue(float("nan"))
        handle.setEnabled(False)
        value_of(handle).setCurrentValue(0.25)


@pytest.mark.usefixtures("qapp")
def test_what_a_screen_reader_gets_goes_with_the_handle() -> None:
    kept = len(role._kept)
    for _ in range(20):
        made = AccuracyHandle()
        assert value_of(made).currentValue() == 0.1
        made.deleteLater()
    settle()
    assert len(role._kept) == kept


def test_a_screen_reader_gets_the_share_in_words(handle: AccuracyHandle) -> None:
    put(handle, 250_000, "0.25, ± 36 rows")
    found = QAccessible.queryAccessibleInterface(handle)
    assert found is not None
    assert found.text(QAccessible.Text.Value) == "0.25, ± 36 rows"
    assert found.text(QAccessible.Text.Name) == "Budget of this query: 0.25, ± 36 rows"
