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
from dpdesk.engine.database import Database
from dpdesk.engine.runner import Binding, count
from dpdesk.study.model.tables import MAIN
from tests.bench.database.study import Shape, study_of
from tests.bench.size.clock import peak_bytes
from tests.engine.counted import in_duckdb

_LEAST = "SELECT count(*), sum(n) FROM (SELECT pid, count(*) AS n FROM stays GROUP BY pid) s"


def main(what: str, where: str, said: str) -> None:
    """Print seconds of the clock and of CPU, and the most memory held."""
    shape = Shape(**json.loads(said))
    study, binding = study_of(shape), Binding({MAIN: "stays", "patients": "patients"})
    _load_libraries()
    with connected(where) as backend:
        server = _server(backend)
        before, began = _cpu(server), time.perf_counter()
        if what == "least":
            backend.raw_sql(_LEAST).fetchall()
        else:
            count(study, Database(backend), binding)
        wall, cpu = time.perf_counter() - began, _cpu(server) - before
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak_bytes()}))


def _load_libraries() -> None:
    """What is loaded once, however many rows there are, is not measured."""
    small = Shape(10, "number", 1, 10, 1)
    row = {"pid": [1], "ward": ["ward 1"], "stay": [1], "seen": ["2020-01-01"], "ill": [True]}
    with in_duckdb(pa.table(row)) as backend:
        count(study_of(small), Database(backend), Binding({MAIN: "stays"}))


def _server(backend: Any) -> list[str]:
    """The numbers of the processes that compute for a server's connection."""
    if backend.name != "postgres":
        return []
    with backend.raw_sql("SELECT pg_backend_pid()") as cursor:
        own = str(cursor.fetchone()[0])
    # Parallel workers are children of the one that started this process, and are counted there.
    return [own, _stat(own)[1]]


def _stat(process: str) -> list[str]:
    return Path("/proc", process, "stat").read_text().rpartition(") ")[2].split()


def _cpu(server: list[str]) -> float:
    own = time.process_time()
    if not server:
        return own
    ticks = os.sysconf("SC_CLK_TCK")
    backend, parent = (_stat(one) for one in server)
    return own + (int(backend[11]) + int(backend[12]) + int(parent[13]) + int(parent[14])) / ticks


if __name__ == "__main__":
    main(*sys.argv[1:])
