# SPDX-License-Identifier: Apache-2.0
"""What is weak in a plan, as ``dpdesk plan`` says it: in sentences and in JSON. Opens no data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpdesk.catalogue import spoken
from dpdesk.privacy.plan import Plan
from dpdesk.privacy.planning.weak import Weakness, weaknesses
from dpdesk.release.ledger import AccountState
from dpdesk.shell.output import in_sentence, language, margin_text
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from dpdesk.study.text.unit_names import UnitNames, names_of
from dpdesk.texts.weaknesses import Wording, action, first, rest


def found_weak(plan: Plan, account: AccountState | None) -> tuple[Weakness, ...]:
    plans = {query.query.id: query for query in plan.queries}
    return weaknesses(plan.study, plans, spare(plan, account))


def spare(plan: Plan, account: AccountState | None) -> Share | None:
    """What may be spent beyond the plan, by the account and by the study's own limit."""
    if account is None or account.left.measure != plan.total.measure:
        return None
    limit = plan.study.budget.limit if plan.study.budget else None
    most = account.left.units if limit is None else min(account.left.units, limit.units)
    return type(plan.total)(max(0, most - plan.total.units))


def weak_members(study: Study, weaknesses: tuple[Weakness, ...]) -> list[dict[str, Any]]:
    """What is weak, as JSON members; margins are decimal strings."""
    words = wording(names_of(study.unit, language().names))
    return [
        {
            "query": one.query,
            "code": one.code,
            "sentence": f"{first(one, words)} {rest(one, words)}",
            "remedy": {
                "code": one.remedy.code,
                "sentence": action(one, words),
                "half_width_95": None
                if one.remedy.margin is None
                else margin_text(one.remedy.margin, 6),
                **one.remedy.names,
            },
        }
        for one in weaknesses
    ]


def weak_lines(
    study: Study, weaknesses: tuple[Weakness, ...], numbers: Mapping[str, int]
) -> Iterator[str]:
    """One line a weakness, with the one change that helps.

    Args:
        numbers: what each query is called by, by its id.
    """
    words = wording(names_of(study.unit, language().names))
    for one in weaknesses:
        said = f"{first(one, words)} {rest(one, words)} {action(one, words)}."
        yield f"{numbers[one.query]}: {said}"


def wording(names: UnitNames) -> Wording:
    """In the shell's language, with the study's words for its rows and people."""
    return Wording(
        number=lambda value: in_sentence(margin_text(value, 12)),
        text=in_sentence,
        margin=lambda value, unit: f"± {in_sentence(margin_text(value))} {unit}".strip(),
        names=names,
        catalogue=spoken(),
    )
