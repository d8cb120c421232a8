# SPDX-License-Identifier: Apache-2.0
"""Release once, look back for free, and check what comes from elsewhere."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import StepState
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.release.same_file_dialog import SameFileDialog
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.pages.verify.signer_dialog import AddSignerDialog
from dpdesk.desk.text import words
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.window import MainWindow
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.container import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.home import Home
from dpdesk.release.run import ReleaseDone
from dpdesk.release.signing.keys import allowed_signers_line, new_key, show, unlock
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Problem
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, texts, wait_until
from tests.release.ledgers import without_rules
from tests.release.liar import lied, retold_in_format_2
from tests.release.studies import STUDY, write_data

PASSPHRASE = "made-up passphrase"
OLD_BUNDLES = Path(__file__).parents[2] / "release" / "files" / "bundles-0.1.0"
SIGNER = "data-office@lindenfeld.example"


@pytest.fixture(scope="session")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One key for all: its passphrase is slow to stretch."""
    folder = tmp_path_factory.mktemp("key") / "keys"
    new_key(folder, SIGNER, PASSPHRASE)
    return folder


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home, key_folder: Path) -> MainWindow:
    shutil.copytree(key_folder, home.keys, dirs_exist_ok=True)
    return open_window(study_file)


def release_page(window: MainWindow) -> ReleasePage:
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def do_release(window: MainWindow, qtbot: QtBot) -> ReleasePage:
    page = release_page(window)
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    say_same_file(page, qtbot)
    assert page.confirm.danger_button is not None
    qtbot.mouseClick(page.confirm.danger_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.released_shares is not None)
    settle()
    return page


def say_same_file(page: ReleasePage, qtbot: QtBot) -> None:
    """Answer the question that an extract which was used before brings."""
    dialog = page.findChild(SameFileDialog)
    if dialog is not None and dialog.isVisible():
        qtbot.mouseClick(dialog.same, Qt.MouseButton.LeftButton)


def spent(window: MainWindow) -> str:
    return str(window.session.accounts.ledger().account("registry").spent)


def scaled(window: MainWindow, share: str) -> None:
    """Ask for other shares: questions that were not answered before."""
    study = window.session.state.study
    queries = tuple(replace(q, epsilon=Epsilon.of(share)) for q in study.queries)
    window.session.edit(replace(study, queries=queries), "")


# --- release ------------------------------------------------------------------------------------


def test_what_the_button_does_and_costs_stands_on_it(window: MainWindow) -> None:
    page = release_page(window)
    assert page.release_button.text() == "Release 5 figures for 0.40…"
    assert page.release_button.isEnabled()
    found = texts(page)
    assert "0.00 → 0.40" in found
    assert "1.00 → 0.60" in found


def test_without_queries_there_is_nothing_to_review(window: MainWindow, qtbot: QtBot) -> None:
    page = release_page(window)
    study = window.session.state.study
    window.session.edit(replace(study, queries=()), "Remove all")
    settle()
    assert page.empty.isVisible() and not page.review.isVisible()
    assert not page.release_button.isVisible()
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert window.pages["queries"].isVisible()
    window.session.edit(study, "Put them back")
    release_page(window)
    assert page.review.isVisible() and not page.empty.isVisible()


def test_saying_no_spends_nothing(window: MainWindow, qtbot: QtBot) -> None:
    page = release_page(window)
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(page.confirm, Qt.Key.Key_Return)
    qtbot.keyClick(page.confirm, Qt.Key.Key_Escape)
    settle()
    assert spent(window) == "0"
    assert window.session.jobs.current is None


def test_figures_and_gauge_after_a_release(window: MainWindow, qtbot: QtBot) -> None:
    page = do_release(window, qtbot)
    assert spent(window) == "0.4"
    parts = window.panel.gauge.parts
    assert (parts.spent, parts.planned, parts.released, parts.left) == (0, 0, 400_000, 600_000)
    assert page.results.table.table.model().rowCount() >= 1
    assert window.rail.item("release").accessibleDescription() == "Released, done"


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
        window = open_window(study_file)
    page = release_page(window)
    assert page.released_shares is None
    assert not page.release_button.isEnabled()
    assert page.footer.sentence == "Over budget by 0.15; lower the queries’ shares."
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


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"unit": None}, "."),
        ({"budget": None}, "."),
        ({"queries": ()}, "."),
        ({"columns": ()}, "."),
        ({"budget": replace(STUDY.budget, epsilon=Epsilon.of("0.3"))}, "more than this study"),  # type: ignore[type-var]
        ({"budget": replace(STUDY.budget, account="absent")}, "account"),  # type: ignore[type-var]
    ],
)
def test_a_button_that_cannot_be_pressed_says_why(
    window: MainWindow, change: dict[str, object], reason: str
) -> None:
    window.session.edit(replace(STUDY, **change), "")  # type: ignore[arg-type]
    page = release_page(window)
    assert not page.release_button.isEnabled()
    assert reason in page.footer.sentence
    assert len(page.footer.sentence) > 15


def test_a_refusal_while_reading_spends_nothing_and_says_so(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page = release_page(window)
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    (tmp_path / "stays.csv").write_text("id,sex\np1,f\n", encoding="utf-8")
    assert page.confirm.danger_button is not None
    qtbot.mouseClick(page.confirm.danger_button, Qt.MouseButton.LeftButton)
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
    assert listed(window) == ["free"] * 3, "what it would cost again"
    study = window.session.state.study
    first = replace(study.queries[0], epsilon=Epsilon.of("0.15"))
    window.session.edit(replace(study, queries=(first, *study.queries[1:])), "")
    settle()
    assert listed(window) == ["0.15", "free", "free"]
    do_release(window, qtbot)
    assert listed(window) == ["0.15", "free", "free"], "what the release has cost"


def test_the_figures_say_how_many_rows_of_one_person_they_are_made_of(
    window: MainWindow, qtbot: QtBot
) -> None:
    do_release(window, qtbot)
    (line,) = (text for text in texts(window.pages["release"]) if "of each" in text)
    study = window.session.state.study
    assert study.unit is not None
    names = words.names(study)
    assert line.endswith(
        f"; at most {study.unit.max_rows} {names.rows} of each {names.person} count."
    )


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
    assert weak and rail.accessibleDescription().startswith(f"{weak} to look at, ")
    scaled(window, "0.3")
    settle()
    assert (rail.state is StepState.DONE) == (not window.session.state.weak)


def test_cancel_while_reading_spends_nothing(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    write_data(tmp_path, people=200_000)
    page = release_page(window)
    page.start_release()
    qtbot.mouseClick(page.footer.cancel, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.session.jobs.current is None, 2)
    assert spent(window) == "0"
    assert page.released_shares is None


def test_closing_the_window_while_it_reads_stops_the_work(
    window: MainWindow, tmp_path: Path
) -> None:
    write_data(tmp_path, people=200_000)
    page = release_page(window)
    page.start_release()
    window.close()
    assert not window.isVisible()
    settle()
    assert spent(window) == "0"


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


# --- history ------------------------------------------------------------------------------------


def test_titles_that_end_in_their_year_are_told_apart(window: MainWindow) -> None:
    page = history_page(window)
    width = page.table.viewport().width() // 8
    metrics = page.table.fontMetrics()
    cut = page.table.delegate.cut
    shown = {metrics.elidedText(f"Length of stay {year}", cut, width) for year in (2024, 2025)}
    assert len(shown) == 2 and all("…" in text for text in shown)


def history_page(window: MainWindow) -> HistoryPage:
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def test_an_old_release_shows_its_figures_under_its_own_names(
    window: MainWindow, qtbot: QtBot
) -> None:
    figures = texts(do_release(window, qtbot).results.table)
    study = window.session.state.study
    other = study.queries[0].having(statistic="count-people", title="")
    window.session.edit(replace(study, queries=(other,)), "")
    page = history_page(window)
    assert page.table.model().rowCount() == 2
    assert page.table.selectionModel().isRowSelected(0)
    assert page.results.isVisible() and page.export_button.isEnabled()
    assert texts(page.results.table) == figures
    page.table.selectRow(1)
    settle()
    assert not page.results.isVisible()


def test_an_old_release_is_exported_again_for_nothing(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    page.table.selectRow(0)
    settle()
    assert page.export_button.isEnabled()
    page.results.export_to(tmp_path / "again.zip")
    page.results.unlock.passphrase.edit.setText(PASSPHRASE)
    page.results.unlock.ok.click()
    assert (tmp_path / "again.zip").is_file()
    assert spent(window) == "0.4"


@pytest.mark.parametrize("place", ["history", "release"])
def test_a_failed_export_is_past_once_the_bundle_is_written(
    place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page: HistoryPage | ReleasePage = do_release(window, qtbot)
    if place == "history":
        page = history_page(window)
        page.table.selectRow(0)
        settle()
    for folder in ("missing", ""):
        page.results.export_to(tmp_path / folder / "again.zip")
        page.results.unlock.passphrase.edit.setText(PASSPHRASE)
        page.results.unlock.ok.click()
        settle()
        said = any("cannot be written there" in text for text in texts(page))
        assert said == bool(folder)
    assert (tmp_path / "again.zip").is_file()


def test_the_rail_says_that_a_study_was_released_another_day(
    window: MainWindow, qtbot: QtBot
) -> None:
    queries, release = window.rail.item("queries"), window.rail.item("release")
    page = do_release(window, qtbot)
    page.again_button.click()
    settle()
    count = len(window.session.state.study.queries)
    assert queries.accessibleDescription() == f"{count} released, done"
    assert release.accessibleDescription().startswith("See History")


class German(QTranslator):
    """The one sentence of a German desk that says which language it is."""

    def isEmpty(self) -> bool:
        return False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return "de" if (context, source) == ("Language", "en") else ""


def test_a_bundle_is_in_the_desks_language(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, qapp: QApplication
) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    page.table.selectRow(0)
    settle()
    page.results.export_to(tmp_path / "german.zip")
    page.results.unlock.passphrase.edit.setText(PASSPHRASE)
    german = German()
    qapp.installTranslator(german)
    try:
        page.results.unlock.ok.click()
    finally:
        qapp.removeTranslator(german)
    files = unpack((tmp_path / "german.zip").read_bytes())
    assert b"/Lang (de)" in files["report.pdf"]


def test_the_ledger_is_checked_from_the_window(window: MainWindow, qtbot: QtBot) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    qtbot.mouseClick(page.check_button, Qt.MouseButton.LeftButton)
    assert page.banner.isVisible()
    assert "intact" in page.banner.accessibleName()


def rows(page: HistoryPage) -> list[tuple[str, ...]]:
    model = page.table.model()
    across = range(model.columnCount())
    return [tuple(model.index(r, c).data() for c in across) for r in range(model.rowCount())]


@pytest.mark.parametrize("changed", ["payload = '{}'", "charged = 1"])
def test_a_damaged_entry_is_named_and_the_others_are_shown(
    window: MainWindow, qtbot: QtBot, home: Home, changed: str
) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    sound = rows(page)
    window.go_to("release")
    without_rules(home.ledger, f"UPDATE entry SET {changed} WHERE sequence = 2")
    page = history_page(window)
    damaged, opened = rows(page)
    assert opened == sound[1]
    assert damaged[:3] == (*sound[0][:2], "Damaged")
    assert "Damaged entries: 2." in page.banner.accessibleName()
    page.table.selectRow(0)
    settle()
    assert not page.results.isVisible()


def test_history_without_a_ledger_is_empty(open_window: OpenWindow) -> None:
    window = open_window()
    page = history_page(window)
    assert page.empty.isVisible()
    assert not page.check_button.isEnabled()


# --- verify -------------------------------------------------------------------------------------


@pytest.fixture
def bundle(window: MainWindow, qtbot: QtBot, home: Home, tmp_path: Path) -> Path:
    return saved_bundle(do_release(window, qtbot), home, tmp_path)


def saved_bundle(page: ReleasePage, home: Home, tmp_path: Path) -> Path:
    assert isinstance(page._done, ReleaseDone)
    path = tmp_path / "bundle.zip"
    key = unlock(home.keys, PASSPHRASE)
    write_bundle(path, build(page._done.stored, page._done.head, key))
    return path


def checked(window: MainWindow, path: Path) -> VerifyPage:
    window.opening.open_any(path)
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    return page


def test_an_own_bundle_can_be_relied_on(window: MainWindow, bundle: Path) -> None:
    page = checked(window, bundle)
    assert page.verdict.verdict.text() == "You can rely on this bundle"
    assert page.answers.signature.accessibleName().startswith("Signature: Valid")
    assert page.answers.signer.accessibleName().startswith("Signer: Known")
    assert page.answers.remade.accessibleName().startswith("Made again: All")
    assert page.answers.history.accessibleName().startswith("Account history: Nothing open")
    assert page.answers.table.model().rowCount() == 6
    assert page.figures_button.isEnabled()


def test_a_lost_second_record_is_said_at_once_and_by_the_bundle(
    window: MainWindow, qtbot: QtBot, home: Home, tmp_path: Path
) -> None:
    told: list[Problem] = []
    window.refused.connect(told.extend)
    home.heads.unlink()
    page = release_page(window)
    assert [problem.code for problem in told] == ["ledger-anchor-missing"]
    path = saved_bundle(do_release(window, qtbot), home, tmp_path)
    assert len(told) == 1 and page.released_shares is not None
    found = checked(window, path)
    assert found.verdict.verdict.text() == "You can rely on this bundle"
    assert "leaves something open" in found.verdict.accessibleName()
    assert found.answers.history.accessibleName().startswith("Account history: Left open")
    assert "more may have been spent" in found.answers.history.accessibleName()
    model = history_page(window).table.model()
    rows = [[str(model.index(row, c).data()) for c in range(6)] for row in range(3)]
    assert ["Warning" in row for row in rows] == [False, True, False]
    assert "The second record was missing" in rows[1]


@pytest.mark.parametrize(
    ("name", "format", "more"),
    [("retold", 2, "by their margins: "), ("add-remove", 1, "compare each with its margin.")],
)
def test_an_older_format_is_said_with_what_its_tables_do_not_mark(
    window: MainWindow, tmp_path: Path, name: str, format: int, more: str
) -> None:
    path = OLD_BUNDLES / f"{name}.zip"
    if format == 2:
        path = tmp_path / "retold.zip"
        path.write_bytes(lied(retold_in_format_2))
    said = checked(window, path).answers.claim.accessibleName()
    assert f"older format {format} marks no figure as too noisy to use" in said
    assert more in said


def test_the_claim_names_the_queries_and_shows_all_of_its_lines(
    window: MainWindow, bundle: Path
) -> None:
    page = checked(window, bundle)
    model = page.answers.table.model()
    lines = [
        [str(model.index(row, c).data() or "") for c in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    for query in window.session.state.study.queries:
        assert words.query_title(window.session.state.study, query) in [line[0] for line in lines]
    titles = [row for row, line in enumerate(lines) if not any(line[1:])]
    assert titles, "the mean has two draws below its title"
    assert all(page.answers.table.columnSpan(row, 0) == model.columnCount() for row in titles)
    assert all(lines[row + 1][0] != lines[row + 1][0].strip() for row in titles)
    assert lines[-1][2], "the sum"
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
        assert page.footer.sentence == "The figures stay closed."
    else:
        assert page._trouble.isVisible()


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
