# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a Table 1 is said where it can be mended."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.study.baselines import STUDY, TABLE


class Case(NamedTuple):
    """A change of the sound table, and the problem that it makes."""

    spoil: Callable[[BaselineTable], BaselineTable]
    path: str
    code: str


def having(**members: Any) -> Callable[[BaselineTable], BaselineTable]:
    return lambda table: replace(table, **members)


def rows(*more: Characteristic) -> Callable[[BaselineTable], BaselineTable]:
    return having(characteristics=(Characteristic("sex"), *more))


ROW = "$.baseline_tables[0].characteristics[1]"
CASES = (
    Case(having(characteristics=()), "$.baseline_tables[0].characteristics", "baseline-empty"),
    Case(rows(Characteristic("sex", "counts")), ROW, "baseline-twice"),
    Case(rows(Characteristic("ward")), f"{ROW}.column", "baseline-by-itself"),
    Case(rows(Characteristic("height")), f"{ROW}.column", "column-undeclared"),
    Case(rows(Characteristic("smoking", "mean")), f"{ROW}.summary", "baseline-no-number"),
    Case(rows(Characteristic("smoking", "median")), f"{ROW}.summary", "baseline-no-number"),
    Case(
        rows(Characteristic("age", "mean", edges=(Decimal(18),))), f"{ROW}.edges", "baseline-edges"
    ),
    Case(rows(Characteristic("age", "counts")), ROW, "grouping-by-number"),
    Case(having(epsilon=Epsilon(3)), "$.baseline_tables[0].epsilon", "baseline-too-cheap"),
    Case(
        rows(Characteristic("age", epsilon=Epsilon.of(1))),
        "$.baseline_tables[0].epsilon",
        "baseline-too-cheap",
    ),
    Case(having(epsilon=None), "$.baseline_tables[0].epsilon", "share-not-set"),
    Case(having(rho=Rho.of(1)), "$.baseline_tables[0].rho", "share-measure-differs"),
    Case(rows(Characteristic("age", rho=Rho.of("0.1"))), f"{ROW}.rho", "share-measure-differs"),
    Case(having(id="a" * 31), "$.baseline_tables[0].id", "name-malformed"),
    Case(having(id="con"), "$.baseline_tables[0].id", "name-of-device"),
    Case(having(by=("height",)), "$.baseline_tables[0].by[0]", "column-undeclared"),
    Case(having(expected=0), "$.baseline_tables[0].expected", "expected-out-of-range"),
    Case(having(of="people"), "$.baseline_tables[0].of", "people-wants-person-columns"),
)


def problems(table: BaselineTable, study: Study = STUDY) -> list[tuple[str, str]]:
    made = with_baseline_queries(replace(study, baseline_tables=(table,)))
    return [(one.path, one.code) for one in check(made)]


def test_the_sound_table_has_no_problem() -> None:
    assert problems(TABLE) == []


@pytest.mark.parametrize("case", CASES, ids=[f"{c.code}-{n}" for n, c in enumerate(CASES)])
def test_a_problem_is_reported_once_and_at_its_place(case: Case) -> None:
    found = problems(case.spoil(TABLE))
    assert (case.path, case.code) in found
    assert len(found) == len(set(found))


def test_two_tables_of_one_name_and_a_query_of_the_same_are_refused() -> None:
    own = replace(STUDY, queries=(Query("table-1", epsilon=Epsilon.of("0.1")),))
    assert ("$.baseline_tables[0].id", "query-twice") in problems(TABLE, own)
    two = with_baseline_queries(replace(STUDY, baseline_tables=(TABLE, TABLE)))
    assert ("$.baseline_tables[1].id", "query-twice") in [(p.path, p.code) for p in check(two)]


def test_more_queries_than_a_release_holds_are_refused() -> None:
    tables = tuple(replace(TABLE, id=f"table-{n}") for n in range(30))
    many = with_baseline_queries(replace(STUDY, baseline_tables=tables))
    assert "baseline-too-many-queries" in {one.code for one in check(many)}
