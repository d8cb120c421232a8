# SPDX-License-Identifier: Apache-2.0
"""Whoever cannot see or cannot use a mouse gets everywhere and hears what is where."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QWidget

from dpdesk.desk.main_window.rail_view import rail_entries
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.ledger.backup_dialog import BackupDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from tests.desk.conftest import OpenWindow
from tests.desk.dialogs import DIALOGS
from tests.desk.screens import describe, press, settle, shown, spoken, tabbed, takes_keyboard

PAGES = tuple(entry.key for entry in rail_entries())


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def show_page(window: MainWindow, key: str) -> None:
    window.go_to(key)
    settle()


def is_named_by_others(widget: QWidget) -> bool:
    """Scroll areas and viewports are scenery: what is in them has the names."""
    return (
        isinstance(widget, QAbstractScrollArea)
        and not widget.accessibleName()
        and (widget.focusPolicy() == Qt.FocusPolicy.NoFocus)
    )


@pytest.mark.in_turn(2)
def test_every_control_has_a_name_of_its_own_and_tab_reaches_it(window: MainWindow) -> None:
    """Two buttons of one page that say the same do the same, or say where they are."""
    for key in PAGES:
        show_page(window, key)
        nameless = [
            describe(w)
            for w in takes_keyboard(window)
            if not is_named_by_others(w) and not spoken(w).strip()
        ]
        assert nameless == [], key
        buttons = [w for w in shown(window.pages[key]) if isinstance(w, QAbstractButton)]
        said = [(spoken(w), w.accessibleDescription()) for w in buttons if w.isEnabled()]
        assert {pair for pair in said if said.count(pair) > 1} == set(), key
        reached = set(tabbed(window))
        missed = [w for w in takes_keyboard(window) if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert [describe(w) for w in missed if w not in reached and not _by_arrow(w)] == [], key


def test_every_control_of_the_welcome_page_has_a_name(open_window: OpenWindow) -> None:
    window = open_window()
    settle()
    assert [describe(w) for w in takes_keyboard(window) if not spoken(w).strip()] == []
    reached = tabbed(window)
    ways = [w for w in window.findChildren(QAbstractButton) if w.objectName().startswith("way-")]
    assert len(ways) == 4
    assert set(ways) <= set(reached)


@pytest.mark.parametrize("kind", ["number", "category"])
@pytest.mark.in_turn(2)
def test_every_control_of_a_column_has_a_name(window: MainWindow, kind: str) -> None:
    show_page(window, "columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select({"number": "days", "category": "sex"}[kind])
    settle()
    assert [describe(w) for w in takes_keyboard(window) if not spoken(w).strip()] == []


def _by_arrow(widget: QWidget) -> bool:
    """Tab stops at the chosen one of a group; arrows go on from there."""
    if not isinstance(widget, QAbstractButton):
        return False
    return widget.group() is not None and not widget.isChecked()


@pytest.mark.in_turn(2)
def test_tab_goes_through_a_query_that_was_opened_later_before_the_next(
    window: MainWindow,
) -> None:
    show_page(window, "queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    for _ in range(3):
        page.add_query()
    ids = [query.id for query in page.state.study.queries]
    page.select(ids[1])
    settle()
    reached = [w for w in tabbed(window) if page.isAncestorOf(w)]
    cards = [next((i for i in ids if page.card(i).isAncestorOf(w)), None) for w in reached]
    assert sorted(cards.count(i) for i in ids)[-1] == cards.count(ids[1]) > 5
    order = [one for one, before in zip(cards, [None, *cards], strict=False) if one != before]
    assert [one for one in order if one] == ids
    assert page.footer.isAncestorOf(reached[-1])


@pytest.mark.in_turn(2)
def test_back_from_a_page_beside_the_way_is_what_opened_it(window: MainWindow) -> None:
    show_page(window, "queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    for beside in ("rehearsal", "comparison", "keys"):
        page.rehearse_button.setFocus()
        window.go_to(beside)
        settle()
        assert not page.rehearse_button.hasFocus()
        window.go_to("queries")
        settle()
        assert page.rehearse_button.hasFocus(), beside
    window.go_to("people")
    window.go_to("queries")
    assert not page.rehearse_button.hasFocus()


def test_a_dialog_that_asks_begins_where_it_is_answered(window: MainWindow) -> None:
    for name, answers in (("raise", "total"), ("group sizes", "table")):
        dialog = DIALOGS[name](window)
        dialog.open()
        settle()
        asked = getattr(dialog, answers)
        at = dialog.focusWidget()
        assert at is not None and (at is asked or asked.isAncestorOf(at)), name
        dialog.reject()


def test_a_backup_that_is_not_made_leaves_the_keyboard(window: MainWindow) -> None:
    shown: list[str] = []
    window.menus.page_picked.connect(shown.append)
    window.menus.open_key_backup()
    (dialog,) = window.findChildren(BackupDialog)
    dialog.reject()
    assert shown == []


def test_all_plots_of_a_query_speak(window: MainWindow) -> None:
    show_page(window, "queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    accuracy = page.card(page.selected).accuracy
    for place, plot in enumerate(
        (accuracy.pictures.noise, accuracy.pictures.worlds, accuracy.pictures.averaging)
    ):
        accuracy._tabs.button(place).click()
        settle()
        assert plot.isVisible()
        assert plot.canvas.accessibleName()
        assert any(c.isdigit() for c in plot.canvas.accessibleDescription())
        assert plot.table.model().rowCount() > 5


def test_the_study_can_be_gone_through_with_keys(window: MainWindow) -> None:
    show_page(window, "data")
    window.rail.item("data").setFocus()
    visited = [window.page]
    for _ in range(6):
        press(Qt.Key.Key_Down)
        visited.append(window.page)
    assert tuple(visited) == PAGES
