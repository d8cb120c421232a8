# SPDX-License-Identifier: Apache-2.0
"""Values that nothing may repeat: not what a run says, leaves on a disk, or shows of itself.

The administrator of a server may have everything logged that it can log; what is searched is what
the run adds to what the server holds anyway. A count, a sum and a text that only one person has are
in the sealed file, which is opened in the end: they were counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import ibis
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from dpdesk.engine import cli
from dpdesk.engine.connect import connected
from dpdesk.engine.database import Database
from dpdesk.engine.spark import database_of
from dpdesk.privacy import compiler
from dpdesk.release.run.drawing import draw_query
from dpdesk.release.sealing.order_file import CountingOrder, write_order
from dpdesk.release.sealing.sealed_counts import open_counts
from dpdesk.study.problem import Refused
from tests.doors import Call, RecordingDoor
from tests.engine.counted import order_arguments
from tests.engine.hostile import STUDY, declared
from tests.engine.postgres import postgres_server
from tests.engine.spark import spark_variables
from tests.engine.watched import ROOT, WatchedRun, watched

CANARY = "canary-7261-patient"
OWN, OTHERS = 4_177, 20_000
"""Rows of the one person, of whom a count tells; and of everybody else, so that sorts spill."""
STAY = 726_154.5
NEVER = (CANARY, str(OWN), str(STAY), str(OWN + OTHERS))
KEY = X25519PrivateKey.generate()

ASKED = declared(
    {
        **STUDY,
        "budget": {"account": "a", "rho": 10},
        "columns": [
            STUDY["columns"][0],
            {"name": "stay", "kind": "number", "lower": 0, "upper": 1_000_000, "step": 0.5},
        ],
        "queries": [
            {"id": "wards", "statistic": "count", "by": ["ward"], "rho": 1},
            {"id": "sum", "statistic": "sum", "column": "stay", "by": ["ward"], "rho": 1},
            {"id": "found", "statistic": "categories-found", "column": "ward", "rho": 1,
             "delta": 1e-9},
        ],
    }
)  # fmt: skip


def rows() -> pa.Table:
    """One person with rows and values of their own, and many with one row each."""
    ids = [CANARY] * OWN + [f"p{number}" for number in range(OTHERS)]
    wards = [CANARY] * OWN + ["a"] * OTHERS
    return pa.table({"pid": ids, "ward": wards, "stay": [STAY] * OWN + [1.0] * OTHERS})


@pytest.fixture
def order(tmp_path: Path) -> CountingOrder:
    """An order of today, in the folder of the run."""
    now = datetime.now(UTC)
    public = KEY.public_key().public_bytes_raw()
    made = write_order(ASKED, 32 * "0", public, f"{now:%Y-%m-%dT%H:%MZ}", now.date() + timedelta(9))
    (tmp_path / "o.order.json").write_bytes(made.raw)
    return made


def counted(folder: Path, order: CountingOrder) -> dict[str, Call]:
    """What was sealed, by the name of each draw."""
    plan, door = compiler.compile(order.study), RecordingDoor()
    sealed = (folder / "o.sealed").read_bytes()
    opened = open_counts(sealed, order, KEY.private_bytes_raw(), plan, None)
    for query in plan.queries:
        draw_query(order.study, query, opened, door)
    return {call.name: call for call in door.calls}


def assert_says_nothing(run: WatchedRun, order: CountingOrder, folder: Path) -> None:
    """The run was carried out, and nothing in clear is in what it said and left."""
    assert run.status == 0, run.said
    assert "Max core file size 1 1" in " ".join(run.limits.split())
    assert [path.name for path in run.left] == ["o.sealed"]
    found = b"\0".join([run.said, order.raw, *run.left.values(), *run.processes])
    assert [word for word in NEVER if word.encode() in found] == []
    calls = counted(folder, order)
    assert CANARY in calls["found.people"].texts and OWN in calls["wards.rows"].exact


def test_a_run_on_duckdb_repeats_nothing(order: CountingOrder, tmp_path: Path) -> None:
    database = tmp_path / "d.duckdb"
    backend = ibis.duckdb.connect(str(database))
    backend.create_table("stays", rows())
    backend.disconnect()
    arguments = [*order_arguments(tmp_path / "o.order.json"), "--on", f"duckdb:{database}"]
    assert_says_nothing(watched(arguments, tmp_path, {}), order, tmp_path)


def test_a_run_on_duckdb_without_memory_writes_nothing(
    order: CountingOrder, tmp_path: Path
) -> None:
    """What does not fit into memory is not put on a disk instead."""
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE stays AS SELECT range || ? AS pid, range || ? AS ward, range AS stay"
            " FROM range(300000)",
            [CANARY, CANARY],
        )
    before = set(tmp_path.rglob("*"))
    with connected(f"duckdb:{tmp_path / 'd.duckdb'}") as backend:
        backend.raw_sql("SET memory_limit = '16MB'")
        with pytest.raises(Refused) as refused:
            cli._counted(order, database_of(backend), cli.Binding())
        assert set(tmp_path.rglob("*")) == before
    (problem,) = refused.value.problems
    assert problem.code == "engine-failed" and CANARY not in str(refused.value)
    assert refused.value.__context__ is None and refused.value.__cause__ is None


@pytest.mark.in_turn(2)
def test_a_run_on_spark_repeats_nothing(order: CountingOrder, tmp_path: Path) -> None:
    packages, variables = spark_variables()
    (tmp_path / "lake").mkdir()
    pq.write_table(rows(), tmp_path / "lake" / "stays.parquet")
    variables["SPARK_LOCAL_DIRS"] = str(tmp_path / "TMPDIR")
    variables["PYTHONPATH"] = f"{ROOT}:{packages}"
    arguments = [*order_arguments(tmp_path / "o.order.json"), "--on", f"spark:{tmp_path / 'lake'}"]
    assert_says_nothing(watched(arguments, tmp_path, variables), order, tmp_path)


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    """A server that logs all it can, and has so little memory that it sorts on its disk."""
    logs = {"log_statement": "all", "log_min_duration_statement": "0", "log_temp_files": "0"}
    logs |= {"log_parameter_max_length_on_error": "-1", "log_error_verbosity": "verbose"}
    memory = {"work_mem": "64kB", "temp_buffers": "800kB", "autovacuum": "off"}
    with postgres_server(**logs, **memory) as variables:
        yield variables


def _filled(variables: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with connected("postgres") as backend:
        backend.raw_sql("DROP TABLE IF EXISTS stays").close()
        database_of(backend).upload("given", rows())
        backend.raw_sql("CREATE TABLE stays AS SELECT * FROM given").close()


def test_a_run_on_postgresql_repeats_nothing(
    order: CountingOrder,
    tmp_path: Path,
    server: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _filled(server, monkeypatch)
    place = Path(server["PGHOST"])
    with psycopg.connect(autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        begin = _at(connection, "SELECT pg_current_wal_lsn()")
        table = place / "data" / str(_at(connection, "SELECT pg_relation_filepath('stays')"))
        logged = (place / "log").stat().st_size
        arguments = [*order_arguments(tmp_path / "o.order.json"), "--on", "postgres"]
        run = watched(arguments, tmp_path, server)
        ends = "SELECT pg_current_wal_lsn() - %s::pg_lsn"
        assert _at(connection, ends, begin) < 1 << 20
        at, offset = connection.execute(
            "SELECT * FROM pg_walfile_name_offset(%s::pg_lsn)", [begin]
        ).fetchone()  # type: ignore[misc]
    assert_says_nothing(run, order, tmp_path)
    log = (place / "log").read_bytes()[logged:]
    assert b"CREATE TEMPORARY TABLE" in log and b"temporary file: path" in log
    written = {path: path.read_bytes() for path in (place / "data").rglob("*") if path.is_file()}
    assert [path for path in written if path.parent.name == "pgsql_tmp"] == []
    assert [path for path in written if path.name.startswith("t") and "base" in path.parts] == []
    begun = next(path for path in written if path.name == at)
    own = {path: raw for path, raw in written.items() if path.parent != begun.parent}
    own |= {begun: written[begun][offset:], place / "log": log}
    del own[table]
    for path, raw in own.items():
        assert CANARY.encode() not in raw, path
    assert [word for word in NEVER if word.encode() in log] == []


def _at(connection: psycopg.Connection[Any], statement: str, *given: object) -> Any:
    found = connection.execute(statement, given).fetchone()
    assert found is not None
    return found[0]


def test_a_server_that_stops_an_upload_logs_nothing_of_it(
    server: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _filled(server, monkeypatch)
    log = Path(server["PGHOST"], "log")
    logged = log.stat().st_size
    secret = pa.table(
        {"v0": [f"{CANARY} {n}".encode() for n in range(200_000)], "c0": [OWN] * 200_000}
    )
    with connected("postgres") as backend:
        backend.raw_sql("SET statement_timeout = 60").close()
        backend.con.commit()
        with pytest.raises(psycopg.errors.QueryCanceled):
            database_of(backend).upload("secret", secret)
    said = log.read_bytes()[logged:]
    assert b"CONTEXT:  COPY secret" in said
    assert CANARY.encode() not in said and CANARY.encode().hex().encode() not in said


def test_a_run_that_is_stopped_says_so_and_nothing_else(
    order: CountingOrder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    backend = ibis.duckdb.connect(str(tmp_path / "d.duckdb"))
    backend.create_table("stays", rows())
    backend.disconnect()

    def fetch(_self: Database, _rows: object) -> None:
        raise KeyboardInterrupt(CANARY)

    monkeypatch.setattr(Database, "fetch", fetch)
    given = [*order_arguments(tmp_path / "o.order.json"), "--on", f"duckdb:{tmp_path / 'd.duckdb'}"]
    assert cli.main(["run", *given]) == 2
    assert capsys.readouterr() == ("", "Stopped.\n")
