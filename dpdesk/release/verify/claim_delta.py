# SPDX-License-Identifier: Apache-2.0
"""Whether what a release says of delta adds up: thresholds by their exact tail, charges by sums."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from dpdesk.privacy.distributions.threshold import threshold_for
from dpdesk.privacy.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.study.problem import Problem

_NOTHING = Decimal(0)


def delta_problems(predicate: dict[str, Any]) -> Iterator[Problem]:
    """``claim-delta-differs`` where charges of delta do not add up or exceed half of it.

    Args:
        predicate: of format 2 or later, of the right shape.
    """
    account, here = predicate["account"], predicate["ledger"]["sequence"]
    before, after = (Decimal(account[f"delta_spent_{when}"]) for when in ("before", "after"))
    charged = sum((Decimal(q["delta_charged"]) for q in predicate["queries"]), _NOTHING)
    released = {e["sequence"]: Decimal(e["delta_charged"]) for e in account["released"]}
    holds = (
        before + charged == after
        and 2 * after <= Decimal(account["delta"])
        and sum(released.values(), _NOTHING) == after
        and released.get(here, _NOTHING) == charged
        and all(map(_is_charged, predicate["queries"]))
    )
    if not holds:
        yield Problem("$.account", "claim-delta-differs")


def _is_charged(query: dict[str, Any]) -> bool:
    """Delta is charged where the share is; a free answer's was charged where it was drawn."""
    delta, charged = Decimal(query["delta"]), Decimal(query["delta_charged"])
    return charged == (delta if Decimal(query["charged"]) != 0 else _NOTHING)


def threshold_problems(
    stated: dict[str, Any], query: dict[str, Any], plan: QueryPlan, path: str
) -> Iterator[Problem]:
    """``claim-threshold-too-small`` (params query, part, claimed, computed), or another delta.

    Args:
        stated: the draw as the manifest states it.
        query: its query in the manifest.
        plan: the query compiled again.
        path: the query's place.
    """
    if Decimal(query.get("delta", "0")) != plan.delta.as_decimal():
        yield Problem(path, "claim-study-differs")
    if "threshold" not in stated or not plan.delta.atto:
        return
    noise = Noise(stated["mechanism"], float(stated["scale"]), "rho")
    computed = threshold_for(noise, plan.unit.max_rows, plan.delta)
    if int(stated["threshold"]) < computed:
        params = {"claimed": stated["threshold"], "computed": str(computed)}
        names = {"query": query["id"], "part": stated["name"]}
        yield Problem(path, "claim-threshold-too-small", {**names, **params})
