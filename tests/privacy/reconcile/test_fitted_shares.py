# SPDX-License-Identifier: Apache-2.0
"""Shares for margins of tables that will add up: together less than each needs by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.planning.allocate import fit, within_margins
from dpdesk.privacy.planning.share_for_margin import share_for
from dpdesk.privacy.reconcile import fitted_shares as sought
from dpdesk.privacy.reconcile.fitted_shares import fitted_shares
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.privacy.planning.test_allocate import units

SIZES = {"sex": 2, "ward": 7, "age": 4, "month": 12}
MEASURES = ["epsilon", "rho"]


def study_of(measure: str, *groupings: tuple[str, ...]) -> Study:
    first = {name: tuple(f"{name}{i}" for i in range(size)) for name, size in SIZES.items()}
    columns = (
        CategoryColumn(name, values, missing=Replace(values[0]), unknown=Replace(values[0]))
        for name, values in first.items()
    )
    limits: dict[str, Share] = {measure: (Rho if measure == "rho" else Epsilon).of(100)}
    return Study(
        data=DataSource("f.csv", extract="x"),
        unit=Unit("id", 1),
        budget=Budget("registry", **limits),  # type: ignore[arg-type]
        columns=tuple(columns),
        queries=tuple(Query(f"q{i}").having(by=by) for i, by in enumerate(groupings)),
    )


def alone(study: Study, margins: Mapping[str, Fraction]) -> Study:
    """Each query at the smallest share that keeps its margin by itself."""
    found = (share_for(study, query, margins[query.id]) for query in study.queries)
    pairs = zip(study.queries, found, strict=True)
    return replace(study, queries=tuple(query.at_share(share) for query, share in pairs if share))


def excess(study: Study, margins: Mapping[str, Fraction]) -> list[float]:
    """The margins that a plan states, over those wanted."""
    plans = planned(compile(study).queries)
    return [float(plan.half_width / margins[plan.query.id]) for plan in plans if plan.half_width]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("fine", [10, 60])
@pytest.mark.in_turn(2)
def test_tables_that_add_up_need_less_and_keep_every_margin(measure: str, fine: int) -> None:
    study = study_of(measure, (), ("ward",), ("sex", "ward"), ("ward", "age"))
    margins = {q.id: Fraction(10 if len(q.by) < 2 else fine) for q in study.queries}
    found = fit(study, margins)
    assert 0.99 < max(excess(found, margins)) <= 1
    before, after = sum(units(alone(study, margins))), sum(units(found))
    assert after < {10: 0.8, 60: 0.97}[fine] * before


def test_no_shares_of_two_tables_cost_less() -> None:
    """Of all on a grid, in zCDP, where what is found is the least."""
    study = study_of("rho", ("ward",), ("ward", "sex"))
    margins = {"q0": Fraction(10), "q1": Fraction(9)}
    start, found = alone(study, margins), sum(units(fit(study, margins)))
    for parts in product(range(10, 112, 6), repeat=2):
        pairs = zip(start.queries, parts, strict=True)
        queries = (q.at_share(Rho(q.rho.units * part // 100)) for q, part in pairs if q.rho)
        other = replace(start, queries=tuple(queries))
        if sum(units(other)) < 0.99 * found:
            assert max(excess(other, margins)) > 1


@pytest.mark.parametrize("measure", MEASURES)
def test_a_table_that_is_not_named_keeps_its_share_and_helps(measure: str) -> None:
    study = study_of(measure, ("ward",), ("ward", "age"))
    share = (Rho if measure == "rho" else Epsilon).of(1)
    study = replace(study, queries=(study.queries[0], study.queries[1].at_share(share)))
    margins = {"q0": Fraction(4)}
    found = fit(study, margins)
    assert found.queries[1] == study.queries[1]
    needed = share_for(study, study.queries[0], margins["q0"])
    assert needed is not None
    assert units(found)[0] < needed.units
    assert excess(found, margins | {"q1": Fraction(10**6)})[0] <= 1


def test_margins_that_rounding_put_above_those_wanted_are_kept() -> None:
    """The sum of many noises is rounded up: at the shares for each by itself one is above."""
    pairs = ("sex", "ward"), ("ward", "age"), ("sex", "age"), ("sex", "month")
    study = study_of("rho", (), ("month",), *pairs)
    margins = {q.id: Fraction(10 if len(q.by) < 2 else 60) for q in study.queries}
    assert max(excess(alone(study, margins), margins)) > 1
    assert max(excess(within_margins(study, margins), margins)) <= 1


def test_what_adds_up_with_nothing_has_the_smallest_share_of_its_own() -> None:
    study = study_of("epsilon", ("ward",), ("ward",))
    margins = {"q0": Fraction(10), "q1": Fraction(10)}
    assert units(fit(study, margins)) == units(alone(study, margins))


def test_only_tables_that_are_made_consistent_help_each_other() -> None:
    study = study_of("epsilon", ("ward",), ("ward", "sex"))
    margins = {"q0": Fraction(10), "q1": Fraction(10)}
    study = alone(study, margins)
    found = fitted_shares(study, margins)
    assert found.keys() == margins.keys()
    # One that cannot be planned is none of them; nor is the same question, which is drawn once.
    (share,) = {query.share for query in study.queries[:1]}
    broken = Query("q2", by=("no such column",)).at_share(share or Epsilon.of(1))
    assert fitted_shares(replace(study, queries=(*study.queries, broken)), margins) == found
    twice = replace(study.queries[0], id="q2")
    assert fitted_shares(replace(study, queries=(*study.queries, twice)), margins) == {}
    assert fitted_shares(study, {}) == {}, "of none a margin is asked"


def test_shares_that_were_not_found_in_time_are_left_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = study_of("epsilon", ("ward",), ("ward", "sex"))
    margins = {"q0": Fraction(10), "q1": Fraction(10)}
    study = alone(study, margins)
    nearer = {name: margin / 2 for name, margin in margins.items()}
    assert fitted_shares(study, nearer).keys() == margins.keys()
    monkeypatch.setattr(sought, "_LOOKS", 1)
    monkeypatch.setattr(sought, "_TURNS", 1)
    assert fitted_shares(study, nearer) == {}
