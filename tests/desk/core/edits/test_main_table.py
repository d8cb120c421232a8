# SPDX-License-Identifier: Apache-2.0
"""Another table becomes the main one: what is kept, what is gone, and what columns are called."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.desk.core.edits.main_table import renamed, with_main
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.model.steps.step import STEPS, OfPerson
from dpdesk.study.model.unit import Unit
from tests.asking import query_for
from tests.audit.several_files import chain_world
from tests.study.checks.test_table_checks import OF_STAY, TABLES

WITHOUT_CASE = tuple(column for column in TABLES.columns if column is not OF_STAY)


def test_columns_stay_with_their_rows_and_only_what_makes_no_sense_is_gone() -> None:
    change = with_main(TABLES, "labs")
    study = change.study
    assert check(study) == ()
    assert (change.former, change.columns, change.cases) == ("stays", ("of_stay",), ())
    assert study.data is not None and study.unit is not None
    assert (study.data.path, study.data.extract) == ("labs.parquet", "2024")
    assert (study.unit.person, study.unit.case, study.unit.max_rows) == ("PATIENT", "ENCOUNTER", 3)
    stays = study.table("stays")
    assert stays is not None
    assert (stays.person, stays.case, stays.rows) == ("patient", "stay", "many")
    assert [file.label for file in stays.data.files] == ["2023", "2024"]
    homes = {column.name: study.homes[column.name] for column in study.columns}
    assert homes == {
        **{"born": "(people)", "first": "(people)", "value": "", "taken": "", "double": ""},
        **{"admitted": "stays", "age": "stays", "year": "stays"},
    }
    first = study.column("first")
    assert first is not None and first.made_from == OfPerson("first", "value", "taken")


def test_there_and_back_is_the_study_before() -> None:
    study = replace(TABLES, columns=WITHOUT_CASE)
    there = with_main(study, "labs")
    assert there.columns == ()
    assert with_main(there.study, "stays").study == study


def test_a_table_of_people_has_one_row_each_and_no_case_numbers() -> None:
    study = replace(TABLES, unit=replace(TABLES.unit or Unit(), row_name="stay", row_names="stays"))
    kept = replace(study.tables[0], keep="last", by="born")
    change = with_main(replace(study, tables=(kept, *study.tables[1:])), "patients")
    assert (change.columns, change.cases) == (("age", "of_stay"), ("labs", "stays"))
    assert change.rule and change.row_words
    assert change.study.unit == Unit("Id", 1)
    assert [table.case for table in change.study.tables] == ["", ""]
    assert change.study.column("BIRTH") is not None, "called as in its file"
    assert check(change.study) == ()


def test_a_column_of_a_name_that_the_main_table_has_gets_its_tables_name() -> None:
    asked = Query("by-day", by=(Periods("admitted", "year"),), epsilon=Epsilon.of("0.1"))
    study = with_main(replace(TABLES, queries=(asked,)), "labs", ("PATIENT", "admitted")).study
    column = study.column("admitted (stays)")
    assert column is not None and (column.table, column.header) == ("stays", "admitted")
    age = study.column("age")
    assert age is not None and age.made_from is not None
    assert age.made_from.names == ("born", "admitted (stays)")
    assert study.queries[0].names == {"admitted (stays)"}


def test_a_query_that_rows_of_the_main_table_cannot_answer_stays_and_is_counted() -> None:
    mean = Query("age", epsilon=Epsilon.of("0.1")).having(statistic="sum", column="age")
    study = replace(TABLES, queries=(*TABLES.queries, mean))
    change = with_main(study, "labs")
    assert (change.queries, change.study.queries) == (1, study.queries)


def test_every_step_follows_the_names_of_its_columns() -> None:
    columns = [column for world in map(chain_world, range(60)) for column in world.study.columns]
    steps = [column.made_from for column in columns if column.made_from is not None]
    assert {type(step) for step in steps} == {*STEPS}
    for step in steps:
        anew = renamed(step, {name: f"{name}!" for name in step.names})
        assert anew.names == tuple(f"{name}!" for name in step.names)


@pytest.mark.parametrize("statistic", DECLARATIONS)
def test_every_query_follows_the_names_of_its_columns(statistic: Statistic) -> None:
    stay = NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1))
    query = query_for(statistic, stay)
    query = replace(query, by=("sex", Bins("stay", ())), where=(IsIn("ward", ("stay",)),))
    anew = renamed(query, {name: f"{name}!" for name in query.names})
    assert anew.names == {f"{name}!" for name in query.names}
    assert anew.where == (IsIn("ward!", ("stay",)),), "values are no names"
