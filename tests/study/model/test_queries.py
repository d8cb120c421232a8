# SPDX-License-Identifier: Apache-2.0
"""A query's parameters are those that its statistic declares; what a file adds is not lost."""

import json
from dataclasses import replace

import pytest

from dpdesk.desk.core.edits.query_edits import set_statistic
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_files import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters, QuantileParameters
from dpdesk.study.model.queries import Query

MEMBERS = {
    "id": "q",
    "statistic": "count",
    "column": "stay",
    "where": [{"column": "ward", "in": ["A"]}],
    "has": [{"column": "dead", "missing": True}],
    "columns": ["dead", "ill"],
    "quantiles": [0.25, 0.5],
    "candidates": [1, 2.5],
    "edges": [3],
    "top": 0,
    "score": "closest-to-target",
    "target": 9,
    "delta": 1e-10,
    "epsilon": 0.1,
}
"""A count that declares what other statistics do."""


def study_of(**members: object) -> Study:
    text = json.dumps({"dpdesk": 1, "columns": [], "queries": [{**MEMBERS, **members}]})
    return study_from_bytes(text.encode())


def codes_of(study: Study) -> dict[str, str]:
    return {p.path.removeprefix("$.queries[0]."): p.code for p in check(study)}


def test_members_that_a_statistic_does_not_take_are_reported_and_saved() -> None:
    study = study_of()
    (query,) = study.queries
    names = MEMBERS.keys() - {"id", "statistic", "where", "epsilon"}
    assert names == dict(query.stray).keys()
    codes = {name: codes_of(study)[name] for name in names}
    assert codes.pop("column") == "column-not-wanted"
    assert set(codes.values()) == {"member-not-wanted"}
    written = study_to_bytes(study)
    assert list(json.loads(written)["queries"][0].items()) == list(MEMBERS.items())
    assert study_from_bytes(written) == study


def test_another_statistic_takes_the_members_that_are_its_own() -> None:
    (query,) = study_of().queries
    taken = query.having(statistic="quantiles")
    assert taken.parameters_as(QuantileParameters).column == "stay"
    assert taken.members == query.members
    assert codes_of(replace(study_of(), queries=(taken,))).keys() >= {"has", "top", "score"}
    assert taken.having(statistic="count") == query


def test_a_statistic_chosen_in_the_window_leaves_nothing_stray() -> None:
    study = study_of()
    made = set_statistic(study, study.queries[0], "quantiles")
    assert made.members.keys() == {"quantiles", "candidates"}
    assert made.stray == ()


def test_a_query_has_the_parameters_that_its_statistic_declares() -> None:
    with pytest.raises(TypeError, match="ColumnParameters of count"):
        Query("q", "count", ColumnParameters("stay"))
    with pytest.raises(TypeError, match="count has no ColumnParameters"):
        Query("q").parameters_as(ColumnParameters)
