# SPDX-License-Identifier: Apache-2.0
"""Rehearsal: from Queries and by Ctrl+R, before any account; marked as made up in every view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.rehearsal.group_sizes_dialog import GroupSizesDialog
from dpdesk.desk.pages.rehearsal.page import RehearsalPage
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.widgets.labels.made_up_mark import MadeUpMark
from dpdesk.release.places.home import Home
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.document import Study
from tests.desk.coming_cards import check_squeezes_none
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle
from tests.release.bundles import KNOWN
from tests.release.studies import STUDY

pytestmark = pytest.mark.painted

OpenStudy = Callable[[Study], MainWindow]


@pytest.fixture
def open_study(open_window: OpenWindow, tmp_path: Path, home: Home) -> OpenStudy:
    """Opens the window on a study whose data file is not there."""

    def opened(study: Study) -> MainWindow:
        return open_window(save_with_account(study, tmp_path / "stays.dpdesk", home))

    return opened


def rehearsed(window: MainWindow, qtbot: QtBot) -> RehearsalPage:
    page = window.pages["rehearsal"]
    assert isinstance(page, RehearsalPage)
    qtbot.waitUntil(lambda: page.rehearsal is not None)
    page.finish()
    return page


def heights(page: RehearsalPage) -> list[tuple[tuple[str, ...], ...]]:
    assert page.rehearsal is not None
    return [query.table.rows for query in page.rehearsal.queries]


def shown_cards(page: RehearsalPage) -> list[ResultTable]:
    return [card for card in page.cards if not card.isHidden()]


def test_the_button_of_queries_shows_each_query_on_made_up_rows(
    open_study: OpenStudy, qtbot: QtBot
) -> None:
    window = open_study(replace(STUDY, budget=None))
    window.go_to("queries")
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    queries.rehearse_button.click()
    page = rehearsed(window, qtbot)
    assert window.page == "rehearsal"
    assert window.rail.item("queries").isChecked()
    assert len(shown_cards(page)) == len(STUDY.queries)
    assert page.summary_rows.rowCount() == len(STUDY.queries)
    assert any(one.code.startswith("no-guess") for one in window.session.state.weak)
    assert page._weak.count() == 0, "how many rows there are is typed here"


def test_a_card_that_comes_squeezes_none_above_it(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.resize(1280, 734)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    settle()
    assert page.rehearsal is not None
    *above, last = page.cards
    for card in page.cards:
        card.hide()
    coming = page._fill(page.rehearsal)
    while not above[-1].isVisible():
        next(coming)
    check_squeezes_none(lambda: next(coming), above, last)


@pytest.mark.in_turn(2)
def test_ctrl_r_leads_there(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("columns")
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    rehearsed(window, qtbot)
    assert window.page == "rehearsal"


def test_every_card_and_every_copy_says_made_up(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    for card in shown_cards(page):
        assert card.mark.isVisibleTo(page)
        assert card.tools._heading().title.startswith("made up: "), "so is its file's name"
        for copy in (card.copy, lambda card=card: card.tools.copy_as("markdown")):
            copy()
            table, _, below = QGuiApplication.clipboard().text().strip().partition("\n\n")
            head, *lines = table.splitlines()
            assert head.lstrip("| ").startswith("Rehearsal")
            assert all("made up" in line for line in lines if not line.startswith("| :---"))
            assert below == card.rows.note, "what was declared of rows is no figure"
    marks = page.findChildren(MadeUpMark)
    assert len(marks) >= len(STUDY.queries) + 1
    first = min(marks, key=lambda mark: mark.mapTo(page, QPoint()).y())
    title_end = page._title.mapTo(page, page._title.rect().topRight()).x()
    assert 0 < first.mapTo(page, QPoint()).x() - title_end <= 16, "right behind the title"
    assert {label.text() for mark in marks for label in mark.findChildren(QLabel)} >= {"made up"}


def test_cards_of_a_release_do_not_say_so(qtbot: QtBot) -> None:
    card = ResultTable()
    qtbot.addWidget(card)
    assert card.mark.isHidden()
    assert "made up" not in card.tools._heading().title


@pytest.mark.in_turn(2)
def test_pictures_differ_from_those_of_a_release(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    made_up, query = shown_cards(page)[0], page.rehearsal.queries[0]  # type: ignore[union-attr]
    real = ResultTable()
    qtbot.addWidget(real)
    real.show_table(query.table, "", query.plan.query.statistic)
    for card in (made_up, real):
        card.plot._freshen()
    brushes = [
        next(item for item in card.plot.canvas.getPlotItem().items if hasattr(item, "opts")).opts
        for card in (made_up, real)
    ]
    styles = [
        (getattr(opts.get("brush"), "style", lambda: None)(), opts["pen"].style())
        for opts in brushes
    ]
    assert styles[0] == (Qt.BrushStyle.NoBrush, Qt.PenStyle.DashLine)
    assert styles[1] != styles[0]
    assert "made up" in made_up.plot._mark.text
    assert "made up" not in real.plot._mark.text


def test_what_the_ledger_can_answer_is_free_here_too(open_study: OpenStudy, qtbot: QtBot) -> None:
    """As the panel beside the page says it, as soon as it is so."""
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    prices = [page.summary_rows.index(row, 3).data() for row in range(3)]
    assert prices == ["0.10", "0.10", "0.20"]
    answered = frozenset(query.id for query in STUDY.queries[:2])
    window.session.state = replace(window.session.state, answered=answered)
    page.render_state()
    prices = [page.summary_rows.index(row, 3).data() for row in range(3)]
    assert prices == ["no cost", "no cost", "0.20"]


def test_drawing_again_changes_heights_alone(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    before, lines = heights(page), [page.summary_rows.index(0, 2).data()]
    first = page.rehearsal
    page.head.again.click()
    qtbot.waitUntil(lambda: page.rehearsal is not first)
    assert heights(page) != before
    assert [page.summary_rows.index(0, 2).data()] == lines


def test_other_rows_are_split_anew_and_nonsense_is_said(
    open_study: OpenStudy, qtbot: QtBot
) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    first = page.rehearsal
    page.head.rows_field.set_text("some")
    page.head.rows_field.left.emit()
    assert page.head.rows_field.error
    assert page.rehearsal is first
    page.head.rows_field.set_text("600")
    page.head.rows_field.left.emit()
    qtbot.waitUntil(lambda: page.rehearsal is not first)
    assert not page.head.rows_field.error
    assert [query.ends[1] for query in page.rehearsal.queries] == [600, 300, 300]  # type: ignore[union-attr]


def test_an_edit_is_rehearsed_when_the_page_comes_back(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    first = page.rehearsal
    window.session.edit(replace(STUDY, queries=STUDY.queries[:1]), "Remove queries")
    qtbot.waitUntil(lambda: page.rehearsal is not first)
    page.finish()
    assert len(shown_cards(page)) == 1


def test_a_plan_with_mistakes_says_what_to_fix(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(replace(STUDY, queries=(replace(STUDY.queries[0], epsilon=None),)))
    window.go_to("rehearsal")
    page = window.pages["rehearsal"]
    assert isinstance(page, RehearsalPage)
    qtbot.waitUntil(page.banner.isVisible)
    assert page.rehearsal is None
    assert not page.save_button.isEnabled()


def test_what_is_saved_is_no_bundle(open_study: OpenStudy, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    page.save_to(tmp_path / "stays-release-1.zip")
    path = tmp_path / "made_up_stays-release-1.zip"
    qtbot.waitUntil(path.exists)
    assert verify(path, KNOWN).is_made_up
    window.verify_bundle(path)
    checked = window.pages["verify"]
    assert isinstance(checked, VerifyPage)
    texts = [label.text() for label in checked.findChildren(QLabel) if label.isVisibleTo(checked)]
    assert any("Made up, not a release" in text for text in texts)
    assert any("Ask the sender for the bundle of the release." in text for text in texts)
    assert not any("fresh copy" in text for text in texts)


def test_nothing_is_spent_and_no_file_is_needed(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    assert not (window.session.document.folder / "stays.csv").exists()
    before = window.session.home.ledger.read_bytes()
    window.go_to("rehearsal")
    rehearsed(window, qtbot)
    assert window.session.home.ledger.read_bytes() == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.in_turn(2)
def test_it_follows_the_scheme(open_study: OpenStudy, qtbot: QtBot, scheme: str) -> None:
    window = open_study(STUDY)
    window.theme.apply(scheme)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    assert not page.grab().isNull()


@pytest.mark.in_turn(2)
def test_each_group_can_have_a_size_of_its_own(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    first = page.rehearsal
    assert first is not None
    place, query = next((i, q) for i, q in enumerate(first.queries) if q.plan.query.by)
    page.head.groups.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, GroupSizesDialog)
    dialog._pick(query.plan.query.id)
    cell = dialog.model.index(1, 1)
    assert dialog.model.flags(cell) & Qt.ItemFlag.ItemIsEditable
    assert cell.data() == "as the others"
    assert not dialog.model.setData(cell, "many") and not dialog.model.setData(cell, "-3")
    settle()
    dialog.table.setFocus()
    dialog.table.setCurrentIndex(cell)
    QTest.keyClicks(dialog.table, "4")
    editor = dialog.table.indexWidget(cell) or dialog.table.findChild(QLineEdit)
    QTest.keyClicks(editor, "0000")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settle()
    assert dialog.isVisible()
    assert cell.data() == "40,000"
    dialog.ok.click()
    qtbot.waitUntil(lambda: page.rehearsal is not first)
    assert page.rehearsal is not None
    assert page.rehearsal.queries[place].sizes[:2] == (query.sizes[0], 40_000)
    page.head.groups.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, GroupSizesDialog)
    dialog._pick(query.plan.query.id)
    dialog.equal.click()
    dialog.ok.click()
    assert page.sizes == {}


def test_groups_that_are_gone_are_no_longer_guessed(open_study: OpenStudy, qtbot: QtBot) -> None:
    window = open_study(STUDY)
    window.go_to("rehearsal")
    page = rehearsed(window, qtbot)
    page.sizes = {"stays": {("nowhere",): 5}, "nobody": {("A",): 5}}
    first = page.rehearsal
    page.draw()
    qtbot.waitUntil(lambda: page.rehearsal is not first)
    assert page.rehearsal is not None and not page.banner.isVisible()
