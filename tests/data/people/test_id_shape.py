# SPDX-License-Identifier: Apache-2.0
"""Which cells look like an id: many at a time as one by one, whatever the file's cells are."""

from __future__ import annotations

import pyarrow as pa
import pytest

from dpdesk.data.people.id_shape import ShapeReader
from dpdesk.data.people.person import normalise_id
from dpdesk.study.model.unit import IdShape

CELLS = (
    "12", "007", "1234", "p12", "P12", " p12 ", "=\"P12\"", "'P12", "P12.0", "12.0", "P1-2", "p_12",
    "\uff3012", "P\u0661\u0662", "P12\n", "P12\nP13", "Total", "Total: 12", "", " ", "\u200b", "-5",
    "P\u212a2", "PP12", "P12P", "\u00e412",
)  # fmt: skip
SHAPES = (
    IdShape("P", "digits", 2, 3),
    IdShape("", "digits", 2, 4),
    IdShape("p", "letters-digits", 1, 3),
    IdShape("", "any", 3, 5),
    IdShape("P.", "any", 1, 2),
)
FOLLOWS = {"digits": "0123456789", "letters-digits": "0123456789abcdefghijklmnopqrstuvwxyz"}


def is_id(cell: str, shape: IdShape) -> bool:
    """What the declaration says of one cell."""
    text, prefix = normalise_id(cell, leading_zeros=True), normalise_id(shape.prefix)
    rest = text.removeprefix(prefix)
    allowed = FOLLOWS.get(shape.of, text)
    is_long_enough = shape.shortest <= len(rest) <= shape.longest
    return text.startswith(prefix) and is_long_enough and set(rest) <= set(allowed)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("cells", [CELLS, CELLS[:5], ()], ids=["all", "plain", "none"])
def test_many_cells_fit_as_each_does(shape: IdShape, cells: tuple[str, ...]) -> None:
    wanted = [is_id(cell, shape) for cell in cells]
    texts = pa.array(cells, pa.string())
    reader = ShapeReader(shape)
    assert reader.fits(texts).tolist() == wanted
    assert reader.fits(texts.dictionary_encode()).tolist() == wanted


def test_whole_numbers_fit_as_their_texts_do() -> None:
    numbers = [12, 7, 1234, 12345, -5, 0, None]
    shape = IdShape("", "digits", 2, 4)
    wanted = [number is not None and is_id(str(number), shape) for number in numbers]
    assert ShapeReader(shape).fits(pa.array(numbers, pa.int64())).tolist() == wanted
    assert wanted == [True, False, True, False, False, False, False]


def test_a_cell_without_a_value_is_no_id() -> None:
    assert ShapeReader(SHAPES[0]).fits(pa.array(["P12", None, "P1"])).tolist() == [
        True,
        False,
        False,
    ]


def test_some_cells_of_each_kind_fit_and_some_do_not() -> None:
    """The cells above can tell shapes apart: each shape takes its own."""
    taken = {tuple(is_id(cell, shape) for cell in CELLS) for shape in SHAPES}
    assert len(taken) == len(SHAPES)
