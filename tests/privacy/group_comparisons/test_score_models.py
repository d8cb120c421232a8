# SPDX-License-Identifier: Apache-2.0
"""Effects of a model are those of the likelihood, and hold over noise and chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from dpdesk.privacy.group_comparisons.model_cells import ModelCells, ModelShape
from dpdesk.privacy.group_comparisons.score_models import Effect, effect_of
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.reconcile.marginals import variance_of
from dpdesk.study.model.statistics import ModelKind
from tests.audit.length import runs
from tests.privacy.population.test_counts_and_shares import draws, most

RUNS = runs(short=250, full=10_000)
LAPLACE, GAUSSIAN, NEARLY_NONE = (
    Noise("laplace", 6.0),
    Noise("gaussian", 8.0),
    Noise("laplace", 0.1),
)
TAKES = {"logistic": ((0.0, 1.0), (1.0, 1.0)), "poisson": ((0.5, -0.2), (0.0, 0.3))}
TAKES["linear"] = ((1.0, 0.0), (0.0, 1.0))


@dataclass(frozen=True)
class ModelledWorld:
    """Two groupings of three and two groups, and what is so in their cells.

    Attributes:
        kind: of which model.
        noise: of every number.
        effect: of the second group of the first grouping, on the scale of the link.
        rows: how many are expected in all.
        base: of the first group of both.
    """

    kind: ModelKind
    noise: Noise
    effect: float = 0.0
    rows: float = 4_000.0
    base: float = -1.5

    groups = np.array([(one, two) for one in range(3) for two in range(2)])
    parts = np.array([0.2, 0.15, 0.2, 0.1, 0.1, 0.25])

    @property
    def means(self) -> Any:
        effects = np.array([0.0, self.effect, 0.5])[self.groups[:, 0]] + 0.4 * self.groups[:, 1]
        linear = self.base + effects
        by_link = {"logistic": 1 / (1 + np.exp(-linear)), "poisson": np.exp(linear)}
        return by_link.get(self.kind, linear)

    def cells(self, events: Any, rows: Any) -> ModelCells:
        one = variance_of(((self.noise, 1.0, 1),))
        fourth = 12 * self.noise.scale**4 if self.noise.mechanism == "laplace" else 0.0
        shape = ModelShape(self.groups, self.kind, TAKES[self.kind], fourth)
        spread = np.ones(6) if self.kind == "linear" else None
        return ModelCells(shape, events, rows, lambda w: one * float((w**2).sum()), spread)

    def released(self, dice: np.random.Generator) -> ModelCells:
        """One release: who came, what became of them, and the noise."""
        rows = dice.poisson(self.rows * self.parts).astype(float)
        if self.kind == "logistic":
            events = dice.binomial(rows.astype(int), self.means).astype(float)
        elif self.kind == "poisson":
            events = dice.poisson(rows * self.means).astype(float)
        else:
            events = rows * self.means + np.sqrt(rows) * dice.normal(size=6)
        noises = draws(dice, self.noise, 12).reshape(6, 2)
        of_events, of_rows = np.array(TAKES[self.kind]).T
        return self.cells(events + noises @ of_events, rows + noises @ of_rows)


WORLDS = [
    ModelledWorld("logistic", LAPLACE, rows=6_000),
    ModelledWorld("logistic", GAUSSIAN, rows=6_000),
    ModelledWorld("poisson", LAPLACE, base=-2.0),
    ModelledWorld("linear", GAUSSIAN, rows=1_000),
]


@pytest.mark.parametrize("world", WORLDS, ids=lambda one: f"{one.kind} {one.noise.mechanism}")
@pytest.mark.in_turn(2)
def test_groups_that_are_alike_are_told_apart_five_times_in_a_hundred(world: ModelledWorld) -> None:
    dice, found = np.random.default_rng(5), []
    for _ in range(RUNS):
        effect = effect_of(world.released(dice), 0, 1, 0)
        found += [] if effect is None or effect.p is None else [effect]
    assert len(found) >= RUNS * 0.95
    level = sum((one.p or 0) <= 0.05 for one in found) / len(found)
    # Half a point at full length; of fewer runs four deviations.
    assert abs(level - 0.05) <= max(0.005, 4 * (0.0475 / len(found)) ** 0.5)
    # It is below 5 in 100 just where the interval leaves nothing out.
    assert all((one.low <= 0 <= one.high) == ((one.p or 0) > 0.05) for one in found)


@pytest.mark.parametrize(
    "world",
    [
        ModelledWorld("logistic", Noise("laplace", 12.0), effect=0.6, rows=1_500, base=-1.0),
        ModelledWorld("poisson", Noise("gaussian", 10.0), effect=-0.4, rows=1_000),
        ModelledWorld("linear", Noise("laplace", 12.0), effect=1.0, rows=300, base=2.0),
    ],
    ids=lambda one: one.kind,
)
@pytest.mark.in_turn(3)
def test_where_noise_is_large_intervals_hold(world: ModelledWorld) -> None:
    dice, missed, many = np.random.default_rng(8), 0, 0
    for _ in range(RUNS):
        effect = effect_of(world.released(dice), 0, 1, 0)
        if effect is not None:
            many += 1
            missed += not effect.low <= world.effect <= effect.high
    assert many > RUNS // 3 and missed <= most(many)


def exactly(world: ModelledWorld) -> ModelCells:
    """What is expected of a group's rows, in whole numbers, without noise."""
    rows = np.rint(world.rows * world.parts)
    events = np.rint(rows * world.means)
    events[0] += 9  # so that no model fits all
    return world.cells(events, rows)


@pytest.mark.parametrize("kind", ["logistic", "poisson"])
def test_without_noise_it_is_the_largest_likelihood_and_its_score_test(kind: ModelKind) -> None:
    cells = exactly(ModelledWorld(kind, NEARLY_NONE, effect=0.7))
    own = ModelledWorld.groups
    design = np.stack([np.ones(6), own[:, 0] == 1, own[:, 0] == 2, own[:, 1] == 1], axis=1) * 1.0

    def means(linear: Any) -> Any:
        return 1 / (1 + np.exp(-linear)) if kind == "logistic" else np.exp(linear)

    def loss(b: Any) -> float:
        linear = design @ b
        each = np.logaddexp(0, linear) if kind == "logistic" else np.exp(linear)
        return float((cells.rows * each - cells.events * linear).sum())

    def score(value: float) -> float:
        rest = np.delete(design, 1, axis=1)

        def left(b: Any) -> Any:
            return rest.T @ (cells.events - means(rest @ b + value * design[:, 1]) * cells.rows)

        linear = rest @ optimize.root(left, [-1.0, 0, 0]).x + value * design[:, 1]
        slope = means(linear) * (1 - means(linear) if kind == "logistic" else 1) * cells.rows
        information = np.linalg.inv((design.T * slope) @ design)
        out = design[:, 1] @ (cells.events - means(linear) * cells.rows)
        return float(out * math.sqrt(information[1, 1]))

    effect = effect_of(cells, 0, 1, 0)
    assert effect is not None and effect.p is not None
    best = optimize.minimize(loss, np.zeros(4), tol=1e-10).x
    assert effect.value == pytest.approx(best[1], abs=1e-4)
    assert [score(end) for end in (effect.low, effect.high)] == pytest.approx(
        [1.96, -1.96], abs=2e-3
    )
    assert effect.p == pytest.approx(2 * stats.norm.sf(abs(score(0.0))), rel=0.02)
    # Beside another reference it is the same model.
    other = effect_of(cells, 0, 0, 1)
    assert other is not None
    assert (other.value, other.low) == pytest.approx((-effect.value, -effect.high), abs=1e-7)


def test_a_linear_model_of_one_grouping_is_the_difference_of_means() -> None:
    rows, events = np.full(6, 100.0), np.array([200.0, 200, 500, 500, 0, 0])
    effect = effect_of(ModelledWorld("linear", NEARLY_NONE).cells(events, rows), 0, 1, 0)
    assert effect is not None
    assert (effect.value, effect.high) == pytest.approx((3.0, 3.0 + 1.96 * 0.1), abs=1e-3)


def test_a_group_that_noise_leaves_nothing_of_is_left_out() -> None:
    cells = exactly(ModelledWorld("logistic", LAPLACE, effect=0.7))
    few = ModelledWorld.groups[:, 0] == 2
    rest: list[Effect | None] = []
    for events, rows in ((3.0, 40.0), (-20.0, 7.0), (0.0, 0.0)):
        changed = ModelledWorld("logistic", LAPLACE).cells(
            np.where(few, events, cells.events), np.where(few, rows, cells.rows)
        )
        assert effect_of(changed, 0, 2, 0) is None and effect_of(changed, 0, 0, 2) is None
        rest.append(effect_of(changed, 0, 1, 0))
    assert rest[0] is not None and rest == [rest[0]] * 3


def test_where_noise_is_larger_than_groups_there_is_no_effect() -> None:
    assert effect_of(exactly(ModelledWorld("logistic", Noise("laplace", 200.0))), 0, 1, 0) is None


@pytest.mark.parametrize(
    ("world", "events", "rows"),
    [
        pytest.param(
            ModelledWorld("poisson", Noise("gaussian", 25.0)),
            [73, 113, 273, 192, 29, 70],
            [58, 55, -9, 405, 150, -27],
            id="the likelihood has a saddle and no maximum",
        ),
        pytest.param(
            ModelledWorld("logistic", LAPLACE),
            [396, 55, 46, 30, 0, 132],
            [336, 296, 162, 52, -2, 117],
            id="it rises so far as one looks",
        ),
        pytest.param(
            ModelledWorld("logistic", Noise("gaussian", 60.0)),
            [121, 245, 224, 134, 32, 430],
            [541, 600, 649, 125, 257, 875],
            id="beside an end of the interval another effect has no bounds",
        ),
        pytest.param(
            ModelledWorld("poisson", Noise("laplace", 12.0)),
            [30, 24, 190, 112, 21, 80],
            [17, 19, 25, 3, -5, 33],
            id="beside an end of the interval the likelihood has no maximum",
        ),
        pytest.param(
            ModelledWorld("linear", Noise("gaussian", 6.0)),
            [-56, -40, -101, -21, -20, -60],
            [21, 19, 37, -7, 5, 38],
            id="no effect is too large for the noise",
        ),
    ],
)
def test_where_noise_leaves_no_interval_there_is_no_effect(
    world: ModelledWorld, events: list[int], rows: list[int]
) -> None:
    """Groups clear of noise, some of whose cells are not."""
    cells = world.cells(np.array(events) * 1.0, np.array(rows) * 1.0)
    assert cells.included[:4].all() and effect_of(cells, 0, 1, 0) is None
    # With a hundredth of the noise, where it is around what the cells expect, there is one.
    clear = world.cells(100 * cells.mean * abs(cells.rows), 100 * abs(cells.rows))
    assert effect_of(clear, 0, 1, 0) is not None
