# SPDX-License-Identifier: Apache-2.0
"""Bugs of whoever checks a bundle: a guard of strict JSON, or of several bundles, is gone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dpdesk.release.record.strict_object import StrictObject
from dpdesk.release.verify import claim, claim_prices, compare, verification
from dpdesk.release.verify.manifest_json import RULES
from tests.audit.bugs.planting import Bug, Plant, bug

STORIES: list[Bug] = []

_PARSER = "dpdesk.study.json.strict_json"


def _other(**rule: Any) -> tuple[str, Any]:
    """A manifest's rules but for one."""
    return "dpdesk.release.verify.manifest_json.RULES", replace(RULES, **rule)


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


@bug(STORIES, "the next link of the chain is not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    real = compare._contradict

    def contradict(earlier: Any, later: Any) -> bool:
        linked = replace(later.record.place, previous=earlier.head)
        return real(earlier, replace(later, record=replace(later.record, place=linked)))

    patch.setattr(compare, "_contradict", contradict)


@bug(STORIES, "two entries at one place are not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    real = compare._contradict

    def contradict(earlier: Any, later: Any) -> bool:
        same = earlier.record.place.sequence == later.record.place.sequence
        return not same and real(earlier, later)

    patch.setattr(compare, "_contradict", contradict)


@bug(STORIES, "what earlier entries were charged is not compared", "stories")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compare, "_charges", lambda _predicate, _upto: {})


UNASKED: dict[str, tuple[Any, str, Any]] = {
    "no calendar is asked for a time": (StrictObject, "minute", StrictObject.text),
    "what tells of the signer's file passes": (claim_prices, "unreleased", lambda *_members: []),
    "a version may write any format": (claim, "is_written_by", lambda *_said: True),
    "what an older format leaves unmarked is not counted": (
        verification,
        "too_noisy_lines",
        lambda _predicate: None,
    ),
}


def _unasked(module: Any, name: str, value: Any) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(module, name, value)

    return plant


for _name, _check in UNASKED.items():
    bug(STORIES, _name, "signers")(_unasked(*_check))
