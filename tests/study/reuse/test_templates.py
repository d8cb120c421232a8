# SPDX-License-Identifier: Apache-2.0
"""Templates of the usual releases make queries that can be released, of declarations alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.resources import resource_path
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import CodePrefix, OfPerson, RecodeEntry, TimeBetween
from dpdesk.study.model.unit import Unit
from dpdesk.study.reuse.templates import (
    TEMPLATES,
    Template,
    is_ready,
    proposed_columns,
    template_queries,
)
from dpdesk.study.text.titles import title

SAMPLE = load_study(resource_path("sample/sample.dpdesk")).study
HALF = Epsilon.of("0.5")


def titles(study: Study, template: Template) -> list[str]:
    queries = template_queries(study, template, proposed_columns(study, template), HALF)
    return [title(study, query) for query in queries]


def test_a_quality_report_of_the_sample_hospital() -> None:
    assert titles(SAMPLE, TEMPLATES[0]) == [
        "Count of rows, by quarter of admission",
        "Count of rows, by age band",
        "Share of rows: Back within 30 days, by quarter of admission",
        "Mean of nights in hospital (days), by quarter of admission",
        "Mean of cost of the stay (EUR), by quarter of admission",
    ]


def test_a_registrys_table_of_the_sample_hospital() -> None:
    assert titles(SAMPLE, TEMPLATES[1]) == [
        "Number of people, by year of admission",
        "Number of people, by year of admission and age band",
        "Number of people, by year of admission and sex",
        "Number of people, by year of admission and ward",
        "Share of rows: Back within 30 days, by year of admission",
    ]


def test_table_1_of_the_sample_hospital() -> None:
    found = titles(SAMPLE, TEMPLATES[2])
    assert found[:3] == [
        "Number of people, by age band",
        "Mean of nights in hospital (days), by age band",
        "Standard deviation of nights in hospital (days), by age band",
    ]
    assert found[-1] == "Number of people, by age band and kind of admission"


BACK = YesNoColumn("back", ("yes",), ("no",), title="Back")
DERIVED = (
    NumberColumn(
        "wait",
        Decimal(0),
        Decimal(90),
        Decimal(1),
        made_from=TimeBetween((date(2023, 1, 1), "admission_date")),
    ),
    CategoryColumn(
        "chapter", ("heart", "lung"), made_from=CodePrefix("icd", (RecodeEntry("heart", ("I",)),))
    ),
    replace(BACK, made_from=OfPerson("any", where=(IsIn("sex", ("female",)),))),
    NumberColumn("stays", Decimal(1), Decimal(9), Decimal(1), made_from=OfPerson("count")),
)
WITH_DERIVED = replace(SAMPLE, columns=(*SAMPLE.columns, *DERIVED))


def test_patients_ever_readmitted_are_people_each_counted_once() -> None:
    template = next(t for t in TEMPLATES if t.name == "ever-readmitted")
    assert titles(WITH_DERIVED, template) == [
        "Count of people, by Back",
        "Share of people: Back",
    ]
    assert not is_ready(SAMPLE, template), "a readmission of a row is not that of a person"
    chosen = {"outcomes": ("back",), "splits": ("back",)}
    queries = template_queries(WITH_DERIVED, template, chosen, HALF)
    assert {query.of for query in queries} == {"people"}
    assert not check(replace(WITH_DERIVED, queries=queries))
    alone = replace(WITH_DERIVED, unit=Unit())
    assert {q.of for q in template_queries(alone, template, chosen, HALF)} == {"rows"}


def test_the_mean_stay_by_chapter_takes_columns_made_from_codes_and_dates() -> None:
    template = next(t for t in TEMPLATES if t.name == "stay-by-chapter")
    assert titles(WITH_DERIVED, template) == [
        "Count of rows, by chapter",
        "Mean of wait, by chapter",
    ]


@pytest.mark.parametrize("template", TEMPLATES[:3], ids=lambda t: t.name)
@pytest.mark.parametrize("total", [HALF, Epsilon.of("0.07"), Rho.of("0.01")], ids=str)
def test_what_a_template_makes_is_sound_and_within_its_total(
    template: Template, total: Epsilon | Rho
) -> None:
    assert SAMPLE.budget is not None
    budget = replace(SAMPLE.budget, epsilon=None, rho=total)
    study = SAMPLE if isinstance(total, Epsilon) else replace(SAMPLE, budget=budget)
    queries = template_queries(study, template, proposed_columns(study, template), total)
    assert not check(replace(study, queries=queries))
    assert 0.8 * total.units <= sum(q.share.units for q in queries if q.share) <= total.units
    plan = compile(replace(study, queries=queries))
    assert plan.total.units <= total.units


def test_rows_are_counted_where_nobody_is_told_apart() -> None:
    rows = replace(SAMPLE, unit=Unit())
    assert titles(rows, TEMPLATES[1])[0] == "Count of rows, by year of admission"


def test_columns_that_are_not_complete_are_not_proposed() -> None:
    dates = tuple(replace(c, last=None) if c.kind == "date" else c for c in SAMPLE.columns)
    open_ = replace(SAMPLE, columns=dates)
    chosen = proposed_columns(open_, TEMPLATES[0])
    assert chosen["date"] == ()
    assert TEMPLATES[0].missing(chosen) == ("date",)
    assert TEMPLATES[2].missing(proposed_columns(open_, TEMPLATES[2])) == ()


def test_a_long_list_is_not_compared() -> None:
    wards = CategoryColumn("ward", values=tuple(f"ward {n}" for n in range(20)))
    only = replace(SAMPLE, columns=(wards,))
    assert proposed_columns(only, TEMPLATES[2])["compared"] == ()


def test_no_column_stands_in_two_slots() -> None:
    for template in TEMPLATES:
        names = [n for chosen in proposed_columns(SAMPLE, template).values() for n in chosen]
        assert len(names) == len(set(names))
