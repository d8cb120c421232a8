# SPDX-License-Identifier: Apache-2.0
"""A study of stays with two dates, and one column that is made of them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import TimeBetween
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow

FIRST, LAST = date(2025, 1, 1), date(2025, 12, 31)
READ = (
    DateColumn("adm", title="Admission", first=FIRST, last=LAST),
    DateColumn("dis", title="Discharge", first=FIRST, last=LAST),
    NumberColumn("kg", lower=Decimal(20), upper=Decimal(200), step=Decimal(1)),
    NumberColumn("m", lower=Decimal(1), upper=Decimal("2.5"), step=Decimal("0.01")),
    CategoryColumn("ward", values=("north", "south", "west")),
)
STAY = NumberColumn(
    "stay",
    title="Length of stay",
    label="days",
    lower=Decimal(0),
    upper=Decimal(60),
    step=Decimal(1),
    made_from=TimeBetween(("adm", "dis")),
)


def open_page(open_window: OpenWindow, folder: Path, *derived: NumberColumn) -> ColumnsPage:
    """The columns' page of the study with these derived columns."""
    data = folder / "stays.csv"
    cells = "1,2025-01-01,2025-01-04,70,1.8,north,I21"
    data.write_text(f"id,adm,dis,kg,m,ward,icd10\n{cells}\n", encoding="utf-8")
    study = Study("Stays", data=DataSource(str(data)), unit=Unit("id"), columns=(*READ, *derived))
    save_study(study, folder / "stays.dpdesk")
    window = open_window(folder / "stays.dpdesk", page="columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page
