# SPDX-License-Identifier: Apache-2.0
"""What ``dpdesk plan`` adds: accuracy at three confidences, and what protects a group of people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_epsilon, account_right_in_100
from dpdesk.privacy.accounting.guess_probability import (
    group_delta,
    group_epsilon,
    group_rho,
    right_in_100,
)
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.planning.allocate import number_text
from dpdesk.privacy.planning.confidence_levels import ConfidenceLevels, levels
from dpdesk.privacy.planning.weak import unit_of
from dpdesk.release.record.amounts import delta_text
from dpdesk.shell.output import in_cell, in_sentence, language, print_table, say
from dpdesk.study.model.amount import ATTO, NO_DELTA, AccountDelta, Delta, Epsilon, Rho
from dpdesk.study.problem import refuse
from dpdesk.study.text.unit_names import UnitNames, named_unit, names_of

MOST_PEOPLE = 10_000
_AMOUNTS: Final[dict[str, Template]] = {
    "rho": "rho {amount}",
    "epsilon": "epsilon {amount}",
    "delta": "delta {amount}",
}
SURE = Epsilon.of(100)
"""Beyond this a guess can become right 100 in 100 times, to many digits."""


def levels_members(plan: Plan) -> dict[str, list[dict[str, Any]]]:
    """By query id, a line for each confidence; numbers are decimal strings, never rounded down."""
    return {
        one.id: [
            {
                "in_100": times,
                "counts": one.what,
                "each": number_text(each),
                "all_at_once": number_text(one.at_once[place]) if one.at_once else None,
            }
            for place, (times, each) in enumerate(zip(one.in_100, one.each, strict=True))
        ]
        for one in levels(plan)
    }


def print_levels(plan: Plan, numbers: Mapping[str, int]) -> None:
    """A table: each figure by itself, and all of a query's figures at once.

    Args:
        numbers: what each query is called by, by its id.
    """
    all_levels = levels(plan)
    in_100 = all_levels[0].in_100 if all_levels else ()
    print()
    print(say("Distance from the exact figure (for a choice, from the best one):"))
    shown = [say("{n} in 100", n=times) for times in in_100]
    at_once = [say("all, {n} in 100", n=times) for times in in_100]
    heads = (say("query"), say("unit"), *shown, *at_once)
    names = names_of(plan.study.unit, language().names)
    plans = {one.query.id: one for one in plan.queries}
    rows = [_row(one, numbers[one.id], plans[one.id], names) for one in all_levels]
    print_table(heads, rows, (0, *range(2, len(heads))))
    for query in plan.queries:
        if query.accuracy is None:
            print(f"{numbers[query.query.id]}: {say('set the group size that you expect.')}")


def _row(one: ConfidenceLevels, number: int, plan: QueryPlan, names: UnitNames) -> tuple[str, ...]:
    times, unit = plan.query.declaration.percent_factor, named_unit(unit_of(plan), names)
    every: list[str] = [in_cell(number_text(times * width)) for width in one.each]
    together: list[str] = [in_cell(number_text(times * width)) for width in one.at_once]
    return (str(number), unit, *every, *(together or ["-"] * len(every)))


def group_members(plan: Plan, delta: AccountDelta, people: int) -> dict[str, Any]:
    """What protects this many people together, who are in the data or not as one.

    Args:
        delta: the account's; nothing in pure epsilon, or where there is no account yet.

    Raises:
        Refused: ``group-size-out-of-range`` (most).
    """
    if not 1 <= people <= MOST_PEOPLE:
        raise refuse("group-size-out-of-range", most=str(MOST_PEOPLE))
    total = plan.total
    if isinstance(total, Epsilon):
        together = group_epsilon(total, people)
        return {"people": people, "epsilon": str(together), "right_in_100": _right(together)}
    rho = group_rho(total, people)
    members = {"people": people, "rho": str(rho)}
    if plan.delta == NO_DELTA:
        members["right_in_100"] = account_right_in_100(rho)
        return {**members, **(_meaning(rho, delta) if delta.whole.atto else {})}
    # What fails for one person fails more often for several: by way of epsilon and delta.
    if not delta.whole.atto:
        return members
    one = account_epsilon(total, delta)
    fails = (
        group_delta(one, delta.whole, people) if one.micro * people <= SURE.micro else Delta(ATTO)
    )
    together = group_epsilon(one, people)
    more = {"epsilon": str(together), "delta": delta_text(fails)}
    return {"people": people, **more, "right_in_100": _right(together, fails)}


def _meaning(rho: Rho, delta: AccountDelta) -> dict[str, str]:
    return {"epsilon": str(account_epsilon(rho, delta)), "delta": delta_text(delta.whole)}


def _right(epsilon: Epsilon, delta: Delta = NO_DELTA) -> int:
    return 100 if epsilon.micro > SURE.micro else right_in_100(epsilon, delta)


def print_group(members: dict[str, Any], names: UnitNames) -> None:
    amounts = [say(_AMOUNTS[key], amount=members[key]) for key in _AMOUNTS if key in members]
    count = members["people"]
    together = say("{n} {people} together", n=in_sentence(str(count)), people=names.people)
    who = say("one {person}", person=names.person) if count == 1 else together
    if amounts:
        print(say("For {who} this release costs {amounts}.", who=who, amounts=", ".join(amounts)))
    if "right_in_100" in members:
        print(guess_text(who, members["right_in_100"]))


def guess_text(who: str, right_in_100: int) -> str:
    """What a release means for somebody; a limit of 100 in 100 times would limit nothing."""
    if right_in_100 > 99:
        return say(
            "After this release, a guess about {who} can nearly always be right, more than 99 in "
            "100 times; a coin toss: 50.",
            who=who,
        )
    return say(
        "After this release, a guess about {who} can be right at most {n} in 100 times; a coin "
        "toss: 50.",
        who=who,
        n=right_in_100,
    )
