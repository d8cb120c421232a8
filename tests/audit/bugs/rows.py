# SPDX-License-Identifier: Apache-2.0
"""Bugs of reading, ids, the contribution bound and exact sums."""

from __future__ import annotations

import logging
import warnings
from typing import Any

import numpy as np
import pytest

from dpdesk.data import encode
from dpdesk.data.aggregation import aggregate
from dpdesk.data.encoding import column_coder, number
from dpdesk.data.encoding.number import GridReader
from dpdesk.data.encoding.parse import MISSING, UNPARSABLE
from dpdesk.data.encoding.table import EncodedColumn
from dpdesk.data.files.cells import TextColumn
from dpdesk.data.people import bounding, hashed_ids, person_keys, plain_ids
from dpdesk.data.people.person_keys import People, PersonCoder
from tests.audit.bugs.planting import Bug, bug

ROWS: list[Bug] = []


def _wide_codes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(column_coder, "_smallest_dtype", lambda _column: np.dtype(np.int64))


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
    real = column_coder.ColumnCoder.column

    def column(self: Any) -> EncodedColumn:
        found = real(self)
        odd = (found.codes == UNPARSABLE).any()
        codes = np.full_like(found.codes, UNPARSABLE) if odd else found.codes
        return EncodedColumn(codes, found.missing_code)

    patch.setattr(column_coder.ColumnCoder, "column", column)


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
        counted = aggregate._counted_rows(table, study, asked)
        cells, size = aggregate._cells(table, study, asked, counted)
        return np.bincount(cells, minlength=size).astype(np.int64)

    patch.setattr(aggregate, "_people_per_cell", rows)


@bug(ROWS, "contributions not bounded", "replay", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_rows
    patch.setattr(encode, "bound_rows", lambda ids, _k, *more: real(ids, 1 << 40, *more))


@bug(ROWS, "contributions bounded in each group apart", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def per_ward(ids: PersonCoder, k: int, priorities: Any, content: Any) -> bounding.KeptRows:
        people = ids.people()
        ward = content(np.arange(len(priorities)))[1].clip(-1)
        apart = np.where(people.codes < 0, -1, people.codes * 10 + ward + 1)
        kept = bounding.bound_contributions(apart, k, priorities)
        return bounding.KeptRows(
            np.flatnonzero(kept), people.codes[kept], people.keys, people.count
        )

    patch.setattr(encode, "bound_rows", per_ward)


@bug(ROWS, "the bound keeps one row too many", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_rows
    patch.setattr(encode, "bound_rows", lambda ids, k, *more: real(ids, k + 1, *more))


@bug(ROWS, "the faster bound keeps one row too many", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_integers
    patch.setattr(bounding, "bound_integers", lambda ids, k, *more: real(ids, k + 1, *more))


@bug(ROWS, "the slower bound keeps one row too many", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = bounding.bound_contributions
    patch.setattr(
        bounding, "bound_contributions", lambda persons, k, *more: real(persons, k + 1, *more)
    )


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


@bug(ROWS, "the bits that are left out of ids tell rows apart", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = plain_ids.narrow

    def narrow(low: Any, high: Any, most: int) -> Any:
        rows = np.flatnonzero(low >= 0)
        found = real(low, high, most)
        if found is not None:
            found.ids[rows] = found.ids[rows] * 2 + rows % 2
        return found

    patch.setattr(person_keys, "narrow", narrow)


@bug(ROWS, "each row without an id is a person", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = PersonCoder.people

    def people(self: Any) -> People:
        found = real(self)
        codes = found.codes.copy()
        nobody = (codes < 0) | (codes >= len(found.keys))
        codes[nobody] = len(found.keys) + np.arange(nobody.sum())
        count = len(found.keys) + int(nobody.sum())
        return People(codes, found.keys, count, np.bincount(codes, minlength=count))

    patch.setattr(PersonCoder, "people", people)
    patch.setattr(bounding, "bound_integers", lambda *_arguments: None)


@bug(ROWS, "values are told apart by case where somebody writes them in two ways", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = column_coder.ColumnCoder._parsed

    def parsed(self: Any, column: Any) -> Any:
        texts = {text.strip() for text in column.texts}
        if len({text.casefold() for text in texts}) < len(texts):
            known = {"A", "B", "C", "F", "M", "yes", "no"}
            exact = [text if text.strip() in known else "\x00" for text in column.texts]
            column = TextColumn(column.codes, exact)
        return real(self, column)

    patch.setattr(column_coder.ColumnCoder, "_parsed", parsed)


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


def _on_odd_numbers(patch: pytest.MonkeyPatch, tell: Any) -> None:
    real = GridReader.read

    def read(self: Any, text: str) -> Any:
        found = real(self, text)
        if found is None and text.strip(" ?"):
            tell(text)
        return found

    patch.setattr(GridReader, "read", read)
