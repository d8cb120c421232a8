# SPDX-License-Identifier: Apache-2.0
"""Several bundles of one ledger held against each other: do they tell one story?

Every bundle carries its entry's place in the ledger's chain, the hash before and after it, and
what its account was charged by every entry so far. A ledger that was put back to an older copy,
or kept twice, must contradict itself in them: whoever holds two such bundles can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from dpdesk.study.problem import Problem

Predicate = Mapping[str, Any]


def compare(predicates: Sequence[Predicate]) -> tuple[Problem, ...]:
    """What contradicts between bundles whose claims add up, and what is not among them.

    Args:
        predicates: what verified manifests state; from one signer, in any order.

    Returns:
        ``bundles-fork`` (params first, second: places in the chain): two histories of one
        ledger. ``bundles-missing`` (params account, sequences): charged entries whose bundles
        are not here; a notice, not a contradiction, because not every release is exported.
    """
    ordered = sorted(predicates, key=lambda p: int(p["ledger"]["sequence"]))
    return (*_forks(ordered), *_missing(ordered))


def _forks(ordered: Sequence[Predicate]) -> Iterator[Problem]:
    for earlier, later in combinations(ordered, 2):
        if _contradict(earlier, later):
            places = {"first": _place(earlier), "second": _place(later)}
            yield Problem("$.ledger", "bundles-fork", places)


def _contradict(earlier: Predicate, later: Predicate) -> bool:
    """Whether no single chain holds both."""
    first, second = earlier["ledger"], later["ledger"]
    if first["sequence"] == second["sequence"]:
        return bool(first["head"] != second["head"])
    if first["sequence"] + 1 == second["sequence"] and first["head"] != second["previous"]:
        return True
    if _tells_other_time(earlier, later):
        return True
    if earlier["account"]["name"] != later["account"]["name"]:
        return False
    return _charges(later, int(first["sequence"])) != _charges(earlier, int(first["sequence"]))


def _tells_other_time(earlier: Predicate, later: Predicate) -> bool:
    """Whether a later release says that it took answers from the earlier one at another time."""
    place, time = earlier["ledger"]["sequence"], earlier["release"]["time"]
    taken = [query for query in later["queries"] if query["drawn_in"] == place]
    return any(query.get("drawn_at", time) != time for query in taken)


def _charges(predicate: Predicate, upto: int) -> dict[int, str]:
    """What the account was charged by each entry up to a place."""
    released = predicate["account"]["released"]
    return {e["sequence"]: e["charged"] for e in released if e["sequence"] <= upto}


def _missing(ordered: Sequence[Predicate]) -> Iterator[Problem]:
    here = {int(p["ledger"]["sequence"]) for p in ordered}
    last = {p["account"]["name"]: p for p in ordered}
    for name, predicate in last.items():
        charged = _charges(predicate, int(predicate["ledger"]["sequence"]))
        absent = sorted(set(charged) - here)
        if absent:
            params = {"account": name, "sequences": ", ".join(map(str, absent))}
            yield Problem("$.account", "bundles-missing", params)


def _place(predicate: Predicate) -> str:
    return str(predicate["ledger"]["sequence"])
