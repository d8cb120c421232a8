# SPDX-License-Identifier: Apache-2.0
"""Several columns at once: boxes, one step of Undo, "differs", and no bounds by accident."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from time import process_time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.many import many_form
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.columns.rule_fields import _unlike
from dpdesk.desk.text.suggestion_words import kind_by_name
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.study import limits
from dpdesk.study.model.columns import (
    CLAMP,
    DROP,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.document import Study
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.test_column_search import opened
from tests.desk.screens import settle

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NO_KEYS = Qt.KeyboardModifier.NoModifier
ZERO, ONE, TEN = Decimal(0), Decimal(1), Decimal(10)
MEDS = ("med_1", "med_2", "med_3")
NAMES = ("id", *MEDS, "lab_k", "heart_rate", "weight_kg", "patient_name", "seen")
DECLARED: tuple[Column, ...] = (
    NumberColumn("lab_k", title="Potassium"),
    NumberColumn("heart_rate", missing=Replace(ZERO), lower=ZERO, upper=TEN, step=ONE),
    NumberColumn("weight_kg", label="kg"),
)


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    return opened(open_window, tmp_path, NAMES, DECLARED)


def click(
    page: ColumnsPage, name: str, qtbot: QtBot, keys: Qt.KeyboardModifier = NO_KEYS, x: int = 80
) -> None:
    item = page.item(name)
    page.list.ensureWidgetVisible(item)
    qtbot.mouseClick(item, Qt.MouseButton.LeftButton, keys, QPoint(x, item.height() // 2))
    settle()


def type_into(field: LineField, text: str, qtbot: QtBot) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def pick(field: ChoiceField, key: str) -> None:
    index = field.combo.findData(key)
    assert index >= 0, "it is not offered"
    field.combo.setCurrentIndex(index)
    field.combo.activated.emit(index)


def numbers(page: ColumnsPage) -> tuple[NumberColumn, ...]:
    found = (page.state.study.column(n) for n in ("lab_k", "heart_rate", "weight_kg"))
    return tuple(c for c in found if isinstance(c, NumberColumn))


def test_ctrl_and_shift_choose_and_a_press_ends_it(page: ColumnsPage, qtbot: QtBot) -> None:
    click(page, "med_1", qtbot)
    assert page.chosen == () and not page.item("med_1").has_box
    click(page, "med_3", qtbot, CONTROL)
    assert page.chosen == ("med_1", "med_3")
    assert page.many.title.text() == "2 columns"
    assert page.many.isVisible() and not page.form.isVisible()
    assert page.item("med_3").has_box and page.item("med_3").is_chosen
    assert (
        page.item("med_3").accessibleDescription() == "not used, one of several to change together"
    )
    assert not page.item("id").has_box
    click(page, "med_1", qtbot)
    assert page.chosen == () and page.form.isVisible()
    click(page, "med_3", qtbot, SHIFT)
    assert page.chosen == MEDS
    click(page, "med_2", qtbot, CONTROL)
    assert page.chosen == ("med_1", "med_3")
    assert page.many.unused.isVisible()
    page.choose(("lab_k", "heart_rate"))
    assert page.many.kind.key == "number" and not page.many.unused.isVisible()


def test_the_search_brings_boxes_and_chooses_all(page: ColumnsPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.search.edit, "med")
    assert page.item("med_1").has_box
    click(page, "med_2", qtbot, x=14)
    assert page.chosen == () and page.selected == "med_2", "what is not found is not chosen"
    click(page, "med_3", qtbot, x=14)
    assert page.chosen == ("med_2", "med_3")
    assert page.search.select_all.text() == "Select all 3"
    page.search.select_all.click()
    assert page.chosen == MEDS
    page.search.edit.clear()
    page.choose_all()
    assert "id" not in page.chosen, "it tells people apart"
    assert "patient_name" not in page.chosen, "it names people and is not used"
    click(page, "patient_name", qtbot, CONTROL)
    assert "patient_name" in page.many.identity.sentence


def test_the_column_of_the_people_is_never_one_of_several(page: ColumnsPage, qtbot: QtBot) -> None:
    page.select("med_1")
    click(page, "id", qtbot, CONTROL)
    assert page.chosen == () and page.selected == "med_1"
    page.select("med_2")
    click(page, "id", qtbot, SHIFT)
    assert page.chosen == ("med_1", "med_2")
    page.many.kind.segment("number").click()
    assert page.state.study.column("id") is None


def test_the_keyboard_alone_chooses(page: ColumnsPage, qtbot: QtBot) -> None:
    page.select("med_1")
    page.item("med_1").setFocus()
    for expected in (MEDS[:2], MEDS):
        focus = QApplication.focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Down, SHIFT)
        assert page.chosen == expected
    qtbot.keyClick(page.item("med_3"), Qt.Key.Key_Up, CONTROL)
    assert QApplication.focusWidget() is page.item("med_2") and page.chosen == MEDS
    qtbot.keyClick(page.item("med_2"), Qt.Key.Key_Space, CONTROL)
    assert page.chosen == ("med_1", "med_3")
    qtbot.keyClick(page.item("med_2"), Qt.Key.Key_Escape)
    assert page.chosen == () and page.form.isVisible()
    qtbot.keySequence(page.item("med_1"), QKeySequence(QKeySequence.StandardKey.SelectAll))
    assert len(page.chosen) == 7


def test_boxes_come_while_a_key_is_held(page: ColumnsPage, qtbot: QtBot) -> None:
    item = page.item("med_1")
    item.setFocus()
    qtbot.keyPress(item, Qt.Key.Key_Control)
    assert item.has_box
    qtbot.keyRelease(item, Qt.Key.Key_Control)
    assert not item.has_box


KINDS: dict[str, type[Column]] = {
    "yes-no": YesNoColumn,
    "category": CategoryColumn,
    "number": NumberColumn,
    "date": DateColumn,
}


def test_these_are_of_one_kind_is_one_step_of_undo(page: ColumnsPage) -> None:
    before, stack = page.state.study, page.session.document.undo_stack
    page.choose((*MEDS, "weight_kg"))
    place = stack.index()
    for kind, made in KINDS.items():
        page.many.kind.segment(kind).click()
        assert stack.index() == place + 1
        found = [page.state.study.column(n) for n in (*MEDS, "weight_kg")]
        assert all(isinstance(column, made) for column in found)
        assert [c.name for c in page.state.study.columns][:3] == list(MEDS), "in the file's order"
        assert page.many.kind.key == kind
        stack.undo()
        assert page.state.study == before


def test_fields_that_differ_stay_until_they_are_set(page: ColumnsPage, qtbot: QtBot) -> None:
    page.choose(("lab_k", "heart_rate", "weight_kg"))
    before, many = numbers(page), page.many
    unit, missing = many.fields.lines["label"], many.rules.fields["missing"]
    assert (unit.text, unit.edit.placeholderText()) == ("", "differs")
    assert (missing.key, missing.combo.placeholderText()) == (None, "differs")
    assert many.rules.fields["outside"].key == CLAMP
    unit.edit.setFocus()
    many.basis.edit.setFocus()
    assert numbers(page) == before, "going through fields sets nothing"
    stack = page.session.document.undo_stack
    place = stack.index()
    type_into(many.basis, "protocol", qtbot)
    assert stack.index() == place + 1, "a word is one step"
    pick(missing, DROP)
    assert numbers(page) == tuple(replace(c, basis="protocol", missing=DROP) for c in before)
    assert unit.edit.placeholderText() == "differs"


def test_an_end_is_each_columns_own(page: ColumnsPage) -> None:
    page.choose(("lab_k", "heart_rate"))
    assert page.many.rules.fields["missing"].combo.findData("=lowest") < 0, "one has no lowest"
    bounded = replace(numbers(page)[0], lower=ONE, upper=TEN, step=ONE)
    page.session.edit(
        study_edits.change_columns(page.state.study, ["lab_k"], lambda _: bounded), ""
    )
    pick(page.many.rules.fields["missing"], "=lowest")
    potassium, rate, _weight = numbers(page)
    assert (potassium.missing, rate.missing) == (Replace(ONE), Replace(ZERO))


def test_bounds_come_from_the_table_row_by_row(page: ColumnsPage, qtbot: QtBot) -> None:
    table, before = page.many.ranges, numbers(page)
    page.choose(("lab_k", "heart_rate"))
    assert table.use.text() == "Choose a unit first" and not table.use.isEnabled()
    page.choose(("lab_k", "heart_rate", "weight_kg"))
    assert table.isVisible() and table.use.text() == "Use for 1 column"
    combo = table.units["lab_k"]
    assert combo.currentIndex() == -1, "which unit the file has is nobody's guess"
    stack = page.session.document.undo_stack
    place = stack.index()
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    assert numbers(page) == before
    assert table.use.text() == "Use for 2 columns"
    table.use.click()
    potassium, rate, weight = numbers(page)
    assert rate == before[1], "bounds that were declared stay"
    assert (weight.lower, weight.upper) == (0, 250) and weight.basis
    assert potassium.upper not in (None, weight.upper) and potassium.basis != weight.basis
    assert stack.index() == place + 1 and not table.use.isEnabled()
    assert table.use.text() == "Nothing to use"
    stack.undo()
    assert numbers(page) == before


def test_the_same_bounds_only_after_they_are_asked_for(page: ColumnsPage, qtbot: QtBot) -> None:
    page.choose(("lab_k", "heart_rate"))
    bounds = page.many.bounds
    lower, upper = bounds.fields["lower"], bounds.fields["upper"]
    assert bounds.open.text() == "Same bounds for all 2" and not lower.isVisible()
    bounds.open.click()
    assert lower.isVisible() and lower.edit.hasFocus()
    assert lower.edit.placeholderText() == "differs"
    before = numbers(page)
    type_into(lower, "x", qtbot)
    assert lower.error and numbers(page) == before
    type_into(lower, "2,5", qtbot)
    type_into(upper, "1", qtbot)
    assert not lower.error and upper.error, "above the lowest"
    type_into(upper, "20", qtbot)
    assert not upper.error
    ends = [(c.lower, c.upper) for c in numbers(page)]
    assert ends == [(Decimal("2.5"), 20)] * 2 + [(None, None)]
    page.choose(("lab_k", "weight_kg"))
    assert not lower.isVisible(), "other columns, other bounds"


def test_the_same_period_for_dates(page: ColumnsPage, qtbot: QtBot) -> None:
    page.choose(("med_1", "seen"))
    page.many.kind.segment("date").click()
    page.many.bounds.open.click()
    type_into(page.many.bounds.fields["first"], "2020-01-01", qtbot)
    found = [page.state.study.column(n) for n in ("med_1", "seen")]
    assert [str(c.first) for c in found if isinstance(c, DateColumn)] == ["2020-01-01"] * 2


def test_values_of_several_columns(page: ColumnsPage, qtbot: QtBot) -> None:
    page.choose(MEDS)
    page.many.kind.segment("category").click()
    values = page.many.fields.values.edit
    qtbot.keyClicks(values, "0 = no")
    qtbot.keyClick(values, Qt.Key.Key_Return)
    qtbot.keyClicks(values, "1 = yes")
    found = [page.state.study.column(n) for n in MEDS]
    assert {c.values for c in found if isinstance(c, CategoryColumn)} == {("0", "1")}
    page.many.kind.segment("yes-no").click()
    type_into(page.many.fields.lines["yes"], "1; yes", qtbot)
    found = [page.state.study.column(n) for n in MEDS]
    assert {c.yes for c in found if isinstance(c, YesNoColumn)} == {("1", "yes")}


def test_switched_on_and_off_together(page: ColumnsPage) -> None:
    page.choose(("lab_k", "med_1"))
    assert page.many.unused.text().startswith("1 of them is not used yet; choosing a kind switches")
    page.choose((*MEDS, "seen"))
    assert page.many.unused.text().startswith("None of them is used yet;")
    assert not page.many.switch_off.isEnabled()
    page.many.switch_on.click()
    settle()
    assert page.many.switch_off.geometry().bottom() < page.many._details.y(), "on show at once"
    assert len(page.state.study.columns) == 7 and not page.many.switch_on.isEnabled()
    page.many.switch_off.click()
    assert page.state.study.columns == DECLARED
    page.many.deselect.click()
    assert page.chosen == () and page.form.isVisible()


def test_a_choice_ends_with_its_study(page: ColumnsPage) -> None:
    page.choose(MEDS)
    page.forget()
    page.render_state()
    assert page.chosen == () and not page.many.isVisible()


def test_a_thousand_columns_change_in_one_edit() -> None:
    columns = tuple(NumberColumn(f"c{n}") for n in range(1000))
    names = [f"c{n}" for n in range(5000)]
    start = process_time()
    study = study_edits.set_kind(Study(columns=columns), names, "yes-no", tuple(names))
    assert [c.name for c in study.columns] == names
    assert {c.kind for c in study.columns} == {"yes-no"}
    assert process_time() - start < 2


def test_of_columns_too_many_to_hold_only_those_that_show_it_are_looked_at(
    page: ColumnsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five thousand names were matched with every known range, only to be refused."""
    matched: list[str] = []
    monkeypatch.setattr(
        many_form,
        "kind_by_name",
        lambda name, proposed: matched.append(name) or kind_by_name(name, proposed),
    )
    refused: list[object] = []
    page.session.failed.connect(refused.append)
    page.many.show_columns(tuple(f"c{n}" for n in range(5_000)))
    page.many._switch_on()
    assert len(refused) == 1 and page.state.study.columns == DECLARED
    assert len(matched) == limits.MAX_COLUMNS + 1


def test_rules_that_columns_share_are_found_among_thousands() -> None:
    columns = tuple(NumberColumn(f"c{n}", Decimal(0), Decimal(n + 1)) for n in range(1000))
    assert len(_unlike(columns, "missing")) == 1
    some = (*columns, NumberColumn("open"), replace(columns[0], missing=Replace(Decimal(7))))
    assert [one.name for one in _unlike(some, "missing")] == ["c0", "open", "c0"]
