# SPDX-License-Identifier: Apache-2.0
"""What a recipient reads of a bundle: no ids, no raw numbers, and every doubt said in words."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.release_report import report_of
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.parameters import ColumnParameters, QuantileParameters
from dpdesk.study.model.queries import Query
from tests.doors import ConstantDoor
from tests.release.bundles import KEY
from tests.release.studies import STUDY, TENTH, record_of, write_data

NAMES = {
    "row_name": "stay",
    "row_names": "stays",
    "person_name": "patient",
    "person_names": "patients",
}
QUARTERS = tuple(Decimal(text) for text in ("0.25", "0.5", "0.75"))
QUERIES = (
    Query("q-1", by=("sex",), epsilon=Epsilon.of("0.001")),
    Query(
        "q-2",
        "quantiles",
        QuantileParameters("days", quantiles=QUARTERS),
        by=("sex",),
        epsilon=TENTH,
    ),
    Query("q-3", "mean", ColumnParameters("days"), by=("sex",), epsilon=TENTH),
)


@pytest.fixture
def done(dpdesk_home: Path, tmp_path: Path) -> ReleaseDone:
    write_data(tmp_path)
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", Epsilon.of(1))
    assert STUDY.unit is not None
    study = replace(STUDY, unit=replace(STUDY.unit, **NAMES), queries=QUERIES)
    return release(study, tmp_path, ledger, ConstantDoor())


@pytest.fixture
def files(done: ReleaseDone) -> dict[str, str]:
    found = unpack(build(done.stored, done.chain, KEY))
    return {name: content.decode("utf-8", "replace") for name, content in found.items()}


def prose(page: str) -> str:
    """A page's text, without its style and pictures, digests, times and the years of sources."""
    for part in ("style", "svg"):
        page = re.sub(f"<{part}.*?</{part}>", "", page, flags=re.DOTALL)
    text = html.unescape(re.sub("<[^>]+>", " ", page))
    text = re.sub(r"(?<=[a-z] )(?:19|20)\d\d(?=\))", "", text)
    return re.sub(r"SHA256:\S+|\b[0-9a-f]{8,}\b|\d{4}-\d\d-\d\d", "", text)


def test_no_prose_has_ids_or_numbers_without_separators(files: dict[str, str]) -> None:
    package = json.loads(files["datapackage.json"])
    descriptions = " ".join(resource["description"] for resource in package["resources"])
    for text in (prose(files["report.html"]), descriptions):
        assert not re.search(r"\bq-\d\b|quantile-", text)
        assert not re.search(r"(?<![.\d])\d{4}", text), text
        assert "worth 1 each" not in text
    assert "noise of scale 3,000 " in descriptions


@pytest.mark.threat("C8")
def test_the_cost_is_said_in_what_it_means(files: dict[str, str]) -> None:
    text = prose(files["report.html"])
    assert "any one patient can be right at most 56 in 100 times; a coin toss: 50." in text
    assert "Cost 0.1 of the budget, charged with this release." in text
    assert "Counted in" in text and "Total budget" in text


def test_what_nobody_can_rely_on_is_said_above_its_table(done: ReleaseDone) -> None:
    payload = record_of(done)
    counts, ranks, _ = payload["tables"]
    mark = [column["role"] for column in counts["columns"]].index("mark")
    assert {row[mark] for row in counts["rows"]} == {"yes"}
    bound = [column["role"] for column in ranks["columns"]].index("score-bound")
    ranks["rows"][0][bound] = ""
    stored = parse_stored(payload)
    signed = SignedRelease(stored.record, "0", SignerName("office", "SHA256:x"))
    report = report_of(ReleaseText(signed), stored.tables)
    text = prose(html_bytes(report).decode())
    assert "2 of 2 figures are too noisy to use." in text
    assert "The distance of 1 of 6 figures is not known" in text
    assert "the exact value is between both ends, 95 times in 100" in text
    ranks["columns"][bound]["name"] = "rows_off_best_95"
    stored = parse_stored(payload)
    report = report_of(ReleaseText(signed), stored.tables)
    text = prose(html_bytes(report).decode())
    assert "that many further from the exact one than the best candidate" in text
    assert "Distance at most, 95\u00a0% (" in text
    assert "of no use" not in text, "no number says how far off the best one is"


def test_the_readme_says_what_is_released_by_whom_and_when(files: dict[str, str]) -> None:
    head = files["README.txt"].split("results/ ")[0].splitlines()
    assert head[3:5] == ["    | Stays", "    | Hospital"]
    assert re.fullmatch(r"    \| \d{4}-\d\d-\d\d", head[5])
    assert "too_noisy" in files["README.txt"]
