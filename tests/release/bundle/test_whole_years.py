# SPDX-License-Identifier: Apache-2.0
"""Which years a report adds up from their quarters, and compares."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.key_figures import whole_years
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.conditions import DateBetween
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.doors import RecordingDoor
from tests.release.studies import release

FIRST, LAST = date(2024, 1, 1), date(2025, 12, 31)
JUNE = date(2025, 6, 30)


@pytest.mark.parametrize(
    ("declared", "condition", "found"),
    [
        ((FIRST, LAST), (), ["2024", "2025", "Change from 2024 to 2025"]),
        ((FIRST, LAST), (FIRST, LAST), ["2024", "2025", "Change from 2024 to 2025"]),
        ((FIRST, LAST), (FIRST, JUNE), ["2024"]),
        ((FIRST, LAST), (date(2024, 2, 1), JUNE), []),
        ((FIRST, JUNE), (FIRST, LAST), ["2024"]),
    ],
)
def test_years_of_which_days_are_left_out_are_not_whole(
    tmp_path: Path, declared: tuple[date, date], condition: tuple[date, ...], found: list[str]
) -> None:
    """Of a condition up to June the report said that a year had half of the rows of the last."""
    days = [f"{n},{2024 + n % 2}-{1 + n % 12:02}-15" for n in range(240)]
    (tmp_path / "stays.csv").write_text("\n".join(["id,day", *days, ""]), encoding="utf-8")
    where = (DateBetween("day", *condition),) if condition else ()
    one = Epsilon.of(1)
    study = Study(
        title="Stays",
        data=DataSource(path="stays.csv", extract="stays"),
        unit=Unit("id", 1),
        budget=Budget("registry", epsilon=one),
        columns=(DateColumn("day", *declared),),
        queries=(Query("stays", by=(Periods("day", "quarter"),), where=where, epsilon=one),),
    )
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", one)
    done = release(study, tmp_path, ledger, RecordingDoor())
    signed = SignedRelease(done.stored.record, done.chain, SignerName("office", "SHA256:x"))
    text = ReleaseText(signed, ReleaseWords.of("en"))
    (charted,) = charted_queries(text, done.stored.tables)
    assert [*whole_years(charted)] == found
