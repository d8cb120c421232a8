# SPDX-License-Identifier: Apache-2.0
"""One person with 40 rows moves a count of rows by at most ``max_rows``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dpdesk.privacy import compiler
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.doors import RecordingDoor
from tests.release.studies import release

MAX_ROWS = 3


def counted(folder: Path, name: str, lines: list[str]) -> int:
    """The exact count that a release's door sees."""
    (folder / name).write_text("\n".join(["pid,ward", *lines]) + "\n", encoding="utf-8")
    study = Study(
        title="Forty rows",
        data=DataSource(name, extract=name),
        unit=Unit("pid", MAX_ROWS),
        budget=Budget("forty", Epsilon.of(2)),
        columns=(CategoryColumn("ward", ("A", "B")),),
        queries=(Query("stays", epsilon=Epsilon.of(1)),),
    )
    ledger = Ledger.open(Home.at(folder / f"home-{name}"))
    ledger.new_account("forty", Epsilon.of(2))
    door = RecordingDoor()
    release(study, folder, ledger, door)
    assert door.calls[0].sensitivity == MAX_ROWS
    assert compiler.compile(study).queries[0].parts[0].sensitivity == MAX_ROWS
    return door.calls[0].exact[0]


@pytest.mark.threat("C1")
@pytest.mark.parametrize("spelling", ["7", "007", " 7 ", "7.0"])
def test_forty_rows_of_one_person_move_a_count_by_max_rows(tmp_path: Path, spelling: str) -> None:
    others = [f"{100 + i},{'AB'[i % 2]}" for i in range(20)]
    victim = [f"{'7' if i % 2 else spelling},{'AB'[i % 2]}" for i in range(40)]
    without = counted(tmp_path, "without.csv", others)
    with_victim = counted(tmp_path, "with.csv", [*others[:10], *victim, *others[10:]])
    assert with_victim - without == MAX_ROWS


def test_the_busiest_patient_of_the_diabetes_file_moves_a_count_by_max_rows(
    tmp_path: Path, shared_data: Path
) -> None:
    lines = (shared_data / "diabetes130" / "diabetic_data.csv").read_text().splitlines()[1:]
    patients = [line.split(",")[1] for line in lines]
    busiest, most = Counter(patients).most_common(1)[0]
    assert most == 40
    rows = [f"{patient},A" for patient in patients]
    without = [row for row, patient in zip(rows, patients, strict=True) if patient != busiest]
    moved = counted(tmp_path, "all.csv", rows) - counted(tmp_path, "less.csv", without)
    assert moved == MAX_ROWS
