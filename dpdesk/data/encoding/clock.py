# SPDX-License-Identifier: Apache-2.0
"""The time of day behind a day, many cells at a time, for columns whose hours are asked for.

A cell has a time where one may be behind its day, see ``date.py``. As there, no zone moves it. A
cell without one has none: nothing is taken for midnight.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.encoding.date import MAX_DATE_TEXT, read_formats, timed_shape
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.files.cells import distinct_texts
from dpdesk.study.model.columns import DateColumn

Seconds = npt.NDArray[np.int32]

_PARTS = re.compile(r"[^0-9]*([0-9]{1,2}):?([0-9]{2})(?::?([0-9]{2}))?(?: ?([AaPp]))?")
_FRACTION = r"[.,][0-9]{1,9}"
_NOON = 12


class ClockReader:
    """Reads the second of the day of a date column's cells; ``MISSING`` where there is none."""

    def __init__(self, column: DateColumn, typed: bool) -> None:
        self._patterns = [f"^{timed_shape(format)}$" for format in read_formats(column, typed)]
        self._seconds: dict[str, int] = {}

    def codes(self, cells: pa.Array) -> Seconds:
        """The second of the day of each cell, shape ``(rows,)``; may be asked in several threads.

        Args:
            cells: as a batch has them; see ``files.batch``.
        """
        kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
        if not pa.types.is_string(kind):
            return np.full(len(cells), MISSING, np.int32)
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(pa.string())
        result = np.full(len(cells), MISSING, np.int32)
        tidied = pc.utf8_trim_whitespace(cells)
        tidied = pc.if_else(pc.less_equal(pc.utf8_length(tidied), MAX_DATE_TEXT), tidied, None)
        for pattern in self._patterns:
            found = pc.extract_regex(tidied, pattern)
            rows = np.flatnonzero(pc.is_valid(found).to_numpy(zero_copy_only=False))
            if rows.size:
                times = found.field("time").take(pa.array(rows))
                result[rows] = self._of_times(times)
        return result

    def _of_times(self, times: pa.Array) -> Seconds:
        """Fractions of a second are left out first: of whole seconds there are few."""
        column = distinct_texts(pc.replace_substring_regex(times, _FRACTION, ""))
        for text in column.texts:
            if text not in self._seconds:
                self._seconds[text] = second_of_day(text)
        seconds = np.array([self._seconds[text] for text in column.texts], np.int32)
        of_rows: Seconds = seconds[column.codes]
        return of_rows


def second_of_day(time: str) -> int:
    """The second of a time as it may be behind a day; the 60th of a leap second is the 59th.

    >>> second_of_day(" 10:30:05"), second_of_day("T0930Z"), second_of_day(", 12:15 am")
    (37805, 34200, 900)
    """
    parts = _PARTS.match(time)
    if parts is None:
        return MISSING
    hour, minute, second = (int(part or 0) for part in parts.groups()[:3])
    if parts[4]:
        hour = hour % _NOON + (_NOON if parts[4] in "Pp" else 0)
    return (hour * 60 + minute) * 60 + min(second, 59)
