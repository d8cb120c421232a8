# SPDX-License-Identifier: Apache-2.0
"""Reads a codebook of any known format, recognised by its content and not by its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dpdesk.data.codebook.entry import (
    MAX_CODEBOOK_BYTES,
    Codebook,
)
from dpdesk.data.codebook.formats.csv_text import LINES_ABOVE, as_csv, decode, find_sheet
from dpdesk.data.codebook.formats.draft import Draft
from dpdesk.data.codebook.formats.json_text import parse
from dpdesk.data.codebook.formats.packages import read_package, table_names
from dpdesk.data.codebook.formats.plain import is_code_list, is_plain, read_plain
from dpdesk.data.codebook.formats.recipes import Recipe
from dpdesk.data.codebook.formats.redcap import arc_names, read_dictionary, redcap_names
from dpdesk.data.codebook.formats.statistical import read_labels
from dpdesk.data.files import file_formats
from dpdesk.data.files.file_formats import (
    CSV,
    DECLARATIONS,
    HEAD_BYTES,
    LABELLED,
    WORKBOOK,
    declared_by,
    file_kind,
)
from dpdesk.data.files.format_declaration import FileKind
from dpdesk.data.progress import CancelToken
from dpdesk.data.reader_process.isolated_table import open_isolated
from dpdesk.data.reader_process.isolated_workbook import sheets
from dpdesk.study.limits import MAX_CODEBOOK_VARIABLES
from dpdesk.study.model.columns import CodebookKind
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

_MAX_NAME = 150
TEXT_ENDINGS = (*CSV.kinds[0].endings, ".json")
"""How the names of codebooks end that are texts."""
_IN_DATA = (ending for format in LABELLED for ending in DECLARATIONS[format].endings)
ENDINGS = (*TEXT_ENDINGS, *WORKBOOK.endings, *_IN_DATA)
"""How the names of all codebooks end."""

Drafts = tuple[CodebookKind, Iterator[Draft | Recipe]]


def read_codebook(
    path: Path,
    tables: tuple[str, ...] = (),
    catalogue: Path | None = None,
    cancel: CancelToken | None = None,
) -> Codebook:
    """Read a codebook. No data is read, not even from a file that holds both.

    Args:
        path: the codebook, or a file of SPSS, Stata or SAS, whose labels alone are read.
        tables: names of the wanted table, the likeliest first, where a codebook describes
            several; such as the name of the study's data file.
        catalogue: the file with the value labels of a SAS file.

    Raises:
        Refused: one problem, at its place in the codebook: ``codebook-file-missing`` or
            ``codebook-file-unreadable`` (name), ``codebook-too-large`` (most),
            ``codebook-unknown``, ``codebook-codes-alone``, ``codebook-workbook``,
            ``codebook-catalogue``, ``codebook-name-twice``, ``codebook-says-nothing``, or what
            the format's reader says.
        Cancelled: the token was raised.
    """
    file = file_kind(_read(path, HEAD_BYTES))
    if file is not None:
        return _codebook(path, *_binary_drafts(path, file, catalogue, cancel))
    raw = _read(path, MAX_CODEBOOK_BYTES + 1)
    if len(raw) > MAX_CODEBOOK_BYTES:
        raise refuse("codebook-too-large", most=str(MAX_CODEBOOK_BYTES // 1_000_000))
    return _codebook(path, *_drafts(raw, tables))


def described_tables(path: Path) -> tuple[tuple[str, ...], ...]:
    """The names of each table of a codebook that may describe several; none of any other.

    Raises:
        Refused: as :func:`read_codebook` says.
    """
    if file_kind(_read(path, HEAD_BYTES)) is not None:
        return ()
    raw = _read(path, MAX_CODEBOOK_BYTES + 1)
    if len(raw) > MAX_CODEBOOK_BYTES or decode(raw).lstrip()[:1] != "{":
        return ()
    return table_names(parse(raw))


def takes_catalogue(path: Path) -> bool:
    """Whether a file's value labels are in a catalogue beside it.

    Raises:
        Refused: ``codebook-file-missing`` or ``codebook-file-unreadable`` (name).
    """
    kind = file_kind(_read(path, HEAD_BYTES))
    return kind is not None and file_formats.takes_catalogue(kind)


def _read(path: Path, most: int) -> bytes:
    code = "codebook-file-unreadable"
    try:
        with open_regular(path) as stream:
            return stream.read(most)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        code = "codebook-file-missing"
    except OSError:
        pass
    raise refuse(code, name=path.name)


def _binary_drafts(
    path: Path, file: FileKind, catalogue: Path | None, cancel: CancelToken | None
) -> Drafts:
    if file in WORKBOOK.kinds:
        return _workbook_drafts(path, cancel)
    format = declared_by(file).key
    if format not in LABELLED:
        raise refuse("codebook-workbook")
    if not file.library_reader:
        raise refuse("codebook-catalogue")
    return format, read_labels(path, file, catalogue, cancel)


def _drafts(raw: bytes, tables: tuple[str, ...]) -> Drafts:
    text = decode(raw)
    if text.lstrip()[:1] in ("{", "["):
        return read_package(parse(raw), tables)
    return _text_drafts(text)


def _text_drafts(text: str) -> Drafts:
    sheet = find_sheet(text, lambda keys: redcap_names(keys) is not None)
    names = redcap_names(sheet.keys) if sheet else None
    if sheet is not None and names is not None:
        return "redcap", read_dictionary(sheet, names)
    sheet = find_sheet(text, lambda keys: arc_names(keys) is not None)
    names = arc_names(sheet.keys) if sheet else None
    if sheet is not None and names is not None:
        return "isaric-arc", read_dictionary(sheet, names)
    sheet = find_sheet(text, is_plain)
    if sheet is None:
        alone = find_sheet(text, is_code_list)
        raise refuse("codebook-unknown" if alone is None else "codebook-codes-alone")
    return "plain", read_plain(sheet)


def _workbook_drafts(path: Path, cancel: CancelToken | None) -> Drafts:
    """The variables of the first sheet that is a codebook; of others only the top is read."""
    refused = refuse("codebook-workbook")
    try:
        names = sheets(path, cancel)
    except Refused:
        raise refused from None
    for name in names:
        try:
            return _text_drafts(_sheet_text(path, name, cancel))
        except Refused as unread:
            if unread.problems[0].code not in ("codebook-unknown", "codebook-codes-alone"):
                raise
            refused = unread
    raise refused


def _sheet_text(path: Path, sheet: str, cancel: CancelToken | None) -> str:
    """A sheet as CSV; its top alone where that has no header of a codebook."""
    source = DataSource(path=path.name, format="excel", sheet=sheet, header_row=0)
    with open_isolated(source, path.parent, cancel=cancel) as table:
        rows = table.top_rows(LINES_ABOVE)
        with suppress(Refused):
            _text_drafts(as_csv(rows))
            rows += table.top_rows(MAX_CODEBOOK_VARIABLES + 1)
    return as_csv(rows)


def _codebook(path: Path, kind: CodebookKind, drafts: Iterator[Draft | Recipe]) -> Codebook:
    seen: set[str] = set()
    entries = []
    for draft in drafts:
        if draft.name in seen:
            raise refuse("codebook-name-twice", draft.place)
        if len(seen) == MAX_CODEBOOK_VARIABLES:
            raise refuse(
                "codebook-too-many-variables", draft.place, most=str(MAX_CODEBOOK_VARIABLES)
            )
        seen.add(draft.name)
        entries.append(draft.finish(kind))
    if not entries:
        raise refuse("codebook-says-nothing")
    return Codebook(kind, tuple(entries), _file_name(path))


def _file_name(path: Path) -> str:
    return "".join(c for c in path.name if c.isprintable())[:_MAX_NAME]
