# SPDX-License-Identifier: Apache-2.0
"""Ids as 128 bits each.

Ids of up to 18 digits are their own key, and so are ids of up to 20 plain letters and digits (see
``plain_ids``). Any other id is hashed to 126 bits (see ``hashed_ids``), so that two people share a
key with a chance below 1e-20 even among a billion. Keys need 16 bytes a person, texts some 100,
and they depend on the id and the ledger's key alone, so that a sketch of them recognises the same
people in another file.

Most columns get their keys many at a time, as their cells are in the file. What is left is
folded by the rules of ``person``, text by text, and gets the same key as if it had been written
so in the file.
"""

from __future__ import annotations

from secrets import token_bytes
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.arrays.growable_array import GrowableArray
from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.files.cells import distinct_texts
from dpdesk.data.files.value_texts import UNREADABLE_ID
from dpdesk.data.people.hashed_ids import KEY_BYTES, IdHash
from dpdesk.data.people.id_shape import ShapeReader
from dpdesk.data.people.id_words import NO_ID, IdKeys, Ints
from dpdesk.data.people.person import normalise_ids
from dpdesk.data.people.plain_ids import pack_ids
from dpdesk.study.model.unit import IdShape

_LONGEST = 18
_DIGITS = b"0123456789"
_LOOK = 64
_NOBODY = NO_ID - 1
"""Of a cell that says that there is no id; a blank one, ``NO_ID``, may be filled from above."""

_ODD = "\x00"
"""Stands for a text that is hashed alone, among those that are not."""

PROCESS_KEY = token_bytes(KEY_BYTES)
"""Of this process, where no ledger is asked for its own."""


class PersonCoder:
    """Collects ids batch by batch.

    Attributes:
        pools_without_id: whether rows without an id are together one person.
    """

    def __init__(
        self,
        markers: tuple[str, ...],
        leading_zeros: bool = False,
        without_id: Literal["drop", "one-person"] = "drop",
        key: bytes = PROCESS_KEY,
        fills_down: bool = False,
        shape: IdShape | None = None,
    ) -> None:
        """Start with no rows.

        Args:
            markers: texts that mean "no id"; the empty cell always does.
            leading_zeros: whether zeros before a number matter.
            without_id: whether rows without an id are left out or are together one person.
            key: what ids are hashed with, ``KEY_BYTES`` secret bytes.
            fills_down: whether a row with nothing in its cell has the id of the row above.
            shape: what an id looks like; a cell of another shape says that there is none.
        """
        self._leading_zeros = leading_zeros
        self._hash = IdHash(key)
        self._above = _FilledFrom() if fills_down else None
        self._marker = _NOBODY if fills_down else NO_ID
        self._shape = ShapeReader(shape) if shape is not None else None
        none = self._of_texts([*markers, UNREADABLE_ID] if fills_down else list(markers))
        pairs = zip(none.low.tolist(), none.high.tolist(), strict=True)
        self._none = [pair for pair in pairs if pair[0] >= 0]
        self.pools_without_id = without_id == "one-person"
        self._low = GrowableArray(np.dtype(np.int64))
        self._high: GrowableArray[np.int64] | int = 0

    def begin_file(self) -> None:
        """The next rows are of another file: its first ones are not filled from those before."""
        if self._above is not None:
            self._above = _FilledFrom()

    def ids(self, cells: pa.Array) -> Keys:
        """The keys of a batch's cells; may be asked in several threads at once.

        Low halves are 0 or more, or ``NO_ID`` where a cell is no id.
        """
        numbers = None if self._leading_zeros else _numbers(cells)
        if numbers is not None:
            return self._marked(numbers, 0, cells)
        keys = self._of_rows(cells) if pa.types.is_string(cells.type) else self._of_values(cells)
        return self._marked(keys.low, _all_or_one(keys), cells)

    def _marked(self, low: Ints, high: Ints | int, cells: pa.Array) -> Keys:
        """Ids without those that mean that there is none."""
        for none_low, none_high in self._none:
            same = low == none_low
            if same.any():
                low = np.where(same & (high == none_high), self._marker, low)
        if self._shape is not None:
            low = np.where((low >= 0) & ~self._shape.fits(cells), self._marker, low)
        return Keys(low, high)

    def _of_rows(self, cells: pa.Array) -> IdKeys:
        """The keys of cells that hardly repeat: most many at a time, the others one by one."""
        keys = self._at_once(cells)
        rest = np.flatnonzero(~keys.found)
        if rest.size:
            keys.put(rest, self._of_values(cells.take(pa.array(rest))))
        return keys

    def _of_values(self, cells: pa.Array) -> IdKeys:
        """The keys of cells that may repeat."""
        column = distinct_texts(cells)
        keys = self._of_texts(column.texts)
        return IdKeys(*(part[column.codes] for part in (keys.low, keys.high, keys.found)))

    def _of_texts(self, texts: list[str]) -> IdKeys:
        """The keys of cells that need to be folded first."""
        ids = normalise_ids(texts, self._leading_zeros)
        keys = self._at_once(pa.array([i if i.isascii() else _ODD for i in ids], pa.string()))
        for place in np.flatnonzero(~keys.found):
            keys.high[place], keys.low[place] = self._hash.one(ids[place])
        keys.found[:] = True
        return keys

    def _at_once(self, cells: pa.Array) -> IdKeys:
        """The keys of the cells that are folded already, or differ from that by case alone."""
        keys = pack_ids(cells, digits=self._leading_zeros)
        for way in (self._hash.tidy, self._short):
            rest = np.flatnonzero(~keys.found)
            if rest.size == len(cells):
                keys = way(cells)
            elif rest.size:
                keys.put(rest, way(cells.take(pa.array(rest))))
        return keys

    def _short(self, cells: pa.Array) -> IdKeys:
        """The keys of numbers, and of cells of nothing."""
        keys = IdKeys.of_none(len(cells))
        lengths = _filled(pc.binary_length(cells), 0)
        keys.found[:] = lengths == 0
        if not self._leading_zeros:
            numbers = _filled(pc.ascii_is_decimal(cells), False) & (lengths <= _LONGEST)
            keys.low[numbers] = pc.cast(cells.filter(pa.array(numbers)), pa.int64())
            keys.found[numbers] = True
        keys.low[lengths == 0], keys.high[:] = NO_ID, 0
        return keys

    def add(self, ids: Keys) -> None:
        """Take in the ids of the next rows, in file order."""
        if self._above is not None:
            ids = self._above.fill(ids)
        if not len(self._low):
            self._high = ids.high if isinstance(ids.high, int) else _grown(0, 0)
        elif isinstance(self._high, int) and not _are(ids.high, self._high):
            self._high = _grown(len(self._low), self._high)
        if not isinstance(self._high, int):
            self._high.add(np.broadcast_to(np.asarray(ids.high, np.int64), len(ids.low)))
        self._low.add(ids.low)

    def seen(self) -> Keys:
        """The keys of all rows, kept; none can be added while they are about."""
        low = self._low.all()
        if isinstance(self._high, int):
            return Keys(low, self._high)
        return Keys(low, np.where(low < 0, 0, self._high.all()))

    def keys(self) -> Keys:
        """Give the keys of all rows away; those without an id share that of ``NO_ID`` and 0."""
        low, self._low = self._low.all(), GrowableArray(np.dtype(np.int64))
        if isinstance(self._high, int):
            return Keys(low, self._high)
        high, self._high = self._high.all(), 0
        # Whatever the cell held: they are nobody, or one person together, never several.
        high[low < 0] = 0
        return Keys(low, high)


class _FilledFrom:
    """The id of the row above, from batch to batch.

    A row's id is that of the last row at or above it whose cell holds something; ``_NOBODY``
    holds something, too: the rows below it have no id. So rows fall into blocks, each of which
    begins with a row that says whose it is, and a block that is taken out or put between two
    others changes whose rows any other one holds nowhere.

        cells    A  -  -  B  ?  -  A      (- nothing, ? a marker of no id)
        ids      A  A  A  B        A
    """

    def __init__(self) -> None:
        self._low, self._high = _NOBODY, 0

    def fill(self, ids: Keys) -> Keys:
        """The ids of the next rows, each blank one filled."""
        if not len(ids.low):
            return ids
        says = np.where(ids.low == NO_ID, -1, np.arange(len(ids.low)))
        last = np.maximum.accumulate(says)
        low = np.where(last < 0, self._low, ids.low[last])
        high: Ints | int = ids.high
        if not isinstance(high, int) or (last[0] < 0 and self._low >= 0 and high != self._high):
            whole = np.broadcast_to(np.asarray(high, np.int64), len(low))
            high = np.where(last < 0, self._high, whole[last])
        self._low = int(low[-1])
        self._high = high if isinstance(high, int) else int(high[-1])
        return Keys(np.where(low < 0, NO_ID, low), high)


def _grown(rows: int, value: int) -> GrowableArray[np.int64]:
    """This many rows of one value."""
    column = GrowableArray(np.dtype(np.int64))
    column.add(np.full(rows, value, np.int64))
    return column


def _are(high: Ints | int, one: int) -> bool:
    return isinstance(high, int) and high == one


def _all_or_one(keys: IdKeys) -> Ints | int:
    """The high halves, or the one of all rows that have an id."""
    known = keys.low >= 0
    high = keys.high if known.all() else keys.high[known]
    least = int(high.min()) if high.size else 0
    return least if not high.size or least == high.max() else keys.high


def _filled(values: pa.Array, null: object) -> npt.NDArray[Any]:
    filled: npt.NDArray[Any] = pc.fill_null(values, null).to_numpy(zero_copy_only=False)
    return filled


def _numbers(cells: pa.Array) -> Ints | None:
    """Ids as numbers, ``NO_ID`` for empty cells; ``None`` unless all others are just digits."""
    if pa.types.is_string(cells.type):
        if not _only_digits(cells):
            return None
        lengths = pc.min_max(pc.binary_length(cells)).as_py()
        if lengths["min"] == 0 or (lengths["max"] or 0) > _LONGEST:
            return None
        cells = pc.cast(cells, pa.int64())
    if not pa.types.is_int64(cells.type):
        return None
    numbers: Ints = pc.fill_null(cells, NO_ID).to_numpy(zero_copy_only=False)
    if numbers.size and (numbers.min() < NO_ID or numbers.max() >= 10**_LONGEST):
        return None
    negative = np.count_nonzero(numbers == NO_ID) != cells.null_count
    return None if negative else numbers


def _only_digits(texts: pa.Array) -> bool:
    """Whether there is nothing but digits; of other columns only the beginning is looked at."""
    data = texts.buffers()[2]
    if data is None or not len(texts):
        return True
    offsets = np.frombuffer(texts.buffers()[1], np.int32, len(texts) + 1 + texts.offset)
    used = memoryview(data)[offsets[texts.offset] : offsets[-1]]
    return all(not bytes(part).translate(None, _DIGITS) for part in (used[:_LOOK], used[_LOOK:]))
