# SPDX-License-Identifier: Apache-2.0
"""What a query is called: its own sentence, in the study's words, or what the custodian wrote."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.limits import MAX_TEXT, is_printable_text
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.parameters import (
    CategoriesFoundParameters,
    ColumnParameters,
    CutOffParameters,
    DistributionParameters,
    MostCommonParameters,
    PropertyParameters,
    QuantileParameters,
    RateParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.model.unit import Unit
from dpdesk.study.text import title_words
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.sentence_language import Language
from dpdesk.study.text.titles import sentence, title
from dpdesk.study.text.unit_names import UnitNames
from tests.asking import query_for

STAY = NumberColumn(
    "stay", Decimal(0), Decimal(20), Decimal("0.5"), title="Time in hospital", label="days"
)
COST = NumberColumn("cost", Decimal(-500), Decimal(90_000), Decimal(100), title="Cost (EUR)")
STUDY = Study(
    unit=Unit(person="id", max_rows=3),
    columns=(
        STAY,
        replace(COST, label="EUR"),
        CategoryColumn("ward", ("A", "B", "C", "D", "E"), title="Ward"),
        CategoryColumn("sex", ("1", "2"), labels=("Female", "Male"), title="Sex"),
        YesNoColumn("ok", ("yes",), ("no",), title="Recovered"),
        YesNoColumn("late", ("<30",), (">30", "NO"), "category", title="Readmitted within 30 days"),
        YesNoColumn("state", ("dead",), ("alive",), title="State"),
        YesNoColumn("pd", ("yes",), ("no",), title="Parkinson's disease"),
        YesNoColumn("ill", ("yes",), ("no",), title="Readmitted"),
        DateColumn("day", date(2020, 1, 1), date(2021, 1, 1), title="Admission"),
    ),
)
NAMED = replace(
    STUDY,
    unit=replace(
        STUDY.unit or Unit(),
        row_name="admission",
        row_names="admissions",
        person_name="patient",
        person_names="patients",
    ),
)
SEX, OK = IsIn("sex", ("1",)), (IsIn("ok", ("yes",)),)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (Query("q"), "Count of admissions"),
        (Query("q", "count-people", by=("sex",)), "Number of patients, by sex"),
        (
            Query("q", "mean", ColumnParameters("stay"), by=("sex", "ward"), where=(SEX,)),
            "Mean of time in hospital (days), by sex and ward, where sex is Female",
        ),
        (Query("q", "sum", ColumnParameters("cost")), "Sum of cost (EUR)"),
        (Query("q", "mean", ColumnParameters()), "Mean of …"),
        (
            Query("q", "share", PropertyParameters(has=OK)),
            "Share of admissions: recovered",
        ),
        (
            Query("q", "share", PropertyParameters(has=(IsIn("late", ("<30",)),)), by=("sex",)),
            "Share of admissions: readmitted within 30 days, by sex",
        ),
        (
            Query("q", "share", PropertyParameters(has=(IsIn("late", (">30",)),))),
            "Share of admissions where readmitted within 30 days is no",
        ),
        (
            Query("q", "share", PropertyParameters(has=(IsIn("state", ("dead",)),))),
            "Share of admissions with state classified as dead",
        ),
        (
            Query("q", where=(IsIn("state", ("alive",)),)),
            "Count of admissions, where state is alive",
        ),
        (
            Query("q", "share", PropertyParameters(has=(IsIn("pd", ("yes",)),))),
            "Share of admissions: Parkinson's disease",
        ),
        (
            Query("q", "share", PropertyParameters(has=(IsMissing("day", False),))),
            "Share of admissions with admission",
        ),
        (
            Query("q", "survival", TimeToEventParameters("stay", has=(IsMissing("day", False),))),
            "Survival by time in hospital (days) until admission",
        ),
        (
            Query("q", "survival", TimeToEventParameters("stay", has=(IsMissing("stay", False),))),
            "Survival by time in hospital (days) until time in hospital is not missing",
        ),
        (
            Query("q", where=(IsIn("late", ("<30",)), IsIn("late", ("(missing)",)))),
            "Count of admissions, where readmitted within 30 days is yes and "
            "readmitted within 30 days is (missing)",
        ),
        (
            Query("q", "randomised-response", PropertyParameters(has=OK)),
            "Randomised response to whether recovered is yes",
        ),
        (
            Query("q", "categories-found", CategoriesFoundParameters("ward")),
            "Categories found in ward",
        ),
        (
            Query(
                "q",
                "quantiles",
                QuantileParameters("cost", quantiles=(Decimal("0.25"), Decimal("0.5"))),
            ),
            "Quantiles 0.25; 0.5 of cost (EUR)",
        ),
        (
            Query(
                "q",
                "quantiles",
                QuantileParameters("stay", quantiles=tuple(map(Decimal, ("0.25", "0.5", "0.75")))),
            ),
            "Median and quartiles of time in hospital (days)",
        ),
        (
            Query("q", "rate", RateParameters((IsIn("sex", ("1",)),), "stay", per=100)),
            "Rate of admissions with sex classified as Female per 100 days of time in hospital",
        ),
        (Query("q", "most-common", MostCommonParameters("ward", top=3)), "3 most common of ward"),
        (Query("q", "most-common", MostCommonParameters("ward", top=1)), "Most common of ward"),
        (
            Query("q", "most-common", MostCommonParameters(columns=("ok", "ill"))),
            "Most common of recovered and readmitted",
        ),
        (
            Query(
                "q",
                "distribution",
                DistributionParameters("cost", edges=tuple(map(Decimal, range(0, 60_000, 10_000)))),
            ),
            "Distribution of cost (EUR) in bins cut every 10,000 from 0 to 50,000",
        ),
        (
            Query(
                "q",
                "cut-off",
                CutOffParameters(
                    "stay", candidates=(Decimal(2), Decimal(4)), score="value-times-count"
                ),
            ),
            "Best cut-off of time in hospital (days) among 2; 4 by value times the admissions that "
            "reach it",
        ),
        (
            Query(
                "q", "cut-off", CutOffParameters("stay", score="closest-to-target", target=12_000)
            ),
            "Best cut-off of time in hospital (days) by admissions that reach it closest to 12,000",
        ),
        (
            Query("q", by=(Bins("stay", (Decimal(5),)), Periods("day", "month"))),
            "Count of admissions, by time in hospital in bins from 5 and month of admission",
        ),
        (
            Query("q", where=(Between("cost", Decimal(-500), Decimal(12_000)), IsMissing("ward"))),
            "Count of admissions, where cost (EUR) from −500 to 12,000 and ward is missing",
        ),
        (
            Query("q", where=(IsNotIn("ward", ("A", "B", "C", "D")),)),
            "Count of admissions, where ward is not A or B or 2 others",
        ),
        (
            Query("q", where=(DateBetween("day", date(2020, 2, 1), date(2020, 3, 1)),)),
            "Count of admissions, where admission from 2020-02-01 to 2020-03-01",
        ),
    ],
)
def test_the_sentence_of_a_query(query: Query, wanted: str) -> None:
    assert sentence(NAMED, query) == wanted
    assert title(NAMED, query) == wanted
    assert title(NAMED, replace(query, title="My own")) == "My own"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (Query("a"), "Count of patients"),
        (
            Query("a").having(statistic="share", has=(IsIn("late", ("<30",)),)),
            "readmitted within 30 days",
        ),
        (
            Query("a").having(statistic="share", has=(IsIn("sex", ("1",)),)),
            "Share of patients with sex classified as Female",
        ),
        (
            Query("a").having(statistic="mean", column="stay"),
            "Mean of time in hospital (days) among patients",
        ),
        (
            Query("a").having(statistic="cut-off", column="stay", score="value-times-count"),
            "the patients that reach",
        ),
    ],
)
def test_a_query_of_people_speaks_of_people(query: Query, wanted: str) -> None:
    """A share of rows, one row per person, is neither."""
    said = sentence(NAMED, replace(query, of="people"))
    assert wanted in said and "admission" not in said.replace("Admission", "")
    assert "among" not in said or query.statistic == "mean"


def test_without_names_of_their_own_rows_are_rows_and_people_people() -> None:
    assert sentence(STUDY, Query("q")) == "Count of rows"
    assert sentence(STUDY, Query("q", "count-people")) == "Number of people"
    half = replace(STUDY, unit=Unit(row_name="admission"))
    assert sentence(half, Query("q")) == "Count of rows"


@pytest.mark.parametrize("statistic", STATISTICS)
def test_every_statistic_says_what_it_is_about(statistic: Any) -> None:
    said = sentence(STUDY, query_for(statistic, STAY))
    assert said.startswith(title_words.FIRST[statistic]) or "most common" in said
    assert is_printable_text(said) and said != "q" and statistic + "-" not in said
    assert "{" not in said and "…" not in said.replace("; …;", "")


def test_a_sentence_is_never_longer_than_a_title_may_be() -> None:
    name = "x" * MAX_TEXT
    columns = tuple(CategoryColumn(f"{name[:-1]}{n}", (name,)) for n in range(3))
    query = Query("q", by=tuple(c.name for c in columns))
    said = sentence(replace(STUDY, columns=columns), query)
    assert len(said) == MAX_TEXT and said.endswith("…")


def test_another_language_has_its_own_words_signs_and_names() -> None:
    german = {
        "Mean": "Mittelwert",
        "of": "von",
        "{question}, where {conditions}": "{question}, bei {conditions}",
        "{column} from {lowest} to {highest}": "{column} von {lowest} bis {highest}",
    }
    language = Language(
        lambda text: german.get(text, text), NumberStyle(",", "."), is_english=False
    )
    query = Query(
        "q",
        "mean",
        ColumnParameters("cost"),
        where=(Between("stay", Decimal("0.5"), Decimal(12_000)),),
    )
    said = sentence(STUDY, query, language)
    assert said == "Mittelwert von Cost (EUR), bei Time in hospital von 0,5 bis 12.000"


def test_a_language_may_say_a_count_and_its_groups_in_its_own_order() -> None:
    german = {
        "Number of {counted}": "Anzahl der {counted}",
        "{question}, by {groups}": "{question} je {groups}",
    }
    language = Language(
        lambda text: german.get(text, text), names=UnitNames(people="Personen"), is_english=False
    )
    said = sentence(STUDY, Query("q", "count-people", by=("sex",)), language)
    assert said == "Anzahl der Personen je Sex"


def test_naming_a_query_a_row_or_a_person_asks_nothing_new() -> None:
    query = Query("q", by=("sex",), epsilon=Epsilon.of("0.1"))
    called = replace(query, title="=cmd|'/c calc'!A1")
    assert compile_query(STUDY, query).canonical == compile_query(NAMED, called).canonical
    assert compile_query(STUDY, query).parts == compile_query(NAMED, called).parts


def test_names_are_kept_in_the_study_file_and_judged_in_pairs() -> None:
    assert study_from_bytes(study_to_bytes(NAMED)) == NAMED
    codes = [
        p.code for p in check(replace(STUDY, unit=Unit(row_names="stays"))) if "name" in p.path
    ]
    assert codes == ["unit-name-wanted"]
    long = replace(STUDY, unit=Unit(person_name="x" * 41, person_names="xs"))
    assert [p.path for p in check(long) if p.code == "text-too-long"] == ["$.unit.person_name"]


def test_a_limit_for_each_group_is_in_the_sentence() -> None:
    asked = Query("q", by=(Periods("day", "quarter"),), where=OK, rows_per_group=1)
    assert sentence(NAMED, asked) == (
        "Count of admissions, by quarter of admission, at most 1 admission per patient and "
        "group, where recovered is yes"
    )
    two = sentence(NAMED, replace(asked, rows_per_group=2))
    assert "at most 2 admissions per patient and group" in two
