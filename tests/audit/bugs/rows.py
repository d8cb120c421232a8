# SPDX-License-Identifier: Apache-2.0
"""Bugs of reading, ids, the contribution bound and exact sums."""

from __future__ import annotations

import logging
import warnings
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpdesk.data import encode
from dpdesk.data.aggregation import aggregate
from dpdesk.data.arrays import packed_sort
from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encoding import column_coder, number
from dpdesk.data.encoding.missing_and_invalid import MISSING, UNPARSABLE
from dpdesk.data.encoding.number import GridReader
from dpdesk.data.encoding.table import EncodedColumn
from dpdesk.data.files.cells import TextColumn
from dpdesk.data.people import bounding, hashed_ids, person_keys, plain_ids
from dpdesk.data.people.bounding import RowIds
from dpdesk.data.people.person_keys import PersonCoder
from tests.audit.bugs.planting import Bug, bug

ROWS: list[Bug] = []


def _wide_codes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(column_coder, "smallest_dtype", lambda _column: np.dtype(np.int64))


@bug(ROWS, "values are not clipped", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    def index(self: Any, found: Any) -> tuple[int, bool]:
        value = found.digits * 10 ** min(12, max(0, found.exponent - self._exponent))
        return number.round_half_even(max(value - self._lower, 0), self._step), True

    _wide_codes(patch)
    patch.setattr(GridReader, "index", index)


@bug(ROWS, "NaN kept, and cast to the largest integer", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = column_coder.cell_parser

    def parser(*declared: Any, **how: Any) -> Any:
        parse = real(*declared, **how)
        return lambda text: 2**31 if text.strip().lower() == "nan" else parse(text)

    _wide_codes(patch)
    patch.setattr(column_coder, "cell_parser", parser)


@bug(ROWS, "an odd cell turns the whole column into text", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = column_coder.CodedColumn.column

    def column(self: Any, *rows: Any) -> EncodedColumn:
        found = real(self, *rows)
        odd = (found.codes == UNPARSABLE).any()
        codes = np.full_like(found.codes, UNPARSABLE) if odd else found.codes
        return EncodedColumn(codes, found.missing_code)

    patch.setattr(column_coder.CodedColumn, "column", column)


@bug(ROWS, "missing cells filled with the mean", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def counted(self: Any) -> Any:
        known = self.codes[self.codes >= 0]
        mean = round(float(known.mean())) if len(known) else 0
        return np.where(self.codes == MISSING, mean, self.codes)

    patch.setattr(EncodedColumn, "counted", counted)


@bug(ROWS, "sums wrap at 32 bits", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = aggregate._index_sums

    def wrapped(*arguments: Any) -> list[int]:
        return np.array(real(*arguments)).astype(np.int32).tolist()

    patch.setattr(aggregate, "_index_sums", wrapped)


@bug(ROWS, "people counted as rows", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    def rows(table: Any, study: Any, asked: Any) -> Any:
        counted = aggregate.counted_rows(table, study, asked)
        cells, size = aggregate.cells_of(table, study, asked, counted)
        return np.bincount(cells, minlength=size).astype(np.int64)

    patch.setattr(aggregate, "people_per_cell", rows)


@bug(ROWS, "contributions not bounded", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_rows
    patch.setattr(encode, "bound_rows", lambda ids, _k, *more: real(ids, 1 << 40, *more))


@bug(ROWS, "contributions bounded in each group apart", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_rows

    def per_ward(
        ids: RowIds, k: int, priorities: Any, content: Any, *wanted: Any
    ) -> bounding.KeptRows:
        keys, pools = ids.keys(), ids.pools_without_id

        def given(some: Keys) -> Any:
            return SimpleNamespace(keys=lambda: some, pools_without_id=pools)

        whole = real(given(keys), 1 << 40, priorities, content, *wanted)
        ward = content(np.arange(len(priorities)))[1].clip(-1)
        apart = Keys(keys.low, np.where(keys.low < 0, 0, keys.high + ward.astype(np.int64)))
        rows = real(given(apart), k, priorities, content).rows
        places = np.searchsorted(whole.rows, rows)
        order = None if whole.order is None else whole.order[places]
        return replace(whole, rows=rows, persons=whole.persons[places], order=order)

    patch.setattr(encode, "bound_rows", per_ward)


@bug(ROWS, "a limit for each group not kept", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(aggregate, "_limited_by_group", lambda table, *_how: table)


@bug(ROWS, "a limit for each group kept for each bin and value in it", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = aggregate._limited_by_group
    patch.setattr(
        aggregate,
        "_limited_by_group",
        lambda table, study, spec: real(table, study, replace(spec, groupings=len(spec.by))),
    )


@bug(ROWS, "a limit for each group kept for each half of a split one", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(aggregate, "replace", lambda spec, **_how: spec)


@bug(ROWS, "the bound keeps one row too many", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_rows
    patch.setattr(encode, "bound_rows", lambda ids, k, *more: real(ids, k + 1, *more))


@bug(ROWS, "rows per person counted after the row limit", "unlimited")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_rows

    def limited(ids: RowIds, k: int, *more: Any) -> bounding.KeptRows:
        kept = real(ids, k, *more)
        people, most = kept.by_rows, min(k, len(kept.by_rows) - 1)
        cut = np.append(people[:most], people[most:].sum())
        return replace(kept, by_rows=np.pad(cut, (0, len(people) - len(cut))))

    patch.setattr(encode, "bound_rows", limited)


@bug(ROWS, "rows without an id are a person of their own in rows per person", "files", "unlimited")
def _(patch: pytest.MonkeyPatch) -> None:
    real, coder = bounding.people_by_rows, PersonCoder.keys

    def keys(self: Any) -> Keys:
        found = coder(self)
        patch.setattr(bounding, "_without_id", int(np.count_nonzero(found.low < 0)), raising=False)
        return found

    def with_nobody(keys: Keys, order: Any, most: int) -> Any:
        counts = real(keys, order, most)
        nobody = bounding._without_id  # type: ignore[attr-defined]
        counts[min(nobody, most)] += nobody > 0
        return counts

    patch.setattr(PersonCoder, "keys", keys)
    patch.setattr(bounding, "people_by_rows", with_nobody)


@bug(ROWS, "a person is in the line of each number of rows up to its own", "replay", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.people_by_rows

    def at_least(*arguments: Any) -> Any:
        counts = real(*arguments)
        return np.append(0, np.cumsum(counts[:0:-1])[::-1])

    patch.setattr(bounding, "people_by_rows", at_least)


@bug(ROWS, "ids compared as they are written", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(person_keys, "normalise_ids", lambda texts, _zeros=False: list(texts))


@bug(ROWS, "capital letters make another id of a plain one", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    codes = bytearray(plain_ids._CODES)
    others = [*range(29, 48), *[47] * 7]
    codes[ord("A") : ord("Z") + 1] = [plain_ids._LETTER | code for code in others]
    patch.setattr(plain_ids, "_CODES", bytes(codes))


@bug(ROWS, "capital letters make another id of a hashed one", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    signs = bytearray(hashed_ids._SIGNS)
    signs[ord("A") : ord("Z") + 1] = [0x80 | sign for sign in range(ord("A"), ord("Z") + 1)]
    patch.setattr(hashed_ids, "_SIGNS", bytes(signs))


@bug(ROWS, "what an id is sorted by says where its row stands", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = packed_sort._key_bits

    def key_bits(keys: Keys, rows: slice, layout: Any) -> Any:
        places = np.arange(rows.start, rows.stop, dtype=np.uint64)
        return real(keys, rows, layout) * np.uint64(2) + places % np.uint64(2)

    patch.setattr(packed_sort, "_key_bits", key_bits)


@bug(ROWS, "each row without an id is a person", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = PersonCoder.keys

    def keys(self: Any) -> Keys:
        found = real(self)
        low = found.low.copy()
        nobody = np.flatnonzero(low < 0)
        low[nobody] = 10**17 + nobody
        return Keys(low, found.high)

    patch.setattr(PersonCoder, "keys", keys)


@bug(ROWS, "values are told apart by case where somebody writes them in two ways", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = column_coder.distinct_texts

    def distinct(cells: Any, decimal: str) -> Any:
        column = real(cells, decimal)
        texts = {text.strip() for text in column.texts}
        if len({text.casefold() for text in texts}) < len(texts):
            known = {"A", "B", "C", "F", "M", "yes", "no"}
            exact = [text if text.strip() in known else "\x00" for text in column.texts]
            column = TextColumn(column.codes, exact)
        return column

    patch.setattr(column_coder, "distinct_texts", distinct)


@bug(ROWS, "a message quotes an odd cell", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    _on_odd_numbers(patch, _raise)


@bug(ROWS, "a log line quotes an odd cell", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    _on_odd_numbers(patch, lambda text: logging.getLogger("dpdesk").debug("odd: %r", text))


@bug(ROWS, "a warning tells that there are odd cells", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    _on_odd_numbers(patch, lambda _text: warnings.warn("some cells are odd", stacklevel=2))


def _raise(text: str) -> None:
    raise ValueError(f"could not convert string to float: {text!r}")


def _on_odd_numbers(patch: pytest.MonkeyPatch, report: Any) -> None:
    real = GridReader.read

    def read(self: Any, text: str) -> Any:
        found = real(self, text)
        if found is None and text.strip(" ?"):
            report(text)
        return found

    patch.setattr(GridReader, "read", read)
