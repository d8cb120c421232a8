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

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import BundleForm
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import DistributionParameters, PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.release.bundles import KEY
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
def files(language: str = "en") -> dict[str, bytes]:
    return unpack(build(done().stored, done().chain, KEY, BundleForm(language)))


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
    page = files(language)["report.html"].decode()
    value, margin = (hundredths(text, mark) for text in share())
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", page)
    assert f"{value}\xa0%" in cells and (f"±\xa0{margin} {unit}" in cells or margin == "0")
    assert page.count(f"±\u00a095\u00a0% ({unit})") == 1, "the share of the distribution"


def test_a_workbook_shows_percent_and_holds_the_number() -> None:
    book = load_workbook(io.BytesIO(files()["results.xlsx"]))
    sheet = next(one for one in book.worksheets if re.match(r"D\d* ", one.title))
    heads = [cell.value for cell in sheet[1]]
    for name, text in zip(("share", "half_width_95"), share(), strict=True):
        cell = sheet.cell(2, 1 + heads.index(name))
        assert cell.value == float(text)
        decimals = max(0, len(text.partition(".")[2]) - 2)
        assert cell.number_format == (f"0.{'0' * decimals} %" if decimals else "0 %")
    counts = sheet.cell(2, 1 + next(i for i, head in enumerate(heads) if head.startswith("noisy_")))
    assert counts.number_format == "General"
    read = [cell for row in book["Key figures"].iter_rows(min_row=4) for cell in row]
    shown, margins = (
        [cell.value for cell in read if str(cell.number_format).endswith(end)]
        for end in (" %", ' percentage points"')
    )
    value, margin = map(float, share())
    assert (shown[0], margins) == (value, [100 * margin])


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "Not counted in the 100 % are rows where sex has no value or is not on its list.",
        ),
        (
            "de",
            "Nicht zu den 100 % zählen Zeilen, bei denen gilt: sex hat keinen Wert oder",
        ),
    ],
)
def test_a_bundle_says_which_rows_a_share_is_of(language: str, said: str) -> None:
    new = files(language)
    for name in ("report.html", "README.txt"):
        text = " ".join(new[name].decode().replace("\n    | ", " ").split())
        assert text.count(said) == 1, "the distribution is no share of listed rows"
    described = json.loads(new["datapackage.json"])["resources"]
    assert [said in table["description"] for table in described] == [True, False]
    sheets = load_workbook(io.BytesIO(new["results.xlsx"])).worksheets
    cells = [
        " ".join(str(cell.value) for row in sheet.iter_rows() for cell in row) for sheet in sheets
    ]
    assert sum(said in cell.replace(" None", "") for cell in cells) == 1
