# SPDX-License-Identifier: Apache-2.0
"""Whether what a release says of its account adds up: every answer is paid for, once, somewhere.

A new answer is paid in full by the entry that drew it. A free one was paid by another answer to
the same question in this release, or by an earlier entry; all that is said to come out of one
earlier entry together cost no more than that entry charged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.ledger.storage.schema import GENESIS
from dpdesk.release.record.totals import plus, together
from dpdesk.release.record.values import EntryCharge, ReleasedQuery, ReleaseRecord
from dpdesk.study.model.amount import NO_DELTA, zero
from dpdesk.study.problem import Problem

Answered = list[tuple[str, ReleasedQuery]]
"""Each query with the canonical text of its question."""


def chain_problems(record: ReleaseRecord) -> Iterator[Problem]:
    """``claim-chain-differs`` (param sequence): an account is opened before it is charged."""
    place = record.place
    if place.sequence < 2 or place.previous == GENESIS:
        yield Problem("$.ledger", "claim-chain-differs", {"sequence": str(place.sequence)})


def account_problems(record: ReleaseRecord) -> Iterator[Problem]:
    """Where the sums of an account contradict each other.

    Codes: ``claim-spent-after-differs`` (params claimed, computed), ``claim-account-overspent``
    (spent, total), ``claim-charges-differ`` (claimed, computed), ``claim-charges-unordered``,
    ``claim-charge-here-differs`` (claimed, computed), ``claim-drawn-times-differ``; and
    ``claim-stored-charged``, ``claim-charge-not-share``, ``claim-drawn-elsewhere`` of a query.
    """
    yield from _sums(record)
    for index, query in enumerate(record.queries):
        code = _payment_problem(query, record.place.sequence)
        if code is not None:
            yield Problem(f"$.queries[{index}]", code, {"query": query.id})
    reported = {(query.drawn_in, query.drawn_at) for query in record.queries if query.drawn_at}
    if len(reported) != len(dict(reported)):
        yield Problem("$.queries", "claim-drawn-times-differ")


def _sums(record: ReleaseRecord) -> Iterator[Problem]:
    account, here = record.account, record.place.sequence
    charged = together(record.measure, (query.charged for query in record.queries))
    listed = together(record.measure, (charge.charged for charge in account.charges))
    own = (charge.charged for charge in account.charges if charge.sequence == here)
    sums = (
        ("spent-after", account.spent_after, plus(account.spent_before, charged)),
        ("charges", listed, account.spent_after),
        ("charge-here", next(own, zero(record.measure)), charged),
    )
    for what, claimed, computed in sums:
        if claimed != computed:
            params = {"claimed": str(claimed), "computed": str(computed)}
            yield Problem("$.account", _DIFFERS[what], params)
    if account.spent_after.units > account.total.units:
        params = {"spent": str(account.spent_after), "total": str(account.total)}
        yield Problem("$.account", "claim-account-overspent", params)
    sequences = [charge.sequence for charge in account.charges]
    if sequences != sorted(set(sequences)) or not all(1 <= place <= here for place in sequences):
        yield Problem("$.account.released", "claim-charges-unordered")


_DIFFERS = {
    "spent-after": "claim-spent-after-differs",
    "charges": "claim-charges-differ",
    "charge-here": "claim-charge-here-differs",
}


def _payment_problem(query: ReleasedQuery, here: int) -> str | None:
    """What is paid now is paid in full and drawn now; nothing is drawn later."""
    if query.drawn_at and query.charged.units:
        return "claim-stored-charged"
    if query.charged.units and query.charged != query.share:
        return "claim-charge-not-share"
    last = here - 1 if query.drawn_at else here
    first = here if query.charged.units else 1
    return None if first <= query.drawn_in <= last else "claim-drawn-elsewhere"


def stored_problems(record: ReleaseRecord, plans: Mapping[str, QueryPlan]) -> Iterator[Problem]:
    """Where answers were not all paid for.

    Codes: ``claim-question-paid-twice``, ``claim-question-drawn-twice``, ``claim-draw-unpaid``
    (param query); ``claim-earlier-unpaid`` and ``claim-earlier-delta-unpaid`` (param sequence).

    Args:
        record: its account's sums add up.
        plans: every query compiled again; they know which queries ask the same.
    """
    answered = [(plans[query.id].canonical, query) for query in record.queries]
    repeated = tuple(_repeated(answered, record.place.sequence))
    if repeated:
        yield from repeated
        return
    charges = {charge.sequence: charge for charge in record.account.charges}
    nothing = EntryCharge(0, zero(record.measure), NO_DELTA)
    for sequence, queries in _by_entry(answered).items():
        charge, params = charges.get(sequence, nothing), {"sequence": str(sequence)}
        if sum(query.share.units for query in queries) > charge.charged.units:
            yield Problem("$.account", "claim-earlier-unpaid", params)
        if sum(query.delta.atto for query in queries) > charge.delta.atto:
            yield Problem("$.account", "claim-earlier-delta-unpaid", params)


def _repeated(answered: Answered, here: int) -> Iterator[Problem]:
    """Questions that were paid for twice, or not by any of those who ask them."""
    paid, drawn_in = set[str](), dict[str, int]()
    for question, query in answered:
        params = {"query": query.id}
        if question in paid and query.charged.units:
            yield Problem("$.queries", "claim-question-paid-twice", params)
        if drawn_in.setdefault(question, query.drawn_in) != query.drawn_in:
            yield Problem("$.queries", "claim-question-drawn-twice", params)
        paid |= {question} if query.charged.units else set()
    for question, query in answered:
        # What costs nothing is paid by nobody.
        if query.drawn_in == here and question not in paid and query.share.units:
            yield Problem("$.queries", "claim-draw-unpaid", {"query": query.id})


def _by_entry(answered: Answered) -> dict[int, list[ReleasedQuery]]:
    """One query of each question, by the entry that drew it."""
    entries: dict[int, list[ReleasedQuery]] = {}
    for query in dict(answered).values():
        entries.setdefault(query.drawn_in, []).append(query)
    return entries
