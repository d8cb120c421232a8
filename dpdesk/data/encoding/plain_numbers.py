# SPDX-License-Identifier: Apache-2.0
"""Plain numbers to grid indices, many at a time, exactly as :class:`GridReader` reads each.

Plain is a number of at most 14 characters: digits, perhaps a sign before and a point among them.
Nearly all are. The rest, and every number that leaves a doubt, is left to the exact reader.

A double is within 2**-53 of itself of its text; scaled by a power of ten, less the bound and
divided by the step, within 0.001 of what its text would give: bounds have less than 2**40 units.
So where it is not within 0.001 of the middle between two steps, or within 0.01 units of a bound,
its nearest step is that of the text. What is left is looked at more closely:

Two decimals of at most 15 digits never share their nearest double. A plain text has at most 14
digits, and its double is the nearest one (pyarrow reads numbers correctly rounded). Scaled by
a power of ten and rounded, the double becomes an integer of at most 15 digits; if that integer
over the same power, one correctly rounded division, gives the double again, it is the very number
that the text says. All that follows is arithmetic on integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.number import DecimalNumber, GridReader, NumberReader
from dpdesk.data.files.value_texts import number_text

PLAIN_CHARACTERS = 14
_DIGITS = 10**15
_INTEGER_DIGITS = 19
_MOST_DECIMALS = 8
_FINER = 4
"""Cells are rounded to this many more decimals than bounds and step have."""

_KEEP = {".": b"0123456789.-", ",": b"0123456789,-"}
_COMMA = bytes.maketrans(b",", b".")
_PLAIN = r"^-?[0-9]{1,13}(?:[.][0-9]{0,12})?$"

_CLEARLY_NEAREST = 0.499
_CLEARLY_INSIDE = 0.01

Codes = npt.NDArray[np.int64]
Rows = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


class PlainNumbers:
    """Codes plain numbers of one column."""

    def __init__(
        self,
        grid: GridReader,
        decimal: str,
        outside: tuple[int, int],
        markers: Iterable[DecimalNumber] = (),
    ) -> None:
        """Take over the column's grid.

        Args:
            grid: reads the column's cells one by one.
            decimal: the decimal mark.
            outside: the codes of numbers below and above the bounds.
            markers: numbers that mean "missing".
        """
        self._decimal = decimal
        markers = tuple(markers)
        self._whole_markers = np.array([*_whole(markers)], np.int64)
        self._markers = np.array([*_doubles(markers, grid, decimal)], np.float64)
        self._below, self._above = outside
        self._last = grid.last
        self._lower, self._upper, self._step, exponent = grid.declared
        # Where bounds and step are whole hundreds, say, they are scaled instead of the cells.
        scale = 10 ** max(0, exponent)
        self._lower, self._upper = self._lower * scale, self._upper * scale
        self._step, self._decimals = self._step * scale, max(0, -exponent)

    @property
    def possible(self) -> bool:
        """Whether bounds and step are short enough for all this."""
        most = max(abs(self._lower), abs(self._upper), self._step)
        return self._decimals <= _MOST_DECIMALS and most * 10**_FINER < _DIGITS // 4

    def code(self, texts: pa.Array) -> tuple[Codes, Mask]:
        """Code the plain numbers among texts.

        Returns:
            A code for each, and which are not plain; there the code means nothing.
        """
        values = self._values(texts)
        if values is not None:
            return self.code_values(values)
        # One invalid cell is no reason to read all others one by one.
        tidy = pc.ascii_trim_whitespace(texts)
        if self._decimal == ",":
            tidy = pc.if_else(pc.match_substring(tidy, "."), None, tidy)
            tidy = pc.replace_substring(tidy, ",", ".")
        plain = pc.and_(
            pc.match_substring_regex(tidy, _PLAIN),
            pc.less_equal(pc.binary_length(tidy), PLAIN_CHARACTERS),
        )
        return self.code_values(pc.cast(pc.if_else(plain, tidy, None), pa.float64()))

    def code_values(self, values: pa.Array) -> tuple[Codes, Mask]:
        """The same for integers or doubles; null is not plain."""
        invalid = values.is_null().to_numpy(zero_copy_only=False)
        known = pc.fill_null(values, 0) if values.null_count else values
        numbers = known.to_numpy(zero_copy_only=False)
        if numbers.dtype.kind == "f":
            codes, doubtful = self._of_doubles(numbers)
            invalid |= doubtful
            return _marked(codes, numbers, self._markers), invalid
        # Not as doubles, of which one stands for many long integers. The bounds are rounded
        # outward, so that what is outside stays outside and nothing overflows.
        scale = 10**self._decimals
        lowest, highest = self._lower // scale - 1, -(-self._upper // scale) + 1
        codes = self._placed(np.clip(numbers, lowest, highest) * scale, 1)
        return _marked(codes, numbers, self._whole_markers), invalid

    def _values(self, texts: pa.Array) -> pa.Array | None:
        """The numbers, if all that is written there are plain ones."""
        if len(texts) == 0 or texts.null_count == len(texts):
            return pa.nulls(len(texts), pa.int64())
        validity, offsets, data = _buffers(texts)
        if data.translate(None, _KEEP[self._decimal]):
            return None
        if int(np.diff(offsets).max()) > PLAIN_CHARACTERS:
            return None
        if self._decimal.encode() not in data:
            return _cast(texts, pa.int64())
        if self._decimal == ",":
            data = data.translate(_COMMA)
            shifted = pa.py_buffer((offsets - offsets[0]).astype(np.int32))
            parts = [validity, shifted, pa.py_buffer(data)]
            texts = pa.Array.from_buffers(pa.string(), len(texts), parts, texts.null_count)
        return _cast(texts, pa.float64())

    def _of_doubles(self, numbers: npt.NDArray[np.float64]) -> tuple[Codes, Mask]:
        scale = 10.0**self._decimals
        lowest, highest = self._lower / scale, self._upper / scale
        # What is far outside is not looked at closely; the bounds' neighbours are.
        near = np.clip(numbers, lowest - 1, highest + 1)
        unknown = ~np.isfinite(numbers)
        near[unknown] = lowest
        scaled = near * scale
        steps = (scaled - self._lower) / self._step
        nearest = np.rint(steps)
        clear = np.abs(steps - nearest) < _CLEARLY_NEAREST
        clear &= (scaled > self._lower + _CLEARLY_INSIDE) & (scaled < self._upper - _CLEARLY_INSIDE)
        codes = nearest.astype(np.int64)
        rows = np.flatnonzero(~clear)
        for finer in (1, 10**_FINER):
            rows = rows[~self._place_exactly(near, rows, codes, finer)]
        unknown[rows] = True
        return codes, unknown

    def _place_exactly(
        self, near: npt.NDArray[np.float64], rows: Rows, codes: Codes, finer: int
    ) -> Mask:
        """Code the numbers that have no more decimals than this; say which they are."""
        scale = 10.0**self._decimals * finer
        scaled = np.rint(near[rows] * scale)
        sure: Mask = scaled / scale == near[rows]
        codes[rows[sure]] = self._placed(scaled[sure].astype(np.int64), finer)
        return sure

    def _placed(self, scaled: Codes, finer: int) -> Codes:
        """Grid indices, halves to the even one, of exact multiples of the scale."""
        lower, upper, step = self._lower * finer, self._upper * finer, self._step * finer
        above = scaled - lower
        if step == 1:
            codes = above
        else:
            codes = above // step
            rest = above - codes * step
            codes += (2 * rest > step) | ((2 * rest == step) & (codes & 1 == 1))
        np.clip(codes, 0, self._last, out=codes)
        low, high = scaled < lower, scaled > upper
        if low.any():
            codes[low] = self._below
        if high.any():
            codes[high] = self._above
        return codes


def _marked(codes: Codes, numbers: npt.NDArray[Any], markers: npt.NDArray[Any]) -> Codes:
    if len(markers):
        codes[np.isin(numbers, markers)] = MISSING
    return codes


def _whole(numbers: Iterable[DecimalNumber]) -> Iterator[int]:
    """Those that are integers of 64 bits."""
    for digits, exponent in numbers:
        if 0 <= exponent <= _INTEGER_DIGITS and -(2**63) <= digits * 10**exponent < 2**63:
            yield digits * 10**exponent


def _doubles(
    numbers: Iterable[DecimalNumber], reader: NumberReader, decimal: str
) -> Iterator[float]:
    """Those that some double says as its text; no cell that is a double says one of the others."""
    for number in numbers:
        double = float(f"{number.digits}e{number.exponent}")
        if reader.read(number_text(double, decimal)) == number:
            yield double


def _buffers(texts: pa.Array) -> tuple[pa.Buffer | None, npt.NDArray[np.int32], bytes]:
    """Validity, offsets and bytes of an array of texts that is not a slice."""
    if texts.offset or texts.type != pa.string():
        texts = pa.concat_arrays([texts.cast(pa.string()), pa.array([], pa.string())])
    validity, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int32, len(texts) + 1)
    whole = memoryview(data)[places[0] : places[-1]] if data is not None else b""
    return validity, places, bytes(whole)


def _cast(texts: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        return pc.cast(texts, kind)
    except pa.ArrowException:
        return None
