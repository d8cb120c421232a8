# SPDX-License-Identifier: Apache-2.0
"""Bad input of the catalogue in the shell: one sentence, exit 1, nothing spent."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.shell.hospital import Hospital

Change = Callable[[dict[str, Any]], object]

MEDIAN = {"id": "stay", "statistic": "median", "column": "stay", "epsilon": 0.1}
CUT_OFF = {**MEDIAN, "statistic": "cut-off", "candidates": [2, 7]}
WIDE = {
    "name": "code",
    "kind": "category",
    "values": [f"c{number}" for number in range(400)],
}


def asking(**query: Any) -> Change:
    """A study that asks one query."""
    return lambda m: m.update(queries=[query])


def wide_table(members: dict[str, Any]) -> None:
    """More cells than a table may have."""
    other = {**WIDE, "name": "other"}
    members["columns"] += [WIDE, other]
    members["queries"] = [{"id": "q", "by": ["code", "other"], "epsilon": 0.1}]


CASES: list[tuple[str, Change, str]] = [
    (
        "a share of 0",
        asking(**{**MEDIAN, "epsilon": 0}),
        "$.queries[0].epsilon: The budget must be more than 0.",
    ),
    (
        "a negative share",
        asking(**{**MEDIAN, "epsilon": -0.1}),
        "$.queries[0].epsilon: The budget must be more than 0.",
    ),
    (
        "a share for fewer draws than it pays",
        asking(
            **{**MEDIAN, "statistic": "quantiles", "quantiles": [0.1, 0.9], "epsilon": 0.000001}
        ),
        (
            "$.queries[0].epsilon: This query makes 2 draws, so it needs a budget of at least "
            "0.000002."
        ),
    ),
    (
        "no rows of a person",
        lambda m: m["unit"].update(max_rows=0),
        "$.unit.max_rows: The row limit per person must be between 1 and 10,000.",
    ),
    (
        "equal bounds",
        lambda m: m["columns"][1].update(lower=14),
        "$.columns[1].upper: The highest value must be above the lowest (14). Did you mean 140?",
    ),
    (
        "a step that does not divide the range",
        lambda m: m["columns"][1].update(step=2),
        "$.columns[1].step: The step must divide the range of 13 evenly. Did you mean 1?",
    ),
    (
        "more cells than may be",
        wide_table,
        (
            "$.queries[0].by: This makes 160,000 figures, but one query may have at most 100,000; "
            "use fewer groups."
        ),
    ),
    (
        "a candidate twice",
        asking(**MEDIAN, candidates=[3, 3, 7]),
        "$.queries[0].candidates[1]: “3” is listed twice; remove one.",
    ),
    (
        "a candidate beside the grid",
        asking(**MEDIAN, candidates=[3, 3.5]),
        (
            "$.queries[0].candidates[1]: 3.5 is not a value of “stay”; candidates run from the "
            "lower to the upper bound in whole steps."
        ),
    ),
    (
        "a score that nobody declared",
        asking(**CUT_OFF),
        (
            "$.queries[0].score: Choose what makes a cut-off good: its value times the rows that "
            "reach it, or how close these rows come to a target."
        ),
    ),
    (
        "a score whose sensitivity nobody knows",
        asking(**CUT_OFF, score="beauty"),
        (
            "$.queries[0].score: No sensitivity is declared for the score “beauty”, so it cannot "
            "be used; choose one of these: value-times-count, closest-to-target."
        ),
    ),
    (
        "a quantile beyond 1",
        asking(**{**MEDIAN, "statistic": "quantiles", "quantiles": [0.5, 1.5]}),
        "$.queries[0].quantiles[1]: A quantile is a number between 0 and 1, for example 0.25.",
    ),
    (
        "bins that go down",
        asking(id="q", by=[{"column": "stay", "edges": [7, 3]}], epsilon=0.1),
        (
            "$.queries[0].by[0].edges[1]: 3 comes after a larger number; list the values in "
            "ascending order."
        ),
    ),
    (
        "Gaussian noise in pure epsilon",
        asking(id="q", noise="gaussian", epsilon=0.1),
        "$.queries[0].noise: Gaussian noise needs an account in zCDP; this one is in pure epsilon.",
    ),
    (
        "categories found in pure epsilon",
        asking(
            id="q", statistic="categories-found", column="ward", delta=0.0000000001, epsilon=0.1
        ),
        "",
    ),
    (
        "randomised response where the number of people is secret",
        asking(
            id="q",
            statistic="randomised-response",
            has=[{"column": "ward", "in": ["A"]}],
            epsilon=0.1,
        ),
        "",
    ),
]


@pytest.mark.parametrize(
    ("change", "sentence"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_a_mistake_is_one_sentence_and_costs_nothing(
    hospital: Hospital, change: Change, sentence: str
) -> None:
    hospital.write_study(change)
    for said in (hospital.release(), hospital.run("plan", hospital.study)):
        assert said.status == 1
        assert said.out == ""
        assert len(said.sentences) >= 1
        if sentence:
            assert said.sentences == [sentence]
        assert all(one.startswith("$.queries[0]") for one in said.sentences if not sentence)
    assert hospital.spent == "0"
    assert not hospital.bundle.exists()


@pytest.mark.parametrize("share", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_share_that_is_no_number(hospital: Hospital, share: str) -> None:
    text = json.dumps(json.loads(hospital.study.read_text("utf-8")))
    hospital.study.write_text(text.replace('"epsilon": 0.2', f'"epsilon": {share}'), "utf-8")
    said = hospital.release()
    assert said.status == 1
    assert len(said.sentences) == 1
    assert hospital.spent == "0"


def test_a_share_above_the_account_says_how_much_is_short(hospital: Hospital) -> None:
    hospital.write_study(
        lambda m: (m["queries"][0].update(epsilon=3), m["budget"].update(epsilon=9))
    )
    said = hospital.release()
    assert said.status == 1
    (sentence,) = said.sentences
    assert sentence.startswith("$.budget.epsilon: This costs ")
    assert sentence.endswith(" too little.")
    assert hospital.spent == "0"
