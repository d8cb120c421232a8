# SPDX-License-Identifier: Apache-2.0
"""The worked numbers of the introductions to differential privacy, computed by the program.

Sources: Dwork and Roth, The algorithmic foundations of differential privacy (2014); Wood and
others, Differential privacy: a primer for a non-technical audience (2018); Near and Abuah,
Programming differential privacy (2021).
"""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.accounting.calibrate import calibrated
from dpdesk.privacy.accounting.guess_probability import likelihood_ratio, right_in_100
from dpdesk.privacy.noise.door import DoorRefused, OpenDPDoor, loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.curves import averaging_curve
from dpdesk.privacy.planning.two_worlds import two_worlds
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

TENTH = Epsilon.of("0.1")
AGE = NumberColumn("age", Decimal(0), Decimal(110), Decimal(1), label="years")
FORTY = Replace(Decimal(40))
STUDY = Study(
    data=DataSource("people.csv"),
    unit=Unit(None),
    budget=Budget("people", Epsilon.of(10)),
    columns=(AGE,),
)


def plan(query: Query, study: Study = STUDY) -> QueryPlan:
    return compiler.compile_query(study, query)


def test_a_count_with_epsilon_a_tenth_has_noise_of_scale_ten() -> None:
    """Sensitivity 1, Laplace(1 / 0.1); within 30 in 95 of 100 (10 ln 20 = 29.96)."""
    found = plan(Query("count", epsilon=TENTH))
    assert math.isclose(found.parts[0].scale, 10, rel_tol=1e-12)
    assert found.half_width == 30


def test_a_sum_of_sensitivity_seven_at_a_half_has_noise_of_scale_fourteen() -> None:
    assert math.isclose(
        calibrated(Noise("laplace", 1.0), 7, Epsilon.of("0.5")).scale, 14, rel_tol=1e-12
    )


def test_the_mean_of_ages_from_0_to_110() -> None:
    """Where the number n is public and a person is replaced, the mean moves by at most 110 / n."""
    complete = replace(AGE, missing=FORTY, unparsable=FORTY)
    public = replace(STUDY, columns=(complete,), unit=Unit(None, 1, "change-one", people=1_000))
    found = plan(Query("mean", "mean", ColumnParameters("age"), epsilon=TENTH), public)
    (part,) = found.parts
    assert part.sensitivity == 110
    assert Fraction(part.sensitivity, 1_000) == Fraction("0.11")
    # Noise of scale 0.11 / 0.1 = 1.1 years on the mean; 95 in 100 within 1.1 ln 20 = 3.295.
    assert found.half_width is not None
    assert 3.29 < found.half_width < 3.30


@pytest.mark.threat("D1")
def test_the_mean_of_ages_where_the_number_is_secret() -> None:
    """Kulesza, Suresh and Wang (2023): both sums move by 110 together."""
    found = plan(Query("mean", "mean", ColumnParameters("age"), epsilon=TENTH, expected=1_000))
    assert [part.sensitivity for part in found.parts] == [110]
    assert [str(part.share) for part in found.parts] == ["0.1"]


@pytest.mark.threat("C6")
def test_k_queries_at_epsilon_each_cost_k_epsilon() -> None:
    queries = tuple(Query(f"q{i}", epsilon=TENTH) for i in range(10))
    total = compiler.compile(replace(STUDY, queries=queries)).total
    assert total == Epsilon.of(1)


def test_an_epsilon_of_ln_3_is_the_coin_of_randomised_response() -> None:
    """Tell the truth with a first coin, else toss again: true with 3/4, loss ln 3 = 1.0986."""
    assert math.isclose(loss(Noise("randomised-response", 0.75), 1), math.log(3))
    found = calibrated(Noise("randomised-response", 1.0), 1, Epsilon.of("1.098612"))
    assert 0.749999 < found.scale <= 0.75


def test_every_answer_is_at_most_e_epsilon_times_as_likely_with_a_person_as_without() -> None:
    worlds = two_worlds(plan(Query("count", epsilon=TENTH)))
    bound = likelihood_ratio(TENTH)
    assert worlds.ratio.max() <= bound * (1 + 1e-9)
    assert worlds.ratio.min() >= (1 - 1e-9) / bound


def test_a_guess_becomes_right_at_most_as_often_as_epsilon_allows() -> None:
    """e / (1 + e) = 0.731 at epsilon 1; 0.525 at 0.1."""
    assert (right_in_100(Epsilon.of(1)), right_in_100(TENTH)) == (74, 53)


def test_averaging_r_answers_divides_the_error_by_the_root_and_costs_r_shares() -> None:
    found = averaging_curve(TENTH, 100)
    assert math.isclose(found.error[99], 0.1)
    assert math.isclose(found.spent[99], 10)


def test_the_averaging_attack_on_a_thousand_answers() -> None:
    """A thousand answers of scale 10 to one count, averaged, betray it to within 2.

    Their average has a standard deviation of 10 sqrt(2 / 1000) = 0.447; it is off by more than
    2.9 once in 10^10. They would cost 100 of budget.
    """
    answer = Exact(np.full(1_000, 130, dtype=np.int64))
    drawn = OpenDPDoor().draw("attack", answer, Noise("laplace", 10.0), 1)
    assert abs(sum(drawn) / 1_000 - 130) < 2.9


@pytest.mark.threat("A13")
def test_the_classical_gaussian_formula_is_not_used_and_gaussian_noise_has_no_pure_epsilon() -> (
    None
):
    """sqrt(2 ln(1.25 / delta)) / epsilon is proven below epsilon 1 alone; rho needs no delta."""
    with pytest.raises(DoorRefused, match="no pure epsilon"):
        loss(Noise("gaussian", 1.0, "epsilon"), 1)
    zcdp = replace(STUDY, budget=Budget("people", rho=Rho.of(1)))
    (part,) = plan(Query("count", rho=Rho.of("0.005"), noise="gaussian"), zcdp).parts
    assert math.isclose(part.scale, 10)


def test_noise_is_the_same_whatever_the_answer_is() -> None:
    """The margin of a count of 5 is that of a count of 5 million."""
    found = plan(Query("count", epsilon=TENTH))
    assert found.half_width == plan(Query("again", epsilon=TENTH, expected=5_000_000)).half_width
