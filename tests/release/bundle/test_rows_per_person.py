# SPDX-License-Identifier: Apache-2.0
"""A release of rows per person: from the file to a bundle that verifies, in both languages."""

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import Query
from tests.golden.making import ExactDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, release, write_data

QUERY = Query("rows").having(statistic="rows-per-person", top_code=3, epsilon=Epsilon.of("0.1"))
ASKED = replace(STUDY, queries=(QUERY,))


@pytest.mark.parametrize(
    ("language", "head", "last"),
    [("en", "Number of rows", "3 or more"), ("de", "Anzahl der Zeilen", "3 oder mehr")],
)
def test_its_bundle_verifies_and_says_its_lines_in_words(
    language: str, head: str, last: str, tmp_path: Path
) -> None:
    write_data(tmp_path)  # 40 people with two rows each
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    done = release(ASKED, tmp_path, ledger, ExactDoor())
    assert [row[:2] for row in done.stored.tables[0].rows] == [
        ("1", "0"),
        ("2", "40"),
        ("3 or more", "0"),
    ]
    bundle = build(done.stored, done.chain, KEY, form_in(language))
    found = verify(bundle, KNOWN)
    assert found.whole == () and found.claim == () and found.not_made_again == ()
    report = unescape(unpack(bundle)["report.html"].decode())
    assert head in report and last in report


def test_a_limit_chosen_by_it_pays_nothing_again(tmp_path: Path) -> None:
    write_data(tmp_path)
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    first = release(ASKED, tmp_path, ledger, ExactDoor())
    unit = replace(ASKED.unit, max_rows=2) if ASKED.unit else None
    again = release(replace(ASKED, unit=unit), tmp_path, ledger, ExactDoor())
    assert again.stored.tables[0].rows == first.stored.tables[0].rows
    (query,) = again.stored.record.queries
    assert query.charged.units == 0
    bundle = build(again.stored, again.chain, KEY)
    assert verify(bundle, KNOWN).claim == ()
