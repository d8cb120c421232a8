# SPDX-License-Identifier: Apache-2.0
"""The plan on paper, from the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.privacy.compiler import compile
from dpdesk.release.places.home import Home
from dpdesk.release.plan_report.document import plan_pdf
from tests.desk.conftest import OpenWindow
from tests.desk.screens import wait_until
from tests.release.studies import STUDY


def test_the_saved_plan_is_the_shells(
    open_window: OpenWindow,
    study_file: Path,
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
    shown_done: list[str],
) -> None:
    window = open_window(study_file, page="release")
    chosen = study_file.with_name("plan")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(chosen), ""))
    window.menus._enable()
    window.menus._save_plan.trigger()
    path = chosen.with_suffix(".pdf")
    wait_until(path.exists)
    wait_until(lambda: shown_done == ["Saved: plan.pdf"])
    assert path.read_bytes() == plan_pdf(compile(STUDY), home, "en")


def test_printing_opens_the_document_and_keeps_no_earlier_one(
    open_window: OpenWindow, study_file: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    window = open_window(study_file, page="release")
    old = home.root / "print" / "old-plan.pdf"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"old")
    window.menus._enable()
    window.menus._print.trigger()
    wait_until(lambda: bool(opened))
    (shown,) = old.parent.iterdir()
    assert shown.name == "stays-plan.pdf"
    assert opened == [QUrl.fromLocalFile(str(shown))]
    assert shown.read_bytes().startswith(b"%PDF")


def test_without_a_program_for_pdf_a_sentence_says_so(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    window = open_window(study_file, page="release")
    with qtbot.waitSignal(window.refused) as signal:
        window.menus.plan_document.print_plan()
    assert [problem.code for problem in signal.args[0]] == ["pdf-not-shown"]


def test_a_system_that_shows_no_pdf_is_asked_whether_it_does(
    open_window: OpenWindow,
    study_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """Qt says that all is well once ``xdg-open`` runs, which finds no program a moment later."""
    opener = tmp_path / "xdg-open"
    opener.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    opener.chmod(0o700)
    monkeypatch.setattr("dpdesk.desk.opened_elsewhere.system_opener", lambda: str(opener))
    window = open_window(study_file, page="release")
    with qtbot.waitSignal(window.refused) as signal:
        window.menus.plan_document.print_plan()
    assert [problem.code for problem in signal.args[0]] == ["pdf-not-shown"]


def test_without_queries_there_is_no_plan(open_window: OpenWindow) -> None:
    window = open_window()
    window.menus._enable()
    assert not window.menus._print.isEnabled()
    assert not window.menus._save_plan.isEnabled()


def test_a_folder_that_cannot_be_written_is_reported(
    open_window: OpenWindow, study_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file, page="release")
    with qtbot.waitSignal(window.refused) as signal:
        window.menus.plan_document.save(tmp_path / "gone" / "plan.pdf")
    assert [problem.code for problem in signal.args[0]] == ["plan-unwritable"]
    assert window.trouble.isVisible()
    with qtbot.waitSignal(window.menus.plan_document.written):
        window.menus.plan_document.save(tmp_path / "plan.pdf")
    assert not window.trouble.isVisible(), "it could be written elsewhere"
