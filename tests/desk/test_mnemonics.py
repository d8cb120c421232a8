# SPDX-License-Identifier: Apache-2.0
"""Alt and a letter reach one thing alone, in every language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QWidget

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, languages, own_name, speak
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import framed
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.dialogs import DIALOGS, dialog_classes
from tests.desk.screens import settle
from tests.desk.spoken_names import faults


@pytest.fixture(params=languages())
def window(
    request: pytest.FixtureRequest,
    open_window: OpenWindow,
    study_file: Path,
    home: Home,
    qapp: QApplication,
) -> Iterator[MainWindow]:
    Settings(home).language = request.param
    yield open_window(study_file)
    speak(qapp, SYSTEM)


def twice(texts: Iterable[str]) -> list[str]:
    """The letters that several texts mark."""
    found = (re.search(r"&(\w)", text.replace("&&", "")) for text in texts)
    counted = Counter(match[1].lower() for match in found if match)
    return [letter for letter, times in counted.items() if times > 1]


def marked(widget: QWidget) -> list[str]:
    """The texts of what is on show and takes a letter: fields, by their labels."""
    return [w.text() for w in widget.findChildren(QLabel) if w.isVisible() and w.buddy()]


def selections(page: StepPage) -> Iterator[str]:
    """Each query or column in turn, which the page then shows."""
    named: tuple[str, ...] = ("",)
    if isinstance(page, QueriesPage):
        named = tuple(query.id for query in page.state.study.queries)
    elif isinstance(page, ColumnsPage):
        named = tuple(column.name for column in page.state.study.columns)
    for name in named:
        if isinstance(page, QueriesPage | ColumnsPage):
            page.select(name)
        yield name


def has_letter(text: str) -> bool:
    return bool(re.search(r"&\w", text.replace("&&", "")))


def bare(menu: QMenu) -> Iterator[str]:
    """Lines of a menu that neither a letter nor a key of their own takes."""
    lines = (action for action in menu.actions() if not action.isSeparator())
    named = (line for line in lines if not line.data() and line.shortcut().isEmpty())
    return (line.text() for line in named if not has_letter(line.text()))


def leads_to_all(dialog: Dialog) -> bool:
    """Whether Return goes from the first line to type in through all, to the last button."""
    lines = [w for w in dialog.findChildren(QLineEdit) if framed(w) is not w]
    wanted = {w for w in lines if w.isVisible() and w.isEnabled() and not w.isReadOnly()}
    return not wanted or any({*_led_through(dialog, w)} == wanted for w in wanted)


def _led_through(dialog: Dialog, first: QWidget) -> Iterator[QWidget]:
    at: QWidget | None = first
    while at is not None and at is not dialog.last_button:
        yield at
        at = dialog.return_leads_to(at)


@pytest.mark.in_turn(2)
def test_no_menu_and_no_page_has_a_letter_twice(window: MainWindow) -> None:
    """The menus' letters count, too: a field that takes one of them would lock the menu out."""
    found_menus = window.findChildren(QMenu)
    menus = {m.title(): [a.text() for a in m.actions()] for m in found_menus}
    own_names = {own_name(code) for code in languages()}
    assert {line for menu in found_menus for line in bare(menu)} <= own_names
    menus[""] = [action.text() for action in window.menuBar().actions()]
    assert len(menus) > 6
    assert {name: twice(texts) for name, texts in menus.items() if twice(texts)} == {}
    bar, found = menus[""], {}
    for key, page in window.pages.items():
        window.go_to(key)
        for what in selections(page):
            settle()
            found[f"{key} {what}"] = twice([*marked(page), *bar])
    assert {key: letters for key, letters in found.items() if letters} == {}


@pytest.mark.in_turn(2)
def test_no_field_of_a_query_without_groups_has_a_letter_twice(window: MainWindow) -> None:
    """It asks for the size of the whole file, where the others ask for that of a group."""
    study = window.session.state.study
    whole = replace(study.queries[0].having(statistic="mean", column="days"), by=())
    window.session.edit(replace(study, queries=(whole,)), "")
    window.go_to("queries")
    settle()
    labels = [w.text() for w in window.findChildren(QLabel) if w.isVisible() and w.buddy()]
    assert len(labels) > 2
    assert twice(labels) == []


def is_silent(dialog: Dialog) -> bool:
    """Whether its first sentence is not read out, beside an icon or above the fields."""
    first = dialog.body.itemAt(0)
    label = first.widget() if first is not None else None
    return isinstance(label, QLabel) and not dialog.accessibleDescription()


@pytest.mark.in_turn(2)
def test_no_dialog_has_a_letter_or_a_name_twice_or_is_silent(window: MainWindow) -> None:
    """Return goes through each; and every dialog of the window is in ``tests/desk/dialogs.py``."""
    made: set[type] = set()
    spoken: list[str] = []
    silent: list[str] = []
    stuck: list[str] = []
    found = {}
    for name, make in DIALOGS.items():
        dialog = make(window)
        made.add(type(dialog))
        dialog.open()
        settle()
        found[name] = twice(marked(dialog))
        spoken += faults(dialog, name)
        silent += [name] if is_silent(dialog) else []
        stuck += [] if leads_to_all(dialog) else [name]
        dialog.reject()
    assert (spoken, silent, stuck) == ([], [], [])
    assert {name: letters for name, letters in found.items() if letters} == {}
    assert dialog_classes() - made == set()


def test_a_letter_that_is_marked_twice_is_found() -> None:
    assert twice(["&Open", "P&olish", "&Save", "Q&&A"]) == ["o"]
