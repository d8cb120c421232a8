# SPDX-License-Identifier: Apache-2.0
"""What a row and a person are called is declared in People and said in every sentence."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.people import PeoplePage
from dpdesk.desk.window import MainWindow
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts

WORDS = {
    "row_name": "stay",
    "row_names": "stays",
    "person_name": "<b>patient",
    "person_names": "patients",
}


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


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
    assert any("any one &lt;b&gt;patient (50 in 100)" in text for text in said)


def test_half_a_pair_is_told_once_the_words_were_left(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to("people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    page.names.named.emit("row_name", "stay")
    page.max_rows.edit.setFocus()
    page.render_state()
    assert "neither" in page.names.fields["row_names"].error
