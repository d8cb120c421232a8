# SPDX-License-Identifier: Apache-2.0
"""Labels inside files of SPSS, Stata and SAS; their rows stay unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.data.codebook.read import read_codebook
from dpdesk.study.problem import Refused
from tests.data.codebook.written import entry, notes, said

pytest.importorskip("pyreadstat")


@pytest.fixture
def files(shared_data: Path) -> Path:
    return shared_data / "statfiles"


@pytest.mark.parametrize(
    ("name", "kind"), [("sample.sav", "spss"), ("sample.zsav", "spss"), ("sample.dta", "stata")]
)
def test_labels_become_titles_and_categories(files: Path, name: str, kind: str) -> None:
    found = read_codebook(files / "basic" / name)
    assert found.kind == kind
    assert [e.name for e in found.columns][:3] == ["mychar", "mynum", "mydate"]
    assert said(found, "mylabl") == {
        "kind": "category",
        "title": "labeled",
        "values": ("1", "2"),
        "labels": ("Male", "Female"),
    }
    assert said(found, "myord")["labels"] == ("low", "medium", "high")
    assert said(found, "mydate") == {"kind": "date", "title": "date", "format": "YYYY-MM-DD"}
    assert said(found, "mynum") == {"kind": "number", "title": "numeric"}
    assert notes(found, "mychar") == ["codebook-values-unsaid"]
    assert said(found, "dtime")["kind"] == "date"
    mytime = {"kind": "number", "title": "time", "label": "seconds"}
    assert said(found, "mytime") == mytime and notes(found, "mytime") == []
    assert entry(found, "dtime").title == "datetime"


def test_a_portable_file_of_spss(files: Path) -> None:
    found = read_codebook(files / "basic/sample.por")
    assert found.basis == "SPSS labels, sample.por"
    assert said(found, "MYLABL")["labels"] == ("Male", "Female")


def test_missing_values_of_spss_are_no_categories(files: Path) -> None:
    found = read_codebook(files / "basic/sample_missing.sav")
    assert said(found, "mylabl")["missing_values"] == ("-1",)
    assert said(found, "mylabl")["labels"] == ("Male", "Female")
    assert said(found, "myord")["missing_values"] == ("-1", "-2", "-3")
    assert said(found, "mynum")["missing_values"] == ("-1",)
    assert notes(found, "mynum") == ["codebook-missing-range"]


def test_every_kind_of_variable_of_spss(files: Path) -> None:
    found = read_codebook(files / "multiple_response/simple_alltypes.sav")
    assert said(found, "x")["labels"] == ("red", "green", "blue")
    assert said(found, "x")["missing_values"] == ("7", "8", "99")
    assert said(found, "z")["missing_values"] == ("999",)
    assert said(found, "z")["title"] == "Numberic variable with missing value range"
    assert said(found, "y")["kind"] == said(found, "quarter")["kind"] == "date"
    assert said(found, "ca_subvar_2")["values"] == ("a", "b", "c", "d")


def test_tagged_missing_values_of_stata_are_no_categories(files: Path) -> None:
    found = read_codebook(files / "missing_data/missing_test.dta")
    assert said(found, "var1") == {"kind": "number"}


def test_sas_files_and_their_catalogues(files: Path) -> None:
    data = files / "sas_catalog/test_data_win.sas7bdat"
    alone = read_codebook(data)
    assert said(alone, "SEXA") == {"kind": "category"}
    catalogue = files / "sas_catalog/test_formats_win.sas7bcat"
    found = read_codebook(data, catalogue=catalogue)
    assert dict(zip(said(found, "SEXA")["values"], said(found, "SEXA")["labels"], strict=True)) == {
        "1": "Male",
        "2": "Female",
    }
    with pytest.raises(Refused) as refused:
        read_codebook(catalogue)
    assert refused.value.problems[0].code == "codebook-catalogue"


def test_sas_transport(shared_data: Path) -> None:
    found = read_codebook(shared_data / "nhanes_2015_16/DEMO_I.XPT")
    assert (found.kind, len(found.columns)) == ("sas", 47)
    assert said(found, "RIDAGEYR") == {"kind": "number", "title": "Age in years at screening"}
    body = read_codebook(shared_data / "nhanes_2015_16/BMX_I.XPT")
    assert said(body, "BMXWT")["title"] == "Weight"
    assert said(body, "BMXWT")["label"] == "kg"


def test_dates_of_sas(files: Path) -> None:
    found = read_codebook(files / "basic/date_test.sas7bdat")
    assert said(found, "dtc2")["kind"] == "date"
    assert said(found, "tm1") == {"kind": "number", "label": "seconds"}
    assert {said(found, name)["kind"] for name in ("dt1", "dt2")} == {"date"}


def test_a_folder_with_letters_of_other_languages(files: Path) -> None:
    found = read_codebook(files / "ínternátionál/sample.sas7bdat")
    assert len(found.columns) == 7


def test_all_of_them_are_read(files: Path) -> None:
    read = 0
    for path in sorted(files.rglob("*.*")):
        if path.suffix != ".sas7bcat":
            assert read_codebook(path).columns
            read += 1
    assert read == 29


@pytest.mark.parametrize("mark", [b"$FL2@(#) SPSS DATA FILE", b"<stata_dta><header>"])
def test_a_torn_file_is_refused(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "torn.sav"
    path.write_bytes(mark + b"Mrs Secret \x00\x01" * 40)
    with pytest.raises(Refused) as refused:
        read_codebook(path)
    (problem,) = refused.value.problems
    assert (problem.code, problem.params) == ("codebook-file-damaged", {"name": "torn.sav"})
