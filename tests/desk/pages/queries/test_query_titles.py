# SPDX-License-Identifier: Apache-2.0
"""A query is renamed in its card, by pencil or F2; its price and answer stay what they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.queries.query_card import QueryCard
from dpdesk.study.model.columns import NumberColumn
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, spoken, texts

HOSTILE = "<b>x</b> &amp; <img src=q> =1+1"


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


@pytest.fixture
def queries(window: MainWindow) -> QueriesPage:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def opened(queries: QueriesPage) -> QueryCard:
    return queries.card(queries.selected)


def title(queries: QueriesPage) -> str:
    found = queries.state.study.query(queries.selected)
    assert found is not None
    return found.title


def write(qtbot: QtBot, card: QueryCard, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    card.title.edit.selectAll()
    qtbot.keyClicks(card.title.edit, text)
    qtbot.keyClick(card.title.edit, key)
    settle()


def test_the_pencil_renames_and_nothing_is_asked_anew(
    window: MainWindow, queries: QueriesPage, qtbot: QtBot
) -> None:
    card = opened(queries)
    generated = card.title.label.text()
    assert generated.startswith("Count of ")
    before = {key: plan.canonical for key, plan in queries.state.plans.items()}
    planned = queries.state.planned
    qtbot.mouseClick(card.title.pencil, Qt.MouseButton.LeftButton)
    assert card.title.edit.text() == generated and card.title.edit.hasFocus()
    write(qtbot, card, "All stays")
    assert title(queries) == "All stays" and card.title.label.text() == "All stays"
    assert {key: plan.canonical for key, plan in queries.state.plans.items()} == before
    assert queries.state.planned == planned
    assert any("All stays" in text for text in texts(window.panel))
    queries.session.document.undo_stack.undo()
    assert title(queries) == "" and card.title.label.text() == generated


def test_f2_renames_escape_does_not_and_an_empty_title_is_the_sentence(
    queries: QueriesPage, qtbot: QtBot
) -> None:
    card = opened(queries)
    card.sentence.setFocus()
    card.rename()
    write(qtbot, card, "Mine")
    assert title(queries) == "Mine"
    card.rename()
    write(qtbot, card, "Other", Qt.Key.Key_Escape)
    assert title(queries) == "Mine" and not card.title.is_open
    card.rename()
    card.title.edit.clear()
    qtbot.keyClick(card.title.edit, Qt.Key.Key_Return)
    settle()
    assert title(queries) == "" and card.title.label.text().startswith("Count of ")


def test_f2_reaches_the_card_from_what_has_the_focus(queries: QueriesPage, qtbot: QtBot) -> None:
    card = opened(queries)
    queries.window().activateWindow()
    card.accuracy.share.edit.setFocus()
    qtbot.keyClick(card.accuracy.share.edit, Qt.Key.Key_F2)
    assert card.title.is_open


def test_a_title_that_is_markup_is_shown_as_it_is_written(
    window: MainWindow, queries: QueriesPage, qtbot: QtBot
) -> None:
    card = opened(queries)
    card.rename()
    write(qtbot, card, HOSTILE)
    key = queries.selected
    queries.select(next(q.id for q in queries.state.study.queries if q.id != key))
    settle()
    assert HOSTILE in spoken(queries.card(key))
    assert card.title.label.textFormat() == Qt.TextFormat.PlainText
    assert "&lt;img src=q&gt;" in queries.card(key)._summary.text()
    assert "<img" not in queries.card(key)._summary.text()


def test_a_pasted_title_loses_what_nobody_can_see_and_what_is_too_long(
    queries: QueriesPage, qtbot: QtBot
) -> None:
    card = opened(queries)
    card.rename()
    card.title.edit.setText("a\u202eb\x1b[31m" + "x" * 10_000)
    qtbot.keyClick(card.title.edit, Qt.Key.Key_Return)
    assert title(queries).startswith("ab[31m") and len(title(queries)) <= 300
    assert queries.session.document.save()


def test_a_field_has_separators_once_it_is_left(
    window: MainWindow, queries: QueriesPage, qtbot: QtBot
) -> None:
    window.go_to("columns")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("days")
    upper = page.form.numbers["upper"]
    upper.edit.setFocus()
    upper.edit.selectAll()
    qtbot.keyClicks(upper.edit, "45000")
    assert upper.text == "45000"
    qtbot.keyClick(upper.edit, Qt.Key.Key_Return)
    assert upper.text == "45,000"
    column = page.state.study.column("days")
    assert isinstance(column, NumberColumn) and column.upper == 45_000
    upper.edit.selectAll()
    qtbot.keyClicks(upper.edit, "1,500")
    qtbot.keyClick(upper.edit, Qt.Key.Key_Return)
    column = page.state.study.column("days")
    assert upper.text == "1,500" and isinstance(column, NumberColumn) and column.upper != 1500


def test_a_window_carries_the_studys_name(window: MainWindow, queries: QueriesPage) -> None:
    from dataclasses import replace

    state = window.session.state
    assert window.windowTitle() == f"{state.study.title} – dpdesk"
    window.session.edit(replace(state.study, title="Stays [*] 2025"), "rename")
    settle()
    assert window.windowTitle() == "Stays [*][*] 2025 – dpdesk"
