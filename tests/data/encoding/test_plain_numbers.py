# SPDX-License-Identifier: Apache-2.0
"""Numbers read many at a time have the codes of the exact reader, whatever stands beside them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpdesk.data.encoding import column_coder
from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.column_coder import ColumnCoder, plain_numbers
from dpdesk.data.encoding.missing_and_invalid import UNKNOWN
from dpdesk.data.files.value_texts import number_text
from dpdesk.study.model.columns import CLAMP, DROP, CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.unit import DataSource

POINT, COMMA = DataSource(), DataSource(separator=";", decimal=",")
GROUPED = DataSource(separator=";", decimal=",", thousands=".")


@st.composite
def columns(draw: st.DrawFn) -> NumberColumn:
    """Number columns with grids fine and coarse, near zero and far from it."""
    exponent = draw(st.integers(-9, 3))
    step = draw(st.integers(1, 40))
    lower = draw(st.integers(-2000, 2000) | st.integers(-(10**12), 10**12))
    last = draw(st.integers(1, 500) | st.integers(1, 10**6))
    unit = Decimal(10) ** exponent
    return NumberColumn(
        "n",
        lower * unit,
        (lower + last * step) * unit,
        step * unit,
        unparsable=draw(st.sampled_from([DROP, Replace(lower * unit)])),
        outside=draw(st.sampled_from([CLAMP, DROP, Replace((lower + step) * unit)])),
        missing_values=tuple(draw(st.sampled_from([(), ("-",), ("99",), ("-1", "NA", "0.50")]))),
    )


@st.composite
def near(draw: st.DrawFn, column: NumberColumn) -> str:
    """A text near the column's grid: on it, between its points, at and beyond its bounds."""
    assert column.lower is not None
    assert column.upper is not None
    assert column.step is not None
    place = draw(st.integers(-3, 3) | st.integers(0, 10**6))
    start = draw(st.sampled_from([column.lower, column.upper]))
    part = draw(st.sampled_from(["0", "0.5", "0.25", "0.4999", "0.5001", "0.1"]))
    value = start + (place + Decimal(part)) * column.step
    return draw(st.sampled_from([f"{value:f}", str(value), f"{value:f}".rstrip("0") or "0"]))


WORDS = [
    "7",
    "007",
    "+7",
    "-0",
    "-0.0",
    ".5",
    "5.",
    "-.5",
    ".",
    "-",
    "--5",
    "1-2",
    "1.2.3",
    "1,5",
    "1.234,5",
    "1.234",
    "12.34",
    "0x10",
    "1e3",
    "1E-2",
    "nan",
    "inf",
    "-inf",
    "99",
    "99.0",
    "0.5",
    "-1",
    "NA",
    "99999999999999",
    "123456789012345",
    "0.1234567890123",
    "0.5000000000001",
    "0.50000000000000000001",
    "9007199254740993",
    "1_000",
    "TRUE",
    "1;5",
]
odd = st.sampled_from(
    [
        *WORDS,
        "",
        " ",
        " 7 ",
        "\uff17",
        "\u0667",
        "1 000",
        "7\u00a0",
        "\x1f7",
        "1" * 70,
        f"0.{1:060}",
    ]
)


def exact(column: NumberColumn, data: DataSource, texts: list[str]) -> list[int]:
    """What the exact reader says of each text by itself."""
    parse = cell_parser(column, data.missing, data.decimal, data.thousands)
    return [parse(text) for text in texts]


@given(st.data(), st.sampled_from([POINT, COMMA, GROUPED, DataSource(missing=("7", "?"))]))
def test_a_column_of_texts_has_the_codes_of_its_cells(data: st.DataObject, how: DataSource) -> None:
    column = data.draw(columns())
    cell = near(column).map(lambda text: text.replace(".", how.decimal)) | odd
    plain = near(column).map(lambda text: text.replace(".", how.decimal))
    texts = data.draw(st.lists(data.draw(st.sampled_from([cell, plain])), max_size=12))
    found = ColumnCoder(column, how).codes(pa.array(texts, pa.string()))
    assert found.tolist() == exact(column, how, texts), texts


@given(st.data())
def test_integers_say_what_their_texts_say(data: st.DataObject) -> None:
    column = data.draw(columns())
    most = st.integers(-(2**63), 2**63 - 1)
    numbers = data.draw(st.lists(st.integers(-300, 300) | most, max_size=12))
    found = ColumnCoder(column, POINT).codes(pa.array(numbers, pa.int64()))
    assert found.tolist() == exact(column, POINT, [str(number) for number in numbers])


@given(st.data())
def test_doubles_say_what_their_shortest_texts_say(data: st.DataObject) -> None:
    column = data.draw(columns())
    of_text = near(column).map(float)
    numbers = data.draw(st.lists(of_text | st.floats(allow_nan=False), max_size=12))
    found = ColumnCoder(column, POINT).codes(pa.array(numbers, pa.float64()))
    texts = [number_text(number) for number in numbers]
    assert found.tolist() == exact(column, POINT, texts), texts


def test_what_knows_no_number_is_empty() -> None:
    column = NumberColumn("n", Decimal(0), Decimal(9), Decimal(1), missing=Replace(Decimal(4)))
    cells = pa.array([float("nan"), None, 3.0], pa.float64())
    assert ColumnCoder(column, POINT).codes(cells).tolist() == [-1, -1, 3]


@given(st.lists(odd, min_size=1, max_size=6), st.lists(odd, max_size=6))
@example(["5"], ["x"])
def test_a_cell_s_code_does_not_depend_on_its_neighbours(
    texts: list[str], beside: list[str]
) -> None:
    """A batch with an odd cell is read another way: the codes of the rest stay."""
    column = NumberColumn("n", Decimal("-5"), Decimal(95), Decimal("0.5"), missing_values=("99",))
    coder = ColumnCoder(column, POINT)
    alone = coder.codes(pa.array(texts, pa.string())).tolist()
    assert coder.codes(pa.array(texts + beside, pa.string())).tolist()[: len(texts)] == alone


def test_a_column_may_have_a_decimal_mark_of_its_own() -> None:
    column = NumberColumn("n", Decimal(0), Decimal(9), Decimal("0.5"), decimal=",")
    found = ColumnCoder(column, POINT).codes(pa.array(["1,5", "1.5", "x", "4"]))
    assert found.tolist() == exact(column, COMMA, ["1,5", "1.5", "x", "4"]) == [3, -2, -2, 8]


@pytest.mark.parametrize("marker", ["9007199254740993", "0.3000000000000000166", "1e400"])
def test_a_marker_that_no_double_says_marks_no_double(marker: str) -> None:
    """The double nearest to such a marker is another number, which is not missing."""
    column = NumberColumn("n", Decimal(0), Decimal(9), Decimal("0.1"), missing_values=(marker,))
    nearest = min(float(marker), 1.7e308)
    assert ColumnCoder(column, POINT).codes(pa.array([marker])).tolist() == [-1]
    wanted = exact(column, POINT, [number_text(nearest)])
    assert ColumnCoder(column, POINT).codes(pa.array([nearest])).tolist() == wanted != [-1]


def test_a_column_forgets_texts_before_they_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(column_coder, "MEMO_TEXTS", 3)
    coder = ColumnCoder(CategoryColumn("c", values=("a", "b")), POINT)
    for number in range(9):
        texts = ["a", f"x{number}", "b", f"y{number}"]
        assert coder.codes(pa.array(texts)).tolist() == [0, UNKNOWN, 1, UNKNOWN]
        assert len(coder._memo) <= 3 + len(texts)


@pytest.mark.parametrize(
    ("lower", "upper", "step", "possible"),
    [
        ("0", "110", "1", True),
        ("0", "100000", "0.01", True),
        ("-1e12", "1e12", "1", False),
        ("0", "1", "1e-9", False),
        ("0", "9e10", "1", False),
        ("0", "2e10", "1", True),
    ],
)
def test_long_grids_are_left_to_the_exact_reader(
    lower: str, upper: str, step: str, possible: bool
) -> None:
    column: Any = NumberColumn("n", Decimal(lower), Decimal(upper), Decimal(step))
    assert (plain_numbers(column, POINT) is not None) == possible


def test_a_slice_and_an_empty_batch_are_read_as_well() -> None:
    column = NumberColumn("n", Decimal(0), Decimal(9), Decimal("0.5"))
    whole = pa.array(["x", "1.5", "2", None, "8"])
    coder = ColumnCoder(column, POINT)
    assert coder.codes(whole.slice(1, 3)).tolist() == [3, 4, -1]
    assert coder.codes(whole.slice(1, 2)).tolist() == [3, 4]
    assert coder.codes(whole.slice(0, 0)).dtype == np.int8


@pytest.mark.parametrize(
    "texts",
    [
        ["0.50000000000000000001", "1.5"],
        ["2.4999999999999999999", "2"],
        ["100000000000000000000000", "2"],
        ["-0.0000000000000000001", "2"],
    ],
)
def test_long_numbers_are_read_to_their_end(texts: list[str]) -> None:
    column = NumberColumn("n", Decimal(0), Decimal(9), Decimal(1), outside=DROP)
    found = ColumnCoder(column, POINT).codes(pa.array(texts, pa.string()))
    assert found.tolist() == exact(column, POINT, texts)


def test_endless_numbers_are_none() -> None:
    column = NumberColumn("n", Decimal(0), Decimal(9), Decimal(1))
    numbers = [float("inf"), float("-inf"), 1e300, -1e300, 2.5]
    found = ColumnCoder(column, POINT).codes(pa.array(numbers))
    assert found.tolist() == exact(column, POINT, ["inf", "-inf", "1e300", "-1e300", "2.5"])
    assert found.tolist() == [-2, -2, 9, 0, 2]


@given(st.integers(-3, 3), st.integers(0, 40), st.sampled_from([1, 3, 8]))
def test_doubles_beside_the_grid_its_middles_and_its_bounds(
    ulps: int, place: int, step: int
) -> None:
    """Sums of decimals miss them by a few units in the last place, to either side."""
    column = NumberColumn("n", Decimal("0.1"), Decimal("2.5"), Decimal("0.1") * step, outside=DROP)
    value = float(Decimal("0.1") + Decimal("0.05") * place)
    for _ in range(abs(ulps)):
        value = np.nextafter(value, np.sign(ulps) * np.inf)
    found = ColumnCoder(column, POINT).codes(pa.array([value, 1.0], pa.float64()))
    assert found.tolist() == exact(column, POINT, [number_text(float(value)), "1"])
