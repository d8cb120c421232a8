# SPDX-License-Identifier: Apache-2.0
"""Names of extracts: which are one, which are none, and which are proposed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.checks.extracts import (
    check_extract,
    checked_extract,
    file_name,
    plain_extract,
    proposed_extract,
)
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.release.studies import STUDY

DAY = date(2026, 11, 22)


@given(st.text(max_size=30))
def test_what_two_spellings_share_is_its_own_spelling(name: str) -> None:
    plain = plain_extract(name)
    assert plain_extract(plain) == plain
    assert plain_extract(f"  {name.upper()}\t").casefold() == plain_extract(name.upper())


@pytest.mark.parametrize("other", ["stays 2025", "stays2026", "stays 2026 b", "stays, 2026"])
def test_other_words_are_other_extracts(other: str) -> None:
    assert plain_extract("stays 2026") != plain_extract(other)


@pytest.mark.parametrize("name", ["", " ", "\t", "\u2003"])
def test_a_file_without_a_named_extract_is_a_problem(name: str) -> None:
    (problem,) = check_extract(DataSource("stays.csv", extract=name))
    assert (problem.path, problem.code) == ("$.data.extract", "extract-not-declared")
    assert list(check_extract(DataSource("", extract=name))) == []
    assert list(check_extract(None)) == []
    assert list(check_extract(DataSource("stays.csv", extract="a"))) == []


def test_a_typed_name_is_what_a_study_can_hold() -> None:
    assert checked_extract("  March ") == "March"
    for name, code in (
        ("x" * (MAX_TEXT + 1), "text-too-long"),
        ("a\x07b", "text-invisible"),
        ("\u200b", "text-invisible"),
        ("  ", "extract-not-declared"),
    ):
        with pytest.raises(Refused) as refused:
            checked_extract(name)
        assert [p.code for p in refused.value.problems] == [code]


@pytest.mark.parametrize(
    ("path", "name"),
    [("2024/data.csv", "data.csv"), ("C:\\x\\data.csv", "data.csv"), ("", ""), ("data", "data")],
)
def test_a_files_name_is_the_paths_last_part(path: str, name: str) -> None:
    assert file_name(path) == name


@given(st.text(max_size=400).map(lambda text: text.replace("/", "").replace("\\", "")))
def test_any_files_proposal_can_be_kept_in_a_study(name: str) -> None:
    proposed = proposed_extract(name, DAY)
    assert proposed.endswith("2026-11-22") and checked_extract(proposed) == proposed
    assert STUDY.data is not None
    study = replace(STUDY, data=replace(STUDY.data, extract=proposed))
    assert study_from_bytes(study_to_bytes(study)) == study


def test_a_proposal_means_nothing_else_yet() -> None:
    taken: set[str] = set()
    for number in ("", " (2)", " (3)"):
        name = proposed_extract("in/stays.csv", DAY, taken.__contains__)
        assert name == f"stays.csv, 2026-11-22{number}"
        taken.add(name)
