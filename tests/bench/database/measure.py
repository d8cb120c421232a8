# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.database.measure least|ours WHERE SHAPE``: one figure, in this process.

What a server computes is measured, too: it runs beside the process, on the same machine.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from dpdesk.engine.connect import connected
from dpdesk.engine.runner import Binding, count
from dpdesk.engine.spark import database_of
from dpdesk.study.model.tables import MAIN
from tests.bench.database.study import Shape, study_of
from tests.bench.size.clock import peak_bytes
from tests.engine.counted import in_duckdb
from tests.engine.spark import use_packages

_OWN, _CHILDREN = 11, 13
_JAVA = "-Xmx6g"
"""What Spark may hold; it would else take one gigabyte, however many there are."""

_LEAST = "SELECT count(*), sum(n) FROM (SELECT pid, count(*) AS n FROM stays GROUP BY pid) s"


def main(what: str, where: str, said: str) -> None:
    """Print seconds of the clock and of CPU, and the most memory held."""
    shape = Shape(**json.loads(said))
    study, binding = study_of(shape), Binding({MAIN: "stays", "patients": "patients"})
    if where.startswith("spark:"):
        use_packages(in_java=_JAVA)
    _load_libraries()
    with connected(where) as backend:
        if backend.name == "pyspark":
            backend._session.range(1_000).groupBy("id").count().collect()
        server = _server(backend)
        before, began = _cpu(server), time.perf_counter()
        if what == "least":
            _least(backend)
        else:
            count(study, database_of(backend), binding)
        wall, cpu = time.perf_counter() - began, _cpu(server) - before
        peak = peak_bytes() + sum(peak_bytes(process) for process in _java(backend))
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak}))


def _least(backend: Any) -> None:
    if backend.name == "pyspark":
        backend._session.sql(_LEAST).collect()
    else:
        backend.raw_sql(_LEAST).fetchall()


def _load_libraries() -> None:
    """What is loaded once, however many rows there are, is not measured."""
    small = Shape(10, "number", 1, 10, 1)
    row = {"pid": [1], "ward": ["ward 1"], "stay": [1], "seen": ["2020-01-01"], "ill": [True]}
    with in_duckdb(pa.table(row)) as backend:
        count(study_of(small), database_of(backend), Binding({MAIN: "stays"}))


def _java(backend: Any) -> list[str]:
    """The number of Spark's process, which is a child of this one."""
    if backend.name != "pyspark":
        return []
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def _server(backend: Any) -> list[tuple[str, int]]:
    """The processes that compute for a connection, and where their ticks are among its figures."""
    if backend.name != "postgres":
        return [(process, _OWN) for process in _java(backend)]
    with backend.raw_sql("SELECT pg_backend_pid()") as cursor:
        own = str(cursor.fetchone()[0])
    # Parallel workers are children of the one that started this process, and are counted there.
    return [(own, _OWN), (_stat(own)[1], _CHILDREN)]


def _stat(process: str) -> list[str]:
    return Path("/proc", process, "stat").read_text().rpartition(") ")[2].split()


def _cpu(server: list[tuple[str, int]]) -> float:
    ticks = sum(sum(map(int, _stat(process)[at : at + 2])) for process, at in server)
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(*sys.argv[1:])
