# SPDX-License-Identifier: Apache-2.0
"""The published schema and the reader agree on what a study file looks like."""

import json
import re
import unicodedata
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.resources import resource_path
from dpdesk.study import limits
from dpdesk.study.json.schema import study_schema
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_members
from dpdesk.study.model.dates import day_from_text
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.problem import Refused
from tests.strategies import drafts, studies
from tests.study.json import test_refusals

SCHEMA = json.loads(resource_path("study.schema.json").read_text(encoding="ascii"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

# What a schema cannot say: the form of the file, and how a number is spelt.
BEYOND_SCHEMA = {"json-number", "json-duplicate-key", "json-too-deep", "json-invalid"}


def reads(members: Any) -> bool:
    try:
        study_from_bytes(json.dumps(members).encode())
    except Refused:
        return False
    return True


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_file_is_what_the_command_makes() -> None:
    """``python -m dpdesk.study.json.schema`` writes it anew."""
    made = json.dumps(study_schema(), indent=2) + "\n"
    assert resource_path("study.schema.json").read_text(encoding="ascii") == made


def test_the_sample_study_is_valid() -> None:
    VALIDATOR.validate(json.loads(resource_path("sample/sample.dpdesk").read_text("utf-8")))


def test_every_statistic_can_be_written() -> None:
    """In the order of the catalogue; null says count, as leaving it out does."""
    assert SCHEMA["$defs"]["query"]["properties"]["statistic"]["enum"] == [*STATISTICS, None]


@given(drafts())
def test_what_is_saved_is_valid(study: Study) -> None:
    VALIDATOR.validate(study_to_members(study))


CASES = [*test_refusals.NOT_A_STUDY, *test_refusals.MEMBERS, *test_refusals.VALUES]
STRUCTURAL = [
    c
    for c in CASES
    if c.code not in BEYOND_SCHEMA
    and c.written != '{"dpdesk": 1.0}'
    and not c.written.startswith("patient_id,age")  # a table, and no JSON
]


@pytest.mark.parametrize("case", STRUCTURAL, ids=test_refusals.short)
def test_what_the_reader_refuses_is_not_valid(case: test_refusals.Case) -> None:
    assert not VALIDATOR.is_valid(json.loads(case.written))


JUNK: tuple[Any, ...] = (None, True, False, 0, 1, -3, 2.5, "", "drop", "a\u200bb", [], {}, [1, 2])
JUNK += ("2020-02-29", "2021-02-29", "DD/MM/YYYY")
JUNK += ({"replace": 1}, {"replace": None}, ["a"], [None], {"column": "a", "in": []}, "x" * 301)
KEYS = (
    "missing",
    "values",
    "in",
    "between",
    "from",
    "to",
    "first",
    "format",
    "replace",
    "epsilon",
    "people",
    "extra",
    "title",
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document: the ways to its members and items."""
    found = [at]
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, item in inner:
        found += places(item, (*at, key))
    return found


def changed(value: Any, at: tuple[Any, ...], junk: Any, key: str | None) -> Any:
    """A copy with something else at a place, or with one more member there."""
    if at:
        copy = value.copy()
        copy[at[0]] = changed(value[at[0]], at[1:], junk, key)
        return copy
    if key is not None and isinstance(value, dict):
        return {**value, key: junk}
    return junk


def without(value: Any, at: tuple[Any, ...]) -> Any:
    """A copy without what stands at a place."""
    copy = value.copy()
    if len(at) == 1:
        del copy[at[0]]
    else:
        copy[at[0]] = without(value[at[0]], at[1:])
    return copy


@given(studies(), st.data())
def test_a_changed_document_is_valid_where_it_can_be_read(
    study: Study, data: st.DataObject
) -> None:
    members = study_to_members(study)
    junk, key = st.sampled_from(JUNK), st.sampled_from((None, *KEYS))
    for _ in range(20):
        at = data.draw(st.sampled_from(places(members)[1:]))
        if data.draw(st.integers(0, 3)) == 0:
            spoilt = without(members, at)
        else:
            spoilt = changed(members, at, data.draw(junk), data.draw(key))
        assert VALIDATOR.is_valid(spoilt) == reads(spoilt), spoilt


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.000001, 100])
def test_amounts_are_not_lost_to_binary_fractions(epsilon: float) -> None:
    members = {"dpdesk": 1, "budget": {"epsilon": epsilon}}
    assert VALIDATOR.is_valid(members)
    assert reads(members)


def test_both_know_the_same_days() -> None:
    pattern = re.compile(SCHEMA["$defs"]["date"]["pattern"])
    years = (0, 1, 4, 100, 400, 1583, 1800, 1896, 1900, 1904, 1999, 2000, 2020, 2021, 2100, 9999)
    texts = [f"{y:04}-{m:02}-{d:02}" for y in years for m in range(14) for d in range(33)]
    texts += [f"{year:04}-02-29" for year in range(10_000)]
    differ = [t for t in texts if bool(pattern.search(t)) != (day_from_text(t) is not None)]
    assert not differ
    assert sum(bool(pattern.search(text)) for text in texts) > 5_000
    assert not any(map(pattern.search, ("2020-01-01\n", " 2020-01-01", "2020-01-011", "20200101")))


def test_both_see_the_same_invisible_signs() -> None:
    """Beyond the schema stay unassigned and private signs, and those above U+FFFF."""
    pattern = re.compile(SCHEMA["$defs"]["text"]["pattern"])
    differ = [
        chr(code)
        for code in range(0x10000)
        if bool(pattern.search(chr(code))) != limits.is_printable_text(chr(code))
    ]
    assert all(pattern.search(sign) for sign in differ)
    assert {unicodedata.category(sign) for sign in differ} <= {"Cn", "Co"}


def test_every_member_is_described() -> None:
    bare = [
        f"{name}.{key}"
        for name, part in {"study": SCHEMA, **SCHEMA["$defs"]}.items()
        for key, member in part.get("properties", {}).items()
        if "description" not in member and "const" not in member
    ]
    assert not bare
