# SPDX-License-Identifier: Apache-2.0
"""Whether the privacy claim of a release adds up, recomputed from what its manifest states.

Each loss is asked again of the noise library's own privacy map; everything else is exact sums.
What cannot be recomputed without the data is not claimed to be checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.noise.door import DoorRefused, loss
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.record.totals import together
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery, ReleaseRecord
from dpdesk.release.verify.claim_account import account_problems, chain_problems
from dpdesk.release.verify.claim_delta import delta_problems
from dpdesk.release.verify.claim_prices import price_problems
from dpdesk.release.verify.claim_study import study_problems, title_problems
from dpdesk.study.model.amount import (
    MAX_DELTA_ATTO,
    MAX_RHO_NANO,
    WITHOUT_DELTA,
    AccountDelta,
    Epsilon,
    Rho,
    Share,
)
from dpdesk.study.problem import Problem


def check_claim(record: ReleaseRecord, repriced: RepricedStudy) -> tuple[Problem, ...]:
    """What does not add up; nothing where the claim holds.

    Args:
        record: what a manifest states; see ``parse`` for what it is refused for.
        repriced: its study, for anyone who needs the plans next.

    Codes: ``claim-noise-impossible``, ``claim-loss-differs``, ``claim-loss-over-share`` and
    ``claim-shares-differ`` of a query;
    ``claim-total-differs``; ``claim-delta-not-of-account``, ``claim-kept-not-of-account``,
    ``claim-delta-in-epsilon``,
    ``claim-delta-impossible`` and ``claim-meaning-differs``; those of
    the modules beside this one.
    """
    problems = (*_queries(record), *_total(record), *study_problems(record))
    problems += (*chain_problems(record), *account_problems(record), *delta_problems(record))
    problems += tuple(title_problems(record))
    # What contradicts itself is not priced again.
    return problems or tuple(price_problems(record, repriced))


def _queries(record: ReleaseRecord) -> Iterator[Problem]:
    for index, query in enumerate(record.queries):
        path = f"$.queries[{index}]"
        for number, draw in enumerate(query.draws):
            yield from _loss(query, draw, f"{path}.parts[{number}]")
        total = _sum(record, (draw.share for draw in query.draws))
        if total != query.share:
            params = {"query": query.id, "claimed": str(query.share), "computed": str(total)}
            yield Problem(f"{path}.share", "claim-shares-differ", params)


def _loss(query: ReleasedQuery, draw: ReleasedDraw, path: str) -> Iterator[Problem]:
    names = {"query": query.id, "part": draw.name}
    try:
        computed = loss(draw.noise, draw.sensitivity)
    except (DoorRefused, OverflowError):
        yield Problem(path, "claim-noise-impossible", names)
        return
    amounts = {**names, "computed": repr(computed)}
    if computed != draw.loss:
        yield Problem(f"{path}.loss", "claim-loss-differs", {**amounts, "claimed": repr(draw.loss)})
    if not computed <= draw.share.as_fraction():
        yield Problem(
            f"{path}.share", "claim-loss-over-share", {**amounts, "share": str(draw.share)}
        )


def _total(record: ReleaseRecord) -> Iterator[Problem]:
    """The queries' shares are the claim's total, whose meaning is stated beside it."""
    claim = record.claim
    computed = _sum(record, (query.share for query in record.queries))
    if computed != claim.total:
        params = {"claimed": str(claim.total), "computed": str(computed)}
        yield Problem(f"$.claim.{record.measure}", "claim-total-differs", params)
    elif claim.delta.whole != record.account.delta.whole:
        params = {"claimed": str(claim.delta.whole), "account": str(record.account.delta.whole)}
        yield Problem("$.claim.delta", "claim-delta-not-of-account", params)
    elif claim.delta.kept != record.account.delta.kept:
        params = {"claimed": str(claim.delta.kept), "account": str(record.account.delta.kept)}
        yield Problem("$.claim.delta_kept", "claim-kept-not-of-account", params)
    elif isinstance(claim.total, Rho):
        yield from _meaning(claim.total, claim.delta, claim.epsilon)
    elif claim.delta != WITHOUT_DELTA:
        yield Problem("$.claim.delta", "claim-delta-in-epsilon")


def _meaning(rho: Rho, delta: AccountDelta, claimed: Epsilon) -> Iterator[Problem]:
    """The (epsilon, delta) of a release in zCDP is what its rho means at the account's delta."""
    if rho.nano > MAX_RHO_NANO:
        return  # more than any study may spend, which is found there
    if not delta.kept.atto < delta.whole.atto <= MAX_DELTA_ATTO:
        parts = {"delta": str(delta.whole), "kept": str(delta.kept)}
        yield Problem("$.claim.delta", "claim-delta-impossible", parts)
    elif (computed := account_epsilon(rho, delta)) != claimed:
        params = {"claimed": str(claimed), "computed": str(computed)}
        yield Problem("$.claim.epsilon", "claim-meaning-differs", params)


def _sum(record: ReleaseRecord, amounts: Iterable[Share]) -> Share:
    return together(record.measure, amounts)
