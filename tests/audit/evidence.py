# SPDX-License-Identifier: Apache-2.0
"""How much what was drawn tells of which neighbour it was drawn from, for every mechanism.

An attacker who knows both exact vectors and the declared mechanism weighs with the exact
log-likelihood ratio; nothing beats that.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy.distributions import gaussian, selection
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from tests.doors import Call
from tests.privacy.distributions.ordered_choices import top_chances

Ratios = npt.NDArray[np.float64]

ROUNDS = 2_000_000
"""Far tails of a Gaussian are summed over no more places than that."""


def draw(door: OpenDPDoor, call: Call, truths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What comes of several exact vectors, shape ``(coins, what one draw gives)``.

    Noise and choices are drawn in one call, as a release of many groups is; answers that are
    flipped come out as one number, so each coin has a draw of its own.
    """
    noise = call.noise
    if noise.mechanism == "randomised-response":
        drawn = [door.draw(call.name, Exact(t), noise, call.sensitivity) for t in truths]
        return np.array(drawn)
    many = Noise(
        noise.mechanism,
        noise.scale,
        noise.measure,
        noise.blocks * len(truths),
        noise.picks,
        noise.monotonic,
    )
    found = door.draw(call.name, Exact(truths.ravel()), many, call.sensitivity)
    return np.array(found).reshape(len(truths), -1)


def ratios(absent: Call, there: Call, drawn: npt.NDArray[np.int64]) -> Ratios:
    """Log-likelihood ratio of each drawn line; positive where the person is likelier there."""
    noise = there.noise
    here, with_person = np.array(absent.exact), np.array(there.exact)
    if noise.mechanism == "laplace":
        near = np.abs(drawn - here) - np.abs(drawn - with_person)
        return np.asarray(near.sum(axis=1) / noise.scale, np.float64)
    if noise.mechanism == "gaussian":
        near = (drawn - here) ** 2 - (drawn - with_person) ** 2
        return np.asarray(near.sum(axis=1) / (2 * noise.scale**2), np.float64)
    if noise.mechanism == "randomised-response":
        return _flipped(here, with_person, noise.scale, drawn)
    return _chosen(here, with_person, noise, drawn)


def _flipped(
    here: npt.NDArray[np.int64],
    there: npt.NDArray[np.int64],
    truth: float,
    drawn: npt.NDArray[np.int64],
) -> Ratios:
    chances = [_ones(vector, truth) for vector in (there, here)]
    with np.errstate(divide="ignore"):
        table = np.log(chances[0]) - np.log(chances[1])
    return np.asarray(table[drawn[:, 0]], np.float64)


def _ones(vector: npt.NDArray[np.int64], truth: float) -> Ratios:
    """The distribution of the number of ones that are left."""
    ones, rows = int(vector.sum()), len(vector)
    kept = binom.pmf(np.arange(ones + 1), ones, truth)
    turned = binom.pmf(np.arange(rows - ones + 1), rows - ones, 1 - truth)
    return np.convolve(kept, turned)


def _chosen(
    here: npt.NDArray[np.int64],
    there: npt.NDArray[np.int64],
    noise: Noise,
    drawn: npt.NDArray[np.int64],
) -> Ratios:
    """Block by block; the order of several picks counts too."""
    way: selection.SelectionNoise = "gumbel" if noise.measure == "rho" else "exponential"
    found = np.zeros(len(drawn))
    size = len(here) // noise.blocks
    for block in range(noise.blocks):
        part = slice(block * size, (block + 1) * size)
        tables = [
            top_chances(vector[part].tolist(), noise.scale, noise.picks, way)
            for vector in (there, here)
        ]
        picked = drawn[:, block * noise.picks : (block + 1) * noise.picks]
        found += [math.log(tables[0][tuple(p)] / tables[1][tuple(p)]) for p in picked.tolist()]
    return found


def gaussian_best_guess(moved: int, scale: float) -> float:
    """The chance of a right guess from one Gaussian draw whose exact value moved so far.

    (1 + TV) / 2, TV the total variation between the noise and the shifted noise: for symmetric
    unimodal noise the chance that the noise lies on the nearer side, half of a tie.
    """
    middle = np.array([moved / 2])
    below = float(gaussian.within(np.array([-1e9 * scale]), np.ceil(middle) - 1, scale)[0])
    tie = float(gaussian.within(middle, middle, scale)[0]) if moved % 2 == 0 else 0.0
    return below + tie / 2
