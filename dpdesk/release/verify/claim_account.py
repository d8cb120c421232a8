# SPDX-License-Identifier: Apache-2.0
"""Whether what a release says of its account adds up: every answer is paid for, once, somewhere.

A new answer is paid in full by the entry that drew it. A free one was paid by another answer to
the same question in this release, or by an earlier entry; all that is said to come out of one
earlier entry together cost no more than that entry charged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from dpdesk.privacy.plan import QueryPlan
from dpdesk.study.problem import Problem

_NOTHING = Decimal(0)


def account_problems(predicate: dict[str, Any]) -> Iterator[Problem]:
    """``claim-account-differs`` where the sums of an account contradict each other.

    Args:
        predicate: of the right shape.
    """
    account, here = predicate["account"], predicate["ledger"]["sequence"]
    before, after = Decimal(account["spent_before"]), Decimal(account["spent_after"])
    charged = sum((Decimal(query["charged"]) for query in predicate["queries"]), _NOTHING)
    released = [(entry["sequence"], Decimal(entry["charged"])) for entry in account["released"]]
    sequences = [sequence for sequence, _ in released]
    holds = (
        before + charged == after <= Decimal(account["total"])
        and sum((amount for _, amount in released), _NOTHING) == after
        and sequences == sorted(set(sequences))
        and all(1 <= sequence <= here for sequence in sequences)
        and dict(released).get(here, _NOTHING) == charged
        and all(_is_in_time(query, here) for query in predicate["queries"])
        and _has_one_time_each(predicate["queries"])
    )
    if not holds:
        yield Problem("$.account", "claim-account-differs")


def _is_in_time(query: dict[str, Any], here: int) -> bool:
    """What is paid now is paid in full and drawn now; nothing is drawn later."""
    charged, drawn_in = Decimal(query["charged"]), query["drawn_in"]
    if "drawn_at" in query:
        return bool(charged == 0 and 1 <= drawn_in < here)
    if charged == 0:
        return bool(1 <= drawn_in <= here)
    return bool(drawn_in == here and charged == Decimal(query["share"]))


def _has_one_time_each(queries: list[dict[str, Any]]) -> bool:
    """Whether all that comes from one entry is said to be of one minute."""
    told = {(query["drawn_in"], query["drawn_at"]) for query in queries if "drawn_at" in query}
    return len(told) == len(dict(told))


def stored_problems(predicate: dict[str, Any], plans: Mapping[str, QueryPlan]) -> Iterator[Problem]:
    """``claim-account-differs`` or ``claim-delta-differs`` where answers were not all paid for.

    Args:
        predicate: its account's sums add up.
        plans: every query compiled again; they know which queries ask the same.
    """
    here = predicate["ledger"]["sequence"]
    released = {entry["sequence"]: entry for entry in predicate["account"]["released"]}
    answered = [(plans[query["id"]].canonical, query) for query in predicate["queries"]]
    paid = [question for question, query in answered if Decimal(query["charged"])]
    drawn = [question for question, query in answered if query["drawn_in"] == here]
    places = {(question, query["drawn_in"]) for question, query in answered}
    once = len(set(paid)) == len(paid) and len(places) == len(dict(answered))
    if not once or set(drawn) != set(paid):
        yield Problem("$.account", "claim-account-differs")
        return
    for key, stated, code in (
        ("charged", "share", "claim-account-differs"),
        ("delta_charged", "delta", "claim-delta-differs"),
    ):
        if any(
            sum(costs) > Decimal(released.get(sequence, {}).get(key, "0"))
            for sequence, costs in _costs(answered, stated).items()
        ):
            yield Problem("$.account", code)


def _costs(answered: list[tuple[str, dict[str, Any]]], key: str) -> dict[int, list[Decimal]]:
    """What the different questions that were drawn in each entry cost."""
    costs: dict[int, list[Decimal]] = {}
    for query in dict(answered).values():
        costs.setdefault(query["drawn_in"], []).append(Decimal(query.get(key, "0")))
    return costs
