# SPDX-License-Identifier: Apache-2.0
"""The half-width of a weighted sum holds, and is hardly wider than it has to be."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpdesk.privacy.consistent import NoiseTerms
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.reconcile.noise_sum import half_width

LAPLACE, NARROW = Noise("laplace", 9.0), Noise("laplace", 0.7)
GAUSS, FINE = Noise("gaussian", 6.0, "rho"), Noise("gaussian", 0.6, "rho")
MIDDLE = Noise("gaussian", 1.2, "rho")
CASES: dict[str, NoiseTerms] = {
    "two scales": ((LAPLACE, 0.75, 1), (NARROW, 0.25, 2)),
    "many": ((LAPLACE, 0.5, 1), (LAPLACE, 0.125, 20), (GAUSS, -0.25, 8)),
    "narrow": ((NARROW, 0.5, 1), (NARROW, 0.25, 3), (FINE, 0.5, 1)),
    "between": ((MIDDLE, 0.5, 1), (MIDDLE, 0.25, 3)),
    "fine": ((FINE, 0.5, 2), (FINE, 0.25, 4)),
    "normal": ((GAUSS, 0.625, 1), (GAUSS, 0.125, 9)),
}


def chances(terms: NoiseTerms, parts: int) -> dict[int, float]:
    """The distribution of ``parts`` times the sum, added up noise by noise."""
    total = np.array([1.0])
    for noise, weight, many in terms:
        step, reach = round(abs(weight) * parts), math.ceil(45 * noise.scale) + 3
        whole = np.arange(-reach, reach + 1)
        of_one = -np.abs(whole) / noise.scale
        if noise.mechanism == "gaussian":
            of_one = -0.5 * (whole / noise.scale) ** 2
        spread = np.zeros(2 * reach * step + 1)
        spread[::step] = np.exp(of_one) / np.exp(of_one).sum()
        for _ in range(many):
            size = total.size + spread.size - 1
            length = 1 << (size - 1).bit_length()
            total = np.fft.irfft(np.fft.rfft(total, length) * np.fft.rfft(spread, length), length)
            total = np.maximum(total[:size], 0)
            cut = np.flatnonzero(total > 1e-15)
            side = min(cut[0], total.size - 1 - cut[-1])
            total = total[side : total.size - side]
    middle = total.size // 2
    return {place - middle: float(chance) for place, chance in enumerate(total)}


@pytest.mark.parametrize("miss", [0.05, 0.001])
@pytest.mark.parametrize("name", CASES)
def test_it_holds_and_is_hardly_wider(name: str, miss: float) -> None:
    terms, parts = CASES[name], 8
    found, width = chances(terms, parts), half_width(CASES[name], miss)
    deviation = math.sqrt(sum(p * (x / parts) ** 2 for x, p in found.items()))
    assert sum(p for x, p in found.items() if abs(x) > parts * width) <= miss
    narrower = float(width) - 0.02 * deviation - 1 / parts
    assert sum(p for x, p in found.items() if abs(x) / parts > narrower) > miss


@pytest.mark.parametrize("name", CASES)
def test_places_left_out_early_change_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    long = (*CASES[name], (LAPLACE, 0.5, 12), (GAUSS, 0.25, 30))
    found = [half_width.__wrapped__(terms, 0.01) for terms in (CASES[name], long)]
    monkeypatch.setattr(noise_sum, "_without_dead", lambda terms, places: places)
    assert found == [half_width.__wrapped__(terms, 0.01) for terms in (CASES[name], long)]


def test_most_places_are_left_out_early() -> None:
    terms, places = ((LAPLACE, 0.125, 20), (GAUSS, -0.25, 8)), np.arange(1, 4001) * 0.01
    left = noise_sum._without_dead(terms, places)
    logs = sum(
        many * of_one(abs(weight) * places, noise.scale)
        for (noise, weight, many), of_one in zip(
            terms, (noise_sum._laplace, noise_sum._gaussian), strict=True
        )
    )
    assert set(places[logs > noise_sum._DEAD]) <= set(left) and len(left) < len(places) / 3
