# SPDX-License-Identifier: Apache-2.0
"""Whether the privacy claim of a release adds up, recomputed from what its manifest states.

Each loss is asked anew of the noise library's own privacy map; everything else is exact sums.
What cannot be recomputed without the data is not claimed to be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpdesk.privacy.conversion import account_epsilon
from dpdesk.privacy.distributions import half_width
from dpdesk.privacy.door import DoorRefused, loss
from dpdesk.privacy.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.release.claim_delta import delta_problems, threshold_problems
from dpdesk.release.restudy import priced_again, read_released_study
from dpdesk.release.strict_json import fits
from dpdesk.study.amount import MAX_DELTA_ATTO, Delta, Measure, Rho
from dpdesk.study.problem import Problem

FORMATS = (1, 2)
_AMOUNT = re.compile(r"(0|[1-9][0-9]{0,8})(\.[0-9]{1,18})?")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,39}")
_FLOAT = re.compile(r"[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,3})?")
_FRACTION = re.compile(r"[1-9][0-9]{0,60}(/[1-9][0-9]{0,60})?")
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_HASH = re.compile(r"[0-9a-f]{64}")
_SHORT = re.compile(r"[ -~]{1,64}")
_COMMON = {
    "name": _ID,
    "sensitivity": _WHOLE,
    "scale": _FLOAT,
    "loss": _FLOAT,
    "share": _AMOUNT,
    "width": _FRACTION,
    "half_width": _WHOLE,
}
_LAPLACE = {**_COMMON, "mechanism": "laplace", "norm": "l1"}
_GAUSSIAN = {**_COMMON, "mechanism": "gaussian", "norm": "l2-squared"}
_PARTS = (
    _LAPLACE,
    _GAUSSIAN,
    {**_LAPLACE, "threshold": _WHOLE},
    {**_GAUSSIAN, "threshold": _WHOLE},
    {**_COMMON, "mechanism": "randomised-response", "norm": "rows"},
    {
        **_COMMON,
        "mechanism": "noisy-max",
        "norm": "linf",
        "blocks": int,
        "picks": int,
        "monotonic": bool,
    },
)
_QUERY = {
    "id": _ID,
    "title": str,
    "statistic": _ID,
    "question": dict,
    "cells": int,
    "share": _AMOUNT,
    "charged": _AMOUNT,
    "drawn_in": int,
    "parts": [_PARTS],
}
_FIRST_QUERY = {**_QUERY, "parts": [_LAPLACE]}
_QUERY |= {"delta": _AMOUNT, "delta_charged": _AMOUNT}
_SHAPE = {
    "format": 2,
    "release": {
        "id": re.compile(r"[0-9a-f]{32}"),
        "time": re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]Z"),
    },
    "study": dict,
    "claim": {
        "neighbours": ("add-remove", "change-one"),
        "unit": ("person", "row"),
        "max_rows": int,
        "people": (int, type(None)),
        "measure": ("epsilon", "rho"),
        "rho": (_AMOUNT, type(None)),
        "epsilon": _AMOUNT,
        "delta": _AMOUNT,
    },
    "queries": [_QUERY],
    "drawn": dict,
    "account": {
        "name": _ID,
        "measure": ("epsilon", "rho"),
        "delta": _AMOUNT,
        "total": _AMOUNT,
        "spent_before": _AMOUNT,
        "spent_after": _AMOUNT,
        "delta_spent_before": _AMOUNT,
        "delta_spent_after": _AMOUNT,
        "released": [{"sequence": int, "charged": _AMOUNT, "delta_charged": _AMOUNT}],
    },
    "ledger": {
        "sequence": int,
        "previous": _HASH,
        "head": _HASH,
        "rollback_suspected": bool,
        "separate_people_declared": bool,
    },
    "software": {"dpdesk": _SHORT, "opendp": _SHORT, "opendp_library_sha256": _HASH},
    "signer": {"identity": _SHORT, "fingerprint": re.compile(r"SHA256:[A-Za-z0-9+/]{43}")},
}
_FIRST_SHAPE = {
    **{key: shape for key, shape in _SHAPE.items() if key != "drawn"},
    "format": 1,
    "claim": {
        "neighbours": ("add-remove", "change-one"),
        "unit": ("person", "row"),
        "max_rows": int,
        "people": (int, type(None)),
        "epsilon": _AMOUNT,
        "delta": "0",
    },
    "queries": [_FIRST_QUERY],
    "account": {
        "name": _ID,
        "total": _AMOUNT,
        "spent_before": _AMOUNT,
        "spent_after": _AMOUNT,
        "released": [{"sequence": int, "charged": _AMOUNT}],
    },
}


def check_claim(predicate: Any) -> tuple[Problem, ...]:
    """What does not add up; nothing where the claim holds.

    Codes: ``claim-format-unknown``, ``claim-malformed``, ``claim-loss-differs`` (params query,
    part, claimed, computed), ``claim-loss-over-share`` (params query, part, share, computed),
    ``claim-shares-differ`` (params query, claimed, computed), ``claim-total-differs`` (params
    claimed, computed), ``claim-meaning-differs``, ``claim-account-differs``,
    ``claim-study-differs``,
    ``claim-sensitivity-too-small`` (params query, part, claimed, computed),
    ``claim-threshold-too-small`` (params query, part, claimed, computed),
    ``claim-delta-differs`` and ``claim-margin-differs`` (params query, part).
    """
    if not isinstance(predicate, dict) or not fits(predicate.get("format"), FORMATS):
        return (Problem("$.format", "claim-format-unknown"),)
    if not fits(predicate, _FIRST_SHAPE if predicate["format"] == 1 else _SHAPE):
        return (Problem("$", "claim-malformed"),)
    found = (*_queries(predicate), *_totals(predicate), *_account(predicate), *_study(predicate))
    if predicate["format"] > 1:
        found += tuple(delta_problems(predicate))
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
        delta = Delta.of(claim["delta"])
        holds = 2 <= delta.atto <= MAX_DELTA_ATTO and claim["epsilon"] == str(
            account_epsilon(Rho.of(claim["rho"]), delta)
        )
    if not holds:
        yield Problem("$.claim", "claim-meaning-differs")


def _account(predicate: dict[str, Any]) -> Iterator[Problem]:
    account, here = predicate["account"], predicate["ledger"]["sequence"]
    before, after = Decimal(account["spent_before"]), Decimal(account["spent_after"])
    charged = _sum(query["charged"] for query in predicate["queries"])
    released = [(entry["sequence"], Decimal(entry["charged"])) for entry in account["released"]]
    sequences = [sequence for sequence, _ in released]
    holds = (
        before + charged == after <= Decimal(account["total"])
        and sum((amount for _, amount in released), Decimal(0)) == after
        and sequences == sorted(set(sequences))
        and all(1 <= sequence <= here for sequence in sequences)
        and dict(released).get(here, Decimal(0)) == charged
        and all(_paid_when_drawn(query, predicate, here) for query in predicate["queries"])
    )
    if not holds:
        yield Problem("$.account", "claim-account-differs")


def _paid_when_drawn(query: dict[str, Any], predicate: dict[str, Any], here: int) -> bool:
    """A new answer is paid in full in the entry that drew it; a free one was paid by another.

    By a twin in this release that asks the same for the same share, or by an earlier entry that
    charged the account at least the share.
    """
    drawn_in, share = query["drawn_in"], Decimal(query["share"])
    if Decimal(query["charged"]) != 0:
        return bool(drawn_in == here and Decimal(query["charged"]) == share)
    if drawn_in == here:
        return any(_is_paid_twin(query, other) for other in predicate["queries"])
    released = {e["sequence"]: Decimal(e["charged"]) for e in predicate["account"]["released"]}
    return bool(drawn_in < here and released.get(drawn_in, Decimal(0)) >= share)


def _is_paid_twin(query: dict[str, Any], other: dict[str, Any]) -> bool:
    same = other["question"] == query["question"] and other["share"] == query["share"]
    return bool(same and other["charged"] == other["share"])


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
    if plans is None:
        yield Problem("$.study", "claim-study-differs")
        return
    for index, query in enumerate(predicate["queries"]):
        yield from _price(query, plans[query["id"]], f"$.queries[{index}]")


def _price(query: dict[str, Any], plan: QueryPlan, path: str) -> Iterator[Problem]:
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
        margin = part.half_width
        if part.noise.is_additive:
            margin = half_width(stated_noise(stated, part.noise.measure))
        if int(stated["half_width"]) != margin or Fraction(stated["width"]) != part.width:
            yield Problem(path, "claim-margin-differs", params)


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
    limit = str(budget.get(measure))
    return bool(_AMOUNT.fullmatch(limit)) and Decimal(claim[measure]) <= Decimal(limit)


def _asked(query: Any) -> tuple[Any, ...]:
    if not isinstance(query, dict):
        return ()
    share = str(query.get("epsilon", query.get("rho")))
    own = ("id", "title", "epsilon", "rho", "expected")
    question = {k: v for k, v in query.items() if k not in own}
    amount = Decimal(share) if _AMOUNT.fullmatch(share) else None
    return query.get("id"), amount, question, query.get("statistic"), query.get("title", "")


def _answered(query: dict[str, Any]) -> tuple[Any, ...]:
    share = Decimal(query["share"])
    return query["id"], share, query["question"], query["statistic"], query["title"]


def _sum(amounts: Iterator[str]) -> Decimal:
    return sum(map(Decimal, amounts), Decimal(0))
