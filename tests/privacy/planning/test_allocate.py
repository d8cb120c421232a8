# SPDX-License-Identifier: Apache-2.0
"""Plans solved backwards: the smallest shares, and totals spread to the last unit."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy import compiler
from dpdesk.privacy.planning.allocate import fit, number_text, spread
from dpdesk.privacy.planning.share_for_margin import margin_for
from dpdesk.study.model.amount import Epsilon, Rho, Share, apportion
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CandidateParameters, ColumnParameters, SpreadParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.problem import Refused
from tests.privacy import examples as ex

ONE = Fraction(1)
QUERIES = (
    Query("rows"),
    Query("people", "count-people", by=("ward",)),
    Query("total", "sum", ColumnParameters("weight")),
    Query("mean", "mean", ColumnParameters("stay"), expected=700),
    Query("spread", "variance", SpreadParameters("stay"), expected=9_000),
    Query("middle", "median", CandidateParameters("stay")),
)
MARGINS = {
    "rows": 5,
    "people": 12,
    "total": 40_000,
    "mean": Fraction(1, 10),
    "spread": 2,
    "middle": 9,
}


def study_in(measure: str, *queries: Query, limit: str = "100") -> Study:
    limits: dict[str, Any] = {measure: (Rho if measure == "rho" else Epsilon).of(limit)}
    return replace(ex.STUDY, budget=Budget("registry", **limits), queries=queries or QUERIES)


def units(study: Study) -> list[int]:
    return [query.share.units for query in study.queries if query.share is not None]


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str, dict[str, str]]]:
    return [(problem.code, dict(problem.params)) for problem in refused.value.problems]


@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_each_query_gets_the_smallest_share_that_keeps_its_margin(measure: str) -> None:
    wanted = {name: Fraction(margin) for name, margin in MARGINS.items()}
    study = fit(study_in(measure), wanted)
    for query in study.queries:
        share = query.share
        assert share is not None
        assert share.measure == measure
        assert margin_for(study, query, share) <= wanted[query.id]
        less = margin_for(study, query, type(share)(share.units - 1))
        assert less is None or less > wanted[query.id]
    assert compiler.compile(study).total.units == sum(units(study))


def test_queries_that_are_not_named_keep_their_shares() -> None:
    study = fit(study_in("epsilon", ex.ROWS, ex.PEOPLE), {"rows": Fraction(30)})
    assert study.queries[1] == ex.PEOPLE
    assert study.queries[0].epsilon != ex.ROWS.epsilon


def test_a_public_count_is_exact_and_keeps_what_it_has() -> None:
    unit = Unit(neighbours="change-one", people=500, max_rows=1)
    given = (Query("n", epsilon=Epsilon.of("0.3")), Query("groups", by=("ward",)))
    found = fit(replace(study_in("epsilon", *given), unit=unit), {"n": ONE, "groups": ONE * 9})
    assert found.queries[0] == given[0] and found.queries[1].share is not None


def test_margins_that_cost_too_much_together_are_refused_with_the_sum() -> None:
    with pytest.raises(Refused) as refused:
        fit(study_in("epsilon", ex.ROWS, limit="0.5"), {"rows": Fraction(5)})
    alone = fit(study_in("epsilon", ex.ROWS), {"rows": Fraction(5)}).queries[0].epsilon
    over = str(alone - Epsilon.of("0.5"))
    assert codes(refused) == [
        ("fit-over-limit", {"planned": str(alone), "limit": "0.5", "over": over})
    ]


@pytest.mark.parametrize(
    ("query", "margin", "code", "params"),
    [
        (Query("a", "mean", ColumnParameters("stay")), ONE, "fit-no-expected", {"name": "a"}),
        (Query("a", "variance", SpreadParameters("stay")), ONE, "fit-no-expected", {"name": "a"}),
        (
            Query("a", "mean", ColumnParameters("stay"), expected=2),
            Fraction(1, 10**6),
            "fit-margin-out-of-reach",
            {"name": "a", "margin": "0.000001", "most": "100"},
        ),
    ],
)
def test_a_margin_that_no_share_gives_is_refused(
    query: Query, margin: Fraction, code: str, params: dict[str, str]
) -> None:
    with pytest.raises(Refused) as refused:
        fit(study_in("epsilon", query), {"a": margin})
    ((found, said),) = codes(refused)
    assert found == code
    assert params.items() <= said.items()


def test_a_margin_out_of_reach_says_the_nearest() -> None:
    query = Query("a", "mean", ColumnParameters("stay"), expected=2)
    with pytest.raises(Refused) as refused:
        fit(study_in("epsilon", query), {"a": Fraction(1, 10**6)})
    best = margin_for(study_in("epsilon", query), query, Epsilon.of(100))
    assert Fraction(codes(refused)[0][1]["best"]) >= best


def test_what_is_wrong_with_a_query_is_said_as_it_is() -> None:
    with pytest.raises(Refused) as refused:
        fit(study_in("epsilon", Query("a", "sum", ColumnParameters())), {"a": ONE})
    assert [code for code, _ in codes(refused)] == ["column-wanted"]


@given(data=st.data(), measure=st.sampled_from(["epsilon", "rho"]))
def test_a_total_is_spread_to_the_last_unit(data: st.DataObject, measure: str) -> None:
    kind: type[Share] = Rho if measure == "rho" else Epsilon
    locked = data.draw(st.sets(st.sampled_from([q.id for q in QUERIES]), max_size=5))
    shared = {measure: kind(data.draw(st.integers(10, 10**7)))}
    study = study_in(measure, *(replace(q, **shared) for q in QUERIES))
    kept = sum(q.share.units for q in study.queries if q.id in locked)
    free = [q for q in study.queries if q.id not in locked]
    least = sum(query.least_units for query in free)
    most = min(kind.of(100).units, kept + least + 10**8)
    total = kind(data.draw(st.integers(kept + least, most)))
    weight = st.fractions(Fraction(1, 1000), 1000)
    weights = {q.id: data.draw(weight) for q in free if data.draw(st.booleans())}
    found = spread(study, total, weights, locked)
    assert sum(units(found)) == total.units
    for before, after in zip(study.queries, found.queries, strict=True):
        assert after.share.units >= after.least_units
        if before.id in locked:
            assert before == after
    assert replace(found, queries=study.queries) == study


@given(weights=st.lists(st.fractions(Fraction(1, 50), 50), min_size=1, max_size=9), data=st.data())
def test_parts_are_within_one_unit_of_their_quota_where_nobody_is_below_the_least(
    weights: list[Fraction], data: st.DataObject
) -> None:
    least = data.draw(st.lists(st.integers(1, 20), min_size=len(weights), max_size=len(weights)))
    total = sum(least) + data.draw(st.integers(0, 10**6))
    parts = apportion(total, weights, least)
    assert sum(parts) == total
    assert all(part >= low for part, low in zip(parts, least, strict=True))
    above = [i for i, part in enumerate(parts) if part > least[i]]
    left = sum(parts[i] for i in above)
    for i in above:
        whole = sum(weights[j] for j in above)
        assert abs(parts[i] - left * weights[i] / whole) < len(weights) + 1


def test_equal_weights_give_what_is_over_to_the_first() -> None:
    study = spread(study_in("epsilon", ex.ROWS, ex.PEOPLE, ex.TOTAL), Epsilon.of(1), {})
    assert units(study) == [333_334, 333_333, 333_333]
    study = spread(study_in("rho", Query("a"), Query("b")), Rho(7), {"b": Fraction(2)})
    assert units(study) == [2, 5]


def test_a_light_query_still_gets_its_smallest_share() -> None:
    spread_of = Query("spread", "interquartile-range", CandidateParameters("stay"), expected=9)
    queries = (Query("a"), spread_of)
    study = spread(study_in("epsilon", *queries), Epsilon(1_000), {"a": Fraction(10**6)})
    assert units(study) == [998, 2]
    compiler.compile(study)


@pytest.mark.parametrize(
    ("total", "weights", "locked", "code", "params"),
    [
        ("2", {}, (), "fit-total-over-limit", {"total": "2", "limit": "1"}),
        ("0.1", {}, ("rows",), "fit-total-too-small", {"locked": "0.1", "least": "0.000001"}),
        ("0.5", {}, ("rows", "people"), "fit-all-locked", {"total": "0.5", "locked": "0.2"}),
        ("0.5", {"x": ONE}, (), "fit-query-unknown", {"name": "x", "known": "rows, people"}),
        ("0.5", {}, ("x",), "fit-query-unknown", {"name": "x"}),
        ("0.5", {"rows": ONE}, ("rows",), "fit-locked-asked", {"name": "rows"}),
    ],
)
def test_a_total_that_cannot_be_spread_is_refused_with_the_numbers(
    total: str, weights: Any, locked: Any, code: str, params: dict[str, str]
) -> None:
    study = study_in("epsilon", ex.ROWS, ex.PEOPLE, limit="1")
    with pytest.raises(Refused) as refused:
        spread(study, Epsilon.of(total), weights, locked)
    ((found, said),) = codes(refused)
    assert found == code
    assert params.items() <= said.items()


def test_a_lock_needs_a_share() -> None:
    with pytest.raises(Refused) as refused:
        spread(study_in("epsilon", Query("a"), Query("b")), Epsilon.of(1), {}, ("a",))
    assert codes(refused) == [("fit-locked-not-set", {"name": "a"})]


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(10**9 + 1), Fraction(2, 10**7), ONE])
def test_a_number_is_never_printed_below_itself(number: Fraction) -> None:
    assert number <= Fraction(number_text(number)) <= number * Fraction(100_001, 100_000)
