# SPDX-License-Identifier: Apache-2.0
"""People: nothing is guessed that does not sound like a person; the account pays."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits.study_edits import looks_like_person
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY, release


def people_page(window: MainWindow) -> PeoplePage:
    window.go_to("people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    return page


@pytest.fixture
def with_header(open_window: OpenWindow, tmp_path: Path):  # type: ignore[no-untyped-def]
    def opened(header: str) -> PeoplePage:
        path = tmp_path / "data.csv"
        path.write_text(f"{header}\n{','.join('1' for _ in header.split(','))}\n", encoding="utf-8")
        return people_page(open_window(path, page="people"))

    return opened


def type_into(qtbot: QtBot, field: LineField, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


@pytest.mark.parametrize(
    "name",
    [
        "patient_nbr", "patient_id", "PatientID", "patientId", "PATIENT", "Patientennummer",
        "person_id", "subject_id", "SEQN", "mrn", "pid", "record_id", "participant", "Proband",
        "patient", "person", "patient-no", "PersonNr", "subject",
        "PatID", "Pat-Nr.", "PATNR", "pat_id", "ID_Pat", "PatKey", "Pseudonym", "usubjid",
        "Teilnehmer-ID", "ptnum",
    ],
)  # fmt: skip
def test_names_of_people_are_recognised(name: str) -> None:
    assert looks_like_person(name)


@pytest.mark.parametrize(
    "name",
    [
        "encounter_id", "visit_id", "patient_visit_id", "patient_encounter", "fallnummer",
        "stay_id", "admission_id", "patient_age", "patient_sex", "patient_admission_date",
        "id", "row", "Fallnr", "FallID", "Fall-Nr.", "FALNR", "AufnahmeNr", "KVNR",
        "case_id", "patient_case_no", "episode", "aufenthalt", "hadm_id", "icustay_id",
        "patient_stay_nr", "days", "number_inpatient", "number_outpatient", "insulin",
        "record", "personal_history", "subjective_pain", "patients_per_nurse", "num_patients",
    ],
)  # fmt: skip
def test_names_of_visits_and_facts_are_never_proposed(name: str) -> None:
    assert not looks_like_person(name)


def test_a_column_that_sounds_like_a_person_is_proposed_and_shown(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("encounter_id,patient_nbr,days")
    assert page.person.key is None
    assert page.state.study.unit is None
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    assert page.person.key == "patient_nbr"


def test_nothing_is_guessed_without_such_a_column(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("encounter_id,visit,days")
    assert page.footer.sentence == "Choose who a row is about.", "it is the page to do so"
    window = page.window()
    for key, said in (("people", "here"), ("queries", "in People"), ("people", "here")):
        window.go_to(key)
        assert window.panel._guess_title.text() == f"You choose the account {said}"
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    assert page.person.key is None
    assert page.person.isVisible()
    assert page.footer.sentence == "Choose the person ID column."
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()
    page.person.combo.setFocus()
    qtbot.keyClick(page.person.combo, Qt.Key.Key_Down)
    assert page.state.study.unit is not None
    assert page.state.study.unit.person == "encounter_id"


def test_only_who_a_row_is_about_says_that_every_row_is_a_person(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    """Answered first, another question would declare rows as people, and Continue would do it."""
    page = with_header("patient_nbr,days")
    for option in (page.secret, page.public):
        qtbot.mouseClick(option, Qt.MouseButton.LeftButton)
        option.click()
    page.names.named.emit("row_name", "stay")
    assert page.state.study.unit is None
    assert page.footer.sentence == "Choose who a row is about."
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.public, Qt.MouseButton.LeftButton)
    unit = page.state.study.unit
    assert unit is not None and (unit.person, unit.neighbours) == ("patient_nbr", "change-one")


def test_a_column_still_to_be_chosen_is_not_every_row_a_person(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("visit,days")
    qtbot.mouseClick(page.single, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.public, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    assert page.state.study.unit is None, "the page and the study say the same"
    qtbot.mouseClick(page.secret, Qt.MouseButton.LeftButton)
    assert page.state.study.unit is None
    page.person.combo.setFocus()
    qtbot.keyClick(page.person.combo, Qt.Key.Key_Down)
    unit = page.state.study.unit
    assert unit is not None and (unit.person, unit.neighbours) == ("visit", "change-one")


def test_every_row_another_person_takes_one_row_each(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("patient_nbr,days")
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    type_into(qtbot, page.max_rows, "5")
    assert page.state.study.unit.max_rows == 5
    assert "dpdesk keeps 5 rows at random." in page.max_rows.edit.accessibleDescription()
    qtbot.mouseClick(page.single, Qt.MouseButton.LeftButton)
    assert (page.state.study.unit.person, page.state.study.unit.max_rows) == (None, 1)
    assert not page.person.isVisible()


@pytest.mark.parametrize("text", ["", "0", "-1", "abc", "1.5", "99999999999", "²"])
@pytest.mark.in_turn(3)
def test_a_wrong_number_of_rows_is_reported_at_the_field(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot, text: str
) -> None:
    page = with_header("patient_nbr,days")
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    page.max_rows.edit.setFocus()
    page.max_rows.edit.selectAll()
    if text:
        qtbot.keyClicks(page.max_rows.edit, text)
    else:
        qtbot.keyClick(page.max_rows.edit, Qt.Key.Key_Delete)
    assert page.max_rows.error
    assert page.max_rows.text == text
    page.person.combo.setFocus()
    # A number gets its separators when its field is left, whatever is wrong with it.
    assert page.max_rows.text.replace(",", "") == text
    assert page.footer.sentence == page.max_rows.error
    type_into(qtbot, page.max_rows, "4")
    assert (page.max_rows.error, page.state.study.unit.max_rows) == ("", 4)


def test_a_public_number_of_people_is_asked_for(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("patient_nbr,days")
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    assert not page.people.isVisible()
    qtbot.mouseClick(page.public, Qt.MouseButton.LeftButton)
    assert page.people.isVisible()
    assert page.people.error
    type_into(qtbot, page.people, "71518")
    assert page.state.study.unit.people == 71_518
    assert not page.people.error
    qtbot.mouseClick(page.secret, Qt.MouseButton.LeftButton)
    assert page.state.study.unit.people is None


def test_an_account_is_opened_and_used(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("patient_nbr,days")
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.account.new, Qt.MouseButton.LeftButton)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NewAccountDialog)
    assert dialog.total.text == "1.00", "as the gauge and the plan write it"
    type_into(qtbot, dialog.total, "abc")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    assert dialog.total.error
    assert page.session.accounts.states == ()
    type_into(qtbot, dialog.name, "registry")
    type_into(qtbot, dialog.total, "0.5")
    qtbot.keyClick(dialog.total.edit, Qt.Key.Key_Return)
    assert dialog.focusWidget() is dialog.note.edit and page.session.accounts.states == ()
    qtbot.keyClick(dialog.note.edit, Qt.Key.Key_Return)
    assert page.state.account is not None
    assert (page.state.account.name, str(page.state.account.total)) == ("registry", "0.5")
    assert page.footer.primary is not None and page.footer.primary.isEnabled()
    assert page.window().panel.gauge.description().endswith("of 0.50.")


def test_a_limit_of_the_study_is_reported_wrong_and_kept(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("patient_nbr,days")
    page.session.accounts.ledger().new_account("registry", page.state.planned.of("1"), "")
    page.session.reread_accounts()
    page.account.choice.combo.setFocus()
    qtbot.keyClick(page.account.choice.combo, Qt.Key.Key_Down)
    type_into(qtbot, page.account.limit, "x")
    assert page.account.limit.error
    type_into(qtbot, page.account.limit, "0,25")
    assert not page.account.limit.error
    assert str(page.state.study.budget.epsilon) == "0.25"


def test_a_study_is_offered_what_is_left_of_an_account(
    open_window: OpenWindow, home: Home, study_file: Path, tmp_path: Path
) -> None:
    """The whole total was offered, which part of is spent; cards keep their height beside notes."""
    release(STUDY, study_file.parent, Ledger.open(home), OpenDPDoor())
    page = people_page(open_window(tmp_path / "stays.csv"))
    assert page.account.choice.combo.placeholderText() == "Choose the account"
    card = page._secret_card
    assert card.height() == card.sizeHint().height()
    page.account.choose(STUDY.budget.account if STUDY.budget else "")
    budget = page.state.study.budget
    assert budget is not None and page.state.account is not None
    assert budget.epsilon == page.state.account.left != page.state.account.total


def test_an_account_has_one_kind_of_neighbours(
    open_window: OpenWindow, home: Home, study_file: Path, qtbot: QtBot
) -> None:
    release(STUDY, study_file.parent, Ledger.open(home), OpenDPDoor())
    page = people_page(open_window(study_file, page="people"))
    assert not page.state.step_problems("people")
    qtbot.mouseClick(page.public, Qt.MouseButton.LeftButton)
    type_into(qtbot, page.people, "40")
    codes = [problem.code for problem in page.state.step_problems("people")]
    assert codes == ["account-people-secret"]
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()
    qtbot.mouseClick(page.secret, Qt.MouseButton.LeftButton)
    assert page.footer.primary.isEnabled()


def test_who_a_row_is_about_leads_to_the_limit(with_header, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    page = with_header("patient_id,days")
    qtbot.mouseClick(page.several, Qt.MouseButton.LeftButton)
    assert page.max_rows.edit.hasFocus() and page.max_rows.edit.selectedText() == page.max_rows.text


def test_an_account_that_the_ledger_lost_is_not_called_a_new_one(
    open_window: OpenWindow, study_file: Path, home: Home
) -> None:
    release(STUDY, study_file.parent, Ledger.open(home), OpenDPDoor())
    home.ledger.write_bytes(b"")  # as of a copy that broke off
    window = open_window(study_file, page="people")
    error = people_page(window).account.choice.error
    assert error.startswith("Account registry is missing: an older copy of the ledger is in use.")


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_without_a_likely_column_it_leads_to_the_choice(  # type: ignore[no-untyped-def]
    key: Qt.Key, with_header, qtbot: QtBot
) -> None:
    page = with_header("a,b")
    page.several.setFocus()
    qtbot.keyClick(page.several, key)
    assert page.person.editor.hasFocus()


def test_arrows_choose_and_leave_the_keyboard(with_header, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    page = with_header("patient_id,days")
    qtbot.mouseClick(page.single, Qt.MouseButton.LeftButton)
    qtbot.keyClick(page.single, Qt.Key.Key_Up)
    assert page.several.isChecked() and page.several.hasFocus()
    assert page.max_rows.isVisible()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_no_width_of_the_window_makes_the_page_scroll_sideways(
    open_window: OpenWindow, home: Home, study_file: Path, qapp: QApplication, language: str
) -> None:
    """The note goes below before the account's buttons have no room beside it."""
    Settings(home).language = language
    window = open_window(study_file, page="people")
    page = people_page(window)
    for width in range(700, 1060, 20):
        window.resize(width, 700)
        settle()
        assert page.scroll_area.horizontalScrollBar().maximum() == 0, width
    speak(qapp, SYSTEM)


def test_return_goes_from_the_limit_to_what_is_still_to_be_said(  # type: ignore[no-untyped-def]
    with_header, qtbot: QtBot
) -> None:
    page = with_header("patient_nbr,age")
    page.several.click()
    type_into(qtbot, page.max_rows, "0")
    qtbot.keyClick(page.max_rows.edit, Qt.Key.Key_Return)
    assert page.max_rows.edit.hasFocus(), "it is to be fixed first"
    type_into(qtbot, page.max_rows, "3")
    qtbot.keyClick(page.max_rows.edit, Qt.Key.Key_Return)
    assert page.account.new.hasFocus(), "no account pays yet"
