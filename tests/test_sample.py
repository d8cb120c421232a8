# SPDX-License-Identifier: Apache-2.0
"""The sample hospital: the same bytes from its script, and a study that is ready."""

import csv
import runpy
from collections import Counter
from pathlib import Path

from dpdesk.resources import resource_path
from dpdesk.study.checks import check
from dpdesk.study.study_reader import study_from_bytes
from dpdesk.study.study_writer import study_to_bytes

SAMPLE = resource_path("sample")


def rows(name: str) -> list[dict[str, str]]:
    with (SAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_script_writes_the_shipped_bytes(tmp_path: Path) -> None:
    script = runpy.run_path(str(SAMPLE / "make_sample.py"))
    script["write_sample"](tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (SAMPLE / "admissions.csv").read_bytes()


def test_it_has_the_people_and_the_oddities_it_promises() -> None:
    admissions = rows("admissions.csv")
    stays = Counter(row["patient_id"].strip().upper() for row in admissions)
    nobody = stays.pop("")
    assert 19_000 < len(admissions) < 22_000
    assert 7_950 < len(stays) <= 8_000
    assert nobody
    assert max(stays.values()) == 12
    assert {"199", "n/a"} <= {row["age"] for row in admissions}
    assert {"-3", "9999", ""} <= {row["length_of_stay"] for row in admissions}
    assert "Cardiolgy" in {row["ward"] for row in admissions}


def test_the_codebook_describes_every_column() -> None:
    described = [entry["name"] for entry in rows("codebook.csv")]
    assert described == list(rows("admissions.csv")[0])


def test_the_study_is_ready_and_written_as_the_desk_writes_it() -> None:
    raw = (SAMPLE / "sample.dpdesk").read_bytes()
    study = study_from_bytes(raw)
    assert check(study) == ()
    assert study_to_bytes(study) == raw
    assert {column.name for column in study.columns} <= {e["name"] for e in rows("codebook.csv")}


def test_the_study_declares_what_the_codebook_says() -> None:
    codebook = {entry["name"]: entry for entry in rows("codebook.csv")}
    for column in study_from_bytes((SAMPLE / "sample.dpdesk").read_bytes()).columns:
        entry = codebook[column.name]
        if column.kind == "number":
            assert (str(column.lower), str(column.upper)) == (entry["min"], entry["max"])
        elif column.kind == "category":
            assert "|".join(column.values) == entry["values"]
