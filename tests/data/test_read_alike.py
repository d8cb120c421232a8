# SPDX-License-Identifier: Apache-2.0
"""How a row is read depends on that row alone, whatever stands beside it in its block.

One person's odd cell has a whole block's numbers and ids parsed in another way than many at a
time. If that changed what is read of others, one person could change the answer without bound.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encode import encode
from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.files.batch import Wanted
from dpdesk.data.files.csv.csv_block import Layout, read_block
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.audit.length import FULL, some

LONG = "9999999999999999"
MARKERS = ("-99", "-099", "0", LONG, "1e18", "123456789012345000", "1e3", "7.0", "9" * 20)
COLUMN = NumberColumn(
    "x", Decimal(-5), Decimal(10), Decimal(1), missing_values=MARKERS, outside="drop"
)
SIGNS = ["".join(text) for length in range(1, 5) for text in product("017-+ ", repeat=length)]
AROUND = ["", *"07-\t.xXeE_'=\x0b\x1c\x00"]
ODD = ["".join(text) for text in product(["", "0", "-0", "7"], AROUND, ["7", "0", "E"], AROUND)]
FAR = [
    *("9" * length for length in (14, 15, 16, 17, 18, 19, 20)),
    *("-" + "9" * length for length in (16, 18, 19)),
    *(sign + "0" * zeros + "7" for zeros in (13, 44, 45, 63, 64, 65, 999) for sign in ("", "-")),
    *("0" * zeros for zeros in (64, 65, 70)),
    *(LONG, "10000000000000000", "1" + "0" * 18, "123456789012344999", "123456789012345000"),
    *(str(2**63 - 1), str(2**63), str(-(2**63)), str(-(2**63) - 1), str(2**53), str(2**53 + 1)),
]
MARKED_IDS = ("-99", "-099", "00", LONG)
BESIDE = ("abc", "?", "9" * 20, "1.5", "\u0661")
"""Each has the cells of its batch read in another way."""


def cells(*texts: str) -> pa.Array:
    """The cells of one column as a block gives them."""
    layout = Layout(DataSource("t.csv"), 2, (Wanted(1),))
    rows = ('1,"{}"\n'.format(text.replace('"', '""')) for text in texts)
    return read_block(layout, "".join(rows).encode()).columns[0]


def key(ids: Keys) -> tuple[int, int] | None:
    """The first person's key, or nothing."""
    high = ids.high if isinstance(ids.high, int) else int(ids.high[0])
    return (high, int(ids.low[0])) if ids.low[0] >= 0 else None


@pytest.mark.threat("B2")
@pytest.mark.parametrize("texts", [SIGNS, ODD, FAR], ids=["signs", "odd", "far"])
@pytest.mark.in_turn(2)
def test_a_cell_alone_says_what_it_says_beside_an_odd_one(texts: list[str]) -> None:
    coder = ColumnCoder(COLUMN, DataSource("t.csv"))
    people = PersonCoder(MARKED_IDS)
    plain = 0
    for place, text in enumerate(texts if len(texts) < 100 else some(texts, 8)):
        alone = cells(text)
        plain += text.isdecimal()
        for odd in BESIDE if FULL else BESIDE[place % len(BESIDE) :][:1]:
            beside = cells(text, odd)
            assert key(people.ids(alone)) == key(people.ids(beside)), (text, odd)
            assert coder.codes(alone)[0] == coder.codes(beside)[0], (text, odd)
    assert plain > (15 if FULL else 5)


def read(rows: list[str], folder: Path, columns: tuple[Column, ...] = (COLUMN,)) -> EncodedTable:
    (folder / "t.csv").write_text("id,x\n" + "".join(row + "\n" for row in rows), encoding="utf-8")
    study = Study(data=DataSource("t.csv"), unit=Unit("id", max_rows=2), columns=columns)

    def in_turn(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        # Whoever comes last keeps the same priorities whether X is there or not.
        return np.arange(count, dtype=np.uint32)[::-1]

    return encode(study, folder, priorities=in_turn)


@pytest.mark.threat("B2")
@pytest.mark.parametrize("odd", ["abc,2", "abc,?", "5", "abc,2,3", '"abc,2', "abc,0x10"])
@pytest.mark.parametrize(
    "row",
    [
        f"-007,{'0' * 64}7",
        f"-7,{LONG}",
        "-0,-0",
        "0,-00",
        "007,1" + "0" * 18,
        "7,123456789012344999",
    ],
)
@pytest.mark.in_turn(8)
def test_an_odd_row_changes_nothing_for_others(row: str, odd: str, tmp_path: Path) -> None:
    # The shorter form of the same number; whether it is the same id is for the rules to say.
    other = row.replace("-00", "-").replace("007", "7")
    rows = [row, other, "50,3"] * 3 + [row] * 2
    without, beside = read(rows, tmp_path), read([odd, *rows], tmp_path)
    more = beside.people() - without.people()
    assert more in (0, 1)
    count = len(without.persons())
    assert len(beside.persons()) - count == more
    codes, again = (table.column("x").counted() for table in (without, beside))
    assert codes.tolist() == again[-count:].tolist()
    whose, theirs = without.persons(), beside.persons()[-count:]
    assert (whose[:, None] == whose).tolist() == (theirs[:, None] == theirs).tolist()
