# SPDX-License-Identifier: Apache-2.0
"""``dpdesk fit``: shares from the margins that are wanted, or from a total. Opens no data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpdesk.privacy import compiler
from dpdesk.privacy.plan import Plan
from dpdesk.privacy.planning.allocate import fit, number_text, spread
from dpdesk.release.ledger.spending.prices import as_released
from dpdesk.release.record.amounts import parse_share
from dpdesk.shell.output import DONE, in_words, print_json, print_table, say
from dpdesk.shell.plan import accuracy_of
from dpdesk.study import limits
from dpdesk.study.json.study_files import load_study, save_over
from dpdesk.study.model.amount import Share, zero
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class FitOptions:
    """What the shares are to be fitted to, as typed.

    Attributes:
        within: ``QUERY=MARGIN``: how far off a query may be 95 times in 100.
        total: what the other queries may cost together with these.
        weights: ``QUERY=WEIGHT``; lists are joined by commas.
        locked: queries that keep their shares; lists are joined by commas.
    """

    study: Path
    within: tuple[str, ...] = ()
    total: str | None = None
    weights: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    write: bool = False
    as_json: bool = False


def run(wish: FitOptions) -> int:
    """Fit a study's shares; print them, and save them where that is wished.

    Raises:
        Refused: the study cannot be read, or is not complete but for its shares; ``fit-nothing``,
            ``fit-without-total``, ``fit-pair-malformed`` (text), ``fit-twice`` (name); what
            ``fit`` and ``spread`` refuse.
    """
    read = load_study(wish.study)
    before = read.study
    after = _fitted(before, wish)
    plan = as_released(compiler.compile(after), {})
    if wish.write:
        save_over(read, after)
    members = _members(before, plan, wish)
    if wish.as_json:
        print_json(members)
    else:
        _print(members, wish)
    return DONE


def _fitted(study: Study, wish: FitOptions) -> Study:
    margins, weights = _pairs(wish.within), _pairs(_listed(wish.weights))
    locked = _names(_listed(wish.locked))
    if wish.total is None and (weights or locked):
        raise refuse("fit-without-total")
    if wish.total is None and not margins:
        raise refuse("fit-nothing")
    both = next((name for name in margins if name in weights or name in locked), None)
    if both is not None:
        raise refuse("fit-twice", name=both)
    if margins:
        study = fit(study, margins)
    if wish.total is not None:
        study = spread(study, _total(study, wish.total), weights, [*locked, *margins])
    return study


def _total(study: Study, text: str) -> Share:
    return parse_share(type(zero((study.budget or Budget()).measure)), text)


def _listed(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(part for text in texts for part in text.split(","))


def _names(texts: tuple[str, ...]) -> list[str]:
    for place, name in enumerate(texts):
        if name in texts[:place]:
            raise refuse("fit-twice", name=name)
    return list(texts)


def _pairs(texts: tuple[str, ...]) -> Mapping[str, Fraction]:
    pairs: dict[str, Fraction] = {}
    for text in texts:
        name, equals, number = text.partition("=")
        value = _number(number) if equals and name else None
        if value is None:
            raise refuse("fit-pair-malformed", text=text[: limits.MAX_NUMBER_TEXT])
        if name in pairs:
            raise refuse("fit-twice", name=name)
        pairs[name] = value
    return pairs


def _number(text: str) -> Fraction | None:
    """A plain number above 0, or ``None``."""
    try:
        value = Decimal(text) if text.isascii() else None
    except InvalidOperation:
        return None
    if value is None or not limits.is_plain_number(value) or value <= 0:
        return None
    return Fraction(value)


def _members(before: Study, plan: Plan, wish: FitOptions) -> dict[str, Any]:
    queries = [
        {
            "id": query.query.id,
            "share_before": None if old.share is None else str(old.share),
            "share": str(query.share),
            "half_width_95": None if query.half_width is None else number_text(query.half_width),
            "off_by_95": None if query.bound is None else number_text(query.bound.distance),
            "accuracy": accuracy_of(before, query),
        }
        for old, query in zip(before.queries, plan.queries, strict=True)
    ]
    limit = before.budget.limit if before.budget else None
    return {
        "measure": plan.total.measure,
        "queries": queries,
        "total": str(plan.total),
        "study_limit": None if limit is None else str(limit),
        "written": wish.write,
    }


def _print(members: dict[str, Any], wish: FitOptions) -> None:
    heads = (say("query"), say("budget before"), say("budget"), say("± (95 in 100)"))
    rows = [
        (q["id"], q["share_before"] or "-", q["share"], q["accuracy"]) for q in members["queries"]
    ]
    print_table(heads, rows, (1, 2, 3))
    limit = members["study_limit"]
    total, measure = members["total"], members["measure"]
    print(
        say(
            "Total {total} ({measure}), of {limit} for this study.",
            total=total,
            measure=in_words(measure),
            limit=limit,
        )
    )
    if wish.write:
        print(say("Written to {name}.", name=wish.study.name))
    else:
        print(say("Nothing was written; --write puts these shares into the study."))
