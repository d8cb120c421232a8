# SPDX-License-Identifier: Apache-2.0
"""Numbers as people write and read them, plurals, and edits as pure functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QLineEdit

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.state import AccountView, StepState, derive, step_state
from dpdesk.desk.text import words
from dpdesk.desk.text.translators.catalogue_translator import EnglishPlurals, chosen
from dpdesk.release.ledger.answers import Paid
from dpdesk.release.signing.keys import as_identity
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.dates import DATE_FORMATS, day_to_text, typed_form
from dpdesk.study.model.document import Study
from dpdesk.study.text.query_ids import slug
from tests.desk.languages import written_as_in
from tests.release.studies import STUDY
from tests.walks import walked


@pytest.fixture
def german() -> Iterator[None]:
    with written_as_in("de_DE"):
        yield


# --- words --------------------------------------------------------------------------------------


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**12))
def test_two_digits_never_promise_too_much(value: Fraction) -> None:
    shown = Fraction(words.two_digits(value))
    assert shown >= value
    assert shown <= value * Fraction(11, 10)
    assert "e" not in words.two_digits(value).lower()


@pytest.mark.parametrize(
    ("width", "shown"),
    [(0.0191, "0.020"), (0.019, "0.019"), (0.1 + 0.2, "0.300"), (1.7201, "1.721")],
)
def test_a_margin_beside_its_figure_never_promises_too_much(width: float, shown: str) -> None:
    """A float's last digits are no reason for a larger one."""
    _figures, (margin,) = words.figures_with_margins([4.372], [width])
    assert Fraction(margin) >= Fraction(width).limit_denominator(10**9)
    assert Fraction(margin) == Fraction(shown)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(401, 1000), "0.41"),
        (Fraction(999), "999"),
        (Fraction(9991, 10), "1000"),
        (Fraction(1001), "1100"),
        (Fraction(995, 1000), "1.0"),
        (Fraction(1, 3_000_000), "0.00000034"),
    ],
)
def test_two_digits_are_rounded_up(value: Fraction, shown: str) -> None:
    assert words.two_digits(value) == shown


def test_numbers_follow_the_language(german: None) -> None:
    assert words.localised("-1234.5") == "−1234,5"
    assert words.amount(Epsilon.of("0.4")) == "0,40"
    assert words.grouped(1_234_567) == "1.234.567"
    assert words.margin(Fraction(1234), "Tage") == "± 1300 Tage"
    assert words.margin(Fraction(12_340), "Tage") == "± 13.000 Tage"


def test_amounts_show_all_they_have() -> None:
    assert words.amount(Epsilon.of("1")) == "1.00"
    assert words.amount(Epsilon.of("0.000001")) == "0.000001"
    assert words.amount_of_units(-200_000) == "−0.20"


# --- plurals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 queries, 0 rows"), (1, "1 query, 1 row"), (2, "2 queries, 2 rows")]
)
def test_english_numbers_agree(qapp: QApplication, n: int, text: str) -> None:
    translator = EnglishPlurals(qapp)
    qapp.installTranslator(translator)
    found = QCoreApplication.translate("Any", "%n quer(y|ies), %n row(s)", "", n)
    qapp.removeTranslator(translator)
    assert found == text


@pytest.mark.parametrize(("n", "text"), [(1401, "1401 figures"), (14_010, "14,010 figures")])
def test_what_is_counted_has_separators(qapp: QApplication, n: int, text: str) -> None:
    translator = EnglishPlurals(qapp)
    qapp.installTranslator(translator)
    found = QCoreApplication.translate("Any", "%n figure(s)", "", n)
    without_plural = QCoreApplication.translate("Any", "of %n", "", n)
    qapp.removeTranslator(translator)
    assert found == text
    assert without_plural == f"of {text.split(' ', maxsplit=1)[0]}"


def test_the_menu_of_a_field_is_in_sentence_case(qapp: QApplication) -> None:
    field = QLineEdit("text")
    translator = EnglishPlurals(qapp)
    qapp.installTranslator(translator)
    lines = [one.text().partition("\t")[0] for one in field.createStandardContextMenu().actions()]
    qapp.removeTranslator(translator)
    assert lines[-1] == "Select all"
    assert all(line == line.capitalize() for line in (one.replace("&", "") for one in lines))


def test_marks_that_are_no_plural_stay() -> None:
    assert chosen("margin (95 %), f(x)", 2) == "margin (95 %), f(x)"


# --- edits --------------------------------------------------------------------------------------


@given(st.dates(), st.sampled_from(DATE_FORMATS))
def test_a_day_is_typed_as_in_the_file_or_the_iso_way(day: date, format: str) -> None:
    typed = day_to_text(day, typed_form(format))
    for text in (day.isoformat(), typed, f" {typed} "):
        assert study_edits.day_from_text(text, format) == day
    for text in (f"{day.isoformat()} 00:00:00", "today", "", day.strftime("%d.%m.%y")):
        assert study_edits.day_from_text(text, format) is None


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (
            "date",
            "date datum Datum DOB dob admission_date date_of_birth dateOfBirth birthDate birthdate "
            "aufnahmedatum Entlassdatum admitted discharged discharged_on admitted_at created_at "
            "aufgenommen_am visit_date_2 date1 visit.date value_date Datum_der_Aufnahme",
        ),
        ("number", "age age_at_admission days_to_event length_of_stay number_of_visits"),
        ("yes-no", "readmitted readmitted_30d is_dead was_on has_date flag"),
        ("category", "ward sex update candidate mandate data status chat icd10 region format"),
    ],
)
def test_a_kind_is_proposed_from_the_name_alone(kind: str, names: str) -> None:
    assert {name: study_edits.propose_kind(name) for name in names.split()} == dict.fromkeys(
        names.split(), kind
    )


def test_a_name_spells_out_what_a_language_spells_out() -> None:
    assert slug("Klinikum Süd, Größe") == "klinikum-sued-groesse"
    assert as_identity("Ärztekammer Süd") == "Aerztekammer-Sued"


@given(st.text(max_size=60))
def test_a_name_for_a_file_is_plain(text: str) -> None:
    found = slug(text)
    assert len(found) <= 40
    assert all(c in "abcdefghijklmnopqrstuvwxyz0123456789-" for c in found)
    assert found == found.strip("-")


def test_new_names_are_never_taken() -> None:
    study = STUDY
    for _ in range(4):
        study = study_edits.add_query(study, study_edits.new_query(study))
        study = study_edits.duplicate_query(study, study.queries[-1].id)
    ids = [q.id for q in study.queries]
    assert len(set(ids)) == len(ids) == 11


def test_edits_leave_the_study_before_alone() -> None:
    before = replace(STUDY)
    study_edits.set_unit(STUDY, person=None)
    study_edits.leave_out_column(STUDY, "days")
    study_edits.remove_query(STUDY, "stays")
    study_edits.set_budget(STUDY, account="other")
    assert before == STUDY


def test_a_row_as_a_person_has_one_row() -> None:
    study = study_edits.set_unit(STUDY, person=None)
    assert study.unit is not None and study.unit.max_rows == 1


def test_what_belongs_to_a_public_number_goes_with_it() -> None:
    study = study_edits.set_unit(STUDY, neighbours="change-one", people=40)
    study = study_edits.set_unit(study, neighbours="add-remove")
    assert study.unit is not None and study.unit.people is None


def test_columns_stand_in_the_files_order() -> None:
    study = study_edits.use_column(STUDY, "id", "category", ("id", "days", "sex"))
    assert [c.name for c in study.columns] == ["id", "days", "sex"]
    assert study_edits.use_column(study, "id", "number") == study


def test_another_kind_keeps_title_and_source() -> None:
    column = NumberColumn("x", title="Stay", basis="protocol", lower=Decimal(1))
    changed = study_edits.change_kind(column, "category")
    assert isinstance(changed, CategoryColumn)
    assert (changed.title, changed.basis) == ("Stay", "protocol")
    assert study_edits.change_kind(column, "number") is column


@pytest.mark.parametrize("kind", list(study_edits.KINDS))
@pytest.mark.parametrize("other", list(study_edits.KINDS))
def test_every_kind_becomes_every_other(kind: str, other: str) -> None:
    made = study_edits.change_kind(study_edits.KINDS[kind]("x"), other)
    assert made.kind == other


# --- state --------------------------------------------------------------------------------------

ACCOUNT = AccountView("registry", Epsilon.of(1), Epsilon.of("0.5"))


def test_an_empty_study_has_nothing_done() -> None:
    state = derive(Study())
    steps = ("data", "people", "columns", "queries", "release")
    assert {step_state(state, step) for step in steps} == {StepState.NOT_YET}
    assert not state.over_planned


def test_a_whole_study_is_done_and_priced() -> None:
    state = derive(STUDY, ACCOUNT)
    assert {step_state(state, s) for s in ("data", "people", "columns", "queries")} == {
        StepState.DONE
    }
    assert (state.planned.micro, state.left_after, state.over_planned) == (400_000, 100_000, False)


def test_questions_that_were_answered_are_free() -> None:
    paid = Paid(2, "2026-11-22T05:15Z", 1)
    answers = {"days": paid}
    state = derive(STUDY, ACCOUNT, find_answer=lambda plan: answers.get(plan.query.id))
    assert (state.planned.micro, state.answered) == (200_000, {"days"})
    assert state.stored == answers
    fresh = derive(STUDY, ACCOUNT, (), lambda plan: answers.get(plan.query.id), (), True)
    assert (fresh.planned.micro, fresh.answered, fresh.stored) == (400_000, set(), answers)


def test_a_question_that_is_asked_twice_is_priced_once_as_a_release_does() -> None:
    again = replace(STUDY.queries[0], id="again", title="The same")
    state = derive(replace(STUDY, queries=(*STUDY.queries, again)), ACCOUNT)
    assert (state.planned.micro, state.repeats) == (400_000, {"again"})
    dearer = replace(again, epsilon=Epsilon.of("0.05"))
    state = derive(replace(STUDY, queries=(*STUDY.queries, dearer)), ACCOUNT)
    assert (state.planned.micro, state.repeats) == (450_000, set())


def test_a_study_without_an_extract_is_not_done_on_data_alone() -> None:
    assert STUDY.data is not None
    undeclared = replace(STUDY, data=replace(STUDY.data, extract=" "))
    state = derive(undeclared, ACCOUNT)
    assert [(p.path, p.code) for p in state.blocking] == [
        ("$.data.extract", "extract-not-declared")
    ]
    # Nothing that was declared is wrong; one more thing is to be declared.
    assert step_state(state, "data") is StepState.NOT_YET
    assert len(state.plans) == len(STUDY.queries)


def test_another_account_leaves_what_the_study_says_by_itself() -> None:
    bad = replace(STUDY, columns=STUDY.columns[:1])
    for study in (STUDY, bad):
        first = derive(study)
        again = derive(study, ACCOUNT, before=first)
        assert again == derive(study, ACCOUNT)
        assert again.plans is first.plans
    assert derive(bad, ACCOUNT, before=derive(STUDY, ACCOUNT)) == derive(bad, ACCOUNT)
    first = derive(STUDY, ACCOUNT)
    assert derive(STUDY, ACCOUNT, before=first) is first


def test_queries_that_did_not_change_keep_their_plans_where_all_else_is_as_it_was() -> None:
    first = derive(STUDY, ACCOUNT)
    changed = replace(STUDY.queries[0], epsilon=Epsilon.of("0.01"))
    fewer = replace(STUDY, queries=(changed, *STUDY.queries[2:]))
    after = derive(fewer, ACCOUNT, before=first)
    assert after == derive(fewer, ACCOUNT)
    assert all(after.plans[query.id] is first.plans[query.id] for query in fewer.queries[1:])
    for other in (
        replace(STUDY, unit=replace(STUDY.unit, max_rows=2)),
        replace(STUDY, columns=STUDY.columns[:1]),
        replace(STUDY, budget=None),
    ):
        assert derive(other, ACCOUNT, before=first) == derive(other, ACCOUNT)


def test_an_edit_of_one_query_checks_and_compiles_that_one_once() -> None:
    first = derive(STUDY, ACCOUNT)
    other = replace(STUDY, queries=(replace(STUDY.queries[0], expected=77), *STUDY.queries[1:]))
    steps = [step.function for step in walked(lambda: derive(other, ACCOUNT, before=first)).steps]
    assert steps.count("check_query") == 1 and steps.count("compile_query") == 1


@pytest.mark.parametrize(
    "share",
    [Epsilon(0), Epsilon(1), Epsilon.of("0.25"), Epsilon(100_000_001), Rho(5_000_000), None],
    ids=repr,
)
def test_another_share_is_compiled_without_checking_the_question_again(share: Share | None) -> None:
    first = derive(STUDY, ACCOUNT)
    is_rho = isinstance(share, Rho)
    query = replace(
        STUDY.queries[2], epsilon=None if is_rho else share, rho=share if is_rho else None
    )
    other = replace(STUDY, queries=(*STUDY.queries[:2], query))
    made = derive(other, ACCOUNT, before=first)
    assert made == derive(other, ACCOUNT)
    assert derive(STUDY, ACCOUNT, before=made) == first
    if share == Epsilon.of("0.25"):
        again = walked(lambda: derive(other, ACCOUNT, before=first)).steps
        assert "check_query" not in [step.function for step in again]


def test_an_edit_of_one_column_compiles_the_queries_that_use_it() -> None:
    first = derive(STUDY, ACCOUNT)
    column = replace(STUDY.columns[0], title="Another")
    other = replace(STUDY, columns=(column, *STUDY.columns[1:]))
    steps = [step.function for step in walked(lambda: derive(other, ACCOUNT, before=first)).steps]
    users = [query for query in STUDY.queries if column.name in query.names]
    assert 0 < len(users) < len(STUDY.queries)
    assert steps.count("check_query") == steps.count("compile_query") == len(users)
    assert derive(other, ACCOUNT, before=first) == derive(other, ACCOUNT)


def test_a_plan_can_be_more_than_is_left() -> None:
    state = derive(STUDY, replace(ACCOUNT, spent=Epsilon.of("0.9")))
    assert (state.left_after, state.over_planned) == (-300_000, True)


def test_a_problem_belongs_to_its_step_alone() -> None:
    bad = replace(STUDY.columns[0], upper=Decimal(0))  # type: ignore[call-arg]
    state = derive(replace(STUDY, columns=(bad, *STUDY.columns[1:])))
    assert step_state(state, "columns") is StepState.ATTENTION
    assert step_state(state, "people") is StepState.DONE
    assert state.problems_at("$.columns[0]")
    assert not state.problems_at("$.columns[1]")
