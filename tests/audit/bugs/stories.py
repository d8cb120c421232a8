# SPDX-License-Identifier: Apache-2.0
"""Bugs of whoever checks a bundle: a guard of strict JSON, or of several bundles, is gone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from dpdesk.release.record.strict_object import StrictObject
from dpdesk.release.sealing import order_file
from dpdesk.release.sealing.order_file import CountingOrder
from dpdesk.release.verify import claim_prices
from dpdesk.release.verify import histories as compare
from dpdesk.release.verify.manifest_json import RULES
from tests.audit.bugs.planting import Bug, Plant, bug

STORIES: list[Bug] = []

_PARSER = "dpdesk.study.json.strict_json"


def _other(**rule: Any) -> tuple[str, Any]:
    """A manifest's rules but for one."""
    return "dpdesk.release.verify.manifest_json.RULES", replace(RULES, **rule)


class Chain(NamedTuple):
    """A bundle's place in its chain."""

    place: int


GUARDS: dict[str, tuple[str, Any]] = {
    "a member that comes twice is read": (f"{_PARSER}._unique", dict),
    "NaN is read": (f"{_PARSER}.no_number", float),
    "fractions and exponents are read": _other(fraction=float),
    "numbers of any length are read": _other(whole=int),
    "half a surrogate pair is read": _other(has_whole_pairs=False),
    "brackets may be nested as deep as they like": _other(depth=10**12),
    "one level more may be nested": _other(depth=RULES.depth + 1),
    "a manifest may be of any size": _other(size=10**12),
    "a manifest may hold any number of values": _other(commas=None),
    "a manifest may hold any number of lists": _other(brackets=None),
}


def _taken_out(name: str, value: Any) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(name, value)

    return plant


for _name, _guard in GUARDS.items():
    bug(STORIES, _name, "strict")(_taken_out(*_guard))


@bug(STORIES, "a few digits of an order's code are enough", "strict")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(order_file, "CODE_DIGITS", 8)


@bug(STORIES, "an order's code says nothing of the key that it is sealed to", "strict")
def _(patch: pytest.MonkeyPatch) -> None:
    def digest(order: CountingOrder) -> bytes:
        return hashlib.sha256(order.number.encode("ascii")).digest()

    patch.setattr(CountingOrder, "digest", property(digest))


@bug(STORIES, "the next link of the chain is not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    _compared_as(patch, lambda earlier, later: later.place == earlier.place + 1)


@bug(STORIES, "hashes of entries far behind are not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    _compared_as(patch, lambda earlier, later: later.place > earlier.place + 1)


@bug(STORIES, "two entries at one place are not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    _compared_as(patch, lambda earlier, later: later.place == earlier.place)


@bug(STORIES, "what earlier entries were charged is not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compare, "_charges", lambda _predicate, _upto: {})


@bug(STORIES, "what entries drew is not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compare, "_answered_twice", lambda _earlier, _later: None)


def _compared_as(patch: pytest.MonkeyPatch, excused: Callable[[Chain, Chain], bool]) -> None:
    """Where a pair is excused, the later list begins with the earlier one."""
    real = compare._contradict

    def contradict(earlier: Any, later: Any) -> bool:
        pair = Chain(len(earlier.chain)), Chain(len(later.chain))
        if excused(*pair):
            later = replace(later, chain=(*earlier.chain, *later.chain[len(earlier.chain) :]))
        return real(earlier, later)

    patch.setattr(compare, "_contradict", contradict)


UNASKED: dict[str, tuple[Any, str, Any]] = {
    "no calendar is asked for a time": (StrictObject, "minute", StrictObject.text),
    "what tells of the signer's file passes": (claim_prices, "unreleased", lambda *_members: []),
}


def _unasked(module: Any, name: str, value: Any) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(module, name, value)

    return plant


for _name, _check in UNASKED.items():
    bug(STORIES, _name, "signers")(_unasked(*_check))
