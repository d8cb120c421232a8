# SPDX-License-Identifier: Apache-2.0
"""Lists that a custodian brings: pasted, or a file that is none of the study's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from dpdesk.data.value_list import (
    MOST_ROWS,
    ValueList,
    chosen_list,
    pasted_list,
    read_list,
    value_list,
)
from dpdesk.study import limits
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused


@pytest.mark.parametrize(
    ("text", "values", "labels", "left_out"),
    [
        ("1\tMale\r\n2\tFemale\r\n", ("1", "2"), ("Male", "Female"), 0),
        ("a\nb\n\n a \n", ("a", "b"), (), 2),
        ('"a, ""b"""\tx\r\n"two\r\nlines"\ty\r\n', ('a, "b"', "two lines"), ("x", "y"), 0),
        ('1\t5" tube\n2\tother', ("1", "2"), ('5" tube', "other"), 0),
        ('"1\topen\n2\tmark', ('"1', "2"), ("open", "mark"), 0),
        ("1\t\n2\tb", ("1", "2"), ("1", "b"), 0),
        ("1\ta\n1\n1\ta\n\tb", ("1",), ("a",), 3),
        ("a\u00a0b\tc", ("a b",), ("c",), 0),
        ("a = b\t\t\t", ("a = b",), (), 0),
        ("\x31\0", ("1",), (), 0),
    ],
)
def test_columns_of_a_spreadsheet_are_values_and_names(
    text: str, values: tuple[str, ...], labels: tuple[str, ...], left_out: int
) -> None:
    assert pasted_list(text) == ValueList(values, labels, left_out)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "value-list-empty"),
        ("\r\n\t\r\n", "value-list-empty"),
        ("1\ta\tb", "value-list-columns"),
        ("1\ta\n1\tb", "value-list-two-names"),
        ("x" * (limits.MAX_TEXT + 1), "text-too-long"),
        ("a\u202e", "text-invisible"),
        ("\n".join(map(str, range(limits.MAX_VALUES + 1))), "value-list-too-long"),
    ],
)
def test_what_is_no_list_is_refused_in_one_sentence(text: str, code: str) -> None:
    assert refused(lambda: pasted_list(text)) == code


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    (problem,) = caught.value.problems
    return problem.code


def test_as_many_as_a_category_has_are_taken() -> None:
    listed = value_list((str(i % limits.MAX_VALUES), "") for i in range(2 * limits.MAX_VALUES))
    assert (len(listed.values), listed.left_out) == (limits.MAX_VALUES, limits.MAX_VALUES)


def write(path: Path) -> Path:
    """A list in the form that the file's name says."""
    lines = [("Name", "Code"), ("Male", "1"), ("Female", "2"), ("", "")]
    if path.suffix == ".csv":
        path.write_text("".join(f"{a};{b}\n" for a, b in lines), encoding="cp1252")
        return path
    book = openpyxl.Workbook()
    book.active.title = "notes"
    sheet = book.create_sheet("codes")
    for line in lines:
        sheet.append(line)
    book.active.append(["About"])
    book.save(path)
    return path


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_file_has_its_codes_and_names_in_two_columns(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"codes.{ending}")
    table = read_list(path, Study(), tmp_path, "codes" if ending == "xlsx" else "")
    assert table.header == ("Name", "Code")
    assert table.sheets == (("notes", "codes") if ending == "xlsx" else ())
    assert chosen_list(table, 1, 0).values == ("1", "2")
    assert chosen_list(table, 1, 0).labels == ("Male", "Female")
    assert chosen_list(table, 1, None).labels == ()


@pytest.mark.parametrize("place", ["data", "more", "table", "catalogue"])
@pytest.mark.parametrize("how", ["itself", "a link", "a copy"])
def test_no_file_of_the_study_is_a_list(tmp_path: Path, place: str, how: str) -> None:
    """Values that occur among people would be published as if they had been declared."""
    own = write(tmp_path / "codes.csv")
    other = DataSource("gone.csv")
    study = {
        "data": Study(data=DataSource(own.name)),
        "more": Study(data=DataSource("gone.csv", more=(DataSource(own.name),))),
        "table": Study(data=other, tables=(FurtherTable("labs", DataSource(own.name), "id"),)),
        "catalogue": Study(data=DataSource("gone.sas7bdat", catalogue=str(own))),
    }[place]
    path = own if how == "itself" else tmp_path / "list.csv"
    if how == "a link":
        path.symlink_to(own)
    elif how == "a copy":
        shutil.copy(own, path)
    assert refused(lambda: read_list(path, study, tmp_path)) == "value-list-of-data"
    assert read_list(path, Study(data=other), tmp_path).header == ("Name", "Code")


def test_a_file_of_rows_is_no_list(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("code\n" + "1\n" * (MOST_ROWS + 1), encoding="utf-8")
    assert refused(lambda: read_list(path, Study(), tmp_path)) == "value-list-too-long"
