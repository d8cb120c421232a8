# SPDX-License-Identifier: Apache-2.0
"""A release about a period: from odd cells to a bundle that is read back and priced again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.release.record.reprice import priced_again
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import DateColumn, Replace
from dpdesk.study.model.conditions import DateBetween, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.reuse.moved_periods import moved_study, periods_of
from tests.doors import RecordingDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, TENTH, release

FIRST = date(2020, 1, 1)
ADMITTED = DateColumn("admitted", FIRST, date(2020, 12, 31), "DD.MM.YYYY")
MAY = DateBetween("admitted", date(2020, 5, 1), date(2020, 5, 31))
ODD = ("", "?", "soon", "2020-05-01", "31.12.2019", "1.5.2020", "01.05.20", "01.05.2020 12:00")


def question(query_id: str, condition: DateBetween | IsMissing, **column: object) -> Study:
    asked = Query(query_id, "count", where=(condition,), epsilon=TENTH)
    declared = replace(ADMITTED, **column)
    return replace(STUDY, columns=(*STUDY.columns, declared), queries=(asked,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One stay on each day of 2020, and some whose day nobody can read."""
    days = [(FIRST + timedelta(index)).strftime("%d.%m.%Y") for index in range(366)]
    rows = [f"p{index},3,f,{cell}" for index, cell in enumerate([*days, *ODD])]
    text = "id,days,sex,admitted\n" + "\n".join(rows) + "\n"
    (tmp_path / "stays.csv").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ledger(folder: Path) -> Ledger:
    opened = Ledger.open(Home.at(folder / "home"))
    opened.new_account("registry", Epsilon.of("1"))
    return opened


def counted(study: Study, folder: Path, ledger: Ledger) -> list[int]:
    door = RecordingDoor()
    release(study, folder, ledger, door)
    return [value for call in door.calls for value in call.exact]


def test_only_days_as_declared_count(folder: Path, ledger: Ledger) -> None:
    assert counted(question("may", MAY), folder, ledger) == [32]
    ruled = question("ruled", MAY, unparsable=Replace("2020-05-02"), missing=Replace("2020-05-03"))
    assert counted(ruled, folder, ledger) == [32 + 5 + 1]
    whole = DateBetween("admitted", FIRST, date(2030, 1, 1))
    assert counted(question("all", whole), folder, ledger) == [367]
    assert counted(question("all-clamped", whole, outside="clamp"), folder, ledger) == [368]
    assert counted(question("missing", IsMissing("admitted")), folder, ledger) == [1]


OTHER = (("declarations",),)


@pytest.mark.parametrize(
    ("months", "more", "why"), [(12, {}, ()), (6, {}, OTHER), (12, {"outside": "clamp"}, OTHER)]
)
def test_a_later_period_is_compared_where_all_else_is_asked_alike(
    folder: Path,
    ledger: Ledger,
    months: int,
    more: dict[str, str],
    why: tuple[tuple[str, ...], ...],
) -> None:
    asked = Query("years", "count", by=(Periods("admitted", "year"),), epsilon=TENTH)
    study = replace(STUDY, columns=(ADMITTED,), queries=(asked,))
    before = release(study, folder, ledger, RecordingDoor()).stored.record
    later = moved_study(study, months, periods_of(study))
    later = replace(later, columns=(replace(later.columns[0], **more),))
    found = compare_records(before, release(later, folder, ledger, RecordingDoor()).stored.record)
    assert tuple(other.why for other in found.others) == why
    lines = [line for query in found.queries for line in query.lines]
    assert [(line.before, line.labels) for line in lines] == (
        [] if why else [(("2020",), ("2021",))]
    )


def test_a_bundle_about_days_is_read_back_and_priced_again(folder: Path, ledger: Ledger) -> None:
    study = question("may", MAY, unparsable=Replace("2020-05-02"))
    done = release(study, folder, ledger, RecordingDoor())
    found = verify(build(done.stored, done.chain, KEY), KNOWN)
    assert found.is_good, found
    again = ReleasedStudy(json.loads(json.dumps(public_study(study)))).study
    assert again is not None
    assert again.columns == study.columns and again.queries == study.queries
    assert priced_again(again) is not None


def test_another_period_is_another_question(folder: Path, ledger: Ledger) -> None:
    release(question("may", MAY), folder, ledger, RecordingDoor())
    release(question("again", MAY), folder, ledger, RecordingDoor())
    spent = ledger.account("registry").spent
    assert spent == TENTH, "the same question is answered from the ledger"
    release(question("june", replace(MAY, last=date(2020, 6, 1))), folder, ledger, RecordingDoor())
    release(question("other", MAY, format="DD/MM/YYYY"), folder, ledger, RecordingDoor())
    assert ledger.account("registry").spent == Epsilon.of("0.3")
