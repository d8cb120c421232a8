# SPDX-License-Identifier: Apache-2.0
"""The menu bar says whether the study's file holds what the window shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpdesk.desk.main_window.window import MainWindow
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until


def said(window: MainWindow) -> tuple[str, bool]:
    """The words, and whether the check stands before them."""
    return window.menus._saved.text(), window.menus._saved_icon.isVisible()


def test_a_study_says_from_the_start_that_it_is_saved(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.show()
    settle()
    assert said(window) == ("All changes saved", True)
    assert window.menuBar().accessibleDescription() == "All changes saved"
    right = window.menus._corner.geometry().right()
    assert right < window.menuBar().width(), "it is within the bar"


def test_without_a_study_nothing_is_said(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    window.show()
    settle()
    window.session.document.close()
    settle()
    assert said(window) == ("", False)


def test_while_it_is_being_saved_there_is_no_check(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.show()
    study = replace(window.session.state.study, title="Another title")
    window.session.edit(study, "Title")
    assert said(window) == ("Saving…", False)
    wait_until(lambda: window.session.document.is_saved)
    assert said(window) == ("All changes saved", True)
