# SPDX-License-Identifier: Apache-2.0
"""Preferences hold at once, in the window that is there, and leave no unwanted trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.app import make_window
from dpdesk.desk.core import file_dialogs
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.preferences.preferences_dialog import PreferencesDialog
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.theme.metrics import BASE, scale
from dpdesk.desk.theme.roles import is_dark
from dpdesk.desk.theme.theme import Theme, glides
from dpdesk.release.places.home import Home
from tests.desk.screens import settle, takes_keyboard, texts, turn, wait_until

NO_NATIVE = Qt.ApplicationAttribute.AA_DontUseNativeDialogs


@pytest.fixture(autouse=True)
def as_before(qapp: QApplication) -> Iterator[None]:
    yield
    speak(qapp, SYSTEM)
    Theme(qapp).set_text_size(100)
    file_dialogs.keep_no_trace(False)


@pytest.fixture
def window(qapp: QApplication, home: Home) -> Iterator[MainWindow]:
    made = make_window(qapp, home)
    made.show()
    made.activateWindow()
    newest = [made]
    made.replaced.connect(newest.append)
    yield made
    newest[-1].close()
    newest[-1].deleteLater()


def ask(window: MainWindow) -> PreferencesDialog:
    window.menus.show_preferences()
    turn()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, PreferencesDialog)
    return dialog


def replacement(window: MainWindow, change: object) -> MainWindow:
    """The window that takes a window's place after a change."""
    taken: list[MainWindow] = []
    window.replaced.connect(taken.append)
    assert callable(change)
    change()
    wait_until(lambda: bool(taken))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()
    return taken[0]


def test_a_shortcut_opens_them(window: MainWindow) -> None:
    shortcuts = {
        a.shortcut().toString(): a.text().replace("&", "")
        for menu in window.menuBar().actions()
        for a in menu.menu().actions()  # type: ignore[union-attr]
    }
    assert shortcuts[QKeySequence("Ctrl+,").toString()] == "Preferences…"


def test_the_look_changes_at_once_and_in_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window)
    qtbot.mouseClick(dialog.scheme.segment("dark"), Qt.MouseButton.LeftButton)
    assert is_dark()
    assert Settings(window.session.home).scheme == "dark"
    dialog.reject()
    window.menus._enable()
    assert window.menus._looks["dark"].isChecked()
    assert window.menus.preferences is None


def test_texts_grow_at_once_and_the_dialog_stays(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window)
    before = window.menuBar().sizeHint().height()
    after = replacement(
        window,
        lambda: qtbot.mouseClick(dialog.text_size.segment("130"), Qt.MouseButton.LeftButton),
    )
    assert round(BASE * scale()) == round(BASE * 1.3)
    assert after.menuBar().sizeHint().height() > before
    again = QApplication.activeModalWidget()
    assert isinstance(again, PreferencesDialog)
    assert again.text_size.key == "130"
    assert Settings(after.session.home).text_size == 130
    again.reject()
    assert make_size(after, 100) == round(BASE)


def make_size(window: MainWindow, percent: int) -> int:
    """The size of texts after going to a percentage: never a percentage of a percentage."""
    for size in (110, 130, percent):
        window.theme.set_text_size(size)
    return QApplication.font().pixelSize()


def test_the_language_changes_at_once_and_the_keyboard_stays(window: MainWindow) -> None:
    dialog = ask(window)
    dialog.language.combo.setFocus()
    after = replacement(window, lambda: dialog.language.picked.emit("de"))
    again = QApplication.activeModalWidget()
    assert isinstance(again, PreferencesDialog)
    assert again.windowTitle() == "Einstellungen"
    assert again.language.key == "de"
    assert again.language.combo.hasFocus()
    again.reject()
    assert after.settings.language == "de"


@pytest.mark.threat("F5")
def test_without_recent_studies_no_dialog_of_the_system_is_used(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window.settings.remember(Path(__file__))
    dialog = ask(window)
    assert not QCoreApplication.testAttribute(NO_NATIVE)
    dialog.recent.click()
    assert QCoreApplication.testAttribute(NO_NATIVE)
    assert not window.settings.keeps_recent
    assert window.settings.recent == ()
    assert b"test_preferences" not in window.session.home.settings.read_bytes()
    window.menus._enable()
    assert not window.menus._remember.isChecked()
    dialog.recent.click()
    assert not QCoreApplication.testAttribute(NO_NATIVE)


def test_a_start_without_recent_studies_begins_so(qapp: QApplication, home: Home) -> None:
    Settings(home).keeps_recent = False
    made = make_window(qapp, home)
    assert QCoreApplication.testAttribute(NO_NATIVE)
    made.close()
    made.deleteLater()


def test_new_studies_go_to_the_chosen_folder(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, data = tmp_path / "share", tmp_path / "stays.csv"
    folder.mkdir()
    data.write_text("id,days\n1,2\n", encoding="utf-8")
    dialog = ask(window)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: str(folder))
    dialog.studies.choose.click()
    assert dialog.studies.shown.text() == str(folder)
    dialog.reject()
    window.opening.new_study(data)
    wait_until(lambda: window.session.document.is_open)
    assert window.session.document.path == folder / "stays.dpdesk"
    window.session.document.close()
    dialog = ask(window)
    dialog.studies.reset.click()
    assert window.opening.studies_folder() == window.session.home.root / "studies"


def test_a_folder_that_went_away_is_reported_and_not_made(
    window: MainWindow, tmp_path: Path
) -> None:
    data = tmp_path / "stays.csv"
    data.write_text("id,days\n1,2\n", encoding="utf-8")
    window.settings.studies_folder = tmp_path / "share"
    problems: list[object] = []
    window.refused.connect(problems.append)
    window.opening.new_study(data)
    wait_until(lambda: bool(problems))
    assert [p.code for p in problems[0]] == ["studies-folder-missing"]  # type: ignore[attr-defined]
    assert not (tmp_path / "share").exists()


@pytest.mark.parametrize(
    "text",
    [
        "[look]\nscheme=pink\n",
        "[look]\ntext=7000\n",
        "[look]\nlanguage=../../x\n",
        "[recent]\nkept=perhaps\n",
        "\0\0nonsense without a section ]]][[[ \n=\n",
    ],
)
def test_invalid_settings_are_the_usual_ones_and_reported(
    text: str, qapp: QApplication, home: Home
) -> None:
    home.settings.parent.mkdir(parents=True, exist_ok=True)
    home.settings.write_bytes(text.encode())
    made = make_window(qapp, home)
    assert made.settings.scheme == "system"
    assert made.settings.text_size == 100
    assert [p.code for p in made.trouble.problems] == ["settings-invalid"]
    assert any("the defaults apply" in text for text in texts(made.welcome, with_hidden=True))
    made.close()
    made.deleteLater()


def test_usual_settings_are_announced_to_nobody(window: MainWindow) -> None:
    assert window.trouble.problems == ()
    window.settings.scheme, window.settings.text_size = "dark", 110
    window.settings.language, window.settings.keeps_recent = "de", False
    window.settings.studies_folder = Path.home()
    assert not Settings(window.session.home).is_invalid


def test_the_keyboard_begins_with_the_first_choice(window: MainWindow) -> None:
    dialog = ask(window)
    assert dialog.language.combo.hasFocus(), "it began at the end, on the button that closes"
    dialog.reject()


def test_nothing_is_a_trap_for_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window)
    reached = set()
    for _ in range(30):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.add(QApplication.focusWidget())
    assert {dialog.language.combo, dialog.recent, dialog.studies.choose} <= reached
    assert reached <= set(takes_keyboard(dialog))


def test_while_something_is_at_work_the_window_is_not_made_anew(window: MainWindow) -> None:
    job = window.session.jobs.run(lambda _p, cancel: cancel_wait(cancel))
    dialog = ask(window)
    assert not dialog.language.isEnabled()
    assert not dialog.text_size.isEnabled()
    assert dialog.scheme.isEnabled()
    job.cancel()
    dialog.reject()


def cancel_wait(cancel: object) -> None:
    """Work that ends when it is cancelled."""
    import time

    while True:
        cancel.check()  # type: ignore[attr-defined]
        time.sleep(0.01)


def test_less_motion_holds_at_once_and_at_the_next_start(window: MainWindow) -> None:
    dialog = ask(window)
    assert glides() and not dialog.less_motion.isChecked()
    dialog.less_motion.click()
    assert not glides()
    assert Settings(window.session.home).moves_less is True
    dialog.less_motion.click()
    assert glides() and Settings(window.session.home).moves_less is False
