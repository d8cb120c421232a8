# SPDX-License-Identifier: Apache-2.0
"""Data in a database: order, runner on DuckDB, sealed counts and release, all from the window."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import StepState
from dpdesk.desk.main_window.rail_view import rail_state
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.counted.separate_dialog import SeparatePeopleDialog
from dpdesk.desk.pages.data.database.database_view import DatabaseView
from dpdesk.desk.pages.data.page import DATABASE, FILES, DataPage
from dpdesk.desk.widgets.accessibility import announcing
from dpdesk.engine import cli
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.fingerprints import store_sketch
from dpdesk.release.places.home import Home
from dpdesk.release.sealing.sealed_counts import digest_of
from dpdesk.release.sealing.waiting_orders import make_order
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import Budget, DataSource
from tests.desk.conftest import IN_LONG_WORDS
from tests.desk.layout_faults import page_faults
from tests.desk.releasing import do_release, release_page, spent
from tests.desk.screens import (
    describe,
    settle,
    shown_page,
    spoken,
    tabbed,
    takes_keyboard,
    texts,
    wait_until,
)
from tests.desk.spoken_names import faults as spoken_faults
from tests.engine.counted import order_arguments


@pytest.fixture
def window(
    window_with_key: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    """The small study with its rows in DuckDB, and no file any more."""
    # The words of what was done come and go when they will, above all else.
    monkeypatch.setattr(announcing, "_show", lambda *_: None)
    data = tmp_path / "stays.csv"
    rows = [line.split(",") for line in data.read_text().splitlines()[1:]]
    with duckdb.connect(str(tmp_path / "stays.duckdb")) as connection:
        connection.execute("CREATE TABLE stays (id VARCHAR, days VARCHAR, sex VARCHAR)")
        connection.executemany("INSERT INTO stays VALUES (?, ?, ?)", rows)
    data.unlink()
    window_with_key.go_to("data")
    page = data_page(window_with_key)
    page.where.segment(DATABASE).click()
    settle()
    return window_with_key


def data_page(window: MainWindow) -> DataPage:
    return shown_page(window, "data", DataPage)


def steps(window: MainWindow) -> DatabaseView:
    return data_page(window).database


def press_save(window: MainWindow, path: Path, patch: pytest.MonkeyPatch) -> Path:
    patch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    steps(window).save.click()
    settle()
    return path


def run(order: Path, database: Path) -> Path:
    """What the colleague does."""
    assert cli.main(["run", *order_arguments(order), "--on", f"duckdb:{database}"]) == 0
    return order.with_name(order.name.removesuffix(".order.json") + ".sealed")


def press_open(window: MainWindow, path: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))
    view = steps(window)
    view.open.click()
    wait_until(lambda: not view._opening.is_pending)
    settle()


@pytest.fixture
def sealed(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The counts of the study, sealed and not opened yet."""
    order = press_save(window, tmp_path / "our stays.order.json", monkeypatch)
    return run(order, tmp_path / "stays.duckdb")


def rail(window: MainWindow, step: str) -> tuple[StepState, str, int]:
    return rail_state(window.session.state, step, released=False)


def test_the_study_remembers_where_its_data_is(window: MainWindow, qtbot: QtBot) -> None:
    page = data_page(window)
    data = page.state.study.data
    assert data is not None and data.in_database and page.state.file_problems == ()
    assert "No file chosen" not in texts(page) and not page.preview.isVisible()
    window.session.document.undo_stack.undo()
    settle()
    assert page.where.key == FILES and not page.database.isVisible()
    assert page.footer.sentence == "The file cannot be used yet."


def test_from_the_order_to_the_release(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, view = data_page(window), steps(window)
    go_on = page.footer.primary
    assert go_on is not None and go_on.text() == "Continue to Release" and not go_on.isEnabled()
    order = press_save(window, tmp_path / "our stays.order.json", monkeypatch)
    found = texts(view)
    assert any(text.startswith("order ") and "3 queries, 7 counts, until" in text for text in found)
    assert view.command.text() == "dpdesk-engine run 'our stays.order.json' --on postgres"
    digest = hashlib.sha256(order.read_bytes()).hexdigest()
    assert digest[:20] in view.code.text().replace(" ", ""), "to be read out by phone"
    view.copy.click()
    assert QGuiApplication.clipboard().text() == view.command.text()
    assert page.footer.sentence == "Waits for the sealed counts. Nothing is spent meanwhile."
    assert window.session.state.counting.name == "WAITING"
    again = press_save(window, tmp_path / "again.order.json", monkeypatch)
    assert again.read_bytes() == order.read_bytes(), "one key, so that either's counts fit"
    sealed = run(order, tmp_path / "stays.duckdb")
    stray = window.session.home.orders / "0.order.json"
    stray.write_text("{}")
    press_open(window, sealed, monkeypatch)
    stray.unlink()
    assert view.opened.digest.text() == digest_of(sealed.read_bytes())
    assert any("duckdb 1." in text for text in texts(view))
    assert go_on.isEnabled() and go_on.hasFocus()
    go_on.click()
    done = do_release(window, qtbot).shown_release
    assert done is not None and spent(window) == "0.4"
    assert {query.counted_by.split()[0] for query in done.stored.record.queries} == {"duckdb"}
    assert window.session.counting.counts is None and not list(window.session.home.orders.iterdir())
    window.go_to("data")
    settle()
    assert page.footer.sentence == "All queries have stored figures; no counts are needed."


def test_a_file_that_does_not_serve_gets_one_sentence_at_its_step(
    window: MainWindow, sealed: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, whole = window.session, sealed.read_bytes()

    def said(content: bytes = whole) -> str:
        sealed.write_bytes(content)
        press_open(window, sealed, monkeypatch)
        step = steps(window).open_step
        assert session.counting.counts is None and step.wrong.isVisible()
        return step.wrong.sentence

    assert "no sealed counts" in said(b"id,days,sex\n")
    assert "changed or cut short" in said(whole[:-1])
    order = steps(window).order
    assert order is not None
    late = order.until.replace(year=order.until.year + 1)
    with monkeypatch.context() as patch:
        patch.setattr("dpdesk.desk.core.counting.today", lambda: late)
        assert "could be carried out until" in said()
    study = session.state.study
    data = replace(study.data or DataSource(), fill_down=True)
    session.edit(replace(study, data=data), "")
    press_save(window, sealed.with_name("other.order.json"), monkeypatch)
    assert "set Blank ids to Nobody’s rows" in steps(window).order_step.wrong.sentence
    session.document.undo_stack.undo()
    session.edit(replace(study, title="Another"), "")
    press_save(window, sealed.with_name("other.order.json"), monkeypatch)
    assert "not of the study as it is now" in said()
    session.document.undo_stack.undo()
    kept = {path: path.read_bytes() for path in session.home.orders.iterdir()}
    press_open(window, sealed, monkeypatch)
    window.go_to("release")
    do_release(window, qtbot)
    for path, content in kept.items():
        path.write_bytes(content)
    window.go_to("data")
    session.refresh()
    assert "were used already" in said()
    assert spent(window) == "0.4"


def test_an_order_of_the_shell_is_found_in_the_window(window: MainWindow, home: Home) -> None:
    study = window.session.state.study
    assert study.data is not None and steps(window).order is None
    in_files = replace(study, data=replace(study.data, in_database=False))
    order = make_order(in_files, home, 30)
    window.session.refresh()
    found = steps(window).order
    assert found is not None and found.number == order.number


def test_release_waits_for_the_counts(window: MainWindow, sealed: Path) -> None:
    assert rail(window, "data") == (StepState.ATTENTION, "Order waits", 1)
    assert rail(window, "release")[1] == "Waits for counts"
    window.go_to("release")
    settle()
    page = release_page(window)
    assert not page.release_button.isEnabled() and not page.review.check.isVisible()
    assert page.footer.sentence == "Open the sealed counts in Data first."
    assert page.review.counted_by.isVisible()


def test_a_changed_plan_needs_a_new_order(
    window: MainWindow, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    press_open(window, sealed, monkeypatch)
    view, study = steps(window), window.session.state.study
    first = replace(study.queries[0], epsilon=Epsilon.of("0.2"))
    window.session.edit(replace(study, queries=(first, *study.queries[1:])), "")
    settle()
    assert any("has changed since the order" in text for text in texts(view))
    assert not view.opened.isVisible() and window.session.state.lacks_counts
    window.session.document.undo_stack.undo()
    settle()
    assert view.opened.isVisible(), "undone, the counts fit again"
    # Whose people they are was asked for the account that was to pay.
    budget = Budget("other", epsilon=Epsilon.of(1))
    window.session.edit(replace(window.session.document.study, budget=budget), "")
    settle()
    assert not view.opened.isVisible() and window.session.state.lacks_counts


def test_whose_people_these_are_is_asked_and_recorded(
    window: MainWindow, sealed: Path, home: Home, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger.open(home)
    ledger.new_account("other", Epsilon.of(1), "for tests")
    with ledger.transaction() as transaction:
        store_sketch(transaction, "other", "x", (1, 2, 3))
    press_open(window, sealed, monkeypatch)
    assert list(steps(window).opened.asked) == ["other"]
    window.go_to("release")
    page = release_page(window)
    page.release_button.click()
    assert isinstance(page.whose, SeparatePeopleDialog) and "a second budget" in "".join(
        texts(page.whose)
    )
    page.whose.reason.set_text("another town")
    page.whose.danger_button.click()
    settle()
    page.confirm.accept()
    wait_until(lambda: page.shown_release is not None)
    entries = [entry for entry in Ledger.open(home).history() if "another town" in str(entry)]
    assert entries


def test_sealed_counts_can_be_dropped(window: MainWindow, sealed: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(sealed))])
    none = Qt.KeyboardModifier.NoModifier
    copy, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(QPoint(9, 9)), copy, mime, button, none))
    wait_until(lambda: window.session.counting.counts is not None)
    assert window.session.document.study.title == "Stays", "no other study was begun"


@IN_LONG_WORDS
@pytest.mark.usefixtures("language")
@pytest.mark.painted
@pytest.mark.in_turn(2)
def test_its_steps_have_room_and_names(
    window: MainWindow, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong() -> dict[str, list[str]]:
        found = {}
        for width, height in ((1366, 738), (1152, 700), (958, 529), (683, 354)):
            window.resize(width, height)
            settle()
            found[f"{width} x {height}"] = page_faults(window, window.page)
        window.resize(1366, 738)
        settle()
        found["spoken"] = spoken_faults(window, "data")
        found["nameless"] = [describe(w) for w in takes_keyboard(window) if not spoken(w).strip()]
        return {where: faults for where, faults in found.items() if faults}

    assert wrong() == {}
    view, reached = steps(window), tabbed(window)
    buttons = [view.read, view.save, view.instructions, view.copy, view.command, view.open]
    assert [one for one in reached if one in buttons] == buttons, "in the order of the steps"
    sealed.with_name("other.sealed").write_bytes(b"")
    press_open(window, sealed.with_name("other.sealed"), monkeypatch)
    assert steps(window).open_step.wrong.isVisible() and wrong() == {}
    press_open(window, sealed, monkeypatch)
    assert steps(window).opened.isVisible() and wrong() == {}
    window.go_to("release")
    settle()
    assert wrong() == {}
