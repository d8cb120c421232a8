# SPDX-License-Identifier: Apache-2.0
"""Spark: tables that are Parquet files in a folder, and what is made of them.

Spark has no temporary tables, and makes a view's rows again each time somebody asks. So all that is
made is a checkpoint under a view's name: rows, and no longer how they came about. Where a part of
them is lost the run stops, and no random number is drawn again. What does not fit into memory is
on a disk encrypted, with a key of this session.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from dpdesk.engine.database import Database, PostgresDatabase

SETTINGS: Final = {
    "spark.app.name": "dpdesk-engine",
    "spark.io.encryption.enabled": "true",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.eventLog.enabled": "false",
    # What stops a task may quote a cell.
    "spark.log.level": "OFF",
    # A crash of Java's would write down what its memory holds.
    "spark.driver.extraJavaOptions": "-XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null",
}
"""What is set whatever a computer's own configuration of Spark says; the rest is up to that."""


def connect_spark(folder: str) -> Any:
    """A session of Spark in which each Parquet file or folder is a table by its name's stem.

    Raises:
        Exception: of Spark's, or of Python's where Spark is not installed.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    for path in sorted(Path(folder).resolve(strict=True).glob("*.parquet")):
        session.read.parquet(str(path)).createOrReplaceTempView(f"`{path.stem}`")
    return ibis.pyspark.connect(session)


def database_of(backend: Any) -> Database:
    """The database behind a connection of ibis."""
    kinds = {"pyspark": SparkDatabase, "postgres": PostgresDatabase}
    return kinds.get(backend.name, Database)(backend)


class SparkDatabase(Database):
    """Spark as a database that rows are counted in."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self.name = f"spark {backend.version}"[:80]
        self._session = backend._session

    def _made_of(self, name: str, rows: ir.Table) -> ir.Table:
        return self._checkpointed(name, self._session.sql(self._sql(rows)))

    def upload(self, name: str, rows: pa.Table) -> ir.Table:
        self._made.append(name)
        return self._checkpointed(name, self._session.createDataFrame(rows))

    def fetch(self, rows: ir.Table) -> pa.Table:
        fetched: pa.Table = self._session.sql(self._sql(rows)).toArrow()
        return fetched

    def _checkpointed(self, name: str, frame: Any) -> ir.Table:
        frame.localCheckpoint(eager=True).createOrReplaceTempView(name)
        made: ir.Table = self._backend.table(name)
        return made

    def _drop(self, name: str) -> None:
        self._session.catalog.dropTempView(name)
