# SPDX-License-Identifier: Apache-2.0
"""Whether the privacy claim of a release adds up, recomputed from what its manifest states.

Each loss is asked anew of the noise library's own privacy map; everything else is exact sums.
What cannot be recomputed without the data is not claimed to be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.door import DoorRefused, loss
from dpdesk.privacy.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.release.reprice import priced_again, read_released_study, unreleased
from dpdesk.release.table_names import NAMED_SINCE
from dpdesk.release.verify.claim_account import account_problems, stored_problems
from dpdesk.release.verify.claim_delta import delta_problems, threshold_problems
from dpdesk.release.verify.claim_shape import AMOUNT, FORMATS, has_shape, is_written_by
from dpdesk.release.verify.claim_titles import title_problems
from dpdesk.release.verify.manifest_json import fits
from dpdesk.study.model.amount import MAX_DELTA_ATTO, MAX_RHO_NANO, Delta, Measure, Rho
from dpdesk.study.problem import Problem


def check_claim(predicate: Any) -> tuple[Problem, ...]:
    """What does not add up; nothing where the claim holds.

    Codes: ``claim-format-unknown``, ``claim-format-differs`` (params version, format),
    ``claim-malformed``, ``claim-loss-differs`` (params query,
    part, claimed, computed), ``claim-loss-over-share`` (params query, part, share, computed),
    ``claim-shares-differ`` (params query, claimed, computed), ``claim-total-differs`` (params
    claimed, computed), ``claim-meaning-differs``, ``claim-account-differs``,
    ``claim-study-differs``, ``claim-study-local`` (param members),
    ``claim-title-differs`` (param query), ``claim-name-differs`` (query),
    ``claim-sensitivity-too-small`` (params query, part, claimed, computed),
    ``claim-threshold-too-small`` (params query, part, claimed, computed),
    ``claim-delta-differs`` and ``claim-margin-differs`` (params query, part).
    """
    if not isinstance(predicate, dict) or not fits(predicate.get("format"), FORMATS):
        return (Problem("$.format", "claim-format-unknown"),)
    if not has_shape(predicate):
        return (Problem("$", "claim-malformed"),)
    if not is_written_by(predicate["software"]["dpdesk"], predicate["format"]):
        params = {"version": predicate["software"]["dpdesk"], "format": str(predicate["format"])}
        return (Problem("$.software.dpdesk", "claim-format-differs", params),)
    found = (*_queries(predicate), *_totals(predicate), *_study(predicate))
    found += tuple(account_problems(predicate))
    if predicate["format"] > 1:
        found += tuple(delta_problems(predicate))
    if predicate["format"] >= NAMED_SINCE:
        found += tuple(title_problems(predicate))
    # What contradicts itself is not priced again.
    return found or tuple(_prices(predicate))


def _queries(predicate: dict[str, Any]) -> Iterator[Problem]:
    measure = _measure(predicate)
    for index, query in enumerate(predicate["queries"]):
        path = f"$.queries[{index}]"
        for number, part in enumerate(query["parts"]):
            yield from _loss(query["id"], part, measure, f"{path}.parts[{number}]")
        found = _sum(part["share"] for part in query["parts"])
        if found != Decimal(query["share"]):
            params = {"query": query["id"], "claimed": query["share"], "computed": str(found)}
            yield Problem(f"{path}.share", "claim-shares-differ", params)


def _loss(query: str, part: dict[str, Any], measure: Measure, path: str) -> Iterator[Problem]:
    names = {"query": query, "part": part["name"]}
    try:
        computed = loss(stated_noise(part, measure), int(part["sensitivity"]))
    except (DoorRefused, OverflowError):
        yield Problem(path, "claim-malformed")
        return
    if repr(computed) != part["loss"]:
        params = {**names, "claimed": part["loss"], "computed": repr(computed)}
        yield Problem(f"{path}.loss", "claim-loss-differs", params)
    if not computed <= Fraction(part["share"]):
        params = {**names, "share": part["share"], "computed": repr(computed)}
        yield Problem(f"{path}.share", "claim-loss-over-share", params)


def stated_noise(part: dict[str, Any], measure: Measure) -> Noise:
    """The mechanism that a manifest states for a draw."""
    return Noise(
        part["mechanism"],
        float(part["scale"]),
        measure,
        part.get("blocks", 1),
        part.get("picks", 1),
        part.get("monotonic", False),
        int(part["threshold"]) if "threshold" in part else None,
    )


def _measure(predicate: dict[str, Any]) -> Measure:
    """What the release's costs are counted in."""
    return "rho" if predicate["claim"].get("measure") == "rho" else "epsilon"


def _totals(predicate: dict[str, Any]) -> Iterator[Problem]:
    claim, measure = predicate["claim"], _measure(predicate)
    computed = _sum(query["share"] for query in predicate["queries"])
    if claim[measure] is None or computed != Decimal(claim[measure]):
        params = {"claimed": str(claim[measure]), "computed": str(computed)}
        yield Problem(f"$.claim.{measure}", "claim-total-differs", params)
    elif predicate["format"] > 1:
        yield from _meaning(predicate, measure)


def _meaning(predicate: dict[str, Any], measure: Measure) -> Iterator[Problem]:
    """The (epsilon, delta) of a release in zCDP is what its rho means at the account's delta."""
    claim, account = predicate["claim"], predicate["account"]
    holds = account["measure"] == measure and claim["delta"] == account["delta"]
    if measure == "epsilon":
        holds = holds and claim["rho"] is None and Decimal(claim["delta"]) == 0
    elif holds:
        holds = claim["epsilon"] == _epsilon_of(claim["rho"], claim["delta"])
    if not holds:
        yield Problem("$.claim", "claim-meaning-differs")


def _epsilon_of(stated_rho: str, stated_delta: str) -> str | None:
    """``None`` where no account can have a rho or a delta like these."""
    try:
        rho, delta = Rho.of(stated_rho), Delta.of(stated_delta)
    except ValueError:
        return None
    if rho.nano > MAX_RHO_NANO or not 2 <= delta.atto <= MAX_DELTA_ATTO:
        return None
    return str(account_epsilon(rho, delta))


def _study(predicate: dict[str, Any]) -> Iterator[Problem]:
    """The study as released names the same unit, account, questions and shares."""
    study, claim, queries = predicate["study"], predicate["claim"], predicate["queries"]
    unit, budget, asked = (study.get(key) for key in ("unit", "budget", "queries"))
    holds = (
        isinstance(unit, dict)
        and isinstance(budget, dict)
        and isinstance(asked, list)
        and [unit.get(key) for key in ("neighbours", "max_rows", "people")]
        == [claim[key] for key in ("neighbours", "max_rows", "people")]
        and claim["unit"] == ("row" if unit.get("person") is None else "person")
        and budget.get("account") == predicate["account"]["name"]
        and [_asked(query) for query in asked] == [_answered(query) for query in queries]
        and (predicate["format"] >= NAMED_SINCE or _declared(asked) == _declared(queries))
        and len({query["id"] for query in queries}) == len(queries)
        and type(study.get("title")) is str
        and _within_limit(budget, claim)
    )
    if not holds:
        yield Problem("$.study", "claim-study-differs")


def _prices(predicate: dict[str, Any]) -> Iterator[Problem]:
    """The declarations alone give each sensitivity: compile the released study again.

    A stated sensitivity above the recompiled one only means more noise than needed.
    """
    study = read_released_study(predicate["study"])
    edition = predicate["format"]
    plans = priced_again(study, edition) if study is not None else None
    if study is None or plans is None:
        yield Problem("$.study", "claim-study-differs")
        return
    # Neither noise nor a declaration stands for it: the claim does not cover what it tells.
    if local := unreleased(predicate["study"], study, edition):
        yield Problem("$.study.data", "claim-study-local", {"members": ", ".join(local)})
    for index, query in enumerate(predicate["queries"]):
        yield from _price(query, plans[query["id"]], f"$.queries[{index}]", edition)
    yield from stored_problems(predicate, plans)


def _price(query: dict[str, Any], plan: QueryPlan, path: str, edition: int) -> Iterator[Problem]:
    names = [part["name"] for part in query["parts"]]
    if names != [part.name for part in plan.parts] or query["cells"] != len(plan.lines):
        yield Problem(path, "claim-study-differs")
        return
    for stated, part in zip(query["parts"], plan.parts, strict=True):
        params = {"query": query["id"], "part": part.name}
        if not _same_mechanism(stated, part):
            yield Problem(path, "claim-study-differs")
        elif int(stated["sensitivity"]) < part.sensitivity:
            amounts = {"claimed": stated["sensitivity"], "computed": str(part.sensitivity)}
            yield Problem(path, "claim-sensitivity-too-small", {**params, **amounts})
        yield from threshold_problems(stated, query, plan, path)
        if not _has_its_margin(stated, part, edition):
            yield Problem(path, "claim-margin-differs", params)


def _has_its_margin(stated: dict[str, Any], part: Part, edition: int) -> bool:
    """Whether a draw states the margin of its own noise, which is what the tables show.

    The tables of format 1 are not made again.
    """
    margin = part.half_width
    if part.noise.is_additive:
        margin = half_width(stated_noise(stated, part.noise.measure))
    shown = {margin} if edition == 1 else {margin, part.half_width}
    return {int(stated["half_width"])} == shown and Fraction(stated["width"]) == part.width


def _same_mechanism(stated: dict[str, Any], part: Part) -> bool:
    """Whether a draw was made as its study wants it; a choice has its margin from its own scale."""
    noise = stated_noise(stated, part.noise.measure)
    if part.noise.is_additive:
        cut = (noise.threshold is None) == (part.noise.threshold is None)
        return cut and noise.mechanism == part.noise.mechanism
    return noise == part.noise


def _within_limit(budget: dict[str, Any], claim: dict[str, Any]) -> bool:
    """Whether the plan stays within what the study may spend."""
    measure = "rho" if claim.get("measure") == "rho" else "epsilon"
    limit, cost = str(budget.get(measure)), claim[measure]
    if cost is None or not AMOUNT.fullmatch(limit):
        return False
    return Decimal(cost) <= Decimal(limit)


def _asked(query: Any) -> tuple[Any, ...]:
    if not isinstance(query, dict):
        return ()
    share = str(query.get("epsilon", query.get("rho")))
    own = ("id", "title", "epsilon", "rho", "expected")
    question = {k: v for k, v in query.items() if k not in own}
    amount = Decimal(share) if AMOUNT.fullmatch(share) else None
    return query.get("id"), amount, question, query.get("statistic")


def _answered(query: dict[str, Any]) -> tuple[Any, ...]:
    return query["id"], Decimal(query["share"]), query["question"], query["statistic"]


def _declared(queries: list[dict[str, Any]]) -> list[Any]:
    """The declared titles, which before format 3 were all that there were."""
    return [query.get("title", "") for query in queries]


def _sum(amounts: Iterator[str]) -> Decimal:
    return sum(map(Decimal, amounts), Decimal(0))
