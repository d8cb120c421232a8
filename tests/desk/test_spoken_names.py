# SPDX-License-Identifier: Apache-2.0
"""What assistive software hears has no mark-up, and no two controls on show are called the same.

Of dialogs, ``test_mnemonics.py`` looks at it: it opens them all in each language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.comparison.page import ComparisonPage
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.rehearsal.page import RehearsalPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.results.result_table import TABLE, ResultTable
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.tour.tour import Tour
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import new_key, unlock
from dpdesk.study.model.unit import DataSource
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.desk.spoken_names import MARK_UP, faults
from tests.desk.test_read_out import ODD, PAGES
from tests.release.studies import STUDY, release

PASSPHRASE = "correct horse battery staple"


@pytest.fixture(params=["en", "de"])
def window(
    request: pytest.FixtureRequest,
    open_window: OpenWindow,
    study_file: Path,
    home: Home,
    qapp: QApplication,
) -> Iterator[MainWindow]:
    Settings(home).language = request.param
    made = open_window(study_file)
    queries = (replace(STUDY.queries[0], title=ODD), *STUDY.queries[1:])
    made.session.edit(replace(STUDY, title=ODD, queries=queries), "")
    settle()
    yield made
    speak(qapp, SYSTEM)


@pytest.mark.in_turn(2)
def test_of_pages(window: MainWindow) -> None:
    columns, queries = window.pages["columns"], window.pages["queries"]
    assert isinstance(columns, ColumnsPage) and isinstance(queries, QueriesPage)
    found = []
    for key in PAGES:
        window.go_to(key)
        settle(1)
        found += faults(window, key)
    window.go_to("columns")
    for column in STUDY.columns:
        columns.select(column.name)
        settle(1)
        found += faults(window, column.name)
    window.go_to("queries")
    for query in STUDY.queries:
        queries.select(query.id)
        settle(1)
        found += faults(window, query.id)
    window.tour_wanted.emit()
    settle()
    tour = window.findChild(Tour)
    assert isinstance(tour, Tour)
    while tour.callout is not None:
        found += faults(window, tour.callout.accessibleName())
        tour.callout.on.click()
        settle(1)
    window.open_handbook()
    windows = (w for w in QApplication.topLevelWidgets() if isinstance(w, HandbookWindow))
    found += faults(next(w for w in windows if w.isVisible()), "handbook")
    window.handbook.close()
    window.session.document.close()
    settle()
    assert found + faults(window, "welcome") == []


@pytest.mark.in_turn(2)
def test_of_what_a_release_shows(window: MainWindow, home: Home, tmp_path: Path) -> None:
    new_key(home.keys, "office@hospital.example", PASSPHRASE)
    page, verify = window.pages["release"], window.pages["verify"]
    assert isinstance(page, ReleasePage) and isinstance(verify, VerifyPage)
    window.go_to("release")
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    settle()
    found = faults(window, "results")
    found += [fault for card in _cards(page) for fault in _as_tables(window, card)]
    page.results._write(tmp_path / "bundle.zip", unlock(home.keys, PASSPHRASE))
    settle()
    found += faults(window, "exported")
    window.go_to("history")
    settle()
    found += faults(window, "history")
    window.verify_bundle(tmp_path / "bundle.zip")
    wait_until(lambda: verify.found is not None)
    settle()
    assert found + faults(window, "verified") == []


def _cards(page: QWidget) -> list[ResultTable]:
    return [card for card in page.findChildren(ResultTable) if card.isVisible()]


def _as_tables(window: MainWindow, card: ResultTable) -> list[str]:
    card.view.segment(TABLE).click()
    settle(1)
    return faults(window, "results as tables")


@pytest.mark.in_turn(2)
def test_of_rehearsal_and_comparison(window: MainWindow, study_file: Path) -> None:
    rehearsal, comparison = window.pages["rehearsal"], window.pages["comparison"]
    assert isinstance(rehearsal, RehearsalPage) and isinstance(comparison, ComparisonPage)
    window.go_to("rehearsal")
    wait_until(lambda: rehearsal.rehearsal is not None)
    rehearsal.finish()
    settle()
    found = faults(window, "rehearsal")
    ledger, sequence = window.session.accounts.ledger(), 0
    for extract in ("spring", "summer"):
        study = replace(
            window.session.document.study, data=DataSource("stays.csv", extract=extract)
        )
        sequence = release(study, study_file.parent, ledger, OpenDPDoor()).sequence
    window.session.reread_accounts()
    window.compare_release(sequence)
    wait_until(lambda: comparison.comparison is not None)
    comparison.finish()
    settle()
    assert found + faults(window, "comparison") == []


def test_mark_up_is_found() -> None:
    for text in ("a &lt; b", "<b>Bold</b>", "Line<br>", "&Open", "Save &as"):
        assert MARK_UP.search(text), text
    assert not MARK_UP.search(f"{ODD}, Q&A, 3 < 4 and 5 > 4, R & D")
