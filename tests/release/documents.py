# SPDX-License-Identifier: Apache-2.0
"""Manifests that are right but for one thing: nothing else in them can make a reader refuse them.

A document that is wrong in two ways shows nothing about the guard against the first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.record import values
from dpdesk.release.verify.manifest_json import RULES
from tests.release.bundles import bundle

PARSER = "dpdesk.study.json.strict_json"
FORMAT = f'"format": {values.FORMAT}'.encode("ascii")


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong with a manifest.

    Attributes:
        name: what it is.
        guard: the name that refuses it, and what stands in its place in a reader that lets it
            pass; ``None`` where more than a name would have to go.
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
    depth = RULES.depth + 1
    commas = (RULES.commas or 0) - raw.count(b",") + 1
    pairs = ((RULES.brackets or 0) - len(re.findall(rb"[\[\]{}]", raw))) // 2 + 1
    return (
        Flaw("a member twice", (f"{PARSER}._unique", dict), _with(FORMAT + b", " + FORMAT)),
        Flaw("a fraction", _other(fraction=float), _note(b"2.0")),
        Flaw("an exponent", _other(fraction=float), _note(b"2e0")),
        Flaw("not a number", (f"{PARSER}.no_number", float), _note(b"NaN")),
        Flaw("infinite", (f"{PARSER}.no_number", float), _note(b"-Infinity")),
        Flaw("a long number", _other(whole=int), _note(b"9007199254740993")),
        Flaw("half a letter", _other(has_whole_pairs=False), _note(rb'"\ud800"')),
        Flaw("half a letter's end", _other(has_whole_pairs=False), _note(rb'"\\\udc00"')),
        Flaw("two ends", _other(has_whole_pairs=False), _note(rb'"\udc00\ud800"')),
        Flaw("too deep", _other(depth=depth), _note(b"[" * (depth - 2) + b"]" * (depth - 2))),
        Flaw("too large", _other(size=10**9), raw + b" " * RULES.size),
        Flaw("many values", _other(commas=None), _note(b"[0" + b",0" * commas + b"]")),
        Flaw("many brackets", _other(brackets=None), _note(_nested(pairs))),
        Flaw("a letter as it is", None, _note('"ä"'.encode())),
        Flaw("a byte order mark", None, b"\xef\xbb\xbf" + raw),
        Flaw("something behind", None, raw + b"{}"),
    )


def _other(**rule: Any) -> tuple[str, Any]:
    """A manifest's rules without one of them."""
    return "dpdesk.release.verify.manifest_json.RULES", replace(RULES, **rule)


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
    assert lists.count(b",") < (RULES.commas or 0) // 2
    return lists
