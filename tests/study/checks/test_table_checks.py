# SPDX-License-Identifier: Apache-2.0
"""Several tables: what is refused where, and where each column has its values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import jsonschema
import pytest

from dpdesk.privacy.question import Question
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.resources import resource_path
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    Arithmetic,
    BesideRow,
    FileLabel,
    OfCase,
    OfPerson,
    Operand,
    TimeBetween,
)
from dpdesk.study.model.tables import MAIN, PEOPLE, FurtherTable
from dpdesk.study.model.unit import DataSource, IdShape, Unit
from tests.study.checks.test_study_checks import FOUND, GOOD

STAYS = DataSource("stays.csv", extract="2024", label="2023")
PATIENTS = FurtherTable("patients", DataSource("patients.csv"), "Id", rows="one-per-person")
LABS = FurtherTable(
    "labs", DataSource("labs.parquet", format="parquet"), "PATIENT", case="ENCOUNTER"
)
BORN = DateColumn("born", date(1900, 1, 1), date(2024, 12, 31), table="patients", in_file="BIRTH")
ADMITTED = DateColumn("admitted", date(2020, 1, 1), date(2024, 12, 31))
TAKEN = DateColumn("taken", date(2020, 1, 1), date(2024, 12, 31), table="labs")
VALUE = NumberColumn("value", Decimal(0), Decimal(20), Decimal("0.1"), table="labs")
AGE = NumberColumn(
    "age",
    Decimal(0),
    Decimal(110),
    Decimal(1),
    made_from=TimeBetween(("born", "admitted"), "years"),
)
FIRST = replace(
    VALUE, name="first", table="", made_from=OfPerson("first", "value", "taken", (), "labs")
)
OF_STAY = replace(FIRST, name="of_stay", made_from=OfCase("mean", "value", table="labs"))
DOUBLE = replace(
    VALUE,
    name="double",
    table="",
    made_from=Arithmetic("add", (Operand("value"), Operand("value"))),
)
YEAR = CategoryColumn("year", ("2023", "2024"), made_from=FileLabel())
TABLES = Study(
    title="Stays",
    data=replace(STAYS, more=(DataSource("2024.csv", label="2024"),)),
    unit=Unit("patient", 3, case="stay"),
    budget=GOOD.budget,
    tables=(PATIENTS, LABS),
    columns=(BORN, ADMITTED, TAKEN, VALUE, AGE, FIRST, OF_STAY, DOUBLE, YEAR),
    queries=(Query("count", epsilon=Epsilon.of("0.1")),),
)


def test_a_study_of_three_tables_is_sound_and_written_as_it_is_read() -> None:
    assert check(TABLES) == ()
    raw = study_to_bytes(TABLES)
    assert study_from_bytes(raw) == TABLES
    schema = json.loads(resource_path("study.schema.json").read_text(encoding="ascii"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(raw))


def test_where_each_column_has_its_values() -> None:
    assert dict(TABLES.homes) == {
        "born": PEOPLE,
        "admitted": MAIN,
        "taken": "labs",
        "value": "labs",
        "age": MAIN,
        "first": PEOPLE,
        "of_stay": MAIN,
        "double": "labs",
        "year": MAIN,
    }
    assert [c.name for c in TABLES.asked_columns] == [
        *("born", "admitted", "age", "first", "of_stay", "year")
    ]
    assert [c.name for c in TABLES.read_columns] == ["admitted"]
    assert [c.header for c in TABLES.read_from("patients")] == ["BIRTH"]


def test_files_and_their_labels_stay_out_of_what_is_released() -> None:
    said = json.dumps(public_study(TABLES))
    assert all(
        text not in said for text in ("stays.csv", "2024.csv", "labs.parquet", '"label": "2023"')
    )
    revived = ReleasedStudy.of(TABLES).study
    assert revived is not None
    assert [table.name for table in revived.tables] == ["patients", "labs"]
    assert revived.columns == TABLES.columns


def changed(**parts: object) -> Study:
    return replace(TABLES, **parts)  # type: ignore[arg-type]


def table(at: int, **parts: object) -> Study:
    tables = list(TABLES.tables)
    tables[at] = replace(tables[at], **parts)  # type: ignore[arg-type]
    return changed(tables=tuple(tables))


def column(name: str, **parts: object) -> Study:
    columns = (replace(c, **parts) if c.name == name else c for c in TABLES.columns)  # type: ignore[arg-type]
    return changed(columns=tuple(columns))


def asked(query: Query) -> Study:
    return changed(queries=(replace(query, epsilon=Epsilon.of("0.1")),))


def unit(**parts: object) -> Study:
    return changed(unit=replace(TABLES.unit or Unit(), **parts))  # type: ignore[arg-type]


HAS = PropertyParameters((IsIn("ill", ("y",)),))


class Case(NamedTuple):
    """A change of the sound study, and the problem that it makes."""

    study: Callable[[], Study]
    path: str
    code: str


STEPS = "$.columns[{}].from"
OTHER = DataSource("other.csv")
CASES = [
    Case(lambda: unit(person=None, max_rows=1, case=""), "$.unit.person", "tables-without-person"),
    Case(lambda: table(0, name="Patients"), "$.tables[0].name", "name-malformed"),
    Case(lambda: table(0, name="labs"), "$.tables[0].name", "table-twice"),
    Case(lambda: table(0, person=""), "$.tables[0].person", "table-without-person"),
    Case(lambda: table(0, data=DataSource()), "$.tables[0].data.path", "data-not-chosen"),
    Case(
        lambda: table(0, data=DataSource("a.csv", separator="x")),
        "$.tables[0].data.separator",
        "separator-unknown",
    ),
    Case(
        lambda: table(1, data=DataSource("a.csv", more=(DataSource("b.xlsx", "excel"),))),
        "$.tables[1].data.more[0].sheet",
        "sheet-not-chosen",
    ),
    Case(
        lambda: table(0, data=DataSource("a.csv", extract="x")),
        "$.tables[0].data.extract",
        "extract-of-table",
    ),
    Case(
        lambda: changed(data=replace(STAYS, more=(replace(OTHER, label="2024", more=(OTHER,)),))),
        "$.data.more[0].more",
        "files-of-further-file",
    ),
    Case(
        lambda: changed(data=replace(STAYS, more=(replace(STAYS, label="2024", more=()),))),
        "$.data.more[0].path",
        "data-file-twice",
    ),
    Case(
        lambda: changed(data=replace(STAYS, more=(replace(OTHER, label="2024", missing=("?",)),))),
        "$.data.more[0].missing",
        "said-of-first-file",
    ),
    Case(
        lambda: changed(data=replace(STAYS, more=(OTHER,))),
        f"{STEPS.format(8)}.file",
        "file-without-label",
    ),
    Case(
        lambda: column("year", values=("2023",)),
        f"{STEPS.format(8)}.file",
        "step-value-not-declared",
    ),
    Case(lambda: unit(case=""), "$.unit.case", "case-not-chosen"),
    Case(lambda: unit(person=None, max_rows=1), "$.unit.case", "case-without-person"),
    Case(lambda: table(0, case="STAY"), "$.tables[0].case", "case-of-people"),
    Case(lambda: table(0, keep="last"), "$.tables[0].by", "keep-wants-date"),
    Case(lambda: table(0, by="born"), "$.tables[0].by", "keep-by-not-wanted"),
    Case(lambda: table(0, keep="last", by="taken"), "$.tables[0].by", "keep-by-other"),
    Case(lambda: unit(id_shape=IdShape("P ")), "$.unit.id_shape.prefix", "id-prefix-malformed"),
    Case(
        lambda: unit(id_shape=IdShape("P", shortest=7, longest=6)),
        "$.unit.id_shape.longest",
        "id-length-out-of-range",
    ),
    Case(
        lambda: unit(id_shape=IdShape("P"), without_id="one-person"),
        "$.unit.id_shape",
        "id-shape-of-one-person",
    ),
    Case(lambda: column("age", table="labs"), "$.columns[4].table", "table-of-derived"),
    Case(lambda: column("born", table="wards"), "$.columns[0].table", "table-undeclared"),
    Case(lambda: column("age", in_file="AGE"), "$.columns[4].in_file", "header-of-derived"),
    Case(lambda: column("born", in_file="Id"), "$.columns[0].name", "column-is-person"),
    Case(
        lambda: column("age", made_from=TimeBetween(("admitted", "taken"), "years")),
        STEPS.format(4),
        "step-two-tables",
    ),
    Case(
        lambda: column("first", made_from=BesideRow("previous", "admitted", "value")),
        STEPS.format(5),
        "step-two-tables",
    ),
    Case(
        lambda: column("first", made_from=OfPerson("first", "value", "taken")),
        STEPS.format(5),
        "step-other-table",
    ),
    Case(
        lambda: column("first", made_from=OfPerson("count", table="wards")),
        f"{STEPS.format(5)}.table",
        "table-undeclared",
    ),
    Case(
        lambda: column("first", made_from=OfPerson("count", table="patients")),
        f"{STEPS.format(5)}.table",
        "step-of-people-table",
    ),
    Case(
        lambda: column("of_stay", made_from=OfCase("count", table="")),
        f"{STEPS.format(6)}.table",
        "step-case-of-main",
    ),
    Case(lambda: table(1, case=""), f"{STEPS.format(6)}.table", "step-without-case"),
    Case(
        lambda: asked(Query("q").having(statistic="mean", column="value")),
        "$.queries[0]",
        "column-of-table",
    ),
    Case(
        lambda: asked(
            Query("q", "randomised-response", PropertyParameters((IsIn("ill", ("y",)),)))
        ),
        "$.queries[0].statistic",
        "response-tables",
    ),
    Case(
        lambda: changed(
            columns=(*TABLES.columns, CategoryColumn("sex", table="patients")),
            queries=(FOUND,),
            budget=replace(GOOD.budget, epsilon=None, rho=Rho.of("1")),
        ),
        "$.queries[0].column",
        "found-of-table",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_each_mistake_is_said_at_its_place(case: Case) -> None:
    found = [(problem.path, problem.code) for problem in check(case.study())]
    assert (case.path, case.code) in found


def test_a_column_of_a_further_table_needs_its_bounds() -> None:
    """A query for bounds leaves a column of the main table open, and none of another."""
    bounds = Query("q").having(statistic="bounds", column="value", epsilon=Epsilon.of("0.1"))
    study = replace(column("value", lower=None, upper=None), queries=(bounds,))
    assert "lower-not-declared" in [problem.code for problem in check(study)]


def test_only_the_table_of_people_has_a_public_number_of_rows() -> None:
    """Somebody may have rows in another table alone, also where each has one row in this one."""
    public = unit(max_rows=1, neighbours="change-one", people=7)
    rows, people = Query("q"), Query("q", of="people")
    assert Question.of(public, public.unit, rows).public_rows is None
    assert Question.of(public, public.unit, people).public_rows == 7
    alone = replace(public, tables=(), columns=(ADMITTED,))
    assert Question.of(alone, alone.unit, rows).public_rows == 7


ILL = YesNoColumn("ill", ("y",), ("n",), table="patients")
BY_AGE = Query("q", by=("ill",))
ASKS_PEOPLE = changed(columns=(*TABLES.columns, ILL))


@pytest.mark.parametrize(
    "parts",
    [
        {"keep": "last", "by": "born"},
        {"person": "other"},
        {"data": DataSource("patients.csv", separator=";")},
        {"data": DataSource("patients.csv", missing=("?",))},
        {"data": DataSource("patients.csv", more=(OTHER,))},
        {"rows": "many"},
    ],
    ids=str,
)
def test_what_a_used_table_declares_is_part_of_the_question(parts: dict[str, object]) -> None:
    other = replace(ASKS_PEOPLE, tables=(replace(PATIENTS, **parts), LABS))  # type: ignore[arg-type]
    texts = {
        Question.of(study, study.unit or Unit(), BY_AGE).canonical()
        for study in (ASKS_PEOPLE, other)
    }
    assert len(texts) == 2


def test_neither_a_path_nor_a_table_without_use_is_part_of_the_question() -> None:
    moved = replace(PATIENTS, data=replace(PATIENTS.data, path="elsewhere.csv"))
    others = replace(ASKS_PEOPLE, tables=(moved, replace(LABS, person="other")))
    questions = (Question.of(s, s.unit or Unit(), BY_AGE) for s in (ASKS_PEOPLE, others))
    assert len({one.canonical() for one in questions}) == 1


def test_the_day_by_which_rows_are_kept_is_among_what_is_used() -> None:
    kept = replace(PATIENTS, keep="last", by="born")
    study = replace(ASKS_PEOPLE, tables=(kept, LABS))
    used = Question.of(study, study.unit or Unit(), BY_AGE).used
    assert [column.name for column in used] == ["born", "ill"]
