# SPDX-License-Identifier: Apache-2.0
"""Release asks once, says what it costs, spends it, and shows the figures."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import StepState
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.release.release_review import confirm_dialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.tables.rows_model import SECOND, WARNED
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.event_counts import EventCount
from tests.desk.releasing import (
    do_release,
    press_release,
    release_page,
    scaled,
    spent,
)
from tests.desk.screens import settle, spoken, texts, wait_until
from tests.release.studies import STUDY, write_data


@pytest.fixture
def window(window_with_key: MainWindow) -> MainWindow:
    return window_with_key


def spoken_labels(page: QWidget) -> set[str]:
    """What the labels on show are called to a screen reader."""
    shown = (label for label in page.findChildren(QLabel) if label.isVisible())
    return {spoken(label) for label in shown}


def test_a_warning_that_comes_squeezes_none_above_it(window: MainWindow) -> None:
    window.resize(1280, 734)
    review = release_page(window).review
    review._coming.finish()
    weakness = window.session.state.weak_to_draw[0]
    empty(review._weak)
    review.weak = []
    coming = review._add_weak([(1, weakness)] * 11)
    next(coming)
    next(coming)
    settle()
    above = [review._weak.itemAt(place).widget() for place in range(2)]
    sizes = EventCount(QEvent.Type.Resize, *above)
    next(coming)
    assert len(review.weak) == 11 and review.weak[-1].isVisible() and sizes.times == 0


def test_what_the_button_does_and_costs_stands_on_it(window: MainWindow) -> None:
    page = release_page(window)
    assert page.release_button.text() == "Release 5 figures for 0.40…"
    assert page.release_button.isEnabled()
    found = texts(page)
    assert "0.00 → 0.40" in found
    assert "1.00 → 0.60" in found
    assert {"from 0.00 to 0.40", "from 1.00 to 0.60"} <= spoken_labels(page)
    back = page.footer.back
    for width, said in ((683, "Back"), (1280, "Back to Queries")):
        window.resize(width, 700)
        settle()
        assert (back.text(), back.accessibleName()) == (said, "Back to Queries")
    cells = [page.review.table.model().index(row, 3) for row in range(2)]
    is_weak = {one.query for one in window.session.state.weak_to_draw}
    for cell, query in zip(cells, window.session.state.study.queries, strict=False):
        assert cell.data(WARNED) == (query.id in is_weak), "no meaning by the banner's colour alone"
        said = str(cell.data(Qt.ItemDataRole.AccessibleTextRole))
        assert said.endswith(", needs attention") == (query.id in is_weak)
    first, second = page.review.weak[:2]
    below = first.mapTo(page.review, QPoint(0, first.height()))
    apart = second.mapTo(page.review, QPoint(0, 0)).y() - below.y()
    assert apart == Space.CARDS, "banners are as far apart as cards"


def test_without_queries_there_is_nothing_to_review(window: MainWindow, qtbot: QtBot) -> None:
    page = release_page(window)
    study = window.session.state.study
    window.session.edit(replace(study, queries=()), "Remove all")
    settle()
    assert page.empty.isVisible() and not page.review.isVisible()
    assert not page.release_button.isVisible()
    assert page.footer.sentence == "Add a query first.", "one next step, as above it"
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert window.pages["queries"].isVisible()
    window.session.edit(study, "Put them back")
    release_page(window)
    assert page.review.isVisible() and not page.empty.isVisible()


def test_categories_that_are_found_are_no_0_figures(window: MainWindow) -> None:
    study, rho = window.session.state.study, Rho.of("0.01")
    found = Query(
        "q", "categories-found", CategoriesFoundParameters("sex", delta=Delta(1)), rho=rho
    )
    count = Query("n", "count", rho=rho)
    page = release_page(window)
    budget = Budget("registry", rho=Rho.of("0.1"))
    window.session.edit(replace(study, budget=budget, queries=(found,)), "")
    settle()
    assert page.release_button.text() == "Release found categories for 0.01…"
    shown = [page.review.table.model().index(row, 2).data() for row in range(2)]
    assert shown == ["as found", "0 +"]
    assert "Every category found, as the file writes it, with its number of people" in texts(page)
    dialog = confirm_dialog(window, window.session.state, "me")
    said = " ".join(texts(dialog))
    assert "No data is read" not in said and "Every category found is computed once" in said
    dialog.deleteLater()
    window.session.edit(replace(study, budget=budget, queries=(found, count)), "")
    settle()
    assert page.release_button.text() == "Release 1 figure and found categories for 0.02…"
    dialog = confirm_dialog(window, window.session.state, "me")
    assert "Every category found is published as well" in " ".join(texts(dialog))
    dialog.deleteLater()


def test_what_a_titled_query_asks_stands_below_its_title(window: MainWindow) -> None:
    """In brackets behind it, it held brackets of its own."""
    page = release_page(window)
    table, study = page.review.table, window.session.state.study
    plain = table.rowHeight(0)
    first = replace(study.queries[0], title="Stays")
    window.session.edit(replace(study, queries=(first, *study.queries[1:])), "")
    settle()
    cells = [table.model().index(row, 1) for row in range(len(study.queries) + 1)]
    sentence = words.sentence(window.session.state.study, first)
    assert (cells[0].data(), cells[0].data(SECOND)) == ("Stays", sentence)
    assert not any(cell.data(SECOND) for cell in cells[1:])
    assert cells[0].data(Qt.ItemDataRole.AccessibleTextRole) == f"Stays, {sentence}"
    assert table.rowHeight(0) > plain or plain > Space.ROW_REVIEW
    table.setFocus()
    table.copy_all()
    assert f"\tStays: {sentence}\t" in QGuiApplication.clipboard().text()


def test_saying_no_spends_nothing(window: MainWindow, qtbot: QtBot) -> None:
    page = release_page(window)
    press_release(page, qtbot)
    qtbot.keyClick(page.confirm, Qt.Key.Key_Return)
    qtbot.keyClick(page.confirm, Qt.Key.Key_Escape)
    settle()
    assert spent(window) == "0"
    assert window.session.jobs.current is None


def test_figures_and_gauge_after_a_release(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = do_release(window, qtbot)
    written: list[Path] = []
    monkeypatch.setattr(page.results, "export_to", written.append)
    (tmp_path / "there.zip").touch()
    for name in ("for the board 2.1", "stays.ZIP", "there"):
        chosen = str(tmp_path / name)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, _c=chosen: (_c, ""))
        page.results.ask_export()
    # A recipient opens it by its ending; nothing is written over unasked.
    assert [path.name for path in written] == ["for the board 2.1.zip", "stays.ZIP", "there"]
    assert spent(window) == "0.4"
    parts = window.panel.gauge.parts
    assert (parts.spent, parts.planned, parts.released, parts.left) == (0, 0, 400_000, 600_000)
    assert page.results.table.table.model().rowCount() >= 1
    assert window.rail.item("release").accessibleDescription() == "Released, done"


@pytest.mark.in_turn(2)
def test_the_figures_are_shown_from_their_title_on(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(window.minimumSize())
    page = release_page(window)
    settle()
    bar = page.scroll_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    do_release(window, qtbot)
    assert bar.value() == 0
    bar.setValue(bar.maximum())
    scaled(window, "0.05")
    window.go_to("queries")
    window.go_to("release")
    settle()
    assert page.released_shares is None and bar.value() == 0


def test_noisy_numbers_of_people_are_not_said_to_stay(window: MainWindow) -> None:
    found = texts(release_page(window))
    assert "The exact number of people" in found


@pytest.mark.parametrize("again", [False, True], ids=["same window", "opened again"])
def test_a_second_release_beyond_the_budget_is_refused(
    window: MainWindow, qtbot: QtBot, again: bool, open_window: OpenWindow, study_file: Path
) -> None:
    do_release(window, qtbot)
    scaled(window, "0.25")
    if again:
        window.close()
        window = open_window(study_file, page="release")
    page = release_page(window)
    assert page.released_shares is None
    assert not page.release_button.isEnabled()
    assert page.footer.sentence == "Over budget by 0.15. Lower the queries’ shares."
    assert window.panel.gauge.parts.left == -150_000
    window.go_to("queries")
    queries = window.pages["queries"]
    assert queries.footer.primary is not None and not queries.footer.primary.isEnabled()
    assert "0.15" in queries.footer.sentence
    assert spent(window) == "0.4"


def test_a_stored_answer_costs_nothing_and_is_counted_once(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = do_release(window, qtbot)
    first = texts(page.results.table)
    qtbot.mouseClick(page.footer.back, Qt.MouseButton.LeftButton)
    settle()
    assert window.page == "queries"
    parts = window.panel.gauge.parts
    assert (parts.spent, parts.planned, parts.left) == (400_000, 0, 600_000)
    page = do_release(window, qtbot)
    assert spent(window) == "0.4"
    assert texts(page.results.table) == first
    parts = window.panel.gauge.parts
    assert (parts.spent, parts.released, parts.left) == (400_000, 0, 600_000)
    assert any("Nothing is spent" in t for t in texts(page))


NOT_READY: tuple[tuple[dict[str, object], str], ...] = (
    ({"unit": None}, "."),
    ({"budget": None}, "."),
    ({"queries": ()}, "."),
    ({"columns": ()}, "."),
    ({"budget": replace(STUDY.budget, epsilon=Epsilon.of("0.3"))}, "over this study’s limit"),  # type: ignore[type-var]
    ({"budget": replace(STUDY.budget, account="absent")}, "account"),  # type: ignore[type-var]
)


@pytest.mark.in_turn(2)
def test_a_button_that_cannot_be_pressed_says_why(window: MainWindow) -> None:
    page = release_page(window)
    for change, reason in NOT_READY:
        window.session.edit(STUDY, "")
        settle()
        assert page.release_button.isEnabled()
        window.session.edit(replace(STUDY, **change), "")  # type: ignore[arg-type]
        settle()
        assert not page.release_button.isEnabled(), change
        assert reason in page.footer.sentence
        assert len(page.footer.sentence) > 15


@pytest.mark.parametrize("how", ["written", "put in its place", "gone"])
def test_a_file_that_changes_between_check_and_yes_is_not_released(
    how: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page, path = release_page(window), tmp_path / "stays.csv"
    press_release(page, qtbot)
    before = path.read_text("utf-8")
    if how == "written":
        path.write_text(before + before.splitlines()[-1] + "\n", "utf-8")
    elif how == "gone":
        path.unlink()
    else:
        # Of the same length, and by its date not a moment younger.
        other = tmp_path / "other.csv"
        other.write_text(before, "utf-8")
        shutil.copystat(path, other)
        other.replace(path)
    assert page.confirm.danger_button is not None
    qtbot.mouseClick(page.confirm.danger_button, Qt.MouseButton.LeftButton)
    settle()
    assert window.session.jobs.current is None and page.released_shares is None
    assert spent(window) == "0"
    assert "changed after its check" in page._trouble.accessibleName()
    path.write_text(before, "utf-8")
    press_release(page, qtbot)
    assert page.confirm.isVisible(), "it was checked again"
    qtbot.mouseClick(page.confirm.danger_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.released_shares is not None)


def test_a_refusal_while_reading_spends_nothing_and_says_so(
    window: MainWindow, tmp_path: Path
) -> None:
    page = release_page(window)
    (tmp_path / "stays.csv").write_text("id,sex\np1,f\n", encoding="utf-8")
    page.start_release()
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    assert spent(window) == "0"
    assert any("days" in t and t.endswith(".") for t in texts(page))
    assert page.release_button.isVisible()


def listed(window: MainWindow) -> list[str]:
    """What each query is said to cost beside the gauge."""
    return [line._cost.text() for line in window.panel._lines]


def test_what_the_ledger_answers_is_free_beside_the_gauge_too(
    window: MainWindow, qtbot: QtBot
) -> None:
    release_page(window)
    assert listed(window) == ["0.10", "0.10", "0.20"]
    do_release(window, qtbot)
    assert listed(window) == ["0.10", "0.10", "0.20"], "what the release has cost"
    window.go_to("queries")
    settle()
    assert listed(window) == ["no cost"] * 3, "what it would cost again"
    study = window.session.state.study
    first = replace(study.queries[0], epsilon=Epsilon.of("0.15"))
    window.session.edit(replace(study, queries=(first, *study.queries[1:])), "")
    settle()
    assert listed(window) == ["0.15", "no cost", "no cost"]
    do_release(window, qtbot)
    assert listed(window) == ["0.15", "no cost", "no cost"], "what the release has cost"


def test_the_figures_say_how_many_rows_of_one_person_they_are_made_of(
    window: MainWindow, qtbot: QtBot
) -> None:
    do_release(window, qtbot)
    study = window.session.state.study
    said = [words.counted_rows(study, query) for query in study.queries]
    assert all(one.limit for one in said), "of people by group, too"
    shown = " ".join(texts(window.pages["release"]))
    for query, one in zip(study.queries, said, strict=True):
        if one.limit:
            assert str(one) in shown, query.id
    count = sum(bool(one.limit) for one in said)
    assert shown.count(next(one.limit for one in said if one.limit)) == count


def test_foot_and_gauge_say_one_number_where_account_and_study_are_exceeded(
    window: MainWindow, qtbot: QtBot
) -> None:
    """Of three queries two are free: they count towards the study's limit alone."""
    do_release(window, qtbot)
    study = window.session.state.study
    total = window.session.state.account.total  # type: ignore[union-attr]
    first = replace(study.queries[0], epsilon=Epsilon.of("5"))
    changed = replace(study, queries=(first, *study.queries[1:]))
    assert changed.budget is not None
    window.session.edit(replace(changed, budget=replace(changed.budget, epsilon=total)), "")
    window.go_to("queries")
    settle()
    over = words.amount_of_units(-window.panel.gauge.parts.left, "epsilon")
    for page in ("queries", "release"):
        window.go_to(page)
        settle()
        assert window.pages[page].footer.sentence.startswith(f"Over budget by {over}")


def test_the_rail_marks_queries_beyond_the_budget_and_those_that_say_little(
    window: MainWindow,
) -> None:
    rail = window.rail.item("queries")
    scaled(window, "0.5")
    settle()
    assert rail.state is StepState.ATTENTION
    assert rail.accessibleDescription() == "Over budget, 1 needs attention"
    scaled(window, "0.0001")
    settle()
    assert rail.state is StepState.ATTENTION
    weak = len({one.query for one in window.session.state.weak})
    assert weak and rail.accessibleDescription().startswith(f"{weak} to check, ")
    scaled(window, "0.3")
    settle()
    assert (rail.state is StepState.DONE) == (not window.session.state.weak)


def test_cancel_while_reading_spends_nothing(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    write_data(tmp_path, people=200_000)
    page = release_page(window)
    page.start_release()
    assert not page.review.check.button.isEnabled(), "nothing looks as if it could be pressed"
    qtbot.mouseClick(page.footer.cancel, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.session.jobs.current is None)
    assert spent(window) == "0"
    assert page.released_shares is None
    settle()
    assert page.review.check.button.isEnabled()


def asked_to_stop() -> Dialog:
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, Dialog) and dialog.windowTitle() == "Close during the release?"
    return dialog


def test_closing_during_a_release_asks_and_then_stops_the_work(
    window: MainWindow, tmp_path: Path
) -> None:
    write_data(tmp_path, people=200_000)
    page = release_page(window)
    page.start_release()
    assert not window.close() and window.isVisible()
    asked_to_stop().danger_button.click()
    assert not window.isVisible()
    settle()
    assert spent(window) == "0"


def test_a_release_that_ends_while_closing_is_asked_shows_its_figures(window: MainWindow) -> None:
    page = release_page(window)
    page.start_release()
    assert not window.close()
    asked_to_stop()
    wait_until(lambda: page.released_shares is not None)
    settle()
    assert window.isVisible() and QApplication.activeModalWidget() is None, "nothing is asked now"
    assert window.close()


def test_figures_never_land_on_another_study(
    window: MainWindow, tmp_path: Path, home: Home
) -> None:
    other = save_with_account(replace(STUDY, title="Other"), tmp_path / "other.dpdesk", home)
    page = release_page(window)
    page.start_release()
    window.opening.open_study(other)
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    assert page.released_shares is None
    assert window.session.document.study.title == "Other"


def test_a_window_that_cannot_save_asks_before_it_closes(
    window: MainWindow, study_file: Path, qtbot: QtBot
) -> None:
    study_file.unlink()
    study_file.mkdir()
    window.session.edit(replace(STUDY, title="Kept"), "")
    assert not window.close()
    assert window.isVisible()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.isVisible()
    study_file.rmdir()
    assert window.close()
