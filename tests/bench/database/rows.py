# SPDX-License-Identifier: Apache-2.0
"""Made-up rows in a database, made by the database itself, the same ones each time."""

from __future__ import annotations

from pathlib import Path

import duckdb

from dpdesk.engine.connect import connected
from tests.bench.database.study import ROOMS, SEXES, SITES, WARDS

_DAYS = 1_461
_IDS = {"number": "{person}", "text": "'P' || lpad(cast({person} as varchar), 8, '0')"}


def make_duckdb(path: Path, rows: int, ids: str) -> None:
    """Two tables in DuckDB's own storage."""
    people = rows * 3 // 10
    with duckdb.connect(str(path)) as made:
        made.execute("SET preserve_insertion_order = false; SET memory_limit = '3GB'")
        number = "cast(hash(i * 31 + {seed}) % {size} AS integer)"
        made.execute(f"CREATE TABLE stays AS {_stays(number, ids, people)} FROM range({rows}) t(i)")
        made.execute(f"CREATE TABLE patients AS {_patients(ids)} FROM range({people}) t(i)")


def make_parquet(folder: Path, rows: int, ids: str) -> None:
    """The same two tables as files of Parquet, which Spark reads."""
    made = folder / "made.duckdb"
    make_duckdb(made, rows, ids)
    with duckdb.connect(str(made), read_only=True) as tables:
        for name in ("stays", "patients"):
            tables.execute(f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet)")
    made.unlink()


def make_postgres(rows: int, ids: str) -> None:
    """Two tables in PostgreSQL."""
    people = rows * 3 // 10
    number = "cast((hashint8extended(i, {seed}) & 1073741823) % {size} AS integer)"
    with connected("postgres") as made:
        for name, select, count in (
            ("stays", _stays(number, ids, people), rows),
            ("patients", _patients(ids), people),
        ):
            made.raw_sql(f"DROP TABLE IF EXISTS {name}").close()
            source = f"generate_series(0::bigint, {count - 1}) t(i)"
            made.raw_sql(f"CREATE TABLE {name} AS {select} FROM {source}").close()
            made.con.commit()
            made.raw_sql(f"ANALYZE {name}").close()
            made.con.commit()


def _stays(number: str, ids: str, people: int) -> str:
    def below(seed: int, size: int) -> str:
        return number.format(seed=seed, size=size)

    person = f"cast({below(1, people)} AS bigint)"
    texts = (("ward", 2, WARDS), ("site", 3, SITES), ("room", 4, ROOMS))
    columns = [
        f"{_IDS[ids].format(person=person)} AS pid",
        *(f"'{name} ' || cast({below(seed, size)} AS varchar) AS {name}"
          for name, seed, size in texts),
        f"{below(5, 61)} AS stay",
        f"DATE '2020-01-01' + {below(6, _DAYS)} AS seen",
        f"CASE WHEN {below(7, 20)} = 0 THEN NULL ELSE {below(8, 2)} = 1 END AS ill",
    ]  # fmt: skip
    return f"SELECT {', '.join(columns)}"


def _patients(ids: str) -> str:
    person = _IDS[ids].format(person="cast(i AS bigint)")
    return f"SELECT {person} AS pid, 'sex ' || cast(i % {SEXES} AS varchar) AS sex"
