# SPDX-License-Identifier: Apache-2.0
"""Ways to break a file: what disks, mail gateways, editors and ill will do to bytes."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from tests.fuzz_files.canary import CANARY

TOKENS = (
    b'"', b'""', b'","', b'"\n', b"'", b"\0", b"\r", b"\n", b"\r\n", b"\n\n", b"\x1a", b"\x85",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xa8",
    b"9" * 400, b"-" + b"9" * 70, b"1e999", b"1e-999", b"0x1F", b"nan", b"-inf", b"1_000",
    b'=HYPERLINK("http://x.example")', b"=1+1", b"@SUM(A1)", b",", b";", b"\t", b"|", b" ",
    b"2020-02-30", b"0000-00-00", b"99999-01-01", b"</", b"<!--", b"&#0;", b"&amp", b"]]>",
    CANARY.encode(), CANARY.encode("utf-16-le"), b"," * 300, b'"' * 257, b"a\n" * 200,
)  # fmt: skip
"""Bytes that mean something to one of the readers."""

EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
"""Whole numbers at which counts and lengths go wrong."""

_NUMBERS = (b"0", b"-1", b"1", b"255", b"65536", b"1048576", b"16384", b"2147483648", b"9" * 25)
_PLACES = (b"XFD1048576", b"A1048576", b"XFD1", b"A0", b"ZZZZZZ99999999999", b"", b"A1:XFD1048576")
_QUOTED_NUMBER = re.compile(rb'"-?\d+"')
_QUOTED_PLACE = re.compile(rb'"[A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?"')

Mutation = Callable[[random.Random, bytes, bytes], bytes]
"""Breaks the first file; the second is one to take pieces from."""


def mutate(dice: random.Random, content: bytes, other: bytes) -> bytes:
    """Break a file in one to six places; what is packed is mostly broken inside its packing."""
    if content.startswith(b"PK") and dice.random() < 0.75:
        return _mutate_packed(dice, content, other)
    return _mutate_plain(dice, content, other)


def _mutate_plain(dice: random.Random, content: bytes, other: bytes) -> bytes:
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        content = dice.choice(_MUTATIONS)(dice, content, other)
    return content


def _mutate_packed(dice: random.Random, content: bytes, other: bytes) -> bytes:
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except BadZipFile:
        return _mutate_plain(dice, content, other)
    # Where the cells are is where most of the mistakes should be.
    full = [name for name in parts if "sheet" in name or "content" in name or "Strings" in name]
    name = dice.choice(full if full and dice.random() < 0.8 else list(parts))
    change = dice.choice((_mutate_plain, _replace_number, _replace_place, _drop))
    parts[name] = change(dice, parts[name], other)
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for part, text in parts.items():
            if part != name or change is not _drop:
                archive.writestr(part, text)
    return packed.getvalue()


def _replace_number(dice: random.Random, content: bytes, other: bytes) -> bytes:
    return _replace(dice, content, _QUOTED_NUMBER, dice.choice(_NUMBERS))


def _replace_place(dice: random.Random, content: bytes, other: bytes) -> bytes:
    return _replace(dice, content, _QUOTED_PLACE, dice.choice(_PLACES))


def _replace(dice: random.Random, content: bytes, what: re.Pattern[bytes], new: bytes) -> bytes:
    found = list(what.finditer(content))
    if not found:
        return content
    start, end = dice.choice(found).span()
    return content[: start + 1] + new + content[end - 1 :]


def _drop(dice: random.Random, content: bytes, other: bytes) -> bytes:
    return b""


def _place(dice: random.Random, content: bytes) -> int:
    """Anywhere, but often near the beginning or the end, where a file describes itself."""
    size = len(content)
    near = min(size, dice.choice((64, 512, 4096)))
    return dice.choice((dice.randint(0, size), dice.randint(0, near), size - dice.randint(0, near)))


def _flip(dice: random.Random, content: bytes, other: bytes) -> bytes:
    broken = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 8))):
        if broken:
            broken[min(_place(dice, content), len(broken) - 1)] ^= 1 << dice.randrange(8)
    return bytes(broken)


def _overwrite(dice: random.Random, content: bytes, other: bytes) -> bytes:
    start, token = _place(dice, content), _piece(dice, other)
    return content[:start] + token + content[start + len(token) :]


def _insert(dice: random.Random, content: bytes, other: bytes) -> bytes:
    start = _place(dice, content)
    return content[:start] + _piece(dice, other) + content[start:]


def _set_number(dice: random.Random, content: bytes, other: bytes) -> bytes:
    width = dice.choice((1, 2, 4, 8))
    start = _place(dice, content) // width * width
    value = dice.choice(EDGES) % (1 << 8 * width)
    number = value.to_bytes(width, dice.choice(("little", "big")))
    return content[:start] + number + content[start + width :]


def _truncate(dice: random.Random, content: bytes, other: bytes) -> bytes:
    return content[: _place(dice, content)]


def _cut_out(dice: random.Random, content: bytes, other: bytes) -> bytes:
    start = _place(dice, content)
    return content[:start] + content[start + dice.choice((1, 2, 8, 80, 512, 4096)) :]


def _repeat(dice: random.Random, content: bytes, other: bytes) -> bytes:
    start, size = _place(dice, content), dice.choice((1, 4, 80, 512, 4096))
    block = content[start : start + size] * dice.choice((1, 1, 2, 16))
    return content[:start] + block + content[start:]


def _splice(dice: random.Random, content: bytes, other: bytes) -> bytes:
    return content[: _place(dice, content)] + other[_place(dice, other) :]


def _piece(dice: random.Random, other: bytes) -> bytes:
    if dice.random() < 0.8:
        return dice.choice(TOKENS)
    start = _place(dice, other)
    return other[start : start + dice.choice((4, 64, 1024))]


_MUTATIONS: tuple[Mutation, ...] = (
    _flip, _flip, _overwrite, _insert, _insert, _set_number, _set_number, _truncate, _cut_out,
    _repeat, _splice,
)  # fmt: skip
