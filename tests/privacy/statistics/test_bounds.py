# SPDX-License-Identifier: Apache-2.0
"""Private bounds: a threshold of the noise alone, and bounds that can be declared."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics.bounds import threshold
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, Origin
from dpdesk.study.model.magnitudes import BITS, MAGNITUDES, offered
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.audit.length import runs
from tests.privacy import examples as ex
from tests.privacy.distributions.exact_gaussian import tail as gaussian_tail
from tests.privacy.distributions.exact_laplace import many_digits
from tests.privacy.distributions.exact_laplace import tail as laplace_tail

LAB = NumberColumn("lab", step=Decimal("0.1"), label="mg/l")
STUDY = replace(ex.STUDY, columns=(*ex.STUDY.columns, LAB))
ZCDP = replace(STUDY, budget=Budget("registry", rho=Rho.of(1)))
BOUNDS = Query("bounds", "bounds", ColumnParameters("lab"), epsilon=Epsilon.of("0.5"))
IN_RHO = replace(BOUNDS, epsilon=None, rho=Rho.of("0.05"))
WAYS = [pytest.param(BOUNDS, STUDY, id="laplace"), pytest.param(IN_RHO, ZCDP, id="gaussian")]


def plan(query: Query = BOUNDS, study: Any = STUDY) -> QueryPlan:
    return compiler.compile_query(study, query)


def counts(**rows: int) -> tuple[tuple[int, ...], ...]:
    """A vector with rows in some bins, named by their binary digits: ``p3``, ``n1``, ``zero``."""
    found = [0] * MAGNITUDES
    for name, number in rows.items():
        digits = 0 if name == "zero" else int(name[1:])
        found[BITS - digits if name[0] == "n" else BITS + digits] = number
    return (tuple(found),)


def released(query: Query, study: Any, noisy: Any) -> tuple[str, ...]:
    found = table(study, plan(query, study), noisy)
    assert [c.name for c in found.columns] == ["lower", "upper", "rows_found_from_95"]
    return found.rows[0]


@pytest.mark.parametrize(("query", "study"), WAYS)
def test_an_empty_bin_hardly_ever_passes(query: Query, study: Any) -> None:
    noise = plan(query, study).parts[0].noise
    least = threshold(noise)
    tail = laplace_tail if noise.mechanism == "laplace" else gaussian_tail
    with many_digits():
        assert MAGNITUDES * Decimal(tail(least, noise.scale)) / 2 <= Decimal("1e-9")
        assert MAGNITUDES * Decimal(tail(least - 1, noise.scale)) / 2 > Decimal("1e-9")


@pytest.mark.parametrize(("query", "study"), WAYS)
def test_a_full_bin_is_found_as_often_as_promised(query: Query, study: Any) -> None:
    """Above 2.5 % by 8 standard deviations is missed once in 10^15."""
    found = plan(query, study)
    (part,) = found.parts
    assert found.bound is not None
    full, draws = int(found.bound.distance), runs(short=2_000, full=20_000)
    exact = Exact(np.full(draws, full))
    drawn = np.array(OpenDPDoor().draw("b", exact, part.noise, part.sensitivity))
    missed = int((drawn <= threshold(part.noise)).sum())
    assert missed <= 0.025 * draws + 8 * (0.024375 * draws) ** 0.5


def test_the_bounds_reach_over_every_full_bin() -> None:
    assert released(BOUNDS, STUDY, counts(p5=900, p7=800, p20=3))[:2] == ("1.6", "12.8")
    assert released(BOUNDS, STUDY, counts(n3=900, p1=800))[:2] == ("-0.8", "0.2")
    assert released(BOUNDS, STUDY, counts(zero=900, p40=900))[:2] == ("0", "109951162777.6")
    assert released(BOUNDS, STUDY, counts(zero=900))[:2] == ("0", "0.1")


def test_too_few_values_are_an_answer_too() -> None:
    row = released(BOUNDS, STUDY, counts(p5=20))
    assert row[:2] == ("", "")
    assert int(row[2]) == plan().bound.distance


def test_one_row_moves_two_bins_at_most() -> None:
    (part,) = plan().parts
    assert (part.cells, part.sensitivity) == (MAGNITUDES, ex.PERSON.max_rows)
    (part,) = plan(study=replace(STUDY, unit=ex.REPLACED)).parts
    assert part.sensitivity == 2 * ex.REPLACED.max_rows


def test_declared_bounds_are_not_exceeded() -> None:
    query = BOUNDS.having(column="stay")
    assert released(query, STUDY, counts(p1=900, p4=900))[:2] == ("1", "14")
    assert released(query, STUDY, counts(p3=900))[:2] == ("4", "8")


@pytest.mark.parametrize(
    "ends", [(1, 5), (-3, 40), (-40, -39), (40, 40), (0, 0), (0, 1), (33, 34), (-35, 2)]
)
@pytest.mark.parametrize("step", ["1", "0.1", "0.001", "25"])
def test_what_is_offered_can_be_declared_and_holds_the_estimate(
    ends: tuple[int, int], step: str
) -> None:
    column = replace(LAB, step=Decimal(step))
    study = replace(STUDY, columns=(column,))
    first, last = (f"{'n' if d < 0 else 'p'}{abs(d)}" for d in ends)
    lower, upper, _ = released(BOUNDS, study, counts(**{first: 9_000, last: 9_000}))
    found = offered(column, Decimal(lower), Decimal(upper), 7)
    assert not list(check_column(found, ""))
    assert found.origin == Origin(release=7)
    assert found.lower is not None and found.upper is not None and found.step is not None
    assert found.lower <= Decimal(lower) < Decimal(upper) <= found.upper
    assert Fraction(found.step) / Fraction(column.step or 1) in [2**bits for bits in range(12)]


def test_what_is_offered_to_a_column_with_bounds_lies_on_its_grid() -> None:
    column = NumberColumn("n", Decimal("0.5"), Decimal("10.5"), Decimal(1))
    found = offered(column, Decimal("0.5"), Decimal(4), "")
    assert (found.lower, found.upper, found.step) == (Decimal("0.5"), Decimal("4.5"), 1)
    assert not list(check_column(found, ""))
