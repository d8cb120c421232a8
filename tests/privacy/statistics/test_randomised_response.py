# SPDX-License-Identifier: Apache-2.0
"""Randomised response as a statistic: its loss, its estimate, its margin, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import opendp.prelude as dp
import pytest
from scipy.stats import binom

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions import laplace, response
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.curves import noise_curve
from dpdesk.privacy.published_tables import table
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, Condition, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.length import runs
from tests.doors import RecordingDoor

WARD = CategoryColumn("ward", ("A", "B"), missing="category", unknown="category")
COLUMNS = (
    NumberColumn("stay", Decimal(0), Decimal(9), Decimal(1)),
    WARD,
    YesNoColumn("ok", ("yes",), ("no",), missing="category", unknown="category"),
)
YES = (IsIn("ok", ("yes",)),)
ASKED = Query("q", "randomised-response", PropertyParameters(has=YES), epsilon=Epsilon.of(1))


def study(people: int, query: Query = ASKED) -> Study:
    unit = Unit("pid", 1, "change-one", people)
    budget = Budget("a", query.epsilon and Epsilon.of(100), query.rho and Rho.of(100))
    return Study("S", data=DataSource("t.csv"), unit=unit, budget=budget, columns=COLUMNS,
                 queries=(query,))  # fmt: skip


def plan(people: int, query: Query = ASKED) -> QueryPlan:
    return compile_query(study(people, query), query)


def exact(folder: Path, asked: Study, rows: list[str]) -> tuple[int, ...]:
    (folder / "t.csv").write_text("pid,stay,ward,ok\n" + "".join(f"{r}\n" for r in rows))
    door = RecordingDoor()
    part = compile_query(asked, asked.queries[0]).parts[0]
    sealed = measure(encode(asked, folder), asked, part.measure)
    door.draw("q", sealed, part.noise, part.sensitivity)
    return door.calls[0].exact


# --- what is computed exactly -------------------------------------------------------------------

ROWS = ["1,5,A,yes", "2,,B,no", "3,x,,YES", "4,9,C,", "5,0,A,yes", "5,1,B,no"]


@pytest.mark.parametrize(
    ("has", "ones"),
    [
        ((IsIn("ward", ("A",)),), 1),
        ((IsNotIn("ward", ("A",)),), 3),
        ((IsIn("ward", ("(other)", "(missing)")),), 2),
        ((IsIn("ok", ("yes",)), IsIn("ward", ("A",))), 1),
        ((IsMissing("stay"),), 1),
        ((IsMissing("ok", False),), 3),
    ],
)
def test_every_row_that_people_keep_answers(
    has: tuple[Condition, ...], ones: int, tmp_path: Path
) -> None:
    found = exact(tmp_path, study(4, ASKED.having(has=has)), ROWS[:4])
    assert found == (0,) * (4 - ones) + (1,) * ones


def test_one_person_answers_once(tmp_path: Path) -> None:
    """Of the two rows of person 5 one is kept; it is still one answer."""
    assert len(exact(tmp_path, study(5), ROWS)) == 5


def test_whoever_changes_moves_one_answer_and_no_more(tmp_path: Path) -> None:
    """Whatever a row was and becomes, sorted vectors differ in at most one place; in one at most.

    The order of the rows in the file changes nothing.
    """
    cells = ["5,A,yes", ",,", "x,C,no", "0,B,yes"]
    moved = set()
    for before, after in product(cells, repeat=2):
        crowd = [f"{i},{cells[i % 4]}" for i in range(6)]
        first = exact(tmp_path, study(7), [*crowd, f"7,{before}"])
        second = exact(tmp_path, study(7), [f"7,{after}", *crowd[::-1]])
        moved.add(sum(a != b for a, b in zip(first, second, strict=True)))
    assert moved == {0, 1}


# --- what it costs ------------------------------------------------------------------------------


@pytest.mark.parametrize("share", ["0.000001", "0.1", "0.693147", "1", "8", "100"])
@pytest.mark.parametrize("kind", [Epsilon, Rho])
def test_its_loss_is_what_opendp_says_and_the_share_at_most(
    share: str, kind: type[Epsilon] | type[Rho]
) -> None:
    amount = kind.of(share)
    asked = replace(ASKED, **{"epsilon": None, amount.measure: amount})
    part = plan(10, asked).parts[0]
    made = dp.m.make_randomized_response_bool(part.scale)
    made = dp.c.make_pureDP_to_zCDP(made) if kind is Rho else made
    assert part.loss == made.map(1)
    assert Fraction(part.loss) <= amount.as_fraction()
    assert part.sensitivity == 1
    wanted = amount.as_fraction() if kind is Epsilon else (2 * float(amount.as_fraction())) ** 0.5
    if part.scale < 1 - 2.0**-53:
        assert response.loss(part.scale) == pytest.approx(float(wanted), rel=1e-6)


def test_a_fair_coin_then_a_fair_answer_is_ln_3() -> None:
    """Dwork and Roth 2014, section 3.2: the truth three times in four costs ln 3."""
    part = plan(100, replace(ASKED, epsilon=Epsilon.of("1.098612"))).parts[0]
    assert part.scale == pytest.approx(0.75, abs=1e-6)


def test_what_is_said_is_never_likelier_than_the_claim_by_the_exact_law() -> None:
    """The exact law of the number of yeses, for every pair of neighbours of 30 rows."""
    share = Epsilon.of("0.7")
    p = plan(30, replace(ASKED, epsilon=share)).parts[0].scale
    laws = [
        np.convolve(binom.pmf(range(t + 1), t, p), binom.pmf(range(31 - t), 30 - t, 1 - p))
        for t in range(31)
    ]
    worst = max(abs(np.log(laws[t]) - np.log(laws[t + 1])).max() for t in range(30))
    assert worst <= 0.7 + 1e-9
    assert worst == pytest.approx(0.7, rel=1e-5)  # all yes or all no shows all of it


# --- what is published --------------------------------------------------------------------------


def lines(made: QueryPlan, said: int) -> list[int]:
    found = table(study(made.parts[0].cells, made.query), made, ((said,),))
    assert [c.name for c in found.columns] == [
        "estimate", "half_width_95", "lowest_95", "highest_95", "said_yes", "too_noisy",
    ]  # fmt: skip
    roles = ["value", "half-width", "lowest", "highest", "part", "mark"]
    assert [c.role for c in found.columns] == roles
    assert len(found.rows) == 1
    *numbers, mark = found.rows[0]
    assert (mark == "yes") == (int(numbers[2]) == 0 < int(numbers[1]))
    return [int(text) for text in numbers]


def test_the_line_of_a_worked_number() -> None:
    """Three quarters true of 1,000 rows, 400 say yes: (400 - 250) / (1/2) = 300 have it."""
    made = plan(1_000, replace(ASKED, epsilon=Epsilon.of("1.098612")))
    value, margin, low, high, said = lines(made, 400)
    assert (value, said) == (300, 400)
    assert margin == made.parts[0].half_width == response.half_width(1_000, made.parts[0].scale)
    # The truth is said a little less than three times in four, so that the estimate is below 300.
    assert (low, high) == (300 - margin, 300 + margin - 1)
    # 1.96 deviations of sqrt(n p (1 - p)) / (2 p - 1) = sqrt(750)
    assert margin == pytest.approx(1.96 * 750**0.5, rel=0.03)


def test_the_range_holds_every_true_count_that_the_margin_promises() -> None:
    made = plan(40, replace(ASKED, epsilon=Epsilon.of("1.5")))
    part = made.parts[0]
    for said, true in product(range(41), range(41)):
        value, margin, low, high, _ = lines(made, said)
        assert 0 <= low <= value <= high <= 40
        assert value - margin <= low
        assert high <= value + margin
        if abs(response.estimate(said, 40, part.scale) - true) <= part.half_width:
            assert low <= true <= high


@pytest.mark.parametrize("people", [1, 2, 7, 60])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
def test_the_margin_holds_95_times_in_100_for_every_true_count(people: int, epsilon: str) -> None:
    """By the exact law of what is said, not by draws."""
    made = plan(people, replace(ASKED, epsilon=Epsilon.of(epsilon)))
    p = made.parts[0].scale
    held = [lines(made, said)[2:4] for said in range(people + 1)]
    for true in range(people + 1):
        yes, no = (
            binom.pmf(range(true + 1), true, p),
            binom.pmf(range(people - true + 1), people - true, 1 - p),
        )
        law = np.convolve(yes, no)
        inside = sum(
            chance for chance, (low, high) in zip(law, held, strict=True) if low <= true <= high
        )
        assert inside >= 0.95 - 1e-9


def test_through_the_door_the_estimate_is_right_on_average() -> None:
    """Draws of 50 rows, 20 of them yes: the mean is within 6.5 of its deviations.

    A correct program fails with a probability below 1e-9.
    """
    made = plan(50)
    part = made.parts[0]
    bits = np.array([0] * 30 + [1] * 20, np.int64)
    door, draws = OpenDPDoor(), runs(short=150, full=4_000)
    said = [door.draw("q", Exact(bits), part.noise, 1)[0] for _ in range(draws)]
    p = part.scale
    found = float(sum(response.estimate(s, 50, p) for s in said) / draws)
    deviation = (50 * p * (1 - p) / draws) ** 0.5 / (2 * p - 1)
    assert abs(found - 20) < 6.5 * deviation


# --- beside noise on the count ------------------------------------------------------------------


def counted() -> Iterator[tuple[Query, Query]]:
    """The same question answered both ways at the same share."""
    for share in ({"epsilon": Epsilon.of("0.5")}, {"epsilon": None, "rho": Rho.of("0.1")}):
        asked = replace(ASKED, **share)
        yield asked, asked.having(statistic="count", has=(), where=YES)


def test_the_plan_says_what_noise_on_the_count_would_give() -> None:
    for asked, count in counted():
        here, there = plan(5_000, asked), plan(5_000, count)
        assert here.beside == there.half_width
        assert there.beside is None
        assert here.half_width is not None
        assert here.beside is not None
        assert here.half_width > 20 * here.beside


def test_both_half_widths_are_at_the_same_loss() -> None:
    made = plan(5_000, replace(ASKED, epsilon=Epsilon.of("0.5")))
    truth = made.parts[0].scale
    assert made.half_width == response.half_width(5_000, truth)
    assert made.beside == laplace.half_width(1 / response.loss(truth))


def test_its_curve_is_that_of_the_estimates_error() -> None:
    """Against the exact law of what is said by 1,000 rows, half of them yes."""
    made = plan(1_000)
    curve, p = noise_curve(made), made.parts[0].scale
    assert curve is not None
    said = np.arange(1_001)
    law = np.convolve(binom.pmf(np.arange(501), 500, p), binom.pmf(np.arange(501), 500, 1 - p))
    errors = (said - 1_000 * (1 - p)) / (2 * p - 1) - 500
    inside = np.abs(errors) < curve.x[-1]
    seen = law[inside] * (2 * p - 1)
    assert np.interp(errors[inside], curve.x, curve.density) == pytest.approx(seen, abs=5e-5)


def test_no_margin_is_wider_than_all_rows() -> None:
    made = plan(3, replace(ASKED, epsilon=Epsilon.of("0.01")))
    assert (made.half_width, made.beside) == (3, 3)
    assert lines(made, 2)[1:4] == [3, 0, 3]


def test_a_property_of_a_range_of_numbers() -> None:
    stay = replace(COLUMNS[0], missing="drop")
    asked = ASKED.having(has=(Between("stay", Decimal(1), Decimal(2)),))
    with pytest.raises(Exception, match="response-drops-rows"):
        compile_query(replace(study(5, asked), columns=(stay, *COLUMNS[1:])), asked)
