# SPDX-License-Identifier: Apache-2.0
"""A codebook beside the data file is found by its name and by what it describes, and by no more."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from dpdesk.data.codebook import beside
from dpdesk.data.codebook import read as read_module
from dpdesk.data.codebook.beside import CodebookBeside, codebook_beside
from dpdesk.data.progress import Cancelled, CancelToken
from tests.data.workbooks import Cell, write_workbook
from tests.desk.codebook_files import DICTIONARY, write_dictionary

HEADER = ("record_id", "age", "sex", "smoker", "hba1c", "drugs___1", "ward")
DESCRIBED = ("age", "sex", "smoker", "hba1c", "drugs___1")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "registry.csv"
    path.write_text(",".join(HEADER) + "\n1,64,1,yes,7,0,A\n", encoding="utf-8")
    return path


def schema(folder: Path, name: str, *fields: str) -> Path:
    path = folder / name
    members = [{"name": field, "type": "integer"} for field in fields]
    path.write_text(json.dumps({"fields": members}), encoding="utf-8")
    return path


def test_a_dictionary_beside_the_file_is_found_with_what_it_describes(data: Path) -> None:
    path = write_dictionary(data.parent)
    assert codebook_beside(data, HEADER) == CodebookBeside(path, "redcap", DESCRIBED)


@pytest.mark.parametrize(
    "name",
    [
        "Code Book.csv",
        "registry_data-dictionary_2026.CSV",
        "Codebuch Register.txt",
        "Datensatzbeschreibung.tsv",
        "registry-variables.csv",
    ],
)
def test_a_codebook_is_known_by_its_name(data: Path, name: str) -> None:
    (data.parent / name).write_text(DICTIONARY, encoding="utf-8")
    found = codebook_beside(data, HEADER)
    assert found is not None and found.path.name == name


@pytest.mark.parametrize("name", ["Codebook.xlsx", "registry variables.ods", "labels.xls"])
@pytest.mark.parametrize("form", ["redcap", "plain", "pair"])
def test_a_codebook_in_a_workbook_is_found_as_a_text_is(data: Path, name: str, form: str) -> None:
    rows: list[list[Cell]] = {
        "redcap": [*csv.reader(DICTIONARY.splitlines())],
        "plain": [["Variable", "Type", "Min", "Max"], ["age", "integer", 0, 120]],
        "pair": [["Variable", "Codes"], ["sex", "1=Male; 2=Female"], ["smoker", "0=No; 1=Yes"]],
    }[form]  # type: ignore[assignment]  # csv's rows are of texts alone
    path = data.parent / name
    write_workbook(path, {"About": [["Registry 2025"]], "Variables": rows})
    found = codebook_beside(data, HEADER)
    described = {"redcap": DESCRIBED, "plain": ("age",), "pair": ("sex", "smoker")}[form]
    assert found is not None and (found.path, found.described) == (path, described)


def test_a_workbook_of_data_is_no_codebook_whatever_its_name(data: Path) -> None:
    write_workbook(data.parent / "labels.xlsx", {"Data": [[*HEADER], [1, 64, 1, "yes", 7, 0, "A"]]})
    (data.parent / "~$codebook.xlsx").write_bytes(b"\5owner")
    assert codebook_beside(data, HEADER) is None


@pytest.mark.parametrize("name", ["registry.json", "registry.csv.json", "datapackage.json"])
def test_a_description_that_is_named_as_the_file_is_found(data: Path, name: str) -> None:
    path = schema(data.parent, name, "age", "hba1c")
    assert codebook_beside(data, HEADER) == CodebookBeside(path, "table-schema", ("age", "hba1c"))


def test_other_files_of_the_folder_are_not_opened(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the data, and no file whose name does not say that it describes something."""
    opened: list[str] = []
    own = read_module._read

    def noted(path: Path, most: int) -> bytes:
        opened.append(path.name)
        return own(path, most)

    monkeypatch.setattr(read_module, "_read", noted)
    for name in (
        "deaths.csv",
        "notes.txt",
        "other.json",
        "codebook.docx",
        "deaths.xlsx",
        "dictionary",
    ):
        (data.parent / name).write_text(DICTIONARY, encoding="utf-8")
    assert codebook_beside(data, HEADER) is None
    assert opened == []
    write_dictionary(data.parent)
    assert codebook_beside(data, HEADER) is not None
    assert set(opened) == {"dictionary.csv"}


def test_data_that_is_named_as_a_codebook_is_not_opened(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = data.rename(data.with_name("labels.csv"))
    monkeypatch.setattr(read_module, "_read", lambda path, _most: pytest.fail(f"opened {path}"))
    assert codebook_beside(data, HEADER) is None


def test_a_codebook_of_another_file_is_not_offered(data: Path) -> None:
    """A column of the same name alone says nothing: most of the variables must be there."""
    schema(data.parent, "schema.json", "age", "colour", "weight", "height")
    assert codebook_beside(data, HEADER) is None


def test_a_registrys_large_codebook_covers_an_extract_of_it(data: Path) -> None:
    """Few of its variables are in the file, and all that the file has are its variables."""
    others = (f"other_{number}" for number in range(500))
    path = schema(data.parent, "schema.json", *HEADER, *others)
    assert codebook_beside(data, HEADER) == CodebookBeside(path, "table-schema", HEADER)


def test_the_one_that_describes_most_is_offered_and_else_the_one_named_as_the_file(
    data: Path,
) -> None:
    schema(data.parent, "a-schema.json", "age")
    fuller = schema(data.parent, "b-schema.json", "age", "sex")
    found = codebook_beside(data, HEADER)
    assert found is not None and found.path == fuller
    own = schema(data.parent, "registry-schema.json", "age", "sex")
    found = codebook_beside(data, HEADER)
    assert found is not None and found.path == own


def test_a_package_of_several_tables_is_offered_for_the_file_that_it_names(data: Path) -> None:
    def package(*names: str) -> None:
        field = {"name": "age", "type": "integer"}
        resources = [{"name": n, "path": n, "schema": {"fields": [field]}} for n in names]
        path = data.parent / "datapackage.json"
        path.write_text(json.dumps({"resources": resources}), encoding="utf-8")

    package("deaths.csv", "births.csv")
    assert codebook_beside(data, HEADER) is None
    package("deaths.csv", "registry.csv")
    found = codebook_beside(data, HEADER)
    assert found is not None and found.described == ("age",)


def test_what_is_broken_or_too_large_or_no_file_is_passed_over(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "MOST_BYTES", 10_000)
    (data.parent / "codebook.json").write_text("{", encoding="utf-8")
    (data.parent / "schema.csv").write_bytes(b"\xff\xfe\x00")
    (data.parent / "variables.json").mkdir()
    (data.parent / "metadata.csv").write_text(DICTIONARY + " " * 10_000, encoding="utf-8")
    (data.parent / "labels.csv").symlink_to(data.parent / "gone.csv")
    if hasattr(os, "mkfifo"):
        os.mkfifo(data.parent / "codebook.csv")
    assert codebook_beside(data, HEADER) is None
    assert codebook_beside(data.parent / "gone" / "registry.csv", HEADER) is None


def test_the_search_can_be_cancelled(data: Path) -> None:
    write_dictionary(data.parent)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        codebook_beside(data, HEADER, cancel)


def test_real_codebooks_are_found_beside_their_files(shared_data: Path) -> None:
    for folder, file, codebook in (
        ("redcap/clinical-trial-1", "data.csv", "dictionary.csv"),
        ("redcap/simple", "data.csv", "dictionary.csv"),
        ("covid_testing", "covid_testing_deid.csv", "covid_testing_code_book.csv"),
    ):
        data = shared_data / folder / file
        with data.open(encoding="utf-8-sig") as stream:
            header = tuple(name.strip('"') for name in stream.readline().strip().split(","))
        found = codebook_beside(data, header)
        assert found is not None, folder
        assert found.path.name == codebook
        assert len(found.described) >= 3
