# SPDX-License-Identifier: Apache-2.0
"""Cells as texts: what a cell of a typed file would say in a text file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.files.value_texts import number_text, value_text


@dataclass(frozen=True, repr=False)
class TextColumn:
    """One column of a batch.

    Attributes:
        codes: for each row the position of its cell in ``texts``.
    """

    codes: npt.NDArray[np.signedinteger[Any]]
    texts: list[str]


def distinct_texts(cells: pa.Array, decimal: str = ".") -> TextColumn:
    """The distinct cells of a column as texts, and which each row has.

    Args:
        cells: see :class:`dpdesk.data.files.batch.Batch`; null is the empty text.
        decimal: the mark that numbers are written with.
    """
    if pa.types.is_floating(cells.type):
        # No number in a text file; an empty cell in those that know no other one.
        cells = pc.if_else(pc.is_nan(cells), None, cells)
    if not pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_encode()
    codes = cells.indices
    values = cells.dictionary.to_pylist()
    if codes.null_count or None in values:
        codes = pc.fill_null(codes, len(values))
        values.append(None)
    write = _writer(cells.dictionary.type, decimal)
    texts = ["" if value is None else write(value) for value in values]
    return TextColumn(codes.to_numpy(zero_copy_only=False), texts)


def row_texts(cells: pa.Array, decimal: str = ".") -> list[str]:
    """The text of each cell of a column, as :func:`distinct_texts` has it."""
    text_column = distinct_texts(cells, decimal)
    return [text_column.texts[code] for code in text_column.codes]


def _writer(kind: pa.DataType, decimal: str) -> Callable[[Any], str]:
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return str
    if pa.types.is_floating(kind):
        return lambda value: number_text(value, decimal)
    return value_text
