# SPDX-License-Identifier: Apache-2.0
"""Too noisy to use: the rule on numbers, on published tables, and on nothing else."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.usable import Possible, interval, is_half, is_too_noisy
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.privacy import examples as ex

COUNT = Possible(Fraction(0), None, is_total=True)
SHARE = Possible(Fraction(0), Fraction(1))
ends = st.one_of(st.none(), st.integers(-50, 50).map(Fraction))
numbers = st.integers(-200, 200).map(Fraction)


@pytest.mark.parametrize(
    ("value", "margin", "possible", "noisy"),
    [
        (60, 59, COUNT, False),
        (60, 60, COUNT, True),
        (-14, 60, COUNT, True),
        (-26, 14, COUNT, True),
        (0, 0, COUNT, False),
        (5, 9, replace(COUNT, highest=Fraction(6)), True),
        (-30, 20, Possible(None, Fraction(0), True), False),
        (-30, 30, Possible(None, Fraction(0), True), True),
        (30, 20, Possible(None, Fraction(0), True), True),
        (-30, 20, Possible(None, None, True), False),
        (30, 40, Possible(None, None, True), True),
        # A total that cannot be 0 is judged as a mean is.
        (500, 400, Possible(Fraction(100), Fraction(1000), True), False),
        (500, 450, Possible(Fraction(100), Fraction(1000), True), True),
        (Fraction(1, 2), Fraction(49, 100), SHARE, False),
        (Fraction(1, 2), Fraction(1, 2), SHARE, True),
        # A share, a rate and a variance say so, too, where they cannot be told from 0.
        (Fraction(3, 100), Fraction(3, 100), SHARE, True),
        (Fraction(4, 100), Fraction(3, 100), SHARE, False),
        (2, 3, Possible(Fraction(0), None), True),
        (2, 3, Possible(Fraction(-9), Fraction(9)), False),
        (None, 0, SHARE, True),
    ],
)
def test_the_rule(value: Fraction | None, margin: int, possible: Possible, noisy: bool) -> None:
    found = None if value is None else Fraction(value)
    assert is_too_noisy(found, Fraction(margin), possible) is noisy


@given(low=ends, high=ends, value=numbers, margin=numbers.map(abs), exact=numbers)
def test_cutting_takes_no_possible_value_out_of_an_interval(
    low: Fraction | None, high: Fraction | None, value: Fraction, margin: Fraction, exact: Fraction
) -> None:
    if low is not None and high is not None and low > high:
        low, high = high, low
    possible = Possible(low, high)
    shown = interval(value, margin, possible)
    is_possible = (low is None or low <= exact) and (high is None or exact <= high)
    if is_possible and abs(value - exact) <= margin:
        assert shown.low <= exact <= shown.high
        assert shown.nearest is None
    if shown.nearest is None:
        assert possible.nearest(shown.low) == shown.low <= shown.high
        assert possible.nearest(shown.high) == shown.high
    else:
        assert (shown.low, shown.high) == (value - margin, value + margin)
        assert possible.nearest(shown.nearest) == shown.nearest
        assert not shown.low <= shown.nearest <= shown.high


def test_only_what_has_two_ends_has_a_half() -> None:
    assert is_half(Fraction(1, 2), SHARE)
    assert not is_half(Fraction(10**9), COUNT)


def published(query: Query, *noisy: tuple[int, ...], unit: Unit | None = None) -> Table:
    study = ex.STUDY if unit is None else replace(ex.STUDY, unit=unit)
    return table(study, compile_query(study, query), noisy)


def shown(made: Table, *roles: str) -> list[tuple[str, ...]]:
    at = [next(i for i, c in enumerate(made.columns) if c.role == role) for role in roles]
    return [tuple(row[i] for i in at) for row in made.rows]


def test_where_nothing_possible_remains_the_interval_stays_beside_the_nearest_value() -> None:
    made = published(replace(ex.PEOPLE, by=()), (-100,))
    assert shown(made, "value", "half-width", "lowest", "highest", "nearest", "mark") == [
        ("-100", "30", "-130", "-70", "0", "yes")
    ]


def test_a_public_number_of_people_ends_a_count() -> None:
    unit = Unit("patient", 2, "change-one", people=40)
    query = Query("q", "count", epsilon=ex.TENTH, where=(IsIn("sex", ("Male",)),))
    (line,) = shown(published(query, (70,), unit=unit), "lowest", "highest", "nearest")
    assert line[1:] == ("80", "")
    (line,) = shown(published(query, (900,), unit=unit), "nearest", "mark")
    assert line == ("80", "no")


@pytest.mark.parametrize(
    ("bounds", "drawn", "ends"),
    [
        (("0", "10"), -3, ("0", None)),
        (("-10", "0"), 3, (None, "0")),
        (("-5", "5"), 0, (None, None)),
    ],
)
def test_a_sum_is_cut_where_its_values_cannot_go(
    bounds: tuple[str, str], drawn: int, ends: tuple[str | None, str | None]
) -> None:
    column = NumberColumn("a", Decimal(bounds[0]), Decimal(bounds[1]), Decimal(1))
    study = replace(ex.STUDY, columns=(column,))
    plan = compile_query(study, Query("q", "sum", ColumnParameters("a"), epsilon=ex.TENTH))
    margin = plan.parts[0].half_width
    (line,) = shown(table(study, plan, ((drawn,),)), "lowest", "highest", "mark")
    raw = (str(drawn - margin), str(drawn + margin))
    assert line == (ends[0] or raw[0], ends[1] or raw[1], "yes")


@given(st.integers(-10_000, 10_000), st.integers(-300, 300))
def test_a_mean_is_marked_by_what_is_printed_of_it(noisy_sum: int, noisy_count: int) -> None:
    made = published(replace(ex.MEAN, by=()), (noisy_sum, 13 * noisy_count - noisy_sum))
    ((value, margin, mark),) = shown(made, "value", "half-width", "mark")
    assert (mark == "yes") == (value == "" or 2 * Fraction(margin) >= 13)
