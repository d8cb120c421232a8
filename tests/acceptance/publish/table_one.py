# SPDX-License-Identifier: Apache-2.0
"""A Table 1 of a real file: what a release answers, beside what pandas says.

A Table 1 of 101,766 stays is released through a door without noise, and each of its figures is
compared with what pandas makes of the same file: as many digits as the release prints. Of a
difference the place in the table is named, never a figure. At epsilon 1 for the whole table each
margin of 400 releases holds the figure of the file, each rank as many rows as it may be away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pandas as pd

from dpdesk.release.bundle.baseline.documents import data_table
from dpdesk.release.bundle.baseline.released import released_layouts
from dpdesk.release.record.values import StoredRelease
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from tests.acceptance.prepare import SHOWN, STUDIES
from tests.acceptance.publish.coverage import RELEASES, Held, redrawn, rows_of
from tests.acceptance.publish.coverage import released as released_once
from tests.doors import RecordingDoor

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
PARTS: Final = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}
Place = tuple[str, str, str, str]
"""Characteristic, category, group and figure."""


def table_one() -> Study:
    """The study of stays by readmission."""
    return study_from_bytes((STUDIES / "table-one.dpdesk").read_bytes())


def released(study: Study, folder: Path) -> dict[Place, str]:
    """Each figure of a release without noise, as its table of all figures prints it."""
    stored = released_once(study, folder, RecordingDoor())
    return {place: row["value"] for place, row in _rows(stored)}


def _rows(stored: StoredRelease) -> Iterator[tuple[Place, dict[str, str]]]:
    """Each line of its table of all figures, by its place."""
    (layout,) = released_layouts(stored.record, stored.tables)
    table = data_table(layout)
    for row in rows_of([column.name for column in table.columns], table.rows):
        yield (row["characteristic"], row["category"], row["group"], row["figure"]), row


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
        for figure, part in PARTS.items():
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
    for name, held in covered(cells, path.parent).items():
        said, is_held = held.line()
        yield f"Table 1       {name} at epsilon 1: {said}", is_held


def covered(cells: pd.DataFrame, folder: Path, releases: int = RELEASES) -> dict[str, Held]:
    """How often margins hold what pandas says, by what they are margins of."""
    study, exact = table_one(), by_pandas(cells)
    (asked,) = study.baseline_tables
    study = replace(study, baseline_tables=(replace(asked, epsilon=Epsilon.of(1)),))
    exact_draws = released_once(study, folder, RecordingDoor())
    found: defaultdict[str, Held] = defaultdict(Held)
    for stored in redrawn(exact_draws, releases):
        for place, row in _rows(stored):
            if row["half_width_95"]:
                off = abs(float(row["value"]) - float(exact[place]))
                found[place[3]].add(place, off <= float(row["half_width_95"]))
            elif row["rows_off_95"]:
                away = _rows_away(cells, place, float(row["value"]))
                found[f"rank of the {place[3]}"].add(place, away <= float(row["rows_off_95"]))
    return found


def _rows_away(cells: pd.DataFrame, place: Place, value: float) -> float:
    """How many rows lie between a released quantile and the exact one."""
    column, _, group, figure = place
    rows = cells if GROUPS[group] is None else cells[cells["readmitted"] == GROUPS[group]]
    values = pd.to_numeric(rows[column])
    wanted = PARTS[figure] * len(values)
    return float(max((values < value).sum() - wanted, wanted - (values <= value).sum(), 0))
