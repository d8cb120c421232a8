# SPDX-License-Identifier: Apache-2.0
"""The tables of ranges and lists speak the desk's language."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from dpdesk.desk.text import suggestion_words, times
from dpdesk.resources import resource_path
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.dates import DATE_FORMS, STAMP
from dpdesk.study.suggest.categories import suggest_categories
from dpdesk.study.suggest.range_match import suggest_ranges
from tests.desk.languages import spoken_language

UNITS = ("days", "hours", "weeks", "months", "years", "points", "fraction", "ratio")


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    with spoken_language(qapp, "de"):
        yield


def notes() -> set[str]:
    found = set()
    for name in ("ranges", "typical"):
        text = resource_path(f"clinical/{name}.csv").read_text(encoding="utf-8")
        found |= {row["note"] for row in csv.DictReader(text.splitlines())}
    lists = json.loads(resource_path("clinical/categories.json").read_text(encoding="utf-8"))
    entries = lists if isinstance(lists, list) else next(v for v in lists.values() if v)
    found |= {entry.get("note", "") for entry in entries}
    return found - {""}


def test_every_note_has_its_german(german: None) -> None:
    assert len(notes()) > 50
    assert {text for text in notes() if suggestion_words.note_text(text) == text} == set()
    assert (
        suggestion_words.note_text("Higher values count as 12.2.")
        == "Höhere Werte zählen als 12,2."
    )


def test_in_english_only_the_numbers_are_written_otherwise(qapp: QApplication) -> None:
    said = {suggestion_words.note_text(text).replace(",", "") for text in notes()}
    assert said == {text.replace(",", "") for text in notes()}


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_in_german_is_known_as_the_same(german: None, unit: str) -> None:
    said = suggestion_words.unit_text(unit)
    assert said != unit
    known = [one for one in suggest_ranges("length_of_stay", "", unit) if one.unit == unit]
    again = [one for one in suggest_ranges("length_of_stay", "", said) if one.unit == unit]
    assert again == known


def test_a_range_is_named_and_used_in_german(german: None) -> None:
    column = NumberColumn("time_in_hospital")
    first = suggest_ranges(column.name)[0]
    assert suggestion_words.sentence(first).startswith("Verweildauer: 0 bis 45 Tage")
    said = suggestion_words.second_line(first)
    assert said.startswith("Nur bei Werten in der Einheit Tage. Längere")
    assert "Longer" not in suggestion_words.second_line(first)
    used = suggestion_words.accept(column, first)
    assert isinstance(used, NumberColumn) and used.label == "Tage"
    assert suggestion_words.accept(used, first) == used


def test_a_list_is_named_in_german(german: None) -> None:
    first = suggest_categories("gender")[0]
    said = suggestion_words.sentence(first)
    assert said.startswith(first.german) and first.german != first.english
    assert first in suggestion_words.proposals(CategoryColumn("gender"))


def test_lists_and_days_begin_with_those_of_the_windows_language(qapp: QApplication) -> None:
    column = CategoryColumn("Geschlecht", ())
    with spoken_language(qapp, "de"):
        first, *others = suggestion_words.proposals(column)
        assert first.values[:3] == ("M", "W", "D")
        assert not any("W" in one.values for one in others)
        own = ("DD.MM.YYYY", "D.M.YYYY", "D.M.YY")
        assert times.forms()[:3] == list(own)
    with spoken_language(qapp, "en"):
        assert "W" not in suggestion_words.proposals(column)[0].values
        assert times.forms() == [*DATE_FORMS, STAMP]
