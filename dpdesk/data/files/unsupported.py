# SPDX-License-Identifier: Apache-2.0
"""Files that hold no table which dpdesk reads, told by how they begin: each has a way out."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from typing import Literal

from dpdesk.data.files.magic import file_kind
from dpdesk.study.problem import refuse

Foreign = Literal[
    "json",
    "markup",
    "pdf",
    "rtf",
    "archive",
    "compressed",
    "picture",
    "database",
    "r",
    "document",
    "columnar",
    "dbase",
    "hl7",
    "arff",
    "sas-program",
]

HEAD_BYTES = 1 << 14
"""As much of a file tells its kind."""

FOREIGN_CODES: dict[Foreign, str] = {
    "json": "data-file-json",
    "markup": "data-file-markup",
    "pdf": "data-file-pdf",
    "rtf": "data-file-rtf",
    "archive": "data-file-archive",
    "compressed": "data-file-compressed",
    "picture": "data-file-picture",
    "database": "data-file-database",
    "r": "data-file-r",
    "document": "data-file-document",
    "columnar": "data-file-columnar",
    "dbase": "data-file-dbase",
    "hl7": "data-file-hl7",
    "arff": "data-file-arff",
    "sas-program": "data-file-sas-program",
}
_STARTS: tuple[tuple[bytes, Foreign], ...] = (
    (b"%PDF-", "pdf"),
    (b"{\\rtf", "rtf"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"Rar!\x1a\x07", "archive"),
    (b"\x1f\x8b", "compressed"),
    (b"\xfd7zXZ\0", "compressed"),
    (b"\x28\xb5\x2f\xfd", "compressed"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF87a", "picture"),
    (b"GIF89a", "picture"),
    (b"II*\0", "picture"),
    (b"MM\0*", "picture"),
    (b"SQLite format 3\0", "database"),
    (b"\0\1\0\0Standard Jet DB", "database"),
    (b"\0\1\0\0Standard ACE DB", "database"),
    (b"RDX2\n", "r"),
    (b"RDX3\n", "r"),
    (b"RDA2\n", "r"),
    (b"RDA3\n", "r"),
    (b"X\n\0\0\0", "r"),
    (b"\x89HDF\r\n\x1a\n", "columnar"),
    (b"ARROW1\0\0", "columnar"),
    (b"Obj\1", "columnar"),
    (b"MATLAB 5.0 MAT-file", "columnar"),
)
# A start of letters alone may be a header's; these have marks further on.
_INSIDE: tuple[tuple[bytes, int, bytes, Foreign], ...] = (
    (b"BM", 6, b"\0\0\0\0", "picture"),
    (b"RIFF", 8, b"WEBP", "picture"),
    (b"", 128, b"DICM", "picture"),
    (b"", 257, b"ustar", "archive"),
    (b"BZh", 4, b"1AY&SY", "compressed"),
    (b"FEA1", 4, b"\0", "columnar"),
    (b"ORC", 3, b"\x08", "columnar"),
    (b"ORC", 3, b"\x0a", "columnar"),
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


def foreign_kind(head: bytes, text: str) -> Foreign | None:
    """What a file is that holds no table which dpdesk reads; ``None`` where it may hold one.

    Args:
        head: its first bytes, ``HEAD_BYTES`` of them suffice.
        text: the same as text, if it is one.
    """
    if file_kind(head) is not None:
        return None
    kind = _by_bytes(head)
    if kind == "compressed":
        # R packs its files, whatever their names say.
        return "r" if _by_bytes(_unpacked(head)) == "r" else kind
    return kind or _by_text(text.lstrip("\ufeff"))


def refuse_foreign(sample: bytes, encoding: str) -> None:
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
    kind = foreign_kind(head, head.decode(encoding, "replace"))
    if kind is not None:
        raise refuse(FOREIGN_CODES[kind], "$.data.path")


def _by_bytes(head: bytes) -> Foreign | None:
    for start, kind in _STARTS:
        if head.startswith(start):
            return kind
    for start, place, mark, kind in _INSIDE:
        if head.startswith(start) and head.startswith(mark, place):
            return kind
    return "dbase" if _is_dbase(head) else None


def _is_dbase(head: bytes) -> bool:
    """Whether a day follows a version, and a sign stands where the fields are said to end."""
    if len(head) < 33 or head[0] not in _DBASE or not (1 <= head[2] <= 12 and 1 <= head[3] <= 31):
        return False
    size = int.from_bytes(head[8:10], "little")
    ends = (size - 1, size - 264)  # Visual FoxPro keeps the name of a database behind them.
    return any(32 < end < len(head) and head[end] == 0x0D for end in ends)


def _by_text(text: str) -> Foreign | None:
    if _JSON.match(text):
        return "json"
    if _HL7.match(text):
        return "hl7"
    if _ARFF.match(text):
        return "arff"
    if _SAS_PROGRAM.match(text):
        return "sas-program"
    if _MARKUP.match(text):
        return "markup"
    # A header may stand in such brackets too: <DATE>,<WARD>. Nothing closes there.
    return "markup" if _TAG.match(text) and _CLOSED.search(text) else None


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
