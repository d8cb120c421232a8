# SPDX-License-Identifier: Apache-2.0
"""The window says that somebody else wrote the study's file, and lets the user choose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.buttons import Button
from dpdesk.study.json.study_files import load_study, save_study
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    """A window with a change of its own while the file was written by another."""
    made = open_window(study_file)
    save_study(replace(STUDY, title="Theirs"), study_file)
    made.session.edit(replace(STUDY, title="Mine"), "")
    assert not made.session.document.save()
    settle()
    return made


def press(window: MainWindow, qtbot: QtBot, text: str) -> None:
    button = next(b for b in window.changed_outside.findChildren(Button) if b.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def titles(folder: Path) -> dict[str, str]:
    return {p.name: load_study(p).study.title for p in folder.glob("*.dpdesk")}


@pytest.mark.parametrize(
    ("button", "there", "beside"),
    [("Keep mine", "Mine", "Theirs"), ("Load theirs", "Theirs", "Mine")],
)
def test_either_choice_keeps_both(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, button: str, there: str, beside: str
) -> None:
    assert window.changed_outside.isVisible()
    assert "Not saved" in texts(window)
    press(window, qtbot, button)
    assert titles(tmp_path) == {"stays.dpdesk": there, "stays-other.dpdesk": beside}
    assert window.session.document.study.title == there
    assert "stays-other.dpdesk" in window.changed_outside.accessibleName()
    assert "All changes saved" in texts(window)
    press(window, qtbot, "Close")
    assert not window.changed_outside.isVisible()


@pytest.mark.threat("G11")
def test_nothing_is_released_before_the_choice(window: MainWindow) -> None:
    window.go_to("release")
    window.pages["release"].ask_release()  # type: ignore[attr-defined]
    settle()
    assert window.changed_outside.isVisible()
    assert QApplication.activeModalWidget() is None


def test_closing_the_window_asks_first(window: MainWindow, tmp_path: Path) -> None:
    assert not window.close()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    assert any("choose between the two" in t for t in texts(dialog))
    dialog.close()
    assert titles(tmp_path) == {"stays.dpdesk": "Theirs"}


def test_theirs_that_is_no_study_is_reported(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    study_file.write_text("{", encoding="utf-8")
    press(window, qtbot, "Load theirs")
    assert window.trouble.isVisible()
    assert window.changed_outside.isVisible()
    assert window.session.document.study.title == "Mine"


def test_a_file_that_agrees_again_needs_no_choice(window: MainWindow, study_file: Path) -> None:
    save_study(replace(STUDY, title="Mine"), study_file)
    assert window.session.document.save()
    settle()
    assert not window.changed_outside.isVisible()
