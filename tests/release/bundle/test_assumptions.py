# SPDX-License-Identifier: Apache-2.0
"""A bundle says whom it trusts with quotation marks, and where a row is all that it protects."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.assumptions import comparison_sentences, study_assumptions
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.signed_bundle import MANIFEST, build
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import release
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.text_folding import comparisons
from dpdesk.study.model.unit import DataSource, Unit
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, write_data

FILLED = "A row without an id counts as a row of the person above it"
TRUST = "relies on doubled quotation marks inside cells"
LINE = "the privacy unit is one line"


def bundle_of(study: Study, folder: Path, words: ReleaseWords = WORDS) -> bytes:
    write_data(folder)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY, form_in(words.code))


@pytest.mark.threat("B14")
@pytest.mark.parametrize("fills", [True, False])
def test_the_bundle_says_whose_a_row_without_an_id_is(fills: bool, tmp_path: Path) -> None:
    assert STUDY.data is not None
    study = replace(STUDY, data=replace(STUDY.data, fill_down=fills))
    content = bundle_of(study, tmp_path)
    files = unpack(content)
    for name in ("README.txt", "report.html"):
        said = " ".join(files[name].decode("utf-8").split())
        assert (FILLED in said) == fills, name
    predicate = json.loads(files[MANIFEST])["predicate"]
    assert predicate["study"]["data"].get("fill_down", False) == fills
    verdict = verify(content, KNOWN)
    assert verdict.is_whole and verdict.claim_holds


@pytest.mark.threat("B14")
@pytest.mark.parametrize("breaks", [True, False])
@pytest.mark.parametrize("by_row", [True, False])
@pytest.mark.in_turn(3)
def test_the_bundle_says_what_it_takes_for_granted(
    breaks: bool, by_row: bool, tmp_path: Path
) -> None:
    assert STUDY.data is not None and STUDY.unit is not None
    study = replace(STUDY, data=replace(STUDY.data, line_breaks=breaks))
    if by_row:
        study = replace(study, unit=Unit(None))
    content = bundle_of(study, tmp_path)
    files = unpack(content)
    for name in ("README.txt", "report.html"):
        said = " ".join(files[name].decode("utf-8").split())
        assert (TRUST in said) == breaks, name
        assert (LINE in said) == by_row, name
    predicate = json.loads(files[MANIFEST])["predicate"]
    assert predicate["study"]["data"].get("line_breaks", False) == breaks
    assert predicate["claim"]["unit"] == ("row" if by_row else "person")
    verdict = verify(content, KNOWN)
    assert verdict.is_whole and verdict.claim_holds


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bundle_says_to_which_steps_numbers_are_rounded(language: str, tmp_path: Path) -> None:
    """As declared, of the columns that queries use; whether any number needed it is not said."""
    days = NumberColumn("days", Decimal(1), Decimal(14), Decimal("0.5"), title="Stay", label="days")
    columns = tuple(days if c.name == "days" else c for c in STUDY.columns)
    study = replace(STUDY, columns=columns)
    words = ReleaseWords.of(language)
    files = unpack(bundle_of(study, tmp_path, words))
    said_step = {"en": "Stay (days) in steps of 0.5.", "de": "Stay (days) in Schritten von 0,5."}
    step = said_step[language]
    for name in ("README.txt", "report.html"):
        said = " ".join(files[name].decode("utf-8").split())
        assert said.count(step) == 1, name
    assert value_sentences(study, words)[0].endswith(step)
    assert value_sentences(replace(study, queries=study.queries[:1]), words) == ()
    asked = replace(days, lower=None, upper=None)
    assert value_sentences(replace(study, columns=(asked,)), words) == ()


def with_files(place: str, **declared: bool) -> Study:
    """The study with another file, of the main table or of a further one, read with some trust."""
    assert STUDY.data is not None
    other = DataSource("more.csv", **declared)  # type: ignore[arg-type]
    if place == "more":
        return replace(STUDY, data=replace(STUDY.data, more=(other,)))
    files = (other,) if place == "table" else (DataSource("first.csv"), other)
    data = replace(files[0], more=files[1:])
    return replace(STUDY, tables=(FurtherTable("people", data, "id", rows="one-per-person"),))


@pytest.mark.threat("B14")
@pytest.mark.parametrize("place", ["more", "table", "more-of-table"])
def test_whom_any_file_of_a_study_trusts_is_said(place: str, tmp_path: Path) -> None:
    study = with_files(place, line_breaks=True)
    for name in ("first.csv", "more.csv"):
        (tmp_path / name).write_text("id,days,sex\n1,3,f\n", encoding="utf-8")
    files = unpack(bundle_of(study, tmp_path))
    for name in ("README.txt", "report.html"):
        assert TRUST in " ".join(files[name].decode("utf-8").split()), name
    deployment = next(files[name] for name in files if "deployment" in name).decode("utf-8")
    assert "the file's writer is trusted" in deployment
    assert any(TRUST in one for one in study_assumptions(study))
    assert not any(TRUST in one for one in study_assumptions(with_files(place)))


@pytest.mark.threat("B14")
def test_that_a_table_fills_ids_down_is_said(tmp_path: Path) -> None:
    study = with_files("table", fill_down=True)
    (tmp_path / "more.csv").write_text("id,days,sex\n1,3,f\n", encoding="utf-8")
    said = " ".join(unpack(bundle_of(study, tmp_path))["README.txt"].decode("utf-8").split())
    assert FILLED in said and any(FILLED in one for one in study_assumptions(study))


def test_what_is_missing_in_a_table_counts_for_its_own_columns_alone() -> None:
    column = CategoryColumn("group", values=("none", "n/a"), compare="folded", table="people")
    people = with_files("table").tables[0]
    people = replace(people, data=replace(people.data, missing=("NONE",)))
    query = Query("by-group", "count", by=("group",))
    study = replace(
        STUDY, tables=(people,), columns=(*STUDY.columns, column), queries=(*STUDY.queries, query)
    )
    assert comparisons(study)[column] == "exact"
    assert any("differ only in case: group" in one for one in comparison_sentences(study))
