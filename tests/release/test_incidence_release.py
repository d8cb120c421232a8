# SPDX-License-Identifier: Apache-2.0
"""Cumulative incidences are released with what follows from them, and altered ones found out."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from openpyxl import load_workbook

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from tests.acceptance.publish.incidence import FILE, STUDY, write
from tests.acceptance.publish.survival import lung
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of, release
from tests.release.test_consistent_release import altered_bundle

ASKED = replace(STUDY, queries=(replace(STUDY.queries[0], epsilon=Epsilon.of(1), population=True),))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("lung")
    write(lung(), folder / FILE)
    made = Ledger.open(Home.at(folder / "home"))
    made.new_account("registry", Epsilon.of(40))
    return made


def _folder(ledger: Ledger) -> Path:
    return ledger.home.ledger.parent.parent


@pytest.fixture(scope="module")
def done(ledger: Ledger) -> ReleaseDone:
    return release(ASKED, _folder(ledger), ledger, OpenDPDoor())


def _named(done: ReleaseDone, ending: str) -> str:
    return f"results/{done.stored.record.queries[0].name}{ending}"


def test_a_bundle_has_it_in_every_file_and_verifies(done: ReleaseDone) -> None:
    files = unpack(build(done.stored, done.chain, KEY))
    assert verify(pack(files), KNOWN).is_good
    stored = parse_stored(record_of(done))
    assert stored == done.stored
    assert build(stored, done.chain, KEY) == build(done.stored, done.chain, KEY)
    (lines, derived) = (
        list(csv.DictReader(io.StringIO(files[_named(done, ending)].decode())))
        for ending in (".csv", ".derived.csv")
    )
    assert {row["kind"] for row in lines} == {"other", "tumour"}
    for group in "AB":
        ends = [row for row in lines if (row["group"], row["up_to"]) == (group, "360")]
        assert sum(Fraction(row["incidence"]) for row in ends) <= 1
    assert {row["figure"] for row in derived} == {"incidence-at", "incidence-difference"}
    page = files["report.html"].decode()
    assert "Incidence after 360 days" in page and "Log-rank" not in page
    assert "all of the curve is in it" in page
    hidden = {row["note"] for row in derived} - {"", "not-reached"}
    assert ("hidden by noise" in page) == bool(hidden)  # which is the noise's to say
    cells = {
        cell.value
        for sheet in load_workbook(io.BytesIO(files["results.xlsx"]))
        for row in sheet
        for cell in row
    }
    assert {"Kind of event", "Incidence after 540 days", "B, tumour less A, tumour"} <= cells
    assert _named(done, ".derived.csv") in files["datapackage.json"].decode()


def test_a_german_bundle_says_it_in_german(done: ReleaseDone) -> None:
    raw = build(done.stored, done.chain, KEY, form_in("de"))
    assert verify(raw, KNOWN).is_good
    page = unpack(raw)["report.html"].decode()
    assert "Inzidenz nach 360 days" in page and "abgerundet, damit alle Arten" in page


@pytest.mark.threat("G8")
@pytest.mark.parametrize(
    ("ending", "old", "new"),
    [
        (".derived.csv", "incidence-at,,360,", "incidence-at,,360,0"),
        (".csv", ",tumour,", ",tumor,"),
    ],
)
def test_an_altered_figure_is_found(done: ReleaseDone, ending: str, old: str, new: str) -> None:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    raw = altered_bundle(done, _named(done, ending), change)
    assert [one.code for one in verify(raw, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def test_kinds_in_another_order_are_the_same_question(ledger: Ledger, done: ReleaseDone) -> None:
    turned = ASKED.queries[0].having(has=(IsIn("outcome", ("tumour", "other")),))
    study = replace(ASKED, queries=(turned,))
    again = release(study, _folder(ledger), ledger, OpenDPDoor(), same_extract=True)
    assert again.stored.record.queries[0].charged.units == 0
    assert again.stored.tables[0].rows == done.stored.tables[0].rows
