# SPDX-License-Identifier: Apache-2.0
"""What is said of quantiles by groups: their ranges, and where half of each group is."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.release_report import report_of
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.doors import RecordingDoor
from tests.release.studies import release

QUARTERS = ("0.25", "0.5", "0.75")
HALF = "half of each group is between its quartiles"
Numbers = tuple[str, ...]


def _study(quantiles: Numbers, candidates: Numbers) -> Study:
    asked = QuantileParameters(
        "days",
        candidates=tuple(map(Decimal, candidates)),
        quantiles=tuple(map(Decimal, quantiles)),
    )
    return Study(
        title="Days",
        data=DataSource(path="days.csv", extract="days"),
        unit=Unit("id", 1),
        budget=Budget("registry", epsilon=Epsilon.of(1)),
        columns=(
            NumberColumn("days", Decimal(0), Decimal(40), Decimal(1)),
            CategoryColumn("ward", ("A", "B")),
        ),
        queries=(Query("days", "quantiles", asked, by=("ward",), epsilon=Epsilon.of(1)),),
    )


@pytest.mark.parametrize(
    ("quantiles", "candidates", "is_ranged", "is_half"),
    [
        (QUARTERS, (), True, True),
        (("0.1", *QUARTERS, "0.9"), (), True, True),
        (("0.1", "0.5", "0.9"), (), True, False),
        (QUARTERS, ("0", "5", "10", "20", "40"), False, False),
    ],
    ids=["quartiles", "with whiskers", "other quantiles", "few candidates"],
)
def test_ranges_hold_the_exact_value_and_half_is_between_quartiles(
    tmp_path: Path, quantiles: Numbers, candidates: Numbers, is_ranged: bool, is_half: bool
) -> None:
    """Each ward has as many people of 1 to 19 days, so that quartiles are 5, 10 and 15.

    Of the candidates 0, 5, 10, 20 and 40 none is 15 days, so a range of the nearest one holds it by
    luck alone: of 400 people whose lower quartile was 2 it was from 0 to 0.
    """
    days = [day for day in range(1, 20) for _ in range(40)]
    lines = [f"{n},{day},{'AB'[n % 2]}" for n, day in enumerate(days)]
    (tmp_path / "days.csv").write_text("\n".join(["id,days,ward", *lines, ""]), encoding="utf-8")
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", Epsilon.of(1))
    done = release(_study(quantiles, candidates), tmp_path, ledger, RecordingDoor())
    signed = SignedRelease(done.stored.record, done.chain, SignerName("office", "SHA256:x"))
    text = ReleaseText(signed, ReleaseWords.of("en"))
    (charted,) = charted_queries(text, done.stored.tables)
    boxes = charted.charts.boxes_with_ranges()
    assert [bool(box.ranges) for box in boxes] == [is_ranged] * 2
    middle = sorted(days)
    for box in boxes:
        for value, (low, high) in zip(charted.charts.quantiles, box.ranges, strict=False):
            exact = middle[int(value * (len(days) - 1))]
            assert low <= exact <= high
    assert (HALF in str(report_of(text, done.stored.tables))) is is_half
