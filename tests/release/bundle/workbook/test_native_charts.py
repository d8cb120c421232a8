# SPDX-License-Identifier: Apache-2.0
"""A workbook's own charts draw what is in its cells, margins too, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import period_of
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.plain_documents import is_plain_workbook
from dpdesk.study.model.columns import CLAMP, DateColumn
from tests.acceptance.annual.report import released
from tests.release.bundle.workbook.test_book import opened
from tests.release.bundles import KEY

DRAWN = re.compile(r"<c:f>'([^']+)'!\$([A-Z]+)\$(\d+)(?::\$[A-Z]+\$(\d+))?</c:f>.*?</c:...Cache>")
CACHED = re.compile(r'<c:pt idx="(\d+)"><c:v>([^<]*)</c:v>')


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A registry's annual report, of few patients."""
    return released(tmp_path_factory.mktemp("registry"), patients=600)


@pytest.fixture(scope="module")
def workbook(done: Any) -> bytes:
    return unpack(build(done.stored, done.chain, KEY, form_in("en")))["results.xlsx"]


def test_each_chart_draws_the_cells_of_its_sheet(workbook: bytes) -> None:
    assert is_plain_workbook(workbook)
    parts, book = unpack(workbook), opened(workbook)
    charts = [part.decode() for name, part in parts.items() if name.startswith("xl/charts/")]
    kinds = [re.findall(r"<c:(bar|line|scatter)Chart>", chart)[0] for chart in charts]
    assert kinds == ["line", "bar", "bar", "bar", "scatter", "line"]
    for chart in charts:
        ranges = DRAWN.finditer(chart)
        for found in ranges:
            name, letter, first, last = found.groups()
            lines = range(int(first), int(last or first) + 1)
            cells = [book[name][f"{letter}{line}"].value for line in lines]
            told = {int(place): text for place, text in CACHED.findall(found[0])}
            for place, cell in enumerate(cells):
                if cell is not None:
                    assert type(cell)(told[place]) == cell
        assert chart.count("<c:errBars>") == chart.count("<c:ser>") == chart.count("<c:plus>")


def test_a_table_1_has_one_unit_a_line(workbook: bytes) -> None:
    sheet = opened(workbook)["1 Patients of the registry"]
    rows = [[*row] for row in sheet.iter_rows(values_only=True)]
    (heads,) = (at for at, row in enumerate(rows) if row[:2] == ["Figure", "Unit"])
    assert rows[heads][2:6] == ["Overall", "± 95 %", "North", "± 95 %"]
    units = [row[1] for row in rows[heads + 1 :] if isinstance(row[2], int | float)]
    counted, percent = ["patients"] * 3, ["%"] * 3
    assert units == ["patients", *(counted + percent) * 2, "years", "years", *[None] * 3]
    stubs = [row[0].strip() for row in rows[-4:]]
    assert stubs == ["Stays of a patient", "Lower quartile", "Median", "Upper quartile"]


def test_what_follows_from_curves_is_in_numbers(workbook: bytes) -> None:
    sheet = opened(workbook)["8 Survival after first contact"]
    rows = [[*row] for row in sheet.iter_rows(values_only=True)]
    (heads,) = (at for at, row in enumerate(rows) if row[:3] == ["Figure", "Group", "Unit"])
    shares = [row for row in rows[heads:] if str(row[0]).startswith("Without an event after")]
    assert len(shares) == 6, "three groups at two times"
    for row in shares:
        numbers = [cell for cell in row[3:8] if cell is not None]
        assert row[2] == "%" and all(isinstance(cell, float | int) for cell in numbers)
    assert any(isinstance(row[3], float | int) for row in shares)


def test_the_period_is_that_of_the_one_column_taken_by_periods(done: Any) -> None:
    study = done.stored.record.study.study
    assert period_of(study) == (("Period (Admission)", "2024-01-01 to 2025-12-31"),)
    assert period_of(None) == ()
    columns = tuple(
        replace(one, outside=CLAMP) if isinstance(one, DateColumn) else one for one in study.columns
    )
    assert period_of(replace(study, columns=columns)) == ()
    none = tuple(one for one in study.queries if one.id not in ("stays-by-quarter", "hba1c"))
    assert period_of(replace(study, queries=none)) == ()
