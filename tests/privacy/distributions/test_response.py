# SPDX-License-Identifier: Apache-2.0
"""Randomised response: its loss, its estimate and its margin, against exact fractions."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.distributions import laplace, response, response_error
from dpdesk.study.model.amount import Epsilon

TRUTHS = [0.5001, 0.6, 0.75, 0.9, 0.9999]


def said_yes(rows: int, yes: int, truth: float) -> list[Fraction]:
    """The exact distribution of the yeses that are said: row by row."""
    p = Fraction(truth)
    found = [Fraction(1)]
    for row in range(rows):
        chance = p if row < yes else 1 - p
        longer = [*found, Fraction(0)]
        found = [
            longer[k] * (1 - chance) + (longer[k - 1] * chance if k else 0)
            for k in range(len(longer))
        ]
    return found


def beyond(rows: int, yes: int, truth: float, width: int) -> Fraction:
    """P(|estimate - true| > width), exact."""
    return sum(
        (
            chance
            for k, chance in enumerate(said_yes(rows, yes, truth))
            if abs(response.estimate(k, rows, truth) - yes) > width
        ),
        Fraction(0),
    )


@given(st.floats(0.5000001, 0.9999999))
def test_the_loss_is_never_understated(truth: float) -> None:
    with localcontext() as context:
        context.prec = 60
        p = Decimal(truth)
        true = (p / (1 - p)).ln()
        assert true <= Decimal(response.loss(truth)) <= true + Decimal("1e-14") * max(true, 1)


@given(st.integers(10, 20_000_000))
def test_the_truth_that_a_budget_buys_costs_no_more(micro: int) -> None:
    epsilon = Epsilon(micro)
    truth = response.truth(epsilon)
    with localcontext() as context:
        context.prec = 60
        p = Decimal(truth)
        assert (p / (1 - p)).ln() <= epsilon.as_decimal()
    exact = math.exp(micro / 1e6) / (1 + math.exp(micro / 1e6))
    assert truth == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize("micro", [0, 100_000_000])
def test_no_budget_and_far_too_much_have_no_truth(micro: int) -> None:
    with pytest.raises(ValueError, match="one half"):
        response.truth(Epsilon(micro))


@pytest.mark.parametrize("truth", [0.5, 1.0, 0.2, float("nan")])
def test_what_is_no_randomised_response_is_refused(truth: float) -> None:
    for use in (response.loss, lambda p: response.estimate(1, 2, p), lambda p: _margin(p)):
        with pytest.raises(ValueError, match="one half"):
            use(truth)


def _margin(truth: float) -> int:
    return response.half_width(5, truth)


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("rows", [1, 2, 7])
def test_the_estimate_is_the_truth_on_average(rows: int, truth: float) -> None:
    for yes in range(rows + 1):
        chances = said_yes(rows, yes, truth)
        mean = sum(c * response.estimate(k, rows, truth) for k, c in enumerate(chances))
        assert mean == yes


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("rows", [1, 2, 5, 12, 23])
@pytest.mark.parametrize("miss", [0.11, 0.05, 1e-6])
@pytest.mark.in_turn(8)
def test_the_half_width_is_the_smallest_for_the_worst_count(
    rows: int, truth: float, miss: float
) -> None:
    width = response.half_width(rows, truth, miss)
    every = range(rows + 1)
    assert all(beyond(rows, yes, truth, width) <= Fraction(miss) for yes in every)
    if width:
        assert any(beyond(rows, yes, truth, width - 1) > Fraction(miss) for yes in every)


@pytest.mark.parametrize("truth", [0.5001, 0.75, 0.98])
@pytest.mark.parametrize("rows", [400, 10_000])
@pytest.mark.in_turn(3)
def test_the_bound_is_above_the_sum_and_not_far(
    rows: int, truth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_error, "EXACT_ROWS", rows)
    smallest = response.half_width(rows, truth, laplace.MISS * (1 + 1e-12))  # not remembered
    bounded = response_error._bounded(rows, truth, laplace.MISS)
    deviation = math.sqrt(rows * truth * (1 - truth)) / (2 * truth - 1)
    assert smallest == pytest.approx(1.96 * deviation, abs=2 / (2 * truth - 1) + 1)
    assert smallest <= bounded <= 1.6 * smallest + 1
    for width in (smallest // 2, smallest, 2 * smallest):
        said = response_error._Said(
            rows, rows // 3, truth, response_error._log_factorials(rows)
        ).beyond(width)
        assert said <= response_error.error_bound(rows, truth, width) + 1e-12


@pytest.mark.parametrize("rows", [10_001, 100_000, 1_000_000])
def test_many_rows_are_bounded_at_once(rows: int) -> None:
    width = response.half_width(rows, 0.75)
    deviation = math.sqrt(rows * 3 / 16) * 2
    assert 1.95 * deviation < width < (1.95 + 25 / math.sqrt(rows)) * deviation
    seen = np.random.default_rng(5)
    true = rows // 4
    said = seen.binomial(true, 0.75, 10_000) + seen.binomial(rows - true, 0.25, 10_000)
    missed = np.abs((said - rows / 4) * 2 - true) > width
    assert 0.02 < missed.mean() < 0.056


@given(st.integers(1, 40), st.sampled_from([0.6, 0.75, 0.9]), st.data())
def test_the_interval_is_the_counts_near_the_estimate(
    rows: int, truth: float, data: st.DataObject
) -> None:
    yeses = data.draw(st.integers(0, rows))
    low, high = response.interval(yeses, rows, truth)
    width, middle = response.half_width(rows, truth), response.estimate(yeses, rows, truth)
    assert 0 <= low <= high <= rows
    for count in range(rows + 1):
        if abs(count - middle) <= width:
            assert low <= count <= high


@pytest.mark.parametrize("rows", [6, 15])
def test_the_interval_holds_the_true_count(rows: int) -> None:
    for truth in (0.6, 0.75, 0.9):
        ends = [response.interval(k, rows, truth) for k in range(rows + 1)]
        for yes in range(rows + 1):
            held = sum(
                c
                for k, c in enumerate(said_yes(rows, yes, truth))
                if ends[k][0] <= yes <= ends[k][1]
            )
            assert held >= Fraction(0.95)


def test_one_row_s_answer_differs_by_the_loss_and_no_more() -> None:
    for truth in TRUTHS:
        p = Fraction(truth)
        ratio = max(p / (1 - p), (1 - p) / p)
        assert math.log(ratio) == pytest.approx(response.loss(truth), rel=1e-9)


def test_noise_on_the_count_is_far_narrower() -> None:
    assert response.half_width(1000, 0.75) == 54
    assert laplace.half_width(1 / response.loss(0.75)) == laplace.half_width(1 / math.log(3)) == 3
