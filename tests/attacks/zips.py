# SPDX-License-Identifier: Apache-2.0
"""Zips that make other readers write elsewhere, fill the memory, or read two things at once.

Each holds every file of a good, signed bundle, so that a lax reader would find it good.
"""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST
from tests.release.bundles import bundle

Named = tuple[str, bytes]
Change = Callable[[zipfile.ZipFile], object]
LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
BOMB = 200_000_000


def malicious_zips() -> Iterator[Named]:
    """Each with its name."""
    good = bundle()
    yield from ((name, rezipped(add)) for name, add in _additions())
    yield from _disagreements(good)
    yield "a program before it", b"MZ" + bytes(510) + good
    yield "a second zip behind it", good + rezipped(lambda archive: None)
    yield "a byte behind it", good + b"\0"
    yield "overlapping files", _overlapping()
    yield "a zip64 of 16 exabytes", _zip64(good)


def rezipped(change: Change) -> bytes:
    """The same files by Python's own zip program, and then some."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in unpack(bundle()).items():
            archive.writestr(zipfile.ZipInfo(name), content)
        change(archive)
    return stream.getvalue()


def _additions() -> Iterator[tuple[str, Change]]:
    names = {
        "a path upwards": "../../evil.txt",
        "a path from the root": "/etc/cron.d/evil",
        "a path of Windows": "C:\\Windows\\evil.txt",
        "a device of Windows": "results/con.csv",
        "a name that is read backwards": "results/\u202evsc.exe",
        "a case twin": "MANIFEST.JSON",
        "a folder": "results/",
        "a name with an end of text": "results/stays.csv\0.exe",
        "a name with an escape": "results/\x1b[2Jverified.csv",
        "a page nobody listed": "README.html",
        "keys of the attacker": "allowed_signers",
    }
    for what, name in names.items():
        yield what, lambda archive, name=name: archive.writestr(_named(name), b"x")
    yield "a name twice", _twice
    yield "a link", _link
    yield "a bomb of 200 MB", _bomb
    yield "a zip in the zip", lambda archive: archive.writestr("inner.zip", bundle())
    yield "a comment", lambda archive: setattr(archive, "comment", b"VERIFIED")


def _named(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("x")
    entry.filename = name
    return entry


def _twice(archive: zipfile.ZipFile) -> None:
    archive.NameToInfo.pop(MANIFEST)  # or else Python warns
    archive.writestr(zipfile.ZipInfo(MANIFEST), b"{}")


def _link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("results/link.csv")
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, b"/etc/passwd")


def _bomb(archive: zipfile.ZipFile) -> None:
    with archive.open(_deflated("results/bomb.csv"), "w", force_zip64=True) as stream:
        for _ in range(BOMB // 1_000_000):
            stream.write(bytes(1_000_000))


def _deflated(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _disagreements(good: bytes) -> Iterator[Named]:
    """The directory at the end says otherwise than the headers before the files."""
    first, entry, end = good.index(LOCAL), good.index(CENTRAL), good.index(END)
    yield "another name in the directory", _put(good, entry + 46, b"X")
    yield "another size in the directory", _put(good, entry + 24, b"\1\0\0\0")
    yield "another digest in the directory", _put(good, entry + 16, bytes(4))
    yield "another place in the directory", _put(good, entry + 42, b"\7\0\0\0")
    yield "one file fewer in the directory", _put(good, end + 8, b"\1\0\1\0")
    yield "marked as encrypted", _put(good, first + 6, b"\1\0")
    yield "sizes behind the file", _put(good, first + 6, b"\x08\0")
    yield "another way to compress", _put(good, first + 8, b"\x63\0")


def _put(raw: bytes, place: int, other: bytes) -> bytes:
    assert raw[place : place + len(other)] != other
    return raw[:place] + other + raw[place + len(other) :]


def _overlapping() -> bytes:
    """900 entries of the directory that all name one file of 1 MB."""
    name, content = b"results/bomb.csv", bytes(1_000_000)
    size, length = len(content), len(name)
    local = struct.pack("<4s5H3I2H", LOCAL, 20, 0, 0, 0, 33, 0, size, size, length, 0)
    sizes = (0, 0, 0, 33, 0, size, size, length, *[0] * 6)
    entry = struct.pack("<4s6H3I5H2I", CENTRAL, 20, 20, *sizes)
    directory = (entry + name) * 900
    at = len(local) + length + size
    end = struct.pack("<4s4H2IH", END, 0, 0, 900, 900, len(directory), at, 0)
    return local + name + content + directory + end


def _zip64(good: bytes) -> bytes:
    """Sizes that only a zip64 field may say, of which the rest of the file has none."""
    entry = good.index(CENTRAL)
    return _put(_put(good, entry + 20, b"\xff" * 8), good.index(LOCAL) + 18, b"\xff" * 8)
