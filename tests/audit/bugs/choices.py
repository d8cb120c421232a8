# SPDX-License-Identifier: Apache-2.0
"""Bugs of the statistics that choose, split, sort or flip, and of accounts in zCDP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.data.aggregation import aggregate, candidate_scores
from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.noise import door
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.question import Question
from dpdesk.privacy.running_counts import square_root
from dpdesk.privacy.running_counts.square_root import SquareRoot
from dpdesk.privacy.score_functions import Score
from dpdesk.privacy.sensitivity import Sensitivity
from dpdesk.privacy.statistics import (
    base,
    categories_found,
    counts,
    cut_off,
    distribution,
    mean,
    most_common,
    quantile_counts,
    quantiles,
    randomised_response,
    share,
    variance,
)
from dpdesk.privacy.statistics.survival import survival
from dpdesk.study.model.columns import number_grid
from dpdesk.study.model.groupings import Bins
from tests.audit.bugs.planting import Bug, bug

CHOICES: list[Bug] = []


def _sensitivity(patch: pytest.MonkeyPatch, change: Any) -> None:
    """Change what ``rows_sensitivity`` and its kind say, wherever they are used."""
    for module in (counts, mean, share, variance, distribution, survival):
        for name in ("rows_sensitivity", "people_sensitivity", "sum_sensitivity"):
            real = getattr(module, name, None)
            if real is not None:
                patch.setattr(module, name, _then(real, change))


def _then(real: Any, change: Any) -> Any:
    return lambda *arguments, **how: change(real(*arguments, **how))


@bug(CHOICES, "Gaussian noise for the distance, not its square", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    _sensitivity(patch, lambda found: Sensitivity(found.l1, found.l1, found.linf))


@bug(CHOICES, "Gaussian noise for one cell under change-one", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    _sensitivity(
        patch, lambda found: Sensitivity(found.l1, min(found.l2_squared, found.linf**2), found.linf)
    )


@bug(CHOICES, "a quantile's rows of one person left out", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantiles.quantile_sensitivity
    patch.setattr(
        quantiles,
        "quantile_sensitivity",
        lambda unit, *more: real(replace(unit, max_rows=1), *more),
    )


@bug(CHOICES, "a quantile under change-one priced as add-remove", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantiles.quantile_sensitivity
    patch.setattr(
        quantiles,
        "quantile_sensitivity",
        lambda unit, *more: real(replace(unit, neighbours="add-remove"), *more),
    )


@bug(CHOICES, "a quantile's scores taken for monotonic", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantiles.choice_part

    def monotonic(name: Any, measure: Any, cells: Any, noise: Noise, *more: Any) -> Any:
        return real(name, measure, cells, replace(noise, monotonic=True), *more)

    patch.setattr(quantiles, "choice_part", monotonic)


@bug(CHOICES, "a quantile of unequal weights priced as a median", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantiles.quantile_sensitivity
    patch.setattr(
        quantiles,
        "quantile_sensitivity",
        lambda unit, cells, _level, *more: real(unit, cells, (1, 1), *more),
    )


@bug(CHOICES, "a quantile's score forgets the rows that equal its candidate", "ranks")
def _(patch: pytest.MonkeyPatch) -> None:
    def old(below: Any, up_to: Any, rows: Any, levels: tuple[int, int]) -> Any:
        first, second = levels
        return -np.abs(second * below - first * (rows - up_to)).ravel()

    patch.setattr(candidate_scores, "_quantile_scores", old)


@bug(CHOICES, "a row that moves onto the lower of two values counted once", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantiles.QuantileChoices._part

    def once(self: Any, question: Question, *more: Any) -> Any:
        last = number_grid(base.number_column(question)).last
        if last == 1 and question.size == 1:
            unit = replace(question.unit, neighbours="add-remove", people=None)
            question = replace(question, unit=unit)
        return real(self, question, *more)

    patch.setattr(quantiles.QuantileChoices, "_part", once)


@bug(CHOICES, "rows between candidates counted with the one above", "ranks")
def _(patch: pytest.MonkeyPatch) -> None:
    def edges(column: Any, places: tuple[int, ...]) -> Any:
        return tuple(column.lower + (place + 1) * column.step for place in places[:-1])

    patch.setattr(quantile_counts, "_edges", edges)
    patch.setattr(
        quantile_counts,
        "ends_between",
        lambda places: tuple((i, i) for i in range(len(places) - 1)),
    )


@bug(CHOICES, "a group that falls and one that rises counted once", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(most_common, "ROWS", Score("rows", row=1, swap=1, monotonic=True))


@bug(CHOICES, "each of several quantiles paid with all of the share", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(calibrate, "split", lambda share, weights: (share,) * len(weights))


@bug(CHOICES, "several picks paid as one", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = calibrate.calibrated

    def one_pick(noise: Noise, sensitivity: int, amount: Any) -> Noise:
        return replace(real(replace(noise, picks=1), sensitivity, amount), picks=noise.picks)

    patch.setattr(calibrate, "calibrated", one_pick)


@bug(CHOICES, "a cut-off's score priced by the lowest candidate", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = cut_off.value_times_count
    patch.setattr(cut_off, "value_times_count", lambda grid, places: real(grid, places[:2]))


@bug(CHOICES, "the levels of a tree of counts left out", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        distribution,
        "tree_sensitivity",
        lambda unit, groups, tree, m: distribution.rows_sensitivity(
            unit.max_rows, groups * tree.bins, unit.neighbours, m
        ),
    )


@bug(CHOICES, "a tree of quantiles' counts priced for one row a person", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantile_counts.counts_part

    def one_row(question: Question, *more: Any) -> Any:
        return real(replace(question, unit=replace(question.unit, max_rows=1)), *more)

    patch.setattr(quantile_counts, "counts_part", one_row)


@bug(CHOICES, "a tree of quantiles' counts priced as if no row went elsewhere", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = quantile_counts.counts_part

    def staying(question: Question, *more: Any) -> Any:
        unit = replace(question.unit, neighbours="add-remove", people=None)
        return real(replace(question, unit=unit), *more)

    patch.setattr(quantile_counts, "counts_part", staying)


@bug(CHOICES, "bins below a public total priced as one count", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = distribution.tree_sensitivity

    def one(unit: Any, groups: int, tree: Any, *limit: Any) -> Any:
        if tree.has_public_total:
            return distribution.rows_sensitivity(unit.max_rows, 1, unit.neighbours)
        return real(unit, groups, tree, *limit)

    patch.setattr(distribution, "tree_sensitivity", one)


@bug(CHOICES, "weighted bins priced by what a row adds to the sum of its own bin", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def own(root: SquareRoot) -> Any:
        one = (root.falls[0] * max(root.scales)) ** 2
        return square_root._reach(root.falls, root.scales)._replace(column=one, columns=one)

    patch.setattr(SquareRoot, "reach", property(own))


@bug(CHOICES, "weighted bins priced as if no row went to another bin", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def staying(root: SquareRoot) -> Any:
        found = square_root._reach(root.falls, root.scales)
        return found._replace(columns=found.column)

    patch.setattr(SquareRoot, "reach", property(staying))


@bug(CHOICES, "weighted bins drawn with the weights of a smaller column", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = aggregate.weighted_bins

    def unscaled(counts: Any, falls: Any, scales: Any) -> Any:
        return real(counts, falls, (2 * max(scales),) * len(scales))

    patch.setattr(aggregate, "weighted_bins", unscaled)


@bug(CHOICES, "rows up to a bin as certain as one weighted sum", "adds up")
def _(patch: pytest.MonkeyPatch) -> None:
    real = SquareRoot.weights

    def one_alone(root: SquareRoot, bin: int, share: float = 0.0) -> Any:
        return real(root, bin, share)[1:]

    patch.setattr(SquareRoot, "weights", one_alone)


@bug(CHOICES, "both halves of a share priced as one cell", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = share.rows_sensitivity
    patch.setattr(share, "rows_sensitivity", lambda *whose, **_split: real(*whose))


@bug(CHOICES, "events and censored of one bin priced as one cell", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = survival.rows_sensitivity
    patch.setattr(survival, "rows_sensitivity", lambda *whose, **_split: real(*whose))


@bug(CHOICES, "an event of a kind counted among the censored of its bin, too", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = aggregate.of_part

    def twice(table: Any, study: Any, spec: Any) -> Any:
        found = real(table, study, spec)
        if not spec.splits_values:
            return found
        counts = np.array(found.counts)
        counts[:: 1 + len(spec.split_into)] += counts[1 :: 1 + len(spec.split_into)]
        return replace(found, counts=counts)

    patch.setattr(aggregate, "of_part", twice)


@bug(CHOICES, "who enters late counted in the first bin of entries, too", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = aggregate.of_part

    def at_once(table: Any, study: Any, spec: Any) -> Any:
        found = real(table, study, spec)
        match spec.by:
            case (*_, Bins(edges=entries), Bins(edges=exits)) if spec.split:
                shape = (-1, len(entries) + 1, 2 * len(exits) + 2)
                counts = np.array(found.counts).reshape(shape)
                counts[:, 0] += counts[:, 1:].sum(axis=1)
                return replace(found, counts=counts.ravel())
        return found

    patch.setattr(aggregate, "of_part", at_once)


@bug(CHOICES, "a truer answer than was paid for", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = randomised_response.calibrate.calibrated

    def truer(noise: Noise, sensitivity: int, amount: Any) -> Noise:
        found = real(noise, sensitivity, amount)
        if noise.mechanism != "randomised-response":
            return found
        return replace(found, scale=(1 + found.scale) / 2)

    patch.setattr(calibrate, "calibrated", truer)


@bug(CHOICES, "a threshold one lower than delta allows", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = categories_found.threshold_for
    patch.setattr(categories_found, "threshold_for", lambda *asked: real(*asked) - 1)


@bug(CHOICES, "a threshold for one new category, not for k", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = categories_found.threshold_for
    patch.setattr(categories_found, "threshold_for", lambda noise, _k, delta: real(noise, 1, delta))


@bug(CHOICES, "Laplace noise in zCDP priced as if it were Gaussian", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    real = base.additive_noise

    def mixed(found: Sensitivity, amount: Any, wanted: str) -> tuple[Noise, int]:
        noise, _ = real(found, amount, wanted)
        if noise.mechanism != "gaussian":
            return noise, found.l1
        return replace(noise, mechanism="laplace"), found.l2_squared

    patch.setattr(base, "additive_noise", mixed)


@bug(CHOICES, "a group's choice drawn once for all groups", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    real = door._choose

    def once(numbers: list[int], noise: Noise) -> tuple[int, ...]:
        size = len(numbers) // noise.blocks
        return real(numbers[:size], replace(noise, blocks=1)) * noise.blocks

    patch.setitem(door._DRAWS, "noisy-max", once)


@bug(CHOICES, "the best candidate is chosen, without noise", "noise")
def _(patch: pytest.MonkeyPatch) -> None:
    def best(numbers: list[int], noise: Noise) -> tuple[int, ...]:
        size = len(numbers) // noise.blocks
        blocks = [numbers[i : i + size] for i in range(0, len(numbers), size)]
        return tuple(block.index(max(block)) for block in blocks)

    patch.setitem(door._DRAWS, "noisy-max", best)


@bug(CHOICES, "of several groups' choices in zCDP one alone is paid", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def one(self: Any, unit: Any, _cells: int, *limit: Any) -> int:
        return int(self.sensitivity(unit, 1, *limit) ** 2)

    patch.setattr(Score, "squared", one)


@bug(CHOICES, "distances of groups' choices in zCDP added before they are squared", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    def added(self: Any, unit: Any, cells: int, *limit: Any) -> int:
        return int(self.sensitivity(unit, cells, *limit) ** 2)

    patch.setattr(Score, "squared", added)


@bug(CHOICES, "counts behind ranks priced as if no row left a group for another", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = most_common.rows_sensitivity
    _replace_count(
        patch, lambda k, cells, _n, *more, **how: real(k, cells, "add-remove", *more, **how)
    )


@bug(CHOICES, "counts behind ranks priced for one row a person", "replay", "sharp")
def _(patch: pytest.MonkeyPatch) -> None:
    real = most_common.rows_sensitivity
    _replace_count(patch, lambda _k, *more, **how: real(1, *more, **how))


def _replace_count(patch: pytest.MonkeyPatch, instead: Any) -> None:
    patch.setattr(most_common, "rows_sensitivity", instead)
