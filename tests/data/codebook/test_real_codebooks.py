# SPDX-License-Identifier: Apache-2.0
"""Real codebooks, against what stands in them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.read import read_codebook
from dpdesk.study.problem import Refused
from tests.data.codebook.written import entry, notes, said


def note_counts(found: Codebook) -> Counter[str]:
    return Counter(note.code for e in found.columns for note in e.notes)


def test_the_simple_redcap_project(shared_data: Path) -> None:
    found = read_codebook(shared_data / "redcap/simple/dictionary.csv")
    assert (found.kind, found.basis) == ("redcap", "REDCap data dictionary, dictionary.csv")
    assert len(found.columns) == 16 + 5
    assert said(found, "height") == {
        "kind": "number",
        "title": "Height",
        "label": "cm",
        "lower": Decimal(130),
        "upper": Decimal(215),
    }
    assert said(found, "weight")["step"] == 1
    assert said(found, "weight")["label"] == "kilograms"
    assert said(found, "sex") == {
        "kind": "category",
        "title": "Gender",
        "values": ("0", "1"),
        "labels": ("Female", "Male"),
    }
    assert said(found, "race___5")["title"] == "Race (Select all that apply): White"
    assert said(found, "race___5")["yes"] == ("Checked", "1")
    assert found.entry("race") is None
    assert said(found, "ethnicity")["labels"][1] == "NOT Hispanic or Latino"
    named = {e.name for e in found.columns if e.identifier}
    assert named == {"name_first", "name_last", "address", "telephone", "email", "dob"}
    assert notes(found, "bmi") == ["codebook-calculated"]
    assert notes(found, "record_id") == ["codebook-record-id"]
    assert notes(found, "mugshot") == ["codebook-attachment"]
    assert notes(found, "comments") == notes(found, "address") == ["codebook-free-text"]
    assert entry(found, "age").column is None
    assert entry(found, "age").title == "Age (years)"
    with (shared_data / "redcap/simple/data.csv").open(encoding="utf-8") as file:
        header = next(csv.reader(file))
    missing = set(header) - {e.name for e in found.columns}
    assert {name for name in missing if not name.endswith("_complete")} == set()


def test_the_clinical_trial(shared_data: Path) -> None:
    found = read_codebook(shared_data / "redcap/clinical-trial-1/dictionary.csv")
    assert len(found.columns) == 12
    assert said(found, "dob") == {
        "kind": "date",
        "title": "dob",
        "first": date(1900, 1, 1),
        "last": date(2029, 12, 31),
        "format": "YYYY-MM-DD",
    }
    assert entry(found, "dob").identifier
    height = said(found, "height")
    assert (height["lower"], height["upper"], height["label"]) == (0, 250, "cm")
    assert "step" not in height
    assert said(found, "race")["values"] == ("1", "2", "3", "4", "5", "6")
    assert said(found, "race")["labels"][1] == "(Not Used)"
    assert said(found, "gender")["labels"] == ("Female", "Male")
    assert {e.origin.codebook for e in found.columns} == {"redcap"}


def test_isarics_dictionary(shared_data: Path) -> None:
    path = shared_data / "isaric_arc/ARC.csv"
    found = read_codebook(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = {row["Variable"]: row for row in csv.DictReader(file)}
    assert len(rows) == 1_757
    assert found.kind == "isaric-arc"
    boxes = {name: row for name, row in rows.items() if row["Type"] == "checkbox"}
    for name, row in boxes.items():
        for choice in row["Answer Options"].split("|"):
            code = choice.split(",")[0].strip()
            assert said(found, f"{name}___{code}")["kind"] == "yes-no"
    single = {e.name for e in found.columns if "___" not in e.name}
    assert single == rows.keys() - boxes.keys()
    assert len(found.columns) == 2_271
    for name, row in rows.items():
        if row["Type"] == "number":
            column = said(found, name)
            ends = (row["Minimum"], row["Maximum"])
            assert tuple(str(column.get(k, "")) for k in ("lower", "upper")) == ends, name
    todays = [n for n, row in rows.items() if row["Maximum"] == "today"]
    assert len(todays) == 74 == note_counts(found)["codebook-today"]
    assert all("last" not in said(found, name) for name in todays)
    assert said(found, "labs_lymphocyte_units")["labels"] == ("%", "10^9/L")
    assert said(found, "inclu_reason")["labels"] == ("Yes", "No", "Unknown")
    assert note_counts(found)["codebook-several-choices"] == 14
    assert note_counts(found)["codebook-values-elsewhere"] == 27
    assert note_counts(found)["codebook-not-data"] == 86
    marked = [name for name, row in rows.items() if row["Identifier"] == "1"]
    assert [entry(found, name).identifier for name in marked] == [True]


def test_the_data_package(shared_data: Path) -> None:
    path = shared_data / "table_schema/datapackage.json"
    found = read_codebook(path)
    fields = json.loads(path.read_bytes())["resources"][0]["schema"]["fields"]
    assert (found.kind, len(found.columns)) == ("table-schema", 50)
    assert [e.name for e in found.columns] == [field["name"] for field in fields]
    for field in fields:
        limits = field.get("constraints", {})
        column = said(found, field["name"])
        if "enum" in limits and column["kind"] == "category":
            assert list(column["values"]) == limits["enum"]
        if "minimum" in limits:
            ends = (limits["minimum"], limits["maximum"], 1)
            assert tuple(column[k] for k in ("lower", "upper", "step")) == ends
        if column:
            assert column["missing_values"] == ("?",)
    assert said(found, "diabetesMed")["yes"] == ("Yes",)
    assert notes(found, "encounter_id") == ["codebook-record-id"]
    assert notes(found, "diag_1") == ["codebook-values-unsaid"]
    kinds = Counter(said(found, field["name"]).get("kind") for field in fields)
    assert kinds == {"category": 39, "number": 9, "yes-no": 1, None: 1}


def test_the_codebook_of_the_covid_tests(shared_data: Path) -> None:
    found = read_codebook(shared_data / "covid_testing/covid_testing_code_book.csv")
    assert (found.kind, found.basis) == ("plain", "Codebook, covid_testing_code_book.csv")
    assert len(found.columns) == 17
    assert said(found, "age")["label"] == "Years"
    assert said(found, "age")["kind"] == "number"
    assert said(found, "drive_thru_ind")["values"] == ("1", "0")
    assert said(found, "drive_thru_ind")["labels"] == (
        "Collected at drive-thru site",
        "Not collected at drive-thru site",
    )
    assert notes(found, "ct_result") == ["codebook-type-unsaid"]
    assert entry(found, "ct_result").title == "Cycle at which threshold reached during PCR"
    with (shared_data / "covid_testing/covid_testing_deid.csv").open(encoding="utf-8") as file:
        assert tuple(next(csv.reader(file))) == tuple(e.name for e in found.columns)


NO_CODEBOOKS = (
    "covid_testing/covid_testing_deid.csv",
    "diabetes130/IDs_mapping.csv",
    "redcap/simple/data.csv",
    "redcap/clinical-trial-1/data.csv",
    "synthea/patients.csv",
    "synthea/conditions.csv",
    "synthea/immunizations.csv",
    "registry/deployments-schema.yaml",
    "plausible_ranges/mimic_extract_variable_ranges.csv",
    "plausible_ranges/ohdsi_dqd_measurement_ranges.csv",
)


@pytest.mark.parametrize("name", NO_CODEBOOKS)
def test_what_is_no_codebook_is_refused_without_a_word_of_it(shared_data: Path, name: str) -> None:
    with pytest.raises(Refused) as refused:
        read_codebook(shared_data / name)
    (problem,) = refused.value.problems
    assert (problem.path, problem.code, dict(problem.params)) == ("$", "codebook-unknown", {})
