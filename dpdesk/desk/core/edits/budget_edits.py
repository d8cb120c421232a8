# SPDX-License-Identifier: Apache-2.0
"""Edits of budgets in either measure: which account pays, and how much."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpdesk.desk.core.edits.study_edits import set_budget
from dpdesk.privacy.planning.share_for_margin import with_share
from dpdesk.study.model.amount import MAX_SHARE, Rho, Share, zero
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget


def use_account(study: Study, name: str, total: Share) -> Study:
    """Pay from an account: what it may take is the limit, unless the study has a lower one already.

    Where the account is kept in another measure, the study's limit is that, and each share is taken
    over as the one of the same noise (``as_measure``).

    Args:
        study: the study.
        name: the account.
        total: the most that a study may take from it: what is left, or all where nothing is left.
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
    converted = value**2 / 2 if measure == "rho" else (2 * value) ** 0.5
    wanted = type(zero(measure))
    most = MAX_SHARE[measure].units
    return wanted(min(most, max(1, round(converted * wanted.PER_ONE))))
