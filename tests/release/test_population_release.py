# SPDX-License-Identifier: Apache-2.0
"""Intervals for the population in a release; whoever verifies it makes them again."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters, SpreadParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.release.bundle.workbook.test_book import opened
from tests.release.bundles import KEY, KNOWN
from tests.release.test_consistent_release import altered_bundle, released, study_of

AGE, SPREAD = ColumnParameters("age"), SpreadParameters("age")
QUERIES = (
    Query("mean", "mean", AGE, by=("sex",), population=True),
    Query("spread", "standard-deviation", SPREAD, by=("sex",)),
    Query("both", by=("ward", "sex"), population=True),
)


def asked(*queries: Query) -> Study:
    study = study_of(Epsilon.of("2"), *queries)
    zero = Replace(Decimal(0))
    age = NumberColumn("age", Decimal(0), Decimal(9), Decimal(1), zero, zero, label="years")
    return replace(study, columns=(*study.columns, age), unit=Unit())


@pytest.mark.threat("G8")
def test_an_altered_interval_for_a_mean_is_found(tmp_path: Path) -> None:
    done = released(asked(*QUERIES), tmp_path, rows=600)
    table = done.stored.tables[0]
    at = [column.role for column in table.columns].index("population-lowest")
    assert all(0 <= Decimal(row[at]) < Decimal(row[at + 1]) <= 9 for row in table.rows)
    assert table.columns[at].unit == "years"
    bundle = build(done.stored, done.chain, KEY)
    assert verify(bundle, KNOWN).is_good
    page = unpack(bundle)["report.html"].decode()
    assert "Population, 95\N{NO-BREAK SPACE}%" in page and "For a mean, chance follows from" in page
    both = done.stored.tables[2]
    at_both = [column.role for column in both.columns].index("population-lowest")
    for row in both.rows:
        low, high = row[at_both : at_both + 2]
        assert f'<span class="margin">{low} to {high}</span>' in page, "a cell has what is quoted"
    assert "The range at a figure is that for the population." in page
    book = opened(unpack(bundle)["results.xlsx"])
    sheet = next(one for one in book.worksheets if one["A1"].value.endswith("ward and sex"))
    ends = ["Population, lowest (noise and chance)", "Population, highest (noise and chance)"]
    heads = next(cell.row for cell in sheet["C"] if cell.value == ends[0])
    assert [cell.value for cell in sheet[heads]][2:7:3] == [ends[0]] * 2
    beside = [cell.value for cell in sheet[heads + 1]]
    assert [str(cell) for cell in beside[2:4]] == [*both.rows[0][at_both : at_both + 2]]
    (query,) = (one for one in done.stored.record.queries if one.id == "mean")
    low = table.rows[0][at]
    forged = altered_bundle(
        done,
        f"results/{query.name}.csv",
        lambda text: text.replace(f",{low},", f",{Decimal(low) / 2},", 1),
    )
    assert [problem.code for problem in verify(forged, KNOWN).whole] == ["bundle-file-not-as-drawn"]
