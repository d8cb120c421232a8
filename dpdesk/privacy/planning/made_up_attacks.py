# SPDX-License-Identifier: Apache-2.0
"""Two attacks on made-up patients, with the noise of a release: what its bounds look like in use.

Nothing of the data is used, and nothing here is noise that protects anybody: every "random" number
is a digest of a fixed text and a counter, so that everyone who runs the attacks gets the same
counts. What is attacked is what a manifest states: mechanisms, scales and sensitivities.

The attacker of each trial is the strongest that the definition allows. All patients but one are
known, the one is there in every second trial, and moves each draw by as much as its sensitivity
allows, in one cell. So of an added noise the attacker sees shift + noise, of a choice which of two
candidates was chosen, of randomised response the patient's own answer. The trial's guess is the
likelier of the two worlds by all draws together, which no other guess beats (Neyman and Pearson,
On the problem of the most efficient tests of statistical hypotheses, 1933).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from dpdesk.privacy.noise.noise import Noise

TRIALS = 1_000
MOST_DRAWS = 40
REPEATS = (1, 4, 16, 64)
SEED = "dpdesk: made-up patients, edition 1"
_HALVES = 1 << 53
_NORMAL = NormalDist()

Uniform = Callable[[], float]


@dataclass(frozen=True)
class AttackedDraw:
    """One draw as a manifest states it.

    Attributes:
        noise: how it was drawn.
        sensitivity: in the noise's norm, in quanta.
        loss: what it costs, to find the draws that say most.
    """

    noise: Noise
    sensitivity: int
    loss: float


def motivated_intruder(draws: Sequence[AttackedDraw], trials: int = TRIALS) -> int:
    """In how many trials the attacker says rightly whether the patient is there.

    Args:
        draws: of a release; of very many the ``MOST_DRAWS`` that say most are attacked.
        trials: this many made-up patients, every second one of them there.
    """
    strongest = sorted(draws, key=lambda draw: -draw.loss)[:MOST_DRAWS]
    return _right(strongest, trials, "intruder")


def averaging(draw: AttackedDraw, trials: int = TRIALS) -> tuple[tuple[int, int], ...]:
    """The same where one draw is repeated with fresh noise: how often, and in how many trials."""
    return tuple((times, _right([draw] * times, trials, f"averaging {times}")) for times in REPEATS)


def _right(draws: Sequence[AttackedDraw], trials: int, name: str) -> int:
    """How many guesses are right; no evidence either way is a guess of "not there"."""
    uniform = _uniforms(name)
    right = 0
    for trial in range(trials):
        is_there = trial % 2 == 1
        evidence = sum(_evidence(draw, is_there, uniform) for draw in draws)
        right += (evidence > 0) == is_there
    return right


def _uniforms(name: str) -> Uniform:
    """Numbers strictly between 0 and 1, the same for the same name on every machine."""
    counter = 0

    def following() -> float:
        nonlocal counter
        counter += 1
        digest = hashlib.sha256(f"{SEED}|{name}|{counter}".encode("ascii")).digest()
        return ((int.from_bytes(digest[:8], "big") >> 11) + 0.5) / _HALVES

    return following


def _evidence(draw: AttackedDraw, is_there: bool, uniform: Uniform) -> float:
    """The logarithm of how much likelier the output is where the patient is there."""
    noise, moved = draw.noise, draw.sensitivity
    if noise.mechanism == "laplace":
        seen = moved * is_there + _laplace(noise.scale, uniform)
        return (abs(seen) - abs(seen - moved)) / noise.scale
    if noise.mechanism == "gaussian":
        shift = math.isqrt(moved)
        seen = shift * is_there + round(noise.scale * _NORMAL.inv_cdf(uniform()))
        return shift * (seen - shift / 2) / noise.scale**2
    if noise.mechanism == "noisy-max":
        # Both candidates have the same score without the patient.
        gap = moved if noise.monotonic else 2 * moved
        return _yes(0.5, _won(gap / noise.scale, noise.measure), is_there, uniform)
    return _yes(1 - noise.scale, noise.scale, is_there, uniform)


def _laplace(scale: float, uniform: Uniform) -> int:
    """Discrete Laplace: the difference of two geometric numbers."""
    first, second = (math.floor(-scale * math.log(uniform())) for _ in range(2))
    return first - second


def _won(gap: float, measure: str) -> float:
    """How often the better of two candidates is chosen, its lead in scales."""
    if measure == "rho":  # the difference of two Gumbel noises is logistic
        return 1 / (1 + math.exp(-gap))
    return 1 - math.exp(-gap) / 2  # that of two exponential ones is Laplace


def _yes(without: float, present: float, is_there: bool, uniform: Uniform) -> float:
    """The evidence of an event that has these probabilities in the two worlds."""
    happened = uniform() < (present if is_there else without)
    tiny = 1e-300
    if happened:
        return math.log(max(present, tiny) / max(without, tiny))
    return math.log(max(1 - present, tiny) / max(1 - without, tiny))
