# SPDX-License-Identifier: Apache-2.0
"""Thousands of columns and dozens of queries: the window makes what is on show, not more.

How long it stands still is measured by ``python -m tests.bench.standstill``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.column_item import ColumnItem
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.queries.query_card import QueryCard
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.plots.plot_base import Plot, PlotView
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.places.home import Home
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, spoken, wait_until
from tests.release.studies import STUDY, TENTH, write_data

pytestmark = pytest.mark.painted

MANY = 3_000


@pytest.fixture
def columns(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    """Columns of a file with very many."""
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{place}" for place in range(MANY)) + "\n" + "1," * MANY + "\n")
    window = open_window(path, page="columns")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page


def lines(page: ColumnsPage) -> list[ColumnItem]:
    return [line for line in page.findChildren(ColumnItem) if not line.isHidden()]


def test_of_many_columns_only_those_on_show_have_a_line(columns: ColumnsPage) -> None:
    assert len(columns.names()) == MANY
    assert 5 < len(lines(columns)) < 60
    assert columns.list.widget().height() > MANY * 40


@pytest.mark.in_turn(2)
def test_lines_come_as_the_list_is_scrolled(columns: ColumnsPage) -> None:
    bar = columns.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    settle()
    last = columns.item(f"c{MANY - 1}")
    assert last in lines(columns) and not last.visibleRegion().isEmpty()
    assert len(lines(columns)) < 60


@pytest.mark.in_turn(2)
def test_a_column_far_away_is_shown_where_it_is_wanted(columns: ColumnsPage) -> None:
    columns.select("c1500")
    settle()
    item = columns.item("c1500")
    assert item.isChecked() and not item.visibleRegion().isEmpty()
    assert spoken(item) and [line for line in lines(columns) if line.isChecked()] == [item]


@pytest.mark.in_turn(2)
def test_arrows_reach_lines_that_were_not_there(columns: ColumnsPage, qtbot: QtBot) -> None:
    columns.item(columns.selected).setFocus()
    for _ in range(40):
        at = columns.item(columns.selected)
        qtbot.keyClick(at, Qt.Key.Key_Down)
    settle()
    item = columns.item(columns.selected)
    assert columns.names().index(columns.selected) >= 40
    assert item.hasFocus() and not item.visibleRegion().isEmpty()


class Measured(RowsModel):
    """Counts the columns whose texts are measured."""

    times = 0

    def text_width(self, column: int) -> int:
        self.times += 1
        return super().text_width(column)


def test_a_wide_table_measures_no_column(qtbot: QtBot) -> None:
    model = Measured(())
    table = DataTable(model, "wide", stretch=-1)
    qtbot.addWidget(table)
    table.show()
    model.set_rows([("1",) * MANY] * 6, [f"c{place}" for place in range(MANY)])
    table.setFixedHeight(300)
    settle()
    assert model.times == 0
    model.set_rows([("1",) * 3] * 6, ["a", "b", "c"])
    settle()
    assert model.times > 0, "few columns are as wide as what they hold"


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path, home: Home) -> MainWindow:
    """A study with fifty means, none with a guess of its groups' size."""
    write_data(tmp_path)
    queries = tuple(
        Query(f"q{place}", "mean", ColumnParameters("days"), by=("sex",), epsilon=TENTH)
        for place in range(50)
    )
    study = replace(STUDY, queries=queries)
    opened = open_window(save_with_account(study, tmp_path / "long.dpdesk", home))
    wait_until(lambda: bool(opened.page))
    return opened


@pytest.fixture
def impatient(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies take longer to read than the window waits for them."""
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 0)


@pytest.mark.usefixtures("impatient")
def test_of_studies_that_are_being_opened_the_last_is(
    window: MainWindow, study_file: Path, tmp_path: Path
) -> None:
    window.opening.open_study(tmp_path / "long.dpdesk")
    window.opening.open_study(study_file)
    wait_until(lambda: window.session.document.path == study_file)
    settle(20)
    assert window.session.document.path == study_file
    window.opening.open_study(tmp_path / "long.dpdesk")
    wait_until(lambda: window.session.document.path == tmp_path / "long.dpdesk")
    assert len(window.session.state.plans) == 50


@pytest.mark.usefixtures("impatient")
def test_nothing_is_opened_in_a_window_that_was_closed(
    window: MainWindow, study_file: Path, tmp_path: Path
) -> None:
    window.opening.open_study(study_file)
    wait_until(lambda: window.session.document.path == study_file)
    window.opening.open_study(tmp_path / "long.dpdesk")
    window.close()
    settle(60)
    assert window.session.document.path == study_file


@pytest.mark.in_turn(2)
def test_only_the_open_query_has_fields_and_plots(window: MainWindow) -> None:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    assert len(page.findChildren(QueryAccuracy)) == 1
    assert len(page.findChildren(PlotView)) <= 1
    page.select("q30")
    settle()
    assert len(page.findChildren(QueryAccuracy)) == 2
    assert page.card("q30").accuracy.isVisible() and not page.card("q0").accuracy.isVisible()


def queries(window: MainWindow) -> QueriesPage:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def cards(page: QueriesPage) -> list[QueryCard]:
    """The cards that are there, from top to bottom."""
    settle()
    return sorted(
        (card for card in page.findChildren(QueryCard) if card.isVisible()),
        key=lambda card: card.mapTo(page, QPoint(0, 0)).y(),
    )


@pytest.mark.in_turn(2)
def test_cards_below_the_screen_follow_one_by_one(window: MainWindow) -> None:
    page = queries(window)
    assert not page.is_complete
    assert len(page.findChildren(QueryCard)) < 20
    wait_until(lambda: page.is_complete)
    found = cards(page)
    assert found == [page.card(f"q{place}") for place in range(50)]
    assert all(spoken(card) for card in found)


@pytest.mark.in_turn(2)
def test_a_card_comes_before_its_turn_where_it_is_wanted(window: MainWindow) -> None:
    page = queries(window)
    page.select("q40")
    page.card("q30")
    assert not page.is_complete
    wait_until(lambda: page.card("q40").accuracy.isVisible())
    wait_until(lambda: page.is_complete)
    assert cards(page) == [page.card(f"q{place}") for place in range(50)]


@pytest.mark.in_turn(2)
def test_cards_to_come_are_those_of_the_study_on_show(window: MainWindow, home: Home) -> None:
    page = queries(window)
    study = window.session.state.study
    window.session.edit(replace(study, queries=study.queries[:30]), "leave some out")
    assert not page.is_complete
    wait_until(lambda: page.is_complete)
    assert len(cards(page)) == 30
    window.session.document.undo_stack.undo()
    assert not page.is_complete
    window.session.document.close()
    assert page.is_complete
    settle()
    assert page.findChildren(QueryCard) == []


@pytest.mark.in_turn(2)
def test_a_query_is_added_below_all_others(window: MainWindow) -> None:
    page = queries(window)
    page.add_query()
    assert page.is_complete
    assert cards(page)[-1] is page.card(page.selected)


@pytest.mark.in_turn(2)
def test_figures_are_built_for_a_release_alone(window: MainWindow) -> None:
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    assert page.findChildren(Plot) == []
    assert page.results.parent() is not None and not page.results.isVisible()


@pytest.mark.in_turn(2)
def test_every_weak_query_is_named_in_the_end(window: MainWindow) -> None:
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    wanted = len(window.session.state.weak_to_draw)
    assert wanted > 50
    wait_until(lambda: len(page.review.weak) == wanted)


def test_pages_are_made_when_they_are_first_shown(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window()
    assert window.pages.made() == ()
    window.opening.open_any(study_file)
    settle()
    assert window.pages.made() == (window.pages[window.page],)
    window.go_to("history")
    settle()
    assert [*window.pages.made()][1:] == [window.pages["history"]]
    assert window.pages["history"].isVisible()
