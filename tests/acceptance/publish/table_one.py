# SPDX-License-Identifier: Apache-2.0
"""A Table 1 of a real file: what a release answers, beside what pandas says.

A Table 1 of 101,766 stays is released through a door without noise, and each of its figures is
compared with what pandas makes of the same file: as many digits as the release prints. Of a
difference the place in the table is named, never a figure.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pandas as pd

from dpdesk.release.bundle.baseline.documents import data_table
from dpdesk.release.bundle.baseline.released import released_layouts
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study
from tests.acceptance.prepare import SHOWN, STUDIES
from tests.doors import RecordingDoor
from tests.release.studies import release

FILE: Final = "diabetes130/diabetic_data.csv"
GROUPS: Final = {"(overall)": None, "NO": "NO", ">30": ">30", "<30": "<30"}
LABELS: Final = {
    "gender": {"Female": "Women", "Male": "Men"},
    "race": {
        **{name: name for name in ("Caucasian", "AfricanAmerican", "Hispanic", "Asian", "Other")},
        "?": "(missing)",
    },
    "age": {f"[{low}-{low + 10})": f"[{low}-{low + 10})" for low in range(0, 100, 10)},
    "A1Cresult": {name: name for name in ("None", "Norm", ">7", ">8")},
}
"""What a release calls a cell of each column of categories."""
Place = tuple[str, str, str, str]
"""Characteristic, category, group and figure."""


def table_one() -> Study:
    """The study of stays by readmission."""
    return study_from_bytes((STUDIES / "table-one.dpdesk").read_bytes())


def released(study: Study, folder: Path) -> dict[Place, str]:
    """Each figure of a release without noise, as its table of all figures prints it."""
    with tempfile.TemporaryDirectory() as home:
        ledger = Ledger.open(Home.at(Path(home)))
        if study.budget is None or study.budget.limit is None:
            raise ValueError("the study of an acceptance names its account and its limit")
        ledger.new_account(study.budget.account, study.budget.limit)
        stored = release(study, folder, ledger, RecordingDoor()).stored
    (layout,) = released_layouts(stored.record, stored.tables)
    return {(row[0], row[1], row[2], row[3]): row[4] for row in data_table(layout).rows}


def by_pandas(cells: pd.DataFrame) -> dict[Place, Any]:
    """What each figure is; of a quartile the values between which it may be."""
    found: dict[Place, Any] = {}
    for name, group in GROUPS.items():
        rows = cells if group is None else cells[cells["readmitted"] == group]
        found["", "", name, "n"] = len(rows)
        for column, labels in LABELS.items():
            known = rows[column].map(labels).dropna()
            for label in labels.values():
                count = int((known == label).sum())
                found[column, label, name, "n"] = count
                found[column, label, name, "percent"] = 100 * count / len(known)
        for column in ("time_in_hospital", "num_medications"):
            values = pd.to_numeric(rows[column])
            found[column, "", name, "mean"] = values.mean()
            found[column, "", name, "standard_deviation"] = values.std(ddof=0)
        values = pd.to_numeric(rows["time_in_hospital"])
        for figure, part in (("lower_quartile", 0.25), ("median", 0.5), ("upper_quartile", 0.75)):
            ends = [values.quantile(part, interpolation=side) for side in ("lower", "higher")]
            found["time_in_hospital", "", name, figure] = tuple(ends)
    return found


def differing(ours: dict[Place, str], theirs: dict[Place, Any]) -> Iterator[Place]:
    """The places whose figures differ by more than rounding, or that only one of the two has."""
    for place in sorted(ours.keys() | theirs.keys()):
        if place not in ours or place not in theirs or not _agrees(ours[place], theirs[place]):
            yield place


def _agrees(printed: str, exact: Any) -> bool:
    if not printed:
        return False
    if isinstance(exact, tuple):
        return float(printed) in exact
    exponent = Decimal(printed).as_tuple().exponent
    half = 10.0 ** int(exponent) / 2
    return abs(float(printed) - float(exact)) <= half + 1e-9 * abs(float(exact))


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """The line of the table; a file that is not there is skipped."""
    path = shared / FILE
    if not path.is_file():
        yield f"Table 1       skipped: {FILE} is not on this machine", True
        return
    cells = pd.read_csv(path, dtype=str, keep_default_na=False)
    ours = released(table_one(), path.parent)
    wrong = list(differing(ours, by_pandas(cells)))
    if wrong:
        shown = ", ".join(" ".join(filter(None, place)) for place in wrong[:SHOWN])
        yield f"Table 1       DIFFERS in {shown} (figures: {len(wrong)})", False
    else:
        yield f"Table 1       as in pandas (figures: {len(ours)})", True
