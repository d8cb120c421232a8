# SPDX-License-Identifier: Apache-2.0
"""Names declared for a file of codes, or codes for one of names: the check says so, and whence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.finding import Finding
from dpdesk.study.model.columns import CategoryColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.texts import findings

LABELS = {1: "Female", 2: "Male"}
NAMES = CategoryColumn("sex", ("Female", "Male"))
CODES = CategoryColumn("sex", ("1", "2"))
IS_MALE = YesNoColumn("sex", ("Male",), ("Female",))
DICTIONARY = 'name,type,values\nsex,category,"1=Female; 2=Male"\nage,integer,\n'
LETTERS = 'name,type,values\nsex,category,"F=Female; M=Male"\nage,integer,\n'


def as_sav(table: pd.DataFrame, path: Path, labels: dict[int, str] | None) -> None:
    """SPSS, with its value labels."""
    pyreadstat.write_sav(table, path, variable_value_labels={"sex": labels} if labels else None)


def as_dta(table: pd.DataFrame, path: Path, labels: dict[int, str] | None) -> None:
    """Stata, with its value labels."""
    pyreadstat.write_dta(table, path, variable_value_labels={"sex": labels} if labels else None)


def as_csv(table: pd.DataFrame, path: Path, labels: dict[int, str] | None) -> None:
    """Text, with its codebook beside it."""
    table.to_csv(path, index=False)
    if labels:
        (path.parent / "codebook.csv").write_text(DICTIONARY, encoding="utf-8")


def as_parquet(table: pd.DataFrame, path: Path, labels: dict[int, str] | None) -> None:
    """Parquet, with its codebook beside it."""
    table.to_parquet(path)
    if labels:
        (path.parent / "codebook.csv").write_text(DICTIONARY, encoding="utf-8")


Writer = Callable[[pd.DataFrame, Path, dict[int, str] | None], None]
WRITERS = {"sav": as_sav, "dta": as_dta, "csv": as_csv, "parquet": as_parquet}
FORMATS = {"sav": "spss", "dta": "stata", "csv": "csv", "parquet": "parquet"}
BESIDE = {"sav": "", "dta": "", "csv": "codebook.csv", "parquet": "codebook.csv"}


def checked(
    folder: Path, ending: str, column: CategoryColumn | YesNoColumn, holds: list[object]
) -> list[Finding]:
    """What is said of a file that is there, or of one with these cells."""
    path = folder / f"stays.{ending}"
    if holds:
        table = pd.DataFrame({"age": [30 + n % 9 for n in range(len(holds))], "sex": holds})
        labels = LABELS if not isinstance(holds[0], str) or ending in ("csv", "parquet") else None
        WRITERS[ending](table, path, labels)
    source = DataSource(path.name, format=FORMATS[ending])  # type: ignore[arg-type]
    query = Query("q", "count", by=(column.name,))
    study = Study(data=source, unit=Unit(), columns=(column,), queries=(query,))
    return list(check_file(study, folder))


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("column", [NAMES, IS_MALE, replace(NAMES, values=("female", "MALE "))])
def test_names_declared_for_codes_rest_on_the_codebook(
    tmp_path: Path, ending: str, column: CategoryColumn | YesNoColumn
) -> None:
    """Groups of 0 came out, which nobody calls too noisy."""
    said = checked(tmp_path, ending, column, [1, 2] * 60)
    assert said == [
        Finding("listed", "none", "sex"),
        Finding("seen-coded", "none", "sex", source=BESIDE[ending]),
    ]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_codes_declared_for_names_rest_on_the_codebook(tmp_path: Path, ending: str) -> None:
    said = checked(tmp_path, ending, CODES, ["Female", "Male"] * 60)
    assert said == [
        Finding("listed", "none", "sex"),
        Finding("seen-labelled", "none", "sex", source="codebook.csv"),
    ]


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_names_in_a_file_without_labels_are_said_without_a_source(
    tmp_path: Path, ending: str
) -> None:
    said = checked(tmp_path, ending, CODES, ["Female", "Male"] * 60)
    assert [one.code for one in said] == ["listed", "seen-names"]


@pytest.mark.parametrize("ending", FORMATS)
def test_codes_without_a_codebook_are_seen_in_every_format(tmp_path: Path, ending: str) -> None:
    """In files that hold numbers, and no texts, nothing was said of codes."""
    table = pd.DataFrame({"age": range(120), "sex": [1, 2] * 60})
    WRITERS[ending](table, tmp_path / f"stays.{ending}", None)
    said = checked(tmp_path, ending, NAMES, [])
    assert [one.code for one in said] == ["listed", "seen-codes"]


def test_codes_that_are_letters_rest_on_the_codebook_alone(tmp_path: Path) -> None:
    (tmp_path / "stays.csv").write_text("age,sex\n" + "3,F\n4,M\n" * 60, encoding="utf-8")
    assert [one.code for one in checked(tmp_path, "csv", NAMES, [])] == ["listed"]
    (tmp_path / "labels.csv").write_text(LETTERS, encoding="utf-8")
    said = checked(tmp_path, "csv", NAMES, [])
    assert said[1:] == [Finding("seen-coded", "none", "sex", source="labels.csv")]


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        (["Female", "Male", "1", "2"], ["listed", "seen-coded"]),
        (["Female", "Male", "Femal", "Mle"], ["listed"]),
        (["Female", "Male", "NA", "-"], ["listed", "seen-marker"]),
        (["NA", "-"], ["listed", "seen-marker"]),
        (["Female", "Male"], ["listed"]),
    ],
)
def test_where_much_fits_the_rest_must_look_like_codes(
    tmp_path: Path, cells: list[object], codes: list[str]
) -> None:
    assert [one.code for one in checked(tmp_path, "csv", NAMES, cells * 60)] == codes


def test_a_list_that_is_no_side_of_the_codebook_is_not_explained_by_it(tmp_path: Path) -> None:
    other = replace(NAMES, values=("Female", "Divers"))
    assert checked(tmp_path, "csv", other, [1, 2] * 60)[1].code == "seen-codes"
    (tmp_path / "codebook.csv").write_bytes(b"\0")
    (tmp_path / "stays.csv").write_text("age,sex\n" + "3,1\n4,2\n" * 60, encoding="utf-8")
    assert checked(tmp_path, "csv", NAMES, [])[1].code == "seen-codes"


def test_the_sentence_names_the_source_and_no_value(tmp_path: Path) -> None:
    study = Study(columns=(NAMES,))
    for ending, source in (("csv", "the codebook codebook.csv"), ("sav", "the file’s own labels")):
        said = checked(tmp_path, ending, NAMES, [1, 2] * 60)[1]
        shown = f"{findings.said(said, study)} {findings.remedy(said)}"
        assert source in shown and "Import that list" in shown
        assert "Female" not in shown and "1" not in shown
