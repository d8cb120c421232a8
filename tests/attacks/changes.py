# SPDX-License-Identifier: Apache-2.0
"""Every single-byte change of a bundle, as it lies and with the zip around it made right again."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KNOWN, bundle

SLICES = 64


@dataclass(frozen=True)
class Tried:
    """How many changes were tried, and which were not noticed (place, value)."""

    count: int
    passed: tuple[tuple[int, int], ...] = ()


def every_value(raw: bytes, step: int = 1) -> Tried:
    """Each byte (or each ``step``-th) of a bundle as each of the 255 others."""
    return _in_parallel(_values, raw, range(0, len(raw), step))


def every_bit(raw: bytes, step: int = 1, end: int | None = None) -> Tried:
    """Each byte of a bundle, or of its beginning, with each of its bits turned."""
    return _in_parallel(_bits, raw, range(0, len(raw) if end is None else end, step))


def every_content(raw: bytes, step: int = 1) -> Tried:
    """Each byte of each file changed, and packed again: no checksum of the zip gives it away."""
    length = sum(map(len, unpack(raw).values()))
    return _in_parallel(_contents, raw, range(0, length, step))


def newest() -> bytes:
    """A real bundle as this version writes it."""
    return bundle()


def _in_parallel(work: object, raw: bytes, places: range) -> Tried:
    pieces = [places[number::SLICES] for number in range(SLICES)]
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        found = list(pool.map(partial(work, raw), pieces))  # type: ignore[arg-type]
    return Tried(
        sum(one.count for one in found), tuple(place for one in found for place in one.passed)
    )


def _values(raw: bytes, places: range) -> Tried:
    return _tried(
        (place, value, _with(raw, place, value))
        for place in places
        for value in range(256)
        if value != raw[place]
    )


def _bits(raw: bytes, places: range) -> Tried:
    others = ((place, raw[place] ^ 1 << bit) for place in places for bit in range(8))
    return _tried((place, value, _with(raw, place, value)) for place, value in others)


def _contents(raw: bytes, places: range) -> Tried:
    files = unpack(raw)
    return _tried((place, 0, _packed(files, place)) for place in places)


def _packed(files: dict[str, bytes], place: int) -> bytes:
    at = place
    for name, content in files.items():
        if at < len(content):
            return pack({**files, name: _with(content, at, content[at] ^ 1 << place % 8)})
        at -= len(content)
    raise IndexError(place)


def _with(raw: bytes, place: int, value: int) -> bytes:
    changed = bytearray(raw)
    changed[place] = value
    return bytes(changed)


def _tried(changed: Iterator[tuple[int, int, bytes]]) -> Tried:
    count, passed = 0, []
    for place, value, raw in changed:
        count += 1
        found = verify(raw, KNOWN)
        if found.is_whole or found.is_good:
            passed.append((place, value))
    return Tried(count, tuple(passed))
