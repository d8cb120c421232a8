# SPDX-License-Identifier: Apache-2.0
"""The house rule on published counts is declared once, and everything that is planned follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY, write_data

COUNT = Query("q", by=("sex",), epsilon=Epsilon.of("0.5"))


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> PeoplePage:
    """The page, in a window with a query that counts."""
    write_data(tmp_path)
    study = replace(STUDY, unit=Unit(), queries=(COUNT,))
    save_study(study, tmp_path / "stays.dpdesk")
    Ledger.open(home).new_account("registry", Epsilon.of(1))
    window = open_window(tmp_path / "stays.dpdesk", page="people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    return page


def test_counts_are_rounded_and_as_they_were_after_undo(opened: PeoplePage, qtbot: QtBot) -> None:
    page, card = opened, opened.house_rule
    before = page.state.plans["q"].half_width
    assert card.choice.key == "none"
    (ten,) = (b for b in card.choice.findChildren(QAbstractButton) if b.text() == "To 10")
    qtbot.mouseClick(ten, Qt.MouseButton.LeftButton)
    settle()
    assert page.state.study.rounding == 10
    assert page.state.plans["q"].half_width == before + 5
    assert "rounded to 10" in card.hint.text() and "It costs nothing." in card.hint.text()
    page.session.document.undo_stack.undo()
    settle()
    assert page.state.study.rounding is None and card.choice.key == "none"
    assert page.state.plans["q"].half_width == before


def test_another_number_of_a_study_file_is_refused_where_it_is_chosen(opened: PeoplePage) -> None:
    opened.session.edit(replace(opened.state.study, rounding=7), "")
    settle()
    said = opened.house_rule.error
    assert said.isVisible()
    assert said.text() == "Published counts can be rounded to 5 or to 10; choose one, or none."
