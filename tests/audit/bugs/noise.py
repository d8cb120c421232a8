# SPDX-License-Identifier: Apache-2.0
"""Bugs of noise, calibration and sensitivity."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.data.aggregation import second_moments
from dpdesk.privacy import sensitivity
from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.joint_sums import JointSums
from dpdesk.privacy.noise import door
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.sensitivity import Sensitivity, rows_sensitivity
from dpdesk.privacy.statistics import base, counts, mean, share, variance
from dpdesk.privacy.statistics.linear.moment_design import MomentDesign
from dpdesk.privacy.statistics.rates import over_ages, rate
from dpdesk.privacy.statistics.rates.rate_sums import RateSums
from tests.audit.bugs.planting import Bug, bug

NOISE: list[Bug] = []

_add_noise = OpenDPDoor.add_noise


def _scaled(patch: pytest.MonkeyPatch, by: float) -> None:
    def add_noise(self: Any, name: str, values: Any, noise: Noise, sensitivity: int) -> Any:
        return _add_noise(self, name, values, replace(noise, scale=noise.scale / by), sensitivity)

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "noise drawn at scale / 1.5", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    _scaled(patch, 1.5)


@bug(NOISE, "noise drawn at scale / 2", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    _scaled(patch, 2.0)


@bug(NOISE, "noise of a fixed seed", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, noise: Noise, sensitivity: int) -> Any:
        dice, scale = random.Random(1), noise.scale
        spread = [dice.expovariate(1 / scale) - dice.expovariate(1 / scale) for _ in values]
        return tuple(int(v) + round(s) for v, s in zip(values, spread, strict=True))

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "one noise for all cells", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, noise: Noise, sensitivity: int) -> Any:
        (once,) = _add_noise(self, name, np.zeros(1, np.int64), noise, sensitivity)
        return tuple(int(v) + once for v in values)

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "empty cells get no noise", "noise", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, noise: Noise, sensitivity: int) -> Any:
        noisy = _add_noise(self, name, values, noise, sensitivity)
        return tuple(n if v else 0 for n, v in zip(noisy, values, strict=True))

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "negative counts are drawn again until positive", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def add_noise(self: Any, name: str, values: Any, noise: Noise, sensitivity: int) -> Any:
        noisy = np.array(_add_noise(self, name, values, noise, sensitivity))
        while (below := noisy < 0).any():
            noisy[below] = _add_noise(self, name, values[below], noise, sensitivity)
        return tuple(noisy.tolist())

    patch.setattr(OpenDPDoor, "add_noise", add_noise)


@bug(NOISE, "each part of a split share rounded up", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    def split(share: Any, weights: Any) -> Any:
        return tuple(type(share)(-(-share.units * w // sum(weights))) for w in weights)

    patch.setattr(calibrate, "split", split)


@bug(NOISE, "scale is sensitivity / epsilon in floating point", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    def divided(noise: Noise, sensitivity: int, share: Any) -> Noise:
        return replace(noise, scale=sensitivity / (share.micro / 1e6))

    patch.setattr(calibrate, "calibrated", divided)


@bug(NOISE, "loss by a formula that rounds down", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = door.loss
    patch.setattr(base, "loss", lambda noise, s: float(np.nextafter(real(noise, s), 0)))


def _with(patch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    """Call a sensitivity with other arguments."""
    for module in (counts, mean, share):
        real = getattr(module, name, None)
        if real is not None:
            patch.setattr(module, name, _changed(real, change))


def _changed(real: Any, change: Any) -> Any:
    return lambda *arguments, **how: real(*change(*arguments), **how)


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


@bug(NOISE, "rows of one group priced for all groups of a person", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    def own(limit_at: int) -> Any:
        return lambda k, *more: (min(k, (*more, None)[limit_at] or k), *more)

    _with(patch, "rows_sensitivity", own(2))
    _with(patch, "sum_sensitivity", own(4))


@bug(NOISE, "a limit for each group priced as if groups were left alone", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = sensitivity.together
    patch.setattr(sensitivity, "together", lambda k, m, groups: real(k, m, max(1, groups // 2)))


@bug(NOISE, "a limit for each group taken for one on all rows of a mean", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = JointSums.sensitivity
    patch.setattr(
        JointSums,
        "sensitivity",
        lambda sums, k, how, m, cells: real(sums, min(k, m), how, m, cells),
    )


@bug(NOISE, "a sum's sensitivity from its upper bound alone", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    _with(patch, "sum_sensitivity", lambda *first: (*first[:3], 0, *first[4:]))


@bug(NOISE, "a sum's sensitivity is the range of its values", "sharp", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def ranged(k: int, _cells: int, _n: str, low: int, high: int, _m: int = 0) -> Sensitivity:
        far = k * (high - low)
        return Sensitivity(far, far * far, far)

    patch.setattr(counts, "sum_sensitivity", ranged)
    patch.setattr(mean, "sum_sensitivity", ranged)


@bug(NOISE, "a mean's rows counted beside its sum, charged as its ends", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real = mean.mean_sums

    def beside(last: int, *how: Any) -> Any:
        return replace(real(last, *how), weights=((0, 1, 0), (last, 0, 0)))

    patch.setattr(mean, "mean_sums", beside)


@bug(NOISE, "of a mean's two sums one moves where a row is replaced", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real = mean.mean_sums

    def one_moves(last: int, cells: int, neighbours: Any, mechanism: Any) -> Any:
        found = real(last, cells, neighbours, mechanism)
        alone = real(last, cells, "add-remove", mechanism)
        return replace(found, moved=alone.moved)

    patch.setattr(mean, "mean_sums", one_moves)


@bug(NOISE, "a variance's middle sums drawn where rows change groups", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = variance.variance_sums
    patch.setattr(
        variance, "variance_sums", lambda last, _cells, *how, **more: real(last, 1, *how, **more)
    )


@bug(NOISE, "a variance's sums priced as the largest of them alone", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = variance.variance_sums

    def largest(*how: Any, **more: Any) -> Any:
        found = real(*how, **more)
        return replace(found, moved=(found.moved + 1) // 2)

    patch.setattr(variance, "variance_sums", largest)


@bug(NOISE, "a person's rows in joint sums counted once", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = JointSums.sensitivity
    patch.setattr(
        JointSums, "sensitivity", lambda sums, _k, how, _m, cells: real(sums, 1, how, 1, cells)
    )


@bug(NOISE, "an event's exposure not counted beside it in a rate", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = rate.rate_sums

    def either(*how: Any) -> Any:
        found = real(*how)
        return replace(found, row=max(found.event, found.row - found.event))

    patch.setattr(rate, "rate_sums", either)


@bug(NOISE, "a person's rows in a rate counted once", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = RateSums.sensitivity
    patch.setattr(RateSums, "sensitivity", lambda sums, _k, _m, *how: real(sums, 1, 1, *how))


@bug(NOISE, "all age groups of a standardised rate priced as one", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = over_ages.OverAges.parts

    def as_one(self: Any, question: Any) -> Any:
        (part,) = real(self, question)
        asked = over_ages.by_age(question)
        alone = replace(asked, query=replace(asked.query, by=question.query.by), by=question.by)
        (priced,) = rate.Rate().parts(alone)
        return (replace(part, noise=priced.noise, sensitivity=priced.sensitivity),)

    patch.setattr(over_ages.OverAges, "parts", as_one)


@bug(NOISE, "an age group's weight in its sums and not in their sensitivity", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = over_ages.OverAges.parts

    def weighted(self: Any, question: Any) -> Any:
        (part,) = real(self, question)
        weights = tuple(tuple(2 * one for one in row) for row in part.measure.weights)
        return (replace(part, measure=replace(part.measure, weights=weights)),)

    patch.setattr(over_ages.OverAges, "parts", weighted)


@bug(NOISE, "squares of a linear model that nobody pays for", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = MomentDesign.sensitivity
    patch.setattr(MomentDesign, "sensitivity", lambda self, k: real(replace(self, square=0), k))


@bug(NOISE, "rows spread over corners of which the lowest keeps all", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = second_moments._parts

    def parts(shares: Any, squares: Any) -> list[int]:
        found = real(shares, squares)
        return [sum(found[: 1 << len(shares)]), *found[1:]]

    patch.setattr(second_moments, "_parts", parts)


@bug(NOISE, "twice the sensitivity that is needed", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    for name in SENSITIVITIES:
        _with(patch, name, lambda k, *more: (2 * k, *more))
    real = JointSums.sensitivity
    patch.setattr(
        JointSums, "sensitivity", lambda sums, k, how, *more: real(sums, 2 * k, how, *more)
    )


def _counted_as_one(patch: pytest.MonkeyPatch, drawn: int) -> None:
    """Where the total is public, all cells but so many are left out, and one cell is paid."""
    real = counts.Counts.parts

    def parts(self: Any, question: Any) -> Any:
        if question.is_public:
            return ()
        (part,) = real(self, question)
        cells = question.size * len(self.inner_labels(question)) - drawn
        if not question.query.declaration.counts_all or question.public_total is None or cells < 1:
            return (part,)
        measure = replace(part.measure, without_last=drawn > 0)
        found = rows_sensitivity(1, 1, question.unit.neighbours)
        return (base.additive_part(part.name, measure, cells, found, question.share, question),)

    patch.setattr(counts.Counts, "parts", parts)


@bug(NOISE, "both cells of a public total drawn for the price of one", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    _counted_as_one(patch, 0)


@bug(NOISE, "cells of a public total less one taken for a single cell", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    _counted_as_one(patch, 1)
