# SPDX-License-Identifier: Apache-2.0
"""Whether each member of a zip archive is alone in its bytes.

An archive whose members lie in each other has two readings, and unpacks far beyond its size. Python
refuses one since CVE-2024-0450 alone, and other readers may not: it is refused here.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import IO
from zipfile import ZipFile

_LOCAL = struct.Struct("<4s5H3L2H")
_MARK = b"PK\3\4"


def are_disjoint(archive: ZipFile) -> bool:
    """Whether members follow one another, up to the directory, and none reaches into another.

    Args:
        archive: an open one; its reading goes on where it was.
    """
    stream = archive.fp
    if stream is None:
        return False
    members = sorted((one.header_offset, one.compress_size) for one in archive.infolist())
    here = stream.tell()
    try:
        ends = [_start(stream, at) + size for at, size in members]
    except struct.error:
        return False
    finally:
        stream.seek(here)
    starts = [at for at, _size in members] + [archive.start_dir]
    gaps = zip(ends, (after for _at, after in pairwise(starts)), strict=True)
    return all(end <= after for end, after in gaps)


def _start(stream: IO[bytes], offset: int) -> int:
    """Where a member's content begins.

    Raises:
        struct.error: there is no member.
    """
    stream.seek(offset)
    mark, *_more, name, extra = _LOCAL.unpack(stream.read(_LOCAL.size))
    if mark != _MARK:
        raise struct.error("no member")
    return offset + _LOCAL.size + int(name) + int(extra)
