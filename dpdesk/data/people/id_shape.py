# SPDX-License-Identifier: Apache-2.0
"""Which cells look like an id, many at a time: totals, footers and spoilt ids do not."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.files.cells import distinct_texts
from dpdesk.data.people.person import normalise_id
from dpdesk.study.model.unit import IdShape

Mask = npt.NDArray[np.bool_]

_PLAIN: Final = r"^[0-9A-Za-z_-]+$"
"""What is compared as it is written, but for capital letters."""
_CHARACTERS: Final = {"digits": "[0-9]", "letters-digits": "[0-9a-z]", "any": "."}


class ShapeReader:
    """Says which cells have the declared shape, by the text of each cell alone."""

    def __init__(self, shape: IdShape) -> None:
        prefix = re.escape(normalise_id(shape.prefix, leading_zeros=True))
        length = f"{{{shape.shortest},{shape.longest}}}"
        self._pattern = f"{prefix}{_CHARACTERS[shape.of]}{length}"
        self._whole = re.compile(self._pattern, re.DOTALL)

    def fits(self, cells: pa.Array) -> Mask:
        """Which cells have the shape; may be asked in several threads at once.

        Args:
            cells: as a batch has them; a cell of nothing visible has no shape, and is no matter.
        """
        if pa.types.is_int64(cells.type):
            cells = pc.cast(cells, pa.string())
        if not pa.types.is_string(cells.type):
            return self._of_values(cells)
        fits = _matches(cells, f"(?i)^{self._pattern}$")
        rest = np.flatnonzero(~_matches(cells, _PLAIN))
        if rest.size:
            fits[rest] = self._of_values(cells.take(pa.array(rest)))
        return fits

    def _of_values(self, cells: pa.Array) -> Mask:
        column = distinct_texts(cells)
        ids = (normalise_id(text, leading_zeros=True) for text in column.texts)
        fits = np.array([self._whole.fullmatch(one) is not None for one in ids], np.bool_)
        of_rows: Mask = fits[column.codes]
        return of_rows


def _matches(cells: pa.Array, pattern: str) -> Mask:
    matching: Mask = pc.fill_null(pc.match_substring_regex(cells, pattern), False).to_numpy(
        zero_copy_only=False
    )
    return matching.copy()
