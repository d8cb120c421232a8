# SPDX-License-Identifier: Apache-2.0
"""Whether what a release says of delta adds up: thresholds by their exact tail, charges by sums."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.privacy.distributions.threshold import threshold_for
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery, ReleaseRecord
from dpdesk.study.model.amount import NO_DELTA, Delta
from dpdesk.study.problem import Problem


def delta_problems(record: ReleaseRecord) -> Iterator[Problem]:
    """Where charges of delta do not add up or exceed what is kept for them.

    Codes: ``claim-delta-charge-differs`` (param query), ``claim-delta-after-differs``,
    ``claim-delta-charges-differ``, ``claim-delta-here-differs``, ``claim-delta-overspent``.
    """
    account = record.account
    for index, query in enumerate(record.queries):
        # A free answer's was charged where it was drawn.
        if query.delta_charged != (query.delta if query.charged.units else NO_DELTA):
            path = f"$.queries[{index}].delta_charged"
            yield Problem(path, "claim-delta-charge-differs", {"query": query.id})
    charged = Delta(sum(query.delta_charged.atto for query in record.queries))
    here = (c.delta for c in account.charges if c.sequence == record.place.sequence)
    if account.delta_spent_before + charged != account.delta_spent_after:
        yield Problem("$.account.delta_spent_after", "claim-delta-after-differs")
    if sum(charge.delta.atto for charge in account.charges) != account.delta_spent_after.atto:
        yield Problem("$.account.released", "claim-delta-charges-differ")
    if next(here, NO_DELTA) != charged:
        yield Problem("$.account.released", "claim-delta-here-differs")
    if account.delta_spent_after > account.delta.kept:
        yield Problem("$.account.delta", "claim-delta-overspent")


def threshold_problems(
    draw: ReleasedDraw, query: ReleasedQuery, plan: QueryPlan, path: str
) -> Iterator[Problem]:
    """``claim-threshold-too-small`` (params query, part, claimed, computed).

    Args:
        draw: as the manifest states it.
        query: its query in the manifest.
        plan: the query compiled again.
    """
    if draw.noise.threshold is None or not plan.delta.atto:
        return
    noise = Noise(draw.noise.mechanism, draw.noise.scale, "rho")
    computed = threshold_for(noise, plan.unit.max_rows, plan.delta)
    if draw.noise.threshold < computed:
        params = {"claimed": str(draw.noise.threshold), "computed": str(computed)}
        names = {"query": query.id, "part": draw.name}
        yield Problem(path, "claim-threshold-too-small", {**names, **params})
