# SPDX-License-Identifier: Apache-2.0
"""What could not be done is shown until something else could."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.study import limits
from dpdesk.study.problem import Problem, refuse
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def refuse_an_edit(window: MainWindow) -> None:
    """As a paste does that a study file could not hold."""
    window.session.edit(replace(STUDY, title="x" * (limits.MAX_TEXT + 1)), "")
    settle()
    assert window.trouble.isVisible()


@pytest.mark.parametrize("way", ["edit", "undo", "open"])
@pytest.mark.in_turn(2)
def test_it_goes_with_the_next_success(window: MainWindow, study_file: Path, way: str) -> None:
    window.session.edit(replace(STUDY, title="Before"), "")
    refuse_an_edit(window)
    window.go_to("people")
    assert window.trouble.isVisible()
    if way == "edit":
        window.session.edit(replace(STUDY, title="After"), "")
    elif way == "undo":
        window.session.document.undo_stack.undo()
    else:
        window.opening.open_study(study_file)
    assert not window.trouble.isVisible()


def test_an_edit_that_is_none_is_no_success(window: MainWindow) -> None:
    refuse_an_edit(window)
    window.session.edit(window.session.state.study, "")
    QApplication.processEvents()
    assert window.trouble.isVisible()


def test_a_study_that_is_not_saved_stays_reported_until_it_is(
    window: MainWindow, study_file: Path
) -> None:
    study_file.unlink()
    study_file.mkdir()
    window.session.edit(replace(STUDY, title="Kept"), "")
    wait_until(window.trouble.isVisible)
    window.session.edit(replace(STUDY, title="Kept too"), "")
    assert window.trouble.isVisible()
    study_file.rmdir()
    wait_until(lambda: not window.trouble.isVisible())
    assert window.session.document.is_saved


def test_other_trouble_is_not_taken_for_the_saving(window: MainWindow) -> None:
    window.session.edit(replace(STUDY, title="Kept"), "")
    window.session.failed.emit((Problem("$", "home-unwritable", {"name": "x"}),))
    assert window.session.document.save()
    assert window.trouble.isVisible()


def test_a_ledger_that_could_not_be_read_is_reported_until_it_can_be(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread() -> None:
        raise refuse("ledger-unreadable")

    with monkeypatch.context() as patch:
        patch.setattr(window.session.accounts, "reread", unread)
        window.session.reread_accounts()
    assert window.trouble.isVisible()
    window.go_to("history")  # which reads it by itself
    assert not window.trouble.isVisible()
    window.session.failed.emit((Problem("$", "ledger-unwritable"),))
    window.session.reread_accounts()  # other trouble is not past by that
    assert window.trouble.isVisible()
