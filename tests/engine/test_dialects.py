# SPDX-License-Identifier: Apache-2.0
"""Statements for engines that dpdesk was never run with: compiled, read again, compared.

``python -m tests.engine.test_dialects`` writes the stored texts anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import ibis
import pytest
import sqlglot
from sqlglot import exp

from dpdesk.engine import cli
from dpdesk.engine.coded_rows import RANDOM
from dpdesk.engine.database import Database
from dpdesk.engine.dialects import DIALECTS, CompiledStatements, _Unconnected, own_columns
from dpdesk.engine.runner import Binding, count
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import MAIN
from tests.golden.making import STUDIES
from tests.shell.hospital import Hospital

STORED = Path(__file__).parent / "sql"
ASKED = ("count-people", "sum", "categories-found")
COLUMNS = ("ward", "sex", "dead", "weight", "drug")
_SIZED = ("CHAR", "VARCHAR", "NCHAR", "NVARCHAR", "BINARY", "VARBINARY")


def compiled(dialect: str) -> str:
    """What is said of a golden study with groups, conditions and texts."""
    study = load_study(STUDIES / "rho-add-remove.dpdesk").study
    first: dict[str, Query] = {query.statistic: query for query in reversed(study.queries)}
    columns = tuple(one for one in study.columns if one.name in COLUMNS)
    study = replace(study, columns=columns, queries=tuple(first[one] for one in ASKED))
    binding, said = Binding({MAIN: "clinic.stays"}), list[str]()
    count(study, CompiledStatements(dialect, own_columns(study, binding), said.append), binding)
    return "\n".join(said)


def parts(statements: list[exp.Expression], kind: type[exp.Expression]) -> list[exp.Expression]:
    """All parts of a kind."""
    return [part for one in statements for part in one.find_all(kind)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_statements_of_engines_never_run_are_as_stored_and_keep_the_rules(dialect: str) -> None:
    own, text = DIALECTS[dialect], (STORED / f"{dialect}.sql").read_text("utf-8")
    assert compiled(dialect) == text
    assert text.startswith(f"-- dpdesk was never run with {dialect}") and own.check in text

    # Each is read again, as the same statement.
    plain = [line for line in text.splitlines() if not line.startswith("--")]
    written = [one.strip() for one in "\n".join(plain).split(";") if one.strip()]
    found = [sqlglot.parse_one(one, read=own.sqlglot) for one in written]
    assert not parts(found, exp.Command)
    assert {one.name for one in parts(found, exp.Anonymous)} <= {"CHECKSUM", "TO_BINARY", "UNIFORM"}
    again = [one.sql(own.sqlglot, pretty=True) for one in found]
    assert [re.sub(r"(\[\w+\]) AS \1", r"\1", one) for one in again] == written

    # Texts are compared as bytes: their letters would be, by the rules of a column.
    as_bytes = sqlglot.parse_one(own.as_bytes, read=own.sqlglot)
    assert isinstance(as_bytes, exp.Anonymous) or as_bytes.is_type("BINARY", "VARBINARY")

    # Nothing is cast that can raise or be cut.
    assert not parts(found, exp.TryCast)
    if own.sqlglot == "tsql":
        kinds = [one for one in parts(found, exp.DataType) if one.this.name in _SIZED]
        assert kinds and all(one.expressions for one in kinds)

    # Sums have 64 bits.
    sums = [one.this for one in parts(found, exp.Sum)]
    assert sums and all(isinstance(one, exp.Cast) and one.is_type("BIGINT") for one in sums)
    assert own.sqlglot != "tsql" or "COUNT(" not in text

    # A random number is drawn in one statement, and used in others.
    drawn = [one for one in written if "RAND(" in one or "RANDOM(" in one]
    assert len(drawn) == 1 and "ROW_NUMBER" not in drawn[0]
    assert ("INTO [#" in drawn[0]) or drawn[0].startswith("CREATE TEMPORARY TABLE")
    assert not parts(found, exp.CTE)

    # The table is read once, and of its texts nothing but the bytes.
    read = [one for one in found if any(table.name == "stays" for table in one.find_all(exp.Table))]
    assert len(read) == 1
    outer, *within = read[0].find_all(exp.Select)
    taken = [one.this for one in outer.selects if one.alias != RANDOM]
    assert all(isinstance(one, exp.Column | exp.Star) for each in within for one in each.selects)
    assert len(taken) == len(list(outer.selects[:-1])) > 3
    for value in taken:
        column = value.find(exp.Column)
        column.replace(exp.column("x"))
        assert value.sql(own.sqlglot) == own.as_bytes


def test_numbers_that_choose_rows_have_the_operating_systems_quality() -> None:
    def drawn(engine: str) -> str:
        dialect = "postgres" if engine == "postgres" else "pyspark"
        number = Database(_Unconnected(engine)).random_number()
        return str(ibis.to_sql(ibis.table({"a": "int64"}, name="t").select(n=number), dialect))

    assert "GEN_RANDOM_UUID()" in drawn("postgres")
    hashed = r"LEFT\(SHA2\(CONCAT\('[0-9a-f]{32}', CAST\(RAND\(\) AS STRING\)\), 256\), 16\)"
    assert re.search(hashed, drawn("pyspark")) and drawn("pyspark").count("RAND(") == 1
    assert drawn("pyspark") != drawn("pyspark")


def test_the_command_prints_them_without_a_connection(
    hospital: Hospital, capsys: pytest.CaptureFixture[str]
) -> None:
    hospital.run("order", hospital.study)
    order, mapping = hospital.folder / "small.order.json", hospital.folder / "mapping.json"
    mapping.write_text(json.dumps({"ward": "Station"}))
    asked = ["sql", str(order), "--table", "lis.stays", "--mapping", str(mapping), "--dialect"]
    assert cli.main([*asked, "mssql"]) == 0
    said = capsys.readouterr().out
    assert "[Station]" in said and "FROM [lis].[stays]" in said and "[stays].[ward]" not in said
    assert not (hospital.folder / "small.sealed").exists()
    assert cli.main([*asked, "oracle"]) == 2
    refused = capsys.readouterr()
    assert refused.out == "" and "2,000 bytes" in refused.err


if __name__ == "__main__":
    for name in DIALECTS:
        (STORED / f"{name}.sql").write_text(compiled(name), "utf-8")
