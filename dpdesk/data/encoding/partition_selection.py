# SPDX-License-Identifier: Apache-2.0
"""The texts of a column as they are written in the file, for a query that finds categories.

Which texts count is a rule that looks at one cell alone: tidied as declared values are, not
missing, at most ``limits.MAX_FOUND_TEXT`` characters, none of them invisible. Any other cell is
nobody's category.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.growable_array import GrowableArray, Ints
from dpdesk.data.encoding.missing_and_invalid import missing_markers
from dpdesk.data.encoding.table import Codes, EncodedTexts
from dpdesk.data.files.cells import TextColumn
from dpdesk.study.model.columns import Column
from dpdesk.study.model.text_folding import is_category, tidy

NO_TEXT = -1

Rows = npt.NDArray[np.intp]


class TextCoder:
    """Codes one column batch by batch: each different text gets the next number."""

    def __init__(self, column: Column, missing: tuple[str, ...]) -> None:
        self._markers = missing_markers(column, missing)
        self._numbers: dict[str, int] = {}
        self._codes = GrowableArray(np.dtype(np.int64))

    def add(self, column: TextColumn) -> None:
        numbers = (self._number(tidy(cell)) for cell in column.texts)
        codes = np.fromiter(numbers, np.int64, len(column.texts))
        self._codes.add(codes[column.codes])

    def _number(self, text: str) -> int:
        if text in self._markers or not is_category(text):
            return NO_TEXT
        return self._numbers.setdefault(text, len(self._numbers))

    def content(self, rows: Ints) -> Codes:
        """A number for each of some rows that depends on its own text alone.

        It does not depend on what others wrote, nor on where they did.
        """
        digests = (
            hashlib.blake2b(t.encode("utf-8"), digest_size=8).digest() for t in self._numbers
        )
        numbers = np.frombuffer(b"".join([*digests, bytes(8)]), np.int64)
        return numbers[self._codes.all()[rows]]

    def texts(self, rows: Ints) -> EncodedTexts:
        """The texts of these rows, rising; the others are gone."""
        return EncodedTexts(self._codes.keep(rows), tuple(self._numbers))


def people_per_text(texts: EncodedTexts, rows: Rows, persons: Codes) -> dict[str, int]:
    """How many different people have each text in these rows; texts that somebody has alone.

    A text whose rows were all left out by the contribution bound, or by a condition, is not among
    them: otherwise one person could bring more texts than rows.

    Args:
        texts: the column's texts.
        rows: positions of the rows that count.
        persons: each row's person.
    """
    # Loaded here: pandas takes longer than all else that reads a table, and few queries need it.
    import pandas as pd

    rows = rows[texts.codes[rows] != NO_TEXT]
    size = max(1, len(texts.texts))
    pairs = pd.unique(persons[rows].astype(np.int64) * size + texts.codes[rows])
    counts = np.bincount(pairs % size, minlength=size).astype(np.int64)
    there = np.flatnonzero(counts)
    return {texts.texts[place]: int(counts[place]) for place in there}
