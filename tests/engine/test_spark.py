# SPDX-License-Identifier: Apache-2.0
"""Spark counts what the encoder makes of the same tables; skipped where it is not installed."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
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
    order_arguments,
)
from tests.engine.hostile import STUDY, declared, hostile
from tests.engine.spark import in_spark, use_spark
from tests.shell.hospital import Hospital

# PySpark leaves its sockets to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark's packages, and a session of this computer."""
    use_spark(monkeypatch)


@pytest.mark.parametrize("ansi", [True, False])
def test_values_that_engines_fold_are_counted_as_of_a_file(ansi: bool, tmp_path: Path) -> None:
    study = declared(STUDY)
    with in_spark({TABLE: hostile()}, ansi) as backend:
        own = count(study, database_of(backend), Binding({MAIN: TABLE}))
        assert backend.list_tables() == [TABLE]
    assert own.engine.startswith("spark 4")
    assert differences(own, counted_of_file(study, hostile(), tmp_path)) == []


def test_all_answers_of_a_run_are_of_the_same_rows() -> None:
    with in_spark({TABLE: four_rows_each()}) as backend:
        counts = count(one_row_each(), database_of(backend), Binding({MAIN: TABLE}))
    assert are_of_the_same_rows(counts)


def test_what_was_made_is_rows_and_is_not_made_again(tmp_path: Path) -> None:
    pq.write_table(hostile(), tmp_path / f"{TABLE}.parquet")
    with connected(f"spark:{tmp_path}") as backend:
        database = database_of(backend)
        made = database.make("dpdesk_made", database.source(TABLE).select("pid"))
        (tmp_path / f"{TABLE}.parquet").unlink()
        assert database.fetch(made).num_rows == hostile().num_rows


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.int8(), [1, -1, None, 100, 0]),
        (pa.decimal128(38, 20), [Decimal("0.75"), Decimal("1e-20"), None, Decimal(10**17), 0]),
        (pa.float32(), [0.1, 0.75, None, float("nan"), float("-inf")]),
        (pa.string(), ["0,75", "1e1", None, "\uff11", " 2 "]),
        (pa.date32(), [date(2024, 5, 1), None, date(1970, 1, 1), date(9999, 12, 31), date.min]),
        (pa.timestamp("us"), [datetime(2024, 5, 1, 23, 59, 59), None, datetime(1970, 1, 1)] * 2),
    ],
)  # fmt: skip
@pytest.mark.in_turn(2)
def test_a_column_of_any_type_is_counted_as_of_a_file(
    kind: pa.DataType, values: list[object], tmp_path: Path
) -> None:
    columns = [one for one in STUDY["columns"] if one["name"] in ("ward", "stay", "seen")]
    asked = [query for query in STUDY["queries"] if query["id"] in ("mean", "median", "months")]
    study = declared({**STUDY, "columns": columns, "queries": asked})
    cells, wards = pa.array(values, kind), pa.array(["a"] * len(values))
    table = pa.table({"pid": range(len(values)), "ward": wards, "stay": cells, "seen": cells})
    with in_spark({TABLE: table}) as backend:
        own = count(study, database_of(backend), Binding({MAIN: TABLE}))
    assert differences(own, counted_of_file(study, table, tmp_path)) == []


def test_an_order_is_carried_out_and_released(hospital: Hospital, tmp_path: Path) -> None:
    rows = [line.split(",") for line in hospital.data.read_text().splitlines()[1:]]
    columns = dict(zip(("pid", "ward", "stay"), map(list, zip(*rows, strict=True)), strict=True))
    (tmp_path / "lake").mkdir()
    pq.write_table(pa.table(columns), tmp_path / "lake" / "stays.parquet")
    hospital.data.unlink()
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    assert cli.main(["run", *order, "--on", f"spark:{tmp_path / 'lake'}"]) == 0
    asked = ("--counts", hospital.folder / "small.sealed", "--out", hospital.bundle)
    done = hospital.run("release", hospital.study, *asked)
    assert done.status == 0 and "spark 4" in done.err
    assert "Complete: yes" in hospital.run("verify", hospital.bundle).out


def test_a_folder_that_is_not_there_is_one_sentence(
    hospital: Hospital, capsys: pytest.CaptureFixture[str]
) -> None:
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    assert cli.main(["run", *order, "--on", "spark:/no/such/folder"]) == 2
    assert "spark cannot be reached" in capsys.readouterr().err
