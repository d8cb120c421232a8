# SPDX-License-Identifier: Apache-2.0
"""One connection to a database: temporary tables go in, grouped integers come out.

Everything is an expression of ibis, which writes the engine's own SQL. A temporary table is made
once and is then what it is: no random call is ever evaluated twice.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import ibis
import ibis.expr.operations as ops
import ibis.expr.types as ir
import pyarrow as pa

from dpdesk.study.problem import refuse

Say = Callable[[str], None]

_COPIED_ROWS = 1 << 16
_TEMPORARY = "pg_temp"
"""The schema of a session's own tables in PostgreSQL."""

POSTGRES_SETTINGS = ("SET cursor_tuple_fraction = 1", "SET datestyle = 'ISO, YMD'")
"""Of the session: all rows of an answer are fetched; days are written as files have them."""


@ibis.udf.scalar.builtin(name="encode", signature=(("string",), "binary"))
def _duckdb_bytes(text):  # type: ignore[no-untyped-def]
    """The bytes of a text, in DuckDB."""


@ibis.udf.scalar.builtin(name="convert_to", signature=(("string", "string"), "binary"))
def _postgres_bytes(text, encoding):  # type: ignore[no-untyped-def]
    """The bytes of a text, in PostgreSQL."""


@ibis.udf.scalar.builtin(name="text", signature=(("string",), "string"))
def _postgres_text(text):  # type: ignore[no-untyped-def]
    """A text of whatever kind, such as one of an enumeration, in PostgreSQL."""


_BYTES: dict[str, Callable[[ir.Value], ir.Value]] = {
    "duckdb": _duckdb_bytes,
    "postgres": lambda text: _postgres_bytes(_postgres_text(text), "UTF8"),
    "pyspark": lambda text: text.cast("binary"),
}


class Database:
    """A database that rows are counted in.

    Attributes:
        name: the engine and its version, such as ``duckdb 1.4.1``.
        is_embedded: whether it runs in this process: nobody changes a table while it is read, and
            rows come at the speed of memory.
    """

    def __init__(self, backend: Any) -> None:
        """Take over a connection of ibis."""
        self._backend = backend
        self._made: list[str] = []
        self.name = f"{backend.name} {backend.version}"[:80]
        self.is_embedded = backend.name == "duckdb"

    def source(self, name: str) -> ir.Table:
        """A table that is there.

        Raises:
            Refused: ``engine-table-missing`` (param name).
        """
        schema, _, table = name.rpartition(".")
        found: ir.Table | None
        try:
            found = self._backend.table(table, database=schema or None)
        except Exception:  # noqa: BLE001 - each driver has errors of its own
            found = None
        if found is None:
            raise refuse("engine-table-missing", name=name)
        return found

    def comparable(self, values: ir.Value) -> ir.Value:
        """Values of which two are equal only where they are the same, and which all can be fetched.

        Whole numbers, floating point numbers and truth values are, and an embedded engine's days
        and moments, which come as they are in memory. Of everything else it is the bytes of its
        text: a column of texts may be declared to fold case or accents, or to pad with blanks;
        days of a server may be infinite, and decimal numbers no numbers.
        """
        kind = values.type()
        if kind.is_integer() or kind.is_floating() or kind.is_boolean():
            return values
        if self.is_embedded and (kind.is_date() or (kind.is_timestamp() and kind.timezone is None)):
            return values
        return _BYTES[self._backend.name](values if kind.is_string() else values.cast("string"))

    def make(self, name: str, rows: ir.Table) -> ir.Table:
        """Make a temporary table of some rows, once."""
        self._made.append(name)
        made: ir.Table = self._backend.create_table(name, rows, temp=True)
        return made

    def upload(self, name: str, rows: pa.Table) -> ir.Table:
        """Put rows of our own into a temporary table."""
        self._made.append(name)
        made: ir.Table = self._backend.create_table(name, rows, temp=True)
        return made

    def fetch(self, rows: ir.Table) -> pa.Table:
        """Rows of an expression."""
        fetched: pa.Table = rows.to_pyarrow()
        return fetched

    def drop(self, table: ir.Table) -> None:
        """Drop a temporary table that nobody asks again."""
        name = table.op().name
        self._drop(name)
        self._made.remove(name)

    def clean(self) -> None:
        """Drop every temporary table that was made here."""
        for name in reversed(self._made):
            with suppress(Exception):
                self._drop(name)
        self._made.clear()

    def _drop(self, name: str) -> None:
        self._backend.drop_table(name, force=True)

    def _sql(self, rows: ir.Table) -> str:
        return str(ibis.to_sql(rows, dialect=self._backend.name))


class PostgresDatabase(Database):
    """PostgreSQL as a database that rows are counted in."""

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self._run(*POSTGRES_SETTINGS)

    def make(self, name: str, rows: ir.Table) -> ir.Table:
        self._made.append(name)
        # Ibis would insert into an empty table, row by row. Nothing is analysed: a server keeps
        # its statistics, which quote cells, in its catalogue and its write-ahead log.
        self._run(f"CREATE TEMPORARY TABLE {name} AS {self._sql(rows)}")
        return self._temporary(name)

    def upload(self, name: str, rows: pa.Table) -> ir.Table:
        self._made.append(name)
        # Ibis would keep a second copy, and names it itself.
        schema = ibis.Schema.from_pyarrow(rows.schema)
        self._backend.create_table(name, schema=schema, temp=True)
        made = self._temporary(name)
        with self._backend.con.cursor() as cursor:
            cursor.execute(self._sql(made.limit(0)))
            types = [column.type_code for column in cursor.description]
            # Of a row of text that it was stopped at, the server's log would hold the cells.
            with cursor.copy(f"COPY {_TEMPORARY}.{name} FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(types)
                for batch in rows.to_batches(_COPIED_ROWS):
                    for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                        copy.write_row(row)
        self._backend.con.commit()
        return made

    def _temporary(self, name: str) -> ir.Table:
        """The session's own table, whatever permanent one has the same name."""
        schema = self._backend.get_schema(name, database=self._backend._session_temp_db)
        place = ops.Namespace(database=_TEMPORARY)
        return ops.DatabaseTable(name, schema, self._backend, place).to_expr()

    def _drop(self, name: str) -> None:
        self._run(f"DROP TABLE IF EXISTS {_TEMPORARY}.{name}")

    def _run(self, *statements: str) -> None:
        with self._backend.con.cursor() as cursor, self._backend.con.transaction():
            for one in statements:
                cursor.execute(one)
        self._backend.con.commit()


class ListedStatements(Database):
    """Statements that are said and not run: of the database no more than its columns is read.

    What the runner uploads depends on what it fetches, so its rows are left out.
    """

    def __init__(self, backend: Any, say: Say) -> None:
        super().__init__(backend)
        self._list = say
        is_postgres = backend.name == "postgres"
        self._schema = _TEMPORARY if is_postgres else None
        for setting in POSTGRES_SETTINGS if is_postgres else ():
            self._list(f"{setting};\n")

    def make(self, name: str, rows: ir.Table) -> ir.Table:
        self._list(f"CREATE TEMPORARY TABLE {name} AS\n{self._sql(rows)};\n")
        return ibis.table(rows.schema(), name=name, database=self._schema)

    def upload(self, name: str, rows: pa.Table) -> ir.Table:
        columns = ", ".join(rows.column_names)
        self._list(f"-- The runner uploads {name} ({columns}).\n")
        schema = ibis.Schema.from_pyarrow(rows.schema)
        return ibis.table(schema, name=name, database=self._schema)

    def fetch(self, rows: ir.Table) -> pa.Table:
        self._list(f"{self._sql(rows)};\n")
        return rows.schema().to_pyarrow().empty_table()

    def drop(self, table: ir.Table) -> None:
        self._list(f"DROP TABLE {table.op().name};\n")
