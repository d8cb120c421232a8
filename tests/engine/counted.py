# SPDX-License-Identifier: Apache-2.0
"""The same table in a file and in a database, and what both are counted to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk import exact
from dpdesk.data.aggregation.aggregate import measure, text_counts
from dpdesk.data.encode import encode
from dpdesk.engine import runner
from dpdesk.engine.database import Database
from dpdesk.engine.passes import count_in_passes
from dpdesk.engine.runner import Binding, count
from dpdesk.privacy import compiler
from dpdesk.release.sealing.countable import needs_people
from dpdesk.release.sealing.order_file import read_order
from dpdesk.release.sealing.sealed_counts import ExactCounts, finds_texts
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource

TABLE = "stays"
_PEOPLE = 300


@contextmanager
def in_duckdb(
    table: pa.Table, types: dict[str, str] | None = None, then: str = ""
) -> Iterator[Any]:
    """A table in a DuckDB in memory, some of its columns of declared types, and changed then."""
    backend = ibis.duckdb.connect()
    try:
        backend.create_table("plain", table)
        types = types or {}
        declared = backend.raw_sql("DESCRIBE plain").fetchall()
        columns = ", ".join(f'"{name}" {types.get(name, kind)}' for name, kind, *_ in declared)
        backend.raw_sql(f"CREATE TABLE {TABLE} ({columns})")
        backend.raw_sql(f"INSERT INTO {TABLE} SELECT * FROM plain")
        if then:
            backend.raw_sql(then)
        yield backend
    finally:
        backend.disconnect()


def counted(
    study: Study, table: pa.Table, types: dict[str, str] | None = None, then: str = ""
) -> ExactCounts:
    """What DuckDB counts of a table."""
    with in_duckdb(table, types, then) as backend:
        found = count(study, Database(backend), Binding({MAIN: TABLE}))
        assert set(backend.list_tables()) == {"plain", TABLE}
    return found


def counted_of_file(study: Study, table: pa.Table, folder: Path) -> ExactCounts:
    """What the encoder makes of the same table in a Parquet file, in clear."""
    pq.write_table(table, folder / "stays.parquet")
    return exact_counts(of_parquet(study), folder)


def exact_counts(study: Study, folder: Path) -> ExactCounts:
    """What the encoder makes of a study's files, in clear."""
    plan = compiler.compile(study)
    encoded = encode(plan.study, folder)
    vectors, found = {}, {}
    for query in plan.queries:
        for part in query.parts:
            place = query.query.id, part.name
            if finds_texts(part):
                texts = text_counts(encoded, plan.study, part.measure)
                names, counts = exact._text_vault[id(texts)]
                found[place] = sorted(zip(names, counts.tolist(), strict=True))
            else:
                sealed = measure(encoded, plan.study, part.measure)
                vectors[place] = exact._vault[id(sealed)].copy()
    return ExactCounts("file", encoded.people(), vectors, found)


def of_parquet(study: Study) -> Study:
    """A study of the same table as a Parquet file."""
    data = study.data or DataSource()
    kept = {"missing": data.missing, "decimal": data.decimal, "thousands": data.thousands}
    source = DataSource("stays.parquet", "parquet", extract="x", **kept)  # type: ignore[arg-type]
    return replace(study, data=source)


def differences(first: ExactCounts, second: ExactCounts) -> list[object]:
    """Where two counts differ; nothing where they are the same."""
    if first.vectors.keys() != second.vectors.keys() or first.found.keys() != second.found.keys():
        return [first.vectors.keys() ^ second.vectors.keys(), first.found.keys() ^ second.found]
    vectors = [p for p, v in first.vectors.items() if not np.array_equal(v, second.vectors[p])]
    texts = [place for place, own in first.found.items() if list(own) != list(second.found[place])]
    people = [] if first.people == second.people else [(first.people, second.people)]
    return [*vectors, *texts, *people]


def order_arguments(order: Path) -> list[str]:
    """An order as the runner is given it, with what its custodian read out by phone."""
    return [str(order), "--code", read_order(order.read_bytes()).code]


def four_rows_each() -> pa.Table:
    """Rows of which a limit of one drops three of four."""
    ids = [person for person in range(_PEOPLE) for _ in range(4)]
    wards = ["a", "ä", "ß", "x"] * _PEOPLE
    return pa.table({"pid": ids, "ward": wards, "ill": [True] * len(ids)})


def are_of_the_same_rows(counts: ExactCounts) -> bool:
    """Whether two answers of ``one_row_each`` kept the same one of each person's four rows."""
    by_ward, again = (counts.vectors[name, "rows"] for name in ("wards", "again"))
    same = by_ward.tolist() == again.reshape(len(by_ward), -1).sum(axis=1).tolist()
    return bool(same and by_ward.sum() == _PEOPLE and by_ward.max() < _PEOPLE)


def in_passes_of(rows: int, patch: pytest.MonkeyPatch) -> None:
    """Let people be told apart by the runner, and each pass have about this many rows."""

    def passed(*given: object) -> object:
        return count_in_passes(*given, rows_a_pass=rows)  # type: ignore[arg-type]

    patch.setattr(runner, "count_in_passes", passed)
    patch.setattr(runner, "comes_to_the_runner", lambda _database, _study: True)


def ranked_in_the_database(patch: pytest.MonkeyPatch) -> None:
    """Let DuckDB rank and group rows itself, as a server does."""
    patch.setattr(runner, "comes_to_the_runner", lambda _database, study: needs_people(study))
