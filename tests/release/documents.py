# SPDX-License-Identifier: Apache-2.0
"""Manifests that are right but for one thing: nothing else in them can make a reader refuse them.

A document that is wrong in two ways shows nothing about the guard against the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dpdesk.release import record
from dpdesk.release.bundle.container import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.verify import strict_json
from tests.release.bundles import bundle

FORMAT = f'"format": {record.FORMAT}'.encode("ascii")


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong with a manifest.

    Attributes:
        name: what it is.
        guard: the name in ``strict_json`` that refuses it, and what stands in its place in a
            reader that lets it pass; ``None`` where more than a name would have to go.
        document: the manifest.
    """

    name: str
    guard: tuple[str, Any] | None
    document: bytes


@lru_cache(maxsize=1)
def right() -> bytes:
    """A manifest without a flaw, as it was signed."""
    return unpack(bundle())[MANIFEST]


@lru_cache(maxsize=1)
def flaws() -> tuple[Flaw, ...]:
    """Each flaw, in a manifest that has no other."""
    raw = right()
    depth = strict_json.MAX_DEPTH + 1
    commas = strict_json.MAX_ITEMS - raw.count(b",") + 1
    pairs = (strict_json.MAX_BRACKETS - len(re.findall(rb"[\[\]{}]", raw))) // 2 + 1
    return (
        Flaw("a member twice", ("_unique", dict), _with(FORMAT + b", " + FORMAT)),
        Flaw("a fraction", ("_none_of_those", float), _note(b"2.0")),
        Flaw("an exponent", ("_none_of_those", float), _note(b"2e0")),
        Flaw("not a number", ("_none_of_those", float), _note(b"NaN")),
        Flaw("infinite", ("_none_of_those", float), _note(b"-Infinity")),
        Flaw("a long number", ("_whole", int), _note(b"9007199254740993")),
        Flaw("half a letter", ("_has_half_pair", _never), _note(rb'"\ud800"')),
        Flaw("half a letter's end", ("_has_half_pair", _never), _note(rb'"\\\udc00"')),
        Flaw("two ends", ("_has_half_pair", _never), _note(rb'"\udc00\ud800"')),
        Flaw("too deep", ("MAX_DEPTH", depth), _note(b"[" * (depth - 2) + b"]" * (depth - 2))),
        Flaw("too large", ("MAX_BYTES", 10**9), raw + b" " * strict_json.MAX_BYTES),
        Flaw("many values", ("MAX_ITEMS", 10**9), _note(b"[0" + b",0" * commas + b"]")),
        Flaw("many brackets", ("MAX_BRACKETS", 10**9), _note(_nested(pairs))),
        Flaw("a letter as it is", None, _note('"ä"'.encode())),
        Flaw("a byte order mark", None, b"\xef\xbb\xbf" + raw),
        Flaw("something behind", None, raw + b"{}"),
    )


def _with(members: bytes) -> bytes:
    """The manifest with other members in the place of its format."""
    assert right().count(FORMAT) == 1
    return right().replace(FORMAT, members)


def _note(value: bytes) -> bytes:
    """The manifest with one more member, in its predicate."""
    return _with(FORMAT + b', "note": ' + value)


def _nested(pairs: int) -> bytes:
    """So many pairs of brackets, few of them separated: as texts of the least size."""
    lists = b"[" + b",".join([b"[[[[[[]]]]]]"] * (pairs // 6 + 1)) + b"]"
    assert lists.count(b",") < strict_json.MAX_ITEMS // 2
    return lists


def _never(_raw: bytes) -> bool:
    return False
