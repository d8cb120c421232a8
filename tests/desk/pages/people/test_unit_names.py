# SPDX-License-Identifier: Apache-2.0
"""What a row and a person are called is declared in People and said in every sentence."""

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.release.places.home import Home
from dpdesk.study.model.parameters import CandidateParameters, MostCommonParameters
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY, TENTH, write_data

WORDS = {
    "row_name": "stay",
    "row_names": "stays",
    "person_name": "<b>patient",
    "person_names": "patients",
}


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file, page="people")


def test_words_are_declared_and_said_and_cost_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to("people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    before = {key: plan.canonical for key, plan in window.session.state.plans.items()}
    for key, word in WORDS.items():
        field = page.names.fields[key]
        field.edit.setFocus()
        qtbot.keyClicks(field.edit, word)
        assert not page.names.fields["row_name"].error, "not while it is written"
    unit = window.session.state.study.unit
    assert unit is not None
    assert {key: getattr(unit, key) for key in WORDS} == WORDS
    assert {key: p.canonical for key, p in window.session.state.plans.items()} == before
    window.go_to("queries")
    settle()
    said = texts(window.panel)
    assert any("Count of stays" in text for text in said)
    assert any("a guess about any one &lt;b&gt;patient can" in text for text in said)


NAMES = {
    "row_name": "admission",
    "row_names": "admissions",
    "person_name": "patient",
    "person_names": "patients",
}
PLAIN = re.compile(r"\b(rows?|persons?|people)\b")


def said_on(page: QWidget) -> set[str]:
    """What a page says of rows and people, without headings of tables and steps."""
    return {text for text in texts(page) if PLAIN.search(text)}


@pytest.fixture
def named(open_window: OpenWindow, tmp_path: Path, home: Home) -> MainWindow:
    """A window on a study of admissions and patients, with a count, a median and the like."""
    write_data(tmp_path)
    assert STUDY.unit is not None
    grid = (Decimal(1), Decimal(7))
    queries = (
        Query("n", by=("sex",), epsilon=TENTH),
        Query("people", "count-people", epsilon=TENTH),
        Query("middle", "median", CandidateParameters("days", candidates=grid), epsilon=TENTH),
        Query("most", "most-common", MostCommonParameters("sex"), epsilon=TENTH),
    )
    study = replace(STUDY, unit=replace(STUDY.unit, **NAMES), queries=queries)
    return open_window(save_with_account(study, tmp_path / "stays.dpdesk", home), page="people")


@pytest.mark.in_turn(2)
def test_queries_and_review_speak_of_admissions_and_patients(named: MainWindow) -> None:
    named.go_to("queries")
    page = named.pages["queries"]
    assert isinstance(page, QueriesPage)
    for query in named.session.state.study.queries:
        page.select(query.id)
        settle()
        for tab in page.card(query.id).accuracy._tabs.buttons():
            tab.click()
            settle()
            assert said_on(page) == set(), query.id
    named.go_to("release")
    settle()
    release = named.pages["release"]
    assert isinstance(release, ReleasePage)
    assert said_on(release) == set()
    shown = " ".join(release.review.table.model().index(row, 3).data() for row in range(4))
    assert shown.count("admissions") == 3
    assert "patients" in shown


def test_the_rail_and_the_sensitivity_speak_of_them_too(named: MainWindow) -> None:
    named.go_to("columns")
    page = named.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("days")
    settle()
    said = [text for text in texts(named) if "each" in text or "Sensitivity" in text]
    assert "3 admissions each, done" in said
    assert any("one patient can change a sum by at most 3 admissions" in text for text in said)


def test_accounts_speak_of_patients(named: MainWindow) -> None:
    named.go_to("people")
    page = named.pages["people"]
    assert isinstance(page, PeoplePage)
    settle()
    assert said_on(page.account) == set()
    page.account.ask_new()
    (dialog,) = page.findChildren(NewAccountDialog)
    settle()
    assert said_on(dialog) == set()
    dialog.reject()


def test_half_a_pair_is_reported_once_the_words_were_left(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to("people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    page.names.named.emit("row_name", "stay")
    page.max_rows.edit.setFocus()
    page.render_state()
    assert "neither" in page.names.fields["row_names"].error
