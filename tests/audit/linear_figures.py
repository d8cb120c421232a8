# SPDX-License-Identifier: Apache-2.0
"""A linear model's ranges move with each number that was drawn as they say.

Each noisy number is raised by a little, and how far a coefficient moves is seen: by nothing but the
coefficient itself. The range of noise is that of all these noises together, and no wider; that of
noise and chance has the classical deviation beside it, worked out here of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dpdesk.data.aggregation.second_moments import second_moments
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.planning.linear.coefficients import Coefficient, MomentModel
from dpdesk.privacy.statistics.linear.moment_design import DrawnMoments, moment_design

SLACK = 0.05
"""Second order, kurtosis and steps of one are less than this part of a range."""
NORMAL = 1.96
LASTS = (100, 1, 40)


def linear_findings(_folder: Path) -> Iterator[str]:
    """What is not as the drawn numbers have it."""
    mechanisms: tuple[Mechanism, ...] = ("laplace", "gaussian")
    for mechanism in mechanisms:
        for public in (None, ROWS):
            yield from _of(mechanism, public)


ROWS = 20_000


def _of(mechanism: Mechanism, public: int | None) -> Iterator[str]:
    dice = np.random.default_rng(37)
    x, ill = dice.integers(20, 101, ROWS), dice.integers(0, 2, ROWS)
    y = np.clip(np.rint(5 + 0.2 * x + 3 * ill + 4 * dice.normal(size=ROWS)), 0, 40)
    neighbours = "add-remove" if public is None else "change-one"
    design = moment_design(LASTS, neighbours, mechanism, is_public=public is not None)
    scale = math.sqrt(design.sensitivity(1)) if mechanism == "gaussian" else design.sensitivity(1)
    how = DrawnMoments(design, Noise(mechanism, 4.0 * scale), public)
    drawn = second_moments([x, ill, y], LASTS, design.contrasts, design.squares)
    deviation = math.sqrt(how.cumulants[0])
    here = _coefficients(how, drawn)
    moved = []
    for place in range(len(drawn)):
        step = [d + (round(deviation / 10) if at == place else 0) for at, d in enumerate(drawn)]
        there = _coefficients(how, step)
        moved.append([10 * (b.value - a.value) for a, b in zip(here, there, strict=True)])
    rows = np.column_stack([np.ones(ROWS), 2 * x / LASTS[0] - 1, 2 * ill - 1.0])
    outcome = 2 * y / LASTS[2] - 1
    left = outcome - rows @ np.linalg.lstsq(rows, outcome, rcond=None)[0]
    classical = np.sqrt(left @ left / (ROWS - 3) * np.diag(np.linalg.inv(rows.T @ rows)))
    for at, one in enumerate(here):
        noise = math.hypot(*(each[at] for each in moved))
        both = math.hypot(noise, classical[at])
        for said, (low, high), deviation_of in (
            ("noise", one.noise, noise),
            ("noise and chance", one.chance or (0.0, 0.0), both),
        ):
            expected = 2 * NORMAL * deviation_of
            if abs(high - low - expected) > SLACK * expected:
                yield f"{mechanism}, {at}: a range of {said} of {high - low}, not {expected}"


def _coefficients(how: DrawnMoments, drawn: list[int]) -> list[Coefficient]:
    found = MomentModel(how, how.matrix(drawn), np.eye(4)).coefficients(with_chance=True)
    return [one for one in found if one is not None]
