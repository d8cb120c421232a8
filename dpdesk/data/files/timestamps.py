# SPDX-License-Identifier: Apache-2.0
"""Days, moments and times of day that a file knows as such, in the few ways of ``batch.Batch``.

A day is a date32. A moment is a text, ``2021-03-04 13:45:00``, and at midnight the day alone: one
rule for every kind of file, so that the same table gives the same cells. What is outside the
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


_PER_SECOND = {"s": 1, "ms": 1_000, "us": _MICRO, "ns": 1_000_000_000}


def length_seconds(cells: pa.Array) -> pa.Array:
    """Times of day and durations of any unit as seconds, float64."""
    counts = _counts(cells).cast(pa.float64(), safe=False)
    # Divided: a thousandth is no double, and 9 of them are 0.009.
    return pc.divide(counts, float(_PER_SECOND[cells.type.unit]))


def length_texts(cells: pa.Array) -> pa.Array:
    """Times of day and durations of any unit as ``13:45:00``, with as many hours as there are."""
    encoded = _counts(cells).dictionary_encode()
    each = _PER_SECOND[cells.type.unit]
    texts = [_length_text(count, each) for count in encoded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(texts, pa.string()))


def _counts(cells: pa.Array) -> pa.Array:
    whole = pa.int32() if cells.type.bit_width == 32 else pa.int64()
    return cells.view(whole).cast(pa.int64())


def _length_text(count: int, each: int) -> str:
    """A length of this many parts of a second, as ``duration_text`` writes it.

    Whole numbers all the way: no unit of Arrow's is too fine, and no length too long.
    """
    seconds, rest = divmod(abs(count), each)
    fraction = f".{rest * (_PER_SECOND['ns'] // each):09}".removesuffix("000") if rest else ""
    sign = "-" if count < 0 else ""
    return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def _seconds_text(seconds: float) -> str:
    try:
        return duration_text(timedelta(seconds=seconds))
    except OverflowError:
        return repr(seconds)
