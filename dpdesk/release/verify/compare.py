# SPDX-License-Identifier: Apache-2.0
"""Several bundles of one ledger held against each other: do they tell one story?

Every bundle carries its entry's place in the ledger's chain, the hash before and after it, and
what its account was charged by every entry so far. A ledger that was put back to an older copy,
or kept twice, must contradict itself in them: whoever holds two such bundles can tell.

Bundles of one signer are of one ledger. Those of several signers may be of as many, each with an
entry of the same number; they are held against each other where they share a hash of a chain, as
those of custodians who share a ledger do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from dpdesk.release.record.values import SignedRelease
from dpdesk.study.model.amount import Share
from dpdesk.study.problem import Problem


def compare(records: Sequence[SignedRelease]) -> tuple[Problem, ...]:
    """What contradicts between bundles whose claims add up, and what is not among them.

    Args:
        records: what verified manifests state, in any order.

    Returns:
        ``bundles-fork`` (params first, second: places in the chain): two histories of one
        ledger. ``bundles-missing`` (params account, sequences): charged entries whose bundles
        are not here; a notice, not a contradiction, because not every release is exported.
    """
    ledgers = [sorted(ledger, key=_place) for ledger in _ledgers(records)]
    forks = (fork for ordered in ledgers for fork in _forks(ordered))
    return (*forks, *(missing for ordered in ledgers for missing in _missing(ordered)))


def _ledgers(records: Iterable[SignedRelease]) -> list[list[SignedRelease]]:
    """The bundles of each ledger, as far as they tell which are of one."""
    found: list[tuple[set[str], list[SignedRelease]]] = []
    for release in records:
        marks, own = _marks(release), [release]
        for other in [known for known in found if known[0] & marks]:
            found.remove(other)
            marks, own = marks | other[0], [*other[1], *own]
        found.append((marks, own))
    return [own for _marks_of_it, own in found]


def _marks(release: SignedRelease) -> set[str]:
    """What two bundles of one ledger can have in common: a signer, or an entry's hash."""
    record, stated = release.record, release.record.four_eyes
    hashes = {release.head, record.place.previous, *(one.entry for one in record.overrides)}
    return {f"signer {release.signer.identity}", *hashes, *([stated.entry] if stated else [])}


def _forks(ordered: Sequence[SignedRelease]) -> Iterator[Problem]:
    for earlier, later in combinations(ordered, 2):
        if _contradict(earlier, later):
            places = {"first": str(_place(earlier)), "second": str(_place(later))}
            yield Problem("$.ledger", "bundles-fork", places)


def _contradict(earlier: SignedRelease, later: SignedRelease) -> bool:
    """Whether no single chain holds both."""
    if _place(earlier) == _place(later):
        return earlier.head != later.head
    if _place(earlier) + 1 == _place(later) and earlier.head != later.record.place.previous:
        return True
    if _tells_other_time(earlier, later):
        return True
    if earlier.record.account.name != later.record.account.name:
        return False
    stated = earlier.record.overrides
    if later.record.overrides[: len(stated)] != stated:
        return True
    return _charges(later, _place(earlier)) != _charges(earlier, _place(earlier))


def _tells_other_time(earlier: SignedRelease, later: SignedRelease) -> bool:
    """Whether a later release says that it took answers from the earlier one at another time."""
    taken = (query for query in later.record.queries if query.drawn_in == _place(earlier))
    return any(query.drawn_at not in ("", earlier.record.time) for query in taken)


def _charges(release: SignedRelease, upto: int) -> dict[int, Share]:
    """What the account was charged by each entry up to a place."""
    charges = release.record.account.charges
    return {charge.sequence: charge.charged for charge in charges if charge.sequence <= upto}


def _missing(ordered: Sequence[SignedRelease]) -> Iterator[Problem]:
    here = {_place(release) for release in ordered}
    last = {release.record.account.name: release for release in ordered}
    for name, release in last.items():
        absent = sorted(set(_charges(release, _place(release))) - here)
        if absent:
            params = {"account": name, "sequences": ", ".join(map(str, absent))}
            yield Problem("$.account", "bundles-missing", params)


def _place(release: SignedRelease) -> int:
    return release.record.place.sequence
