# SPDX-License-Identifier: Apache-2.0
"""A survival curve with delayed entry is released, and altered figures are found out."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from tests.acceptance.publish.entry import FILE, STUDY, write
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of, release
from tests.release.test_consistent_release import altered_bundle

ASKED = replace(
    STUDY,
    queries=tuple(replace(one, epsilon=Epsilon.of(1), population=True) for one in STUDY.queries),
)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("lung")
    write(folder / FILE)
    made = Ledger.open(Home.at(folder / "home"))
    made.new_account("registry", Epsilon.of(80))
    return made


def _folder(ledger: Ledger) -> Path:
    return ledger.home.ledger.parent.parent


@pytest.fixture(scope="module")
def done(ledger: Ledger) -> ReleaseDone:
    return release(ASKED, _folder(ledger), ledger, OpenDPDoor())


def test_a_bundle_says_who_entered_and_verifies(done: ReleaseDone) -> None:
    files = unpack(build(done.stored, done.chain, KEY))
    assert verify(pack(files), KNOWN).is_good
    stored = parse_stored(record_of(done))
    assert stored == done.stored
    assert build(stored, done.chain, KEY) == build(done.stored, done.chain, KEY)
    for query, kinds in zip(done.stored.record.queries, (1, 2), strict=True):
        rows = list(csv.DictReader(io.StringIO(files[f"results/{query.name}.csv"].decode())))
        assert len(rows) == kinds * 18
        entered = [int(row["entered"]) for row in rows[:18]]
        assert min(entered[:6]) > 40 > max(entered[6:])
        assert int(rows[1]["at_risk"]) > int(rows[0]["at_risk"])
    page = files["report.html"].decode()
    assert "at risk from entered in bins from 61; 181" in page
    assert "are in results.xlsx and in the folder results" in page
    assert "entered is not before the time" in page


def test_a_german_bundle_says_it_in_german(done: ReleaseDone) -> None:
    raw = build(done.stored, done.chain, KEY, form_in("de"))
    assert verify(raw, KNOWN).is_good
    page = unpack(raw)["report.html"].decode()
    assert "unter Risiko ab entered" in page and "Anzahl unter Risiko" in page


@pytest.mark.threat("G8")
@pytest.mark.parametrize("asked", [0, 1], ids=["survival", "incidence"])
def test_an_altered_figure_is_found(done: ReleaseDone, asked: int) -> None:
    name = done.stored.record.queries[asked].name
    file = f"results/{name}.derived.csv"
    raw = altered_bundle(done, file, lambda text: text.replace("0.", "1.", 1))
    assert [one.code for one in verify(raw, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def test_another_rule_for_late_entries_is_another_question(
    ledger: Ledger, done: ReleaseDone
) -> None:
    study = replace(ASKED, queries=tuple(one.having(late="last-bin") for one in ASKED.queries))
    assert study_from_bytes(study_to_bytes(study)) == study
    again = release(study, _folder(ledger), ledger, OpenDPDoor(), same_extract=True)
    assert [one.charged for one in again.stored.record.queries] == [Epsilon.of(1)] * 2
    assert again.stored.tables[0].rows != done.stored.tables[0].rows
