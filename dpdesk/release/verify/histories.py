# SPDX-License-Identifier: Apache-2.0
"""Several bundles of one ledger held against each other: do they agree?

Every bundle lists the hashes of all entries of its ledger up to its own. A ledger only grows, so of
two bundles of one ledger the list of one begins the list of the other. Where a ledger was put back
to an older copy, or kept twice, the entry with which the copies part is in both lists with two
hashes, at whatever distance, price or account: anyone who holds one bundle of each can tell. What
bundles state of their account beside that, charges and answers, must be one story, too.

Bundles of one signer are of one ledger. Those of several signers may be of as many; they are held
against each other where they share a hash of a chain, as those of custodians who share a ledger do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from dpdesk.privacy.question import Question
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.values import ReleasedQuery, ReleaseRecord, SignedRelease
from dpdesk.study.model.amount import AccountDelta, Delta, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Problem

CONTRADICTIONS = frozenset({"bundles-fork", "bundles-answer-differs"})
"""What no honest ledger can lead to; the rest is only worth knowing."""


def compare(records: Sequence[SignedRelease]) -> tuple[Problem, ...]:
    """What contradicts between bundles whose claims add up, and what is not among them.

    Args:
        records: what verified manifests state, in any order.

    Returns:
        ``bundles-fork`` (params first, second: places in the chain): two histories of one
        ledger. ``bundles-answer-differs`` (params first, second; entry): two values of an answer
        that was drawn once. ``bundles-missing`` (params account, sequences): charged entries whose
        bundles are not here; a notice, not a contradiction, because not every release is exported.
    """
    ledgers = [sorted(ledger, key=_place) for ledger in _ledgers(records)]
    wrong = (problem for ordered in ledgers for problem in _contradictions(ordered))
    return (*wrong, *(missing for ordered in ledgers for missing in _missing(ordered)))


def in_order(records: Sequence[SignedRelease]) -> tuple[tuple[int, ...], ...]:
    """Which bundles are of one ledger, by their indices, the earliest entry first.

    Args:
        records: bundles that do not contradict each other.

    Returns:
        Each ledger of which there are two bundles or more.
    """
    places = {id(release): index for index, release in enumerate(records)}
    found = (sorted(ledger, key=_place) for ledger in _ledgers(records))
    return tuple(tuple(places[id(one)] for one in ordered) for ordered in found if ordered[1:])


def _ledgers(records: Iterable[SignedRelease]) -> list[list[SignedRelease]]:
    """The bundles of each ledger, as far as they show which are of one."""
    found: list[tuple[set[str], list[SignedRelease]]] = []
    for release in records:
        marks, own = _marks(release), [release]
        for other in [known for known in found if known[0] & marks]:
            found.remove(other)
            marks, own = marks | other[0], [*other[1], *own]
        found.append((marks, own))
    return [own for _marks_of_it, own in found]


def _marks(release: SignedRelease) -> set[str]:
    """What two bundles of one ledger can have in common: a signer, or an entry's hash.

    All entries of honest ledgers follow the first; who makes lists up may share the last ones.
    """
    record, stated = release.record, release.record.second_person
    hashes = {release.chain[0], *release.chain[-2:], *(one.entry for one in record.overrides)}
    return {f"signer {release.signer.identity}", *hashes, *([stated.entry] if stated else [])}


def _contradictions(ordered: Sequence[SignedRelease]) -> Iterator[Problem]:
    for earlier, later in combinations(ordered, 2):
        places = {"first": str(_place(earlier)), "second": str(_place(later))}
        if _contradict(earlier, later):
            yield Problem("$.ledger", "bundles-fork", places)
        elif (entry := _answered_twice(earlier, later)) is not None:
            params = {**places, "entry": str(entry)}
            yield Problem("$.drawn", "bundles-answer-differs", params)


def _contradict(earlier: SignedRelease, later: SignedRelease) -> bool:
    """Whether no single chain holds both."""
    if later.chain[: _place(earlier)] != earlier.chain:
        return True
    if _states_other_time(earlier, later):
        return True
    if earlier.record.account.name != later.record.account.name:
        return False
    stated = earlier.record.overrides
    if later.record.overrides[: len(stated)] != stated:
        return True
    if _lowers_delta(earlier.record.account.delta, later.record.account.delta):
        return True
    return _charges(later, _place(earlier)) != _charges(earlier, _place(earlier))


def _lowers_delta(before: AccountDelta, after: AccountDelta) -> bool:
    """Whether what converts has changed, or less is kept: a raise only adds to what is kept."""
    return before.converts != after.converts or before.kept > after.kept


def _states_other_time(earlier: SignedRelease, later: SignedRelease) -> bool:
    """Whether a later release says that it took answers from the earlier one at another time."""
    taken = (query for query in later.record.queries if query.drawn_in == _place(earlier))
    return any(query.drawn_at not in ("", earlier.record.time) for query in taken)


def _answered_twice(earlier: SignedRelease, later: SignedRelease) -> int | None:
    """The entry of which two bundles state unlike answers; ``None`` where there is none.

    An entry draws each question once. What it drew is in its own release, too.
    """
    known, stated = _answers(earlier.record), _answers(later.record)
    for place, drawn in stated.items():
        if place in known:
            if known[place] != drawn:
                return place[0]
        elif place[0] == _place(earlier):
            return place[0]
    return None


def _answers(record: ReleaseRecord) -> dict[tuple[int, str], Drawn | None]:
    """What was drawn, by the entry that drew it and the canonical text of its question."""
    return {(one.drawn_in, _question(record, one)): one.drawn for one in record.queries}


def _question(record: ReleaseRecord, query: ReleasedQuery) -> str:
    """All that was asked, and its price; a claim that adds up is of a study that asks it."""
    study = record.study.study or Study()
    asked = next(one for one in study.queries if one.id == query.id)
    return Question.of(study, study.unit or Unit(), asked).canonical()


def _charges(release: SignedRelease, upto: int) -> dict[int, tuple[Share, Delta]]:
    """What the account was charged by each entry up to a place, of budget and of delta."""
    charges = (one for one in release.record.account.charges if one.sequence <= upto)
    return {one.sequence: (one.charged, one.delta) for one in charges}


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
