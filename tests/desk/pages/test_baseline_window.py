# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in the window: asked from nothing, priced, undone, released, and read as printed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.baseline.baseline_card import BaselineCard
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.rehearsal.page import RehearsalPage
from dpdesk.desk.pages.release.release_review import confirm_dialog
from dpdesk.desk.pages.results import baseline_result
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.baseline.documents import latex, markdown, word_page
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.notice_file import read_notice
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import Signers
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.baseline.declared import Characteristic
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import PASSPHRASE, do_release, history_page, saved_bundle
from tests.desk.screens import cells, pick, settle, shown_page, texts, wait_until
from tests.release.test_baseline_release import ROWS
from tests.study.baselines import BASELINE, STUDY, TABLE

Opener = Callable[[Study], MainWindow]


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home, key_folder: Path) -> Opener:
    """Opens a study over a small file, in an account of its own, with a key."""

    def open_with(study: Study) -> MainWindow:
        lines = [f"p{i},{','.join(one)}" for i, one in enumerate(ROWS)]
        text = "\n".join(["id,ward,sex,smoking,age", *lines, ""])
        (tmp_path / "stays.csv").write_text(text, encoding="utf-8")
        save_study(study, tmp_path / "stays.dpdesk")
        shutil.copytree(key_folder, home.keys, dirs_exist_ok=True)
        Ledger.open(home).new_account("registry", Epsilon.of(9))
        window = open_window(tmp_path / "stays.dpdesk", page="queries")
        settle()
        return window

    return open_with


def page_of(window: MainWindow) -> QueriesPage:
    return shown_page(window, "queries", QueriesPage)


def card_of(window: MainWindow) -> BaselineCard:
    page = page_of(window)
    return page.table_card(page.selected)


def rows_of(window: MainWindow) -> list[str]:
    rows = card_of(window).characteristics.rows
    return [f"{row.name.text()}: {row.shown.text()}" for row in rows if not row.isHidden()]


def test_it_is_asked_from_nothing_by_keyboard(opened: Opener) -> None:
    window = opened(STUDY)
    page = page_of(window)
    QTest.keyClick(page.add_table_button, Qt.Key.Key_Space)
    settle()
    card = card_of(window)
    assert window.session.state.query_problems("table-1")[0].code == "baseline-empty"
    assert card.characteristics.choose.hasFocus()
    QTest.keyClick(card.characteristics.choose, Qt.Key.Key_Space)
    columns = card.characteristics.anchor.popup.list
    for row in range(4):
        columns.setCurrentRow(row)
        QTest.keyClick(columns, Qt.Key.Key_Space)
    QTest.keyClick(columns, Qt.Key.Key_Return)
    settle()
    assert rows_of(window) == ["ward: n (%)", "sex: n (%)", "Smoking: n (%)", "Age: mean (SD)"]
    card.sentence.chip("first-group").click()
    pick(card.sentence.anchor.popup, "ward")
    # What makes the columns is none of the rows, and is said at its row.
    assert card.characteristics.rows[0].error == (
        "“ward” makes the columns of Table 1; remove it from the rows."
    )
    assert not card.characteristics.rows[1].error
    card.characteristics.rows[0].wanted.emit("remove")
    settle()
    assert window.session.state.problems == ()
    study = window.session.state.study
    assert [one.column for one in study.baseline_tables[0].characteristics] == [
        "sex",
        "smoking",
        "age",
    ]
    assert study.baseline_tables[0].share == Epsilon.of("0.1") == window.session.state.planned


def test_what_is_shown_of_a_column_is_ticked_and_undone(opened: Opener) -> None:
    table = replace(TABLE, characteristics=(Characteristic("age"), Characteristic("sex")))
    window = opened(replace(STUDY, baseline_tables=(table,)))
    rows = card_of(window).characteristics
    rows.rows[0].shown.click()
    rows.anchor.popup.chosen.emit(("mean", "median", "bins", "missing"))
    settle()
    rows.anchor.dialog.reject()
    asked = ["Age: mean (SD) + missing", "Age: median [Q1, Q3]", "Age: n (%) in bins"]
    assert rows_of(window) == [*asked, "sex: n (%)"]
    edges = window.session.state.study.baseline_tables[0].characteristics[2].edges
    assert edges == tuple(map(Decimal, (22, 44, 66, 88)))  # of the declared bounds alone
    window.session.document.undo_stack.undo()
    settle()
    assert rows_of(window) == ["Age: mean (SD)", "sex: n (%)"]
    rows.rows[0].shown.click()
    rows.anchor.popup.chosen.emit(())
    settle()
    assert rows_of(window) == ["sex: n (%)"]


def test_wrong_bins_and_parts_are_said_in_their_dialogs(opened: Opener) -> None:
    window = opened(BASELINE)
    rows = card_of(window).characteristics
    rows.rows[4].wanted.emit("bins")
    dialog = rows.anchor.dialog
    for text in ("65; 18", "500", ""):
        dialog.field.edit.setText(text)
        assert dialog.numbers() is None and dialog.field.error
    dialog.reject()
    rows.rows[0].part.click()
    dialog = rows.anchor.dialog
    dialog.field.edit.setText("2")
    dialog.accept()
    assert dialog.field.error == "The whole table costs 1.00; its parts cannot cost more."
    dialog.field.edit.setText("0.4")
    dialog.accept()
    settle()
    table = window.session.state.study.baseline_tables[0]
    assert table.characteristics[0].share == Epsilon.of("0.4")
    parts = window.session.state.parts_of(table)
    of_sex = [q.share for q in parts if q.component and q.component.place == 0]
    assert of_sex == [Epsilon.of("0.4")]
    assert window.session.state.planned == table.share == Epsilon.of(1)


def test_its_price_is_typed_stepped_and_shown_in_the_gauge(opened: Opener) -> None:
    window = opened(BASELINE)
    price = card_of(window).accuracy
    margin = card_of(window).characteristics.rows[0].margin.text()
    price.share.edit.setText("2")
    price.share.edited.emit("2")
    settle()
    assert window.session.state.planned == Epsilon.of(2)
    assert card_of(window).characteristics.rows[0].margin.text() != margin
    price.share.edit.setText("two")
    price.share.edited.emit("two")
    settle()
    assert price.share.error == "Type an amount such as 0.1."
    assert window.session.state.problems[0].code == "share-not-set"
    price.share.edited.emit("0.5")
    price.share.stepped.emit(1)
    settle()
    assert window.session.state.planned == Epsilon.of("0.51") and not price.share.error
    shown = texts(window.panel)
    assert "Table 1 by ward" in shown and "0.51" in shown


def test_it_is_duplicated_moved_renamed_and_removed(opened: Opener) -> None:
    window = opened(BASELINE)
    page = page_of(window)

    def ids() -> list[str]:
        return [one.id for one in window.session.state.study.baseline_tables]

    page.table_card("table-1").wanted.emit("duplicate")
    settle()
    assert ids() == ["table-1", "table-2"]
    assert window.session.state.planned == Epsilon.of(1)  # the same question is charged once
    page.table_card("table-2").wanted.emit("up")
    settle()
    assert ids() == ["table-2", "table-1"]
    page.table_card("table-2").title.renamed.emit("Characteristics")
    settle()
    assert window.session.state.study.baseline_tables[0].title == "Characteristics"
    page.table_card("table-2").wanted.emit("remove")
    settle()
    assert ids() == ["table-1"] and page.selected == "table-1"
    page.table_card("table-1").wanted.emit("remove")
    settle()
    assert window.session.state.study.queries == ()
    assert page.empty.isVisible()


def test_an_account_in_zcdp_takes_it_at_the_noise_that_it_had() -> None:
    """Its price is that of its queries at about their noise, not of one query that costs it all."""
    study = study_edits.use_account(BASELINE, "other", Rho.of(5))
    price, epsilons = study.baseline_tables[0].share, [q.share for q in BASELINE.queries]
    alike = sum(study_edits.as_measure(one, "rho").units for one in epsilons if one)
    assert price == Rho(alike) and alike < study_edits.as_measure(Epsilon.of(1), "rho").units / 4


def test_it_is_released_and_read_as_it_is_printed(
    opened: Opener, qtbot: QtBot, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(BASELINE)
    page = do_release(window, qtbot)
    (card,) = page.results.tables
    printed = card.tools.printed
    assert card.isVisible() and printed is not None
    assert not [one for one in page.results.cards if one.isVisible()]  # all is in the table
    model = card.grid.shown
    heads = [
        str(model.headerData(at, Qt.Orientation.Horizontal)) for at in range(model.columnCount())
    ]
    assert [head.split(",")[0] for head in heads] == ["Overall", "A", "B", "C", "D"]
    assert all(", n = " in head for head in heads)
    stubs = [str(model.headerData(at, Qt.Orientation.Vertical)) for at in range(model.rowCount())]
    assert stubs[:3] == ["sex, n (%)", "Women", "Men"]
    # Of the same column the name stands once.
    assert "Age (years): mean (SD)" in stubs and "median [Q1, Q3]" in stubs
    cell = model.index(1, 1)
    assert str(model.data(cell)).startswith(printed.rows[1].cells[1].text)
    tooltip = str(model.data(cell, Qt.ItemDataRole.ToolTipRole))
    assert tooltip.startswith("Number: ") and "Per cent: " in tooltip and tooltip.count("±") == 2
    clipboard = QGuiApplication.clipboard()
    card.tools.copy_as("markdown")
    assert clipboard.text() == markdown(printed)
    written = tmp_path / "table.html"
    monkeypatch.setattr(baseline_result, "ask_save", lambda _p, name, save, *_: save(written))
    card.tools.word_button.click()
    assert written.read_bytes() == word_page(printed)
    card.tools.copy_as("latex")
    assert clipboard.text() == latex(printed)
    card.copy()
    lines = clipboard.text().splitlines()
    assert lines[0].split("\t")[:3] == ["", "Overall", "± 95 %"]
    assert len(lines[3].split("\t")) == 1 + 2 * len(heads)
    path = saved_bundle(page, home, tmp_path)
    assert verify(path, Signers()).is_remade
    window.go_to("queries")
    settle()
    state = window.session.state
    assert state.is_answered(state.study.baseline_tables[0]) and state.planned.units == 0


def test_it_is_withdrawn_as_one_table(
    opened: Opener, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, path = opened(BASELINE), tmp_path / "one.notice"
    do_release(window, qtbot)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    page = history_page(window)
    page.revoke_button.click()
    dialog = page.notice_dialog
    dialog.table.combo.setCurrentIndex(1)
    assert dialog.table.combo.currentText() == "Only Table 1 by ward"
    dialog.reason.set_text("two wards were swapped")
    dialog.passphrase.set_text(PASSPHRASE)
    dialog.ok.click()
    wait_until(lambda: not dialog.is_busy)
    dialog.reject()
    names = {one.name for one in Ledger(window.session.home).release(2).record.queries}
    assert set(read_notice(path).tables) == names, "all that it is made of"


@pytest.mark.in_turn(2)
def test_a_narrow_card_has_its_margins_below_the_figures(opened: Opener, qtbot: QtBot) -> None:
    window = opened(BASELINE)
    page = do_release(window, qtbot)
    grid = page.results.tables[0].grid
    grid.resize(1200, grid.height())
    assert not grid.is_stacked
    high = grid.height()
    grid.resize(420, grid.height())
    assert grid.is_stacked and grid.height() > high


def test_shares_are_fitted_beside_its_price(opened: Opener) -> None:
    own = Query("stays", epsilon=Epsilon.of("0.5"))
    window = opened(with_baseline_queries(replace(BASELINE, queries=(own,))))
    page = page_of(window)
    assert page.fit_button.isEnabled()
    dialog = FitDialog(window, window.session.state)
    assert list(dialog.rows) == ["stays"]
    (total,) = [one for one in texts(dialog, with_hidden=True) if one.startswith("Total, now")]
    assert "1.5" in total and total.endswith("; every Table 1 keeps its price")
    page._use_shares({"stays": Epsilon.of("0.2")})
    settle()
    study = window.session.state.study
    assert study.baseline_tables[0].share == Epsilon.of(1)
    assert window.session.state.planned == Epsilon.of("1.2")
    page.card("stays").wanted.emit("remove")
    settle()
    assert not page.fit_button.isEnabled()
    assert page.fit_button.toolTip() == "A Table 1 has one price, which is set in its card."


def test_what_it_costs_is_confirmed_beside_all_others(opened: Opener) -> None:
    """Alone it looked like all that is paid."""
    count = Query("n", "count", epsilon=Epsilon.of("0.25"))
    window = opened(replace(BASELINE, queries=(*BASELINE.queries, count)))
    dialog = confirm_dialog(window, window.session.state, "me")
    dialog.show()
    said = texts(dialog)
    assert {"Table 1 by ward", "1 other query", "0.25"} <= {*said}
    dialog.reject()


def test_a_table_with_one_empty_row_is_no_useless_release(opened: Opener, qtbot: QtBot) -> None:
    """Of its queries one may say nothing, such as of cells of which none is missing."""
    table = replace(TABLE, characteristics=(Characteristic("sex"), Characteristic("age")))
    page = do_release(
        opened(with_baseline_queries(replace(STUDY, baseline_tables=(table,)))), qtbot
    )
    assert page._done is not None
    tables = page._done.stored.tables
    all_noisy = [_all_noisy(one) for one in tables]
    assert page.results._useless([all_noisy[0], *tables[1:]]) == []
    assert page.results._useless(all_noisy) == [1]


def _all_noisy(one: Table) -> Table:
    marks = [column.role == "mark" for column in one.columns]
    rows = [
        tuple(YES if mark else text for mark, text in zip(marks, row, strict=True))
        for row in one.rows
    ]
    return replace(one, rows=tuple(rows))


def test_a_rehearsal_shows_it_made_up(opened: Opener) -> None:
    window = opened(BASELINE)
    window.go_to("rehearsal")
    page = shown_page(window, "rehearsal", RehearsalPage)
    wait_until(lambda: page.rehearsal is not None)
    page.finish()
    settle()
    (card,) = [one for one in page.tables if one.isVisible()]
    assert card.tools.printed is not None and "made up" in " ".join(texts(card)).casefold()
    assert page.summary_rows.rowCount() == 1 and "Table 1 by ward" in cells(page.summary_rows)
    assert not [one for one in page.cards if one.isVisible()]
