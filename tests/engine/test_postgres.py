# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL counts what the encoder makes of the same table, whatever types its columns have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pytest

from dpdesk.engine import cli
from dpdesk.engine.connect import connected
from dpdesk.engine.runner import Binding, count
from dpdesk.engine.spark import database_of
from dpdesk.study.model.tables import MAIN
from tests.audit.databases import one_row_each
from tests.engine.counted import (
    TABLE,
    are_of_the_same_rows,
    counted_of_file,
    differences,
    four_rows_each,
    in_passes_of,
    order_arguments,
)
from tests.engine.hostile import STUDY, declared, hostile
from tests.engine.postgres import postgres_server
from tests.engine.test_same_as_a_file import golden, with_all_rows
from tests.shell.hospital import Hospital

TWO_TABLES = {
    **STUDY,
    "tables": [
        {"name": "patients", "data": {"path": "patients.parquet", "format": "parquet"},
         "person": "pid", "rows": "one-per-person"}
    ],
    "columns": [
        STUDY["columns"][0],
        {"name": "sex", "table": "patients", "kind": "category", "values": ["f", "m"],
         "basis": "codebook"},
    ],
    "queries": [{"id": "wards", "statistic": "count", "by": ["ward", "sex"], "epsilon": 1}],
}  # fmt: skip
BOTH = Binding({MAIN: TABLE, "patients": "patients"})


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with postgres_server() as variables:
        yield variables


@pytest.fixture
def postgres(server: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of the one server."""
    for name, value in server.items():
        monkeypatch.setenv(name, value)


@contextmanager
def table_of(*statements: str, rows: pa.Table | None = None) -> Iterator[Any]:
    """A table of this name, of some rows or by statements."""
    with connected("postgres") as backend:
        backend.raw_sql(f"DROP TABLE IF EXISTS {TABLE}").close()
        if rows is not None:
            backend.create_table(TABLE, rows)
        for statement in statements:
            backend.raw_sql(statement).close()
        yield backend


@pytest.mark.parametrize(
    "name", ["epsilon-add-remove", "rho-add-remove", "epsilon-rows-per-person", "epsilon-rates"]
)
@pytest.mark.in_turn(2)
def test_every_statistic_is_counted_as_of_a_file(name: str, postgres: None, tmp_path: Path) -> None:
    study, table = golden(name)
    study = with_all_rows(study)
    with table_of(rows=table) as backend:
        own = count(study, database_of(backend), Binding({MAIN: TABLE}))
        assert not [name for name in backend.list_tables() if name.startswith("dpdesk")]
        with connected("postgres") as other:
            assert other.list_tables() == [TABLE]
    assert differences(own, counted_of_file(study, table, tmp_path)) == []


def test_all_answers_of_a_run_are_of_the_same_rows(postgres: None) -> None:
    with table_of(rows=four_rows_each()) as backend:
        counts = count(one_row_each(), database_of(backend), Binding({MAIN: TABLE}))
    assert are_of_the_same_rows(counts)


def test_all_tables_of_a_run_are_of_one_moment(postgres: None) -> None:
    """Others change rows between two statements, and cannot empty a table at all."""
    lives = declared(TWO_TABLES)
    patients = pa.table({"pid": [1, 2, 3], "sex": ["f", "m", "f"]})
    stays = pa.table({"pid": [1, 1, 2, 3], "ward": ["a", "a", "a", "x"]})
    with table_of("DROP TABLE IF EXISTS patients", rows=stays) as backend:
        backend.create_table("patients", patients)
        before = count(lives, database_of(backend), BOTH)
        with connected("postgres") as other:
            meanwhile = _Meanwhile(other)
            backend.con.cursor_factory = meanwhile.cursor
            assert differences(count(lives, database_of(backend), BOTH), before) == []
        assert meanwhile.is_done and differences(count(lives, database_of(backend), BOTH), before)
        backend.con.cursor_factory = psycopg.Cursor
        # A user who may read the declared columns and no more cannot lock their table.
        for statement in (
            "CREATE ROLE reader",
            f"GRANT SELECT (pid, ward) ON {TABLE} TO reader",
            "GRANT SELECT (pid, sex) ON patients TO reader",
            "SET ROLE reader",
        ):
            backend.raw_sql(statement).close()
        assert count(lives, database_of(backend), BOTH).people == 2
        for statement in ("RESET ROLE", "DROP TABLE patients", "DROP OWNED BY reader"):
            backend.raw_sql(statement).close()
        backend.raw_sql("DROP ROLE reader").close()


class _Meanwhile:
    """What another session does once the first of the runner's tables was read."""

    def __init__(self, other: Any) -> None:
        self.is_done = False
        outer = self

        class Cursor(psycopg.Cursor[Any]):
            def execute(self, query: Any, *given: Any, **named: Any) -> Any:
                done = super().execute(query, *given, **named)
                if "CREATE TEMPORARY TABLE dpdesk_read" in str(query) and not outer.is_done:
                    outer.is_done = True
                    for table in ("patients", TABLE):
                        other.raw_sql(f"DELETE FROM {table} WHERE pid = 1").close()
                        with pytest.raises(psycopg.errors.LockNotAvailable):
                            other.raw_sql(f"SET lock_timeout = 1; TRUNCATE {table}")
                return done

        self.cursor = Cursor


def test_a_servers_own_habits_change_nothing_and_nothing_of_its_own_is_dropped(
    postgres: None, tmp_path: Path
) -> None:
    """How it writes days, and a permanent table that is called as one of the runner's."""
    table = pa.table({"pid": [1, 2], "seen": [date(2024, 5, 1), None], "ward": ["a", "a"]})
    columns = [one for one in STUDY["columns"] if one["name"] in ("ward", "seen")]
    asked = [one for one in STUDY["queries"] if one["id"] == "months"]
    study = declared({**STUDY, "columns": columns, "queries": asked})
    own = ("CREATE TABLE dpdesk_read0 (v0 text)", "INSERT INTO dpdesk_read0 VALUES ('kept')")
    german = "ALTER DATABASE postgres SET datestyle = 'German'"
    try:
        with table_of(*own, german, rows=table):
            pass
        with connected("postgres") as backend:
            counts = count(study, database_of(backend), Binding({MAIN: TABLE}))
            backend.raw_sql(f"ALTER TABLE {TABLE} RENAME TO moved").close()
            # The first statement stops, so that there is nothing to be dropped.
            stops = "SELECT 1 / (pid - 1) AS pid, seen, ward FROM moved"
            backend.raw_sql(f"CREATE VIEW {TABLE} AS {stops}").close()
            with pytest.raises(Exception, match="division"):
                count(study, database_of(backend), Binding({MAIN: TABLE}))
            assert "dpdesk_read0" in backend.list_tables()
            backend.raw_sql("DROP TABLE moved, dpdesk_read0 CASCADE").close()
    finally:
        with connected("postgres") as backend:
            backend.raw_sql("ALTER DATABASE postgres RESET datestyle").close()
    assert differences(counts, counted_of_file(study, table, tmp_path)) == []


@pytest.mark.parametrize("without", ["drop", "one-person"])
@pytest.mark.parametrize("rows_a_pass", [None, 40])
@pytest.mark.in_turn(2)
def test_values_that_engines_fold_are_counted_as_of_a_file(
    rows_a_pass: int | None,
    without: str,
    postgres: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if rows_a_pass:
        in_passes_of(rows_a_pass, monkeypatch)
    study = declared({**STUDY, "unit": STUDY["unit"] | {"without_id": without}})
    folding = (
        "CREATE COLLATION IF NOT EXISTS folding "
        "(provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
    )
    folds = [
        f"ALTER TABLE {TABLE} ALTER {name} TYPE text COLLATE folding" for name in ("ward", "pid")
    ]
    with table_of(folding, *folds, rows=hostile()) as backend:
        own = count(study, database_of(backend), Binding({MAIN: TABLE}))
    assert differences(own, counted_of_file(study, hostile(), tmp_path)) == []


ENUM = "DROP TYPE IF EXISTS letter CASCADE; CREATE TYPE letter AS ENUM ('a', 'x')"


@pytest.mark.parametrize(
    ("column", "kind", "own", "same"),
    [
        ("seen", "date", ["2024-05-01", "infinity", "-infinity", None, "0044-03-15 BC"],
         pa.array([date(2024, 5, 1), None, None, None, None])),
        ("seen", "timestamptz", ["2024-05-01 23:30:00-05", "infinity", None],
         pa.array([datetime(2024, 5, 2, 4, 30), None, None])),
        ("stay", "numeric", ["0.75", "NaN", None, "1e100", "1.2499999999999999999999999999999"],
         pa.array(["0.75", "x", None, "1" + 100 * "0", "1.2499999999999999999999999999999"])),
        ("stay", "float8", ["0.75", "NaN", None, "infinity", "-0"],
         pa.array([0.75, float("nan"), None, float("inf"), -0.0])),
        ("stay", "interval", ["1 day", None], pa.array(["1 day", None])),
        ("ward", "char(5)", ["a", "ä", None], pa.array(["a", "ä", None])),
        ("ward", "letter", ["a", "x", None], pa.array(["a", "x", None])),
        ("ward", "text[]", ["{a}", None], pa.array(["{a}", None])),
        ("ill", "boolean", ["true", "false", None], pa.array([True, False, None])),
    ],
)  # fmt: skip
@pytest.mark.in_turn(2)
def test_a_column_of_any_type_is_counted_as_of_a_file(
    postgres: None, tmp_path: Path, column: str, kind: str, own: list[str | None], same: pa.Array
) -> None:
    asked = {"seen": ["months"], "stay": ["mean", "median"], "ward": ["people"], "ill": ["ills"]}
    queries = [*STUDY["queries"], {"id": "ills", "statistic": "count", "by": ["ill"], "epsilon": 1}]
    used = {"ward", column}
    study = declared(
        {
            **STUDY,
            "columns": [one for one in STUDY["columns"] if one["name"] in used],
            "queries": [one for one in queries if one["id"] in asked[column]],
        }
    )
    others = "" if column == "ward" else ", ward text"
    values = ", ".join(
        f"({place}, {'NULL' if one is None else repr(one)}{', NULL' if others else ''})"
        for place, one in enumerate(own)
    )
    created = f"CREATE TABLE {TABLE} (pid int, {column} {kind}{others})"
    with table_of(ENUM, created, f"INSERT INTO {TABLE} VALUES {values}") as backend:
        counts = count(study, database_of(backend), Binding({MAIN: TABLE}))
    table = pa.table({"pid": pa.array(range(len(same))), column: same})
    if others:
        table = table.append_column("ward", pa.nulls(len(same), pa.string()))
    assert differences(counts, counted_of_file(study, table, tmp_path)) == []


def test_an_order_is_carried_out_and_released(postgres: None, hospital: Hospital) -> None:
    rows = [line.split(",") for line in hospital.data.read_text().splitlines()[1:]]
    columns = dict(zip(("pid", "ward", "stay"), map(list, zip(*rows, strict=True)), strict=True))
    hospital.data.unlink()
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    with table_of(rows=pa.table(columns)):
        assert cli.main(["run", *order, "--on", "postgres"]) == 0
    asked = ("--counts", hospital.folder / "small.sealed", "--out", hospital.bundle)
    done = hospital.run("release", hospital.study, *asked)
    assert done.status == 0 and "postgres" in done.err
    assert "Complete: yes" in hospital.run("verify", hospital.bundle).out


def test_a_server_that_is_not_there_is_one_sentence(
    server: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    hospital: Hospital,
) -> None:  # fmt: skip
    monkeypatch.setenv("PGHOST", "/no/such/folder")
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    assert cli.main(["run", *order, "--on", "postgres:postgres"]) == 2
    said = capsys.readouterr().err
    assert "postgres cannot be reached" in said and said.count("\n") == 1
