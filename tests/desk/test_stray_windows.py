# SPDX-License-Identifier: Apache-2.0
"""A widget that is shown before it has a parent is a window: it flashes and takes the keyboard."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY

pytestmark = pytest.mark.painted

MAY_BE_WINDOWS = (MainWindow, Dialog, ChoicePopup, QMenu)


class Watch(QObject):
    """Notes every window that appears, with the line of ours that showed it."""

    def __init__(self) -> None:
        super().__init__()
        self.strays: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.Show
            and isinstance(watched, QWidget)
            and watched.isWindow()
            and not isinstance(watched, MAY_BE_WINDOWS)
        ):
            by = traceback.extract_stack(limit=2)[0]
            self.strays.append(f"{type(watched).__name__} by {by.name}, {by.line}")
        return False


@pytest.fixture
def watch(qapp: QApplication) -> Iterator[Watch]:
    found = Watch()
    qapp.installEventFilter(found)
    yield found
    qapp.removeEventFilter(found)


@pytest.mark.in_turn(2)
def test_only_windows_are_windows(watch: Watch, open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    for key in window.pages:
        window.go_to(key)
        settle()
    columns, queries = window.pages["columns"], window.pages["queries"]
    assert isinstance(columns, ColumnsPage)
    assert isinstance(queries, QueriesPage)
    for name in columns.names():
        columns.select(name)
    for query in window.session.state.study.queries:
        queries.select(query.id)
        settle()
    queries.add_query()
    settle()
    assert watch.strays == []
    assert window.isActiveWindow()


@pytest.mark.in_turn(2)
def test_results_are_built_within_the_window(
    watch: Watch, open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    settle()
    assert [card.isVisible() for card in page.results.cards] == [True] * len(STUDY.queries)
    assert watch.strays == []
    assert window.isActiveWindow()
