# SPDX-License-Identifier: Apache-2.0
"""Every key that does something is listed: on the handbook's page, and beside its menu entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle

GERMAN = {
    "Ctrl": "Strg",
    "Shift": "Umschalt",
    "Left": "Pfeil links",
    "Right": "Pfeil rechts",
    "Enter": "Eingabe",
}
KEYS = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)+(?:[A-Z0-9,]|Left|Right|Enter)(?![A-Za-z])|F[0-9]+")
"""Keys as the English page writes them."""
RANGE = re.compile(r"Ctrl\+([0-9]) to Ctrl\+([0-9])")


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> Iterator[MainWindow]:
    made = open_window(study_file)
    for page in made.pages:
        made.go_to(page)
        settle()
    return made


def keys(widget: QWidget) -> list[set[str]]:
    """The keys of each thing that a window does; systems have their own, and some several."""
    of_all = [action.shortcuts() for action in widget.findChildren(QAction)]
    of_all += [shortcut.keys() for shortcut in widget.findChildren(QShortcut)]
    portable = QKeySequence.SequenceFormat.PortableText
    return [{key.toString(portable) for key in one} for one in of_all if one]


def keys_of(text: str) -> set[str]:
    """The keys that the English page lists."""
    ends = RANGE.search(text)
    assert ends is not None
    between = {f"Ctrl+{n}" for n in range(int(ends[1]), int(ends[2]) + 1)}
    return set(KEYS.findall(text)) | between


def german(text: str) -> str:
    """Keys as they are called on a German keyboard."""
    for name, other in GERMAN.items():
        text = re.sub(rf"\b{name}\b", other, text)
    return text


@pytest.mark.in_turn(2)
def test_the_handbook_lists_every_key_of_the_windows_and_no_other(
    window: MainWindow, qtbot: QtBot
) -> None:
    handbook = HandbookWindow(read_handbook("en"))
    qtbot.addWidget(handbook)
    there = keys(window) + keys(handbook)
    assert len(there) > 20
    page = keys_of(read_handbook("en").page("keyboard").text)
    assert [one for one in there if not one & page] == []
    # What Qt's own lists take is in no list of keys.
    assert page - set().union(*there) == {"Ctrl+A", "Ctrl+C"}


def test_the_german_page_lists_the_same_keys() -> None:
    english, other = (read_handbook(code).page("keyboard").text for code in ("en", "de"))
    for key in keys_of(english) - {f"Ctrl+{n}" for n in range(2, 6)}:
        assert german(key) in other, key


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_menu_shows_its_keys(
    open_window: OpenWindow, home: Home, qapp: QApplication, language: str
) -> None:
    Settings(home).language = language
    window = open_window()
    with_keys = [
        action
        for menu in window.menuBar().findChildren(QMenu)
        for action in menu.actions()
        if not action.shortcut().isEmpty()
    ]
    assert len(with_keys) >= 15
    assert all(action.isShortcutVisibleInContextMenu() for action in with_keys)
    speak(qapp, SYSTEM)
