# SPDX-License-Identifier: Apache-2.0
"""What is said of a margin before the release is so, and is said of the margins that need it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.statistics.variance import mean_before
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.plan_report.accuracy import accuracy_text, mean_beside
from dpdesk.release.plan_report.planned_at import planned_at
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace, YesNoColumn
from dpdesk.study.model.conditions import IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.number_text import two_digits
from tests.study.baselines import BASELINE

NO_VALUE = Replace(Decimal(0))
STAY = NumberColumn("stay", Decimal(0), Decimal(60), Decimal(1), label="days")
LAB = NumberColumn("lab", Decimal(3), Decimal(20), Decimal("0.1"))
WHOLE = replace(STAY, name="whole", missing=NO_VALUE, unparsable=NO_VALUE)
STUDY = Study(
    unit=Unit("id", 1),
    columns=(
        *(STAY, LAB, WHOLE),
        CategoryColumn("ward", values=("A", "B", "C")),
        YesNoColumn("died", yes=("y",), no=("n",)),
    ),
)
DIED, AGES = (IsIn("died", ("y",)),), (Decimal(20), Decimal(40))
RATE: dict[str, Any] = {"column": "stay", "has": DIED, "per": 1000}
OVER = {**RATE, "over": "lab", "edges": (Decimal(6), Decimal(9))}
ANY = "margin for any standard deviation: for most it is several times narrower"
TENFOLD = "a group a tenth as large has about ten times the margin"


def asked(statistic: Any, expected: int | None = 2_000, **members: Any) -> Query:
    query = Query("q", by=members.pop("by", ()), epsilon=Epsilon.of(1), expected=expected)
    return query.having(statistic=statistic, **members)


def said(query: Query) -> str:
    plan = compile_query(STUDY, query)
    return "; ".join(planned_at(STUDY, plan, ReleaseWords.of("en")))


def margin(query: Query) -> float:
    return float(compile_query(STUDY, query).accuracy or 0)


def test_a_margin_of_noise_alone_takes_nothing_for_granted() -> None:
    for query in (asked("count", by=("ward",)), asked("sum", column="lab")):
        assert said(query) == ""


@pytest.mark.parametrize(
    ("members", "needed"),
    [
        ({"statistic": "mean", "column": "lab"}, "lab"),
        ({"statistic": "mean", "column": "whole"}, ""),
        ({"statistic": "share", "has": DIED}, "died"),
        ({"statistic": "share", "has": (IsMissing("lab"),)}, ""),
        ({"statistic": "rate", **RATE}, "died and stay"),
        ({"statistic": "standardised-rate", **OVER, "standard": "own"}, "died, stay and lab"),
    ],
)
def test_rows_without_a_value_are_no_part_of_the_estimate(
    members: dict[str, Any], needed: str
) -> None:
    """A laboratory value that a third of the rows has makes a margin three times the planned."""
    if "standard" in members:
        members = {**members, "weights": (Decimal(1),) * 3}
    text = said(asked(**members))
    assert text.startswith("margin with an estimate of 2000 rows in a group")
    assert (f"only rows with a value of {needed} count" in text) == bool(needed)
    assert needed or "with a value of" not in text


@pytest.mark.parametrize(
    "members",
    [
        {"statistic": "mean", "column": "stay"},
        {"statistic": "share", "has": DIED},
        {"statistic": "variance", "column": "stay", "expected_deviation": Decimal(9)},
        {"statistic": "standard-deviation", "column": "stay", "expected_deviation": Decimal(9)},
        {"statistic": "rate", **RATE},
        {"statistic": "survival", "column": "stay", "edges": (*AGES, Decimal(60)), "has": DIED},
        {"statistic": "standardised-ratio", **OVER, "reference": (Decimal(1),) * 3},
    ],
)
def test_a_group_a_tenth_as_large_has_about_ten_times_the_margin(members: dict[str, Any]) -> None:
    large = asked(**members, expected=20_000, by=("ward",))
    small = replace(large, expected=2_000)
    assert TENFOLD in said(large)
    assert 8 < margin(small) / margin(large) < 13
    assert TENFOLD not in said(replace(large, by=()))


def test_a_deviation_that_nobody_declared_is_any() -> None:
    """A custodian who reads no more than the margin would pay for one many times narrower."""
    query = asked("standard-deviation", column="stay", by=("ward",))
    assert ANY in said(query)
    assert TENFOLD not in said(query), "it falls with the root of the size"
    known = query.having(expected_deviation=Decimal(9))
    assert ANY not in said(known) and "at a standard deviation of 9" in said(known)
    assert margin(query) > 3 * margin(known)


def test_a_variance_is_hardly_surer_where_a_deviation_is_known() -> None:
    query = asked("variance", column="stay", by=("ward",))
    assert ANY not in said(query) and TENFOLD in said(query)
    assert margin(query) < 1.3 * margin(query.having(expected_deviation=Decimal(9)))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            asked("survival", column="stay", edges=(*AGES, Decimal(60)), has=DIED),
            "margin without censoring: with fewer at risk it is wider",
        ),
        (
            asked("standardised-ratio", **OVER, reference=(Decimal(1),) * 3),
            "margin with rows spread evenly over 3 age groups; at a ratio of 1",
        ),
        (asked("linear-model", None, column="stay", columns=("lab",)), "margin of sums"),
    ],
)
def test_what_nobody_can_type_is_said(query: Query, text: str) -> None:
    assert text in said(query)


def test_of_a_table_1_the_margin_of_the_mean_is_said_too() -> None:
    """Its document and the shell had that of the standard deviation alone."""
    words = ReleaseWords.of("en")
    plans = [compile_query(BASELINE, query) for query in BASELINE.queries]
    said = {plan.query.component: accuracy_text(BASELINE, plan, words) for plan in plans}
    moments = {c for c in said if c is not None and c.figures == "moments"}
    for plan in plans:
        text, is_of_mean = said[plan.query.component], plan.query.component in moments
        assert text.startswith("mean ± ") == is_of_mean == (mean_beside(plan) is not None)
        if is_of_mean:
            mean, spread = mean_before(plan), plan.half_width
            assert mean is not None and spread is not None and mean < spread
            shown = [f"± {two_digits(one)} years" for one in (mean, spread)]
            assert text == f"mean {shown[0]}, standard deviation {shown[1]}"
    assert moments
    (alone,) = [replace(p.query, component=None) for p in plans if p.query.component in moments][:1]
    assert accuracy_text(BASELINE, compile_query(BASELINE, alone), words).startswith("± ")


def test_a_linear_model_says_what_its_coefficients_need() -> None:
    """In the unit of the outcome; each share changes it."""
    asked_for = asked("linear-model", column="stay", columns=("lab", "died"))
    wide, narrow = said(asked_for), said(replace(asked_for, epsilon=Epsilon.of(10)))
    assert wide.startswith("margin of sums over rows, each value taken as a number from −1 to 1; ")
    for text in (wide, narrow):
        found = re.search(
            r"the coefficients need about ([\d,]+) rows; with ([\d,]+) rows their margins are "
            r"± ([\d.]+) days for lab and ± ([\d.]+) days for died; this is for columns",
            text,
        )
        assert found is not None
        needed, size = (int(found[at].replace(",", "")) for at in (1, 2))
        assert size == 10 * needed
    assert wide != narrow
