# SPDX-License-Identifier: Apache-2.0
"""Shares of overlapping tables: nearly as accurate as the best noise that is known for them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.planning.allocate import spread
from dpdesk.study.model.amount import Epsilon, Rho
from tests.acceptance.accuracy.tables import NEIGHBOURS, SHARES, error, plan_of, residual_planner

TOTALS = {"epsilon": Epsilon.of("0.4"), "rho": Rho.of("0.02")}


@pytest.mark.parametrize("account", SHARES)
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_a_total_is_spread_so_that_all_figures_are_more_accurate(
    account: str, neighbours: str
) -> None:
    equal = plan_of(account, neighbours)  # type: ignore[arg-type]
    fitted = spread(equal.study, TOTALS[account], {})
    shares = [query.share for query in fitted.queries]
    assert sum(share.units for share in shares if share) == TOTALS[account].units
    assert error(compile(fitted)) < 0.97 * error(equal)


def test_in_zcdp_the_error_is_within_two_in_a_hundred_of_the_best() -> None:
    fitted = spread(plan_of("rho", "add-remove").study, TOTALS["rho"], {})
    assert error(compile(fitted)) < 1.02 * residual_planner(0.02)


def test_what_somebody_weighs_by_hand_stays() -> None:
    study = plan_of("rho", "add-remove").study
    fitted = spread(study, TOTALS["rho"], {study.queries[0].id: Fraction(2)})
    units = [query.share.units for query in fitted.queries if query.share]
    assert units[1] == units[2] == units[3]
    assert math.isclose(units[0], 2 * units[1], rel_tol=1e-3)


def test_tables_of_other_rows_keep_equal_shares() -> None:
    study = plan_of("rho", "add-remove").study
    dropping = tuple(replace(column, missing="drop") for column in study.columns)
    fitted = spread(replace(study, columns=dropping), TOTALS["rho"], {})
    assert len({query.share for query in fitted.queries}) == 1
