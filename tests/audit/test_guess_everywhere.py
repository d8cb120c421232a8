# SPDX-License-Identifier: Apache-2.0
"""Guess, on every statistic under both neighbour notions in both measures.

For each the two worlds are taken that one person, of up to three rows, moves the furthest apart.
In pure epsilon a guess is right with probability at most e^eps / (1 + e^eps), and only those are
made that the released numbers are sure about; in zCDP every guess is made, and ``odds`` bounds
how many are right for any mechanism of that rho. 66 audits at 5e-9 each: with those of
``test_guess`` an honest program fails with probability below 1e-6.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import binom

from dpdesk.privacy.accounting.guess_probability import guess_bound_of_rho
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import Measure, Rho
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import STATISTICS, Statistic
from dpdesk.study.model.unit import Neighbours, Unit
from tests.asking import exists
from tests.audit.extremes import worst
from tests.audit.guess import coins, guess_audit
from tests.audit.length import runs, some
from tests.audit.pairs import EPSILON, Attack, every_statistic

pytestmark = pytest.mark.audit

ALPHA = 5e-9
RUNS = runs(short=150, full=3_000)
RHO = Rho.of("0.2")

UNITS: dict[Neighbours, Unit] = {
    "add-remove": Unit("pid", 3),
    "change-one": Unit("pid", 3, "change-one", people=3),
}
ONE_ROW: tuple[Statistic, ...] = ("randomised-response", "survival", "cumulative-incidence")
"""Asked of rows where each person has one."""

CASES = [
    (statistic, neighbours, measure)
    for statistic in STATISTICS
    for neighbours in UNITS
    for measure in ("epsilon", "rho")
    # What is found in the data has an audit of its own (``found``): its texts are drawn too.
    if statistic != "categories-found"
    and (statistic != "randomised-response" or neighbours == "change-one")
]


def unit_of(statistic: Statistic, neighbours: Neighbours) -> Unit:
    """Who is protected: people of up to three rows wherever they may have several."""
    several = UNITS[neighbours]
    return replace(several, max_rows=1) if statistic in ONE_ROW else several


def study_of(statistic: Statistic, neighbours: Neighbours, measure: Measure) -> Study:
    """A study that asks one statistic alone."""
    study = every_statistic(unit_of(statistic, neighbours), measure=measure)
    query = next(q for q in study.queries if q.statistic == statistic)
    # Answers that may lie are everybody's, and rows per person are all rows of each person.
    if statistic != "randomised-response" and not query.declaration.before_limit:
        query = replace(query, where=(IsMissing("stay", False),))
    if measure == "rho":
        query = replace(query, rho=RHO)
    return replace(study, queries=(query,))


def attack(statistic: Statistic, neighbours: Neighbours, measure: Measure, folder: Path) -> Attack:
    """The two worlds that are the furthest apart."""
    return Attack(worst(study_of(statistic, neighbours, measure), folder))


def test_each_case_can_be_asked() -> None:
    """A short run attacks a few; a study that is refused would be noticed at full length alone."""
    assert {case: found for case in CASES if (found := check(study_of(*case)))} == {}


@pytest.mark.threat("C8")
@pytest.mark.parametrize(("statistic", "neighbours", "measure"), some(CASES, 7))
@pytest.mark.in_turn(4)
def test_nobody_guesses_better_than_was_paid_for(
    statistic: Statistic, neighbours: Neighbours, measure: Measure, tmp_path: Path
) -> None:
    assert exists(statistic, unit_of(statistic, neighbours))
    weigh = attack(statistic, neighbours, measure, tmp_path).weigh
    if measure == "epsilon":
        found = guess_audit(weigh, EPSILON.micro / 1e6, RUNS, sure=0.7)
        assert found.p >= ALPHA, found
        return
    tossed, others = coins(RUNS), coins(RUNS)
    ratios = zip(weigh(tossed), others, strict=True)
    sides = [ratio > 0 if ratio else other for ratio, other in ratios]
    right = sum(side == toss for side, toss in zip(sides, tossed, strict=True))
    assert float(binom.sf(right - 1, RUNS, guess_bound_of_rho(RHO))) >= ALPHA, right


@pytest.mark.parametrize("statistic", ["count", "share", "sum", "distribution"])
@pytest.mark.in_turn(4)
def test_a_claim_of_a_quarter_is_refuted(statistic: Statistic, tmp_path: Path) -> None:
    """The audit can fail: a slice of it refutes a quarter of the true epsilon."""
    weigh = attack(statistic, "add-remove", "epsilon", tmp_path).weigh
    found = guess_audit(weigh, EPSILON.micro / 4e6, 4 * RUNS, sure=0.7)
    assert found.p < ALPHA, found
