# SPDX-License-Identifier: Apache-2.0
"""Each format is declared once, and all that needs to know it follows from the declaration."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from dpdesk.catalogue import read_catalogue, speak
from dpdesk.data.codebook.entry import codebook_name
from dpdesk.data.codebook.read import ENDINGS
from dpdesk.data.files.file_formats import (
    DECLARATIONS,
    KINDS,
    LABELLED,
    PARQUET,
    declared_by,
    file_kind,
    format_of,
    native_reader,
    parts_of,
    takes_catalogue,
)
from dpdesk.data.files.format_declaration import NativeReader
from dpdesk.data.files.parquet.parquet_file import open_parquet
from dpdesk.data.files.workbook.workbook_file import open_workbook
from dpdesk.study.model.unit import FORMATS, DataSource


def test_each_format_of_a_study_has_one_declaration() -> None:
    assert tuple(DECLARATIONS) == FORMATS
    assert len(KINDS) == sum(len(each.kinds) for each in DECLARATIONS.values())


def test_no_ending_and_no_beginning_means_two_kinds() -> None:
    for taken in (
        [ending for each in DECLARATIONS.values() for ending in each.endings],
        [start for kind in KINDS.values() for start in kind.starts],
    ):
        assert len(set(taken)) == len(taken)
    for kind in KINDS.values():
        assert {file_kind(start + bytes(600)) for start in kind.starts} <= {kind}


def test_a_kind_is_of_the_format_that_its_ending_and_its_bytes_say() -> None:
    for kind in KINDS.values():
        declared = declared_by(kind)
        names = [Path(f"stays{ending.upper()}") for ending in kind.endings]
        assert {format_of(b"\0", name) for name in names} <= {declared.key}
        assert {format_of(start, Path("stays.csv")) for start in kind.starts} <= {declared.key}
    assert format_of(b"a,b\n", Path("stays.xlsx")) == "csv"


def test_parts_are_members_of_a_source_that_the_kind_has() -> None:
    members = {field.name for field in fields(DataSource)}
    assert all(set(each.parts) <= members for each in DECLARATIONS.values())
    assert parts_of("sas", "a.sas7bdat")[:2] == ("encoding", "catalogue")
    assert "catalogue" not in parts_of("sas", "a.XPT")
    assert "encoding" not in parts_of("spss", "a.por")
    assert [key for key, kind in KINDS.items() if takes_catalogue(kind)] == ["sas7bdat"]


def test_what_holds_labels_is_a_codebook_with_a_name() -> None:
    assert LABELLED == ("spss", "stata", "sas")
    assert codebook_name("stata") == "Stata labels"
    assert all(DECLARATIONS[key].dates for key in LABELLED)
    assert {".json", ".xlsm", ".sav", ".xpt"} <= set(ENDINGS)
    assert not {".zip", ".parquet"} & set(ENDINGS)


def test_a_native_reader_is_known_by_its_declaration_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert native_reader("excel") is open_workbook
    with pytest.raises(TypeError):
        native_reader("parquet")
    native = NativeReader("dpdesk.data.files.parquet.parquet_file:open_parquet")
    monkeypatch.setitem(DECLARATIONS, "parquet", replace(PARQUET, reader=native))
    assert native_reader("parquet") is open_parquet


def test_a_format_is_called_by_its_name_in_the_language_spoken() -> None:
    speak(read_catalogue("de"))
    try:
        names = [declared.name for declared in DECLARATIONS.values()]
    finally:
        speak(read_catalogue("en"))
    assert names == ["CSV-Text", "Arbeitsmappe", "Parquet", "SPSS", "Stata", "SAS"]
