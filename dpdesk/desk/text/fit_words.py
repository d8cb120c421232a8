# SPDX-License-Identifier: Apache-2.0
"""What the dialog that fits shares says about a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.weak import takes_guess
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem, Refused

NOTHING = "–"


def cost(share: Share | None) -> str:
    """A share as an amount; a dash where there is none."""
    return words.amount(share) if share is not None else NOTHING


def bought(state: DeskState, query: Query) -> str:
    """How accurate it is now: "± 12 days", "12 rows"; a dash where that is unknown."""
    plan = state.plans.get(query.id)
    return NOTHING if plan is None else accuracy_words.in_short(state.study, plan) or NOTHING


def bought_together(study: Study, shares: Mapping[str, Share]) -> dict[str, str]:
    """The accuracy that shares buy, by query id, where all those queries are drawn."""
    plans = []
    for query in study.queries:
        if (share := shares.get(query.id)) is not None:
            with suppress(Refused):
                plans.append(compile_query(study, query.at_share(share)))
    return {
        plan.query.id: accuracy_words.in_short(study, plan) or NOTHING for plan in planned(plans)
    }


def narrowed(study: Study, query: Query) -> str:
    """What tells queries of one title apart: "for each sex, where age from 18 to 65"."""
    parts = []
    if query.by:
        template = tr("FitWords", "for each {0}")
        parts.append(template.format(words.groups(study, query)))
    if query.where:
        template = tr("FitWords", "where {0}")
        parts.append(template.format(words.conditions(study, query)))
    return ", ".join(parts)


def details(state: DeskState, query: Query) -> list[str]:
    """What is below a query: what its title does not say, and whether it is free."""
    study = state.study
    shown = words.sentence(study, query) if query.title else narrowed(study, query)
    free = tr("FitWords", "answered, no cost at this share")
    return [text for text in (shown, free if query.id in state.answered else "") if text]


def why_unknown(state: DeskState, query: Query) -> str:
    """Why a dash is shown for the margin; empty where the margin is known."""
    plan = state.plans.get(query.id)
    if query.id in state.answered and bought(state, query) == NOTHING:
        return tr("FitWords", "margin: see its release")
    if query.share is None or bought(state, query) != NOTHING:
        return ""
    if plan is not None and takes_guess(plan) and query.expected is None:
        return tr("FitWords", "margin needs your estimate")
    return tr("FitWords", "margin: see its card")


def now_costs(state: DeskState, query: Query) -> str:
    """What a query has now: its share, and that an answered one's is spent already."""
    if query.share is None or query.id not in state.answered:
        return cost(query.share)
    return tr("FitWords", "{0} (spent)").format(cost(query.share))


def names(study: Study) -> dict[str, str]:
    """By query id, what each query is called; its place tells those apart that are alike."""
    called = {query.id: words.query_title(study, query) for query in study.queries}
    count = Counter(called.values())
    template = tr("FitWords", "{0} (no. {1})")
    return {
        key: template.format(name, place) if count[name] > 1 else name
        for place, (key, name) in enumerate(called.items(), 1)
    }


def wrong_sentence(problem: Problem, name: str) -> str:
    """What is wrong, about the query as it is called on the screen."""
    if "name" in problem.params and problem.code.startswith("fit-"):
        problem = replace(problem, params={**problem.params, "name": name})
    return words.problem_sentence(problem)


def accessible_text(text: str) -> str:
    """What is read out of a cell: a dash says nothing."""
    return tr("Fitting", "not known yet") if text == NOTHING else text
