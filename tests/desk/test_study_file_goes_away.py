# SPDX-License-Identifier: Apache-2.0
"""A study's file or folder that is deleted or taken away while its window is open."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.study.json.study_files import load_study
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until
from tests.release.studies import STUDY

TAKEN = "The study’s file was deleted, moved or renamed."
UNWRITABLE = (
    "stays.dpdesk cannot be written. Check the disk and the permissions of the folder, "
    "or choose another folder."
)


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def come_back(window: MainWindow) -> None:
    """Another window gets the focus, then this one again."""
    other = QWidget()
    other.show()
    other.activateWindow()
    settle()
    window.activateWindow()
    settle()
    other.close()


def test_a_deleted_study_is_there_again_when_its_window_closes(
    window: MainWindow, study_file: Path
) -> None:
    study_file.unlink()
    assert window.close()
    assert load_study(study_file).study == STUDY


def test_a_deleted_study_is_written_again_and_that_is_said(
    window: MainWindow, study_file: Path
) -> None:
    study_file.unlink()
    come_back(window)
    wait_until(study_file.exists)
    wait_until(window.changed_outside.isVisible)
    assert window.changed_outside.accessibleName().startswith(TAKEN)
    assert "stays.dpdesk" in window.changed_outside.accessibleName()
    assert load_study(study_file).study == STUDY
    window.session.edit(replace(STUDY, title="Later"), "")
    assert window.session.document.save()
    settle()
    assert window.changed_outside.isVisible(), "until it was read and closed"


def test_an_edit_that_writes_a_deleted_study_again_says_so(
    window: MainWindow, study_file: Path
) -> None:
    study_file.unlink()
    window.session.edit(replace(STUDY, title="Meanwhile"), "")
    wait_until(lambda: window.session.document.is_saved)
    wait_until(window.changed_outside.isVisible)
    assert window.changed_outside.accessibleName().startswith(TAKEN)
    assert load_study(study_file).study.title == "Meanwhile"


def test_a_folder_that_went_away_is_said_and_closing_asks(
    window: MainWindow, study_file: Path, tmp_path: Path
) -> None:
    away = tmp_path.with_name(f"{tmp_path.name}-away")
    tmp_path.rename(away)
    come_back(window)
    wait_until(window.trouble.isVisible)
    assert window.trouble.accessibleName() == UNWRITABLE
    assert "Not saved" in texts(window)
    assert not window.changed_outside.isVisible()
    assert not window.close()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    dialog.close()
    away.rename(tmp_path)
    come_back(window)
    wait_until(lambda: window.session.document.is_saved)
    assert "All changes saved" in texts(window)
    assert not window.trouble.isVisible()
    assert not window.changed_outside.isVisible(), "it is there as it was"


def test_what_could_not_be_saved_is_saved_when_the_folder_is_back(
    window: MainWindow, study_file: Path, tmp_path: Path
) -> None:
    away = tmp_path.with_name(f"{tmp_path.name}-away")
    tmp_path.rename(away)
    window.session.edit(replace(STUDY, title="Meanwhile"), "")
    wait_until(window.trouble.isVisible)
    away.rename(tmp_path)
    come_back(window)
    wait_until(lambda: window.session.document.is_saved)
    assert load_study(study_file).study.title == "Meanwhile"


def test_a_study_saved_elsewhere_lets_its_folder_go(
    window: MainWindow, study_file: Path, tmp_path: Path
) -> None:
    other = tmp_path.with_name(f"{tmp_path.name}-other")
    other.mkdir()
    shutil.rmtree(tmp_path)
    window.session.document.save_as(other / "kept.dpdesk")
    assert window.close()
    assert load_study(other / "kept.dpdesk").study.title == STUDY.title
