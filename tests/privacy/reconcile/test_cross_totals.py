# SPDX-License-Identifier: Apache-2.0
"""Totals are the sums of their cells, hold their margins, and smaller margins would not hold."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.reconcile.cross_totals import AddingTable, part_of_another
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study

WARDS, SEXES = ("A", "B", "C"), ("f", "m")
EXACT = (400, 310, 250, 90, 30, 600)
TIMES = 600
RULES = {"missing": "drop", "unknown": "drop"}
CASES: dict[str, dict[str, Any]] = {
    "laplace": {},
    "gaussian": {"budget": {"account": "a", "rho": 1}},
    "sum": {"query": {"statistic": "sum", "column": "days"}},
    "public": {"unit": {"max_rows": 1, "neighbours": "change-one", "people": 1680}, "keeps": True},
}


TOGETHER = 150


def study_of(case: dict[str, Any]) -> Study:
    budget = case.get("budget", {"account": "a", "epsilon": 1})
    share = "rho" if "rho" in budget else "epsilon"
    query = {"id": "q", "statistic": "count", "by": ["ward", "sex"], share: 0.1}
    groups = [("ward", WARDS), ("sex", SEXES)]
    columns = [
        {"name": name, "kind": "category", "values": list(values)}
        | ({"missing": other, "unknown": other} if case.get("keeps") else RULES)
        for name, values in groups
        for other in ({"replace": values[0]},)
    ]
    days = {"name": "days", "kind": "number", "lower": 0, "upper": 10, "step": "0.5"}
    number = {**days, "step": 0.5, "missing": "drop", "unparsable": "drop", "outside": "clamp"}
    members = {
        "dpdesk": 1,
        "data": {"path": "x.csv", "format": "csv"},
        "unit": {"person": "id", "neighbours": "add-remove", "max_rows": 3, **case.get("unit", {})},
        "budget": budget,
        "columns": [*columns, number],
        "queries": [query | case.get("query", {})],
    }
    return study_from_bytes(json.dumps(members).encode())


def drawn(study: Study, plan: QueryPlan, times: int) -> list[AddingTable]:
    """The tables of many releases of the same rows."""
    (part,) = plan.parts
    exact = Exact(np.tile(np.array(EXACT), times))
    noisy = OpenDPDoor().draw(part.name, exact, part.noise, part.sensitivity)
    lines = np.array(noisy).reshape(times, -1).tolist()
    found = []
    for line in lines:
        made = table(study, plan, (tuple(line),))
        at = [column.role for column in made.columns].index("value")
        found.append(AddingTable(plan, (tuple(line),), tuple(row[at] for row in made.rows)))
    return found


@pytest.mark.parametrize("name", CASES)
@pytest.mark.in_turn(2)
def test_each_total_lies_within_its_margin_95_times_in_100(name: str) -> None:
    study = study_of(CASES[name])
    plan = compile_query(study, study.queries[0])
    assert plan.is_projected == (name == "public")
    exact = dict(zip(product(WARDS, SEXES), EXACT, strict=True))
    releases, most = drawn(study, plan, TIMES), binom.isf(1e-9, TIMES, 0.05)
    assert all(release.adds_up for release in releases)
    for kept in ((0,), (1,), ()):
        found = [release.totals(kept) for release in releases]
        for groups in found[0]:
            among = (n for cell, n in exact.items() if tuple(cell[at] for at in kept) == groups)
            true = sum(among) * plan.parts[0].width
            totals = [totals[groups] for totals in found]
            off = [(abs(Fraction(t.value) - true), Fraction(t.half_width)) for t in totals]
            assert sum(far > margin for far, margin in off) <= most, groups
            if kept or name != "public":
                # Half of the margin would not do.
                assert sum(2 * far > margin for far, margin in off) > most, groups
    changes = [change for one in releases if (change := one.combined((0, 1), (2, 5))) is not None]
    true = (EXACT[0] + EXACT[1] - EXACT[2] - EXACT[5]) * plan.parts[0].width
    off = [(abs(Fraction(one.value) - true), Fraction(one.half_width)) for one in changes]
    assert bool(off) == (name != "public")
    assert sum(far > margin for far, margin in off) <= most
    assert not off or sum(2 * far > margin for far, margin in off) > most


@pytest.mark.parametrize("name", CASES)
def test_totals_are_the_sums_of_their_published_cells(name: str) -> None:
    study = study_of(CASES[name])
    plan = compile_query(study, study.queries[0])
    (one,) = drawn(study, plan, 1)
    cells = dict(zip(product(WARDS, SEXES), map(Fraction, one.published), strict=True))
    for ward in WARDS:
        assert Fraction(one.totals((0,))[ward,].value) == cells[ward, "f"] + cells[ward, "m"]
    whole = one.totals(())[()]
    assert Fraction(whole.value) == sum(cells.values())
    if name == "public":
        assert (Fraction(whole.value), Fraction(whole.half_width)) == (sum(EXACT), 0)


@cache
def joined() -> tuple[list[AddingTable], list[Table]]:
    """Tables by ward and sex that were made consistent with tables by ward; and the latter."""
    study = study_of({"keeps": True})
    by_ward = replace(study.queries[0], id="w", by=("ward",))
    study = replace(study, queries=(*study.queries, by_ward))
    plans = [compile_query(study, query) for query in study.queries]
    sums = tuple(sum(EXACT[at : at + 2]) for at in (0, 2, 4))
    draws = []
    for plan, exact in zip(plans, (EXACT, sums), strict=True):
        (part,) = plan.parts
        rows = Exact(np.tile(np.array(exact), TOGETHER))
        noisy = OpenDPDoor().draw(part.name, rows, part.noise, part.sensitivity)
        draws.append(np.array(noisy).reshape(TOGETHER, -1).tolist())
    found, others = [], []
    for pair in zip(*draws, strict=True):
        noises = [(tuple(line),) for line in pair]
        answers = [Answer(plan, one, 1) for plan, one in zip(plans, noises, strict=True)]
        figures = consistent_figures(answers)
        made = [table(study, plans[i], noises[i], (), figures[i]) for i in (0, 1)]
        at = [column.role for column in made[0].columns].index("value")
        published = tuple(row[at] for row in made[0].rows)
        found.append(AddingTable(plans[0], noises[0], published, figures[0]))
        others.append(made[1])
    return found, others


def test_totals_of_consistent_tables_are_those_of_the_other_table() -> None:
    releases, others = joined()
    exact, most = (
        dict(zip(product(WARDS, SEXES), EXACT, strict=True)),
        binom.isf(1e-9, TOGETHER, 0.05),
    )
    for kept in ((0,), (1,), ()):
        found = [release.totals(kept) for release in releases]
        for groups in found[0]:
            true = sum(n for cell, n in exact.items() if tuple(cell[at] for at in kept) == groups)
            totals = [totals[groups] for totals in found]
            off = [(abs(Fraction(t.value) - true), Fraction(t.half_width)) for t in totals]
            assert sum(far > margin for far, margin in off) <= most, groups
            assert sum(3 * far > margin for far, margin in off) > most, groups
    assert releases[0].combined((0,), (1,)) is None, "how far off some of them are is not known"
    roles = [column.role for column in others[0].columns]
    at = [roles.index(role) for role in ("value", "half-width")]
    for release, other in zip(releases, others, strict=True):
        totals = release.totals((0,))
        for row in other.rows:
            value, margin = (Fraction(row[place]) for place in at)
            assert Fraction(totals[row[0],].value) == value
            assert Fraction(totals[row[0],].half_width) == margin


def exact_share(groups: tuple[str, ...], of: tuple[int, ...]) -> Fraction:
    """Of a cell in the total that keeps some of its groups."""
    exact = dict(zip(product(WARDS, SEXES), EXACT, strict=True))
    whole = [n for cell, n in exact.items() if all(cell[at] == groups[at] for at in of)]
    return Fraction(100 * exact[groups[0], groups[1]], sum(whole))


@pytest.mark.parametrize("name", ["laplace", "gaussian", "public", "joined"])
@pytest.mark.in_turn(2)
def test_each_share_lies_within_its_margin_95_times_in_100(name: str) -> None:
    if name == "joined":
        releases, _others = joined()
    else:
        study = study_of(CASES[name])
        releases = drawn(study, compile_query(study, study.queries[0]), TOGETHER)
    assert all(release.has_shares for release in releases)
    most = binom.isf(1e-9, TOGETHER, 0.05)
    for of in ((1,), (0,)):
        found = [release.shares((0, 1), of) for release in releases]
        for groups in found[0]:
            true = exact_share(groups, of)
            # One of a total that noise puts below one says nothing, which is rare.
            shares = [one[groups] for one in found if one[groups].percent]
            off = [(abs(Fraction(s.percent) - true), Fraction(s.half_width)) for s in shares]
            assert sum(far > margin for far, margin in off) <= most, (of, groups)
            # A third of the margin would not do.
            assert sum(3 * far > margin for far, margin in off) > most, (of, groups)


@pytest.mark.parametrize("beside", [False, True])
def test_a_share_of_a_total_below_one_says_nothing(beside: bool) -> None:
    study = study_of({"keeps": True})
    by_ward = replace(study.queries[0], id="w", by=("ward",))
    plans = [compile_query(study, query) for query in (*study.queries, by_ward)]
    noisy = [(-400, 310, 250, 90, 30, 600), (-90, 340, 630)]
    answers = [Answer(plan, (one,), 1) for plan, one in zip(plans, noisy, strict=True)]
    figures = consistent_figures(answers) if beside else {}
    made = table(study, plans[0], (noisy[0],), (), figures.get(0))
    at = [column.role for column in made.columns].index("value")
    one = AddingTable(plans[0], (noisy[0],), tuple(row[at] for row in made.rows), figures.get(0))
    for (ward, _sex), share in one.shares((0, 1), (0,)).items():
        is_empty = ward == "A"
        assert ((share.percent, share.half_width) == ("", "")) == is_empty
        assert share.is_noisy or not is_empty


def test_people_who_may_be_in_two_cells_have_no_totals() -> None:
    study = study_of({"query": {"statistic": "count-people"}})
    plan = compile_query(study, study.queries[0])
    published = tuple(map(str, EXACT))
    assert not AddingTable(plan, (EXACT,), published).adds_up
    alone = study_of({"query": {"statistic": "count-people"}, "unit": {"max_rows": 1}})
    assert AddingTable(compile_query(alone, alone.queries[0]), (EXACT,), published).adds_up


SEX = {"column": "sex", "in": ["f"]}
RATIOS = [
    {"statistic": "mean", "column": "days", "expected": 100},
    {"statistic": "share", "has": [SEX], "by": ["ward"], "expected": 100},
]


@pytest.mark.parametrize("query", RATIOS, ids=["mean", "share"])
def test_ratios_have_no_totals(query: dict[str, Any]) -> None:
    """The counts behind shares add up, shares do not."""
    study = study_of({"query": query})
    plan = compile_query(study, study.queries[0])
    published = tuple("0.5" for _line in plan.lines)
    assert not AddingTable(plan, (EXACT, EXACT), published).adds_up


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_a_share_of_another_table_lies_within_its_margin_95_times_in_100(name: str) -> None:
    study = study_of(CASES[name])
    releases = drawn(study, compile_query(study, study.queries[0]), 2 * TOGETHER)
    # Two tables of one shape: the one's smallest cell beside the other's total of its ward.
    parts, wholes = releases[:TOGETHER], releases[TOGETHER:]
    most, true = binom.isf(1e-9, TOGETHER, 0.05), Fraction(100 * EXACT[4], EXACT[4] + EXACT[5])
    off = []
    for part, whole in zip(parts, wholes, strict=True):
        share = part_of_another(
            part.figures((0, 1), MISS / 2)["C", "f"], whole.figures((0,), MISS / 2)[("C",)]
        )
        off.append((abs(Fraction(share.percent) - true), Fraction(share.half_width)))
    assert sum(far > margin for far, margin in off) <= most
    assert sum(5 * far > margin for far, margin in off) > most, "a fifth of it would not do"


def test_a_share_of_another_table_is_right_wherever_both_counts_are_within_their_margins() -> None:
    for part, whole in product((0, 3, 50), (50, 60)):
        for moved, other in product((-40, -1, 0, 1, 40), (-49, 0, 49)):
            if whole + other < 1:
                continue
            found = part_of_another(
                Figure(Fraction(part + moved), Fraction(40)),
                Figure(Fraction(whole + other), Fraction(49)),
            )
            far = abs(Fraction(found.percent) - Fraction(100 * part, whole))
            assert far <= Fraction(found.half_width), (part, whole, moved, other)
    assert part_of_another(
        Figure(Fraction(3), Fraction(1)), Figure(Fraction(0), Fraction(1))
    ).is_noisy


def test_of_two_cells_of_a_public_total_the_second_and_the_total_are_right() -> None:
    unit = {"max_rows": 1, "neighbours": "change-one", "people": sum(EXACT)}
    study = study_of({"unit": unit, "keeps": True, "query": {"by": ["sex"]}})
    plan = compile_query(study, study.queries[0])
    noisy = ((500,),)
    assert plan.parts[0].cells == 1
    one = AddingTable(plan, noisy, ("500", str(sum(EXACT) - 500)))
    margin = plan.half_width
    assert one.figures((0,)) == {
        ("f",): Figure(Fraction(500), margin),
        ("m",): Figure(Fraction(sum(EXACT) - 500), margin),
    }
    total = one.totals(())[()]
    assert (total.value, total.half_width) == (str(sum(EXACT)), "0")
    share = one.shares((0,), ())["f",]
    assert float(share.percent) == pytest.approx(100 * 500 / sum(EXACT), abs=0.1)
    wanted = Fraction(100) * margin / sum(EXACT)
    assert wanted <= Fraction(share.half_width) <= wanted + Fraction(2, 10)
