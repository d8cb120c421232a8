# SPDX-License-Identifier: Apache-2.0
"""What a column's name suggests: ranges and lists to accept, and people's names to leave out."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.offers.range_card import range_text
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.text import words
from dpdesk.desk.text.suggestion_words import accept
from dpdesk.desk.theme.metrics import Space
from dpdesk.privacy.planning.share_for_margin import example_margin
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn
from dpdesk.study.suggest.categories import suggest_categories
from dpdesk.study.suggest.range_match import suggest_ranges
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.languages import spoken_language
from tests.desk.screens import settle, spoken, tabbed
from tests.release.studies import STUDY, write_data

HEADER = "id,patient_name,days,sex,heart_rate,glucose,nyha,date_of_birth,remarkable"
ORDER = ["id", "days", "sex", "heart_rate", "glucose", "nyha", "date_of_birth", "remarkable"]


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path, home: Home) -> ColumnsPage:
    """The Columns page of a file whose headers say something."""
    path = write_data(tmp_path)
    path.write_text(f"{HEADER}\np1,A,3,f,70,90,II,1950-01-01,x\n", encoding="utf-8")
    window = open_window(save_with_account(STUDY, tmp_path / "stays.dpdesk", home), page="columns")
    settle()
    found = window.pages["columns"]
    assert isinstance(found, ColumnsPage)
    return found


def use(qtbot: QtBot, page: ColumnsPage, name: str, kind: str) -> Column:
    page.select(name)
    press(qtbot, page.form.used)
    press(qtbot, page.form.kind.segment(kind))
    return column(page, name)


def column(page: ColumnsPage, name: str) -> Column:
    found = page.state.study.column(name)
    assert found is not None
    return found


def press(qtbot: QtBot, button: QWidget) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def rows_of(page: ColumnsPage) -> list[str]:
    return [row.range.text() for row in page.form.ranges.rows]


def test_a_range_is_shown_with_source_and_margin_and_not_applied(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    found = use(qtbot, page, "heart_rate", "number")
    card = page.form.ranges
    assert found == NumberColumn("heart_rate")
    assert card.isVisible()
    assert card.offered.text() == "Known ranges: Heart rate"
    typical, row = card.rows
    assert (typical.range.text(), row.range.text()) == ("25 to 225 /min", "0 to 300 /min")
    assert typical.source.text().startswith("eICU Code Repository.")
    assert row.source.text().startswith("OHDSI DataQualityDashboard. Only if the file gives it")
    assert "Extreme, 0 to 300 /min" in spoken(row.button)
    assert row.button in tabbed(page.window())
    # Three rows a person, 0.1 of budget, the middle of 300: noise on sum and count weigh the same.
    column = NumberColumn("x", Decimal(0), Decimal(300), Decimal(1))
    margin = example_margin(page.state.study.unit, column, Epsilon.of("0.1"))
    assert margin is not None
    assert row.margin.text() == words.margin(margin, "/min")
    # Beside the margin: the sentence below the ranges is scrolled away at first.
    assert [line.text() for line in row.of_what] == ["margin of a mean", "of 1000 rows"]
    assert card.example.text() == (
        "For 1000 rows, 3 rows per person, 0.10 of budget. Wider means more noise."
    )
    assert not page.form.suggestion.isVisible()


def test_typical_and_extreme_stand_beside_their_margins(page: ColumnsPage, qtbot: QtBot) -> None:
    study = page.state.study
    page.session.edit(replace(study, columns=(*study.columns, NumberColumn("weight_kg"))), "")
    page.select("weight_kg")
    assert rows_of(page) == ["0 to 250 kg", "0 to 500 kg"]
    typical, extreme = page.form.ranges.rows
    assert spoken(typical.button).startswith("Use Typical")
    first, second = (float(row.margin.text().split()[1]) for row in (typical, extreme))
    assert 1.8 < second / first < 2.2


def test_a_stay_of_twenty_years_is_not_the_first_suggestion(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    study = page.state.study
    stay = NumberColumn("length_of_stay", label="days")
    page.session.edit(replace(study, columns=(*study.columns, stay)), "")
    page.select("length_of_stay")
    assert rows_of(page) == ["0 to 45 days", "0 to 7,305 days"]
    (typical, _extreme) = page.form.ranges.rows
    assert typical.source.text().startswith("HCUP; BMC Health Services Research (2021). Longer")


def test_use_is_one_edit_stays_as_used_and_can_be_taken_back(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    before = use(qtbot, page, "heart_rate", "number")
    stack = page.session.document.undo_stack
    place = stack.index()
    _typical, row = page.form.ranges.rows
    row.button.setFocus()
    qtbot.keyClick(row.button, Qt.Key.Key_Space)
    settle()
    found = column(page, "heart_rate")
    assert isinstance(found, NumberColumn)
    assert (found.lower, found.upper, found.step) == (0, 300, 1)
    assert found.label == "/min"
    assert found.basis.startswith("OHDSI DataQualityDashboard: 4301868")
    assert [f.text for f in page.form.numbers.values()] == ["0", "300", "1"]
    assert QApplication.focusWidget() is page.form.numbers["lower"].edit
    assert stack.index() == place + 1
    row = next(row for row in page.form.ranges.rows if row.is_used)
    assert spoken(row.button).startswith("Revert")
    press(qtbot, row.button)
    assert column(page, "heart_rate") == before
    assert page.form.numbers["upper"].text == ""
    assert not any(row.is_used for row in page.form.ranges.rows)
    stack.undo()
    stack.undo()
    assert column(page, "heart_rate") == before


def test_units_nobody_stated_stand_beside_each_other(page: ColumnsPage, qtbot: QtBot) -> None:
    use(qtbot, page, "glucose", "number")
    assert rows_of(page) == [
        "0 to 500 mg/dL",
        "0 to 2,000 mg/dL",
        "0 to 27.8 mmol/L",
        "0 to 111.1 mmol/L",
    ]
    last = page.form.ranges.rows[-1]
    assert "elephantcare" in last.source.toolTip()
    press(qtbot, last.button)
    found = column(page, "glucose")
    assert isinstance(found, NumberColumn)
    assert (found.upper, found.step, found.label) == (Decimal("111.1"), Decimal("0.1"), "mmol/L")


def test_a_typed_unit_leaves_its_range_alone_and_stays(page: ColumnsPage, qtbot: QtBot) -> None:
    use(qtbot, page, "glucose", "number")
    page.form.unit.edit.setFocus()
    qtbot.keyClicks(page.form.unit.edit, "mmol/l")
    assert rows_of(page) == ["0 to 27.8 mmol/L", "0 to 111.1 mmol/L"]
    press(qtbot, page.form.ranges.rows[0].button)
    assert column(page, "glucose").label == "mmol/l"
    press(qtbot, page.form.ranges.rows[0].button)
    assert column(page, "glucose").label == "mmol/l"


def test_bounds_that_are_declared_are_left_alone(page: ColumnsPage, qtbot: QtBot) -> None:
    page.select("days")
    assert page.form.ranges.isHidden()
    use(qtbot, page, "heart_rate", "number")
    page.form.numbers["lower"].edit.setFocus()
    qtbot.keyClicks(page.form.numbers["lower"].edit, "30")
    assert page.form.ranges.isHidden()


def test_a_list_is_not_called_by_who_made_it_when_that_follows(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    use(qtbot, page, "sex", "category")
    said = page.form.suggestion.words.text()
    assert said.startswith("Plausible for Administrative gender, 4 values: male,")
    assert said.count("HL7") == 1


def test_a_list_of_values_is_suggested_like_a_range(page: ColumnsPage, qtbot: QtBot) -> None:
    use(qtbot, page, "nyha", "category")
    line = page.form.suggestion
    said = line.words.text()
    assert said.startswith("Plausible for NYHA class, 4 values: I, II, III, IV (J Am Board")
    assert line.second.text() == "Case and spaces around a value make no difference."
    assert line.second.y() >= line.words.geometry().bottom() + Space.TIGHT, "a sentence of its own"
    press(qtbot, line.use)
    found = column(page, "nyha")
    assert isinstance(found, CategoryColumn)
    assert found.values == ("I", "II", "III", "IV")
    assert "New York Heart Association" in found.basis
    assert page.form.values.text == "I\nII\nIII\nIV"
    assert line.isHidden()
    page.session.document.undo_stack.undo()
    assert column(page, "nyha") == CategoryColumn("nyha", compare="folded")
    assert page.form.values.text == ""


def test_a_suggested_list_that_was_edited_loses_its_source(page: ColumnsPage, qtbot: QtBot) -> None:
    use(qtbot, page, "nyha", "category")
    press(qtbot, page.form.suggestion.use)
    page.form.values.edit.appendPlainText("V")
    assert column(page, "nyha").values[-1] == "V"
    assert column(page, "nyha").basis == ""
    assert page.form.basis.text == ""


def test_a_source_that_somebody_typed_stays_when_the_list_is_edited() -> None:
    own = CategoryColumn("nyha", ("I", "II"), basis="codebook")
    assert study_edits.with_values(own, ("I",), ()).basis == "codebook"
    suggested = accept(replace(own, values=()), suggest_categories("nyha")[0])
    assert suggested.basis != "codebook"
    unchanged = study_edits.with_values(suggested, suggested.values, suggested.labels)
    assert unchanged == suggested
    assert study_edits.change_kind(suggested, "yes-no").basis == ""


def test_the_form_says_how_cells_are_compared(page: ColumnsPage, qtbot: QtBot) -> None:
    use(qtbot, page, "nyha", "category")
    field = page.form.rules.fields["compare"]
    assert field.key == "folded"
    assert field.combo.currentText() == "Ignoring case and surrounding spaces"
    page.form.values.edit.appendPlainText("i\nI\n")
    assert "Case counts here" in field.editor.accessibleDescription()
    page.form.values.edit.setPlainText("i")
    assert field.editor.accessibleDescription() == ""
    field.combo.setCurrentIndex(1)
    field.combo.activated.emit(1)
    assert column(page, "nyha").compare == "exact"
    page.select("sex")
    assert field.key == "exact", "declared before columns were compared without case"


def test_every_notation_of_a_list_is_offered(page: ColumnsPage, qtbot: QtBot) -> None:
    emptied = study_edits.replace_column(page.state.study, CategoryColumn("sex"))
    page.session.edit(emptied, "")
    page.select("sex")
    press(qtbot, page.form.suggestion.choose)
    popup = page.form.suggestion.popup
    assert popup is not None
    offered = [popup.list.item(row).text() for row in range(popup.list.count())]
    assert "Sex, letters, 4 values: M, F, O, U (HL7 FHIR R5)" in offered
    popup.close()
    assert column(page, "sex") == CategoryColumn("sex")
    # The likeliest is on show, and taken in one press.
    assert offered[0] in page.form.suggestion.words.text()
    press(qtbot, page.form.suggestion.use)
    assert column(page, "sex").values == ("male", "female", "other", "unknown")


def test_a_name_that_has_a_range_starts_as_a_number(page: ColumnsPage, qtbot: QtBot) -> None:
    assert study_edits.propose_kind("heart_rate") == "category"
    page.select("heart_rate")
    press(qtbot, page.form.used)
    assert column(page, "heart_rate").kind == "number"
    page.select("remarkable")
    press(qtbot, page.form.used)
    assert column(page, "remarkable").kind == "category"


def test_what_names_a_person_is_listed_last_with_its_tag(page: ColumnsPage) -> None:
    assert list(page.names()) == [*ORDER, "patient_name"]
    item = page.item("patient_name")
    assert item.second_line == "Identifies a person: do not use"
    assert item.accessibleDescription() == "not used; identifies a person: do not use"
    assert page.item("date_of_birth").second_line == "May help to identify a person"
    assert page.item("remarkable").second_line == "Not used"
    assert page.item("id").accessibleDescription() == "person ID column"


def test_declaring_a_name_asks_nothing_and_says_one_sentence(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    use(qtbot, page, "patient_name", "category")
    assert QApplication.activeModalWidget() is None
    assert page.names()[1] == "patient_name"
    assert page.selected == "patient_name"
    assert page.form.identity.isVisible()
    assert page.form.identity.sentence.startswith(
        "The name suggests that this column identifies people"
    )
    page.select("date_of_birth")
    assert page.form.identity.sentence.startswith("Together with other columns")
    page.select("days")
    assert not page.form.identity.isVisible()


def test_the_column_of_the_person_is_not_warned_about(page: ColumnsPage) -> None:
    study = page.state.study
    assert study.unit is not None
    page.session.edit(replace(study, unit=replace(study.unit, person="patient_name")), "")
    page.select("patient_name")
    assert page.names()[1] == "patient_name"
    assert page.item("patient_name").accessibleDescription() == "person ID column"
    assert not page.form.identity.isVisible()


@pytest.mark.parametrize(("language", "shown"), [("en", "1,102.4"), ("de", "1.102,4")])
def test_the_ends_of_ranges_below_each_other_have_their_separators(
    qapp: QApplication, language: str, shown: str
) -> None:
    with spoken_language(qapp, language):
        texts = [range_text(one) for one in suggest_ranges("weight")]
    assert any(shown in text for text in texts), texts
