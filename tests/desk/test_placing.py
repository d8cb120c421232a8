# SPDX-License-Identifier: Apache-2.0
"""The window fits its screen, and comes back where it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk import placing
from dpdesk.desk.main_window.window import LEAST_SIZE
from tests.desk.conftest import OpenWindow

SCREENS = {"laptop": (1366, 768), "least": (1024, 700), "Full HD at 200 %": (960, 540)}
rects = st.builds(
    QRect,
    st.integers(-4000, 4000),
    st.integers(-4000, 4000),
    st.integers(1, 4000),
    st.integers(1, 4000),
)


@given(wanted=rects, room=rects)
def test_what_is_fitted_lies_within(wanted: QRect, room: QRect) -> None:
    found = placing.fitted(wanted, room)
    assert room.contains(found)
    if room.contains(wanted):
        assert found == wanted


@pytest.mark.parametrize("screen", SCREENS.values(), ids=list(SCREENS))
@pytest.mark.parametrize("remembered", [QRect(), QRect(900, 400, 1280, 800)])
def test_a_window_with_its_frame_fits_the_screen(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], remembered: QRect
) -> None:
    room = QRect(QPoint(0, 0), QSize(*screen))
    monkeypatch.setattr(placing, "_room", lambda _place: room)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    placing.place(window, remembered)
    assert room.contains(window.geometry().marginsAdded(placing.USUAL_FRAME))
    assert window.width() >= LEAST_SIZE.width()
    assert window.height() >= LEAST_SIZE.height()


@pytest.mark.parametrize(
    ("screen", "remembered", "fills"),
    [
        ((683, 384), QRect(), True),
        ((1024, 700), QRect(), True),
        ((1366, 768), QRect(), False),
        ((1920, 1080), QRect(), False),
        ((1024, 700), QRect(0, 0, 900, 600), False),
    ],
)
def test_a_first_window_fills_a_screen_that_is_too_small_for_it(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    screen: tuple[int, int],
    remembered: QRect,
    fills: bool,
) -> None:
    monkeypatch.setattr(placing, "_room", lambda _place: QRect(QPoint(0, 0), QSize(*screen)))
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 800)
    placing.place(window, remembered)
    assert window.isMaximized() == fills


def test_a_window_comes_back_where_it_was(open_window: OpenWindow) -> None:
    first = open_window()
    first.setGeometry(120, 90, 1100, 760)
    first.close()
    again = open_window()
    assert again.geometry() == QRect(120, 90, 1100, 760)


def test_a_window_of_a_screen_that_is_gone_comes_back_to_this_one(
    open_window: OpenWindow,
) -> None:
    first = open_window()
    first.settings.place = QRect(5000, 3000, 1100, 760)
    again = open_window()
    assert QGuiApplication.primaryScreen().availableGeometry().contains(again.geometry())
