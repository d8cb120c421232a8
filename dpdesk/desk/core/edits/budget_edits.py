# SPDX-License-Identifier: Apache-2.0
"""Edits of budgets in either measure: which account pays, how much, as typed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpdesk.desk.core.edits.study_edits import decimal_from_text, epsilon_from_text, set_budget
from dpdesk.privacy.accounting.accuracy import with_share
from dpdesk.release.amounts import parse_delta, rho_problem
from dpdesk.study.model.amount import MAX_SHARE, Delta, Rho, Share, zero
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget
from dpdesk.study.problem import Refused


def use_account(study: Study, name: str, total: Share) -> Study:
    """Pay from an account: its total is the limit, unless the study has a lower one already.

    Where the account is kept in another measure, the study's limit is the account's total, and
    each share is taken over as the one of the same noise (``as_measure``).
    """
    budget = study.budget or Budget()
    limit = budget.limit
    if limit is None or limit.measure != total.measure or limit.units > total.units:
        limit = total
    queries = tuple(
        with_share(q, as_measure(q.share, total.measure)) if q.share else q for q in study.queries
    )
    return set_budget(replace(study, queries=queries), account=name, **_either(limit))


def set_limit(study: Study, limit: Share) -> Study:
    """Change the most that the study may spend."""
    return set_budget(study, **_either(limit))


def _either(limit: Share) -> dict[str, Any]:
    rho = isinstance(limit, Rho)
    return {"epsilon": None if rho else limit, "rho": limit if rho else None}


def as_measure(share: Share, measure: str) -> Share:
    """A share of about the same noise in a measure: to begin with, no claim is made of it.

    Discrete Laplace noise of loss epsilon has rho epsilon ** 2 / 2 (Bun and Steinke, 2016).
    """
    if share.measure == measure:
        return share
    value = float(share.as_fraction())
    found = value**2 / 2 if measure == "rho" else (2 * value) ** 0.5
    wanted = type(zero(measure))
    most = MAX_SHARE[measure].units
    return wanted(min(most, max(1, round(found * wanted.PER_ONE))))


def rho_from_text(text: str) -> Rho | str:
    """A typed amount of rho, or the code of what is wrong with it."""
    value = decimal_from_text(text)
    if value is None:
        return "amount-malformed"
    return rho_problem(value) or Rho.of(value)


def share_from_text(measure: str, text: str) -> Share | str:
    """A typed amount in a measure, or the code of what is wrong with it."""
    return rho_from_text(text) if measure == "rho" else epsilon_from_text(text)


def delta_from_text(text: str) -> Delta | str:
    """A typed delta such as 1e-9, or the code of what is wrong with it."""
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").replace("E", "e")
    try:
        return parse_delta(plain)
    except Refused as refused:
        return refused.problems[0].code
