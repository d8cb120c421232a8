# SPDX-License-Identifier: Apache-2.0
"""Every kind of file that dpdesk writes, and by what it is known wherever it is opened.

A file is known by its first bytes, a zip by the names in it, whatever the file is called. What each
is, and where it belongs, is one sentence: ``file-is-`` and the kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Literal
from zipfile import BadZipFile, ZipFile

from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

Kind = Literal[
    "study",
    "bundle",
    "dossier",
    "rehearsal",
    "backup",
    "ledger-export",
    "plan",
    "change",
    "notice",
    "signature",
    "key-notice",
    "revocation",
    "public-key",
    "private-key",
    "table-schema",
    "document",
]
_OUR_MEMBERS = {"manifest.json", "dossier-manifest.json", "backup.json", "entries.json"}
_MOST, _END, _INFO_MOST = 20_000, 2_000, 1_000
_MEMBERS = 100
_LOCAL = Struct("<4s5H3I2H")
_ARMOR = b"-----BEGIN SSH SIGNATURE-----\n"
_PUBLIC = re.compile(rb'(?:\S+ (?:namespaces="\S*" )?)?ssh-ed25519 AAAA[A-Za-z0-9+/]{60,}')
_INFO = re.compile(rb"/Info (\d{1,6}) 0 R")
_TABLE = re.compile(rb"startxref\s+(\d{1,12})\s")
_ROW = 20
"""Bytes of a row in a PDF's table of objects (PDF 1.7, 7.5.4)."""
_STUDY = re.compile(rb'\s*\{\s*(?:"\$schema": *"[^"]*",\s*)?"dpdesk": *[0-9]')
_SCHEMA = re.compile(rb'\s*\{\s*"\$schema": *"[^"]*/tableschema\.json"')


@dataclass(frozen=True)
class _Known:
    """What is looked at of a file.

    Attributes:
        head: its first bytes.
        info: what a PDF says of who made it.
        names: of its members, where it is a zip as dpdesk writes them.
    """

    head: bytes
    info: bytes
    names: tuple[str, ...]

    def begins(self, *marks: bytes) -> bool:
        return self.head.startswith(marks)

    def says(self, member: str) -> bool:
        """Whether it is a signed text of ours with this member."""
        return f'\n "{member}": '.encode("ascii") in self.head


_KINDS: dict[Kind, Callable[[_Known], bool]] = {
    "rehearsal": lambda it: any(name.casefold().startswith("made_up_") for name in it.names),
    "dossier": lambda it: "dossier-manifest.json" in it.names,
    "backup": lambda it: it.names[:1] == ("backup.json",),
    "ledger-export": lambda it: {"entries.json", "SHA256SUMS"} <= {*it.names},
    "bundle": lambda it: "manifest.json" in it.names,
    "notice": lambda it: it.begins(_ARMOR) and it.says("dpdesk_notice"),
    "signature": lambda it: it.begins(_ARMOR),
    "plan": lambda it: it.begins(b"{") and it.says("dpdesk_plan"),
    "change": lambda it: it.begins(b"{") and it.says("dpdesk_change"),
    "key-notice": lambda it: it.begins(b"dpdesk key rotation "),
    "revocation": lambda it: it.begins(b"dpdesk key revocation "),
    "private-key": lambda it: it.begins(b"-----BEGIN OPENSSH PRIVATE KEY-----"),
    "public-key": lambda it: _PUBLIC.match(it.head) is not None,
    "study": lambda it: _STUDY.match(it.head) is not None,
    "table-schema": lambda it: _SCHEMA.match(it.head) is not None,
    "document": lambda it: b"/Creator (dpdesk)" in it.info,
}
"""By what each is known, the first that holds."""
TO_VERIFY: tuple[Kind, ...] = ("bundle", "dossier", "rehearsal")
NOTICE_SUFFIX = ".notice"
"""Ending of a notice's file; here, too, because what writes it loads keys and ledger."""

TO_SIGN: tuple[Kind, ...] = ("plan", "change")


def kind_of(path: Path) -> Kind | None:
    """What dpdesk wrote a file as; ``None`` of any other file, and of one that cannot be read."""
    try:
        known = _look(path)
    except (OSError, ValueError, UnicodeError):
        return None
    return next((kind for kind, is_it in _KINDS.items() if is_it(known)), None)


def is_other_archive(path: Path) -> bool:
    """Whether a file is a zip without the names of any that dpdesk writes, no matter who packed it.

    One that is damaged may be a bundle that somebody changed.
    """
    try:
        with open_regular(path) as stream, ZipFile(stream) as archive:
            parts = archive.infolist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    names = {part.filename.rpartition("/")[2] for part in parts}
    is_ours = any(name in _OUR_MEMBERS or name.startswith("made_up_") for name in names)
    # The end of one that was cut is that of a workbook in it.
    return not is_ours and min((part.header_offset for part in parts), default=1) == 0


def refuse_kind(path: Path, *wanted: Kind) -> None:
    """Refuse a file that dpdesk wrote for another place, by what it is and where it belongs.

    Raises:
        Refused: ``file-is-`` and the kind (param name).
    """
    kind = kind_of(path)
    if kind is not None and kind not in wanted:
        raise belongs_elsewhere(path, kind)


def belongs_elsewhere(path: Path, kind: Kind) -> Refused:
    return refuse(f"file-is-{kind}", name=path.name)


def _look(path: Path) -> _Known:
    with open_regular(path) as stream:
        head = stream.read(_MOST)
        names = tuple(_names(stream)) if head.startswith(b"PK\3\4") else ()
        return _Known(head, _info(stream) if head.startswith(b"%PDF-") else b"", names)


def _info(stream: BinaryIO) -> bytes:
    """Who made a PDF: its last lines lead to the table of objects, and that to this one."""
    stream.seek(max(0, stream.seek(0, 2) - _END))
    end = stream.read(_END)
    number, table = _INFO.search(end), _TABLE.search(end)
    if not number or not table:
        return b""
    stream.seek(int(table[1]))
    title, size = stream.readline(_ROW), stream.readline(_ROW)
    stream.seek(int(table[1]) + len(title + size) + _ROW * int(number[1]))
    stream.seek(int(stream.read(10)))
    return stream.read(_INFO_MOST)


def _names(stream: BinaryIO) -> Iterator[str]:
    """The names in a zip whose files are stored: from local header to local header."""
    at = 0
    for _ in range(_MEMBERS):
        stream.seek(at)
        raw = stream.read(_LOCAL.size)
        if len(raw) < _LOCAL.size or not raw.startswith(b"PK\3\4"):
            return
        header = _LOCAL.unpack(raw)
        name = stream.read(header[9])
        yield name.decode("utf-8", "replace")
        at += _LOCAL.size + header[9] + header[10] + header[7]
