# SPDX-License-Identifier: Apache-2.0
"""People read shares as percentages in report and workbook; programs keep reading numbers."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from openpyxl import load_workbook

from dpdesk.privacy.door import OpenDPDoor
from dpdesk.release.bundle.container import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.record.values import EDITIONS, BundleForm
from dpdesk.release.run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import DistributionParameters, PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, release, write_data

QUIET = Epsilon.of(20)
WOMEN = PropertyParameters(has=(IsIn("sex", ("f",)),))
CUTS = DistributionParameters("days", edges=(Decimal(3), Decimal(7)))
QUERIES = (
    Query("women", "share", WOMEN, epsilon=QUIET),
    Query("spread", "distribution", CUTS, epsilon=QUIET),
)


@cache
def done() -> ReleaseDone:
    with TemporaryDirectory() as name:
        write_data(Path(name))
        ledger = Ledger.open(Home.at(Path(name) / "home"))
        ledger.new_account("registry", Epsilon.of(100))
        study = replace(STUDY, queries=QUERIES, budget=Budget("registry", Epsilon.of(100)))
        return release(study, Path(name), ledger, OpenDPDoor())


@cache
def files(edition: int, language: str = "en") -> dict[str, bytes]:
    return unpack(build(done().stored, done().head, KEY, BundleForm(edition, language)))


def share() -> tuple[str, str]:
    """The released share and its margin, as the table has them."""
    table = done().stored.tables[0]
    roles = [column.role for column in table.columns]
    return table.rows[0][roles.index("value")], table.rows[0][roles.index("half-width")]


def hundredths(text: str, mark: str = ".") -> str:
    return f"{Decimal(text).scaleb(2):f}".replace(".", mark)


@pytest.mark.parametrize(
    ("language", "mark", "unit"),
    [
        ("en", ".", "percentage points"),
        ("de", ",", "Prozentpunkte"),
    ],
)
def test_the_report_says_percent_and_its_margin_in_points(
    language: str, mark: str, unit: str
) -> None:
    page = files(3, language)["report.html"].decode()
    value, margin = (hundredths(text, mark) for text in share())
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", page)
    assert f"{value} %" in cells and margin in cells
    assert page.count(f"± 95 % ({unit})") == 2, "the share, and the share of the distribution"


def test_a_workbook_shows_percent_and_holds_the_number() -> None:
    book = load_workbook(io.BytesIO(files(3)["results.xlsx"]))
    sheet = book.worksheets[1]
    heads = [cell.value for cell in sheet[1]]
    for name, text in zip(("share", "half_width_95"), share(), strict=True):
        cell = sheet.cell(2, 1 + heads.index(name))
        assert cell.value == float(text)
        decimals = max(0, len(text.partition(".")[2]) - 2)
        assert cell.number_format == (f"0.{'0' * decimals}%" if decimals else "0%")
    counts = sheet.cell(2, 1 + next(i for i, head in enumerate(heads) if head.startswith("noisy_")))
    assert counts.number_format == "General"


@pytest.mark.parametrize("name", ["results/*.csv", "datapackage.json", "deployment.yaml"])
def test_programs_read_the_same_numbers_as_before(name: str) -> None:
    old, new = files(2), files(3)
    chosen = [file for file in new if Path(file).match(name)]
    assert chosen and all(old[file] == new[file] for file in chosen)


def test_an_earlier_edition_keeps_its_numbers_and_is_made_again_in_them() -> None:
    page = files(2)["report.html"].decode()
    assert f">{share()[0]}</td>" in page and "percentage points" not in page
    sheet = load_workbook(io.BytesIO(files(2)["results.xlsx"])).worksheets[1]
    assert {cell.number_format for row in sheet.iter_rows() for cell in row} == {"General"}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "Not counted in the 100 % are rows where sex has no value or sex is not on its list.",
        ),
        (
            "de",
            "Nicht zu den 100 % zählen Zeilen, bei denen gilt: sex hat keinen Wert oder",
        ),
    ],
)
def test_a_bundle_says_which_rows_a_share_is_of(language: str, said: str) -> None:
    new, old = files(EDITIONS[-1], language), files(3, language)
    start = "Not counted in" if language == "en" else "Nicht zu den 100 %"
    for name in ("report.html", "README.txt"):
        text = " ".join(new[name].decode().replace("\n    | ", " ").split())
        assert text.count(said) == 1, "the distribution is no share of listed rows"
        assert start not in old[name].decode(), "earlier editions are made again as they were"
    described = json.loads(new["datapackage.json"])["resources"]
    assert [said in table["description"] for table in described] == [True, False]
    sheet = load_workbook(io.BytesIO(new["results.xlsx"])).worksheets[0]
    cells = [str(cell.value) for row in sheet.iter_rows() for cell in row]
    assert sum(said in cell for cell in cells) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_verifies_and_is_remade(edition: int) -> None:
    raw = build(done().stored, done().head, KEY, BundleForm(edition, "en"))
    found = verify(raw, KNOWN)
    assert found.is_good and found.is_remade
    stated = json.loads(unpack(raw)["manifest.json"])["predicate"].get("bundle", {})
    assert stated.get("edition", 1) == edition
