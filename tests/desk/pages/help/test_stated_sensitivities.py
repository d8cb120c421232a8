# SPDX-License-Identifier: Apache-2.0
"""The sensitivities that the handbook states are those of the plans that the program makes."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    ColumnParameters,
    CutOffParameters,
    DistributionParameters,
    MostCommonParameters,
    Parameters,
    QuantileParameters,
)
from dpdesk.study.model.statistics import STATISTICS, Statistic
from dpdesk.study.model.unit import Unit
from tests.asking import exists, is_exposed, query_for

K, LOWER, UPPER = 3, -10, 30
STAY = NumberColumn("stay", Decimal(LOWER), Decimal(UPPER), Decimal(1))
WARDS = CategoryColumn("ward", tuple("abcdefgh"))
COLUMNS = (STAY, WARDS, CategoryColumn("sex", ("f", "m")), YesNoColumn("ok", ("yes",), ("no",)))
SECRET = Unit("patient", K)
PUBLIC = Unit("patient", K, "change-one", 1000)
RANGE = UPPER - LOWER
STATED: dict[str, tuple[int, ...]] = {
    "count": (K,),
    "count-people": (K,),
    "rows-per-person": (1,),
    "share": (K,),
    "sum": (K * UPPER,),
    "mean": (K * RANGE,),
    "variance": (K * RANGE**2,),
    "standard-deviation": (K * RANGE**2,),
    "median": (K,),
    "interquartile-range": (3 * K, 3 * K),
    "most-common": (K,),
}
"""What the pages say of each draw where the number of people is a secret."""


def plan(statistic: Statistic, unit: Unit) -> QueryPlan:
    by = () if statistic in ("bounds", "randomised-response") else ("ward",)
    stay = replace(STAY, lower=Decimal(0)) if is_exposed(statistic) else STAY
    query = query_for(statistic, stay, by=by, epsilon=Epsilon.of("0.5"))
    columns = (stay, *COLUMNS[1:])
    return compile_query(Study(unit=unit, columns=columns), query)


@pytest.mark.parametrize("statistic", STATED)
def test_each_draw_is_as_sensitive_as_stated(statistic: Statistic) -> None:
    found = tuple(part.sensitivity for part in plan(statistic, SECRET).parts)
    assert found == STATED[statistic]


@pytest.mark.parametrize("statistic", [s for s in STATISTICS if exists(s, PUBLIC)])
def test_a_public_number_of_people_at_most_doubles_it(statistic: Statistic) -> None:
    secret, public = plan(statistic, SECRET), plan(statistic, PUBLIC)
    for one, other in zip(secret.parts, public.parts, strict=True):
        assert other.sensitivity <= 2 * one.sensitivity
    if statistic in ("count", "count-people"):
        assert public.parts[0].sensitivity == 2 * K
    if statistic == "rows-per-person":
        assert public.parts[0].sensitivity == 2


def sensitivities(statistic: Statistic, unit: Unit, parameters: Parameters) -> list[int]:
    """Of each draw, without groups."""
    made = query_for(statistic, STAY, by=(), epsilon=Epsilon.of("0.5"))
    query = replace(made, parameters=parameters)
    columns = (*COLUMNS, YesNoColumn("again", ("yes",), ("no",)))
    return [
        part.sensitivity for part in compile_query(Study(unit=unit, columns=columns), query).parts
    ]


def test_a_level_of_a_distribution_is_as_sensitive_as_stated() -> None:
    """With a public number of people twice as sensitive without groups, too."""
    halves = DistributionParameters("stay", (Decimal(10),))
    assert sensitivities("distribution", SECRET, halves) == [K]
    assert sensitivities("distribution", PUBLIC, halves) == [2 * K]


def test_each_of_several_yes_no_columns_is_as_sensitive_as_stated() -> None:
    several = MostCommonParameters(columns=("ok", "again"))
    assert sensitivities("most-common", SECRET, several) == [K]


@pytest.mark.parametrize(
    ("candidates", "span"), [((0, 10, 20), 20), ((5, 20), 20), ((-10, 5), 15), ((-10, -5), 10)]
)
def test_a_cut_off_by_value_is_as_sensitive_as_stated(
    candidates: tuple[int, ...], span: int
) -> None:
    listed = tuple(map(Decimal, candidates))
    by_value = CutOffParameters("stay", listed, "value-times-count")
    assert sensitivities("cut-off", SECRET, by_value) == [K * span]


def test_a_quantile_and_bounds_are_as_sensitive_as_stated() -> None:
    listed = (Decimal(0), Decimal(10))
    tenth = QuantileParameters("stay", listed, (Decimal("0.1"),))
    assert sensitivities("quantiles", SECRET, tenth) == [9 * K], "1 to 9"
    for unit, most in ((SECRET, K), (PUBLIC, 2 * K)):
        assert sensitivities("bounds", unit, ColumnParameters("stay")) == [most]


@pytest.mark.parametrize("statistic", ["count", "sum", "mean"])
def test_all_wards_together_cost_what_a_single_one_does(statistic: Statistic) -> None:
    """Where the number of people is a secret; the page on queries says "often"."""
    of_all = plan(statistic, SECRET)
    query = query_for(statistic, STAY, epsilon=Epsilon.of("0.5"), where=(IsIn("ward", ("a",)),))
    of_one = compile_query(Study(unit=SECRET, columns=COLUMNS), query)
    assert [part.sensitivity for part in of_all.parts] == [p.sensitivity for p in of_one.parts]


@pytest.mark.parametrize(("candidates", "rows"), [((), 170), ((0, 3, 9, 15, 24, 30), 117)])
def test_fewer_candidates_bring_a_median_nearer_to_the_best(
    candidates: tuple[int, ...], rows: int
) -> None:
    stay = NumberColumn("stay", Decimal(0), Decimal(30), Decimal(1))
    listed = tuple(map(Decimal, candidates))
    query = query_for("median", stay, candidates=listed, epsilon=Epsilon.of("0.1"))
    bound = compile_query(Study(unit=SECRET, columns=(stay,)), query).bound
    assert bound is not None
    assert math.ceil(bound.distance) == rows
    for language in ("en", "de"):
        assert f" {rows} " in read_handbook(language).page("stat-ranks").text
