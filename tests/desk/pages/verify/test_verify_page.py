# SPDX-License-Identifier: Apache-2.0
"""Verify says what holds of a bundle, and shows figures of a good one only."""

from __future__ import annotations

import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.pages.verify.signer_dialog import AddSignerDialog
from dpdesk.desk.text import words
from dpdesk.desk.widgets.buttons import Button
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import allowed_signers_line, show
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import (
    PASSPHRASE,
    checked,
    do_release,
    history_page,
    release_page,
    saved_bundle,
)
from tests.desk.screens import settle, texts, wait_until


@pytest.fixture
def window(window_with_key: MainWindow) -> MainWindow:
    return window_with_key


@pytest.fixture
def bundle(window: MainWindow, qtbot: QtBot, home: Home, tmp_path: Path) -> Path:
    return saved_bundle(do_release(window, qtbot), home, tmp_path)


def test_an_own_bundle_can_be_relied_on(window: MainWindow, bundle: Path) -> None:
    page = checked(window, bundle)
    assert page.verdict.verdict.text() == "You can rely on this bundle"
    assert page.answers.signature.accessibleName().startswith("Signature: Valid")
    assert page.answers.signer.accessibleName().startswith("Signer: Known")
    assert page.answers.remade.accessibleName().startswith("Tables and report: Reproduced")
    assert page.answers.history.accessibleName().startswith("Account history: Nothing open")
    assert page.answers.table.model().rowCount() == 4
    assert page.figures_button.isEnabled()


@pytest.mark.in_turn(2)
def test_a_new_verdict_is_on_show(window: MainWindow, bundle: Path, tmp_path: Path) -> None:
    """Whoever had scrolled down opened another bundle, and its title stayed above the page."""
    window.resize(683, 354)
    page = checked(window, bundle)
    bar = page.scroll_area.verticalScrollBar()
    spoilt = tmp_path / "spoilt.zip"
    spoilt.write_bytes(b"none")
    for path in (bundle, spoilt, tmp_path / "gone.zip"):
        bar.setValue(60)
        assert bar.value() == 60
        page.open_bundle(path)
        wait_until(lambda: window.session.jobs.current is None)
        settle()
        assert bar.value() == 0, path.name


def test_a_lost_second_record_is_said_at_once_and_by_the_bundle(
    window: MainWindow, qtbot: QtBot, home: Home, tmp_path: Path
) -> None:
    problems: list[Problem] = []
    window.refused.connect(problems.extend)
    home.heads.unlink()
    page = release_page(window)
    assert [problem.code for problem in problems] == ["ledger-anchor-missing"]
    path = saved_bundle(do_release(window, qtbot), home, tmp_path)
    assert len(problems) == 1 and page.released_shares is not None
    found = checked(window, path)
    assert found.verdict.verdict.text() == "You can rely on this bundle"
    assert "leaves something open" in found.verdict.accessibleName()
    assert found.answers.history.accessibleName().startswith("Account history: Left open")
    assert "More may have been spent" in found.answers.history.accessibleName()
    model = history_page(window).table.model()
    rows = [[str(model.index(row, c).data()) for c in range(6)] for row in range(3)]
    assert ["Warning" in row for row in rows] == [False, True, False]
    assert "The second record was missing" in rows[1]


def test_the_claim_names_the_queries_and_shows_all_of_its_lines(
    window: MainWindow, qtbot: QtBot, home: Home, tmp_path: Path
) -> None:
    study = window.session.state.study
    two = (Decimal("0.25"), Decimal("0.5"))
    spread = Query("spread").having(
        statistic="quantiles", column="days", quantiles=two, epsilon=Epsilon.of("0.2")
    )
    window.session.edit(replace(study, queries=(*study.queries, spread)), "Add query")
    settle()
    page = checked(window, saved_bundle(do_release(window, qtbot), home, tmp_path))
    model = page.answers.table.model()
    lines = [
        [str(model.index(row, c).data() or "") for c in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    for query in window.session.state.study.queries:
        assert words.query_title(window.session.state.study, query) in [line[0] for line in lines]
    titles = [row for row, line in enumerate(lines) if not any(line[1:])]
    assert titles, "two quantiles have a draw each below their title"
    assert all(page.answers.table.columnSpan(row, 0) == model.columnCount() for row in titles)
    assert all(lines[row + 1][0] != lines[row + 1][0].strip() for row in titles)
    assert lines[-1][2]
    assert not page.answers.table.verticalScrollBar().isVisible()
    assert not page.answers.table.horizontalScrollBar().isVisible()


def test_an_unknown_signer_is_added_by_hand(
    window: MainWindow, bundle: Path, home: Home, qtbot: QtBot
) -> None:
    info = show(home.keys)
    assert info is not None
    line = allowed_signers_line(info)
    shutil.rmtree(home.keys)
    page = checked(window, bundle)
    assert page.verdict.verdict.text() == "You cannot rely on this bundle yet"
    assert page.answers.signer.body.geometry().width() > page.width() / 2, (
        "the whole key is on show"
    )
    assert not page.figures_button.isEnabled()
    why = "Figures locked. Check the signer’s key, then press I know this signer… to add it."
    assert page.footer.sentence == page.figures_button.toolTip() == why
    qtbot.mouseClick(page.answers.add_signer, Qt.MouseButton.LeftButton)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AddSignerDialog)
    ok = next(b for b in dialog.findChildren(Button) if b.text() == "Add signer")
    dialog.line.edit.setText("nonsense")
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert dialog.line.error
    dialog.line.edit.setText(line)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.found is not None and page.found.is_good)
    assert page.verdict.verdict.text() == "You can rely on this bundle"
    assert not page.answers.add_signer.isVisible()


def test_a_changed_byte_closes_the_figures(window: MainWindow, bundle: Path) -> None:
    raw = bytearray(bundle.read_bytes())
    raw[len(raw) // 3] ^= 1
    bundle.write_bytes(raw)
    page = checked(window, bundle)
    assert page.figures_button.isEnabled() is False
    if page.found is not None:
        assert page.verdict.verdict.text() == "Do not rely on this bundle"
        why = "Figures locked: the bundle has changed since it was signed."
        assert page.footer.sentence == page.figures_button.toolTip() == why
    else:
        assert page._trouble.isVisible()


def test_what_was_found_is_said_again_without_the_file(window: MainWindow, bundle: Path) -> None:
    """Each change of language and text size read and checked the whole bundle anew."""
    page = checked(window, bundle)
    found, memory = page.found, page.memory()
    bundle.unlink()
    again = VerifyPage(window.session)
    again.recall(memory)
    assert again.found is found is not None
    assert again.verdict.verdict.text() == "You can rely on this bundle"
    assert again.footer.sentence.startswith("Anyone can check it without dpdesk")
    assert again.memory() == memory


def test_figures_are_saved_from_a_good_bundle_only(
    window: MainWindow, bundle: Path, tmp_path: Path
) -> None:
    page = checked(window, bundle)
    (tmp_path / "out").mkdir()
    page.save_figures(tmp_path / "out")
    names = sorted(p.name for p in (tmp_path / "out" / "bundle").iterdir())
    assert {"report.html", "report.pdf", "results.xlsx", "count-of-rows.csv"} <= set(names)
    page.found = None
    page.save_figures(tmp_path)
    assert not (tmp_path / "bundle").exists()


@pytest.mark.in_turn(2)
def test_a_foot_with_nothing_to_say_or_press_is_hidden(window: MainWindow, bundle: Path) -> None:
    window.go_to("verify")
    page = window.pages["verify"]
    assert not page.footer.isVisible()
    page.open_bundle(bundle)
    wait_until(lambda: page.found is not None)
    assert page.footer.isVisible() and page.figures_button.isVisible()


def test_what_is_no_bundle_is_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "odd.zip"
    path.write_bytes(b"not a zip")
    page = checked(window, path)
    assert not page.figures_button.isEnabled()
    assert not page._file_line.isVisible(), "no empty line below the file's name"
    assert any(t.endswith(".") for t in texts(page._trouble) or texts(page.verdict))


def test_a_bundle_can_be_dropped_on_the_first_page(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window()
    path = tmp_path / "odd.zip"
    path.write_bytes(b"not a zip")
    checked(window, path)
    assert window.page == "verify"


@pytest.mark.in_turn(2)
def test_after_the_export_its_check_is_what_stands_out(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page = do_release(window, qtbot)
    assert page.first_to_do() is page.export_button
    page.results.export_to(tmp_path / "figures.zip")
    page.results.unlock.passphrase.edit.setText(PASSPHRASE)
    page.results.unlock.ok.click()
    settle()
    assert not page.export_button.isVisible() and page.results.exported.verify.isVisible()
    assert page.first_to_do() is page.results.exported.verify
    assert page.footer.back.text() == "Back to the figures" and page.again_button.isVisible()
    page.footer.back.click()
    settle()
    assert page.footer.back.text() == "Plan a new release" and not page.again_button.isVisible()
    assert page.export_button.isVisible() and page.first_to_do() is page.export_button
