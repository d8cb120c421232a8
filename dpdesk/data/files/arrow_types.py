# SPDX-License-Identifier: Apache-2.0
"""Arrow's many types to the few that ``batch.Batch`` knows.

What a cell becomes depends on its column's type and on the cell, on no other cell: one person's
row must not change how another's is read. Where a type says more than the few do, its cells
become texts.
"""

from __future__ import annotations

from uuid import UUID

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from dpdesk.data.files.timestamps import (
    FIRST_DAY,
    LAST_DAY,
    length_seconds,
    length_texts,
    moment_texts,
)
from dpdesk.study.problem import refuse

_UTC = frozenset({"UTC", "Etc/UTC", "GMT", "Z", "+00:00", "Zulu"})


def one_value_cells(cells: pa.Array, decimal: str = ".", seconds: bool = False) -> pa.Array:
    """Cells of any flat type as string, dictionary of strings, int64, double, date32 or boolean.

    Args:
        decimal: the mark with which numbers are written that only a text holds.
        seconds: whether times of day and durations become seconds, else texts as ``13:45:00``.

    Raises:
        Refused: ``data-file-damaged`` at ``$.data.path``, for what no rule is known.
    """
    try:
        return _flat(cells, decimal, seconds)
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        # Arrow's messages quote cells: nothing of them may travel on, not even as a context.
        problem = refuse("data-file-damaged", "$.data.path")
    raise problem


def _flat(cells: pa.Array, decimal: str, seconds: bool) -> pa.Array:
    kind = cells.type
    if isinstance(kind, pa.BaseExtensionType):
        is_uuid = kind.extension_name == "arrow.uuid"
        return _uuids(cells.storage) if is_uuid else _flat(cells.storage, decimal, seconds)
    if types.is_dictionary(kind):
        return _encoded(cells, decimal, seconds)
    if types.is_floating(kind):
        return _doubles(cells)
    if types.is_integer(kind) and kind != pa.uint64():
        return cells.cast(pa.int64())
    if types.is_date(kind):
        return _days(cells.cast(pa.date32(), safe=False))
    if types.is_boolean(kind):
        return cells
    if types.is_time(kind) or types.is_duration(kind):
        return length_seconds(cells) if seconds else length_texts(cells)
    return _texts(cells, decimal)


def _texts(cells: pa.Array, decimal: str) -> pa.Array:
    kind = cells.type
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return _decoded(cells)
    if types.is_timestamp(kind):
        return _moments(cells)
    if any(test(kind) for test in _BYTES):
        return _decoded(cells)
    return pc.replace_substring(cells.cast(pa.string()), ".", decimal)


_BYTES = (
    types.is_binary,
    types.is_large_binary,
    types.is_binary_view,
    types.is_fixed_size_binary,
)


def _encoded(cells: pa.DictionaryArray, decimal: str, seconds: bool) -> pa.Array:
    words = _flat(cells.dictionary, decimal, seconds)
    if types.is_dictionary(words.type):
        words = words.dictionary_decode()
    if not types.is_string(words.type):
        return words.take(cells.indices)
    return pa.DictionaryArray.from_arrays(cells.indices.cast(pa.int32()), words)


def _doubles(cells: pa.Array) -> pa.Array:
    if not types.is_float64(cells.type):
        # By its shortest text: a single 0.1 is 0.1, not 0.10000000149.
        cells = cells.cast(pa.float32()).cast(pa.string()).cast(pa.float64())
    return pc.if_else(pc.is_nan(cells), None, cells)


def _decoded(cells: pa.Array) -> pa.Array:
    """Texts whose bytes may be anything; what is not UTF-8 becomes U+FFFD."""
    try:
        texts = cells.cast(pa.string())
        texts.validate(full=True)
        return texts
    except pa.ArrowInvalid:
        raw = cells.cast(pa.large_binary()).to_pylist()
    return pa.array([None if c is None else c.decode("utf-8", "replace") for c in raw], pa.string())


def _uuids(cells: pa.Array) -> pa.Array:
    raw = cells.to_pylist()
    return pa.array([None if cell is None else str(UUID(bytes=cell)) for cell in raw], pa.string())


def _days(cells: pa.Array) -> pa.Array:
    first, last = (pa.scalar(day, pa.int32()) for day in (FIRST_DAY, LAST_DAY))
    numbers = pc.max_element_wise(cells.cast(pa.int32()), first, skip_nulls=False)
    return pc.min_element_wise(numbers, last, skip_nulls=False).cast(pa.date32())


def _moments(cells: pa.Array) -> pa.Array:
    zone = cells.type.tz
    if zone is not None:
        there = cells if zone in _UTC else pc.local_timestamp(cells)
        cells = there.cast(pa.timestamp(cells.type.unit))
    return moment_texts(cells)
