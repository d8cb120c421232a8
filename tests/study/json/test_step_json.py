# SPDX-License-Identifier: Apache-2.0
"""Derived columns in a study file: what is written is read, and what is refused where."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.resources import resource_path
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes, study_to_members
from dpdesk.study.model.columns import CategoryColumn, CellReading, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import CodePrefix, RecodeEntry
from dpdesk.study.problem import Refused
from tests.audit.length import examples
from tests.data.preparation.chains import random_chain
from tests.data.preparation.steps import derived_columns, raw_columns
from tests.data.tables import random_columns

SCHEMA = json.loads(resource_path("study.schema.json").read_text(encoding="ascii"))
AGE = NumberColumn(
    "age",
    Decimal(0),
    Decimal(110),
    Decimal(1),
    reads=(CellReading("90+", Decimal(90)), CellReading("<1", Decimal("0.5"))),
)
CODES = CategoryColumn(
    "chapter",
    ("I", "C"),
    made_from=CodePrefix("diag", (RecodeEntry("I", ("I00-I99",)), RecodeEntry("C", ("C",))), 3),
)

REFUSED: list[tuple[Any, str, str]] = [
    ({}, "", "step-kind"),
    ({"between": ["a", "b"], "recode": "a"}, "", "step-kind"),
    ({"evaluate": "a + b"}, "", "step-kind"),
    ({"between": ["a"]}, ".between", "type-pair-of-ends"),
    ({"between": ["a", 5]}, ".between[1]", "type-text"),
    ({"between": ["a", {"day": "1.1.2020"}]}, ".between[1].day", "type-date"),
    ({"between": ["a", {}]}, ".between[1].day", "missing-member"),
    ({"between": ["a", "b"], "in": "minutes"}, ".in", "not-a-choice"),
    ({"between": ["a", "b"], "as": "days"}, ".as", "unknown-member"),
    ({"add": ["a"]}, ".add", "type-pair-of-numbers"),
    ({"add": ["a", 5]}, ".add[1]", "type-operand"),
    ({"add": ["a", {"number": "5"}]}, ".add[1].number", "type-number"),
    ({"add": ["a", {"column": "b", "root": 2}]}, ".add[1].root", "unknown-member"),
    ({"recode": "a", "to": [{"of": []}]}, ".to[0].value", "missing-member"),
    ({"part": "year"}, ".of", "missing-member"),
    ({"of_person": "median"}, ".of_person", "not-a-choice"),
    ({"beside": "previous", "column": "a"}, ".by", "missing-member"),
    ({"all": [{"column": "a"}]}, ".all[0]", "condition-kind"),
    ("days between a and b", "", "type-object"),
]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_of_a_person_is_read_as_written(seed: int) -> None:
    columns = random_chain(
        random.Random(seed), random_columns(random.Random(seed)), 5, persons=True
    )
    study = Study(columns=(*columns, AGE), queries=(Query("people", of="people"),))
    assert study_from_bytes(study_to_bytes(study)) == study
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(study_to_bytes(study)))
    members = json.loads(json.dumps(public_study(study)))
    assert ReleasedStudy(members).study == study


@settings(max_examples=examples(short=50, full=150), deadline=None)
@given(st.data())
def test_what_is_written_is_read_and_fits_the_schema(data: st.DataObject) -> None:
    read = data.draw(raw_columns())
    study = Study(columns=(*read, data.draw(derived_columns(read, "made")), CODES, AGE))
    assert study_from_bytes(study_to_bytes(study)) == study
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(study_to_bytes(study)))


@pytest.mark.parametrize(("step", "path", "code"), REFUSED)
def test_what_is_no_step_is_refused_at_its_place(step: Any, path: str, code: str) -> None:
    members = study_to_members(Study())
    members["columns"] = [{"name": "made", "kind": "number", "from": step}]
    with pytest.raises(Refused) as refused:
        study_from_bytes(json.dumps(members).encode())
    found = [(problem.path, problem.code) for problem in refused.value.problems]
    assert (f"$.columns[0].from{path}", code) in found
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(members)


def test_a_column_called_like_a_number_is_no_constant() -> None:
    """A manifest writes fractions as texts; a name must not turn into one, or one into a name."""
    members = study_to_members(Study())
    one, other = {"add": ["0.5", {"number": 0.5}]}, {"add": [{"number": 0.5}, "0.5"]}
    for step in (one, other):
        members["columns"] = [{"name": "made", "kind": "number", "from": step}]
        study = study_from_bytes(json.dumps(members).encode())
        assert study_to_members(study)["columns"][0]["from"] == step
