# SPDX-License-Identifier: Apache-2.0
"""The statements of a server in other dialects: compiled and said, and run by nobody yet.

ibis writes them, and three of its habits are changed here, all of them where an engine would else
count something different:

    text as bytes   SQL Server cuts ``CAST(x AS VARBINARY)`` after 30 bytes, and takes bytes that
                    differ in zeros at their end for the same, so a full stop ends each text;
                    Snowflake would read the text as hexadecimal digits
    SUM             of what was cast to 64 bits: that of SQL Server is as wide as its argument
    temporary       SQL Server's temporary tables are made by ``SELECT ... INTO`` and begin with #

Oracle is refused: its bytes (RAW) end after 2,000 of them, where a longer text stops the run; a
BLOB cannot be grouped; and which texts are equal is up to each session (NLS_COMP, NLS_SORT).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa
import sqlglot
from sqlglot import exp

from dpdesk.engine.database import ListedStatements, Say
from dpdesk.engine.meaning import Meaning
from dpdesk.engine.runner import Binding
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class Dialect:
    """What a dialect needs that ibis does not write.

    Attributes:
        sqlglot: its name there.
        as_bytes: the bytes of a text ``x``, of which two are equal only where the texts are.
        check: what to look at before anybody relies on it.
    """

    sqlglot: str
    as_bytes: str
    check: str


DIALECTS: Final = {
    "mssql": Dialect(
        "tsql",
        "CAST(CAST(x AS NVARCHAR(MAX)) + N'.' AS VARBINARY(MAX))",
        "SQL Server 2022 or later is needed, for LEAST. Each text ends in a full stop that is not "
        "its own; CONCAT_NULL_YIELDS_NULL must be ON.",
    ),
    "snowflake": Dialect(
        "snowflake",
        "TO_BINARY(CAST(x AS VARCHAR), 'UTF-8')",
        "Names are quoted: name tables and columns as they are stored, most often in capitals. "
        "A text of more than 8 MB stops the statement.",
    ),
    "bigquery": Dialect(
        "bigquery",
        "CAST(CAST(x AS STRING) AS BYTES)",
        "All statements are for one session, else no temporary table outlives its own.",
    ),
    "databricks": Dialect(
        "databricks",
        "CAST(CAST(x AS STRING) AS BINARY)",
        "Temporary tables need a SQL warehouse or Databricks Runtime 18.1. A temporary view in "
        "their place would draw the random numbers again.",
    ),
}
NO_DIALECTS: Final = ("oracle",)


@dataclass(frozen=True)
class _Unconnected:
    """In place of a connection."""

    name: str
    version: str = "never run"


class CompiledStatements(ListedStatements):
    """Statements in a dialect, of a database that nobody is connected to."""

    def __init__(self, dialect: str, columns: Mapping[str, tuple[str, ...]], say: Say) -> None:
        """Begin with what nobody tried.

        Args:
            columns: the own columns of each table, all of which are taken as texts.

        Raises:
            Refused: ``engine-dialect-refused`` (param name).
        """
        if dialect in NO_DIALECTS:
            raise refuse("engine-dialect-refused", name=dialect)
        self._dialect, self._columns = DIALECTS[dialect], columns
        self._compiler = import_module(f"ibis.backends.sql.compilers.{dialect}").compiler
        super().__init__(_Unconnected(dialect), say)
        self._list(
            f"-- dpdesk was never run with {dialect}: these statements are compiled and no more. "
            "Check that texts\n-- are compared by their bytes, sums have 64 bits, and the random "
            f"number of a row is drawn once.\n-- Nobody may change a table meanwhile: each is read "
            f"in a statement of its own.\n-- All columns are taken as texts. "
            f"{self._dialect.check}\n"
        )

    def source(self, name: str) -> ir.Table:
        schema, _, table = name.rpartition(".")
        columns = dict.fromkeys(self._columns[name], "string")
        return ibis.table(columns, name=table, database=schema or None)

    def comparable(self, values: ir.Value) -> ir.Value:
        return values.cast("binary")

    def _made_of(self, name: str, rows: ir.Table) -> ir.Table:
        made, query = self._temporary(name), self._query(rows)
        if self._dialect.sqlglot == "tsql":
            query.set("into", exp.Into(this=exp.Table(this=exp.to_identifier(made, quoted=True))))
            self._list(f"{self._text(query)};\n")
        else:
            self._list(f"CREATE TEMPORARY TABLE {self._quoted(made)} AS\n{self._text(query)};\n")
        return ibis.table(rows.schema(), name=made)

    def upload(self, name: str, rows: pa.Table) -> ir.Table:
        return super().upload(self._temporary(name), rows)

    def drop(self, table: ir.Table) -> None:
        self._list(f"DROP TABLE {self._quoted(table.op().name)};\n")

    def _temporary(self, name: str) -> str:
        return f"#{name}" if self._dialect.sqlglot == "tsql" else name

    def _quoted(self, name: str) -> str:
        return self._text(exp.to_identifier(name, quoted=True))

    def _sql(self, rows: ir.Table) -> str:
        return self._text(self._query(rows))

    def _text(self, part: exp.Expression) -> str:
        return part.sql(self._dialect.sqlglot, pretty=True)

    def _query(self, rows: ir.Table) -> exp.Expression:
        query: exp.Expression = self._compiler.to_sqlglot(rows)
        return query.transform(self._own)

    def _own(self, part: exp.Expression) -> exp.Expression:
        """A part of a statement as this dialect needs it."""
        if isinstance(part, exp.Sum):
            return exp.Sum(this=exp.Cast(this=part.this, to=exp.DataType.build("BIGINT")))
        if isinstance(part, exp.Cast) and part.is_type("VARBINARY"):
            as_bytes = sqlglot.parse_one(self._dialect.as_bytes, read=self._dialect.sqlglot)
            return as_bytes.transform(_in_place, part.this)
        return part


def _in_place(part: exp.Expression, text: exp.Expression) -> exp.Expression:
    """A text in place of the ``x`` of a template."""
    return text if isinstance(part, exp.Column) and part.name == "x" else part


def own_columns(study: Study, binding: Binding) -> dict[str, tuple[str, ...]]:
    """The columns that a study's tables must have, by the database's own names of tables."""
    found = {}
    for name in (MAIN, *(one.name for one in study.tables)):
        meaning, mapped = Meaning(study, name), binding.columns.get(name, {})
        headers = [one.header for one in meaning.read]
        headers += [one for one in (meaning.person, meaning.case) if one is not None]
        columns = {mapped.get(one, one): None for one in headers}
        found[binding.table(study, name)] = tuple(columns)
    return found
