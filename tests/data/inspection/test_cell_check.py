# SPDX-License-Identifier: Apache-2.0
"""How the cells of the used columns can be read: four words, and hardly a line."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.inspection.cell_check import ColumnCheck, check_cells
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused

STAY = NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1))
DAY = DateColumn("day", date(2020, 1, 1), date(2020, 12, 31), "MM/DD/YYYY")
SEX = CategoryColumn("sex", ("male", "female"))
ILL = YesNoColumn("ill", ("yes",), ("no",))


def study_of(column: Column, **data: object) -> Study:
    """A study that asks of one column, whatever its kind."""
    query = Query("q", "count", where=(IsIn(column.name, ("x",)),))
    source = DataSource("table.csv", missing=("?",), **data)  # type: ignore[arg-type]
    return Study(data=source, unit=Unit(), columns=(column,), queries=(query,))


def found(folder: Path, column: Column, cells: list[str], **data: object) -> list[ColumnCheck]:
    """What is said of a column that holds these cells."""
    lines = [column.name, *(f'"{cell}"' for cell in cells)]
    (folder / "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(check_cells(study_of(column, **data), folder))


@pytest.mark.parametrize(
    ("good", "bad", "readable", "line"),
    [
        (100, 0, "nearly-all", None),
        (95, 5, "nearly-all", None),
        (94, 6, "some", None),
        (5, 95, "some", None),
        (4, 96, "hardly-any", 6),
        (1, 99, "hardly-any", 3),
        (0, 100, "none", 2),
        (0, 0, "none", None),
    ],
)
@pytest.mark.parametrize(
    ("column", "yes", "no"),
    [(STAY, "7", "seven"), (STAY, "1e9", "1,5,6"), (DAY, "06/04/2020", "2020-06-04")],
)
def test_numbers_and_dates_have_four_words_and_a_line_below_5_percent(
    tmp_path: Path,
    column: Column,
    yes: str,
    no: str,
    good: int,
    bad: int,
    readable: str,
    line: int | None,
) -> None:
    (said,) = found(tmp_path, column, [yes] * good + [no] * bad)
    assert (said.name, said.readable, said.line, said.row) == (column.name, readable, line, None)


@pytest.mark.parametrize(
    ("good", "bad", "readable"),
    [(100, 0, None), (5, 95, None), (4, 96, "hardly-any"), (0, 100, "none"), (0, 0, "none")],
)
@pytest.mark.parametrize(("column", "yes", "no"), [(SEX, "male", "M"), (ILL, "no", "N")])
def test_of_lists_only_hardly_any_and_none_are_said_and_never_a_line(
    tmp_path: Path, column: Column, yes: str, no: str, good: int, bad: int, readable: str | None
) -> None:
    said = found(tmp_path, column, [yes] * good + [no] * bad)
    assert said == ([] if readable is None else [ColumnCheck(column.name, readable)])  # type: ignore[arg-type]


def test_the_whole_list_counts_not_each_of_its_values(tmp_path: Path) -> None:
    assert found(tmp_path, SEX, ["male"] * 100) == []


def test_missing_cells_count_neither_way(tmp_path: Path) -> None:
    empty = ["", "?", " ? "] * 200
    assert found(tmp_path, STAY, [*empty, "3"])[0].readable == "nearly-all"
    (said,) = found(tmp_path, STAY, [*empty, "x"])
    assert said == ColumnCheck("stay", "none", line=602)
    marked = replace(STAY, missing_values=("99",))
    assert found(tmp_path, marked, ["99.0", "x"])[0].readable == "none"


def test_bounds_and_period_do_not_matter_nor_do_the_rules(tmp_path: Path) -> None:
    far = replace(STAY, lower=Decimal(5), upper=Decimal(6), outside="drop")
    assert found(tmp_path, far, ["-1e300", "99", "5.5"])[0].readable == "nearly-all"
    unbounded = replace(STAY, lower=None, upper=None)
    assert found(tmp_path, unbounded, ["1", "2"])[0].readable == "nearly-all"
    for incomplete in (NumberColumn("stay"), replace(STAY, upper=None, step=None)):
        assert found(tmp_path, incomplete, ["1", "2.5"])[0].readable == "nearly-all"
    period = replace(DAY, first=date(2021, 1, 1), last=date(2021, 1, 1))
    assert found(tmp_path, period, ["12/31/1999"])[0].readable == "nearly-all"
    undeclared = replace(DAY, first=None, last=None)
    assert found(tmp_path, undeclared, ["12/31/1999"])[0].readable == "nearly-all"


def test_case_decides_where_it_is_declared_to(tmp_path: Path) -> None:
    assert found(tmp_path, SEX, ["MALE"])[0].readable == "none"
    assert found(tmp_path, replace(SEX, compare="folded"), ["MALE"]) == []
    assert found(tmp_path, replace(SEX, compare="folded"), ["M"])[0].readable == "none"


def test_the_line_is_that_of_the_file(tmp_path: Path) -> None:
    """Blank lines and titles above the header count as lines, though they are no rows."""
    text = "Title\n\nname,stay\nx,\n\n \nx,?\nx,seven\nx,eight\n"
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    (said,) = check_cells(study_of(STAY, header_row=3), tmp_path)
    assert said.line == 8


def test_a_line_far_down_is_found(tmp_path: Path) -> None:
    rows = [""] * 300_000 + ["x"]
    assert found(tmp_path, STAY, rows)[0].line == 300_002


def test_a_file_without_lines_has_rows(tmp_path: Path) -> None:
    pd.DataFrame({"stay": ["", "1", *["x"] * 30]}).to_parquet(tmp_path / "table.parquet")
    study = study_of(STAY)
    study = replace(study, data=DataSource("table.parquet", "parquet"))
    assert check_cells(study, tmp_path) == (ColumnCheck("stay", "hardly-any", row=3),)


def test_a_workbook_is_checked_too(tmp_path: Path) -> None:
    pd.DataFrame({"sex": ["M"] * 9, "stay": range(9)}).to_excel(tmp_path / "a.xlsx", index=False)
    study = replace(study_of(SEX), data=DataSource("a.xlsx", "excel", sheet="Sheet1", header_row=1))
    assert check_cells(study, tmp_path) == (ColumnCheck("sex", "none"),)


def test_only_used_columns_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("stay,sex\nx,x\n", encoding="utf-8")
    study = replace(study_of(SEX), columns=(STAY, SEX))
    assert [said.name for said in check_cells(study, tmp_path)] == ["sex"]
    looked_for = (Query("q", "categories-found", CategoriesFoundParameters("ward")),)
    open_study = replace(study, columns=(CategoryColumn("ward"),), queries=looked_for)
    assert check_cells(open_study, tmp_path / "nowhere") == ()


def test_progress_is_reported_and_a_cancel_is_heeded(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found(tmp_path, STAY, ["1"])
    check_cells(study_of(STAY), tmp_path, lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == (tmp_path / "table.csv").stat().st_size
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        check_cells(study_of(STAY), tmp_path, cancel=token)


def test_what_a_release_refuses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        check_cells(study_of(STAY), tmp_path)
    assert refused.value.problems[0].code == "data-file-missing"
    (tmp_path / "table.csv").write_text("other\n1\n", encoding="utf-8")
    with pytest.raises(Refused) as refused:
        check_cells(study_of(STAY), tmp_path)
    assert refused.value.problems[0].code == "data-column-absent"


WORDS = {"nearly-all", "some", "hardly-any", "none"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    cells=st.lists(st.text(st.characters(codec="utf-8", exclude_characters='"'), max_size=6)),
    column=st.sampled_from([STAY, DAY, SEX, ILL]),
)
def test_whatever_the_cells_hold_nothing_but_words_and_a_line_comes_out(
    tmp_path: Path, cells: list[str], column: Column
) -> None:
    for said in found(tmp_path, column, cells):
        held = {f.name: getattr(said, f.name) for f in fields(said)}
        assert held.keys() == {"name", "readable", "line", "row"}
        assert said.name == column.name
        assert said.readable in WORDS
        assert (said.line is None) or said.readable in ("hardly-any", "none")
        if column in (SEX, ILL):
            assert said.readable in ("hardly-any", "none")
            assert said.line is said.row is None


def test_the_line_is_right_where_rows_run_over_several_lines(tmp_path: Path) -> None:
    """Declared line breaks are lines of the file, though they end no row."""
    (tmp_path / "table.csv").write_text('note,stay\n"a\nb",\n"c\nd",seven\n', encoding="utf-8")
    (said,) = check_cells(study_of(STAY, line_breaks=True), tmp_path)
    assert said.line == 4


@pytest.mark.parametrize(("end", "declared"), [("\r\n", ""), ("\r\n", "lf"), ("\r", "cr")])
def test_the_line_is_right_whatever_ends_a_line(tmp_path: Path, end: str, declared: str) -> None:
    (tmp_path / "table.csv").write_bytes(end.join(["stay", "?", "seven", ""]).encode())
    (said,) = check_cells(study_of(STAY, line_ending=declared), tmp_path)
    assert said.line == 3


def test_an_open_quotation_mark_moves_no_other_line(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text('note,stay\n"a,?\nb,seven\n', encoding="utf-8")
    (said,) = check_cells(study_of(STAY), tmp_path)
    assert said.line == 3
