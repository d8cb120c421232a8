# SPDX-License-Identifier: Apache-2.0
"""Days, moments and times of day that a file knows as such, in the few ways of ``batch.Batch``.

A day is a date32. A moment is a text, ``2021-03-04 13:45:00``, and at midnight the day alone: one
rule for every kind of file, so that the same table gives the same cells. What lies outside the
calendar's years becomes its first or last day, which is outside every declared period too.
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.files.value_texts import duration_text

Doubles = npt.NDArray[np.float64]

FIRST_DAY, LAST_DAY = -719_162, 2_932_896
"""0001-01-01 and 9999-12-31, in days from 1970-01-01."""

_DAY = 86_400
_MICRO = 1_000_000


def days(numbers: Doubles) -> pa.Array:
    """Days from 1970-01-01 as date32; NaN is the empty cell."""
    empty = np.isnan(numbers)
    whole = np.clip(np.floor(np.where(empty, 0, numbers)), FIRST_DAY, LAST_DAY)
    return pa.array(whole.astype(np.int32), pa.int32(), mask=empty).cast(pa.date32())


def moments(seconds: Doubles) -> pa.Array:
    """Seconds from 1970-01-01 as texts; NaN is the empty cell."""
    empty = np.isnan(seconds)
    least, most = FIRST_DAY * _DAY, LAST_DAY * _DAY + _DAY - 1
    inside = np.clip(np.where(empty, 0, seconds), least, most)
    whole = np.floor(inside)
    micros = whole.astype(np.int64) * _MICRO + np.rint((inside - whole) * _MICRO).astype(np.int64)
    return moment_texts(pa.array(micros, pa.timestamp("us"), mask=empty))


def times(seconds: Doubles) -> pa.Array:
    """Seconds as ``13:45:00``, with as many hours as there are; NaN is the empty cell."""
    values, places = np.unique(seconds, return_inverse=True)
    texts = [None if np.isnan(v) else _seconds_text(float(v)) for v in values]
    return pa.array(texts, pa.string()).take(pa.array(places))


def moment_texts(cells: pa.Array) -> pa.Array:
    """Moments without a zone as texts. Many rows share one: each is written once."""
    encoded = cells.dictionary_encode()
    texts = encoded.dictionary.cast(pa.string())
    texts = pc.replace_substring_regex(texts, r"\.0+$", "")
    texts = pc.replace_substring_regex(texts, r" 00:00:00$", "")
    return pa.DictionaryArray.from_arrays(encoded.indices, texts)


def _seconds_text(seconds: float) -> str:
    try:
        return duration_text(timedelta(seconds=seconds))
    except OverflowError:
        return repr(seconds)
