# SPDX-License-Identifier: Apache-2.0
"""Guess: an exact binomial test that no attack on a worst-case pair beats the claim.

All audits together fail an honest program with probability below 1e-6: 44 pairs and one run of
four statistics at 1e-8 each. The controls show that the test can fail: a claim of two thirds of
the true epsilon is refuted for every pair that shows all of it (missed with probability below
1e-6 each).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import binom

from dpdesk.study.model.baseline.declared import Characteristic
from tests.audit.baselines import ALL_ADDED, COUNTS, baseline_attack
from tests.audit.evidence import gaussian_best_guess
from tests.audit.guess import ALPHA, SURE, TOO_LOW, coins, guess_audit
from tests.audit.guess_several import SeveralPair, several_pairs
from tests.audit.length import runs, some
from tests.audit.pairs import EPSILON, Attack, Pair, choices, gaussian_pairs, pairs

pytestmark = pytest.mark.audit

RUNS = runs(short=1_000, full=40_000)
CONTROL_RUNS = 24_000
CHOICE_RUNS = runs(short=400, full=20_000)
"""Each choice is a draw of its own, thirty times as slow as a cell of noise."""

GAUSSIAN_RUNS = runs(short=8_000, full=40_000)
SEVERAL = several_pairs()
TIGHT = [pair for pair in pairs() if pair.tight]
CLAIM = EPSILON.micro / 1e6
NOT_SEEN = ("missing id", "sum: not a number")
"""Pairs in which the person must not be seen at all, whatever the claim."""


@pytest.mark.threat("D1")
@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
@pytest.mark.in_turn(8)
def test_no_guess_beats_the_claim(pair: Pair, tmp_path: Path) -> None:
    found = guess_audit(Attack.on(pair, tmp_path).weigh, CLAIM, RUNS)
    assert found.p >= ALPHA, found


@pytest.mark.threat("B2")
@pytest.mark.parametrize("pair", SEVERAL, ids=lambda pair: pair.name)
def test_no_guess_about_a_person_in_several_tables_beats_the_claim(
    pair: SeveralPair, tmp_path: Path
) -> None:
    found = guess_audit(pair.attack(tmp_path).weigh, CLAIM, RUNS)
    assert found.p >= ALPHA, found


@pytest.mark.parametrize("characteristics", [COUNTS, ALL_ADDED], ids=["counts", "means"])
@pytest.mark.in_turn(2)
def test_no_guess_from_all_of_a_table_1_beats_its_price(
    characteristics: tuple[Characteristic, ...], tmp_path: Path
) -> None:
    weigh = baseline_attack(characteristics, tmp_path).weigh
    found = guess_audit(weigh, CLAIM, RUNS, sure=0.5)
    assert found.p >= ALPHA and found.guesses, found


@pytest.mark.in_turn(3)
def test_the_audit_refutes_two_thirds_of_the_price_of_a_table_1(tmp_path: Path) -> None:
    weigh = baseline_attack(COUNTS, tmp_path).weigh
    found = guess_audit(weigh, CLAIM / TOO_LOW, CONTROL_RUNS, SURE * TOO_LOW)
    assert found.caught, found


@pytest.mark.parametrize("pair", choices(), ids=lambda pair: pair.name)
@pytest.mark.in_turn(6)
def test_no_guess_from_what_was_chosen_beats_the_claim(pair: Pair, tmp_path: Path) -> None:
    found = guess_audit(Attack.on(pair, tmp_path).weigh, CLAIM, CHOICE_RUNS, sure=0.5)
    assert found.p >= ALPHA, found


@pytest.mark.parametrize("pair", gaussian_pairs(), ids=lambda pair: pair.name)
@pytest.mark.in_turn(3)
def test_no_guess_from_gaussian_noise_beats_its_scale(pair: Pair, tmp_path: Path) -> None:
    """In zCDP no ratio bounds a single guess; the best guess of the declared noise does."""
    attack = Attack.on(pair, tmp_path)
    assert best_guess_p(attack, 1.0) >= ALPHA
    assert best_guess_p(attack, TOO_LOW) < ALPHA


def best_guess_p(attack: Attack, factor: float) -> float:
    """p-value of guessing every coin, against noise of the declared scale times a factor."""
    tossed = coins(GAUSSIAN_RUNS)
    ratios = attack.weigh(tossed)
    sides = [
        ratio > 0 if ratio else toss for ratio, toss in zip(ratios, coins(len(ratios)), strict=True)
    ]
    right = sum(side == toss for side, toss in zip(sides, tossed, strict=True))
    best = gaussian_best_guess(attack.moved, attack.scale * factor)
    return float(binom.sf(right - 1, len(tossed), best))


@pytest.mark.parametrize("pair", some(TIGHT, 8), ids=lambda pair: pair.name)
@pytest.mark.in_turn(4)
def test_the_audit_refutes_a_claim_of_two_thirds(pair: Pair, tmp_path: Path) -> None:
    weigh = Attack.on(pair, tmp_path).weigh
    found = guess_audit(weigh, CLAIM / TOO_LOW, CONTROL_RUNS, SURE * TOO_LOW)
    assert found.caught, found


@pytest.mark.parametrize("pair", some(SEVERAL, 7), ids=lambda pair: pair.name)
def test_the_audit_refutes_two_thirds_of_a_claim_about_several_tables(
    pair: SeveralPair, tmp_path: Path
) -> None:
    found = guess_audit(pair.attack(tmp_path).weigh, CLAIM / TOO_LOW, CONTROL_RUNS, SURE * TOO_LOW)
    assert found.caught, found


@pytest.mark.parametrize("name", NOT_SEEN)
def test_who_counts_for_nothing_is_not_seen(name: str, tmp_path: Path) -> None:
    pair = next(p for p in pairs() if p.name == name)
    assert set(Attack.on(pair, tmp_path).weigh([True, False] * 200)) == {0.0}
