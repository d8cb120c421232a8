# SPDX-License-Identifier: Apache-2.0
"""What keeps a study from being compiled: each mistake with its place and its suggestion."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.columns import (
    CategoryColumn,
    CellReading,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.periods import Period
from dpdesk.study.model.queries import Query, SyntheticRows
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Problem
from dpdesk.texts.problems import sentence

STAY = NumberColumn("stay", lower=Decimal(1), upper=Decimal(14), step=Decimal(1))
SEX = CategoryColumn("sex", values=("Female", "Male"))
DEAD = YesNoColumn("dead", yes=("1", "yes"), no=("0", "no"))
ADMITTED = DateColumn("admitted", date(2020, 1, 1), date(2024, 12, 31))
COUNT = Query("count", epsilon=Epsilon.of("0.1"))
MEAN = Query("mean", "mean", ColumnParameters("stay"), epsilon=Epsilon.of("0.1"))
MEDIAN = MEAN.having(statistic="median")
QUANTILES = MEAN.having(statistic="quantiles", quantiles=(Decimal("0.5"),))
HAS = (IsIn("dead", ("1",)),)
FOUND = COUNT.having(
    statistic="categories-found",
    column="sex",
    epsilon=None,
    rho=Rho.of("0.1"),
    delta=Delta.of("0.0000000001"),
)
BY_ROWS = COUNT.having(statistic="rows-per-person", top_code=10)
SHARE = COUNT.having(statistic="share", has=HAS)
RATE = MEAN.having(statistic="rate", has=HAS, per=1_000)
SURVIVAL = MEAN.having(statistic="survival", has=HAS, edges=(Decimal(7),))
AT_RISK = {"entry_edges": (Decimal(7),), "late": "last-bin"}
INCIDENCE = SURVIVAL.having(statistic="cumulative-incidence")
MODEL = MEAN.having(statistic="linear-model", columns=("dead",))
AGED = RATE.having(
    statistic="standardised-rate", over="sex", standard="own", weights=(Decimal(1), Decimal(3))
)
EXPECTED = AGED.having(statistic="standardised-ratio", reference=(Decimal(1), Decimal(3)))
EXPECTED = replace(EXPECTED, stray=())
SPREAD = MEAN.having(statistic="standard-deviation")
BOUNDS = MEAN.having(statistic="bounds")
AGES = MEAN.having(statistic="distribution", edges=(Decimal(7),))
COMMON = COUNT.having(statistic="most-common", column="sex")
ILL = COMMON.having(column=None, columns=("dead", "ill"))
CUT = MEAN.having(
    statistic="cut-off", candidates=(Decimal(2), Decimal(7)), score="value-times-count"
)
CLOSE = CUT.having(score="closest-to-target", target=50)
COUNTED = COUNT.having(statistic="count-people", population=True)
WIDE_STAY = NumberColumn("stay", Decimal(1 - 2**31), Decimal(2**31 - 1), Decimal(2))
FINE = NumberColumn("stay", Decimal(0), Decimal(140), Decimal("0.000001"))
GOOD = Study(
    data=DataSource("stays.csv", missing=("?",)),
    unit=Unit("patient", max_rows=3),
    budget=Budget("registry", Epsilon.of("1")),
    columns=(STAY, SEX, DEAD, ADMITTED),
    queries=(COUNT,),
)


class Case(NamedTuple):
    """How a good study is spoilt, and the problem that follows."""

    spoil: Callable[[Study], Study]
    path: str
    code: str
    params: Mapping[str, str] = {}


def data(**members: Any) -> Callable[[Study], Study]:
    return lambda s: replace(s, data=replace(s.data or DataSource(), **members))


def unit(**members: Any) -> Callable[[Study], Study]:
    return lambda s: replace(s, unit=replace(s.unit or Unit(), **members))


def budget(account: str, epsilon: str | None) -> Callable[[Study], Study]:
    amount = None if epsilon is None else Epsilon.of(epsilon)
    return lambda s: replace(s, budget=Budget(account, amount))


def stay(**members: str | None) -> Callable[[Study], Study]:
    made = {k: Decimal(v) if v is not None else v for k, v in members.items()}
    return lambda s: replace(s, columns=(replace(STAY, **made), SEX, DEAD, ADMITTED))


def rule(key: str, constant: Decimal | str) -> Callable[[Study], Study]:
    ruled = replace(STAY, **{key: Replace(constant)})
    return lambda s: replace(s, columns=(ruled, SEX, DEAD, ADMITTED))


def sex(**members: Any) -> Callable[[Study], Study]:
    return lambda s: replace(s, columns=(STAY, replace(SEX, **members), DEAD, ADMITTED))


def read_as(cell: str, value: str) -> Callable[[Study], Study]:
    read = replace(STAY, reads=(CellReading(cell, Decimal(value)),))
    return lambda s: replace(s, columns=(read, SEX, DEAD, ADMITTED))


def labelled(*labels: str) -> Callable[[Study], Study]:
    return sex(values=("1", "2"), labels=labels)


def dead(**members: Any) -> Callable[[Study], Study]:
    return lambda s: replace(s, columns=(STAY, SEX, replace(DEAD, **members), ADMITTED))


def admitted(**members: Any) -> Callable[[Study], Study]:
    return lambda s: replace(s, columns=(STAY, SEX, DEAD, replace(ADMITTED, **members)))


def query(base: Query = COUNT, **members: Any) -> Callable[[Study], Study]:
    return lambda s: replace(s, queries=(base.having(**members),))


def where(condition: Any) -> Callable[[Study], Study]:
    return query(where=(condition,))


def unbounded(asked: Query = BOUNDS, **members: Any) -> Callable[[Study], Study]:
    """A study that asks for the bounds of the stay, which it does not declare."""
    column = replace(STAY, **{"lower": None, "upper": None, **members})
    columns = (column, SEX, DEAD, ADMITTED)
    return lambda s: replace(s, columns=columns, queries=(asked,))


def quantiles(*probabilities: str) -> Callable[[Study], Study]:
    return query(QUANTILES, quantiles=tuple(map(Decimal, probabilities)))


def candidates(*values: str) -> Callable[[Study], Study]:
    return query(MEDIAN, candidates=tuple(map(Decimal, values)))


def bins(*edges: str) -> Callable[[Study], Study]:
    return query(by=(Bins("stay", tuple(map(Decimal, edges))),))


def admitted_by(period: Period, **members: Any) -> Callable[[Study], Study]:
    """A cross-table of sex, 25 bins of the stay and a period of the admission."""
    edges = tuple(map(Decimal, range(2, 26)))
    asked = replace(COUNT, by=("sex", Bins("stay", edges), Periods("admitted", period)))
    stay = replace(STAY, upper=Decimal(50))
    declared = (stay, SEX, DEAD, replace(ADMITTED, **members))
    return lambda s: replace(s, columns=declared, queries=(asked,))


def response(**changes: Any) -> Callable[[Study], Study]:
    """A randomised response of people with one row each, changed."""
    units = ("neighbours", "max_rows", "people")
    own = {"max_rows": 1, "neighbours": "change-one", "people": 9}
    own |= {key: changes.pop(key) for key in units if key in changes}
    own["people"] = own["people"] if own["neighbours"] == "change-one" else None

    def spoil(study: Study) -> Study:
        asked = SHARE.having(statistic="randomised-response", has=(IsMissing("dead"),))
        unit = replace(study.unit, **own)  # type: ignore[type-var]
        return replace(study, unit=unit, queries=(asked.having(**changes),))

    return spoil


def found(**changes: Any) -> Callable[[Study], Study]:
    """A query for categories found in the data, changed, in an account with a delta."""
    asked = FOUND.having(**changes)
    return lambda study: replace(study, budget=Budget("a", rho=Rho.of(1)), queries=(asked,))


WIDE = (
    CategoryColumn("a", values=tuple(f"a{i}" for i in range(400))),
    CategoryColumn("b", values=tuple(f"b{i}" for i in range(251))),
)
MOST_ROWS = {"most": "10000"}
WORDS = {"most": "40"}
LONG = {"most": "15"}
COLUMN = "$.columns[0]"
QUERY = "$.queries[0]"
WEIGHTS = f"{QUERY}.weights"
DATE = "$.columns[3]"
LABELS = "$.columns[1].labels"
YEARS = {"least": "1800", "most": "2500"}
PIVOTS = {"least": "1800", "most": "2401"}
SPAN = (date(2021, 1, 1), date(2021, 12, 31))
NEVER = {"value": "Other", "name": "sex"}

DECLARED = [
    Case(lambda s: replace(s, data=None), "$.data.path", "data-not-chosen"),
    Case(data(path=""), "$.data.path", "data-not-chosen"),
    Case(data(separator=""), "$.data.separator", "separator-unknown"),
    Case(data(separator=";;"), "$.data.separator", "separator-unknown"),
    Case(data(decimal=",", quotes=False), "$.data.decimal", "decimal-is-separator"),
    Case(data(thousands="."), "$.data.thousands", "thousands-is-decimal"),
    Case(data(row_names=True, header_row=0), "$.data.row_names", "row-names-without-header"),
    Case(data(line_breaks=True, quotes=False), "$.data.line_breaks", "line-breaks-without-quotes"),
    Case(data(header_row=1001), "$.data.header_row", "header-row-out-of-range"),
    Case(data(header_row=-1), "$.data.header_row", "header-row-out-of-range"),
    Case(data(format="excel", header_row=1), "$.data.sheet", "sheet-not-chosen"),
    Case(data(format="excel", sheet="A"), "$.data.header_row", "header-row-not-chosen"),
    Case(
        data(encoding="utf-7"),
        "$.data.encoding",
        "encoding-unknown",
        {"choices": "utf-8, latin-1, cp1252, utf-16, utf-16-be, iso-8859-15, cp1250, cp850"},
    ),
    Case(lambda s: replace(s, unit=None), "$.unit", "unit-not-declared"),
    Case(unit(max_rows=0), "$.unit.max_rows", "max-rows-out-of-range", MOST_ROWS),
    Case(unit(max_rows=10_001), "$.unit.max_rows", "max-rows-out-of-range", MOST_ROWS),
    Case(unit(person=None), "$.unit.max_rows", "max-rows-without-person"),
    Case(unit(neighbours="change-one"), "$.unit.people", "people-not-declared"),
    Case(unit(people=70_000), "$.unit.people", "people-declared-but-secret"),
    Case(unit(neighbours="change-one", people=0), "$.unit.people", "people-out-of-range"),
    Case(unit(neighbours="change-one", people=2**31 + 1), "$.unit.people", "people-out-of-range"),
    Case(unit(row_name="stay"), "$.unit.row_names", "unit-name-wanted"),
    Case(unit(person_names="patients"), "$.unit.person_name", "unit-name-wanted"),
    Case(
        lambda s: unit(person=None, max_rows=1)(data(fill_down=True)(s)),
        "$.data.fill_down",
        "fill-down-without-person",
    ),
    Case(
        lambda s: unit(without_id="one-person")(data(fill_down=True)(s)),
        "$.data.fill_down",
        "fill-down-of-one-person",
    ),
    Case(budget("", "1"), "$.budget.account", "account-not-chosen"),
    Case(budget("My account", "1"), "$.budget.account", "name-malformed", WORDS),
    Case(budget("a\n", "1"), "$.budget.account", "name-malformed", WORDS),
    Case(budget("registry", None), "$.budget.epsilon", "budget-not-declared"),
    Case(budget("registry", "0"), "$.budget.epsilon", "budget-not-declared"),
    Case(lambda s: replace(s, queries=()), "$.queries", "no-queries"),
]


def comma(study: Study) -> Study:
    """The number with a decimal comma of its own."""
    first = replace(study.columns[0], decimal=",")  # type: ignore[call-arg]
    return replace(study, columns=(first, *study.columns[1:]))


COLUMNS = [
    Case(sex(name=""), "$.columns[1].name", "column-nameless"),
    Case(sex(name=" "), "$.columns[1].name", "column-nameless"),
    Case(unit(person="sex"), "$.columns[1].name", "column-is-person", {"name": "sex"}),
    Case(unit(person=" sex "), "$.columns[1].name", "column-is-person", {"name": "sex"}),
    Case(stay(lower=None), f"{COLUMN}.lower", "lower-not-declared", {"name": "stay"}),
    Case(stay(upper=None), f"{COLUMN}.upper", "upper-not-declared", {"name": "stay"}),
    Case(stay(step=None), f"{COLUMN}.step", "step-not-declared", {"name": "stay"}),
    Case(
        lambda study: data(thousands=",")(comma(study)),
        f"{COLUMN}.decimal",
        "thousands-is-decimal",
    ),
    Case(
        lambda study: data(quotes=False)(comma(study)),
        f"{COLUMN}.decimal",
        "decimal-is-separator",
    ),
    Case(
        stay(lower="40", upper="22"),
        f"{COLUMN}.upper",
        "upper-not-above-lower",
        {"lower": "40", "suggestion": "220"},
    ),
    Case(
        stay(lower="2.50", upper="2.5"),
        f"{COLUMN}.upper",
        "upper-not-above-lower",
        {"lower": "2.5", "suggestion": "25"},
    ),
    Case(
        stay(lower="400", upper="4"), f"{COLUMN}.upper", "upper-not-above-lower", {"lower": "400"}
    ),
    Case(stay(lower="0", upper="-1"), f"{COLUMN}.upper", "upper-not-above-lower", {"lower": "0"}),
    Case(stay(step="0"), f"{COLUMN}.step", "step-not-positive"),
    Case(stay(step="-1"), f"{COLUMN}.step", "step-not-positive"),
    Case(
        stay(step="2"), f"{COLUMN}.step", "step-does-not-divide", {"range": "13", "suggestion": "1"}
    ),
    Case(
        stay(lower="0.5", step="0.4"),
        f"{COLUMN}.step",
        "step-does-not-divide",
        {"range": "13.5", "suggestion": "0.1"},
    ),
    Case(
        stay(lower="0", upper="1000000000", step="0.3"),
        f"{COLUMN}.step",
        "step-does-not-divide",
        {"range": "1000000000"},
    ),
    Case(stay(lower="0", upper="2147483648"), f"{COLUMN}.step", "grid-too-fine"),
    Case(stay(lower="-2147483648", upper="0"), f"{COLUMN}.step", "grid-too-fine"),
    Case(stay(lower="0.0000001", upper="1000.0000001"), f"{COLUMN}.step", "grid-too-fine"),
    Case(stay(upper="14.00000000000001"), f"{COLUMN}.upper", "number-too-long", LONG),
    Case(stay(lower="-1e400"), f"{COLUMN}.lower", "number-too-long", LONG),
    Case(stay(step="1e-31"), f"{COLUMN}.step", "number-too-long", LONG),
    Case(stay(upper="NaN"), f"{COLUMN}.upper", "number-too-long", LONG),
    Case(rule("missing", Decimal(15)), f"{COLUMN}.missing.replace", "constant-outside-bounds"),
    Case(rule("unparsable", "4"), f"{COLUMN}.unparsable.replace", "constant-outside-bounds"),
    Case(rule("outside", Decimal("0.9")), f"{COLUMN}.outside.replace", "constant-outside-bounds"),
    Case(
        rule("outside", Decimal("1.00000000000000001")),
        f"{COLUMN}.outside.replace",
        "number-too-long",
        LONG,
    ),
    Case(sex(values=()), "$.columns[1].values", "values-not-declared"),
    Case(sex(values=("Female", " ")), "$.columns[1].values[1]", "value-blank"),
    Case(sex(values=("a", " a")), "$.columns[1].values[1]", "value-twice", {"value": "a"}),
    Case(sex(values=("?",)), "$.columns[1].values[0]", "value-means-missing", {"value": "?"}),
    Case(
        sex(values=("9", "a"), missing_values=(" 9",)),
        "$.columns[1].values[0]",
        "value-means-missing",
        {"value": "9"},
    ),
    Case(
        sex(values=("(other)",)), "$.columns[1].values[0]", "value-reserved", {"value": "(other)"}
    ),
    Case(
        sex(values=("1", "2"), labels=("Female",)),
        "$.columns[1].labels",
        "labels-count-differs",
        {"labels": "1", "values": "2"},
    ),
    Case(labelled("Female", " "), f"{LABELS}[1]", "label-blank"),
    Case(labelled("a", " a"), f"{LABELS}[1]", "label-twice", {"label": "a"}),
    Case(labelled("\u00e9", "e\u0301"), f"{LABELS}[1]", "label-twice", {"label": "\u00e9"}),
    Case(labelled("a", "1"), f"{LABELS}[1]", "label-is-other-value", {"label": "1"}),
    Case(labelled("a", "?"), f"{LABELS}[1]", "label-means-missing", {"label": "?"}),
    Case(labelled("(missing)", "b"), f"{LABELS}[0]", "label-reserved", {"label": "(missing)"}),
    Case(labelled("(other)", "b"), f"{LABELS}[0]", "label-reserved", {"label": "(other)"}),
    Case(sex(unknown=Replace("Other")), "$.columns[1].unknown.replace", "constant-not-a-value"),
    Case(sex(missing=Replace(Decimal(1))), "$.columns[1].missing.replace", "constant-not-a-value"),
    Case(dead(yes=()), "$.columns[2].yes", "values-not-declared"),
    Case(dead(no=("no", "")), "$.columns[2].no[1]", "value-blank"),
    Case(dead(no=("yes",)), "$.columns[2].no", "value-twice", {"value": "yes"}),
    Case(dead(missing=Replace("yes")), "$.columns[2].missing.replace", "constant-not-a-value"),
    Case(read_as("10", "5"), f"{COLUMN}.reads[0].cell", "reading-of-number", {"value": "10"}),
    Case(read_as("1,000.5", "5"), f"{COLUMN}.reads[0].cell", "reading-of-number"),
    Case(read_as(" ", "5"), f"{COLUMN}.reads[0].cell", "value-blank"),
    Case(read_as("?", "5"), f"{COLUMN}.reads[0].cell", "value-means-missing"),
    Case(read_as("14+", "1E+40"), f"{COLUMN}.reads[0].as", "number-too-long"),
    Case(admitted(name=""), f"{DATE}.name", "column-nameless"),
    Case(admitted(first=None), f"{DATE}.first", "first-not-declared", {"name": "admitted"}),
    Case(admitted(last=None), f"{DATE}.last", "last-not-declared", {"name": "admitted"}),
    Case(
        admitted(last=date(2019, 12, 31)),
        f"{DATE}.last",
        "days-reversed",
        {"first": "2020-01-01", "last": "2019-12-31"},
    ),
    Case(admitted(first=date(1799, 12, 31)), f"{DATE}.first", "year-out-of-range", YEARS),
    Case(admitted(format="D.M.YY"), f"{DATE}.pivot", "pivot-not-declared"),
    Case(admitted(format="D.M.YY", pivot=2402), f"{DATE}.pivot", "pivot-out-of-range", PIVOTS),
    Case(admitted(pivot=1799), f"{DATE}.pivot", "pivot-out-of-range", PIVOTS),
    Case(admitted(last=date(2501, 1, 1)), f"{DATE}.last", "year-out-of-range", YEARS),
    Case(admitted(first=date(20, 1, 1)), f"{DATE}.first", "year-out-of-range", YEARS),
    Case(
        admitted(first=date(1900, 1, 1), last=date(2100, 1, 2)),
        f"{DATE}.last",
        "period-too-long",
        {"most": "200"},
    ),
    Case(admitted(missing=Replace("2019-12-31")), f"{DATE}.missing.replace", "constant-not-a-day"),
    Case(
        admitted(unparsable=Replace("01.01.2021"), format="DD.MM.YYYY"),
        f"{DATE}.unparsable.replace",
        "constant-not-a-day",
        {"first": "2020-01-01", "last": "2024-12-31"},
    ),
    Case(
        admitted(outside=Replace(Decimal(20210101))),
        f"{DATE}.outside.replace",
        "constant-not-a-day",
    ),
]

QUERIES = [
    Case(query(id="Count of people"), f"{QUERY}.id", "name-malformed", WORDS),
    Case(query(id="-a"), f"{QUERY}.id", "name-malformed", WORDS),
    Case(query(id="../a"), f"{QUERY}.id", "name-malformed", WORDS),
    Case(query(id="a" * 41), f"{QUERY}.id", "name-malformed", WORDS),
    Case(query(id="a\n"), f"{QUERY}.id", "name-malformed", WORDS),
    Case(query(id="con"), f"{QUERY}.id", "name-of-device", {"name": "con"}),
    Case(query(id="lpt9"), f"{QUERY}.id", "name-of-device", {"name": "lpt9"}),
    Case(query(epsilon=None), f"{QUERY}.epsilon", "share-not-set"),
    Case(query(epsilon=Epsilon(0)), f"{QUERY}.epsilon", "share-not-set"),
    Case(query(epsilon=Epsilon(100_000_001)), f"{QUERY}.epsilon", "epsilon-too-large"),
    Case(query(expected=0), f"{QUERY}.expected", "expected-out-of-range"),
    Case(query(expected=2**31 + 1), f"{QUERY}.expected", "expected-out-of-range"),
    Case(query(column="stay"), f"{QUERY}.column", "column-not-wanted"),
    Case(query(MEAN, column=None), f"{QUERY}.column", "column-wanted"),
    Case(query(MEAN, column="age"), f"{QUERY}.column", "column-undeclared", {"name": "age"}),
    Case(query(MEAN, column="sex"), f"{QUERY}.column", "column-not-a-number", {"name": "sex"}),
    Case(query(by=("age",)), f"{QUERY}.by[0]", "column-undeclared", {"name": "age"}),
    Case(query(by=("patient",)), f"{QUERY}.by[0]", "column-is-person", {"name": "patient"}),
    Case(query(by=("sex", "stay")), f"{QUERY}.by[1]", "grouping-by-number", {"name": "stay"}),
    Case(query(by=("admitted",)), f"{QUERY}.by[0]", "grouping-by-date", {"name": "admitted"}),
    Case(query(MEAN, column="admitted"), f"{QUERY}.column", "column-not-a-number"),
    Case(query(by=("sex", "sex")), f"{QUERY}.by", "grouping-twice"),
    Case(
        lambda s: replace(s, columns=WIDE, queries=(replace(COUNT, by=("a", "b")),)),
        f"{QUERY}.by",
        "too-many-cells",
        {"cells": "100400", "most": "100000"},
    ),
    Case(where(IsMissing("age")), f"{QUERY}.where[0].column", "column-undeclared"),
    Case(where(IsIn("sex", ())), f"{QUERY}.where[0].in", "condition-empty"),
    Case(where(IsIn("stay", ("1",))), f"{QUERY}.where[0]", "condition-wants-category"),
    Case(
        where(IsIn("sex", ("Male", "Other"))),
        f"{QUERY}.where[0].in[1]",
        "condition-unknown-value",
        NEVER,
    ),
    Case(
        where(IsNotIn("sex", ("Other",))),
        f"{QUERY}.where[0].not_in[0]",
        "condition-unknown-value",
        NEVER,
    ),
    Case(query(MEDIAN, has=HAS), f"{QUERY}.has", "member-not-wanted", {"statistic": "median"}),
    Case(query(MEDIAN, noise="laplace"), f"{QUERY}.noise", "noise-not-wanted"),
    Case(query(noise="gaussian"), f"{QUERY}.noise", "gaussian-needs-zcdp"),
    Case(query(MEDIAN, whole_numbers=True), f"{QUERY}.whole_numbers", "whole-numbers-not-counts"),
    *(
        Case(lambda s, n=n: replace(s, rounding=n), "$.rounding", "rounding-unknown")
        for n in (0, 1, 3, -5, 50)
    ),
    Case(
        query(SURVIVAL),
        f"{QUERY}.of",
        "survival-many-rows",
    ),
    *(
        Case(
            lambda s, own=own: replace(
                query(SURVIVAL, **({"entry": "age"} | own))(s),
                unit=Unit(),
                columns=(*s.columns, NumberColumn("age", Decimal(0), Decimal(90), Decimal(1))),
            ),
            f"{QUERY}.{place}",
            code,
            params,
        )
        for own, place, code, params in (
            ({"entry": None, "late": "last-bin"}, "entry", "entry-wanted", {}),
            ({"entry": "stay", **AT_RISK}, "entry", "entry-is-the-time", {}),
            ({"entry": "sex", **AT_RISK}, "entry", "column-not-a-number", {"name": "sex"}),
            ({"late": "last-bin"}, "entry_edges", "entry-edges-missing", {}),
            ({"entry_edges": (Decimal(7),)}, "late", "entry-late-missing", {}),
            (
                {"entry_edges": (Decimal(8),), "late": "last-bin"},
                "entry_edges[0]",
                "entry-edge-no-begin",
                {"value": "8", "begins": "7"},
            ),
            (
                {
                    **AT_RISK,
                    "column": "age",
                    "entry": "stay",
                    "edges": tuple(map(Decimal, range(1, 61))),
                },
                "edges",
                "entry-too-many-bins",
                {"most": "60"},
            ),
        )
    ),
    *(
        Case(
            lambda s, has=has: replace(query(INCIDENCE, has=has)(s), unit=Unit()),
            f"{QUERY}.has",
            code,
            params,
        )
        for has, code, params in (
            ((*HAS, IsIn("sex", ("Male",))), "incidence-kinds", {}),
            ((IsMissing("dead"),), "incidence-kinds", {}),
            ((IsIn("sex", ("Male",) * 6),), "incidence-many-kinds", {"most": "5"}),
        )
    ),
    *(
        Case(query(MODEL, columns=columns), f"{QUERY}.columns{place}", code, params)
        for columns, place, code, params in (
            ((), "", "model-columns-wanted", {}),
            (("dead", "dead"), "[1]", "value-twice", {"value": "dead"}),
            (("sex",), "[0]", "model-column-kind", {"name": "sex"}),
            (("stay",), "[0]", "model-explains-itself", {"name": "stay"}),
            (("gone",), "[0]", "column-undeclared", {"name": "gone"}),
        )
    ),
    Case(query(MODEL, by=("sex",)), f"{QUERY}.by", "groupings-not-wanted"),
    Case(
        lambda s: replace(query(SURVIVAL, times=(Decimal(5),))(s), unit=Unit()),
        f"{QUERY}.times[0]",
        "survival-time-no-end",
    ),
    Case(
        lambda s: replace(query(MEDIAN)(s), synthetic_rows=SyntheticRows()),
        "$.synthetic_rows",
        "synthetic-no-count",
    ),
    Case(
        lambda s: replace(
            query(by=("sex",))(s), synthetic_rows=SyntheticRows("rows", ("sex", "age"))
        ),
        "$.synthetic_rows.none_alone_in[1]",
        "synthetic-not-counted",
        {"name": "age"},
    ),
    Case(query(MEDIAN, population=True), f"{QUERY}.population", "population-not-known"),
    Case(query(population=True), f"{QUERY}.population", "population-several-rows"),
    Case(
        lambda s: replace(query(MEAN, population=True)(s), unit=Unit()),
        f"{QUERY}.population",
        "population-no-variance",
    ),
    Case(
        lambda s: replace(
            s,
            columns=(replace(WIDE[0], values=tuple(f"a{i}" for i in range(501))),),
            queries=(replace(COUNTED, by=("a",)),),
        ),
        f"{QUERY}.population",
        "population-cells",
        {"cells": "501", "most": "500"},
    ),
    Case(
        # Of 60 bins, two parts and five groups; 14 bins of entries are no lines of their own.
        lambda s: replace(
            query(
                INCIDENCE,
                population=True,
                entry="stay",
                entry_edges=tuple(map(Decimal, range(2, 15))),
                late="last-bin",
                edges=tuple(map(Decimal, range(1, 60))),
                column="age",
                by=("a",),
            )(s),
            unit=Unit(),
            columns=(
                *s.columns,
                NumberColumn("age", Decimal(0), Decimal(90), Decimal(1)),
                replace(WIDE[0], values=tuple(f"a{i}" for i in range(5))),
            ),
        ),
        f"{QUERY}.population",
        "population-cells",
        {"cells": "600", "most": "500"},
    ),
    Case(
        query(COUNTED, population=False, rows_per_group=1, by=("dead",)),
        f"{QUERY}.rows_per_group",
        "group-limit-of-statistic",
    ),
    Case(query(rows_per_group=1, by=()), f"{QUERY}.rows_per_group", "group-limit-without-groups"),
    *(
        Case(
            query(rows_per_group=most, by=("dead",)),
            f"{QUERY}.rows_per_group",
            "group-limit-out-of-range",
            {"most": "2"},
        )
        for most in (0, -1, 3, 4)
    ),
    Case(
        lambda s: replace(
            query(rows_per_group=1, by=("dead",))(s), unit=replace(s.unit, max_rows=1)
        ),
        f"{QUERY}.rows_per_group",
        "group-limit-one-row",
    ),
    Case(query(rho=Rho.of("0.1")), f"{QUERY}.rho", "share-measure-differs", {"wanted": "epsilon"}),
    Case(query(SHARE, has=()), f"{QUERY}.has", "has-wanted"),
    Case(query(QUANTILES, quantiles=()), f"{QUERY}.quantiles", "quantiles-wanted"),
    Case(quantiles("0.5", "1"), f"{QUERY}.quantiles[1]", "quantile-out-of-range"),
    Case(quantiles("0"), f"{QUERY}.quantiles[0]", "quantile-out-of-range"),
    Case(quantiles("0.1234"), f"{QUERY}.quantiles[0]", "quantile-too-fine"),
    Case(quantiles("0.5", "0.5"), f"{QUERY}.quantiles[1]", "number-twice", {"value": "0.5"}),
    Case(quantiles("0.5", "0.2"), f"{QUERY}.quantiles[1]", "values-not-rising"),
    Case(candidates("1"), f"{QUERY}.candidates", "candidates-too-few"),
    Case(candidates("1", "1"), f"{QUERY}.candidates[1]", "number-twice"),
    Case(candidates("1", "1.5"), f"{QUERY}.candidates[1]", "candidate-not-on-grid"),
    Case(candidates("0", "2"), f"{QUERY}.candidates[0]", "candidate-not-on-grid"),
    Case(
        lambda s: replace(s, columns=(FINE,), queries=(MEDIAN,)),
        f"{QUERY}.candidates",
        "too-many-candidates",
        {"count": "140000001", "most": "100000"},
    ),
    Case(query(COMMON, column=None), f"{QUERY}.column", "groups-wanted"),
    Case(query(COMMON, column="stay"), f"{QUERY}.column", "column-without-groups"),
    Case(query(COMMON, column="admitted"), f"{QUERY}.column", "column-without-groups"),
    Case(query(COMMON, column="age"), f"{QUERY}.column", "column-undeclared", {"name": "age"}),
    Case(query(COMMON, columns=("dead",)), f"{QUERY}.columns", "column-and-columns"),
    Case(query(COMMON, by=("sex",)), f"{QUERY}.by[0]", "grouping-is-choice", {"name": "sex"}),
    Case(query(COMMON, top=0), f"{QUERY}.top", "top-out-of-range", {"most": "2"}),
    Case(query(COMMON, top=3), f"{QUERY}.top", "top-out-of-range", {"most": "2"}),
    Case(query(COMMON, noise="laplace"), f"{QUERY}.noise", "noise-not-wanted"),
    Case(query(COMMON, score="value-times-count"), f"{QUERY}.score", "member-not-wanted"),
    Case(
        query(COMMON, top=2, epsilon=Epsilon(1)),
        f"{QUERY}.epsilon",
        "share-too-small-to-split",
        {"least": "0.000002", "draws": "2"},
    ),
    Case(
        lambda s: replace(s, columns=(replace(SEX, values=("Female",)),), queries=(COMMON,)),
        f"{QUERY}.column",
        "choice-of-one",
        {"name": "sex"},
    ),
    Case(
        lambda s: replace(s, columns=WIDE, queries=(COMMON.having(column="a", top=51),)),
        f"{QUERY}.top",
        "top-out-of-range",
        {"most": "50"},
    ),
    Case(
        lambda s: replace(s, columns=WIDE, queries=(COMMON.having(column="a", by=("b",)),)),
        f"{QUERY}.by",
        "too-many-cells",
        {"cells": "100400", "most": "100000"},
    ),
    Case(query(ILL, columns=("dead",)), f"{QUERY}.columns", "columns-too-few"),
    Case(query(ILL, columns=("dead", "dead")), f"{QUERY}.columns[1]", "value-twice"),
    Case(query(ILL, columns=("dead", "sex")), f"{QUERY}.columns[1]", "column-not-yes-no"),
    Case(query(ILL), f"{QUERY}.columns[1]", "column-undeclared", {"name": "ill"}),
    Case(query(ILL, columns=("dead", "patient")), f"{QUERY}.columns[1]", "column-is-person"),
    Case(query(CUT, column=None), f"{QUERY}.column", "column-wanted"),
    Case(query(CUT, column="sex"), f"{QUERY}.column", "column-not-a-number"),
    Case(query(CUT, candidates=()), f"{QUERY}.candidates", "candidates-wanted"),
    Case(query(CUT, candidates=(Decimal(2),)), f"{QUERY}.candidates", "candidates-too-few"),
    Case(query(CUT, candidates=(Decimal(2), Decimal(2))), f"{QUERY}.candidates[1]", "number-twice"),
    Case(query(CUT, score=None), f"{QUERY}.score", "score-wanted"),
    Case(
        query(CUT, score="loudest"),
        f"{QUERY}.score",
        "score-without-sensitivity",
        {"score": "loudest", "choices": "value-times-count, closest-to-target"},
    ),
    Case(query(CUT, target=50), f"{QUERY}.target", "target-not-wanted"),
    Case(query(CLOSE, target=None), f"{QUERY}.target", "target-wanted"),
    Case(query(CLOSE, target=0), f"{QUERY}.target", "target-out-of-range"),
    Case(query(CLOSE, target=2**31 + 1), f"{QUERY}.target", "target-out-of-range"),
    Case(query(CUT, noise="laplace"), f"{QUERY}.noise", "noise-not-wanted"),
    Case(
        lambda s: replace(
            s,
            columns=(WIDE_STAY,),
            queries=(CUT.having(candidates=(WIDE_STAY.lower, WIDE_STAY.upper)),),
        ),
        f"{QUERY}.candidates",
        "candidates-too-far-apart",
    ),
    Case(response(has=()), f"{QUERY}.has", "has-wanted"),
    Case(response(neighbours="add-remove"), f"{QUERY}.statistic", "response-rows-secret"),
    Case(response(max_rows=2), f"{QUERY}.statistic", "response-many-rows"),
    Case(
        response(people=100_001),
        f"{QUERY}.statistic",
        "response-too-many-rows",
        {"most": "100000"},
    ),
    Case(query(BY_ROWS, where=HAS), f"{QUERY}.where", "rows-per-person-condition"),
    Case(query(BY_ROWS, by=("sex",)), f"{QUERY}.by", "groupings-not-wanted"),
    Case(query(BY_ROWS, top_code=None), f"{QUERY}.top_code", "top-code-wanted"),
    Case(query(BY_ROWS, top_code=1), f"{QUERY}.top_code", "top-code-out-of-range", {"most": "100"}),
    Case(
        query(BY_ROWS, top_code=101), f"{QUERY}.top_code", "top-code-out-of-range", {"most": "100"}
    ),
    Case(query(RATE, has=()), f"{QUERY}.has", "has-wanted"),
    Case(query(RATE, column=None), f"{QUERY}.column", "column-wanted"),
    Case(query(RATE, per=None), f"{QUERY}.per", "rate-per-wanted"),
    Case(
        query(RATE, per=12),
        f"{QUERY}.per",
        "rate-per-unknown",
        {"choices": "1, 100, 1000, 10000, 100000"},
    ),
    *(
        Case(
            query(SPREAD, expected_deviation=Decimal(deviation)),
            f"{QUERY}.expected_deviation",
            "expected-deviation-out-of-range",
            {"name": "stay"},
        )
        for deviation in ("0", "-1", "45.1")
    ),
    Case(query(RATE, typical=Decimal(0)), f"{QUERY}.typical", "rate-typical-not-positive"),
    *(
        Case(
            lambda s, mean=mean: replace(
                stay(lower="2")(s), queries=(RATE.having(expected_exposure=Decimal(mean)),)
            ),
            f"{QUERY}.expected_exposure",
            "expected-exposure-out-of-range",
            {"name": "stay"},
        )
        for mean in ("0", "1.9", "90.5")
    ),
    Case(
        lambda s: replace(stay(lower="-1")(s), queries=(RATE,)),
        f"{QUERY}.column",
        "rate-exposure-negative",
        {"name": "stay"},
    ),
    Case(query(AGED, over=None), f"{QUERY}.over", "age-groups-wanted"),
    Case(query(AGED, by=("sex",)), f"{QUERY}.over", "age-groups-twice", {"name": "sex"}),
    Case(query(AGED, over="stay"), f"{QUERY}.over", "grouping-by-number", {"name": "stay"}),
    Case(
        query(AGED, over="stay", edges=(Decimal(99),)),
        f"{QUERY}.edges[0]",
        "edge-not-on-grid",
        {"value": "99", "name": "stay"},
    ),
    Case(
        lambda s: replace(
            s,
            columns=(STAY, replace(SEX, values=tuple(map(str, range(101)))), DEAD),
            queries=(AGED,),
        ),
        f"{QUERY}.over",
        "age-groups-many",
        {"most": "100"},
    ),
    Case(query(AGED, standard=None), f"{QUERY}.standard", "standard-wanted"),
    Case(query(AGED, standard="segi"), WEIGHTS, "weights-of-standard"),
    Case(
        query(AGED, standard="segi", weights=()),
        f"{QUERY}.standard",
        "standard-groups-differ",
        {"group": "Female", "firsts": ", ".join(map(str, range(0, 90, 5)))},
    ),
    Case(
        query(AGED, weights=(Decimal(1),)),
        WEIGHTS,
        "one-number-a-group",
        {"numbers": "1", "groups": "2"},
    ),
    Case(query(AGED, weights=(Decimal(-1), Decimal(2))), f"{WEIGHTS}[0]", "number-below-zero"),
    Case(query(AGED, weights=(Decimal(0), Decimal(0))), WEIGHTS, "numbers-all-zero"),
    Case(query(EXPECTED, reference=()), f"{QUERY}.reference", "reference-wanted"),
    Case(query(COUNT, top_code=3), f"{QUERY}.top_code", "member-not-wanted"),
    Case(
        lambda s: replace(s, unit=Unit(), queries=(BY_ROWS,)),
        f"{QUERY}.statistic",
        "rows-per-person-without-person",
    ),
    Case(response(where=(IsMissing("dead", False),)), f"{QUERY}.where", "response-condition"),
    Case(response(by=("sex",)), f"{QUERY}.by", "groupings-not-wanted"),
    Case(response(noise="laplace"), f"{QUERY}.noise", "response-noise"),
    Case(response(has=HAS), f"{QUERY}.has[0]", "response-drops-rows", {"name": "dead"}),
    Case(found(delta=None), f"{QUERY}.delta", "delta-wanted"),
    Case(found(delta=Delta.of("0.0000005000001")), f"{QUERY}.delta", "query-delta-too-large"),
    Case(found(column=None), f"{QUERY}.column", "category-wanted"),
    Case(found(column="dead"), f"{QUERY}.column", "column-not-a-category", {"name": "dead"}),
    Case(found(by=("dead",)), f"{QUERY}.by", "groupings-not-wanted"),
    Case(
        lambda s: replace(
            found()(s),
            budget=s.budget,
            queries=(replace(FOUND, rho=None, epsilon=Epsilon.of("0.1")),),
        ),
        f"{QUERY}.statistic",
        "found-needs-zcdp",
    ),
    Case(
        lambda s: replace(
            found()(s),
            columns=(STAY, replace(SEX, values=()), DEAD),
            queries=(
                FOUND,
                FOUND.having(id="b", statistic="count", column=None, delta=None, by=("sex",)),
            ),
        ),
        "$.columns[1].values",
        "values-not-declared",
    ),
    Case(query(delta=Delta.of("0.0000001")), f"{QUERY}.delta", "member-not-wanted"),
    Case(unbounded(step=None), f"{COLUMN}.step", "step-not-declared"),
    Case(unbounded(step=Decimal(0)), f"{COLUMN}.step", "step-not-positive"),
    Case(unbounded(step=Decimal("0.00012345")), f"{COLUMN}.step", "step-too-long", {"bits": "40"}),
    Case(unbounded(upper=Decimal(9)), f"{COLUMN}.lower", "lower-not-declared"),
    Case(unbounded(missing=Replace("x")), f"{COLUMN}.missing.replace", "constant-outside-bounds"),
    Case(
        unbounded(missing=Replace(Decimal("1.2345678901234567"))),
        f"{COLUMN}.missing.replace",
        "number-too-long",
    ),
    Case(
        unbounded(replace(BOUNDS, where=(Between("stay", Decimal(1), Decimal(2)),))),
        f"{QUERY}.where[0]",
        "condition-without-bounds",
        {"name": "stay"},
    ),
    Case(query(BOUNDS, by=("sex",)), f"{QUERY}.by", "groupings-not-wanted"),
    Case(query(BOUNDS, column="sex"), f"{QUERY}.column", "column-not-a-number"),
    Case(query(BOUNDS, column=None), f"{QUERY}.column", "column-wanted"),
    Case(query(AGES, edges=()), f"{QUERY}.edges", "edges-missing"),
    Case(query(AGES, edges=(Decimal(15),)), f"{QUERY}.edges[0]", "edge-not-on-grid"),
    Case(query(AGES, edges=(Decimal(7), Decimal(7))), f"{QUERY}.edges[1]", "number-twice"),
    Case(
        query(AGES, by=("sex", "dead", Bins("stay", (Decimal(7),)))),
        f"{QUERY}.by",
        "too-many-groupings",
        {"most": "2"},
    ),
    Case(query(MEDIAN, edges=(Decimal(7),)), f"{QUERY}.edges", "member-not-wanted"),
    Case(bins(), f"{QUERY}.by[0].edges", "edges-missing"),
    Case(bins("1"), f"{QUERY}.by[0].edges[0]", "edge-not-on-grid"),
    Case(bins("7", "99"), f"{QUERY}.by[0].edges[1]", "edge-not-on-grid"),
    Case(bins("7", "3"), f"{QUERY}.by[0].edges[1]", "values-not-rising"),
    Case(query(by=(Bins("sex", (Decimal(1),)),)), f"{QUERY}.by[0]", "bins-of-no-number"),
    Case(
        query(by=(Periods("sex", "month"),)),
        f"{QUERY}.by[0]",
        "period-of-no-date",
        {"name": "sex"},
    ),
    Case(query(by=(Periods("stay", "year"),)), f"{QUERY}.by[0]", "period-of-no-date"),
    Case(query(by=(Bins("admitted", ()),)), f"{QUERY}.by[0]", "bins-of-no-number"),
    Case(
        query(by=(Periods("admitted", "weekday"), Periods("admitted", "year"))),
        f"{QUERY}.by",
        "grouping-twice",
    ),
    Case(
        admitted_by("month", first=date(1900, 1, 1), last=date(2099, 12, 31)),
        f"{QUERY}.by",
        "too-many-cells",
        {"cells": "120000", "most": "100000"},
    ),
    Case(admitted_by("month", first=None), f"{DATE}.first", "first-not-declared"),
    Case(
        lambda s: replace(
            s,
            budget=Budget("a", Epsilon.of(1), Rho.of(1)),
            queries=(replace(COUNT, epsilon=None, rho=Rho.of("0.1")),),
        ),
        "$.budget.rho",
        "budget-twice",
    ),
    Case(
        where(IsIn("dead", ("no",))),
        f"{QUERY}.where[0].in[0]",
        "condition-unknown-value",
        {"value": "no", "name": "dead"},
    ),
    Case(
        where(Between("sex", Decimal(1), Decimal(2))),
        f"{QUERY}.where[0]",
        "condition-wants-number",
    ),
    Case(
        where(Between("stay", Decimal(3), Decimal(2))),
        f"{QUERY}.where[0].between",
        "between-reversed",
    ),
    Case(where(IsIn("admitted", ("2021-01-01",))), f"{QUERY}.where[0]", "condition-wants-days"),
    Case(
        where(Between("admitted", Decimal(1), Decimal(2))),
        f"{QUERY}.where[0]",
        "condition-wants-days",
    ),
    Case(where(DateBetween("sex", *SPAN)), f"{QUERY}.where[0]", "condition-wants-date"),
    Case(where(DateBetween("stay", *SPAN)), f"{QUERY}.where[0]", "condition-wants-category"),
    Case(where(DateBetween("age", *SPAN)), f"{QUERY}.where[0].column", "column-undeclared"),
    Case(
        where(DateBetween("admitted", SPAN[1], SPAN[0])),
        f"{QUERY}.where[0].to",
        "days-reversed",
        {"first": "2021-12-31", "last": "2021-01-01"},
    ),
    Case(
        where(Between("stay", Decimal(3), Decimal("1e31"))),
        f"{QUERY}.where[0].between[1]",
        "number-too-long",
        LONG,
    ),
]


def short(case: Case) -> str:
    return f"{case.path} {case.code}"


def test_a_choice_of_groups_columns_and_cut_offs_has_no_problem() -> None:
    ill = YesNoColumn("ill", yes=("1",), no=("0",))
    queries = (COMMON, COMMON.having(top=2, by=("dead",)), ILL, CUT, CLOSE)
    named = tuple(replace(q, id=f"q{i}") for i, q in enumerate(queries))
    assert check(replace(GOOD, columns=(*GOOD.columns, ill), queries=named)) == ()


def test_a_good_study_has_no_problem() -> None:
    assert check(GOOD) == ()


@pytest.mark.parametrize("case", [*DECLARED, *COLUMNS, *QUERIES], ids=short)
def test_one_mistake_gives_one_problem_at_its_place(case: Case) -> None:
    found = check(case.spoil(GOOD))
    assert [(p.path, p.code) for p in found] == [(case.path, case.code)]
    if case.params:
        assert dict(found[0].params) == dict(case.params)
    assert sentence(found[0])


@pytest.mark.parametrize(
    "spoil",
    [
        admitted(first=date(1900, 1, 1), last=date(2100, 1, 1)),
        admitted(first=date(2000, 2, 29), last=date(2200, 2, 28)),
        admitted(last=ADMITTED.first),
        admitted(missing=Replace("2020-01-01"), unparsable=Replace("2024-12-31"), outside="clamp"),
        where(DateBetween("admitted", date(1700, 1, 1), date(9999, 12, 31))),
        where(DateBetween("admitted", SPAN[0], SPAN[0])),
        where(IsMissing("admitted")),
    ],
)
def test_dates_that_are_as_they_should_be(spoil: Callable[[Study], Study]) -> None:
    assert check(spoil(GOOD)) == ()


def test_a_column_in_which_categories_are_looked_for_needs_no_values() -> None:
    study = replace(found()(GOOD), columns=(*GOOD.columns[:1], replace(SEX, values=()), DEAD))
    assert check(study) == ()
    both = (FOUND, replace(FOUND, id="again", where=(IsMissing("dead"),)))
    assert check(replace(study, queries=both)) == ()


def test_four_groupings_are_too_many() -> None:
    others = tuple(CategoryColumn(name, values=("old",)) for name in ("age", "ward"))
    study = replace(GOOD, columns=(SEX, DEAD, *others))
    asked = replace(COUNT, by=("sex", "dead", "age", "ward"))
    found = check(replace(study, queries=(asked,)))
    assert [(p.path, p.code) for p in found] == [(f"{QUERY}.by", "too-many-groupings")]


@pytest.mark.parametrize(
    ("first", "second"),
    [("length of stay", " length  of stay"), ("Fall\u00e9", "Falle\u0301"), ("a b", "a\u00a0b")],
)
def test_two_names_of_one_column_of_the_file_are_that_column_twice(first: str, second: str) -> None:
    columns = (replace(STAY, name=first), replace(SEX, name=second), DEAD)
    found = [(p.path, p.code) for p in check(replace(GOOD, columns=columns, queries=(COUNT,)))]
    assert ("$.columns[0].name", "column-twice") in found
    assert ("$.columns[1].name", "column-twice") in found


def test_what_is_there_twice_is_reported_at_both_places() -> None:
    study = replace(GOOD, columns=(STAY, SEX, STAY), queries=(COUNT, COUNT))
    assert [(p.path, p.code, p.params["name"]) for p in check(study)] == [
        ("$.columns[0].name", "column-twice", "stay"),
        ("$.columns[2].name", "column-twice", "stay"),
        ("$.queries[0].id", "query-twice", "count"),
        ("$.queries[1].id", "query-twice", "count"),
    ]


def test_an_empty_study_says_what_comes_next_in_the_order_of_the_steps() -> None:
    assert [p.code for p in check(Study())] == [
        "data-not-chosen",
        "unit-not-declared",
        "account-not-chosen",
        "budget-not-declared",
        "no-queries",
    ]


def test_groups_of_our_own_can_be_asked_for_where_the_rule_makes_them() -> None:
    asked = replace(COUNT, where=(IsIn("sex", ("(other)", "(missing)")),))
    column = replace(SEX, missing="category", unknown="category")
    assert check(replace(GOOD, columns=(column,), queries=(asked,))) == ()
    assert [p.code for p in check(replace(GOOD, queries=(asked,)))] == [
        "condition-unknown-value"
    ] * 2


def corrected(problem: Problem, column: NumberColumn) -> NumberColumn:
    key = problem.path.rsplit(".", 1)[1]
    return replace(column, **{key: Decimal(problem.params["suggestion"])})


@given(
    st.decimals(-1_000, 1_000, places=2),
    st.decimals(-1_000, 1_000, places=2),
    st.decimals(-1, 100, places=3),
)
def test_the_suggestion_is_right(lower: Decimal, upper: Decimal, step: Decimal) -> None:
    column = replace(STAY, lower=lower, upper=upper, step=step)
    for problem in check(replace(GOOD, columns=(column,))):
        if "suggestion" in problem.params:
            after = check(replace(GOOD, columns=(corrected(problem, column),)))
            assert problem.code not in [p.code for p in after]


def test_problems_of_columns_follow_all_that_they_are_made_of() -> None:
    marked = replace(SEX, values=("Female", "n/a"))
    bare = NumberColumn("cost", step=Decimal(1))
    study = Study(
        data=DataSource("a.csv"), unit=Unit("id"), columns=(STAY, marked, bare), queries=(COUNT,)
    )

    def codes(changed: Study) -> list[str]:
        return [p.code for p in check(changed) if p.path.startswith("$.columns")]

    before = codes(study)
    comma = replace(STAY, decimal=",")
    bounds = COUNT.having(statistic="bounds", column="cost")
    for changed in (
        replace(study, data=DataSource("a.csv", missing=("n/a",))),
        replace(study, unit=Unit("stay")),
        replace(study, columns=(STAY, SEX)),
        replace(study, columns=(*study.columns, STAY)),
        replace(study, columns=(comma, marked, bare), data=DataSource("a.csv", thousands=",")),
        replace(study, queries=(bounds,)),
    ):
        assert codes(changed) != before
        assert codes(study) == before
