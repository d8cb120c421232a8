# SPDX-License-Identifier: Apache-2.0
"""The margin of each statistic is worded alike by window, shell, document and plan to sign."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.desk.text import accuracy_words
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import Plan
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.plan_report import plan_pages as content
from dpdesk.shell import plan as shell
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.asking import exists, query_for

STAY = NumberColumn("stay", lower=Decimal(0), upper=Decimal(60), step=Decimal(1), label="days")
STUDY = Study(
    data=DataSource("stays.csv", "csv"),
    unit=Unit("pid", max_rows=2, row_name="stay", row_names="stays"),
    columns=(
        STAY,
        CategoryColumn("ward", values=("A", "B", "C")),
        CategoryColumn("sex", values=("f", "m")),
        YesNoColumn("ok", yes=("yes",), no=("no",)),
    ),
)


@pytest.mark.parametrize("statistic", DECLARATIONS)
def test_each_statistic_has_one_wording(statistic: Statistic) -> None:
    measure = "rho" if statistic == "categories-found" else "epsilon"
    share = {"epsilon": Epsilon.of("0.5")} if measure == "epsilon" else {"rho": Rho.of("0.5")}
    study = replace(STUDY, budget=Budget("ours", **{measure: share[measure]}))
    if statistic == "randomised-response":
        study = replace(study, unit=Unit("pid", 1, "change-one", people=300))
    elif not exists(statistic, study.unit, measure):
        study = replace(study, unit=replace(study.unit, max_rows=1))
    plan = compile_query(study, query_for(statistic, STAY, expected=200, **share))
    said = accuracy_words.of_plan(study, plan)
    assert said and "None" not in said
    assert shell.accuracy_of(study, plan) == said
    asked = Plan(study, (plan,), plan.share)
    assert content.accuracy_of(asked, plan, ReleaseWords.of("en")) == said
