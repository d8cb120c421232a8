# SPDX-License-Identifier: Apache-2.0
"""Bugs of noise, calibration and sensitivity."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy import compiler, door
from dpdesk.privacy.door import OpenDPDoor
from dpdesk.privacy.sensitivity import Sensitivity
from tests.audit.bugs.planting import Bug, bug

NOISE: list[Bug] = []

_add_noise = OpenDPDoor.add_noise


def _scaled(patch: pytest.MonkeyPatch, by: float) -> None:
    def add_noise(self: Any, name: str, values: Any, sensitivity: int, scale: float) -> Any:
        return _add_noise(self, name, values, sensitivity, scale / by)

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "noise drawn at scale / 1.5", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    _scaled(patch, 1.5)


@bug(NOISE, "noise drawn at scale / 2", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    _scaled(patch, 2.0)


@bug(NOISE, "noise of a fixed seed", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, sensitivity: int, scale: float) -> Any:
        dice = random.Random(1)
        spread = [dice.expovariate(1 / scale) - dice.expovariate(1 / scale) for _ in values]
        return tuple(int(v) + round(s) for v, s in zip(values, spread, strict=True))

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "one noise for all cells", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, sensitivity: int, scale: float) -> Any:
        (once,) = _add_noise(self, name, np.zeros(1, np.int64), sensitivity, scale)
        return tuple(int(v) + once for v in values)

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "empty cells get no noise", "noise", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, sensitivity: int, scale: float) -> Any:
        noisy = _add_noise(self, name, values, sensitivity, scale)
        return tuple(n if v else 0 for n, v in zip(noisy, values, strict=True))

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "negative counts are drawn again until positive", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, sensitivity: int, scale: float) -> Any:
        noisy = np.array(_add_noise(self, name, values, sensitivity, scale))
        while (below := noisy < 0).any():
            noisy[below] = _add_noise(self, name, values[below], sensitivity, scale)
        return tuple(noisy.tolist())

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "budget not split between sum and count", "claims", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiler, "halves", lambda share: (share, share))


@bug(NOISE, "scale is sensitivity / epsilon in floating point", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiler, "laplace_scale", lambda s, share: s / (share.micro / 1e6))


@bug(NOISE, "loss by a formula that rounds down", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = door.laplace_loss
    patch.setattr(compiler, "laplace_loss", lambda s, scale: np.nextafter(real(s, scale), 0))


def _with(patch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    """Call a sensitivity with other arguments."""
    real = getattr(compiler, name)
    patch.setattr(compiler, name, lambda *arguments: real(*change(*arguments)))


SENSITIVITIES = ("rows_sensitivity", "people_sensitivity", "sum_sensitivity")


@bug(NOISE, "change-one calibrated as add-remove", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    for name in SENSITIVITIES:
        _with(patch, name, lambda k, cells, _n, *more: (k, cells, "add-remove", *more))


@bug(NOISE, "rows of one person left out of the sensitivity", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    for name in SENSITIVITIES:
        _with(patch, name, lambda k, *more: (1, *more))


@bug(NOISE, "groups taken for parallel: one cell's sensitivity", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    for name in SENSITIVITIES:
        _with(patch, name, lambda k, cells, *more: (k, 1, *more))


@bug(NOISE, "a sum's sensitivity from its upper bound alone", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    _with(patch, "sum_sensitivity", lambda k, cells, n, low, high: (k, cells, n, 0, high))


@bug(NOISE, "a sum's sensitivity is the range of its values", "sharp", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def ranged(k: int, _cells: int, _n: str, low: int, high: int) -> Sensitivity:
        far = k * (high - low)
        return Sensitivity(far, far * far, far)

    patch.setattr(compiler, "sum_sensitivity", ranged)


@bug(NOISE, "a mean's sum not centred but charged as centred", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = compiler._measure

    def from_the_lower_bound(query: Any, kind: Any, offset: int = 0, factor: int = 1) -> Any:
        return real(query, kind, 0 if query.statistic == "mean" else offset, factor)

    patch.setattr(compiler, "_measure", from_the_lower_bound)


@bug(NOISE, "twice the sensitivity that is needed", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    for name in SENSITIVITIES:
        _with(patch, name, lambda k, *more: (2 * k, *more))
