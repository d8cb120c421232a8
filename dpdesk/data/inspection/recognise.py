# SPDX-License-Identifier: Apache-2.0
"""A first guess at a file's layout: its format, and what that needs to be read.

Of a text, its encoding is looked for to its end, and its layout in its first lines; of a workbook,
whether the first row of its only sheet is a header. What is proposed so is published nowhere.
"""

from __future__ import annotations

import codecs
import os
import re
from pathlib import Path

from dpdesk.data.files.file_formats import file_kind, format_of
from dpdesk.data.files.line_ends import ending_of
from dpdesk.data.files.packed import open_text
from dpdesk.data.files.source import open_data
from dpdesk.data.files.unsupported import refuse_unsupported
from dpdesk.data.inspection.text_layout import is_table_rather, text_layout
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.data.reader_process.isolated_workbook import propose_workbook
from dpdesk.study.model.unit import DataSource, LineEnding
from dpdesk.study.problem import Refused, refuse

_SAMPLE_BYTES = 1 << 16
_CHUNK_BYTES = 1 << 20
_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTROLS = re.compile(r"[\0-\x08\x0e-\x1f]")


def recognise(
    path: Path, cancel: CancelToken | None = None, progress: Progress = no_progress
) -> DataSource:
    """Guess how a file is to be read; the custodian may correct every part.

    The format is what the content says, and what the name says where that is silent. Of a
    workbook, sheet and header row stay open where there is a choice. The separator of a text is
    the one that is most often in the header, what ends a line is what ends the header's, or
    each line end where that alone makes a table (see ``text_layout``). How numbers are written is
    proposed elsewhere (``number_marks``), and confirmed.

    Args:
        cancel: stops the look for the encoding within a megabyte.
        progress: gets how much of the file was looked at.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable`` or ``data-file-empty``, at
            ``$.data.path``, what a file without a table is refused for, or a workbook.
        Cancelled: the token was raised.
    """
    sample = _sample(path)
    encoding = _encoding(sample)
    refuse_unsupported(sample, encoding)
    format = "csv" if encoding.startswith("utf-16") else format_of(sample, path)
    if format == "csv":
        if encoding == "utf-8" and not _is_utf_8(path, cancel or CancelToken(), progress):
            encoding = "cp1252"
        return _text(path, sample, encoding)
    sheet, header_row = propose_workbook(path, cancel) if format == "excel" else ("", None)
    return DataSource(path=str(path), format=format, sheet=sheet, header_row=header_row)


def _text(path: Path, sample: bytes, encoding: str) -> DataSource:
    text = sample.decode(encoding, "replace").lstrip("\ufeff")
    ending: LineEnding = "cr" if ending_of(text.lstrip("\n ")) == "cr" else ""
    lines, pieces = _lines(text, ending), _lines(text, "any")
    if len(sample) == _SAMPLE_BYTES and lines[1:] and pieces[1:]:
        lines, pieces = lines[:-1], pieces[:-1]  # the sample may end within a line
    if len(pieces) > len(lines) and is_table_rather(pieces, lines):
        ending, lines = "any", pieces
    layout = text_layout(lines)
    return DataSource(
        path=str(path),
        separator=layout.separator,
        encoding=encoding,
        header_row=layout.header_row,
        line_ending=ending,
        row_names=layout.row_names,
    )


def _lines(text: str, ending: LineEnding) -> list[str]:
    if ending == "any":
        return _LINE_END.split(text)
    if ending == "cr":
        return text.replace("\n", " ").split("\r")
    return text.replace("\r\n", "\n").replace("\r", " ").split("\n")


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
    if unmarked := _unmarked_utf_16(sample):
        return unmarked
    try:
        # The sample may end within a character.
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _unmarked_utf_16(sample: bytes) -> str:
    """UTF-16 by the zeros in every other byte of a text that is mostly ASCII; empty if it is not.

    Some programs of Windows write no mark.
    """
    head = sample[:4_096]
    if file_kind(head) is not None:
        return ""
    for encoding, zeros, others in (("utf-16", 1, 0), ("utf-16-be", 0, 1)):
        codec = "utf-16-le" if encoding == "utf-16" else encoding
        many = 2 * head[zeros::2].count(0) > len(head) // 2
        if many and not head[others::2].count(0):
            return "" if _CONTROLS.search(head.decode(codec, "replace")) else encoding
    return ""


def _is_utf_8(path: Path, cancel: CancelToken, progress: Progress) -> bool:
    """Whether a text is UTF-8 to its end; the first byte that is not ends the look.

    Where reading fails, that is said when the file is read.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with open_text(open_data(DataSource(path=str(path)), Path())) as stream:
            total = os.fstat(stream.fileno()).st_size
            while chunk := stream.read(_CHUNK_BYTES):
                cancel.check()
                if decoder.getstate()[0] or not chunk.isascii():
                    decoder.decode(chunk)
                progress(min(stream.tell(), total), total)
    except UnicodeDecodeError:
        return False
    except (OSError, Refused):
        pass
    return True
