# SPDX-License-Identifier: Apache-2.0
"""Derived columns of real files: what a release answers, beside what pandas says.

Each study in ``studies/`` is released into a ledger of its own through a door without noise, and
each figure is compared with a table that pandas makes of the same file by other means. Of a
difference the group is named, never a figure.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pandas as pd

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.text import titles
from tests.acceptance.joined_tables import (
    JOINED,
    MIXED,
    mixed_study,
    read_joined,
    write_mixed,
)
from tests.acceptance.pandas_tables import (
    BODY,
    CONDITIONS,
    DIABETES,
    IMMUNIZATIONS,
    PATIENTS,
    Figures,
)
from tests.doors import RecordingDoor
from tests.release.studies import record_of, release

STUDIES: Final = Path(__file__).with_name("studies")
SHARED_DATA: Final = Path(__file__).parents[3] / "shared" / "data"
SHOWN: Final = 3
"""So many of the groups that differ are named."""


@dataclass(frozen=True)
class Case:
    """A study, its file, and how pandas makes its tables.

    Attributes:
        file: the file's place below the folder of real files.
        read: reads it, all cells as text.
        expected: by query, what makes its figures: by group, in the smallest part of the grid.
        is_mixed: whether its tables are written anew, in files of other kinds.
    """

    study: str
    file: str
    read: Callable[[Path], Any]
    expected: Mapping[str, Callable[[Any], Figures]]
    is_mixed: bool = False

    @property
    def name(self) -> str:
        """What its lines begin with."""
        return "mixed kinds" if self.is_mixed else self.study


def _csv(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def _xport(path: Path) -> pd.DataFrame:
    return pd.read_sas(path)


CASES: Final = (
    Case("patients", "synthea/patients.csv", _csv, PATIENTS),
    Case("conditions", "synthea/conditions.csv", _csv, CONDITIONS),
    Case("immunizations", "synthea/immunizations.csv", _csv, IMMUNIZATIONS),
    Case("body", "nhanes_2015_16/BMX_I.XPT", _xport, BODY),
    Case("diabetes", "diabetes130/diabetic_data.csv", _csv, DIABETES),
    Case("joined", "synthea/conditions.csv", read_joined, JOINED),
    Case("joined", "synthea/conditions.csv", read_joined, MIXED, is_mixed=True),
)


@dataclass(frozen=True)
class Compared:
    """One query's figures beside those of pandas.

    Attributes:
        figures: how many there are.
        differing: the groups whose figures differ, or that only one of the two has.
    """

    study: str
    title: str
    figures: int
    differing: tuple[str, ...]

    def __str__(self) -> str:
        """The line that is printed."""
        said = f"as in pandas (figures: {self.figures})"
        if self.differing:
            shown = ", ".join(self.differing[:SHOWN])
            said = f"DIFFERS in {shown} (groups: {len(self.differing)})"
        return f"{self.study:<13} {self.title}: {said}"


def study_of(case: Case) -> Study:
    study = study_from_bytes((STUDIES / f"{case.study}.dpdesk").read_bytes())
    return mixed_study(study) if case.is_mixed else study


def compared(case: Case, shared: Path) -> Iterator[Compared]:
    """Release a case's study, and compare each of its queries."""
    study, path = study_of(case), shared / case.file
    with tempfile.TemporaryDirectory() as mixed:
        if case.is_mixed:
            write_mixed(Path(mixed), path)
        ours = released(study, Path(mixed) if case.is_mixed else path.parent)
    cells = case.read(path)
    for query in study.queries:
        theirs, own = case.expected[query.id](cells), ours[query.id]
        groups = sorted(own.keys() | theirs.keys())
        # A declared group that no row has is a figure, too: 0.
        differing = (" ".join(g) or "all" for g in groups if own.get(g) != theirs.get(g, 0))
        yield Compared(case.name, titles.title(study, query), len(own), tuple(differing))


def released(study: Study, folder: Path) -> dict[str, Figures]:
    """A study's figures without noise, by query and group, as the record holds them."""
    with tempfile.TemporaryDirectory() as home:
        ledger = Ledger.open(Home.at(Path(home)))
        if study.budget is None or study.budget.limit is None:
            raise ValueError("the study of an acceptance names its account and its limit")
        ledger.new_account(study.budget.account, study.budget.limit)
        tables = record_of(release(study, folder, ledger, RecordingDoor()))["tables"]
    return {table["id"]: _figures(table) for table in tables}


def _figures(table: dict[str, Any]) -> Figures:
    """The value of each group, as it is published."""
    place = [column["role"] for column in table["columns"]].index("value")
    return {tuple(row[:place]): Decimal(row[place]) for row in table["rows"]}


def main() -> int:
    """Print one line a query; 1 where a figure differs."""
    failed = False
    for case in CASES:
        if not (SHARED_DATA / case.file).is_file():
            print(f"{case.name:<13} skipped: {case.file} is not on this machine")
            continue
        for one in compared(case, SHARED_DATA):
            print(one, flush=True)
            failed |= bool(one.differing)
    return int(failed)
