# SPDX-License-Identifier: Apache-2.0
"""Whether databases count real files as the encoder does: every exact number, in clear.

Each file is read by our own reader, all cells as text, and put into a table of DuckDB, and of
PostgreSQL where it is installed. All rows of each person count, so that nothing is left to chance.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import ibis
import pyarrow as pa
import pytest

from dpdesk.data.files.batch import Wanted
from dpdesk.data.opened import open_table
from dpdesk.engine.connect import connected
from dpdesk.engine.database import Database
from dpdesk.engine.runner import Binding, count
from dpdesk.release.sealing.countable import refuse_uncountable
from dpdesk.resources import resource_path
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from tests.acceptance.prepare import SHARED_DATA, STUDIES
from tests.engine.counted import TABLE, counted_of_file, differences
from tests.engine.postgres import postgres_server
from tests.engine.test_same_as_a_file import golden, with_all_rows
from tests.golden.making import NAMES

FILES: Final = {
    "table-one": "diabetes130/diabetic_data.csv",
    "patients": "synthea/patients.csv",
    "body": "nhanes_2015_16/BMX_I.XPT",
}
"""Studies of the part *prepare* that one table answers, and their files."""


def cases() -> Iterator[tuple[str, Study, pa.Table]]:
    """What is counted: a name, a study with all rows of each person, and its table."""
    sample = study_from_bytes(resource_path("sample/sample.dpdesk").read_bytes())
    path = resource_path("sample/admissions.csv")
    yield "sample hospital", with_all_rows(sample), _table(sample, path)
    for name, file in FILES.items():
        study = study_from_bytes((STUDIES / f"{name}.dpdesk").read_bytes())
        yield name, with_all_rows(study), _table(study, SHARED_DATA / file)
    for name in NAMES:
        study, table = golden(name)
        yield name, with_all_rows(study), table


def _table(study: Study, path: Path) -> pa.Table:
    """All columns of a file, as our own reader has them."""
    source = replace(study.data or DataSource(), path=path.name)
    with open_table(source, path.parent) as opened:
        wanted = [Wanted(place) for place in range(len(opened.header))]
        batches = [
            pa.table(dict(zip(opened.header, load().columns, strict=True)))
            for load in opened.loads(wanted)
        ]
    return pa.concat_tables(batches, promote_options="default")


@contextmanager
def _duckdb(_table: pa.Table) -> Iterator[Any]:
    backend = ibis.duckdb.connect()
    try:
        backend.create_table(TABLE, _table)
        yield backend
    finally:
        backend.disconnect()


@contextmanager
def _postgres(table: pa.Table) -> Iterator[Any]:
    with connected("postgres") as backend:
        backend.raw_sql(f"DROP TABLE IF EXISTS {TABLE}").close()
        Database(backend).upload("given", table)
        backend.raw_sql(f"CREATE TABLE {TABLE} AS SELECT * FROM given").close()
        yield backend


def lines(engines: dict[str, Callable[[pa.Table], Any]]) -> Iterator[tuple[str, bool]]:
    """One line a study and engine, and whether all of its numbers are those of the file."""
    for name, study, table in cases():
        refuse_uncountable(study)
        with tempfile.TemporaryDirectory() as folder:
            of_file = counted_of_file(study, table, Path(folder))
        numbers = sum(len(vector) for vector in of_file.vectors.values())
        for engine, opened in engines.items():
            began = time.process_time()
            with opened(table) as backend:
                found = differences(count(study, Database(backend), Binding(TABLE, {})), of_file)
            took = time.process_time() - began
            said = f"DIFFERS in {found[:3]}" if found else "as of a file"
            text = f"{name:<28} {engine:<9} {table.num_rows:>7,} rows: {said}"
            yield f"{text} ({numbers:,} exact numbers, {took:.1f} s of the runner)", not found


def main() -> int:
    """Print the lines; 1 where a number differs."""
    engines: dict[str, Callable[[pa.Table], Any]] = {"duckdb": _duckdb}
    try:
        with postgres_server() as variables:
            os.environ.update(variables)
            return _printed(engines | {"postgres": _postgres})
    except pytest.skip.Exception as skipped:
        print(skipped)
        return _printed(engines)


def _printed(engines: dict[str, Callable[[pa.Table], Any]]) -> int:
    same = True
    for text, is_same in lines(engines):
        print(text, flush=True)
        same &= is_same
    return 0 if same else 1
