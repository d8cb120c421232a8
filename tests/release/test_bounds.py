# SPDX-License-Identifier: Apache-2.0
"""From a column whose bounds nobody knows to their private estimate, and on to its declaration."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.release.record.reprice import priced_again
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.magnitudes import offered
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.doors import RecordingDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, TENTH, record_of, release

LAB = NumberColumn("lab", step=Decimal("0.1"))
BOUNDS = Query("bounds", "bounds", ColumnParameters("lab"), epsilon=Epsilon.of(2))
MEAN = Query("mean", "mean", ColumnParameters("days"), epsilon=TENTH, expected=900)
ODD = ("", "soon", "1e999", "-3e7", "9" * 65)
ASKED = replace(
    STUDY,
    columns=(*STUDY.columns, LAB),
    queries=(BOUNDS, MEAN),
    budget=Budget("registry", Epsilon.of(10)),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A thousand values from 0.7 to 35, and a few cells that nobody can use."""
    values = [f"{0.7 * (1 + index % 50):.1f}" for index in range(3_000)]
    rows = [f"p{index},3,f,{cell}" for index, cell in enumerate([*values, *ODD])]
    text = "id,days,sex,lab\n" + "\n".join(rows) + "\n"
    (tmp_path / "stays.csv").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ledger(folder: Path) -> Ledger:
    opened = Ledger.open(Home.at(folder / "home"))
    opened.new_account("registry", Epsilon.of("10"))
    return opened


def test_the_estimate_is_paid_signed_and_declared(folder: Path, ledger: Ledger) -> None:
    done = release(ASKED, folder, ledger, RecordingDoor())
    assert ledger.account("registry").spent == Epsilon.of("2.1")
    row = record_of(done)["tables"][0]["rows"][0]
    assert row[:2] == ["0.4", "51.2"]
    found = verify(build(done.stored, done.chain, KEY), KNOWN)
    assert found.is_good, found
    column = offered(LAB, Decimal(row[0]), Decimal(row[1]), done.sequence)
    mean = Query("lab-mean", "mean", ColumnParameters("lab"), epsilon=TENTH, expected=900)
    declared = replace(ASKED, columns=(*STUDY.columns, column), queries=(mean,))
    again = release(declared, folder, ledger, RecordingDoor())
    assert verify(build(again.stored, again.chain, KEY), KNOWN).is_good
    assert record_of(again)["predicate"]["study"]["columns"][-1]["origin"] == {
        "release": done.sequence
    }


def test_too_few_values_are_paid_and_signed_too(folder: Path, ledger: Ledger) -> None:
    (folder / "stays.csv").write_text("id,days,sex,lab\np1,3,f,5\n", encoding="utf-8")
    done = release(ASKED, folder, ledger, RecordingDoor())
    assert record_of(done)["tables"][0]["rows"][0][:2] == ["", ""]
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good
    assert ledger.account("registry").spent == Epsilon.of("2.1")


def test_a_column_without_bounds_is_read_back_and_priced_again() -> None:
    again = ReleasedStudy(json.loads(json.dumps(public_study(ASKED)))).study
    assert again is not None
    assert again.columns == ASKED.columns
    assert priced_again(again) is not None
