# SPDX-License-Identifier: Apache-2.0
"""Search among many queries: typing filters, it is heard, the keyboard alone finds and opens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY, write_data

SHARE = Epsilon.of("0.01")
MANY = tuple(
    Query(f"q{place}", "mean", ColumnParameters("days"), epsilon=SHARE, title=f"Stay {place}")
    for place in range(12)
)
NAMED = (replace(MANY[0], title="Ärztliche Zeit"), *MANY[1:])


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path, home: Home) -> QueriesPage:
    write_data(tmp_path)
    study = replace(STUDY, queries=NAMED)
    window = open_window(save_with_account(study, tmp_path / "long.dpdesk", home), page="queries")
    settle()
    found = window.pages["queries"]
    assert isinstance(found, QueriesPage)
    wait_until(lambda: found.is_complete)
    return found


def on_show(page: QueriesPage) -> list[str]:
    return [query.id for query in page.state.study.queries if page.card(query.id).isVisible()]


def test_typing_leaves_what_is_found_and_escape_brings_all_back(
    page: QueriesPage, qtbot: QtBot
) -> None:
    edit = page.search.edit
    assert page.search.isVisible() and edit.placeholderText() == "Search 12 queries"
    qtbot.keyClicks(edit, "stay 1")
    assert on_show(page) == ["q1", "q10", "q11"]
    assert edit.accessibleDescription() == "3 of 12"
    edit.setText("aerzt")
    assert on_show(page) == ["q0"], "umlauts as they are spelt out"
    edit.setText("no such thing")
    assert on_show(page) == [] and edit.accessibleDescription() == "No query found"
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "" and len(on_show(page)) == 12


def test_the_keyboard_alone_finds_and_opens(page: QueriesPage, qtbot: QtBot) -> None:
    edit = page.search.edit
    qtbot.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert edit.hasFocus()
    qtbot.keyClicks(edit, "11")
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is page.card("q11")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert page.selected == "q11"
    assert QApplication.focusWidget() is page.card("q11").sentence.chip("statistic")


def test_what_is_added_or_opened_from_elsewhere_is_not_hidden(page: QueriesPage) -> None:
    page.search.edit.setText("stay 3")
    page.select("q5")
    settle()
    assert page.card("q5").isVisible() and not page.search.text
    page.search.edit.setText("stay 3")
    page.add_query()
    settle()
    assert page.card(page.selected).isVisible()


def test_a_few_queries_have_no_search(page: QueriesPage) -> None:
    study = replace(page.state.study, queries=NAMED[:10])
    page.session.edit(study, "Remove some")
    settle()
    assert not page.search.isVisible()


def test_a_closed_card_is_one_stop_of_tab_and_its_menu_has_a_key(
    page: QueriesPage, qtbot: QtBot
) -> None:
    card = page.card("q3")
    assert not card.more.focusPolicy() & Qt.FocusPolicy.TabFocus
    card.setFocus()
    kind = QContextMenuEvent.Reason.Keyboard
    spot = card.rect().center()
    QApplication.sendEvent(card, QContextMenuEvent(kind, spot, card.mapToGlobal(spot)))
    menu = card.findChild(QMenu)
    assert menu is not None and "Duplicate" in {action.text() for action in menu.actions()}
    menu.close()
