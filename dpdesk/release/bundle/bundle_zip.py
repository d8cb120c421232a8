# SPDX-License-Identifier: Apache-2.0
"""The zip around a bundle: for the same files always the same bytes.

Nothing is compressed and nothing in it comes from the machine: no times, users, or programs. So
a reader can pack again what it found and demand every byte to be equal, which leaves no room for
prefixes, gaps, comments, twins, bombs or two directories that disagree.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from struct import Struct, error

from dpdesk.study.problem import Refused, refuse

MAX_BYTES = 80_000_000
"""Above the largest bundle (see ``size``); twice that fits into the memory of any office PC."""

MAX_MEMBERS = 1_000
MADE_UP = "made_up_"
"""How the name of every file of a rehearsal begins, inside and out; no bundle holds such a file."""
_LOCAL = Struct("<4s5H3I2H")
_CENTRAL = Struct("<4s6H3I5H2I")
_END = Struct("<4s4H2IH")
_UTF8, _STORED, _VERSION, _UNIX = 0, 0, 20, 3 << 8
_TIME, _DATE = 0, (1 << 5) | 1  # midnight of 1980-01-01, the earliest that zip can say
_MODE = 0o100644 << 16


def pack(members: Mapping[str, bytes]) -> bytes:
    """Files as a zip, in their order."""
    return b"".join(_pieces(members))


def _pieces(members: Mapping[str, bytes]) -> Iterator[bytes]:
    """The bytes of a zip, file by file: nothing is copied only to be compared."""
    directory, at = bytearray(), 0
    for name, content in members.items():
        encoded, size = name.encode("ascii"), len(content)
        check = zlib.crc32(content)
        common = (_VERSION, _UTF8, _STORED, _TIME, _DATE, check, size, size, len(encoded), 0)
        header = _LOCAL.pack(b"PK\3\4", *common) + encoded
        yield header
        yield content
        directory += _CENTRAL.pack(b"PK\1\2", _UNIX | _VERSION, *common, 0, 0, 0, _MODE, at)
        directory += encoded
        at += len(header) + size
    count = len(members)
    yield bytes(directory) + _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), at, 0)


def unpack(raw: bytes, most: int = MAX_BYTES) -> dict[str, bytes]:
    """The files of a zip that :func:`pack` wrote, and of no other.

    Raises:
        Refused: ``bundle-too-large`` or ``bundle-not-a-bundle``.
    """
    if len(raw) > most:
        raise refuse("bundle-too-large")
    try:
        members = _members(raw)
        same = _is_packed(members, raw)
    except (error, UnicodeError):
        same = False
    if not same:
        raise refuse("bundle-not-a-bundle")
    return members


def is_made_up(members: Iterable[str]) -> bool:
    """Whether some of these files are a rehearsal's."""
    return any(name.casefold().startswith(MADE_UP) for name in members)


def _members(raw: bytes) -> dict[str, bytes]:
    """Walk from local header to local header; the directory is only ever compared."""
    members: dict[str, bytes] = {}
    at = 0
    while raw[at : at + 4] == b"PK\3\4":
        header = _LOCAL.unpack_from(raw, at)
        size, length = header[7], header[9]
        start = at + _LOCAL.size + length
        name = raw[at + _LOCAL.size : start].decode("ascii")
        if name in members or len(members) >= MAX_MEMBERS:
            raise _not_ours()
        members[name] = raw[start : start + size]
        at = start + size
    return members


def _is_packed(members: Mapping[str, bytes], raw: bytes) -> bool:
    """Whether packing these files gives exactly these bytes."""
    at = 0
    for piece in _pieces(members):
        if not raw.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(raw)


def _not_ours() -> Refused:
    return refuse("bundle-not-a-bundle")
