# SPDX-License-Identifier: Apache-2.0
"""Shares: one histogram of both halves, and a margin that holds whatever the share is."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.population.counts_and_shares import share_of_known, share_of_noisy
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs
from tests.privacy import examples as ex

DIED = (IsIn("dead", ("1",)),)
SHARE = Query(
    "died", "share", PropertyParameters(has=DIED), epsilon=Epsilon.of("0.4"), expected=500
)
SURE = YesNoColumn("dead", ("1",), ("0",), missing="category", unknown="category")
KNOWN = replace(
    ex.STUDY,
    unit=Unit(None, 1, "change-one", people=500),
    columns=(*ex.STUDY.columns[:-1], SURE),
)
DRAWS = runs(short=300, full=4_000)


def plan(query: Query = SHARE, study: Any = ex.STUDY) -> QueryPlan:
    return compiler.compile_query(study, query)


def test_both_halves_are_one_histogram_with_all_of_the_budget() -> None:
    (part,) = plan(replace(SHARE, by=("sex",))).parts
    assert (part.cells, part.sensitivity, part.share) == (4, 3, Epsilon.of("0.4"))
    (part,) = plan(replace(SHARE, by=("sex",)), replace(ex.STUDY, unit=ex.REPLACED)).parts
    assert part.sensitivity == 6


def test_where_the_number_of_rows_is_public_one_count_is_enough() -> None:
    found = plan(study=KNOWN)
    (part,) = found.parts
    assert (part.cells, part.sensitivity) == (1, 1)
    assert found.half_width == Fraction(part.half_width, 500)
    made = table(KNOWN, found, ((125,),))
    assert Decimal(made.rows[0][0]) == Decimal("0.25")


def test_the_number_of_rows_is_not_public_where_a_rule_leaves_rows_out() -> None:
    for column in (replace(SURE, missing="drop"), replace(SURE, unknown="drop")):
        study = replace(KNOWN, columns=(*ex.STUDY.columns[:-1], column))
        assert plan(study=study).parts[0].cells == 2
    grouped = plan(replace(SHARE, by=("sex",)), KNOWN)
    assert grouped.parts[0].cells == 4


@pytest.mark.parametrize("truth", [(0, 500), (500, 0), (250, 250), (499, 1), (0, 0)])
@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_the_margin_holds_as_often_as_promised(truth: tuple[int, int], measure: str) -> None:
    """More than 5 % by 8 standard deviations miss once in 10^15."""
    study, query = ex.STUDY, SHARE
    if measure == "rho":
        study = replace(study, budget=Budget("registry", rho=Rho.of(1)))
        query = replace(query, epsilon=None, rho=Rho.of("0.02"))
    found = plan(query, study)
    (part,) = found.parts
    drawn = OpenDPDoor().draw(
        "share", Exact(np.tile(np.array(truth), DRAWS)), part.noise, part.sensitivity
    )
    exact = Fraction(truth[1], sum(truth)) if sum(truth) else None
    missed = said = 0
    for index in range(DRAWS):
        noisy = (tuple(drawn[2 * index : 2 * index + 2]),)
        value, margin = table(study, found, noisy).rows[0][:2]
        if not value or exact is None:
            continue
        said += 1
        missed += abs(Fraction(value) - exact) > Fraction(margin)
    assert missed <= 0.05 * said + 8 * (0.0475 * max(said, 1)) ** 0.5


def test_what_says_nothing_is_left_empty() -> None:
    made = table(ex.STUDY, plan(), ((-5, 5),))
    assert made.rows[0] == ("", "", "", "", "-5", "5", "yes")


def test_a_share_stays_between_0_and_1() -> None:
    row = table(ex.STUDY, plan(), ((-3, 10),)).rows[0]
    assert row[0] == "1" or Decimal(row[0]) == 1
    assert Decimal(row[2]) >= 0
    assert Decimal(row[3]) <= 1


def test_the_population_of_a_public_number_of_rows_is_that_of_one_count() -> None:
    found = plan(study=KNOWN)
    method, noise = METHODS["share"], found.parts[0].noise
    assert list(method.population(found, ((125,),))) == [share_of_known(125, 500, noise)]
    secret = plan()
    (ends,) = method.population(secret, ((375, 125),))
    assert ends == share_of_noisy(125, 375, secret.parts[0].noise)
    assert list(method.population(secret, ((-375, 125),))) == [None]
