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

_PLAIN: Final = "[0-9A-Za-z_-]"
"""What is compared as it is written, but for capital letters."""
_PLAIN_CHARACTERS: Final = {"digits": "[0-9]", "letters-digits": "[0-9A-Za-z]", "any": _PLAIN}
"""Which of them follow a prefix."""
_CHARACTERS: Final = {"digits": "[0-9]", "letters-digits": "[0-9a-z]", "any": "."}


class ShapeReader:
    """Says which cells have the declared shape, by the text of each cell alone."""

    def __init__(self, shape: IdShape) -> None:
        prefix = normalise_id(shape.prefix, leading_zeros=True)
        length = f"{{{shape.shortest},{shape.longest}}}"
        self._whole = re.compile(f"{re.escape(prefix)}{_CHARACTERS[shape.of]}{length}", re.DOTALL)
        self._plain = f"^{_in_any_case(prefix)}{_PLAIN_CHARACTERS[shape.of]}{length}$"

    def fits(self, cells: pa.Array) -> Mask:
        """Which cells have the shape; may be asked in several threads at once.

        Args:
            cells: as a batch has them; a cell of nothing visible has no shape, and is no matter.
        """
        if pa.types.is_int64(cells.type):
            cells = pc.cast(cells, pa.string())
        if not pa.types.is_string(cells.type):
            return self._of_values(cells)
        fits = _matches(cells, self._plain)
        others = np.flatnonzero(~fits)
        if others.size:
            rest = others[~_matches(cells.take(pa.array(others)), f"^{_PLAIN}+$")]
            fits[rest] = self._of_values(cells.take(pa.array(rest)))
        return fits

    def _of_values(self, cells: pa.Array) -> Mask:
        column = distinct_texts(cells)
        ids = (normalise_id(text, leading_zeros=True) for text in column.texts)
        fits = np.array([self._whole.fullmatch(one) is not None for one in ids], np.bool_)
        of_rows: Mask = fits[column.codes]
        return of_rows


def _in_any_case(prefix: str) -> str:
    """A pattern of plain cells that begin with the prefix; no cell has it if that is not plain."""
    if not re.fullmatch(f"{_PLAIN}*", prefix):
        return "[^\\x00-\\x{10FFFF}]"
    return "".join(f"[{s}{s.upper()}]" if s.isalpha() else re.escape(s) for s in prefix)


def _matches(cells: pa.Array, pattern: str) -> Mask:
    matching: Mask = pc.fill_null(pc.match_substring_regex(cells, pattern), False).to_numpy(
        zero_copy_only=False
    )
    return matching.copy()
