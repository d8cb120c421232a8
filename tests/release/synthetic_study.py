# SPDX-License-Identifier: Apache-2.0
"""A study whose bundle has synthetic rows: categories with labels, a number cut twice, and days."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import Query, SyntheticRows
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.release.studies import release

CODED = CategoryColumn("ward", ("1", "=2"), missing="category", labels=("Surgery", "Medicine"))
AGE = NumberColumn("age", Decimal(-5), Decimal(100), Decimal("0.5"), outside="clamp")
STUDY = Study(
    title="Stays",
    data=DataSource("stays.csv", extract="made up"),
    unit=Unit("id", 1),
    budget=Budget("registry", epsilon=Epsilon.of(90)),
    columns=(
        CODED,
        AGE,
        DateColumn("day", date(2025, 12, 30), date(2026, 2, 2)),
        YesNoColumn("dead", ("ja",), ("nein",)),
    ),
    queries=(
        Query("a", by=("ward", "dead"), epsilon=Epsilon.of(20)),
        Query("b", by=(Bins("age", (Decimal(0), Decimal("17.5"))),), epsilon=Epsilon.of(20)),
        Query("c", by=("dead", Bins("age", (Decimal(40),))), epsilon=Epsilon.of(20)),
        Query("d", by=(Periods("day", "weekday"),), epsilon=Epsilon.of(10)),
        Query("e", by=(Periods("day", "month"),), epsilon=Epsilon.of(10)),
        Query("f", by=("ward",), where=(IsIn("dead", ("ja",)),), epsilon=Epsilon.of(5)),
    ),
    synthetic_rows=SyntheticRows(),
)


def released(study: Study, folder: Path) -> ReleaseDone:
    wards, days = ("1", "=2", ""), ("2025-12-30", "2026-01-09", "2026-02-02")
    lines = [
        f"p{i},{wards[i % 7 % 3]},{i * 7 % 106 - 5},{days[i % 5 % 3]},{('ja', 'nein')[i % 3 % 2]}"
        for i in range(900)
    ]
    text = "id,ward,age,day,dead\n" + "\n".join(lines) + "\n"
    (folder / "stays.csv").write_text(text, encoding="utf-8")
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of(90))
    return release(study, folder, ledger, OpenDPDoor())
