# SPDX-License-Identifier: Apache-2.0
"""What a study publishes as a column's source holds for what is declared, also after typing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from dpdesk.data.codebook.sources import stated_source, typed
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.text.suggestion_words import accept
from dpdesk.desk.text.translators.chosen_language import speak
from dpdesk.release.places.home import Home
from dpdesk.study import limits
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.columns import (
    NO_ORIGIN,
    CategoryColumn,
    DateColumn,
    NumberColumn,
    Origin,
    YesNoColumn,
)
from dpdesk.study.suggest.range_match import suggest_ranges
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle
from tests.release.studies import STUDY, write_data

SAS = Origin("sas")
BOUNDS = Origin("sas", by_hand=True)
FOUND = Origin(release=3)
FOUND_BOUNDS = Origin(release=3, by_hand=True)


def test_a_bound_typed_after_an_import_is_not_said_to_be_the_codebooks(
    open_window: OpenWindow, tmp_path: Path, home: Home, qtbot: QtBot
) -> None:
    write_data(tmp_path)
    own = replace(STUDY.columns[0], basis="", origin=SAS)
    study = replace(STUDY, columns=(own, *STUDY.columns[1:]))
    window = open_window(save_with_account(study, tmp_path / "stays.dpdesk", home), page="columns")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage) and isinstance(own, NumberColumn)
    page.select(own.name)
    field = page.form.numbers["upper"].edit
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "87")
    changed = page.state.study.column(own.name)
    assert isinstance(changed, NumberColumn) and changed.upper == 87
    assert changed.origin == BOUNDS
    assert page.form.basis.text == "SAS labels; bounds typed by hand"
    page.session.document.undo_stack.undo()
    assert page.state.study.column(own.name) == own


@pytest.mark.parametrize(
    ("column", "field", "value", "said"),
    [
        (NumberColumn("x", origin=SAS), "lower", Decimal(0), "SAS labels; bounds"),
        (NumberColumn("x", origin=BOUNDS), "upper", Decimal(9), "SAS labels; bounds"),
        (
            NumberColumn("x", basis="p. 3", origin=Origin("plain")),
            "lower",
            Decimal(0),
            "Codebook: p. 3; bounds",
        ),
        (NumberColumn("x", Decimal(0), origin=SAS), "lower", Decimal(0), "SAS labels"),
        (NumberColumn("x", origin=SAS), "step", Decimal(1), "SAS labels"),
        (NumberColumn("x", basis="SAS labels"), "lower", Decimal(0), "SAS labels"),
        (NumberColumn("x"), "lower", Decimal(0), ""),
        (
            NumberColumn("x", origin=FOUND),
            "upper",
            Decimal(9),
            "estimated privately, release 3; bounds",
        ),
        (
            NumberColumn("x", Decimal(0), origin=FOUND),
            "lower",
            Decimal(0),
            "estimated privately, release 3",
        ),
        (DateColumn("x", origin=SAS), "first", date(2020, 1, 1), "SAS labels; period"),
        (YesNoColumn("x", origin=SAS), "yes", ("1",), "SAS labels; values"),
    ],
)
def test_a_source_says_what_was_typed_by_hand(
    column: NumberColumn | DateColumn | YesNoColumn, field: str, value: object, said: str
) -> None:
    full = f"{said} typed by hand" if "; " in said else said
    assert stated_source(typed(column, field, value)) == full
    study = replace(STUDY, columns=(column,))
    together = study_edits.set_field(study, ["x"], field, value)
    assert stated_source(together.columns[0]) == full
    again = study_from_bytes(study_to_bytes(together)).columns[0]
    assert stated_source(again) == full


def test_a_source_is_said_in_the_language_shown() -> None:
    app = QCoreApplication.instance()
    assert app is not None
    own = typed(NumberColumn("x", basis="Seite 3", origin=FOUND), "upper", Decimal(9))
    labels = NumberColumn("x", origin=SAS)
    speak(app, "de")
    try:
        said = stated_source(own), stated_source(labels)
    finally:
        speak(app, "en")
    assert said == (
        "mit Rauschen geschätzt, Freigabe 3: Seite 3; Grenzen von Hand eingegeben",
        "Wertebezeichnungen aus SAS",
    )
    assert stated_source(labels) == "SAS labels"


def test_who_writes_another_source_replaces_all_of_it() -> None:
    own = NumberColumn("x", basis="p. 3", origin=BOUNDS)
    assert typed(own, "basis", stated_source(own)) == own
    assert typed(own, "basis", "the protocol") == NumberColumn("x", basis="the protocol")
    assert typed(own, "basis", "") == NumberColumn("x")


def test_words_of_the_program_that_a_person_wrote_are_words() -> None:
    own = NumberColumn("x", basis="estimated privately, release 3")
    assert typed(own, "upper", Decimal(9)).basis == own.basis
    assert typed(own, "upper", Decimal(9)).origin == NO_ORIGIN


def test_a_typed_list_is_not_the_codebooks() -> None:
    own = CategoryColumn("x", ("1", "2"), origin=Origin("spss"))
    longer = study_edits.with_values(own, ("1", "2", "3"), ())
    assert longer.origin == Origin("spss", by_hand=True)
    assert study_edits.with_values(own, ("1", "2"), ()) == own


def test_a_known_range_with_another_bound_has_no_source() -> None:
    known = suggest_ranges("heart_rate")[0]
    own = accept(NumberColumn("heart_rate"), known)
    assert own.basis == known.basis
    assert typed(own, "upper", known.upper).basis == known.basis
    assert typed(own, "upper", known.upper + 1) == replace(
        own, upper=known.upper + 1, basis="", origin=NO_ORIGIN
    )


def test_a_known_range_is_recorded_and_not_recognised_by_its_words() -> None:
    known = suggest_ranges("heart_rate")[0]
    own = accept(NumberColumn("heart_rate"), known)
    stored = study_from_bytes(study_to_bytes(replace(STUDY, columns=(own,)))).columns[0]
    assert stored == own and stored.origin == Origin(suggested=True)
    titled = replace(own, title="Weight")
    assert typed(titled, "upper", known.upper + 1).basis == ""
    written = NumberColumn("heart_rate", basis=known.basis)
    assert typed(written, "upper", known.upper + 1).basis == known.basis
    assert study_edits.change_kind(own, "category").basis == ""


def test_a_long_source_stays_within_what_a_study_may_hold() -> None:
    own = NumberColumn("x", basis="a" * limits.MAX_TEXT, origin=Origin("plain"))
    changed = stated_source(typed(own, "lower", Decimal(0)))
    assert len(changed) == limits.MAX_TEXT and changed.endswith("; bounds typed by hand")
