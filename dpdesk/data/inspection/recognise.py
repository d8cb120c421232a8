# SPDX-License-Identifier: Apache-2.0
"""A first guess at a file's layout: its format, and what that needs to be read.

No cell is looked at, but for the first row of a workbook's only sheet: whether it is a header.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from dpdesk.data.files.line_ends import ending_of
from dpdesk.data.files.magic import format_of
from dpdesk.data.files.packed import open_text
from dpdesk.data.files.source import open_data
from dpdesk.data.files.unsupported import refuse_foreign
from dpdesk.data.progress import CancelToken
from dpdesk.data.reader_process.book import propose_workbook
from dpdesk.study.checks.study_checks import SEPARATORS
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse

_SAMPLE_BYTES = 1 << 16
_QUOTED = re.compile(r'"[^"]*"')
_LINE_END = re.compile(r"[\r\n]")


def recognise(path: Path, cancel: CancelToken | None = None) -> DataSource:
    """Guess how a file is to be read; the custodian may correct every part.

    The format is what the content says, and what the name says where that is silent. Of a
    workbook, sheet and header row stay open where there is a choice. The separator of a text is
    the one that stands most often in the header, what ends a line is what ends the header's. How
    numbers are written is proposed elsewhere (``number_marks``), and confirmed.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable`` or ``data-file-empty``, at
            ``$.data.path``, what a file without a table is refused for, or a workbook.
        Cancelled: the token was raised.
    """
    sample = _sample(path)
    encoding = _encoding(sample)
    refuse_foreign(sample, encoding)
    format = format_of(sample, path)
    if format == "csv":
        return _text(path, sample, encoding)
    sheet, header_row = propose_workbook(path, cancel) if format == "excel" else ("", None)
    return DataSource(path=str(path), format=format, sheet=sheet, header_row=header_row)


def _text(path: Path, sample: bytes, encoding: str) -> DataSource:
    text = sample.decode(encoding, "replace")
    header = _first_line(text)
    separator = max(SEPARATORS, key=_QUOTED.sub("", header).count)
    return DataSource(
        path=str(path),
        separator=separator,
        encoding=encoding,
        line_ending="cr" if ending_of(text.lstrip("\ufeff\n ")) == "cr" else "",
    )


def _sample(path: Path) -> bytes:
    unread = False
    with open_text(open_data(DataSource(path=str(path)), Path())) as stream:
        try:
            sample = stream.read(_SAMPLE_BYTES)
        except OSError:
            unread = True
    if unread:
        raise refuse("data-file-unreadable", "$.data.path")
    if not sample.strip():
        raise refuse("data-file-empty", "$.data.path")
    return sample


def _encoding(sample: bytes) -> str:
    if sample.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    if sample.startswith(codecs.BOM_UTF16_LE):
        return "utf-16"
    try:
        # The sample may end within a character.
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _first_line(text: str) -> str:
    return _LINE_END.split(text.lstrip("\ufeff\r\n "), maxsplit=1)[0]
