# SPDX-License-Identifier: Apache-2.0
"""One connection to a database: temporary tables go in, grouped integers come out.

Everything is an expression of ibis, which writes the engine's own SQL. A temporary table is made
once and is then what it is: no random call is ever evaluated twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import ibis
import ibis.expr.operations as ops
import ibis.expr.types as ir
import pyarrow as pa
from sqlglot import exp

from dpdesk.study.problem import refuse

Say = Callable[[str], None]

_COPIED_ROWS = 1 << 16
_SECRET_BYTES, _HASH_DIGITS = 16, 16
_TEMPORARY = "pg_temp"
"""The schema of a session's own tables in PostgreSQL."""

ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
"""All statements of a transaction of PostgreSQL read what was committed before its first one."""

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


@ibis.udf.scalar.builtin(name="left", signature=(("string", "int64"), "string"))
def _spark_left(text, length):  # type: ignore[no-untyped-def]
    """How a text begins, in Spark; ibis would write the text twice, and draw two numbers."""


_BYTES: dict[str, Callable[[ir.Value], ir.Value]] = {
    "duckdb": _duckdb_bytes,
    "postgres": lambda text: _postgres_bytes(_postgres_text(text), "UTF8"),
    "pyspark": lambda text: text.cast("binary"),
}


def _locks(rows: Mapping[str, ir.Table]) -> list[str]:
    """What PostgreSQL is sent before it reads: nobody empties a table or changes its columns.

    Of a table that was emptied by TRUNCATE nothing is seen any more, at whatever moment.
    """
    read = {one for own in rows.values() for one in own.op().find(ops.DatabaseTable)}
    places = {(one.namespace.database, one.name) for one in read}
    names = [
        exp.table_(name, db=schema, quoted=True).sql("postgres")
        for schema, name in places
        if schema != _TEMPORARY
    ]
    return [f"LOCK TABLE {name} IN ACCESS SHARE MODE" for name in sorted(names)]


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

    def random_number(self) -> ir.Value:
        """A number of each row, to be used from the temporary table that it was drawn into.

        From the figures nobody can tell it from a number that is independent of all others:
        PostgreSQL's come from the operating system's generator, as those of rows in files do. Those
        of Spark's own generator are hashed with a secret from there. Of an embedded engine none is
        used to choose among a person's rows.
        """
        if self._backend.name == "postgres":
            return ibis.uuid()
        drawn = ibis.random()
        if self._backend.name != "pyspark":
            return drawn
        secret = ibis.literal(secrets.token_hex(_SECRET_BYTES))
        return _spark_left((secret + drawn.cast("string")).hexdigest("sha256"), _HASH_DIGITS)

    def make(self, name: str, rows: ir.Table) -> ir.Table:
        """Make a temporary table of some rows, once."""
        return self.make_of_one_moment({name: rows})[name]

    def make_of_one_moment(self, rows: Mapping[str, ir.Table]) -> dict[str, ir.Table]:
        """Make temporary tables, of what a server held at one moment of all that is read.

        Spark has no moments: its files are read one after another.
        """
        self._made.extend(rows)
        return {name: self._made_of(name, own) for name, own in rows.items()}

    def _made_of(self, name: str, rows: ir.Table) -> ir.Table:
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

    def make_of_one_moment(self, rows: Mapping[str, ir.Table]) -> dict[str, ir.Table]:
        self._made.extend(rows)
        connection = self._backend.con
        with connection.cursor() as cursor, connection.transaction():
            cursor.execute(ONE_MOMENT)
            for lock in _locks(rows):
                # A login that may read the declared columns alone cannot lock their table.
                with suppress(Exception), connection.transaction():
                    cursor.execute(lock)
            # Ibis would insert into an empty table, row by row. Nothing is analysed: a server
            # keeps its statistics, which quote cells, in its catalogue and write-ahead log.
            for name, own in rows.items():
                cursor.execute(f"CREATE TEMPORARY TABLE {name} AS {self._sql(own)}")
        return {name: self._temporary(name) for name in rows}

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

    def make_of_one_moment(self, rows: Mapping[str, ir.Table]) -> dict[str, ir.Table]:
        if self._schema is None:
            return super().make_of_one_moment(rows)
        self._list("".join(f"{one};\n" for one in ("BEGIN", ONE_MOMENT, *_locks(rows))))
        made = super().make_of_one_moment(rows)
        self._list("COMMIT;\n")
        return made

    def _made_of(self, name: str, rows: ir.Table) -> ir.Table:
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
