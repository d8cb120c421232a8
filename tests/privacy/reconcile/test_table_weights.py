# SPDX-License-Identifier: Apache-2.0
"""Shares of overlapping tables: nearly as accurate as the best noise that is known for them."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.allocate import spread
from dpdesk.privacy.reconcile import table_weights
from dpdesk.privacy.reconcile.marginals import Marginals, NoisyTable
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.queries import Query
from tests.acceptance.accuracy.tables import NEIGHBOURS, SHARES, error, plan_of, residual_planner
from tests.audit.length import runs

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


def test_a_table_that_others_serve_keeps_a_tenth_of_an_equal_share() -> None:
    """In pure epsilon the best shares would leave it nothing, and it alone would say nothing."""
    fitted = spread(plan_of("epsilon", "add-remove").study, TOTALS["epsilon"], {})
    units = [query.share.units for query in fitted.queries if query.share]
    equal = TOTALS["epsilon"].units / len(units)
    assert math.isclose(min(units), equal / 10, rel_tol=1e-2)


def test_in_zcdp_the_error_is_within_two_in_a_hundred_of_the_best() -> None:
    fitted = spread(plan_of("rho", "add-remove").study, TOTALS["rho"], {})
    assert error(compile(fitted)) < 1.02 * residual_planner(0.02)


def test_what_somebody_weighs_by_hand_stays() -> None:
    study = plan_of("rho", "add-remove").study
    fitted = spread(study, TOTALS["rho"], {study.queries[0].id: Fraction(2)})
    units = [query.share.units for query in fitted.queries if query.share]
    assert units[1] == units[2] == units[3]
    assert math.isclose(units[0], 2 * units[1], rel_tol=1e-3)


def made_up(dice: random.Random) -> Marginals:
    """Two to five tables by up to four groupings, of noises alike or far apart."""
    names = "abcd"[: dice.randint(1, 4)]
    sizes = {name: dice.choice((2, 3, 5, 10, 30)) for name in names}
    mechanism, tables = dice.choice(("laplace", "gaussian")), []
    for _ in range(dice.randint(2, 5)):
        noise = Noise(mechanism, dice.choice((5.0, 5.0, 5.0, 20.0, 100.0)))
        axes = tuple(name for name in names if dice.random() < 0.5)
        tables.append(NoisyTable(axes, ((noise, 1.0, 1),)))
    return Marginals(sizes, tuple(tables))


def test_whatever_the_tables_are_no_shares_are_less_accurate_than_equal_ones() -> None:
    dice = random.Random(7)
    for _ in range(runs(short=100, full=2_000)):
        parts = table_weights.table_parts(made_up(dice))
        places = sorted({place for part in parts for place in part.seen})
        equal = [1 / len(places)] * len(places)
        for power in (1, 2):
            shares = table_weights._raised(table_weights._stepped(parts, equal, power))
            assert math.isclose(sum(shares), 1) and min(shares) > 0.096 / len(places)
            fitted, before = (
                sum(part.value / part.precision(one, power) for part in parts)
                for one in (shares, equal)
            )
            assert fitted <= before * (1 + 1e-9)


@pytest.mark.parametrize("account", SHARES)
def test_a_query_that_cannot_be_asked_yet_takes_no_part(account: str) -> None:
    study = plan_of(account, "add-remove").study  # type: ignore[arg-type]
    whole = table_weights.table_weights(study, study.queries, TOTALS[account], {})
    unknown = Query("unknown").having(by=("nowhere",))
    beside = (*study.queries, unknown)
    assert table_weights.table_weights(study, beside, TOTALS[account], {}) == whole
    assert set(whole) == {query.id for query in study.queries}


def test_tables_of_other_rows_keep_equal_shares() -> None:
    study = plan_of("rho", "add-remove").study
    dropping = tuple(replace(column, missing="drop") for column in study.columns)
    fitted = spread(replace(study, columns=dropping), TOTALS["rho"], {})
    assert len({query.share for query in fitted.queries}) == 1
