# SPDX-License-Identifier: Apache-2.0
"""Bugs of reading: what one person's line or cell says decides how others are read."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from dpdesk.data import opened, table_rows
from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.encoding.date import DayReader
from dpdesk.data.files import line_ends, source
from dpdesk.data.files.csv import csv_file, records
from dpdesk.data.files.csv.records import LineReader
from dpdesk.data.files.line_ends import LineEnds, ending_of
from dpdesk.data.files.packed import PackedText
from dpdesk.data.files.statistical.statistics_file import StatisticsTable
from dpdesk.data.files.statistical.statistics_reader import StatisticsReader
from dpdesk.data.files.unsupported import refuse_unsupported
from dpdesk.data.files.workbook import workbook_file
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse
from tests.audit.bugs.planting import Bug, bug

LINES: list[Bug] = []


@bug(LINES, "a quoted cell goes on in the lines that follow", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    real = opened.open_table

    def joined(data: DataSource, *more: Any) -> Any:
        return real(replace(data, line_breaks=data.quotes), *more)

    patch.setattr(opened, "open_table", joined)


@bug(LINES, "marks reach the tokeniser as they stand", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LineReader, "rows", lambda _self, block: block)


@bug(LINES, "marks are put in order in a whole block", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    def rows(_self: LineReader, block: bytes) -> bytes:
        return block if block.count(b'"') % 2 == 0 else block.replace(b'"', b"")

    patch.setattr(LineReader, "rows", rows)


@bug(LINES, "a row says what ends a line", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    real = LineEnds.translate

    def translate(self: LineEnds, text: str, final: bool = False) -> str:
        if self._begins_line and text:
            self._ending = ending_of(text) or "lf"
        return real(self, text, final)

    patch.setattr(LineEnds, "translate", translate)
    patch.setattr(LineEnds, "translate_ascii", lambda _self, _text: None)


@bug(LINES, "a first row says the byte order", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    def decoder(declared, stream):  # type: ignore[no-untyped-def]
        marked = stream.read(2) in source._UTF_16_MARKS
        stream.seek(0)
        known = "utf-16" if marked else declared.encoding.replace("utf-16", "utf-16-le")
        return codecs.getincrementaldecoder(known)("replace")

    patch.setattr(source, "_decoder", decoder)


@bug(LINES, "a mark goes at the start of the file alone", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(line_ends, "_MARKS", re.compile("(?!)"))


@bug(LINES, "a first row says how many columns there are", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(table_rows, "declared_header", lambda *given: given[-1])


@bug(LINES, "rows are looked at for another kind of file", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        csv_file,
        "_refuse_unsupported",
        lambda declared, head: refuse_unsupported(head, declared.encoding),
    )


@bug(LINES, "a first row says that the file is packed", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    real = source.open_text
    patch.setattr(source, "open_text", lambda file, *_how: real(file))


@bug(LINES, "a long line is cut by what stands before it", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    def bounded(chunks: Iterator[bytes]) -> Iterator[bytes]:
        seen = 0
        for chunk in chunks:
            room, seen = max(0, source.LINE_BYTES - seen), seen + len(chunk)
            yield chunk[:room]

    patch.setattr(csv_file, "bounded_lines", bounded)


@bug(LINES, "a line that stays open takes its block with it", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    real = records.LineReader.rows

    def rows(self: LineReader, block: bytes) -> bytes:
        return b"\n" if b'"' in block and self.open_lines(block) else real(self, block)

    patch.setattr(LineReader, "rows", rows)


@bug(LINES, "the words of a column's first piece are taken for all", "files", "tables")
def _(patch: pytest.MonkeyPatch) -> None:
    real, first = ColumnCoder.codes, {}

    def codes(self: ColumnCoder, cells: pa.Array) -> Any:
        if pa.types.is_dictionary(cells.type):
            words = first.setdefault(id(self), cells.dictionary)
            if len(words) >= len(cells.dictionary):
                cells = pa.DictionaryArray.from_arrays(cells.indices, words)
        return real(self, cells)

    patch.setattr(ColumnCoder, "codes", codes)


@bug(LINES, "what true means depends on the cells that are there", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    real, truth = ColumnCoder._of_texts, ("True", "False")

    def of_texts(self: ColumnCoder, cells: pa.Array) -> Any:
        texts = cells.to_pylist()
        if not set(texts) <= {None, *truth}:
            cells = pa.array(["" if text in truth else text for text in texts], pa.string())
        return real(self, cells)

    patch.setattr(ColumnCoder, "_of_texts", of_texts)


@bug(LINES, "an odd day turns the order of all that follow", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    real, odd = DayReader.read, list[str]()

    def read(self: DayReader, text: str) -> date | None:
        day = real(self, text)
        if day is None and text:
            odd.append(text)
        return day.replace(month=day.day, day=day.month) if day and odd else day

    patch.setattr(DayReader, "read", read)


@bug(LINES, "a row that cannot be read refuses the workbook", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(workbook_file, "_next_row", lambda rows: next(rows, None))


@bug(LINES, "a row that cannot be read ends the sheet", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    def next_row(rows: Any) -> Any:
        try:
            return next(rows, None)
        except Exception:
            return None

    patch.setattr(workbook_file, "_next_row", next_row)


@bug(LINES, "a text in no encoding refuses the file", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    real = StatisticsReader.tables
    patch.setattr(StatisticsReader, "tables", lambda *asked: real(*asked, strict=True))


@bug(LINES, "a long duration makes minutes of all", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    real = StatisticsTable._cells

    def cells(self: StatisticsTable, table: Any, place: int, in_seconds: bool = False) -> Any:
        found = real(self, table, place, in_seconds)
        longest = pc.max(found).as_py() if in_seconds else None
        return pc.divide(found, 60.0) if longest and longest > 86_400 else found

    patch.setattr(StatisticsTable, "_cells", cells)


@bug(LINES, "a line that packs well refuses the file", "cells")
def _(patch: pytest.MonkeyPatch) -> None:
    def refuse_bomb(self: PackedText) -> None:
        if self._done > max(1 << 20, 250 * self._size):
            raise refuse("data-file-unpacks-large", "$.data.path")

    patch.setattr(PackedText, "_refuse_bomb", refuse_bomb)
