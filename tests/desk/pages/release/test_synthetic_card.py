# SPDX-License-Identifier: Apache-2.0
"""Synthetic rows are chosen at Release where a count by group is asked, and cost nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import Query, SyntheticRows
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY, write_data

COUNT = Query("q", by=("sex",), epsilon=Epsilon.of("0.5"))


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> ReleasePage:
    write_data(tmp_path)
    study = replace(STUDY, unit=Unit(), queries=(COUNT,))
    save_study(study, tmp_path / "stays.dpdesk")
    Ledger.open(home).new_account("registry", Epsilon.of(1))
    window = open_window(tmp_path / "stays.dpdesk", page="release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def test_rows_are_chosen_and_taken_back(opened: ReleasePage, qtbot: QtBot) -> None:
    page, card = opened, opened.review.synthetic
    before = page.state.planned
    assert card.isVisible() and card.choice.key == "no"
    for named, wanted in (("Yes", ()), ("Yes, none alone", ("sex",))):
        (button,) = (b for b in card.choice.findChildren(QAbstractButton) if b.text() == named)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        settle()
        assert page.state.study.synthetic_rows == SyntheticRows(none_alone_in=wanted)
    assert page.state.planned == before and "costs" in card.hint.text()
    page.session.document.undo_stack.undo()
    page.session.document.undo_stack.undo()
    settle()
    assert page.state.study.synthetic_rows is None and card.choice.key == "no"


def test_without_a_count_they_could_keep_the_choice_says_so(opened: ReleasePage) -> None:
    page, card = opened, opened.review.synthetic
    page.session.edit(replace(page.state.study, queries=(replace(COUNT, by=()),)), "")
    settle()
    assert not card.isVisible()
    page.session.edit(replace(page.state.study, synthetic_rows=SyntheticRows()), "")
    settle()
    assert card.isVisible() and "add one, or leave the rows out" in card.error.text()
