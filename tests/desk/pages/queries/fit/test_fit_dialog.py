# SPDX-License-Identifier: Apache-2.0
"""Shares for wanted margins, and a total spread over queries, in the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.fit.fit_dialog import AT_ONCE, FitDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.text import words
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.privacy.planning.share_for_margin import margin_for
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow
from tests.desk.languages import spoken_language
from tests.desk.layout_faults import layout_faults
from tests.desk.pictures import open_sample
from tests.desk.screens import settle, spoken, takes_keyboard


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    made = open_window(study_file, page="queries")
    settle()
    return made


@pytest.fixture
def dialog(window: MainWindow) -> FitDialog:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.fit_button.click()
    settle()
    found = QApplication.activeModalWidget()
    assert isinstance(found, FitDialog)
    return found


def study(window: MainWindow) -> Study:
    found: Study = window.session.state.study
    return found


def type_margin(qtbot: QtBot, dialog: FitDialog, query_id: str, text: str) -> None:
    field = dialog.rows[query_id].within
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    settle()


def use(qtbot: QtBot, dialog: FitDialog) -> None:
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()


def test_nothing_changes_before_shares_are_used(
    window: MainWindow, dialog: FitDialog, qtbot: QtBot
) -> None:
    before = study(window)
    assert not dialog.ok.isEnabled()
    assert dialog.note.sentence == "Nothing would change yet."
    type_margin(qtbot, dialog, "stays", "20")
    assert study(window) is before
    dialog.reject()
    assert study(window) is before


def test_long_titles_wrap_in_a_small_window(window: MainWindow) -> None:
    before = study(window)
    title = "Readmissions within thirty days of any discharge from one of our wards"
    query = replace(before.queries[0], title=title)
    window.session.edit(replace(before, queries=(query, *before.queries[1:])), "")
    window.resize(1024, 640)
    dialog = FitDialog(window, window.session.state)
    dialog.open()
    settle()
    row = next(iter(dialog.rows.values()))
    (label,) = [one for one in row.findChildren(Label) if one.text() == title]
    assert label.height() >= label.heightForWidth(label.width()) >= label.height_of(2)
    dialog.reject()


def test_a_plan_of_more_than_there_is_is_mended_by_one_press(
    window: MainWindow, qtbot: QtBot
) -> None:
    asked = study(window)
    dear = tuple(replace(query, epsilon=Epsilon.of(2)) for query in asked.queries)
    window.session.edit(replace(asked, queries=dear), "Spend more")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    assert "Fit shares" in page.footer.sentence
    page.fit_button.click()
    settle()
    found = QApplication.activeModalWidget()
    assert isinstance(found, FitDialog)
    assert found.way.key == "spread" and found.focusWidget() is found.ok
    use(qtbot, found)
    state = window.session.state
    assert not state.over_limit_by and state.left_after >= 0
    assert page.footer.primary is not None and page.footer.primary.isEnabled()


def test_the_smallest_share_that_keeps_a_margin_is_used(
    window: MainWindow, dialog: FitDialog, qtbot: QtBot
) -> None:
    type_margin(qtbot, dialog, "stays", "20")
    assert dialog.ok.isEnabled()
    use(qtbot, dialog)
    after = study(window)
    query = after.query("stays")
    assert query is not None and query.epsilon is not None
    reached = margin_for(after, query, query.epsilon)
    assert reached is not None and reached <= 20
    less = margin_for(after, query, Epsilon(query.epsilon.micro - 1))
    assert less is not None and less > 20
    others = [q.epsilon for q in after.queries if q.id != "stays"]
    assert others == [Epsilon.of("0.1"), Epsilon.of("0.2")]
    window.session.document.undo_stack.undo()
    undone = study(window).query("stays")
    assert undone is not None and undone.epsilon == Epsilon.of("0.1")


def test_a_margin_that_is_none_is_reported_at_its_row(dialog: FitDialog, qtbot: QtBot) -> None:
    for typed in ("x", "-3", "0", "1e"):
        type_margin(qtbot, dialog, "stays", typed)
        assert dialog.rows["stays"].error == "Type a number above 0, or nothing for no target."
        assert not dialog.ok.isEnabled()
        type_margin(qtbot, dialog, "stays", "30")
        assert dialog.rows["stays"].error == ""


def test_a_margin_that_no_budget_reaches_is_reported(dialog: FitDialog, qtbot: QtBot) -> None:
    type_margin(qtbot, dialog, "stays", "0.000001")
    assert dialog.rows["stays"].error or dialog.note.sentence != "Nothing would change yet."
    assert not dialog.ok.isEnabled()


def spread(dialog: FitDialog) -> None:
    dialog.way.select("spread")
    dialog.way.picked.emit("spread")
    settle()


def test_a_total_is_spread_to_its_last_millionth(
    window: MainWindow, dialog: FitDialog, qtbot: QtBot
) -> None:
    spread(dialog)
    dialog.total.edit.selectAll()
    qtbot.keyClicks(dialog.total.edit, "0.7")
    row = dialog.rows["days"]
    row.weight.setCurrentIndex(row.weight.findData(3))
    row.weight.activated.emit(row.weight.currentIndex())
    settle()
    use(qtbot, dialog)
    shares = {q.id: q.epsilon for q in study(window).queries}
    assert sum(share.micro for share in shares.values() if share) == 700_000
    assert shares["days"] is not None and shares["stays"] is not None
    assert abs(shares["days"].micro - 3 * shares["stays"].micro) <= 3


def test_a_kept_share_stays(window: MainWindow, dialog: FitDialog, qtbot: QtBot) -> None:
    spread(dialog)
    dialog.rows["days"].keep.click()
    dialog.total.edit.selectAll()
    qtbot.keyClicks(dialog.total.edit, "0.6")
    settle()
    use(qtbot, dialog)
    shares = {q.id: str(q.epsilon) for q in study(window).queries}
    assert shares == {"stays": "0.2", "by-sex": "0.2", "days": "0.2"}


def test_a_total_that_cannot_be_is_reported_at_its_field(dialog: FitDialog, qtbot: QtBot) -> None:
    spread(dialog)
    dialog.rows["days"].keep.click()
    for total in ("0.1", "x", "0", ""):
        for typed in ("0.6", total):
            dialog.total.edit.selectAll()
            dialog.total.edit.clear()
            qtbot.keyClicks(dialog.total.edit, typed)
            dialog._show()
            assert bool(dialog.total.error) == (typed == total), typed
        assert not dialog.ok.isEnabled()


def test_every_control_says_what_it_is(dialog: FitDialog) -> None:
    for widget in takes_keyboard(dialog):
        assert spoken(widget), widget


def test_units_stay_inside_their_frames(window: MainWindow) -> None:
    before = study(window)
    columns = tuple(replace(c, label="days") for c in before.columns)
    median = Query("middle").having(statistic="median", column="days", epsilon=Epsilon.of("0.1"))
    edited = replace(before, columns=columns, queries=(*before.queries, median))
    window.session.edit(edited, "")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.fit_button.click()
    settle()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, FitDialog)
    frame = dialog.rows["days"].frame
    (unit,) = frame.findChildren(ElidedLabel)
    assert unit.text() == "days"
    assert unit.shown == "days"
    assert unit.geometry().right() < frame.width()
    (unit,) = dialog.rows["middle"].frame.findChildren(ElidedLabel)
    assert unit.shown == "rows", "below Within; what they are off was too long in German"
    dialog.reject()


def test_a_study_without_queries_opens_nothing(window: MainWindow) -> None:
    window.session.edit(replace(study(window), queries=()), "")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.fit_shares()
    assert QApplication.activeModalWidget() is None


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_a_screen_at_twice_the_size_has_room_for_all_of_it(
    open_window: OpenWindow, study_file: Path, home: Home, qapp: QApplication, language: str
) -> None:
    """1366 pixels are 683 there: titles stand above their columns."""
    Settings(home).language = language
    with spoken_language(qapp, language):
        window = open_window(study_file)
        window.resize(675, 360)
        dialog = FitDialog(window, window.session.state)
        dialog.open()
        settle()
        assert dialog.width() <= 683
        ends = [
            row.then.mapTo(dialog, row.then.rect().topRight()).x() for row in dialog.rows.values()
        ]
        assert max(ends) < dialog.width()
        dialog.reject()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_large_margins_break_there_and_nothing_scrolls_sideways(
    open_window: OpenWindow,
    home: Home,
    qapp: QApplication,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
) -> None:
    """Its own bar takes room, too, where the screen is too low for it."""
    Settings(home).language = language
    screen = type(QApplication.primaryScreen())
    monkeypatch.setattr(screen, "availableGeometry", lambda _self: QRect(0, 0, 683, 384))
    with spoken_language(qapp, language):
        window = open_window()
        open_sample(window)
        window.resize(681, 354)
        dialog = FitDialog(window, window.session.state)
        dialog.open()
        settle()
        assert dialog.width() <= 683 and dialog.height() == 384
        assert layout_faults(dialog) == []
        dialog.reject()


@pytest.mark.parametrize("size", [(683, 384), (1366, 768)])
@pytest.mark.in_turn(2)
def test_one_bar_scrolls_and_not_one_within_another(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """On a low screen the dialog scrolls, on others the list of many queries in it."""
    screen = type(QApplication.primaryScreen())
    monkeypatch.setattr(screen, "availableGeometry", lambda _self: QRect(0, 0, *size))
    study = window.session.state.study
    many = tuple(replace(study.queries[0], id=f"q{n}") for n in range(20))
    window.session.edit(replace(study, queries=many), "")
    window.resize(size[0], size[1] - 30)
    settle()
    dialog = FitDialog(window, window.session.state)
    dialog.open()
    settle()
    scrolled = [a for a in dialog.findChildren(QScrollArea) if a.verticalScrollBar().maximum() > 0]
    assert len(scrolled) == 1
    dialog.reject()


@pytest.mark.in_turn(2)
def test_rows_below_those_on_show_come_bit_by_bit_and_count_from_the_first(
    window: MainWindow, qtbot: QtBot
) -> None:
    """Fifty rows at once took a quarter of a second."""
    study = window.session.state.study
    many = tuple(replace(study.queries[0], id=f"q{n}") for n in range(50))
    state = replace(
        window.session.state, study=replace(study, queries=many), answered=frozenset({"q49"})
    )
    dialog = FitDialog(window, state)
    dialog.way.select("spread")
    dialog._show()
    share = dialog._fitted.shares["q49"]
    assert len(dialog.rows) == AT_ONCE and share == many[49].share, "answered: it keeps its share"
    dialog.total.set_text("0.9")
    dialog.total.edited.emit("0.9")
    then, shares = dialog.then.text(), dialog._fitted.shares
    assert shares["q48"] < share == shares["q49"]
    dialog.open()
    seen = set()
    while dialog._coming.are_left:
        seen.add(len(dialog.rows))
        QApplication.processEvents()
    assert len(seen) > 5 and list(dialog.rows) == [query.id for query in many]
    dialog._show()
    assert (dialog.then.text(), dialog._fitted.shares) == (then, shares)
    assert dialog.rows["q49"].is_kept and dialog.rows["q49"].share.text() == words.amount(share)
    settle()
    followed = dialog.rows["q48"].weight
    followed.setFocus()
    qtbot.keyClick(followed, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.rows["q49"].keep, "in the order in which they are read"
    qtbot.keyClick(dialog.rows["q49"].keep, Qt.Key.Key_Tab)
    assert dialog.focusWidget() in dialog.buttons.parentWidget().findChildren(Button)
    dialog.reject()
