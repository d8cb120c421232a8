# SPDX-License-Identifier: Apache-2.0
"""Declarations as a Table Schema, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from dpdesk.data.codebook.diff import accept, diff
from dpdesk.data.codebook.read import read_codebook
from dpdesk.data.codebook.sources import stated_source
from dpdesk.data.codebook.write import schema_to_bytes, table_schema, write_schema
from dpdesk.study.model.columns import (
    NO_ORIGIN,
    CategoryColumn,
    CellReading,
    Column,
    DateColumn,
    NumberColumn,
    Origin,
    YesNoColumn,
    plain_name,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import CodePrefix, DatePart, RecodeEntry
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.strategies import studies

STUDY = Study(
    data=DataSource("a.csv", missing=("NA",)),
    columns=(
        NumberColumn("age", Decimal(18), Decimal(120), Decimal(2), title="Age", label="years"),
        NumberColumn("crp", Decimal("0.5"), None, Decimal("0.1"), basis="SOP 3"),
        CategoryColumn("sex", ("1", "2"), labels=("Male", "Female"), missing_values=("9",)),
        YesNoColumn("dead", ("J", "1"), ("N",), unknown="category"),
        DateColumn("seen", date(2020, 1, 31), date(2020, 12, 1), "DD.MM.YYYY"),
    ),
)


def test_a_derived_column_is_a_property_with_its_recipe_and_no_field_of_the_file(
    tmp_path: Path,
) -> None:
    year = NumberColumn("year", Decimal(2019), Decimal(2020), Decimal(1))
    chapter = CategoryColumn("chapter", ("heart",))
    derived: tuple[Column, ...] = (
        replace(year, made_from=DatePart("year", "seen")),
        replace(chapter, made_from=CodePrefix("icd", (RecodeEntry("heart", ("I",)),))),
    )
    with_them = replace(STUDY, columns=(*STUDY.columns, *derived))
    schema = json.loads(schema_to_bytes(table_schema(with_them)))
    assert schema["fields"] == table_schema(STUDY)["fields"], "a reader looks for these in the file"
    year_, chapter_ = schema["dpdesk"]["derived"]
    assert (year_["name"], year_["from"]) == ("year", {"part": "year", "of": "seen"})
    assert chapter_["from"] == {"codes": "icd", "to": [{"value": "heart", "of": ["I"]}]}
    assert "dpdesk" not in table_schema(STUDY)
    back = read_back(with_them, tmp_path)
    assert [meaning(column, back) for column in back.columns] == [
        meaning(column, with_them) for column in with_them.columns
    ]
    assert table_schema(read_back(back, tmp_path)) == table_schema(back)


def test_columns_of_further_tables_are_no_fields_either(tmp_path: Path) -> None:
    """They were fields of the main file, and imported as such."""
    value = NumberColumn("value", Decimal(0), Decimal(9), Decimal(1), table="labs", in_file="v")
    schema = table_schema(Study(columns=(value,)))
    assert (schema["fields"], schema["dpdesk"]["derived"][0]["table"]) == ([], "labs")
    (tmp_path / "schema.json").write_bytes(schema_to_bytes(schema))
    codebook = read_codebook(tmp_path / "schema.json")
    (without,) = diff(Study(), codebook, None)
    assert (without.state, without.notes[0].code) == ("nothing-proposed", "table-undeclared")
    tables = Study(tables=(FurtherTable("labs", DataSource("l.csv"), "id"),))
    (change,) = diff(tables, codebook, None)
    assert change.proposed == replace(value, origin=Origin("table-schema"))


def test_cells_that_are_read_as_numbers_are_written_and_read_back(tmp_path: Path) -> None:
    reads = (CellReading("90+", Decimal(90)),)
    column = NumberColumn("age", Decimal(0), Decimal(90), Decimal(1), reads=reads)
    (back,) = read_back(Study(columns=(column,)), tmp_path).columns
    assert isinstance(back, NumberColumn) and back.reads == reads


def test_the_schema_says_what_is_declared() -> None:
    schema = json.loads(schema_to_bytes(table_schema(STUDY)))
    age, crp, sex, dead, seen = schema["fields"]
    assert schema["missingValues"] == ["", "NA"]
    assert age["type"] == "integer"
    assert age["constraints"] == {"minimum": 18, "maximum": 120}
    assert (age["title"], age["unit"], age["dpdesk"]["step"]) == ("Age", "years", 2)
    assert age["dpdesk"]["outside"] == "clamp"
    assert crp["type"] == "number"
    assert crp["constraints"] == {"minimum": 0.5}
    assert crp["dpdesk"]["basis"] == "SOP 3"
    assert sex["constraints"] == {"enum": ["1", "2"]}
    assert sex["categories"] == [
        {"value": "1", "label": "Male"},
        {"value": "2", "label": "Female"},
    ]
    assert sex["missingValues"] == ["", "NA", "9"]
    assert (dead["trueValues"], dead["falseValues"]) == (["J", "1"], ["N"])
    assert dead["dpdesk"]["unknown"] == "category"
    assert seen["format"] == "%d.%m.%Y"
    assert seen["constraints"] == {"minimum": "31.01.2020", "maximum": "01.12.2020"}


def read_back(study: Study, folder: Path) -> Study:
    """A study with the columns of the schema that another one was written to."""
    path = folder / "schema.json"
    path.write_bytes(schema_to_bytes(table_schema(study)))
    empty = Study(data=study.data)
    return accept(empty, diff(empty, read_codebook(path), None))


def meaning(column: Column, study: Study) -> tuple[Column, frozenset[str]]:
    """A column without where it comes from, and all that means missing in it.

    Labels that are the values themselves name nothing.
    """
    everywhere = study.data.missing if study.data else ()
    markers = frozenset(text.strip() for text in (*everywhere, *column.missing_values))
    plain = replace(
        column, basis="", origin=NO_ORIGIN, missing_values=(), name=plain_name(column.name)
    )
    if isinstance(plain, CategoryColumn) and plain.labels == plain.values:
        plain = replace(plain, labels=())
    return plain, markers - {""}


def test_white_space_stays_where_it_is_declared(tmp_path: Path) -> None:
    column = CategoryColumn("ward", (" A", "B  b"), labels=("One  ward", "Two "))
    after = read_back(Study(columns=(column,)), tmp_path)
    assert replace(after.columns[0], basis="", origin=NO_ORIGIN) == column


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    after = read_back(STUDY, tmp_path)
    assert [meaning(c, after) for c in after.columns] == [meaning(c, STUDY) for c in STUDY.columns]
    assert stated_source(after.columns[1]) == "Table Schema: SOP 3"
    again = read_back(after, tmp_path)
    assert stated_source(again.columns[1]) == "Table Schema: SOP 3"


@given(studies())
def test_any_declarations_read_back(tmp_path_factory: pytest.TempPathFactory, study: Study) -> None:
    names = {plain_name(column.name) for column in study.columns}
    assume(study.columns and len(names) == len(study.columns))
    folder = tmp_path_factory.getbasetemp()
    after = read_back(study, folder)
    assert [meaning(c, after) for c in after.columns] == [meaning(c, study) for c in study.columns]
    changes = diff(study, read_codebook(folder / "schema.json"), None)
    assert {change.state for change in changes} <= {"same", "person"}


def test_a_schema_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_schema(STUDY, tmp_path / "schema.json")
    assert (tmp_path / "schema.json").read_bytes() == schema_to_bytes(table_schema(STUDY))
    with pytest.raises(Refused) as refused:
        write_schema(STUDY, tmp_path / "no" / "schema.json")
    assert refused.value.problems[0].code == "codebook-file-unwritable"


@pytest.mark.parametrize("compare", ["exact", "folded"])
def test_how_cells_are_compared_is_written_and_read_back(compare: Any, tmp_path: Path) -> None:
    listed = (CategoryColumn("sex", ("F", "M")), YesNoColumn("dead", ("J",), ("N",)))
    study = Study(columns=tuple(replace(column, compare=compare) for column in listed))
    assert [column.compare for column in read_back(study, tmp_path).columns] == [compare] * 2


def test_a_column_that_is_new_from_a_codebook_is_folded_and_a_declared_one_stays(
    tmp_path: Path,
) -> None:
    book = tmp_path / "book.csv"
    book.write_text("name,type,values\nsex,category,F | M | D\n", encoding="utf-8")
    codebook = read_codebook(book)
    (new,) = diff(Study(), codebook, None)
    assert new.proposed.compare == "folded"
    assert ("compare", None, "folded") in [(m.field, m.declared, m.proposed) for m in new.members]
    declared = Study(columns=(CategoryColumn("sex", ("F", "M")),))
    (change,) = diff(declared, codebook, None)
    assert change.proposed.compare == "exact"
    assert [member.field for member in change.members] == ["values"]
