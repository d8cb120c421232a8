# SPDX-License-Identifier: Apache-2.0
"""After any series of edits the page says what it says in a window that opens the study then."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.accuracy.query_accuracy import LIMIT, NOISE, WORLDS, QueryAccuracy
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.model.unit import Unit
from tests.asking import query_for
from tests.audit.length import runs
from tests.desk.conftest import OpenWindow
from tests.desk.pages.queries.conftest import Opener, page_of
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY

COUNT = Query("a").having(epsilon=Epsilon.of("0.1"), expected=100)
STAY = next(column for column in STUDY.columns if isinstance(column, NumberColumn))
SERIES = runs(short=1, full=60)
EDITS = 10
DRAWN = 300
"""So many milliseconds later all pictures are drawn."""


def accuracy_of(window: MainWindow, query: str = "a") -> QueryAccuracy:
    page = page_of(window)
    page.select(query)
    settle()
    return page.card(query).accuracy


def put(window: MainWindow, query: Query) -> None:
    study = window.session.document.study
    queries = tuple(query if one.id == query.id else one for one in study.queries)
    window.session.edit(replace(study, queries=queries), "edit")
    settle()


def test_an_incomplete_query_says_so_whatever_was_shown_before(opened: Opener) -> None:
    window = opened(COUNT, unit=Unit("id", 3))
    shown = accuracy_of(window)
    shown._tabs.button(LIMIT).click()
    put(window, Query("a").having(statistic="sum"))
    shown._tabs.button(NOISE).click()
    assert "Complete the sentence to see how accurate it will be." in texts(shown)


def test_an_incomplete_query_promises_nothing_of_one_person(opened: Opener) -> None:
    window = opened(COUNT)
    shown = accuracy_of(window)
    shown._tabs.button(WORLDS).click()
    assert any("A budget of 0.10 guarantees that" in text for text in texts(shown))
    put(window, replace(COUNT, epsilon=None))
    assert not any("guarantees that" in text for text in texts(shown))


def test_a_series_of_edits_leaves_nothing_behind(
    opened: Opener, open_window: OpenWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = opened(COUNT, replace(COUNT, id="b"))
    for seed in range(SERIES):
        dice = random.Random(seed)
        for _ in range(EDITS):
            edit(window, dice, qtbot)
        page = page_of(window)
        settle()
        shown = page.card(page.selected).accuracy
        if any(field.error for field in (shown.share, shown.margin, shown.expected)):
            continue  # what was typed wrong is kept, and no study holds it
        save_study(window.session.document.study, tmp_path / "then.dpdesk")
        fresh = open_window(tmp_path / "then.dpdesk", page="queries")
        there = accuracy_of(fresh, page.selected)
        there._tabs.button(max(0, shown._tabs.checkedId())).click()
        QTest.qWait(DRAWN)
        settle()
        assert {*texts(shown)} == {*texts(there)}, seed
        fresh.close()


def edit(window: MainWindow, dice: random.Random, qtbot: QtBot) -> None:
    """One edit by hand, in the study or between pages."""
    page, stack = page_of(window), window.session.document.undo_stack
    how = dice.choice(["query", "query", "select", "undo", "redo", "type", "type", "tab", "page"])
    if how == "query":
        put(window, random_query(dice, dice.choice("ab")))
    elif how == "select":
        page.select(dice.choice("ab"))
    elif how == "undo":
        stack.undo()
    elif how == "redo":
        stack.redo()
    elif how == "page":
        window.go_to("columns")
        window.go_to("queries")
    elif page.selected:
        shown = page.card(page.selected).accuracy
        tabs = [tab for tab in shown._tabs.buttons() if tab.isVisible()]
        if how == "tab" and tabs:
            dice.choice(tabs).click()
        field = dice.choice([shown.share, shown.margin, shown.expected])
        if how == "type" and field.isVisible():
            field.edit.setFocus()
            field.edit.selectAll()
            qtbot.keyClicks(field.edit, dice.choice(["x", "0.2", "12", "0"]))
            qtbot.keyClick(field.edit, dice.choice([Qt.Key.Key_Tab, Qt.Key.Key_Return]))
    if dice.random() < 0.8:
        settle()


def random_query(dice: random.Random, name: str) -> Query:
    share = dice.choice([None, Epsilon.of("0.1"), Epsilon.of("0.3")])
    statistic = dice.choice(STATISTICS)
    if dice.random() < 0.3:
        return Query(name).having(statistic=statistic, epsilon=share)
    made = query_for(statistic, STAY, name)
    return replace(made, epsilon=share, rho=None, expected=dice.choice([None, 100]))
