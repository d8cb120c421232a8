# SPDX-License-Identifier: Apache-2.0
"""How to reach a database: ``duckdb:FILE``, ``postgres:`` or ``spark:FOLDER``.

Who may log in, and how, is the driver's own matter: PostgreSQL's variables (``PGHOST``, ``PGUSER``
and so on), its password file and its service file. No password is taken from the command line, and
none is written anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ibis

from dpdesk.engine.spark import connect_spark
from dpdesk.study.problem import refuse

ENGINES = ("duckdb", "postgres", "spark")


@contextmanager
def connected(where: str) -> Iterator[Any]:
    """A connection of ibis, closed in the end.

    Raises:
        Refused: ``engine-unknown`` (params name, known); ``engine-unreachable`` (params name,
            words), with the driver's own words.
    """
    name, _, rest = where.partition(":")
    if name not in ENGINES:
        raise refuse("engine-unknown", name=name, known=", ".join(ENGINES))
    backend = _connect(name, rest)
    try:
        yield backend
    finally:
        backend.disconnect()


def _connect(name: str, rest: str) -> Any:
    try:
        if name == "duckdb":
            return _duckdb(rest)
        if name == "spark":
            return connect_spark(rest)
        return ibis.postgres.connect(**_from_environment(rest))
    except Exception as error:  # noqa: BLE001 - each driver has errors of its own
        words = " ".join(str(error).split())[:200]
    raise refuse("engine-unreachable", name=name, words=words)


def _duckdb(path: str) -> Any:
    """A file of DuckDB, opened to read; what is made is in memory, and on no disk."""
    # Temporary tables of a database that is read only are kept in memory by DuckDB.
    return ibis.duckdb.connect(path, read_only=True, temp_directory="")


def _from_environment(database: str) -> dict[str, Any]:
    names = {"PGHOST": "host", "PGPORT": "port", "PGUSER": "user", "PGPASSWORD": "password"}
    given = {own: os.environ[name] for name, own in names.items() if name in os.environ}
    database = database or os.environ.get("PGDATABASE", "")
    return {**given, **({"database": database} if database else {})}
