# SPDX-License-Identifier: Apache-2.0
"""The plan that a second person reads: what is declared, and nothing that is not."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.plan_report.lines_to_sign import lines_to_sign
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.plan_file import PlanFile, PlanTerms
from dpdesk.study.model.amount import WITHOUT_DELTA, Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

PERSON = SecondPerson("release", "second@small.example", "ssh-ed25519 " + "A" * 68)
STAY = NumberColumn("stay", step=Decimal("0.1"))
ASKED = Query("reach").having(statistic="bounds", column="stay", epsilon=Epsilon.of("0.2"))
STUDY = Study(
    title="Where stays end",
    data=DataSource("stays.csv", "csv"),
    unit=Unit("pid"),
    budget=Budget("ours", epsilon=Epsilon.of(1)),
    columns=(STAY,),
    queries=(ASKED,),
)


def lines(study: Study, language: str) -> list[str]:
    terms = PlanTerms("ours", "0" * 64, PERSON, "0" * 32, False, WITHOUT_DELTA)
    plan = PlanFile.of_plans(study, compile(study).queries, terms)
    return [line.strip() for line in lines_to_sign(plan, ReleaseWords.of(language))]


@pytest.mark.parametrize(
    ("language", "bounds", "reaches", "source"),
    [
        ("en", "Bounds: not declared; steps of 0.1", "Margin in 95 of 100 cases: reach", "Source"),
        ("de", "Grenzen: nicht festgelegt; Schrittweite 0,1", "erreicht, was", "Quelle"),
    ],
)
def test_bounds_that_are_asked_for_are_not_declared_and_have_no_source(
    language: str, bounds: str, reaches: str, source: str
) -> None:
    said = lines(replace(STUDY, columns=(replace(STAY, basis="the ward's handbook"),)), language)
    assert bounds in said
    assert any(reaches in line for line in said), "as the window words it"
    assert not [line for line in said if "None" in line or line.startswith(source)]


def test_declared_bounds_have_their_source() -> None:
    declared = replace(STAY, lower=Decimal(1), upper=Decimal(30), basis="the ward's handbook")
    said = lines(replace(STUDY, columns=(declared,)), "en")
    assert "Bounds: 1 to 30 in steps of 0.1" in said
    assert "Source: the ward's handbook" in said
