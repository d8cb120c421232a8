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

from dpdesk.data.codebook.sources import estimated, typed
from dpdesk.desk.core.edits import many_edits, study_edits
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.text.suggestion_words import accept
from dpdesk.desk.text.translators.chosen_language import speak
from dpdesk.release.places.home import Home
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.suggest.range_match import suggest_ranges
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle
from tests.release.studies import STUDY, write_data

SAS = "SAS labels"
BOUNDS = "SAS labels; bounds typed by hand"
FOUND = "estimated privately, release 3"
FOUND_BOUNDS = "estimated privately, release 3; bounds typed by hand"


def test_a_bound_typed_after_an_import_is_not_said_to_be_the_codebooks(
    open_window: OpenWindow, tmp_path: Path, home: Home, qtbot: QtBot
) -> None:
    write_data(tmp_path)
    own = replace(STUDY.columns[0], basis=SAS)
    study = replace(STUDY, columns=(own, *STUDY.columns[1:]))
    window = open_window(save_with_account(study, tmp_path / "stays.dpdesk", home))
    window.go_to("columns")
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
    assert changed.basis == page.form.basis.text == BOUNDS
    page.session.document.undo_stack.undo()
    assert page.state.study.column(own.name) == own


@pytest.mark.parametrize(
    ("column", "field", "value", "basis"),
    [
        (NumberColumn("x", basis=SAS), "lower", Decimal(0), BOUNDS),
        (NumberColumn("x", basis=BOUNDS), "upper", Decimal(9), BOUNDS),
        (NumberColumn("x", basis="Codebook: p. 3"), "lower", Decimal(0), "Codebook: p. 3; bounds"),
        (NumberColumn("x", Decimal(0), basis=SAS), "lower", Decimal(0), SAS),
        (NumberColumn("x", basis=SAS), "step", Decimal(1), SAS),
        (NumberColumn("x", basis="Codebook of 2025"), "lower", Decimal(0), "Codebook of 2025"),
        (NumberColumn("x"), "lower", Decimal(0), ""),
        (NumberColumn("x", basis=FOUND), "upper", Decimal(9), FOUND_BOUNDS),
        (NumberColumn("x", basis=FOUND_BOUNDS), "lower", Decimal(0), FOUND_BOUNDS),
        (NumberColumn("x", Decimal(0), basis=FOUND), "lower", Decimal(0), FOUND),
        (NumberColumn("x", basis=f"{FOUND} of 2024"), "lower", Decimal(0), f"{FOUND} of 2024"),
        (DateColumn("x", basis=SAS), "first", date(2020, 1, 1), "SAS labels; period"),
        (YesNoColumn("x", basis=SAS), "yes", ("1",), "SAS labels; values"),
    ],
)
def test_a_source_says_what_was_typed_by_hand(
    column: NumberColumn | DateColumn | YesNoColumn, field: str, value: object, basis: str
) -> None:
    whole = (SAS, BOUNDS, FOUND_BOUNDS, column.basis)
    full = basis if basis in whole else f"{basis} typed by hand"
    assert typed(column, field, value).basis == full
    study = replace(STUDY, columns=(column,))
    together = many_edits.set_field(study, ["x"], field, value)
    assert together.columns[0].basis == full


def test_a_source_is_written_in_the_language_and_known_again_in_another() -> None:
    app = QCoreApplication.instance()
    assert app is not None
    speak(app, "de")
    try:
        german = estimated(3)
        own = typed(NumberColumn("x", basis=german), "upper", Decimal(9))
        assert german == "mit Rauschen geschätzt, Freigabe 3"
        assert own.basis == f"{german}; Grenzen von Hand eingegeben"
        assert typed(NumberColumn("x", basis=FOUND), "upper", Decimal(9)).basis == (
            f"{FOUND}; Grenzen von Hand eingegeben"
        )
    finally:
        speak(app, "en")
    assert typed(own, "lower", Decimal(1)).basis == own.basis, "said once, in whichever language"
    assert estimated(3) == FOUND


def test_a_typed_list_is_not_the_codebooks() -> None:
    own = CategoryColumn("x", ("1", "2"), basis="SPSS labels")
    longer = study_edits.with_values(own, ("1", "2", "3"), ())
    assert longer.basis == "SPSS labels; values typed by hand"
    assert study_edits.with_values(own, ("1", "2"), ()) == own


def test_a_known_range_with_another_bound_has_no_source() -> None:
    known = suggest_ranges("heart_rate")[0]
    own = accept(NumberColumn("heart_rate"), known)
    assert own.basis == known.basis
    assert typed(own, "upper", known.upper).basis == known.basis
    assert typed(own, "upper", known.upper + 1).basis == ""


def test_a_long_source_stays_within_what_a_study_may_hold() -> None:
    long = f"Codebook: {'a' * limits.MAX_TEXT}"[: limits.MAX_TEXT]
    changed = typed(NumberColumn("x", basis=long), "lower", Decimal(0)).basis
    assert len(changed) == limits.MAX_TEXT and changed.endswith("; bounds typed by hand")
