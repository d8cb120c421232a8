# SPDX-License-Identifier: Apache-2.0
"""All codes of a row in one or a few whole numbers, as the rows come to the runner.

A database spends as much on a column of few values as on one of many. So the codes of a row lie
beside each other in words of 63 bits, which no sign can spoil, and the first word begins with the
bucket of its person: the rows of some buckets are those within two bounds. Where a column is says
its declaration alone, so that no statement depends on what is in a table.

    bucket        ward      stay      seen              ill
    000010110010  00000011  00011010  0000001100101110  00000010  -> one word
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ibis.expr.types as ir
import pyarrow as pa

from dpdesk.engine.meaning import Ints, Kind
from dpdesk.engine.people import BUCKETS

_WIDTH = 63
_BEGIN = _WIDTH - (BUCKETS - 1).bit_length()
"""Where the bucket begins in the first word."""


@dataclass(frozen=True)
class CodeField:
    """Where the codes of a column are.

    Attributes:
        word: the column of words.
        shift: how many bits of the word are below.
        bits: how many it has itself.
        least: the smallest code, which is there as 0.
    """

    word: str
    shift: int
    bits: int
    least: int

    def packed(self, codes: Ints) -> Ints:
        """Codes at their place, all other bits 0: the sum of a row's is its word."""
        return (codes - self.least) << self.shift

    def codes(self, fetched: pa.Table) -> Ints:
        """The codes of some rows."""
        words: Ints = fetched.column(self.word).to_numpy()
        return ((words >> self.shift) & ((1 << self.bits) - 1)) + self.least


class WordLayout:
    """Gives each column its place."""

    def __init__(self) -> None:
        self._number, self._free = 0, _BEGIN

    def place(self, kind: Kind) -> CodeField:
        """The next column's.

        Args:
            kind: the whole numbers that hold its codes. No column has codes of more than 32 bits.
        """
        bits = min(8 * kind.itemsize, _WIDTH - 1)
        if bits > self._free:
            self._number, self._free = self._number + 1, _WIDTH
        self._free -= bits
        return CodeField(f"w{self._number}", self._free, bits, -1 << bits - 1)


def words_of(
    rows: ir.Table, columns: Mapping[str, tuple[str, CodeField]], bucket: ir.Value
) -> dict[str, ir.Value]:
    """The words of each row.

    Args:
        columns: of each column of packed codes the name of what it codes, and its field.
        bucket: of the row's person.
    """
    words = {"w0": bucket.cast("int64") * (1 << _BEGIN)}
    for column, (_, field) in columns.items():
        before = words.get(field.word)
        words[field.word] = rows[column] if before is None else before + rows[column]
    return words


def of_pass(rows: ir.Table, number: int, passes: int) -> ir.Table:
    """The rows of the people of one pass, by their buckets."""
    bounds = [BUCKETS * one // passes << _BEGIN for one in (number, number + 1)]
    return rows.filter(rows["w0"] >= bounds[0], rows["w0"] < bounds[1])
