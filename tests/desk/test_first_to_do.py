# SPDX-License-Identifier: Apache-2.0
"""After a step the keyboard is where one goes on, and Return presses what has it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.files import data_file
from dpdesk.desk.core.jobs import jobs
from dpdesk.desk.core.jobs.jobs import Work
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.widgets.buttons import Button, danger, primary, secondary
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.inputs.tab import Tab
from dpdesk.desk.widgets.inputs.toggle import Toggle
from tests.desk.conftest import OpenWindow
from tests.desk.screens import wait_until
from tests.waiting import LIMIT_S


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_a_step_is_gone_through_with_return_alone(
    qtbot: QtBot, open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.go_to("data")
    for key in ("data", "people", "columns"):
        assert window.page == key
        assert focus() is window.pages[key].footer.primary
        qtbot.keyClick(focus(), Qt.Key.Key_Return)
    page = queries(window)
    assert focus() is page.card(page.selected).sentence.chip("statistic")


def test_a_new_study_begins_with_its_title_and_return_leads_on(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    path = tmp_path / "ward.csv"
    path.write_text("id;stay\n1;3\n", encoding="utf-8")
    window = open_window(path)
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    assert focus() is page.title_field.edit
    qtbot.keyClicks(focus(), "Stays")
    assert window.session.state.study.title == "Stays"
    assert focus() is page.title_field.edit
    qtbot.keyClick(focus(), Qt.Key.Key_Return)
    assert window.page == "data"
    assert focus() is page.footer.primary


def test_the_keyboard_comes_back_to_what_was_closed_while_a_file_is_read(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file)
    window.go_to("data")
    page, go_on = window.pages["data"], window.pages["data"].footer.primary
    assert focus() is go_on
    let_go, summarise = threading.Event(), data_file.summarise

    def slow_share(*source: Any) -> Work:
        read = summarise(*source)
        return lambda *how: (let_go.wait(LIMIT_S), read(*how))[1]

    monkeypatch.setattr(data_file, "summarise", slow_share)
    monkeypatch.setattr(jobs, "PATIENCE_MS", 1)
    window.session.reread_header()
    assert go_on is not None
    wait_until(lambda: not go_on.isEnabled())
    assert page.isAncestorOf(focus())
    let_go.set()
    wait_until(go_on.isEnabled)
    assert focus() is go_on


def queries(window: MainWindow) -> QueriesPage:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def test_a_new_query_has_the_keyboard_in_its_sentence(
    qtbot: QtBot, open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.go_to("queries")
    page = queries(window)
    before = page.selected
    page.add_button.setFocus()
    qtbot.keyClick(page.add_button, Qt.Key.Key_Return)
    assert page.selected != before
    chip = page.card(page.selected).sentence.chip("statistic")
    assert focus() is chip
    # It is scrolled to.
    qtbot.waitUntil(lambda: not chip.visibleRegion().isEmpty())


BUTTONS = [
    lambda: primary("Go on"),
    lambda: secondary("Other"),
    lambda: Chip("File", "CSV"),
    lambda: Toggle("Used"),
    lambda: OptionCard("One"),
    lambda: Tab("Noise"),
]


@pytest.mark.parametrize("make", BUTTONS)
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_return_presses(qtbot: QtBot, make: type[QAbstractButton], key: Qt.Key) -> None:
    button = make()
    qtbot.addWidget(button)
    button.show()
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, key)
    if isinstance(button, QRadioButton):
        assert button.isChecked()


@pytest.mark.parametrize(("make", "pressed"), [(primary, 1), (secondary, 1), (danger, 0)])
def test_return_never_presses_the_irreversible_in_a_dialog(
    qtbot: QtBot, make: type[Button], pressed: int
) -> None:
    dialog = Dialog(None, "Release?")
    qtbot.addWidget(dialog)
    button = make("Release")
    dialog.buttons.addWidget(button)
    seen: list[bool] = []
    button.clicked.connect(lambda on: seen.append(on))
    dialog.show()
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert len(seen) == pressed
    assert dialog.isVisible()
