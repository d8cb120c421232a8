# SPDX-License-Identifier: Apache-2.0
"""A study is called nothing until somebody names it: a file's name may be a patient's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.release.places.home import Home
from tests.data.workbooks import write_workbook
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY, write_data

NAME = "Smith_2024"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names under which files were offered to be saved."""
    found: list[str] = []

    def ask(*args: object) -> tuple[str, str]:
        found.append(Path(str(args[2])).name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return found


@pytest.fixture
def untitled(open_window: OpenWindow, home: Home, tmp_path: Path) -> Callable[[], MainWindow]:
    """A window on a study without a title, in a folder and a file of a patient's name."""

    def made() -> MainWindow:
        folder = tmp_path / NAME
        folder.mkdir()
        write_data(folder)
        study = replace(STUDY, title="")
        return open_window(save_with_account(study, folder / f"{NAME}.dpdesk", home))

    return made


def test_neither_a_file_nor_its_sheet_gives_a_title(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    rows = [["id", "days"], ["p1", 3.0]]
    write_workbook(tmp_path / f"{NAME}.xlsx", {"ICU": rows, NAME: rows})
    window = open_window(tmp_path / f"{NAME}.xlsx")
    qtbot.waitUntil(lambda: window.session.state.study.data is not None)
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    qtbot.waitUntil(lambda: window.session.file.summary.sheets == ("ICU", NAME))
    settle()
    assert page.title_field.text == ""
    qtbot.mouseClick(page.chips.chips["sheet"], Qt.MouseButton.LeftButton)
    popup = page.findChildren(ChoicePopup)[-1]
    (item,) = popup.list.findItems(NAME, Qt.MatchFlag.MatchExactly)
    popup.list.setCurrentItem(item)
    popup.list.setFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    settle()
    study = page.state.study
    assert study.data is not None
    assert (study.data.sheet, study.title) == (NAME, "")
    assert window.windowTitle() == "Untitled study \N{EN DASH} dpdesk"


def test_no_account_is_called_after_a_file(untitled: Callable[[], MainWindow]) -> None:
    window = untitled()
    window.session.edit(replace(window.session.state.study, budget=None), "")
    window.go_to("people")
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    page.account.ask_new()
    (dialog,) = page.findChildren(NewAccountDialog)
    assert dialog.name.text == ""
    dialog.reject()


def test_declarations_are_offered_under_no_file_s_name(
    untitled: Callable[[], MainWindow], offered: list[str]
) -> None:
    window = untitled()
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.codebooks.ask_write()
    assert offered == ["study-columns.json"]


def test_review_says_what_an_untitled_report_is_headed_and_leads_to_the_title(
    untitled: Callable[[], MainWindow],
) -> None:
    window = untitled()
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    settle()
    banner = page.review.untitled
    assert banner.isVisible()
    assert "Its report will be headed “Released statistics”." in " ".join(texts(page))
    banner.action.click()
    settle()
    assert window.page == "data"
    data = window.pages["data"]
    assert isinstance(data, DataPage)
    assert data.title_field.edit.hasFocus()
    window.session.edit(replace(window.session.state.study, title="Stays"), "")
    window.go_to("release")
    settle()
    assert not banner.isVisible()


@pytest.fixture
def german(home: Home, qapp: QApplication) -> Iterator[None]:
    Settings(home).language = "de"
    yield
    speak(qapp, SYSTEM)


@pytest.mark.usefixtures("german")
def test_a_german_window_names_the_heading_of_a_german_report(
    untitled: Callable[[], MainWindow],
) -> None:
    window = untitled()
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    assert "Veröffentlichte Statistiken" in page.review.untitled.accessibleName()
