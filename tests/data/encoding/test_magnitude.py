# SPDX-License-Identifier: Apache-2.0
"""Cells of a column without bounds to magnitudes: exact, total, each by itself."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk import exact
from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.magnitude import rows_by_magnitude
from dpdesk.data.encoding.missing_and_invalid import MISSING, OUTSIDE, UNPARSABLE, missing_code
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace, number_grid
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import BITS, MAGNITUDES, ends_of
from dpdesk.study.model.unit import DataSource, Unit
from tests.data.reference import decimal_of

LAB = NumberColumn("lab", step=Decimal(1))
STAY = NumberColumn("stay", Decimal(0), Decimal(30), Decimal(1))
ZERO = BITS
ODD = ("", "?", "inf", "nan", "1,5", "abc", "9" * 65, "1e999999999999", "-1e999999999999",
       "1e-999999999999", "\uff17", "\u2212 3", "0x10", "=1+1", '"', "1e40", "-2e12")  # fmt: skip


def code(text: str, column: NumberColumn = LAB, decimal: str = ".") -> int:
    return cell_parser(column, ("?",), decimal)(text)


def slow_code(text: str, column: NumberColumn) -> int:
    """By fractions and division, as the words say it."""
    number = decimal_of(text, ".")
    assert number is not None
    steps, digits = abs(Fraction(number) / Fraction(column.step or 1)), 0
    while steps >= 1 and digits < BITS:
        steps, digits = steps / 2, digits + 1
    return BITS + digits if number > 0 else BITS - digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("0", 0), ("-0", 0), ("0.99", 0), ("-0.99", 0), ("1", 1), ("1.99", 1), ("2", 2), ("3.9", 2),
        ("4", 3), ("-1", -1), ("-4", -3), ("\u22124", -3), ("1e3", 10), ("1023.999", 10),
        ("1024", 11), ("1099511627775", 40), ("1099511627776", 40), ("1e30", 40), ("-1e30", -40),
        ("1e999999999999999999999999999", 40), ("-1e999999999999999999999999999", -40),
        ("1e-999999999999999999999999999", 0), ("0e999", 0), ("9" * 64, 40), ("0" * 63 + "3", 2),
    ],
)  # fmt: skip
def test_a_cell_counts_by_its_binary_digits(text: str, digits: int) -> None:
    assert code(text) == ZERO + digits


def test_odd_cells_follow_the_rules() -> None:
    assert [code(text) for text in ("", "?", " ? ")] == [MISSING] * 3
    assert [code(text) for text in ("abc", "1,5", "nan", "9" * 65)] == [UNPARSABLE] * 4
    assert code("1e13", replace(LAB, outside="drop")) == OUTSIDE
    ruled = replace(LAB, unparsable=Replace(Decimal(5)), outside=Replace(Decimal(-1)))
    assert code("abc", ruled) == ZERO + 3
    assert code("1e13", ruled) == ZERO - 1
    assert missing_code(replace(LAB, missing=Replace(Decimal(300)))) == ZERO + 9
    assert code("2,5", decimal=",") == ZERO + 2


@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**14)),
    st.sampled_from(["1", "0.1", "0.001", "25", "1e6", "3e-20"]),
)
def test_codes_are_those_of_the_slow_reading(number: Decimal, step: str) -> None:
    column = replace(LAB, step=Decimal(step))
    text = f"{number:f}"
    if len(text) <= 64:
        assert code(text, column) == slow_code(text, column)


@given(st.text(max_size=70))
def test_every_text_has_a_code(text: str) -> None:
    assert code(text) in {MISSING, UNPARSABLE, *range(MAGNITUDES)}


def test_each_number_lies_between_the_ends_of_its_bin() -> None:
    assert [ends_of(ZERO + d) for d in (-2, -1, 0, 1, 2)] == [
        (-4, -2),
        (-2, -1),
        (0, 0),
        (1, 2),
        (2, 4),
    ]
    for number in (*range(-70, 70), 10**12, -(10**12)):
        low, high = ends_of(code(str(number)))
        assert low <= number <= high


@pytest.mark.parametrize(
    ("lower", "upper", "step"),
    [("0", "30", "1"), ("-7", "7", "0.5"), ("0.5", "10.5", "1"), ("-900", "-3", "3")],
)
def test_grid_values_have_the_magnitude_of_their_text(lower: str, upper: str, step: str) -> None:
    bounded = NumberColumn("n", Decimal(lower), Decimal(upper), Decimal(step))
    last = number_grid(bounded).last
    texts = [f"{Decimal(lower) + i * Decimal(step):f}" for i in range(last + 1)]
    wanted = [slow_code(text, bounded) for text in texts]
    for index, place in enumerate(wanted):
        counts = rows_by_magnitude(np.array([index], np.int32), bounded)
        assert counts.sum() == 1 and counts[place] == 1


def test_only_numbers_with_a_step_have_a_magnitude() -> None:
    with pytest.raises(ValueError, match="no step"):
        cell_parser(NumberColumn("lab"), (), ".")
    with pytest.raises(ValueError, match="only numbers"):
        rows_by_magnitude(np.array([0]), CategoryColumn("ward", values=("A", "B")))


def study(*columns: NumberColumn) -> Study:
    return Study(data=DataSource("t.csv", missing=("?",)), unit=Unit("pid", 2), columns=columns)


def vector(folder: Path, cells: list[tuple[str, str, str]], asked: str, *also: str) -> list[int]:
    lines = ["pid,lab,stay", *(",".join(_quoted(cell) for cell in row) for row in cells)]
    (folder / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = study(LAB, STAY)

    def priorities(count: int) -> np.ndarray:
        return np.arange(count, dtype=np.uint64)

    table = encode(made, folder, priorities=priorities)
    sealed = measure(table, made, AggregateSpec("magnitudes", asked))
    found: list[int] = exact._vault[id(sealed)].tolist()
    return found


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def test_columns_with_and_without_bounds_stand_side_by_side(tmp_path: Path) -> None:
    cells = [("1", "5", "5"), ("2", "-3", "99"), ("3", "1e30", "x"), ("4", "", "0")]
    found = vector(tmp_path, cells, "lab")
    assert {i - ZERO: n for i, n in enumerate(found) if n} == {3: 1, -2: 1, 40: 1}
    found = vector(tmp_path, cells, "stay")
    assert {i - ZERO: n for i, n in enumerate(found) if n} == {3: 1, 5: 1, 0: 1}


@pytest.mark.in_turn(2)
def test_one_persons_cells_change_nobody_elses(tmp_path: Path) -> None:
    dice = random.Random(11)
    cells = (*ODD, "0", "1", "77", "-5", "12.5")
    for _ in range(60):
        here = [(f"a{i}", dice.choice(cells), "1") for i in range(dice.randint(0, 6))]
        there = [(f"b{i}", dice.choice(cells), "1") for i in range(dice.randint(0, 6))]
        parts = [vector(tmp_path, rows, "lab") for rows in (here, there)]
        assert vector(tmp_path, here + there, "lab") == np.add(*parts).tolist()
        crowd = [("a0", dice.choice(cells), "1") for _ in range(9)]
        assert sum(vector(tmp_path, crowd, "lab")) <= 2
