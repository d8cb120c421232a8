# SPDX-License-Identifier: Apache-2.0
"""Files that hold no table which dpdesk reads, by how they begin: each has a way out."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib

from dpdesk.data.files.file_formats import file_kind
from dpdesk.study.problem import refuse

HEAD_BYTES = 1 << 14
"""As much of a file shows its kind."""

_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "data-file-pdf"),
    (b"{\\rtf", "data-file-rtf"),
    (b"7z\xbc\xaf\x27\x1c", "data-file-archive"),
    (b"Rar!\x1a\x07", "data-file-archive"),
    (b"\x1f\x8b", "data-file-compressed"),
    (b"\xfd7zXZ\0", "data-file-compressed"),
    (b"\x28\xb5\x2f\xfd", "data-file-compressed"),
    (b"\x89PNG\r\n\x1a\n", "data-file-picture"),
    (b"\xff\xd8\xff", "data-file-picture"),
    (b"GIF87a", "data-file-picture"),
    (b"GIF89a", "data-file-picture"),
    (b"II*\0", "data-file-picture"),
    (b"MM\0*", "data-file-picture"),
    (b"SQLite format 3\0", "data-file-database"),
    (b"\0\1\0\0Standard Jet DB", "data-file-database"),
    (b"\0\1\0\0Standard ACE DB", "data-file-database"),
    (b"RDX2\n", "data-file-r"),
    (b"RDX3\n", "data-file-r"),
    (b"RDA2\n", "data-file-r"),
    (b"RDA3\n", "data-file-r"),
    (b"X\n\0\0\0", "data-file-r"),
    (b"\x89HDF\r\n\x1a\n", "data-file-columnar"),
    (b"ARROW1\0\0", "data-file-columnar"),
    (b"Obj\1", "data-file-columnar"),
    (b"MATLAB 5.0 MAT-file", "data-file-columnar"),
)
# A start of letters alone may be a header's; these have marks further on.
_INSIDE: tuple[tuple[bytes, int, bytes, str], ...] = (
    (b"BM", 6, b"\0\0\0\0", "data-file-picture"),
    (b"RIFF", 8, b"WEBP", "data-file-picture"),
    (b"", 128, b"DICM", "data-file-picture"),
    (b"", 257, b"ustar", "data-file-archive"),
    (b"BZh", 4, b"1AY&SY", "data-file-compressed"),
    (b"FEA1", 4, b"\0", "data-file-columnar"),
    (b"ORC", 3, b"\x08", "data-file-columnar"),
    (b"ORC", 3, b"\x0a", "data-file-columnar"),
)
_TEXT = r'"(?:[^"\\]|\\.)*"'
_VALUE = rf"(?:{_TEXT}|-?[0-9][0-9.eE+-]*|true|false|null)"
# Lists of bare numbers stay out: a column may be called [0,10).
_JSON = re.compile(
    rf"\s*(?:\{{\s*(?:{_TEXT}\s*:|\}}\s*\Z)"
    rf"|\[\s*(?:\{{\s*(?:{_TEXT}\s*:|\}})|\[\s*{_VALUE}\s*[,\]]|{_TEXT}\s*,\s*{_VALUE}|\]\s*\Z))"
)
_MARKUP = re.compile(r"\s*<(?:\?[a-z]|!doctype\b|html\b|table\b)", re.IGNORECASE)
_TAG = re.compile(r"\s*<(?:!--|[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>)")
_HL7 = re.compile(r"[\s\x0b]*(?:MSH|FHS|BHS)(?P<mark>[^\w\s])[^\w\s]{3,5}(?P=mark)")
_ARFF = re.compile(r"(?:\s*%[^\n\r]*[\n\r])*\s*@relation\b", re.IGNORECASE)
# A statement ends its line, or goes on with the next one: a column may be called "data x".
_SAS_PROGRAM = re.compile(
    r"(?:\s*/\*.*?\*/|\s*\*[^;]*;)*\s*"
    r"(?:data\s+[\w.$&]+(?:\s*\([^)]*\))?|proc\s+\w+[^;\n\r]*|options\s+[^;\n\r]+"
    r"|libname\s+\w+[^;\n\r]+|filename\s+\w+[^;\n\r]+|%let\s+\w+\s*=[^;\n\r]*)"
    r"\s*;\s*(?:[\n\r]|\Z|input\s|set\s|infile\s)",
    re.IGNORECASE | re.DOTALL,
)
_DBASE = frozenset({0x02, 0x03, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8B, 0xCB, 0xF5})
_CLOSED = re.compile(r"</[A-Za-z]|/>")


def unsupported_code(head: bytes, text: str) -> str | None:
    """Why a file holds no table which dpdesk reads; ``None`` where it may hold one.

    Args:
        head: its first bytes, ``HEAD_BYTES`` of them suffice.
        text: the same as text, if it is one.
    """
    if file_kind(head) is not None:
        return None
    kind = _by_bytes(head)
    if kind == "data-file-compressed":
        # R packs its files, whatever their names say.
        return "data-file-r" if _by_bytes(_unpacked(head)) == "data-file-r" else kind
    return kind or _by_text(text.lstrip("\ufeff"))


def refuse_unsupported(sample: bytes, encoding: str) -> None:
    """Refuse a file that holds no table, with what it is and the way out.

    Args:
        sample: the file's first bytes.
        encoding: how they are to be read, should they be a text.

    Raises:
        Refused: one of ``data-file-json``, ``-markup``, ``-pdf``, ``-rtf``, ``-archive``,
            ``-compressed``, ``-picture``, ``-database``, ``-r``, ``-document``, ``-columnar``,
            ``-dbase``, ``-hl7``, ``-arff``, ``-sas-program``, at ``$.data.path``.
    """
    head = sample[:HEAD_BYTES]
    code = unsupported_code(head, head.decode(encoding, "replace"))
    if code is not None:
        raise refuse(code, "$.data.path")


def _by_bytes(head: bytes) -> str | None:
    for start, kind in _STARTS:
        if head.startswith(start):
            return kind
    for start, place, mark, kind in _INSIDE:
        if head.startswith(start) and head.startswith(mark, place):
            return kind
    return "data-file-dbase" if _is_dbase(head) else None


def _is_dbase(head: bytes) -> bool:
    """Whether a day follows a version, and a sign is where the fields are said to end."""
    if len(head) < 33 or head[0] not in _DBASE or not (1 <= head[2] <= 12 and 1 <= head[3] <= 31):
        return False
    size = int.from_bytes(head[8:10], "little")
    ends = (size - 1, size - 264)  # Visual FoxPro keeps the name of a database behind them.
    return any(32 < end < len(head) and head[end] == 0x0D for end in ends)


def _by_text(text: str) -> str | None:
    if _JSON.match(text):
        return "data-file-json"
    if _HL7.match(text):
        return "data-file-hl7"
    if _ARFF.match(text):
        return "data-file-arff"
    if _SAS_PROGRAM.match(text):
        return "data-file-sas-program"
    if _MARKUP.match(text):
        return "data-file-markup"
    # A header may be in such brackets too: <DATE>,<WARD>. Nothing closes there.
    return "data-file-markup" if _TAG.match(text) and _CLOSED.search(text) else None


def _unpacked(head: bytes) -> bytes:
    """The first bytes of what is packed, and never more of it: it may be a bomb."""
    most = 32
    try:
        if head.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(wbits=31).decompress(head, most)
        if head.startswith(b"BZh"):
            return bz2.BZ2Decompressor().decompress(head, most)
        if head.startswith(b"\xfd7zXZ"):
            return lzma.LZMADecompressor(memlimit=1 << 27).decompress(head, most)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        pass
    return b""
