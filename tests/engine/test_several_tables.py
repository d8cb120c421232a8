# SPDX-License-Identifier: Apache-2.0
"""Several tables, person and case steps: counted in passes as of files, however many there are."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import ibis
import pyarrow as pa
import pytest

from dpdesk.engine.database import Database
from dpdesk.engine.runner import Binding, count
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from tests.audit.prepared import LABS, PATIENTS, joined_study, prepared_study, rows_of
from tests.audit.tables import FILE, HEADER, write_table
from tests.engine.counted import counted, counted_of_file, differences, exact_counts, in_passes_of
from tests.engine.hostile import STUDY, declared
from tests.engine.test_same_as_a_file import golden, with_all_rows
from tests.golden.making import NAMES

IDS = ("1", "2", "ab", "07", "7", "", "?")


def written(folder: Path, seed: int) -> dict[str, pa.Table]:
    """Made-up rows in three files, and the same as tables of texts."""
    dice = random.Random(seed)
    tables = {}
    for name in (FILE, LABS, PATIENTS):
        rows = [row for row in rows_of(dice, IDS, 60) if len(row.cells) == len(HEADER)]
        write_table(folder, tuple(rows), name=name)
        with (folder / name).open(newline="") as stream:
            header, *lines = csv.reader(stream)
        columns = zip(*lines, strict=True)
        tables[name] = pa.table(dict(zip(header, map(list, columns), strict=True)))
    return tables


@pytest.mark.parametrize("without", ["drop", "one-person"])
@pytest.mark.parametrize("rows", [5_000, 25])
@pytest.mark.parametrize("made", [prepared_study, joined_study])
@pytest.mark.in_turn(3)
def test_what_all_rows_of_a_person_say_is_counted_as_of_files(
    made: object, rows: int, without: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = Unit("pid", 10_000, without_id=without)  # type: ignore[arg-type]
    study: Study = made(unit)  # type: ignore[operator]
    in_passes_of(rows, monkeypatch)
    for seed in range(3):
        tables = written(tmp_path, seed)
        backend = ibis.duckdb.connect()
        for name, table in tables.items():
            backend.create_table(Path(name).stem, table)
        data = study.data or DataSource()
        names = {MAIN: data, **{table.name: table.data for table in study.tables}}
        binding = Binding({name: Path(source.path).stem for name, source in names.items()})
        own = count(study, Database(backend), binding)
        backend.disconnect()
        assert differences(own, exact_counts(study, tmp_path)) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.in_turn(3)
def test_every_statistic_is_counted_in_many_passes_as_in_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, table = golden(name)
    study = with_all_rows(study)
    if study.unit is None or study.unit.person is None:
        return
    in_passes_of(30, monkeypatch)
    assert differences(counted(study, table), counted_of_file(study, table, tmp_path)) == []


def test_no_person_keeps_more_rows_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [STUDY["queries"][0] | {"by": ["ward"]}]
    unit = STUDY["unit"] | {"max_rows": 2}
    study = declared({**STUDY, "unit": unit, "columns": STUDY["columns"][:1], "queries": asked})
    own = {person: 1 + person % 5 for person in range(30)}
    ids = [person for person, rows in own.items() for _ in range(rows)]
    table = pa.table({"pid": ids, "ward": ["a"] * len(ids)})
    in_passes_of(10, monkeypatch)
    counts = counted(study, table)
    (vector,) = counts.vectors.values()
    assert counts.people == len(own)
    assert vector.sum() == sum(min(rows, 2) for rows in own.values())
