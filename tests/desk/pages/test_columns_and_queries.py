# SPDX-License-Identifier: Apache-2.0
"""Columns and Queries, as they are filled in by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import StepState, step_state
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.conditions import Between, IsIn, IsMissing, IsNotIn
from tests.desk.conftest import OpenWindow
from tests.desk.screens import pick, settle, spoken, texts, wait_until


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


@pytest.fixture
def columns(window: MainWindow) -> ColumnsPage:
    window.go_to("columns")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("days")
    return page


@pytest.fixture
def queries(window: MainWindow) -> QueriesPage:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def days(page: ColumnsPage) -> NumberColumn:
    found = page.state.study.column("days")
    assert isinstance(found, NumberColumn)
    return found


def type_into(qtbot: QtBot, field: LineField, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def press(qtbot: QtBot, button: object) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[arg-type]
    settle()


# --- columns ------------------------------------------------------------------------------------


def test_a_number_stays_as_it_is_typed(columns: ColumnsPage, qtbot: QtBot) -> None:
    upper = columns.form.numbers["upper"]
    upper.edit.setFocus()
    upper.edit.selectAll()
    for key, shown, value in (
        ("1", "1", "1"), ("0", "10", "10"), (",", "10,", "10"), ("5", "10,5", "10.5"),
        ("0", "10,50", "10.50"),
    ):  # fmt: skip
        qtbot.keyClicks(upper.edit, key)
        assert upper.text == shown
        assert days(columns).upper == Decimal(value)


def test_a_minus_is_the_beginning_of_a_number(columns: ColumnsPage, qtbot: QtBot) -> None:
    lower = columns.form.numbers["lower"]
    lower.edit.setFocus()
    lower.edit.selectAll()
    qtbot.keyClicks(lower.edit, "-")
    assert not lower.error
    qtbot.keyClicks(lower.edit, "5")
    assert days(columns).lower == -5
    assert not lower.error


def test_bounds_the_wrong_way_round_are_shown_with_a_suggestion(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    upper = columns.form.numbers["upper"]
    type_into(qtbot, upper, "0")
    assert not upper.error, "not before the field is left"
    columns.form.basis.edit.setFocus()
    assert upper.error
    assert columns.footer.primary is not None and not columns.footer.primary.isEnabled()
    assert columns.footer.sentence == "1 thing to fix: highest value of days."
    press(qtbot, use(columns, "Swap"))
    assert (days(columns).lower, days(columns).upper) == (0, 1)
    assert (columns.form.numbers["lower"].text, upper.text) == ("0", "1")
    assert not upper.error
    columns.session.document.undo_stack.undo()
    assert (days(columns).lower, days(columns).upper) == (1, 0), "in one step"


def use(columns: ColumnsPage, text: str) -> Button:
    (button,) = (b for b in columns.form.findChildren(Button) if b.isVisible() and b.text() == text)
    return button


def test_a_bound_with_a_slipped_decimal_mark_is_shown_with_a_suggestion(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    type_into(qtbot, columns.form.numbers["lower"], "5")
    type_into(qtbot, columns.form.numbers["upper"], "1.4")
    columns.form.basis.edit.setFocus()
    press(qtbot, use(columns, "Use 14"))
    assert (days(columns).lower, days(columns).upper) == (5, 14)
    assert not columns.form.numbers["upper"].error


def test_what_is_no_number_is_never_declared(columns: ColumnsPage, qtbot: QtBot) -> None:
    for text in ("abc", "1.000,5", "1e5", "--1", "NaN", "inf"):
        upper = columns.form.numbers["upper"]
        type_into(qtbot, upper, text)
        columns.form.basis.edit.setFocus()
        assert upper.text == text
        assert upper.error == "Type a plain number, such as 0.5 or 0,5."
        assert days(columns).upper is None
        assert "declared" in columns.footer.sentence, "it can be declared later"
        assert columns.footer.primary is not None and columns.footer.primary.isEnabled()
        columns.session.document.undo_stack.undo()
        assert upper.text == "14"
        assert not upper.error


def test_undo_from_the_menu_reaches_the_field_that_has_the_keyboard(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    upper = columns.form.numbers["upper"]
    type_into(qtbot, upper, "20")
    columns.window().menus.undo.trigger()  # type: ignore[attr-defined]
    assert upper.text == "14"
    assert days(columns).upper == 14


def test_an_unused_column_is_not_in_the_study(columns: ColumnsPage, qtbot: QtBot) -> None:
    press(qtbot, columns.form.used)
    assert columns.state.study.column("days") is None
    assert columns.item("days").accessibleDescription() == "not used"
    columns.session.document.undo_stack.undo()
    assert days(columns).upper == 14
    assert columns.form.used.isChecked()


def test_the_person_column_cannot_be_used(columns: ColumnsPage) -> None:
    columns.select("id")
    assert not columns.form.used.isEnabled()
    assert "id" in spoken(columns.item("id"))


def test_a_list_of_values_is_one_a_line(columns: ColumnsPage, qtbot: QtBot) -> None:
    columns.select("sex")
    edit = columns.form.values.edit
    edit.setFocus()
    edit.selectAll()
    for line in (" f ", "", "m", "x"):
        qtbot.keyClicks(edit, line)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    found = columns.state.study.column("sex")
    assert found is not None and found.values == ("f", "m", "x")  # type: ignore[attr-defined]
    assert edit.toPlainText() == " f \n\nm\nx\n"


def test_another_kind_keeps_what_both_kinds_share(columns: ColumnsPage, qtbot: QtBot) -> None:
    type_into(qtbot, columns.form.basis, "codebook")
    press(qtbot, columns.form.kind.segment("category"))
    found = columns.state.study.column("days")
    assert found is not None
    assert (found.kind, found.basis) == ("category", "codebook")
    assert columns.form.values.isVisible()
    assert not columns.form.numbers["upper"].isVisible()


def test_no_two_columns_share_what_is_typed(columns: ColumnsPage, qtbot: QtBot) -> None:
    type_into(qtbot, columns.form.numbers["upper"], "abc")
    columns.select("sex")
    columns.select("days")
    upper = columns.form.numbers["upper"]
    assert upper.text == ""
    assert upper.error != "Type a plain number, such as 0.5 or 0,5."


# --- queries ------------------------------------------------------------------------------------


def open_chip(qtbot: QtBot, page: QueriesPage, name: str) -> ChoicePopup:
    press(qtbot, page.card(page.selected).sentence.chip(name))
    popup = page.card(page.selected).sentence.anchor.popup
    assert popup.isVisible()
    return popup


def query(page: QueriesPage):  # type: ignore[no-untyped-def]
    found = page.state.study.query(page.selected)
    assert found is not None
    return found


def test_statistic_column_and_groups_are_chosen_from_lists(
    queries: QueriesPage, qtbot: QtBot
) -> None:
    pick(open_chip(qtbot, queries, "statistic"), "sum")
    assert (query(queries).statistic, query(queries).column) == ("sum", "days")
    pick(open_chip(qtbot, queries, "add"), "group")
    pick(queries.card(queries.selected).sentence.anchor.popup, "sex")
    assert query(queries).by == ("sex",)
    pick(open_chip(qtbot, queries, "group-0"), "\0nothing")
    assert query(queries).by == ()
    pick(open_chip(qtbot, queries, "statistic"), "count")
    assert query(queries).column is None


def ask_condition(qtbot: QtBot, queries: QueriesPage, column: str) -> ConditionDialog:
    pick(open_chip(qtbot, queries, "add"), "where")
    pick(queries.card(queries.selected).sentence.anchor.popup, column)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ConditionDialog)
    return dialog


def test_conditions_are_added_changed_and_removed(queries: QueriesPage, qtbot: QtBot) -> None:
    dialog = ask_condition(qtbot, queries, "sex")
    press(qtbot, dialog.ok)
    assert dialog.isVisible(), "nothing is chosen yet"
    dialog.values.setCurrentRow(0)
    qtbot.keyClick(dialog.values, Qt.Key.Key_Space)
    press(qtbot, dialog.ok)
    assert query(queries).where == (IsIn("sex", ("f",)),)
    for key, expected in (("not-in", IsNotIn("sex", ("f",))), ("missing", IsMissing("sex", True))):
        press(qtbot, queries.card(queries.selected).sentence.chip("where-0"))
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ConditionDialog)
        press(qtbot, dialog.kind.segment(key))
        press(qtbot, dialog.ok)
        assert query(queries).where == (expected,)
    press(qtbot, queries.card(queries.selected).sentence.chip("where-0"))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ConditionDialog)
    remove = next(b for b in dialog.findChildren(Button) if b.text().startswith("Remove"))
    press(qtbot, remove)
    assert query(queries).where == ()


def test_a_range_is_reported_where_it_is_wrong(queries: QueriesPage, qtbot: QtBot) -> None:
    dialog = ask_condition(qtbot, queries, "days")
    press(qtbot, dialog.ok)
    assert dialog.lowest.error and dialog.highest.error
    type_into(qtbot, dialog.lowest, "5")
    type_into(qtbot, dialog.highest, "2")
    press(qtbot, dialog.ok)
    assert dialog.highest.error
    type_into(qtbot, dialog.highest, "10,5")
    press(qtbot, dialog.ok)
    assert query(queries).where == (Between("days", Decimal(5), Decimal("10.5")),)


def offered(queries: QueriesPage, query_id: str) -> dict[str, bool]:
    """Which way a card's menu lets it move."""
    menu = queries._cards[query_id].make_menu()
    moves = {one.text(): one.isEnabled() for one in menu.actions() if "Move" in one.text()}
    menu.close()
    return moves


def test_cards_are_added_moved_copied_and_removed(queries: QueriesPage, qtbot: QtBot) -> None:
    ids = [q.id for q in queries.state.study.queries]
    press(qtbot, queries.add_button)
    added = queries.selected
    queries._do(added, "up")
    queries._do(added, "duplicate")
    found = [q.id for q in queries.state.study.queries]
    assert found[:2] == ids[:2] and found[2] == added
    assert len(set(found)) == 5
    settle()
    assert offered(queries, found[0]) == {"Move up": False, "Move down": True}
    assert offered(queries, found[1]) == {"Move up": True, "Move down": True}
    assert offered(queries, found[-1]) == {"Move up": True, "Move down": False}
    for query_id in found:
        queries._do(query_id, "remove")
    settle()
    assert queries.empty.isVisible()
    assert queries.footer.primary is not None and not queries.footer.primary.isEnabled()
    for _ in found:
        queries.session.document.undo_stack.undo()
    assert [q.id for q in queries.state.study.queries] == found


def test_remove_pressed_twice_at_once_removes_one(queries: QueriesPage) -> None:
    """Who presses by voice or a script may do so again before the card is gone."""
    first, *others = [q.id for q in queries.state.study.queries]
    menu = queries.card(first).make_menu()
    (remove,) = (one for one in menu.actions() if one.text() == "Remove")
    for _ in range(2):
        remove.trigger()
    settle()
    assert [q.id for q in queries.state.study.queries] == others
    queries.session.document.undo_stack.undo()
    assert [q.id for q in queries.state.study.queries] == [first, *others]


def test_a_closed_card_opens_with_enter(queries: QueriesPage, qtbot: QtBot) -> None:
    card = queries.card("by-sex")
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert queries.selected == "by-sex"
    assert "0.10" in spoken(queries.card("stays"))


def test_share_and_margin_are_one_value(queries: QueriesPage, qtbot: QtBot) -> None:
    accuracy = queries.card(queries.selected).accuracy
    before = accuracy.margin.text
    type_into(qtbot, accuracy.share, "0,2")
    assert query(queries).epsilon == Epsilon.of("0.2")
    assert float(accuracy.margin.text) < float(before)
    type_into(qtbot, accuracy.margin, before)
    assert float(str(query(queries).epsilon)) == pytest.approx(0.1, rel=0.1)
    type_into(qtbot, accuracy.margin, "-1")
    assert accuracy.margin.error


@pytest.mark.in_turn(2)
def test_margin_and_share_are_changed_by_steps(queries: QueriesPage, qtbot: QtBot) -> None:
    accuracy = queries.card(queries.selected).accuracy
    type_into(qtbot, accuracy.share, "0.2")
    accuracy.share.edit.setFocus()
    for key, shown, micro in (
        (Qt.Key.Key_Up, "0.21", 210_000),
        (Qt.Key.Key_Down, "0.20", 200_000),
        (Qt.Key.Key_Down, "0.19", 190_000),
    ):
        qtbot.keyClick(accuracy.share.edit, key)
        assert accuracy.share.text == shown, "shown although the keyboard is in it"
        assert query(queries).epsilon.micro == micro
    type_into(qtbot, accuracy.share, "0.1")
    qtbot.mouseClick(accuracy.share.down, Qt.MouseButton.LeftButton)
    assert query(queries).epsilon.micro == 99_000, "a tenth as fine below a power of ten"
    margin = float(accuracy.margin.text)
    qtbot.mouseClick(accuracy.margin.up, Qt.MouseButton.LeftButton)
    assert float(accuracy.margin.text) == margin + 1
    for _ in range(99):
        accuracy.share.stepped.emit(1)
    assert queries.state.left_after == 0, "no step goes beyond what is left"


def test_the_handle_moves_gauge_and_plan(queries: QueriesPage, qtbot: QtBot) -> None:
    gauge = queries.window().panel.gauge  # type: ignore[attr-defined]
    before = gauge.parts.planned
    handle = queries.card(queries.selected).accuracy.handle
    handle.setFocus()
    qtbot.keyClick(handle, Qt.Key.Key_PageUp)
    assert gauge.parts.planned > before
    assert query(queries).epsilon.micro == handle.share
    qtbot.keyClick(handle, Qt.Key.Key_End)
    assert gauge.parts.left == 0
    assert queries.footer.primary is not None and queries.footer.primary.isEnabled()


def test_dragging_the_limit_in_the_plot_is_the_same(queries: QueriesPage) -> None:
    before = query(queries).epsilon
    queries.card(queries.selected).accuracy.pictures.noise.half_width_dragged.emit(50.0)
    after = query(queries).epsilon
    assert after > before
    plan = queries.state.plans[queries.selected]
    assert plan.half_width is not None and plan.half_width <= 51


def test_over_budget_stops_the_review_with_its_reason(queries: QueriesPage, qtbot: QtBot) -> None:
    accuracy = queries.card(queries.selected).accuracy
    type_into(qtbot, accuracy.share, "0.9")
    assert queries.footer.primary is not None and not queries.footer.primary.isEnabled()
    assert queries.footer.sentence
    assert queries.window().panel.gauge.parts.left < 0  # type: ignore[attr-defined]
    assert any("over" in t.lower() for t in texts(queries.window().panel))  # type: ignore[attr-defined]
    accuracy.handle.setFocus()
    qtbot.keyClick(accuracy.handle, Qt.Key.Key_End)
    assert queries.footer.primary.isEnabled()


def test_a_mean_asks_for_the_size_of_a_group(queries: QueriesPage, qtbot: QtBot) -> None:
    queries.select("days")
    settle()
    accuracy = queries.card("days").accuracy
    assert accuracy.expected.isVisible()
    assert not accuracy.margin.isEnabled()
    type_into(qtbot, accuracy.expected, "0")
    assert accuracy.expected.error
    type_into(qtbot, accuracy.expected, "20")
    assert accuracy.margin.isEnabled()
    wait_until(lambda: accuracy.pictures.noise.isVisible())


def test_a_query_about_a_column_that_went_away_says_so(
    window: MainWindow, queries: QueriesPage
) -> None:
    study = window.session.state.study
    window.session.edit(replace(study, columns=study.columns[1:]), "")
    queries.select("days")
    settle()
    assert queries.footer.primary is not None and not queries.footer.primary.isEnabled()
    assert any("days" in t and t.endswith(".") for t in texts(queries))


def test_choosing_what_a_column_holds_uses_it(columns: ColumnsPage, qtbot: QtBot) -> None:
    press(qtbot, columns.form.used)
    assert columns.state.study.column("days") is None
    assert columns.form.kind.key == "" and columns.form.kind.isVisible()
    press(qtbot, columns.form.kind.segment("number"))
    assert columns.form.used.isChecked()
    assert days(columns).lower is None
    assert columns.form.numbers["lower"].edit.hasFocus(), "what has to be typed first"
    assert step_state(columns.state, "columns") is StepState.NOT_YET, "nothing is wrong yet"
    press(qtbot, columns.form.kind.segment("category"))
    assert not columns.form.values.edit.hasFocus(), "the arrows go on through the kinds"
