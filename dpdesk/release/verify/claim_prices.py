# SPDX-License-Identifier: Apache-2.0
"""Whether a release drew what its study calls for: the declarations alone give each sensitivity.

The released study is compiled again. A stated sensitivity above the one that this gives only
means more noise than needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.release.record.reprice import RepricedStudy, unreleased
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery, ReleaseRecord
from dpdesk.release.verify.claim_account import stored_problems
from dpdesk.release.verify.claim_delta import threshold_problems
from dpdesk.study.problem import Problem


def price_problems(record: ReleaseRecord, repriced: RepricedStudy) -> Iterator[Problem]:
    """What the study's plans contradict.

    Codes: ``claim-study-not-priced``; ``claim-study-local`` (param members);
    ``claim-draws-differ``, ``claim-cells-differ`` and ``claim-query-delta-differs`` (query);
    ``claim-mechanism-differs``, ``claim-margin-differs`` (params query, part);
    ``claim-sensitivity-too-small`` and ``claim-threshold-too-small`` (also claimed, computed);
    those of ``stored_problems``.

    Args:
        record: which does not contradict itself.
    """
    study, plans = record.study.study, repriced.plans
    if study is None or plans is None:
        yield Problem("$.study", "claim-study-not-priced")
        return
    # Neither noise nor a declaration covers it: the claim does not cover what it shows.
    if local := unreleased(record.study, study):
        yield Problem("$.study.data", "claim-study-local", {"members": ", ".join(local)})
    for index, query in enumerate(record.queries):
        yield from _price(query, plans[query.id], f"$.queries[{index}]")
    yield from stored_problems(record, plans)


def _price(query: ReleasedQuery, plan: QueryPlan, path: str) -> Iterator[Problem]:
    name = {"query": query.id}
    if query.cells != len(plan.lines):
        yield Problem(path, "claim-cells-differ", name)
    if query.delta != plan.delta:
        yield Problem(path, "claim-query-delta-differs", name)
    if [draw.name for draw in query.draws] != [part.name for part in plan.parts]:
        yield Problem(path, "claim-draws-differ", name)
        return
    for draw, part in zip(query.draws, plan.parts, strict=True):
        params = {**name, "part": part.name}
        if not _has_mechanism(draw, part):
            yield Problem(path, "claim-mechanism-differs", params)
        elif draw.sensitivity < part.sensitivity:
            amounts = {"claimed": str(draw.sensitivity), "computed": str(part.sensitivity)}
            yield Problem(path, "claim-sensitivity-too-small", {**params, **amounts})
        yield from threshold_problems(draw, query, plan, path)
        if not _has_its_margin(draw, part):
            yield Problem(path, "claim-margin-differs", params)


def _has_mechanism(draw: ReleasedDraw, part: Part) -> bool:
    """Whether a draw was made as its study wants it; a choice has its margin from its own scale."""
    if part.noise.is_additive:
        cut = (draw.noise.threshold is None) == (part.noise.threshold is None)
        return cut and draw.noise.mechanism == part.noise.mechanism
    return draw.noise == part.noise


def _has_its_margin(draw: ReleasedDraw, part: Part) -> bool:
    """Whether a draw states the margin of its own noise, which is what the tables show."""
    margin = half_width(draw.noise) if part.noise.is_additive else part.half_width
    return {draw.half_width} == {margin, part.half_width} and draw.width == part.width
