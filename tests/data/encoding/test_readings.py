# SPDX-License-Identifier: Apache-2.0
"""Cells that are no numbers and are declared to be read as some: ages written ``90+``."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.study.model.columns import CellReading, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit

READS = (
    CellReading("90+", Decimal(90)),
    CellReading("<5", Decimal("2.5")),
    CellReading("over \u00c4", Decimal(200)),
    CellReading("nil", Decimal(0)),
)


def age(**more: Any) -> NumberColumn:
    return NumberColumn("age", Decimal(0), Decimal(110), Decimal("0.5"), reads=READS, **more)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("90+", 180),
        (" 90+\u00a0", 180),
        ("90", 180),
        ("<5", 5),
        ("nil", 0),
        ("NIL", -2),
        ("over A\u0308", 220),  # beyond the bounds, as any number: clamped
        ("90++", -2),
        ("?", -1),
    ],
)
def test_a_cell_is_read_as_declared(cell: str, code: int) -> None:
    assert cell_parser(age(), ("?",), ",")(cell) == code


def test_what_is_read_beyond_the_bounds_meets_the_rule_for_outside() -> None:
    column = age(outside="drop", unparsable=Replace(Decimal(1)))
    assert cell_parser(column, (), ".")("over \u00c4") == -3
    assert cell_parser(column, (), ".")("x") == 2


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_of_plain_numbers_and_such_cells(kind: Any, tmp_path: Path) -> None:
    """Plain numbers are read many at a time, the others one by one: all as one cell would be."""
    dice = random.Random(3)
    cells = [dice.choice(["90+", "<5", "12", "3.5", "", "x"]) for _ in range(5_000)]
    if kind == "csv":
        (tmp_path / "ages.csv").write_text("age\n" + "".join(f"{cell};\n" for cell in cells))
    else:
        pq.write_table(pa.table({"age": cells}), tmp_path / "ages.parquet")
    data = DataSource(f"ages.{kind}", kind, separator=";")
    table = encode(Study(data=data, unit=Unit(), columns=(age(),)), tmp_path)
    parse = cell_parser(age(), (), ".")
    assert table.column("age").codes.tolist() == [parse(cell) for cell in cells]
