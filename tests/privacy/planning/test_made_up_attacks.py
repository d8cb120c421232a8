# SPDX-License-Identifier: Apache-2.0
"""Attacks on made-up patients: the same counts everywhere, and no stronger than the bounds."""

from __future__ import annotations

import math

import pytest

from dpdesk.privacy.accounting.guess_probability import rho_right_in_100, right_in_100
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.made_up_attacks import (
    REPEATS,
    TRIALS,
    AttackedDraw,
    averaging,
    motivated_intruder,
)
from dpdesk.privacy.planning.made_up_attacks import _laplace as laplace
from dpdesk.privacy.planning.made_up_attacks import _uniforms as uniforms
from dpdesk.study.model.amount import Epsilon, Rho

CHANCE = 3.5 * math.sqrt(TRIALS) / 2
DRAWS = {
    "laplace": (Noise("laplace", 2.0), 2),
    "laplace-in-rho": (Noise("laplace", 3.0, "rho"), 3),
    "gaussian": (Noise("gaussian", 2.0, "rho"), 4),
    "choice": (Noise("noisy-max", 2.0, picks=1), 1),
    "monotonic-choice": (Noise("noisy-max", 2.0, monotonic=True), 2),
    "choice-in-rho": (Noise("noisy-max", 2.0, "rho", monotonic=True), 2),
    "response": (Noise("randomised-response", 0.75), 1),
}


def attacked(name: str) -> AttackedDraw:
    noise, sensitivity = DRAWS[name]
    return AttackedDraw(noise, sensitivity, loss(noise, sensitivity))


def bound(draw: AttackedDraw, times: int = 1) -> int:
    """What the noise library says of the draw, as how often a guess is right of 100 times."""
    total = times * draw.loss
    if draw.noise.measure == "rho":
        return rho_right_in_100(Rho(math.ceil(total * 1e9)))
    return right_in_100(Epsilon(math.ceil(total * 1e6)))


@pytest.mark.parametrize("name", DRAWS)
def test_no_attack_beats_the_bound_by_more_than_chance(name: str) -> None:
    draw = attacked(name)
    assert motivated_intruder([draw]) <= TRIALS * bound(draw) / 100 + CHANCE
    several = motivated_intruder([draw] * 5)
    assert several <= TRIALS * bound(draw, 5) / 100 + CHANCE


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.in_turn(4)
def test_attacks_find_what_there_is_to_find(name: str) -> None:
    """Each draw tells something, and many repeats tell nearly all."""
    draw = attacked(name)
    found = dict(averaging(draw))
    assert tuple(found) == REPEATS
    assert found[1] > TRIALS / 2 + CHANCE / 2
    assert found[64] > 0.9 * TRIALS
    assert found[1] < found[16] <= found[64] + CHANCE


def test_noise_that_hides_everything_leaves_a_coin_toss_and_none_leaves_nothing() -> None:
    hidden = AttackedDraw(Noise("laplace", 1e9), 1, 1e-9)
    assert abs(motivated_intruder([hidden]) - TRIALS / 2) <= CHANCE
    bare = AttackedDraw(Noise("laplace", 1e-3), 1, 1e3)
    assert motivated_intruder([bare]) == TRIALS
    assert motivated_intruder([]) == TRIALS / 2


def test_the_counts_are_the_same_everywhere() -> None:
    draw = attacked("laplace")
    assert motivated_intruder([draw]) == motivated_intruder([draw]) == 702
    assert averaging(draw) == averaging(draw) == ((1, 700), (4, 786), (16, 968), (64, 1000))


def test_the_made_up_noise_is_discrete_laplace() -> None:
    uniform = uniforms("test")
    drawn = [laplace(3.0, uniform) for _ in range(20_000)]
    alpha = math.exp(-1 / 3)
    for value in (0, 1, 3, -2):
        expected = (1 - alpha) / (1 + alpha) * alpha ** abs(value)
        assert abs(drawn.count(value) / len(drawn) - expected) < 0.01


def test_of_very_many_draws_the_strongest_are_attacked() -> None:
    weak = AttackedDraw(Noise("laplace", 1e9), 1, 1e-9)
    assert motivated_intruder([weak] * 500 + [attacked("laplace")]) > TRIALS / 2 + CHANCE
