# SPDX-License-Identifier: Apache-2.0
"""Categories found in the data: threshold and delta by exact tails, what passes, what is said.

The claim of delta is measured with 200,000 categories that one person alone has, through the
noise that is shipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp

import numpy as np
import pytest
from scipy.stats import binomtest

from dpdesk.exact import Exact, ExactTexts, Int64Vector
from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.distributions.threshold import found_from, threshold_for
from dpdesk.privacy.noise.door import Door, DoorRefused, OpenDPDoor, loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics.categories_found import found_sensitivity
from dpdesk.study import limits
from dpdesk.study.model.amount import Delta, Rho
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.detectors import shows
from tests.audit.length import runs, some

ASKED = Query(
    "q",
    "categories-found",
    CategoriesFoundParameters("drug", delta=Delta.of("1e-10")),
    rho=Rho.of("0.1"),
)
NOISES = [Noise("laplace", scale, "rho") for scale in (0.5, 1.0, 5.0, 40.0)]
NOISES += [Noise("gaussian", scale, "rho") for scale in (0.5, 1.0, 5.0, 40.0)]
ONE = ExactTexts(["a"], np.array([1], np.int64))


def study(unit: Unit | None = None, query: Query = ASKED) -> Study:
    return Study(
        "S",
        data=DataSource("t.csv"),
        unit=unit or Unit("pid", 3),
        budget=Budget("a", rho=Rho.of(10)),
        columns=(CategoryColumn("drug", label="pills"),),
        queries=(query,),
    )


def plan(unit: Unit | None = None, query: Query = ASKED) -> QueryPlan:
    return compile_query(study(unit, query), query)


def upper(noise: Noise, least: int) -> Decimal:
    """P(X >= least) for least >= 1 by the definition of the noise, to 50 digits."""
    with localcontext() as context:
        context.prec = 50
        scale = Decimal(noise.scale)
        if noise.mechanism == "laplace":
            p = (-1 / scale).exp()
            return p**least / (1 + p)
        weights = [(-((Decimal(x) / scale) ** 2) / 2).exp() for x in range(round(60 * noise.scale))]
        return sum(weights[least:], Decimal(0)) / (2 * sum(weights) - 1)


# --- the threshold ------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", some(NOISES, 3), ids=str)
@pytest.mark.parametrize("categories", [1, 2, 50, 10_000])
@pytest.mark.parametrize("delta", ["0.01", "5e-7", "1e-10", "1e-18"])
def test_the_threshold_is_the_smallest_that_keeps_delta(
    noise: Noise, categories: int, delta: str
) -> None:
    found = threshold_for(noise, categories, Delta.of(delta))

    def fails(threshold: int) -> Decimal:
        """1 - (1 - P(1 + X >= threshold))^categories."""
        with localcontext() as context:
            context.prec = 50
            each = upper(noise, threshold - 1)
            return 1 - (1 - each) ** categories

    assert fails(found) <= Decimal(delta)
    assert found == 2 or fails(found - 1) > Decimal(delta)
    said = shows(noise, found, categories)
    assert fails(found) <= Decimal(said) <= fails(found) * (1 + Decimal("2e-9"))


def test_a_threshold_counts_the_person_whom_it_hides() -> None:
    """opendp#2922: at scale 1 and threshold 5 a singleton shows 0.0134 of the time, not 0.0049."""
    noise = Noise("laplace", 1.0, "rho")
    assert shows(noise, 5) == pytest.approx(exp(-4) / (1 + exp(-1)), rel=1e-8)
    assert shows(noise, 5) == pytest.approx(0.01339, abs=1e-5)


def test_nothing_is_hidden_without_a_delta() -> None:
    with pytest.raises(ValueError, match="needs a delta"):
        threshold_for(NOISES[0], 1, Delta(0))


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_what_enough_people_have_is_found_95_times_in_100(noise: Noise) -> None:
    threshold = threshold_for(noise, 3, Delta.of("1e-9"))
    enough = found_from(noise, threshold)
    below = enough - threshold
    assert upper(noise, below + 1) <= Decimal("0.05")
    assert below == 0 or upper(noise, below) > Decimal("0.05")


# --- measured -----------------------------------------------------------------------------------

SINGLETONS = runs(short=15_000, full=200_000)
ALMOST_NEVER = 1e-9


@pytest.mark.threat("B7")
@pytest.mark.audit
@pytest.mark.parametrize("noise", [Noise("laplace", s, "rho") for s in (1.0, 2.0, 5.0)] + [
    Noise("gaussian", s, "rho") for s in (1.0, 5.0)], ids=str)  # fmt: skip
@pytest.mark.parametrize("categories", [1, 5])
@pytest.mark.in_turn(6)
def test_whoever_is_alone_shows_as_often_as_claimed_and_no_more(
    noise: Noise, categories: int
) -> None:
    """Each of so many categories has one person, who has ``categories`` of them.

    The claim is delta = 0.01 a person. An honest program fails with probability 1e-9 at most.
    """
    delta = Delta.of("0.01")
    cut = replace(noise, threshold=threshold_for(noise, categories, delta))
    people = SINGLETONS // categories
    texts = [f"{person}/{i}" for person in range(people) for i in range(categories)]
    sealed = ExactTexts(texts, np.ones(len(texts), np.int64))
    given = [text for text, _ in all_found(sealed, cut)]
    showed = len({text.split("/")[0] for text in given})
    over = binomtest(showed, people, 0.01, alternative="greater").pvalue
    assert over > ALMOST_NEVER
    exact = 1 - (1 - float(upper(noise, (cut.threshold or 0) - 1))) ** categories
    assert exact <= 0.01
    assert binomtest(showed, people, exact).pvalue > ALMOST_NEVER


def all_found(sealed: ExactTexts, noise: Noise) -> list[tuple[str, int]]:
    """What the real door gives out, without the limit on how many."""

    class Unlimited(OpenDPDoor):
        def find(self, name, texts, counts, noise, sensitivity):  # type: ignore[no-untyped-def]
            found: list[tuple[str, int]] = []
            for start in range(0, len(texts), limits.MAX_FOUND):
                here = slice(start, start + limits.MAX_FOUND)
                found += super().find(name, texts[here], counts[here], noise, sensitivity)
            return tuple(found)

    return list(Unlimited().draw_found("q.people", sealed, noise, 1))


@pytest.mark.threat("B7")
@pytest.mark.audit
def test_a_threshold_that_is_one_too_low_is_seen() -> None:
    """The measurement can fail: as the library's own claim would, which leaves the 1 out."""
    noise = Noise("laplace", 1.0, "rho")
    low = replace(noise, threshold=threshold_for(noise, 1, Delta.of("0.01")) - 1)
    people = 200_000  # fewer do not tell one step of the threshold apart
    sealed = ExactTexts([str(i) for i in range(people)], np.ones(people, np.int64))
    showed = len(all_found(sealed, low))
    assert binomtest(showed, people, 0.01, alternative="greater").pvalue < ALMOST_NEVER


# --- what it costs ------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["auto", "laplace", "gaussian"])
@pytest.mark.parametrize(
    "unit", [Unit("pid", 1), Unit("pid", 7), Unit("pid", 7, "change-one", 50), Unit(None)]
)
def test_one_person_moves_k_counts_or_twice_as_many_by_one_each(unit: Unit, noise: str) -> None:
    made = plan(unit, replace(ASKED, noise=noise))
    part = made.parts[0]
    twice = 2 if unit.neighbours == "change-one" else 1
    assert part.sensitivity == twice * unit.max_rows == found_sensitivity(unit)
    assert part.loss == loss(part.noise, part.sensitivity)
    assert Fraction(part.loss) <= Fraction(1, 10)
    assert part.noise.threshold == threshold_for(part.noise, unit.max_rows, Delta.of("1e-10"))
    assert made.delta == Delta.of("1e-10")
    assert made.share == Rho.of("0.1")


def test_the_noise_is_that_which_finds_the_rarer_categories() -> None:
    few = {n: plan(Unit("pid", 1), replace(ASKED, noise=n)).parts[0].noise.threshold
           for n in ("auto", "laplace", "gaussian")}  # fmt: skip
    many = {n: plan(Unit("pid", 40), replace(ASKED, noise=n)).parts[0].noise.threshold
            for n in ("auto", "laplace", "gaussian")}  # fmt: skip
    for found in (few, many):
        assert found["auto"] == min(found["laplace"], found["gaussian"])
    assert many["gaussian"] < many["laplace"]


def test_the_plan_says_from_how_many_people_on_a_category_is_found() -> None:
    made = plan()
    noise = made.parts[0].noise
    assert made.found_from == found_from(noise, noise.threshold or 0)
    assert made.half_width == made.parts[0].half_width
    assert made.lines == ()


# --- through the door ---------------------------------------------------------------------------


class Silent(Door):
    """A door without noise."""

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        return tuple(int(v) for v in values)


def sealed(counts: dict[str, int]) -> ExactTexts:
    return ExactTexts(list(counts), np.array(list(counts.values()), np.int64))


CUT = Noise("laplace", 2.0, "rho", threshold=20)


@pytest.mark.threat("B12")
def test_what_reaches_the_threshold_comes_out_in_an_order_of_its_own() -> None:
    counts = {"z": 20, "b": 19, "c": 50, "a": 20, "é": 1, "d": 21}
    found = Silent().draw_found("q", sealed(counts), CUT, 3)
    assert found == (("c", 50), ("d", 21), ("a", 20), ("z", 20))
    backwards = dict(reversed(counts.items()))
    assert Silent().draw_found("q", sealed(backwards), CUT, 3) == found


def test_the_most_common_come_out_where_there_are_too_many() -> None:
    counts = {str(i): 20 + i for i in range(limits.MAX_FOUND + 9)}
    found = Silent().draw_found("q", sealed(counts), CUT, 3)
    assert len(found) == limits.MAX_FOUND
    assert found[-1][1] == 29


@pytest.mark.parametrize("door", [Silent(), OpenDPDoor()])
def test_where_nothing_is_there_nothing_is_found(door: Door) -> None:
    assert door.draw_found("q", sealed({}), CUT, 3) == ()


def test_the_real_door_finds_what_many_have_and_not_what_one_has() -> None:
    """Counts 40 scales above and below the threshold: either fails less often than e^-40."""
    noise = Noise("laplace", 0.25, "rho", threshold=20)
    found = OpenDPDoor().draw_found("q", sealed({"many": 40, "one": 1}), noise, 3)
    assert [text for text, _ in found] == ["many"]


@pytest.mark.parametrize(
    "draw",
    [
        lambda door: door.draw_found("q", ONE, replace(CUT, threshold=None), 1),
        lambda door: door.draw_found("q", ONE, replace(CUT, threshold=1), 1),
        lambda door: door.draw_found("q", ONE, Noise("noisy-max", 1.0, "rho", threshold=9), 1),
        lambda door: door.draw_found("q", ONE, replace(CUT, scale=0.0), 1),
        lambda door: door.draw_found("q", ONE, CUT, 0),
        lambda door: door.draw_found("q", Exact(np.array([1], np.int64)), CUT, 1),
        lambda door: door.draw("q", Exact(np.array([1], np.int64)), CUT, 1),
        lambda door: door.draw("q", ONE, replace(CUT, threshold=None), 1),
    ],
)
def test_texts_leave_above_a_threshold_alone(draw: Callable[[Door], object]) -> None:
    with pytest.raises(DoorRefused):
        draw(Silent())


# --- what is published --------------------------------------------------------------------------


def test_the_table_says_each_category_with_its_margin() -> None:
    made = plan()
    width = made.parts[0].half_width
    found = table(study(), made, ((500, width),), ("Aspirin", "=1+1"))
    assert [(c.name, c.role, c.unit) for c in found.columns] == [
        ("category", "found", ""),
        ("people", "value", ""),
        ("half_width_95", "half-width", ""),
        ("lowest_95", "lowest", ""),
        ("highest_95", "highest", ""),
        ("noisy_people", "part", ""),
        ("nearest_possible", "nearest", ""),
        ("too_noisy", "mark", ""),
    ]
    assert found.rows == (
        ("Aspirin", "500", str(width), str(500 - width), str(500 + width), "500", "", "no"),
        ("=1+1", str(width), str(width), "1", str(2 * width), str(width), "", "yes"),
    )


def test_a_declared_code_has_its_name_beside_it_and_others_none() -> None:
    column = CategoryColumn("drug", ("B01", "N02"), labels=("Heparin", "Aspirin"))
    named = replace(study(), columns=(column,))
    made = compile_query(named, ASKED)
    found = table(named, made, ((500, 400),), ("N02", "X99"))
    assert [c.role for c in found.columns[:3]] == ["found", "label", "value"]
    assert [row[:3] for row in found.rows] == [("N02", "Aspirin", "500"), ("X99", "", "400")]


def test_the_deltas_of_a_plan_add_up() -> None:
    twice = replace(study(), queries=(ASKED, replace(ASKED, id="again"), Query("n", rho=Rho.of(1))))
    assert compile(twice).delta == Delta.of("2e-10")


def test_a_table_may_be_empty() -> None:
    assert table(study(), plan(), ((),), ()).rows == ()


def test_counts_of_what_was_found_are_published_in_their_form() -> None:
    whole = replace(study(), rounding=10)
    asked = compile_query(whole, ASKED)
    made = table(whole, asked, ((104, 96),), found=("a", "b"))
    at = [column.role for column in made.columns].index("value")
    assert [row[at] for row in made.rows] == ["100", "100"]
    # A count of 0 is never published, so nothing is said of what it would cost.
    assert (made.rounded_to, made.excess) == (10, "")
