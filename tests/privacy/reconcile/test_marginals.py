# SPDX-License-Identifier: Apache-2.0
"""Consistent tables are the least-squares estimate, and their errors are what is said of them."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.reconcile.marginals import Consistent, Marginals, NoisyTable, rounded
from dpdesk.privacy.reconcile.noise_sum import half_width

SIZES = {"sex": 2, "ward": 3, "age": 4}
WANTED: tuple[tuple[tuple[str, ...], ...], ...] = (
    ((), ("sex",), ("ward",)),
    (("ward", "sex"), ("sex", "age"), ("age",)),
    (("sex", "ward", "age"), ("age", "sex"), (), ("ward",)),
    (("ward",), ("ward",), ("age", "ward")),
)


def marginals_of(tables: tuple[tuple[str, ...], ...], *, public: bool = False) -> Marginals:
    dice = random.Random(len(tables))
    noises = (
        Noise(dice.choice(("laplace", "gaussian")), dice.choice((3.0, 5.0, 11.5))) for _ in tables
    )
    named = (
        NoisyTable(axes, ((noise, 1.0, 1),)) for axes, noise in zip(tables, noises, strict=True)
    )
    return Marginals(SIZES, tuple(named), public)


def sums(axes: tuple[str, ...], order: tuple[str, ...]) -> Any:
    """A: which cells of the table by all groupings add up to each cell of one by some."""
    every = list(product(*(range(SIZES[axis]) for axis in order)))
    own = list(product(*(range(SIZES[axis]) for axis in axes)))
    return np.array(
        [
            [
                all(cell[order.index(axis)] == at for axis, at in zip(axes, one, strict=True))
                for cell in every
            ]
            for one in own
        ],
        float,
    )


def least_squares(marginals: Marginals, figures: list[list[int]], total: int | None) -> Any:
    """x of generalised least squares, by the normal equations, with plain numpy."""
    order = marginals.order
    design = [sums(table.axes, order) for table in marginals.tables]  # type: ignore[arg-type]
    weights = [1 / table.variance for table in marginals.tables]
    if total is not None:
        design.append(sums((), order))  # type: ignore[arg-type]
        figures, weights = [*figures, [total]], [*weights, 1e9]
    scaled = [w**0.5 * a for a, w in zip(design, weights, strict=True)]
    values = [w**0.5 * np.array(y, float) for y, w in zip(figures, weights, strict=True)]
    return np.linalg.lstsq(np.vstack(scaled), np.concatenate(values), rcond=None)[0]


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("tables", WANTED)
def test_the_consistent_tables_are_those_of_least_squares(
    tables: tuple[tuple[str, ...], ...], public: bool
) -> None:
    marginals, dice = marginals_of(tables, public=public), random.Random(4)
    figures = [[dice.randint(-9, 60) for _ in range(marginals.cells(axes))] for axes in tables]
    total = 77 if public else None
    found = Consistent(marginals, figures, total)
    best = least_squares(marginals, figures, total)
    for axes in tables:
        wanted = sums(axes, marginals.order) @ best  # type: ignore[arg-type]
        np.testing.assert_allclose(np.array(found.fractions(axes), float), wanted, atol=1e-4)


@pytest.mark.parametrize("tables", WANTED)
@pytest.mark.in_turn(2)
def test_an_error_is_the_weighted_sum_of_noises_that_is_said(
    tables: tuple[tuple[str, ...], ...],
) -> None:
    marginals = marginals_of(tables)
    zeros = [[0] * marginals.cells(axes) for axes in tables]
    for axes in tables:
        for cell in range(marginals.cells(axes)):
            weights: dict[Noise, list[float]] = {}
            for place, table in enumerate(marginals.tables):
                for at in range(len(zeros[place])):
                    moved = [list(one) for one in zeros]
                    moved[place][at] = 1
                    weight = float(Consistent(marginals, moved).fractions(axes)[cell])
                    weights.setdefault(table.noises[0][0], []).append(weight)
            said: dict[Noise, list[float]] = {}
            for noise, weight, many in marginals.noises(axes):
                said.setdefault(noise, []).extend([weight] * many)
            for noise, found in weights.items():
                known = sorted(w for w in said.get(noise, []) if abs(w) > 1e-9)
                assert sorted(w for w in found if abs(w) > 1e-9) == pytest.approx(known, abs=1e-9)


def test_a_grouping_with_one_group_adds_no_noise_that_is_there_not_once() -> None:
    """As in shares by the one year of a report and by its quarters: no cells differ in the year."""
    tables = (("year", "has"), ("quarter", "has"))
    noisy = tuple(NoisyTable(axes, ((Noise("laplace", 15.0), 1.0, 1),)) for axes in tables)
    marginals = Marginals({"year": 1, "quarter": 4, "has": 2}, noisy)
    for axes in tables:
        for lines in ((), ((0.5, 1), (-0.5, 1))):
            terms = marginals.noises(axes, lines)
            assert terms and all(many > 0 for _noise, _weight, many in terms)
            assert half_width(terms) > 0


def test_a_table_of_two_cells_and_one_noise_is_joined_with_one_of_four() -> None:
    # Under change-one with a public total of 50 the first cell was drawn, of variance v; the second
    # follows. The other table says 26 and 24, which add up to 50: each is right but for half of
    # the difference of two sums of two noises, of variance v, too. So both count for half.
    noise = Noise("gaussian", 4.0)
    own = ((noise, 1.0, 1),)
    tables = (NoisyTable(("sex",), own, is_mirrored=True), NoisyTable(("sex", "half"), own))
    marginals = Marginals({"sex": 2, "half": 2}, tables, has_public_total=True)
    found = Consistent(marginals, [(30, 20), (16, 10, 14, 10)], 50)
    assert found.fractions(("sex",)) == [28, 22]
    assert set(marginals.noises(("sex",))) == {
        (noise, 0.5, 1),
        (noise, 0.25, 2),
        (noise, -0.25, 2),
    }


MIRRORED: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("sex",), ("sex", "ward"), ("ward",)),
    (("sex",), ("ward", "age", "sex"), ("age",)),
    (("sex", "alone"), ("ward", "alone", "sex")),
)
LINES = {
    "sex": ((0.7, 1), (-0.3, 1)),
    "ward": ((0.5, 2), (-1.0, 1)),
    "age": ((1.0, 1), (0.0, 3)),
    "alone": ((0.6, 1),),
}


@pytest.mark.parametrize("tables", MIRRORED)
def test_one_noise_of_two_cells_moves_every_sum_as_is_said(
    tables: tuple[tuple[str, ...], ...],
) -> None:
    """By sex one count was drawn, of whose noise men have what women lack; 50 rows are public."""
    noises = [((Noise("gaussian", scale), 1.0, 1),) for scale in (4.0, 3.0, 5.0)]
    named = tuple(
        NoisyTable(axes, own, is_mirrored=place == 0)
        for place, (axes, own) in enumerate(zip(tables, noises, strict=False))
    )
    marginals = Marginals({**SIZES, "alone": 1}, named, has_public_total=True)
    zeros = [[0] * marginals.cells(axes) for axes in tables]
    wanted = {one[at:] + one[:at] for one in tables for at in range(len(one))}
    for axes, lines in [(one, lines) for one in wanted for lines in ((), LINES[one[-1]])]:
        # Of the first cell, or of those that differ from it in the last grouping alone.
        weights = [weight for weight, many in lines for _ in range(many)] or [1.0]
        found: dict[Noise, list[float]] = {}
        for place, own in enumerate(zeros):
            for at in range(1 if place == 0 else len(own)):
                moved = [list(one) for one in zeros]
                moved[place][at] = 1
                if place == 0:
                    moved[0][1] = -1
                made = Consistent(marginals, moved, 0).fractions(axes)
                pairs = zip(weights, made, strict=False)
                weight = float(sum(one * figure for one, figure in pairs))
                found.setdefault(noises[place][0][0], []).append(weight)
        said: dict[Noise, list[float]] = {}
        for noise, weight, many in marginals.noises(axes, lines):
            said.setdefault(noise, []).extend([weight] * many)
        for noise, real in found.items():
            known = sorted(weight for weight in said.get(noise, []) if abs(weight) > 1e-9)
            assert sorted(w for w in real if abs(w) > 1e-9) == pytest.approx(known, abs=1e-9)


def test_rounded_tables_still_add_up() -> None:
    marginals, dice = marginals_of(WANTED[2]), random.Random(8)
    figures = [[dice.randint(-9, 60) for _ in range(marginals.cells(axes))] for axes in WANTED[2]]
    found = Consistent(marginals, figures)
    whole = {}
    for axes in WANTED[2]:
        exact, denominator = found.numerators(axes)
        whole[axes] = rounded(exact, denominator, 10)
        furthest = abs(whole[axes] * denominator - 10 * exact).max()
        assert furthest <= denominator * 2 ** max(0, len(axes) - 1)
    every = whole[("sex", "ward", "age")]
    assert (whole[("age", "sex")] == every.sum(axis=1).T).all()
    assert (every.sum(axis=(0, 2)) == whole[("ward",)]).all()
    assert every.sum() == whole[()]
