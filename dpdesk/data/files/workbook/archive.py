# SPDX-License-Identifier: Apache-2.0
"""The container that a workbook is: looked at before a reader opens it."""

from __future__ import annotations

from typing import BinaryIO
from zipfile import ZipFile

from dpdesk.data.files.file_formats import HEAD_BYTES, WORKBOOK, file_kind
from dpdesk.data.files.workbook.ods_sheets import spanned_cells
from dpdesk.data.files.workbook.ole import ole_mistake
from dpdesk.data.files.workbook.used_range import MOST_CELLS, is_too_wide
from dpdesk.data.files.zip_members import are_disjoint
from dpdesk.study.problem import refuse

MAX_UNPACKED_BYTES = 2 << 30
"""A sheet of a million rows and 30 columns has about one GiB of XML."""

_MAX_MANIFEST_BYTES = 1 << 20
_MANIFEST = "META-INF/manifest.xml"
_ODS = "content.xml"
_PARTS = frozenset({"xl/workbook.xml", "xl/workbook.bin", _ODS})
_DOCUMENTS = ("word/document.xml", "ppt/presentation.xml")
_KIND = "mimetype"
_MAX_KIND_BYTES = 200
_OPEN_TABLES = b"application/vnd.oasis.opendocument.spreadsheet"
_OPEN_DOCUMENTS = b"application/vnd.oasis.opendocument."
_BUNDLE = {"manifest.json", "manifest.json.sig"}


def check_container(stream: BinaryIO) -> None:
    """Refuse what is no workbook, is locked, or says that it unpacks to more than one ever holds.

    What an archive says of its size may be a lie; the reader's own limits apply as well.

    Raises:
        Refused: ``data-file-wrong-format``, ``data-file-archive``, ``data-file-bundle``,
            ``data-file-document``, ``data-file-locked``, ``data-file-too-large``,
            ``data-file-too-wide`` or ``data-file-damaged``, at ``$.data.path``.
    """
    try:
        code = _mistake(stream)
        stream.seek(0)
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        # The many errors of broken archives may quote what is in them.
        code = "data-file-damaged"
    if code:
        raise refuse(code, "$.data.path")


def is_open_document(stream: BinaryIO) -> bool:
    """Whether a container that was checked is OpenDocument's."""
    kind = file_kind(stream.read(HEAD_BYTES))
    stream.seek(0)
    if kind is None or kind.key != "zip":
        return False
    with ZipFile(stream) as archive:
        is_open = _ODS in archive.namelist()
    stream.seek(0)
    return is_open


def _mistake(stream: BinaryIO) -> str:
    kind = file_kind(stream.read(HEAD_BYTES))
    stream.seek(0)
    if kind not in WORKBOOK.kinds:
        return "data-file-wrong-format"
    if kind.key == "xls":
        return ole_mistake(stream.read())
    with ZipFile(stream) as archive:
        return _archive_mistake(archive) if are_disjoint(archive) else "data-file-damaged"


def _is_document(archive: ZipFile, sizes: dict[str, int]) -> bool:
    """Whether an archive is a text or slides: those of OpenDocument have a table's parts too."""
    if any(name in sizes for name in _DOCUMENTS):
        return True
    if not 0 < sizes.get(_KIND, 0) <= _MAX_KIND_BYTES:
        return False
    kind = archive.read(_KIND)
    return kind.startswith(_OPEN_DOCUMENTS) and not kind.startswith(_OPEN_TABLES)


def _is_too_wide_ods(archive: ZipFile, sizes: dict[str, int]) -> bool:
    if _ODS not in sizes:
        return False
    with archive.open(_ODS) as part:
        return spanned_cells(part) > MOST_CELLS


def _archive_mistake(archive: ZipFile) -> str:
    sizes = {part.filename: part.file_size for part in archive.infolist()}
    if _is_document(archive, sizes):
        return "data-file-document"
    if _PARTS & {name.replace("\\", "/") for name in sizes} and not _PARTS & sizes.keys():
        return "data-file-backslashes"
    if not _PARTS & sizes.keys():
        return "data-file-bundle" if sizes.keys() >= _BUNDLE else "data-file-archive"
    if sum(part.file_size for part in archive.infolist()) > MAX_UNPACKED_BYTES:
        return "data-file-too-large"
    if is_too_wide(archive) or _is_too_wide_ods(archive, sizes):
        return "data-file-too-wide"
    if 0 < sizes.get(_MANIFEST, 0) <= _MAX_MANIFEST_BYTES:
        with archive.open(_MANIFEST) as part:
            if b"encryption-data" in part.read(_MAX_MANIFEST_BYTES):
                return "data-file-locked"
    return ""
