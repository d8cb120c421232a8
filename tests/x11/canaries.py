# SPDX-License-Identifier: Apache-2.0
"""Words that stand in a data file alone, and the search for them in what a day leaves behind."""

from __future__ import annotations

import base64
import os
import secrets
import stat
import string
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

MOST_BYTES = 400_000_000
"""Of one file that is searched; a core of this program has 200 MB."""

ZLIB_HEADS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
GZIP_HEAD = b"\x1f\x8b\x08"
FOLDER = "fo"
"""The kind of canary that names a place."""


@dataclass(frozen=True)
class Canary:
    """A word that occurs nowhere else.

    Attributes:
        kind: where it was put.
        word: lower-case letters, so that it is the same in a path, in JSON and in a URL.
    """

    kind: str
    word: str

    @classmethod
    def of(cls, kind: str) -> Canary:
        """A new one, which no other run of this has used."""
        letters = "".join(secrets.choice(string.ascii_lowercase) for _ in range(16))
        return cls(kind, f"zq{letters}")

    @property
    def forms(self) -> dict[str, bytes]:
        """How it may be written: as it is, in UTF-16, in base64 at each of three places, in hex."""
        raw = self.word.encode("ascii")
        wide = self.word.encode("utf-16-le")
        return {
            "raw": raw,
            "UTF-16": wide,
            "hex": raw.hex().encode("ascii"),
            **{f"base64 +{place}": _base64(raw, place) for place in range(3)},
            **{f"base64 of UTF-16 +{place}": _base64(wide, place) for place in range(3)},
        }


def _base64(raw: bytes, place: int) -> bytes:
    """The letters of base64 that do not depend on what stands before and behind.

    >>> _base64(b"patient", 1) in base64.b64encode(b"xpatientyz")
    True
    """
    whole = base64.b64encode(bytes(place) + raw + bytes(-(place + len(raw)) % 3))
    first = -(-place * 8 // 6)
    return whole[first : (place + len(raw)) * 8 // 6]


@dataclass(frozen=True)
class Sighting:
    """A canary where it may not be.

    Attributes:
        place: the file or other place.
        kind: of canary.
        form: how it was written.
    """

    place: str
    kind: str
    form: str


class Search:
    """Looks for canaries in bytes, in what is compressed within them, and in names.

    Args:
        canaries: what to look for.
    """

    def __init__(self, canaries: Sequence[Canary]) -> None:
        forms = [(c.kind, form, raw) for c in canaries for form, raw in c.forms.items()]
        self._needles = tuple(forms)
        self.files = 0

    def in_bytes(self, place: str, raw: bytes) -> list[Sighting]:
        """In these bytes, and in every zip, gzip and zlib stream in them."""
        texts = [("", raw), *_inflated(raw)]
        found = []
        for how, text in texts:
            plain = text.lower()
            found += [
                Sighting(place, kind, f"{how}{form}")
                for kind, form, needle in self._needles
                if needle in (plain if form == "raw" else text)
            ]
        return found

    def in_folders(
        self, folders: Sequence[Path], since: float, beside: Sequence[Path] = ()
    ) -> list[Sighting]:
        """In every file that was written since then, and in every name, but for some folders."""
        found = []
        for path in _below(folders, beside):
            raw = os.fsencode(path.name)
            found += self.in_bytes(f"the name {raw.decode(errors='replace')}", raw)
            raw = _read(path, since)
            if raw is not None:
                self.files += 1
                found += self.in_bytes(str(path), raw)
        return found


def _below(folders: Sequence[Path], beside: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in _children(folder):
            if path not in beside:
                yield path
                if path.is_dir() and not path.is_symlink():
                    yield from _below([path], beside)


def _children(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # of somebody else, or gone by now
        return []


def _read(path: Path, since: float) -> bytes | None:
    try:
        about = path.lstat()
        is_meant = stat.S_ISREG(about.st_mode) and about.st_size <= MOST_BYTES
        return path.read_bytes() if is_meant and about.st_mtime >= since else None
    except OSError:
        return None


def _inflated(raw: bytes) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(BytesIO(raw)):
        yield from _unzipped(raw)
    for head in ZLIB_HEADS:
        for place in _places(raw, head):
            yield from _stream("zlib: ", raw, place, zlib.MAX_WBITS)
    for place in _places(raw, GZIP_HEAD):
        yield from _stream("gzip: ", raw, place, zlib.MAX_WBITS | 16)


def _places(raw: bytes, head: bytes) -> Iterator[int]:
    place = raw.find(head)
    while place >= 0:
        yield place
        place = raw.find(head, place + 1)


def _stream(how: str, raw: bytes, place: int, bits: int) -> Iterator[tuple[str, bytes]]:
    try:
        # A core has 200 MB, and thousands of places that look like the beginning of a stream.
        text = zlib.decompressobj(bits).decompress(memoryview(raw)[place:], 10_000_000)
    except zlib.error:
        return
    if text:
        yield how, text


def _unzipped(raw: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            for name in archive.namelist():
                text = archive.read(name)
                yield f"zip, {name}: ", text
                if zipfile.is_zipfile(BytesIO(text)):
                    yield from _unzipped(text)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError):
        return
