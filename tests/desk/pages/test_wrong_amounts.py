# SPDX-License-Identifier: Apache-2.0
"""A wrong amount never leaves its last valid beginning in the study: it counts as not set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY

WRONG = ["20000", "5e", "1,000.5", "-1", "0", "", "0.0000001"]


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


@pytest.fixture
def queries(window: MainWindow) -> QueriesPage:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


@pytest.fixture
def people(window: MainWindow) -> PeoplePage:
    window.go_to("people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    return page


def accuracy(page: QueriesPage) -> QueryAccuracy:
    return page.card(page.selected).accuracy


def share(page: QueriesPage) -> object:
    found = page.state.study.query(page.selected)
    assert found is not None
    return found.epsilon


def type_and_leave(qtbot: QtBot, field: LineField, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClick(field.edit, Qt.Key.Key_Delete)
    qtbot.keyClicks(field.edit, text)
    qtbot.keyClick(field.edit, Qt.Key.Key_Tab)
    settle()
    assert not field.edit.hasFocus()


def test_a_wrong_share_is_no_share(queries: QueriesPage, qtbot: QtBot) -> None:
    for text in WRONG:
        field = accuracy(queries).share
        type_and_leave(qtbot, field, text)
        assert share(queries) is None
        assert field.text == text
        assert field.error
        assert queries.footer.primary is not None and not queries.footer.primary.isEnabled()
        queries.select("by-sex")
        queries.select("stays")
        settle()
        assert (field.text, bool(field.error)) == (text, True)
        type_and_leave(qtbot, field, "0.3")
        assert share(queries) == Epsilon.of("0.3")
        assert not field.error
        assert queries.footer.primary.isEnabled()


@pytest.mark.parametrize("name", ["share", "margin"])
@pytest.mark.in_turn(2)
def test_nothing_moves_under_the_hand_that_types_an_amount(
    queries: QueriesPage, qtbot: QtBot, name: str
) -> None:
    made = accuracy(queries)
    field: LineField = getattr(made, name)
    card = queries.card(queries.selected)

    def places() -> tuple[int, int, int]:
        settle()
        at = field.mapTo(queries, QPoint()).y(), made.handle.mapTo(queries, QPoint()).y()
        return (*at, card.height())

    before = places()
    field.edit.setFocus()
    field.edit.selectAll()
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_0):
        qtbot.keyClick(field.edit, key)
        now = places()
        assert field.error
        assert now[0] == before[0], "the field stays where the hand is"
        assert all(abs(a - b) <= 40 for a, b in zip(now, before, strict=True)), "nothing jumps"
    assert "Set how much budget this query may spend." not in texts(card)
    qtbot.keyClicks(field.edit, ".5" if name == "share" else "\b60")
    assert places() == before


@pytest.mark.parametrize("text", ["5e", "-1", "0"])
@pytest.mark.in_turn(2)
def test_a_wrong_margin_is_no_share(queries: QueriesPage, qtbot: QtBot, text: str) -> None:
    field = accuracy(queries).margin
    type_and_leave(qtbot, field, text)
    assert share(queries) is None
    assert (field.text, bool(field.error)) == (text, True)
    assert field.edit.isEnabled()
    type_and_leave(qtbot, field, "60")
    assert share(queries) is not None
    assert not field.error


def test_a_wrong_share_is_fixed_by_undo_or_the_other_field(
    queries: QueriesPage, qtbot: QtBot
) -> None:
    field = accuracy(queries).share
    type_and_leave(qtbot, field, "5e")
    queries.session.document.undo_stack.undo()
    settle()
    assert share(queries) == Epsilon.of("0.1")
    assert (field.text, field.error) == ("0.10", "")
    type_and_leave(qtbot, field, "5e")
    accuracy(queries).handle.share_dragged.emit(200_000)
    settle()
    assert (field.text, field.error) == ("0.20", "")


def test_a_wrong_share_is_no_other_studys(
    queries: QueriesPage, qtbot: QtBot, tmp_path: Path, home: Home
) -> None:
    type_and_leave(qtbot, accuracy(queries).share, "5e")
    unset = tuple(replace(q, epsilon=None) for q in STUDY.queries)
    other = save_with_account(replace(STUDY, queries=unset), tmp_path / "other.dpdesk", home)
    window = queries.window()
    window.opening.open_any(other)  # type: ignore[attr-defined]
    window.go_to("queries")  # type: ignore[attr-defined]
    settle()
    assert accuracy(queries).share.text == ""


def test_a_wrong_limit_is_no_limit(people: PeoplePage, qtbot: QtBot) -> None:
    for text in WRONG:
        field = people.account.limit
        type_and_leave(qtbot, field, text)
        budget = people.state.study.budget
        assert budget is not None and budget.epsilon is None
        assert field.text == text
        assert field.error
        assert people.footer.primary is not None and not people.footer.primary.isEnabled()
        people.window().go_to("release")  # type: ignore[attr-defined]
        people.window().go_to("people")  # type: ignore[attr-defined]
        assert (field.text, bool(field.error)) == (text, True)
        type_and_leave(qtbot, field, "0.5")
        assert str(people.state.study.budget.epsilon) == "0.5"  # type: ignore[union-attr]
        assert not field.error


def test_a_wrong_limit_is_fixed_by_undo_and_no_other_studys(
    people: PeoplePage, qtbot: QtBot, tmp_path: Path, home: Home
) -> None:
    field = people.account.limit
    type_and_leave(qtbot, field, "5e")
    people.session.document.undo_stack.undo()
    assert (field.text, field.error) == ("1.00", "")
    type_and_leave(qtbot, field, "5e")
    assert STUDY.budget is not None
    unset = replace(STUDY, budget=replace(STUDY.budget, epsilon=None))
    window = people.window()
    window.opening.open_any(  # type: ignore[attr-defined]
        save_with_account(unset, tmp_path / "other.dpdesk", home)
    )
    window.go_to("people")  # type: ignore[attr-defined]
    assert field.text == ""
