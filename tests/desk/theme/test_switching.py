# SPDX-License-Identifier: Apache-2.0
"""The scheme can be switched at any moment, also while cards, lists and windows come and go."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.theme.roles import Role, color, is_dark
from dpdesk.desk.theme.theme import Theme
from tests.audit.length import runs
from tests.desk.conftest import OpenWindow
from tests.desk.event_counts import EventCount
from tests.desk.screens import settle, wait_until

pytestmark = pytest.mark.painted


@pytest.mark.in_turn(2)
def test_switching_while_widgets_come_and_go(
    open_window: OpenWindow, study_file: Path, themed: Theme
) -> None:
    for turn in range(runs(1, 6)):
        window = open_window(study_file)
        queries = window.pages["queries"]
        assert isinstance(queries, QueriesPage)
        for step, key in enumerate((*window.pages, *window.pages)):
            window.go_to(key)
            if key == "queries":
                queries.add_query()
                queries.card(queries.selected).sentence.chip("statistic").click()
                themed.apply("dark" if turn % 2 else "light")
                queries.card(queries.selected).sentence.anchor.popup.close()
                queries._do(queries.selected, "remove")
            # Some of what was taken away is still there, some is not.
            themed.apply("dark" if step % 2 else "light")
            settle(1)
        window.close()
        themed.apply("dark")
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        themed.apply("light")


def test_a_window_takes_other_colours_in_one_turn_and_is_painted_in_the_next(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file, page="data")
    settle()
    page, changes = window.pages["data"], []
    paints, rail = (EventCount(QEvent.Type.Paint, one) for one in (page, window.rail))
    window.theme.changed.connect(lambda: changes.append(is_dark()))
    window.menus._set_scheme("dark")
    QCoreApplication.sendPostedEvents()
    assert not window.updatesEnabled() and not changes
    assert (paints.times, rail.times) == (0, 0), "nobody sees some of it dark beside what is light"
    wait_until(lambda: window.updatesEnabled())
    wait_until(lambda: min(paints.times, rail.times) > 0)
    assert changes == [True]
    assert page._title.palette().windowText().color() == color(Role.TEXT)
    window.menus._set_scheme("light")
    window.theme.apply("dark")
    assert window.updatesEnabled() and changes == [True, True], (
        "as it is now, without a turn between"
    )
    window.menus._set_scheme("light")
    window.menus._set_scheme("light")
    settle()
    assert window.updatesEnabled() and changes == [True, True, False]


def test_a_window_is_painted_that_was_to_be_painted_when_its_colours_changed(
    open_window: OpenWindow, study_file: Path
) -> None:
    """Qt drops the request for it while nothing is painted, and posts none anew."""
    window = open_window(study_file)
    settle()
    paints = EventCount(QEvent.Type.Paint, window.rail)
    window.rail.update()
    window.menus._set_scheme("dark")
    QCoreApplication.sendPostedEvents()
    assert not window.updatesEnabled() and not paints.times
    wait_until(lambda: paints.times > 0)


def test_what_is_not_painted_for_another_reason_stays_so_and_what_went_is_no_trouble(
    qtbot: QtBot, themed: Theme
) -> None:
    gone, still = QWidget(), QWidget()
    qtbot.addWidget(still)
    for top in (gone, still):
        top.show()
    still.setUpdatesEnabled(False)
    themed.change("dark")
    assert not gone.updatesEnabled()
    delete(gone)
    themed._show_colors()
    assert is_dark() and not still.updatesEnabled()


def test_windows_follow_a_system_that_becomes_dark_in_a_turn_of_their_own(
    themed: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    themed.apply("system")
    changes: list[bool] = []
    themed.changed.connect(lambda: changes.append(is_dark()))
    monkeypatch.setattr(themed, "_wants_dark", lambda: True)
    themed._follow_system()
    assert is_dark() and not changes
    settle()
    assert changes == [True]
    themed._follow_system()
    settle()
    assert changes == [True], "as it is already"
