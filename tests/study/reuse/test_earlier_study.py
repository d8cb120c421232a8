# SPDX-License-Identifier: Apache-2.0
"""What a study about another file takes over from an earlier one, and what it does not."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.steps.step import CodePrefix, DatePart
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource
from dpdesk.study.reuse.earlier_study import ALL, Parts, carry_over, read_as_before
from tests.release.studies import STUDY

NEXT = DataSource(path="next.csv", extract="next.csv, 2027-01-01")
HEADER = ("id", *(column.name for column in STUDY.columns))


def test_a_duplicate_has_all_declarations_and_the_new_file() -> None:
    carried = carry_over(STUDY, NEXT, HEADER)
    assert carried.study == replace(STUDY, data=NEXT)
    assert (carried.missing, carried.undeclared, carried.asks_people) == ((), (), False)
    assert not check(carried.study)


def test_columns_that_the_file_lacks_are_kept_and_named() -> None:
    carried = carry_over(STUDY, NEXT, ("ID", HEADER[1], "bmi"))
    assert carried.study.columns == STUDY.columns
    assert carried.missing == ("id", *HEADER[2:])
    assert carried.undeclared == ("ID", "bmi")
    assert carried.spellings() == {"id": "ID"}


def test_headers_are_compared_as_the_file_is_read() -> None:
    spaced = replace(STUDY, columns=(replace(STUDY.columns[0], name=f" {HEADER[1]} "),))
    assert carry_over(spaced, NEXT, HEADER[:2]).missing == ()


def test_the_file_lacks_no_column_that_is_made_from_others() -> None:
    stay = NumberColumn("stay", made_from=DatePart("year", HEADER[1]))
    codes = CategoryColumn("chapter", made_from=CodePrefix("icd10", ()))
    study = replace(STUDY, columns=(*STUDY.columns, stay, codes))
    assert carry_over(study, NEXT, HEADER).missing == ("icd10",)


def test_only_what_is_wanted_is_taken_over() -> None:
    study = carry_over(STUDY, NEXT, HEADER, Parts(account=False, queries=False)).study
    assert study.columns == STUDY.columns
    assert (study.title, study.unit, study.budget, study.queries) == ("", None, None, ())
    without = carry_over(STUDY, NEXT, HEADER, Parts(columns=False)).study
    assert (without.columns, without.queries, without.budget) == ((), (), STUDY.budget)


def test_a_public_number_of_people_is_declared_anew() -> None:
    assert STUDY.unit is not None
    public = replace(STUDY, unit=replace(STUDY.unit, neighbours="change-one", people=100))
    carried = carry_over(public, NEXT, HEADER)
    assert carried.asks_people
    assert carried.study.unit == replace(STUDY.unit, neighbours="change-one")
    assert [problem.code for problem in check(carried.study)] == ["people-not-declared"]


def test_what_was_declared_by_hand_is_kept_and_what_was_recognised_is_not() -> None:
    before = DataSource(
        "a.csv", missing=("?",), separator=";", decimal=",", encoding="cp1252", extract="a"
    )
    found = DataSource("b.csv", separator="\t", extract="")
    assert read_as_before(before, found) == replace(found, missing=("?",))
    declared = replace(before, by_hand=("decimal",), line_breaks=True)
    read = read_as_before(declared, found)
    assert (read.decimal, read.separator, read.by_hand) == (",", "\t", ("decimal",))
    assert read.line_breaks
    assert (read.path, read.extract) == ("b.csv", "")


def test_a_file_of_another_format_is_read_as_it_is_found() -> None:
    before = DataSource("a.csv", missing=("?",), quotes=False, by_hand=("decimal",))
    found = DataSource("b.parquet", format="parquet")
    assert read_as_before(before, found) == replace(found, missing=("?",))
    assert read_as_before(None, found) == found


def test_everything_is_carried_over_unless_said() -> None:
    assert Parts(title=True) == ALL


def test_further_files_and_tables_are_those_of_their_names_beside_the_new_file() -> None:
    assert STUDY.data is not None
    labs = FurtherTable("labs", DataSource("in/labs.csv", more=(DataSource("b/2.csv"),)), "id")
    value = replace(STUDY.columns[0], name="value", table="labs")
    earlier = replace(
        STUDY,
        data=replace(STUDY.data, label="1", more=(DataSource("old/x.csv", label="2"),)),
        tables=(labs,),
        columns=(*STUDY.columns, value),
    )
    carried = carry_over(earlier, replace(NEXT, path="/new/next.csv"), HEADER)
    assert [file.path for file in carried.study.sources] == [
        *("/new/next.csv", "/new/x.csv", "/new/labs.csv", "/new/2.csv")
    ]
    assert [file.label for file in carried.study.sources] == ["1", "2", "", ""]
    assert carried.files == ("/new/x.csv", "/new/labs.csv", "/new/2.csv")
    assert carried.missing == (), "the main file lacks no column of another table"
    windows = carry_over(earlier, replace(NEXT, path="C:\\new\\next.csv"), HEADER)
    assert windows.files[1] == "C:\\new\\labs.csv"
    assert carry_over(earlier, NEXT, HEADER, Parts(columns=False)).study.tables == ()


def test_a_further_file_that_is_the_new_one_is_not_read_twice() -> None:
    assert STUDY.data is not None
    earlier = replace(STUDY, data=replace(STUDY.data, more=(DataSource("old/next.csv"),)))
    carried = carry_over(earlier, replace(NEXT, path="new/next.csv"), HEADER)
    assert carried.study.data is not None and carried.study.data.more == ()


def test_further_sheets_of_the_earlier_workbook_are_sheets_of_the_new_one() -> None:
    book = DataSource("old/2025.xlsx", "excel", sheet="Ward A", header_row=1)
    labs = FurtherTable("labs", replace(book, sheet="Labs"), "id")
    data = replace(book, more=(replace(book, sheet="Ward B"),))
    earlier = replace(STUDY, data=data, tables=(labs,))
    for path in ("/new/2026.xlsx", "/new/2025.xlsx"):
        carried = carry_over(earlier, replace(book, path=path), HEADER)
        assert [(one.path, one.sheet) for one in carried.study.sources] == [
            (path, "Ward A"),
            (path, "Ward B"),
            (path, "Labs"),
        ]
