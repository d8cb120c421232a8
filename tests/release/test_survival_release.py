# SPDX-License-Identifier: Apache-2.0
"""A survival curve is released with what follows from it, and altered figures are found out."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.derived_lines import is_least
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.parameters import TimeToEventParameters
from tests.acceptance.publish.survival import FILE, STUDY, lung, write
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of, release
from tests.release.test_consistent_release import altered_bundle

TIMES = {str(time) for time in STUDY.queries[0].parameters_as(TimeToEventParameters).times}
ASKED = replace(STUDY, queries=(replace(STUDY.queries[0], epsilon=Epsilon.of(4), population=True),))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("lung")
    write(lung(), folder / FILE)
    made = Ledger.open(Home.at(folder / "home"))
    made.new_account("registry", Epsilon.of(40))
    return made


def _released(ledger: Ledger, study: object = ASKED, **more: object) -> ReleaseDone:
    folder = ledger.home.ledger.parent.parent
    return release(study, folder, ledger, OpenDPDoor(), **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def done(ledger: Ledger) -> ReleaseDone:
    return _released(ledger)


def _file(done: ReleaseDone) -> str:
    return f"results/{done.stored.record.queries[0].name}.derived.csv"


def _p_text(p: str) -> str:
    return f"p at most {p}" if is_least(p) else f"p = {p}"


def test_the_least_p_is_no_value_in_the_workbook_either(tmp_path: Path) -> None:
    """One group dies four times as early: p is at most what is published as least."""
    made = Ledger.open(Home.at(tmp_path / "home"))
    made.new_account("registry", Epsilon.of(40))
    people = lung()
    apart = np.where(people.groups == 1, people.days // 4 + 1, people.days)
    dead = np.ones(len(apart), dtype=bool)
    write(replace(people, days=apart, died=dead), tmp_path / FILE)
    strong = replace(ASKED, queries=(replace(ASKED.queries[0], epsilon=Epsilon.of(10)),))
    found = release(strong, tmp_path, made, OpenDPDoor())
    files = unpack(build(found.stored, found.chain, KEY))
    rows = csv.DictReader(io.StringIO(files[_file(found)].decode()))
    (p,) = (row["p_value"] for row in rows if row["figure"] == "log-rank")
    assert is_least(p)
    sheets = load_workbook(io.BytesIO(files["results.xlsx"]))
    cells = [cell.value for sheet in sheets for row in sheet for cell in row]
    assert f"at most {p}" in cells


def test_a_bundle_has_it_in_every_file_and_verifies(done: ReleaseDone) -> None:
    files = unpack(build(done.stored, done.chain, KEY))
    assert verify(pack(files), KNOWN).is_good
    rows = list(csv.DictReader(io.StringIO(files[_file(done)].decode())))
    assert {row["figure"] for row in rows} == {
        *("survival-at", "median-time", "restricted-mean", "survival-difference", "log-rank"),
    }
    (test,) = (row for row in rows if row["figure"] == "log-rank")
    assert 0 < float(test["p_value"]) <= 1 and test["group"] == ""
    page = files["report.html"].decode()
    plain = page.replace("\xa0", " ")
    assert "Median time without an event" in page and _p_text(test["p_value"]) in plain
    assert "Log-rank test of A and B: chi-squared" in page
    assert "(degrees of freedom: 1); p" in page
    assert "Its chi-squared has the variance of noise beside that of chance" in page
    known = [int(row["up_to"]) for row in rows if row["figure"] == "survival-at" and row["value"]]
    last = max(time for time in known if known.count(time) > 1)
    assert re.search(f"after {last} [a-z]+, with 95 % ranges for the population: A [0-9]+", plain)
    assert re.search(r"(log-rank test, p |beyond noise and chance \(p )", plain)
    cells = {
        cell.value
        for sheet in load_workbook(io.BytesIO(files["results.xlsx"]))
        for row in sheet
        for cell in row
    }
    assert {"Log-rank test", "B less A"} <= cells
    p = test["p_value"]
    assert (f"at most {p}" if is_least(p) else float(p)) in cells
    assert _file(done) in files["README.txt"].decode()
    resources = json.loads(files["datapackage.json"])["resources"]
    (derived,) = (one for one in resources if one["path"] == _file(done))
    (meaning,) = (f["description"] for f in derived["schema"]["fields"] if f["name"] == "p_value")
    assert "one curve" in meaning


def test_a_figure_has_one_range_for_the_population_in_each_file(done: ReleaseDone) -> None:
    """At declared times the curve's own lines have the range of the derived figure."""
    files = unpack(build(done.stored, done.chain, KEY))
    name = done.stored.record.queries[0].name
    curve, derived = (
        list(csv.DictReader(io.StringIO(files[f"results/{one}.csv"].decode())))
        for one in (name, f"{name}.derived")
    )
    ends = ("population_lowest_95", "population_highest_95")
    own = {(one["group"], one["up_to"]): [one[end] for end in ends] for one in curve}
    at = [one for one in derived if one["figure"] == "survival-at" and one[ends[0]]]
    assert at
    for one in at:
        assert own[one["group"], one["up_to"]] == [one[end] for end in ends]
    # The band is of all of a curve, and is called so: no head is that of another range.
    assert not {"lowest_95", "highest_95", "half_width_95"} & {*curve[0]}
    assert {"curve_lowest_95", "curve_highest_95", "curve_half_width_95"} <= {*curve[0]}
    said = files["datapackage.json"].decode()
    assert said.count("It is no range of one figure") == 1
    sheets = load_workbook(io.BytesIO(files["results.xlsx"]))
    cells = {str(cell.value) for sheet in sheets for row in sheet for cell in row}
    assert "Whole curve, lowest" in cells


def test_a_bundle_exported_later_has_it_too(done: ReleaseDone) -> None:
    """From the ledger's entry alone, as History exports it."""
    stored = parse_stored(record_of(done))
    assert stored == done.stored
    assert build(stored, done.chain, KEY) == build(done.stored, done.chain, KEY)


def test_a_german_bundle_says_it_in_german(done: ReleaseDone) -> None:
    raw = build(done.stored, done.chain, KEY, form_in("de"))
    assert verify(raw, KNOWN).is_good
    page = unpack(raw)["report.html"].decode()
    assert "Mediane Zeit ohne Ereignis" in page
    # Unless noise hides it, which it does of the difference of these few people now and then.
    assert "Prozentpunkte" in page or page.count("vom Rauschen verdeckt") > 1
    assert "darin liegt 95-mal von 100 die ganze Kurve" in page
    assert "95-%-Bereich aus Rauschen und Zufall zusammen" in page
    assert "Ereignisse, ca." not in page
    assert "Fehlermargen und Fehlerbalken betreffen nur" not in page, "chance is beside them"


@pytest.mark.threat("G8")
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("derived", "log-rank,,,", "log-rank,,,1"),
        ("report.html", "p\xa0=\xa00", "p\xa0=\xa00.0"),
        ("derived", "median-time,,,", "median-time,,,1"),
        ("datapackage.json", "derived.csv", "x.csv"),
    ],
)
def test_an_altered_figure_is_found(done: ReleaseDone, name: str, old: str, new: str) -> None:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    raw = altered_bundle(done, _file(done) if name == "derived" else name, change)
    assert [one.code for one in verify(raw, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def test_a_bundle_without_the_file_is_not_complete(done: ReleaseDone) -> None:
    files = unpack(build(done.stored, done.chain, KEY))
    del files[_file(done)]
    assert "bundle-file-missing" in {one.code for one in verify(pack(files), KNOWN).whole}


def test_other_times_are_the_same_question_at_no_price(ledger: Ledger, done: ReleaseDone) -> None:
    query = ASKED.queries[0].having(times=(Decimal(120),))
    again = _released(ledger, replace(ASKED, queries=(query,)), same_extract=True)
    assert again.stored.record.queries[0].charged.units == 0
    tables = [one.stored.tables[0] for one in (done, again)]
    names = [column.name for column in tables[0].columns]
    first, last = ([dict(zip(names, row, strict=True)) for row in table.rows] for table in tables)
    ends = ("population_lowest_95", "population_highest_95")
    for one, other in zip(first, last, strict=True):
        # At a declared time the range is that of the figure that follows from the curve.
        own = {name for name in names if one[name] != other[name]}
        assert own <= ({*ends} if one["up_to"] in ("120", *TIMES) else set())
    assert tables[1].derived is not None
    assert {row[3] for row in tables[1].derived.rows} == {"120", ""}
    (compared,) = compare_records(done.stored.record, again.stored.record).queries
    assert compared.is_same_answer


def test_two_draws_are_compared_line_by_line(done: ReleaseDone, tmp_path: Path) -> None:
    write(lung(), tmp_path / FILE)
    other = Ledger.open(Home.at(tmp_path / "home"))
    other.new_account("registry", Epsilon.of(40))
    (compared,) = compare_records(done.stored.record, _released(other).stored.record).queries
    # A line that the noise of either draw hides has no difference; the first lines have one.
    known = [line for line in compared.lines if line.difference.value is not None]
    assert any(line.population is not None for line in known)
    assert all(abs(line.difference.value) <= 4 * line.difference.margin for line in known)
