# SPDX-License-Identifier: Apache-2.0
"""Whether a Python opens zip archives whose members lie in each other (CVE-2024-0450).

The package carries the Python that builds it. Which Pythons were mended cannot be read from their
versions, because distributions mend older ones: such an archive is made and opened.
"""

import io
import struct
import zipfile
import zlib

REFUSAL = (
    "This Python opens zip archives whose members lie in each other (CVE-2024-0450), and the "
    "package would carry it. Build with a Python that refuses them: 3.11.8, 3.12.2 or later, or "
    "one that your distribution has mended."
)


def archive() -> bytes:
    """Two stored members, the second of which lies within the content of the first."""
    inner = _local(b"b.txt", b"inner") + b"inner"
    outer = _local(b"a.txt", inner)
    body = outer + inner
    directory = _central(b"a.txt", inner, 0) + _central(b"b.txt", b"inner", len(outer))
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2, 2, len(directory), len(body), 0)
    return body + directory + end


def is_opened(opener: type[zipfile.ZipFile] = zipfile.ZipFile) -> bool:
    """Whether a member that holds another one is read."""
    try:
        with opener(io.BytesIO(archive())) as opened:
            return bool(opened.read("a.txt"))
    except zipfile.BadZipFile:
        return False


def _common(name: bytes, content: bytes) -> bytes:
    size = len(content)
    return struct.pack("<5H3L2H", 20, 0, 0, 0, 33, zlib.crc32(content), size, size, len(name), 0)


def _local(name: bytes, content: bytes) -> bytes:
    return b"PK\3\4" + _common(name, content) + name


def _central(name: bytes, content: bytes, offset: int) -> bytes:
    more = struct.pack("<3H2L", 0, 0, 0, 0, offset)
    return b"PK\1\2" + struct.pack("<H", 20) + _common(name, content) + more + name
