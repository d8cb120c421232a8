# SPDX-License-Identifier: Apache-2.0
"""The sample hospital: the same bytes from its script, and a study that is ready."""

import csv
import runpy
from collections import Counter
from pathlib import Path

from dpdesk.catalogue import read_catalogue
from dpdesk.data.encode import encode
from dpdesk.resources import resource_path
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_files import load_study
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.groupings import labels_of
from dpdesk.study.reuse.sample_study import CODEBOOK, STUDY, WORDS, write_sample

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
        elif column.kind == "date":
            assert (str(column.first), str(column.last)) == (entry["min"], entry["max"])
        elif column.kind == "category":
            assert "|".join(column.values) == entry["values"]


def test_the_study_leaves_some_of_its_account_for_questions_of_the_users_own() -> None:
    study = study_from_bytes((SAMPLE / "sample.dpdesk").read_bytes())
    assert study.budget is not None and study.budget.epsilon is not None
    spent = sum(query.epsilon.units for query in study.queries if query.epsilon)
    assert 0 < study.budget.epsilon.units - spent == Epsilon.of("0.05").units


def test_every_admission_lies_in_one_of_twelve_quarters() -> None:
    study = study_from_bytes((SAMPLE / "sample.dpdesk").read_bytes())
    column, grouping = study.columns[0], study.queries[-1].by[0]
    assert labels_of(grouping, column) == tuple(
        f"{year}-Q{quarter}" for year in (2023, 2024, 2025) for quarter in (1, 2, 3, 4)
    )
    codes = encode(study, SAMPLE).column("admission_date").counted()
    assert len(codes) and (codes >= 0).all()


def test_in_german_every_word_of_it_is_german_and_every_price_stays(tmp_path: Path) -> None:
    english = study_from_bytes((SAMPLE / STUDY).read_bytes())
    path = write_sample(tmp_path / "de", "de")
    german = load_study(path).study
    assert check(german) == ()
    assert [(q.id, q.epsilon) for q in german.queries] == [
        (q.id, q.epsilon) for q in english.queries
    ]
    raw = path.read_text("utf-8") + path.with_name(CODEBOOK).read_text("utf-8")
    assert all(read_catalogue("de").say_word("sample", word) != word for word in WORDS)
    notes = {row[key] for row in rows(CODEBOOK) for key in ("label", "unit", "source")}
    shown = {english.title, english.organisation, *(q.title for q in english.queries)}
    shown |= {text for c in english.columns for text in (c.title, c.label, c.basis)} | notes
    assert shown - {*WORDS, "", "EUR", "%"} == set()
    assert not [text for text in shown if len(text.split()) > 1 and text in raw]
    assert "Kardiologie" in german.columns[3].labels and german.columns[-1].yes == ("ja", "yes")
    mine = write_sample(tmp_path / "de", "en")
    assert load_study(mine).study == german, "what is there already stays as it is"
    again = write_sample(tmp_path / "en", "en")
    assert again.read_bytes() == (SAMPLE / STUDY).read_bytes()
    assert again.with_name(CODEBOOK).read_bytes() == (SAMPLE / CODEBOOK).read_bytes()
