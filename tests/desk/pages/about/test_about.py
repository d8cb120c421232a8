# SPDX-License-Identifier: Apache-2.0
"""About shows what came along with the program, and whether its files are as they were packed."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from dpdesk import __version__
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.about.about_dialog import AboutDialog
from dpdesk.desk.pages.about.text_dialog import TextDialog
from dpdesk.program.installed_files import LICENCES, LIST, MATERIALS
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This process believes to be an installed program of three files."""
    folder = tmp_path / "dpdesk program"
    folder.mkdir()
    for name in ("dpdesk", LICENCES, MATERIALS):
        (folder / name).write_text(f"this is {name}", encoding="utf-8")
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in folder.iterdir()]
    (folder / LIST).write_text("".join(lines))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(folder / "dpdesk"))
    return folder


def choose(window: MainWindow, text: str) -> None:
    """Choose a line of a menu."""
    (action,) = (a for a in window.findChildren(QAction) if a.text() == text)
    action.trigger()


def about(window: MainWindow) -> AboutDialog:
    choose(window, "&About dpdesk")
    found = QApplication.activeModalWidget()
    assert isinstance(found, AboutDialog)
    return found


def text_shown() -> TextDialog:
    found = QApplication.activeModalWidget()
    assert isinstance(found, TextDialog)
    return found


def test_from_its_source_it_says_so_and_offers_no_comparison(open_window: OpenWindow) -> None:
    window = open_window()
    dialog = about(window)
    assert dialog._head.icon._name == "logo", "the stamp is the mark of a release"
    said = texts(dialog)
    assert __version__ in said
    assert "Runs from" in said and "Installed in" not in said
    assert "Its source code (not installed)" in said
    assert str(window.session.home.logs) in said
    assert any("only an installed program has a list" in one for one in said)
    buttons = (dialog.compare, dialog.materials, dialog.licences)
    assert not any(button.isVisible() for button in buttons)


def test_an_installed_program_that_is_whole(installed: Path, open_window: OpenWindow) -> None:
    dialog = about(open_window())
    assert str(installed) in texts(dialog)
    dialog.compare.click()
    wait_until(dialog.compare.isEnabled)
    assert dialog.verdict.sentence == "All 3 files are unchanged."
    assert not dialog.differences.isVisible()
    assert any("not an attack" in text for text in texts(dialog))


def test_files_that_differ_are_named(installed: Path, open_window: OpenWindow) -> None:
    (installed / LICENCES).unlink()
    (installed / "dpdesk").write_text("")
    (installed / "new").write_text("")
    dialog = about(open_window())
    assert not dialog.licences.isVisible()
    dialog.compare.click()
    wait_until(dialog.compare.isEnabled)
    assert "Install dpdesk again" in dialog.verdict.sentence
    assert dialog.differences.isVisible()
    assert dialog.differences.text == f"changed: dpdesk\nmissing: {LICENCES}\nadditional: new"


def test_a_damaged_list_is_said(installed: Path, open_window: OpenWindow) -> None:
    (installed / LIST).write_text("nothing")
    dialog = about(open_window())
    dialog.compare.click()
    wait_until(dialog.compare.isEnabled)
    assert dialog.verdict.sentence.startswith("Line 1 of installed-files.sha256 is damaged")


def test_closing_it_while_it_compares_does_no_harm(
    installed: Path, open_window: OpenWindow
) -> None:
    window = open_window()
    dialog = about(window)
    (installed / "large").write_bytes(bytes(50_000_000))
    dialog.compare.click()
    dialog.reject()
    wait_until(lambda: window.session.looks.current is None)
    settle()


@pytest.mark.parametrize(("button", "name"), [("materials", MATERIALS), ("licences", LICENCES)])
def test_what_came_along_can_be_read_and_saved(
    installed: Path, open_window: OpenWindow, tmp_path: Path, button: str, name: str
) -> None:
    getattr(about(open_window()), button).click()
    dialog = text_shown()
    assert dialog.shown.text == f"this is {name}"
    dialog.save_to(tmp_path / "saved.txt")
    assert (tmp_path / "saved.txt").read_text(encoding="utf-8") == f"this is {name}"
    dialog.save_to(tmp_path / "no folder" / "saved.txt")
    assert "dpdesk cannot save there. Choose another folder." in texts(dialog)


def test_the_text_for_support_is_shown_before_it_is_sent(open_window: OpenWindow) -> None:
    choose(open_window(), "&Diagnostic file…")
    dialog = text_shown()
    assert "none of your data" in dialog.accessibleDescription()
    for part in (f"dpdesk {__version__}", "PySide6-Essentials", "screen ", "offscreen", "scale 1"):
        assert part in dialog.shown.text
    (copy,) = (b for b in dialog.findChildren(type(dialog.add_other("x"))) if b.text() == "Copy")
    copy.click()
    assert QGuiApplication.clipboard().text() == dialog.shown.text
