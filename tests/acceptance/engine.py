# SPDX-License-Identifier: Apache-2.0
"""Whether databases count real files as the encoder does: every exact number, in clear.

Each file is read by our own reader, all cells as text, and put into a table of DuckDB, and of
PostgreSQL and Spark where they can be had. All rows of each person count, so that nothing is left
to chance. What is left to it where few of a person's rows count is held against its own mean and
variance (``small_limits.py``).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.files.batch import Wanted
from dpdesk.data.opened import open_table
from dpdesk.engine.connect import connected
from dpdesk.engine.runner import Binding, count
from dpdesk.engine.spark import database_of
from dpdesk.release.sealing.countable import refuse_uncountable
from dpdesk.release.sealing.sealed_counts import ExactCounts
from dpdesk.resources import resource_path
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from tests.acceptance import small_limits
from tests.acceptance.prepare import SHARED_DATA, STUDIES
from tests.engine.counted import TABLE, differences, exact_counts
from tests.engine.postgres import postgres_server
from tests.engine.spark import fetch_spark, in_spark, use_spark
from tests.engine.test_same_as_a_file import golden, with_all_rows
from tests.golden.making import NAMES

FILES: Final = {
    "table-one": "diabetes130/diabetic_data.csv",
    "diabetes": "diabetes130/diabetic_data.csv",
    "patients": "synthea/patients.csv",
    "conditions": "synthea/conditions.csv",
    "immunizations": "synthea/immunizations.csv",
    "joined": "synthea/conditions.csv",
    "body": "nhanes_2015_16/BMX_I.XPT",
}
"""Studies of the part *prepare*, and the file of the main table of each."""

Tables = dict[str, pa.Table]
"""By the study's name of each."""


def cases() -> Iterator[tuple[str, Study, Tables]]:
    """What is counted: a name, a study with all rows of each person, and its tables."""
    sample = study_from_bytes(resource_path("sample/sample.dpdesk").read_bytes())
    path = resource_path("sample/admissions.csv")
    yield "sample hospital", with_all_rows(sample), {MAIN: _table(sample.data, path)}
    for name, file in FILES.items():
        study = study_from_bytes((STUDIES / f"{name}.dpdesk").read_bytes())
        path = SHARED_DATA / file
        tables = {MAIN: _table(study.data, path)}
        for table in study.tables:
            tables[table.name] = _table(table.data, path.with_name(table.data.path))
        yield name, with_all_rows(study), tables
    for name in NAMES:
        study, table = golden(name)
        yield name, with_all_rows(study), {MAIN: table}


def _table(data: DataSource | None, path: Path) -> pa.Table:
    """All columns of a file, as our own reader has them."""
    source = replace(data or DataSource(), path=path.name)
    with open_table(source, path.parent) as opened:
        wanted = [Wanted(place) for place in range(len(opened.header))]
        batches = [
            pa.table(dict(zip(opened.header, load().columns, strict=True)))
            for load in opened.loads(wanted)
        ]
    return pa.concat_tables(batches, promote_options="default")


def _of_files(study: Study, tables: Tables) -> ExactCounts:
    """What the encoder makes of the same tables in Parquet files, in clear."""
    with tempfile.TemporaryDirectory() as folder:
        for name, table in tables.items():
            pq.write_table(table, Path(folder, f"{_called(name)}.parquet"))
        further = tuple(replace(one, data=_parquet(one.data, one.name)) for one in study.tables)
        main = replace(_parquet(study.data, MAIN), extract="x")
        return exact_counts(replace(study, data=main, tables=further), Path(folder))


def _parquet(data: DataSource | None, name: str) -> DataSource:
    data = data or DataSource()
    kept = {"missing": data.missing, "decimal": data.decimal, "thousands": data.thousands}
    return DataSource(f"{_called(name)}.parquet", "parquet", **kept)  # type: ignore[arg-type]


def _called(name: str) -> str:
    """What a table of the study is called in the database."""
    return name or TABLE


@contextmanager
def _duckdb(tables: Tables) -> Iterator[Any]:
    backend = ibis.duckdb.connect()
    try:
        for name, table in tables.items():
            backend.create_table(_called(name), table)
        yield backend
    finally:
        backend.disconnect()


@contextmanager
def _postgres(tables: Tables) -> Iterator[Any]:
    with connected("postgres") as backend:
        for name, table in tables.items():
            own = _called(name)
            backend.raw_sql(f"DROP TABLE IF EXISTS {own}").close()
            database_of(backend).upload(f"given_{own}", table)
            backend.raw_sql(f"CREATE TABLE {own} AS SELECT * FROM given_{own}").close()
        yield backend


def lines(engines: dict[str, Callable[[Tables], Any]]) -> Iterator[tuple[str, bool]]:
    """One line a study and engine, and whether all of its numbers are those of the file."""
    for name, study, tables in cases():
        refuse_uncountable(study)
        of_file = _of_files(study, tables)
        numbers = sum(len(vector) for vector in of_file.vectors.values())
        rows = sum(table.num_rows for table in tables.values())
        binding = Binding({one: _called(one) for one in tables})
        for engine, opened in engines.items():
            began = time.process_time()
            with opened(tables) as backend:
                found = differences(count(study, database_of(backend), binding), of_file)
            took = time.process_time() - began
            said = f"DIFFERS in {found[:3]}" if found else "as of a file"
            text = f"{name:<28} {engine:<9} {rows:>7,} rows: {said}"
            yield f"{text} ({numbers:,} exact numbers, {took:.1f} s of the runner)", not found
    study = study_from_bytes((STUDIES / "diabetes.dpdesk").read_bytes())
    table = _table(study.data, SHARED_DATA / FILES["diabetes"])
    yield from small_limits.lines(study, table, engines, TABLE, _of_files)


def _spark(tables: Tables) -> AbstractContextManager[Any]:
    return in_spark({_called(name): table for name, table in tables.items()})


def main() -> int:
    """Print the lines; 1 where a number differs."""
    engines: dict[str, Callable[[Tables], Any]] = {"duckdb": _duckdb}
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        with _where_it_can_be_had():
            for name, value in stack.enter_context(postgres_server()).items():
                patch.setenv(name, value)
            engines["postgres"] = _postgres
        with _where_it_can_be_had():
            fetch_spark()
            use_spark(patch)
            engines["spark"] = _spark
        return _printed(engines)


@contextmanager
def _where_it_can_be_had() -> Iterator[None]:
    try:
        yield
    except pytest.skip.Exception as skipped:
        print(skipped, flush=True)


def _printed(engines: dict[str, Callable[[Tables], Any]]) -> int:
    same = True
    for text, is_same in lines(engines):
        print(text, flush=True)
        same &= is_same
    return 0 if same else 1
