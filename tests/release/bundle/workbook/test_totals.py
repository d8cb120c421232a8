# SPDX-License-Identifier: Apache-2.0
"""Lines that add up have totals and per cent, and each number is the published one."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.verify.plain_documents import is_plain_workbook
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from tests.release.bundle.workbook.test_book import opened
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, TENTH, release

BINS = Bins("days", (Decimal(4), Decimal(8)))
ONE = Query("bins", "count", by=(BINS,), epsilon=TENTH, title="Stays by length")
TWO = Query("both", "count", by=(BINS, "sex"), epsilon=TENTH, title="Stays by length and sex")
MEAN = Query("mean", "mean", ColumnParameters("days"), ("sex",), epsilon=TENTH, title="Mean by sex")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("totals")
    return unpack(bundle(folder))


def bundle(folder: Path) -> bytes:
    lines = "".join(f"p{n},{1 + n % 14},{'fm'[n % 2]}\n" for n in range(4_000))
    (folder / "stays.csv").write_text(f"id,days,sex\n{lines}", encoding="utf-8")
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    study = replace(STUDY, queries=(ONE, TWO, MEAN))
    done = release(study, folder, ledger, OpenDPDoor())
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    return raw


def lines_of(files: dict[str, bytes], name: str) -> list[dict[str, Any]]:
    """The lines of a sheet by the heads of its columns; a second margin is that of the per cent."""
    sheet = next(s for s in opened(files["results.xlsx"]).worksheets if s.title == name)
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    at = next(i for i, row in enumerate(rows) if "Released" in row)
    lines = takewhile(lambda row: row[0], rows[at + 1 :])
    return [dict(zip(rows[at], row, strict=True)) for row in lines]


def test_a_total_is_the_sum_of_its_lines_and_says_which(files: dict[str, bytes]) -> None:
    lines = lines_of(files, "2 Stays by length and sex")
    plain = [one for one in lines if "All" not in one.values()]
    *_, all_of_them = lines
    assert len(plain) == 6 and len(lines) == 6 + 3 + 2 + 1
    released = sum(one["Released"] for one in plain)
    assert all_of_them["Released"] == released
    assert all_of_them["Note"] == "sum of all lines; may differ from other tables"
    first = next(iter(lines[0]))
    for group in ("1 to 3.5", "4 to 7.5", "8 to 14"):
        of_group = [one for one in lines if one[first] == group]
        assert of_group[-1]["Released"] == sum(one["Released"] for one in of_group[:-1])
        assert of_group[-1]["Note"] == "sum of the 2 lines above"
        assert of_group[-1]["Lowest"] == of_group[-1]["Released"] - of_group[-1]["± 95 %"]


def test_per_cent_are_of_what_their_head_says(files: dict[str, bytes]) -> None:
    lines = lines_of(files, "2 Stays by length and sex")
    head = next(key for key in lines[0] if key and key.startswith("% of each"))
    whole = {one["sex"]: one["Released"] for one in lines if next(iter(one.values())) == "All"}
    for one in lines:
        share = 100 * one["Released"] / whole[one["sex"]]
        assert abs(one[head] - share) <= 0.051, one
        assert one["± 95 % (points)"] or one[head] == 100
    shares = [one["% of all"] for one in lines_of(files, "1 Stays by length")]
    assert shares[-1] == 100 and abs(sum(shares[:-1]) - 100) < 0.2


def test_a_mean_has_no_total(files: dict[str, bytes]) -> None:
    lines = lines_of(files, "3 Mean by sex")
    assert len(lines) == 2 and "Note" not in lines[0]


def test_numbers_are_in_the_file_as_they_are_published(files: dict[str, bytes]) -> None:
    assert is_plain_workbook(files["results.xlsx"])
    parts = unpack(files["results.xlsx"])
    sheets = [part.decode() for name, part in parts.items() if name.startswith("xl/worksheets")]
    numbers = [
        text for part in sheets for text in re.findall(r"<c r[^>]*?(?<!t=.s.)><v>([^<]+)", part)
    ]
    assert numbers and max(map(len, numbers)) < 12
    data = files["results/mean-by-sex.csv"].decode()
    assert {"12.5", *re.findall(r"-?[0-9]+\.[0-9]+", data)} - {"12.5"} <= set(numbers)


def test_the_method_is_on_a_sheet_of_its_own_in_the_reports_words(files: dict[str, bytes]) -> None:
    sheet = opened(files["results.xlsx"])["Method"]
    said = " ".join(str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell)
    for text in ("How the figures were made", "Discrete Laplace noise of scale", "Ledger entry"):
        assert text in said and text in files["report.html"].decode()
