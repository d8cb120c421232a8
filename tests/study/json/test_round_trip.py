# SPDX-License-Identifier: Apache-2.0
"""A study comes back from its file exactly as it was saved."""

import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given

from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import canonical, study_to_bytes, study_to_members
from dpdesk.study.model.columns import DateColumn, NumberColumn
from dpdesk.study.model.dates import DATE_FORMS
from dpdesk.study.model.document import Study
from tests.strategies import drafts, numbers, studies


@given(studies())
def test_what_the_strategy_makes_is_complete(study: Study) -> None:
    assert check(study) == ()


@given(drafts())
def test_nothing_is_lost_by_saving(study: Study) -> None:
    raw = study_to_bytes(study)
    again = study_from_bytes(raw)
    assert again == study
    assert study_to_bytes(again) == raw


@given(numbers())
def test_every_number_comes_back(value: Decimal) -> None:
    study = Study(columns=(NumberColumn("a", lower=value),))
    assert study_from_bytes(study_to_bytes(study)) == study


@pytest.mark.parametrize(
    "text",
    ["0", "-0", "-0.0", "0.1", "1e18", "1E+30", "100000000000000000", "1e-30", "123456789012.345"],
)
def test_a_number_that_was_read_can_be_saved_and_read(text: str) -> None:
    raw = f'{{"dpdesk": 1, "columns": [{{"name": "a", "kind": "number", "lower": {text}}}]}}'
    study = study_from_bytes(raw.encode())
    assert study.columns[0].lower == Decimal(text)
    assert study_from_bytes(study_to_bytes(study)) == study


@given(studies())
def test_a_file_is_plain_text_that_ends_with_a_line(study: Study) -> None:
    text = study_to_bytes(study).decode("utf-8")
    assert text.endswith("}\n")
    assert "\r" not in text
    assert next(iter(json.loads(text))) == "dpdesk"


@given(studies())
def test_the_canonical_text_is_ascii_and_keeps_every_member(study: Study) -> None:
    members = study_to_members(study)
    text = canonical(members)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == members


def test_a_mark_at_the_start_of_the_file_is_no_content() -> None:
    study = Study(title="Diabetes")
    assert study_from_bytes(b"\xef\xbb\xbf" + study_to_bytes(study)) == study


@pytest.mark.parametrize("form", DATE_FORMS)
def test_a_time_that_is_stated_behind_a_format_says_what_holds_anyway(form: str) -> None:
    column = DateColumn("d", date(2020, 1, 1), date(2020, 12, 31), form, pivot=1950)
    study = Study(columns=(column,))
    text = study_to_bytes(study).decode()
    stated = text.replace(f'"{form}"', f'"{form} HH:MM"')
    assert stated != text
    assert study_from_bytes(stated.encode()) == study_from_bytes(text.encode())
