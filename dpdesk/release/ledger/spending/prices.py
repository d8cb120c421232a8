# SPDX-License-Identifier: Apache-2.0
"""What a plan costs now: the first query of each question that has no stored answer is paid.

The release, the shell's plan and the desk all price by this, so that none announces a cost that
another does not charge.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace

from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.release.ledger import Ledger, Transaction
from dpdesk.release.ledger.answers import Paid, StoredAnswer, find_answer
from dpdesk.release.places.home import Home
from dpdesk.study.model.unit import Budget, DataSource


def unanswered(plans: Iterable[QueryPlan], stored: Container[str]) -> dict[str, QueryPlan]:
    """The first query of each question that must be drawn and paid, by its question.

    Args:
        plans: the queries, in the study's order.
        stored: canonical questions that the ledger answers.
    """
    missing: dict[str, QueryPlan] = {}
    for plan in plans:
        if plan.canonical not in stored:
            missing.setdefault(plan.canonical, plan)
    return missing


def stored_answers(transaction: Transaction, plan: Plan) -> dict[str, StoredAnswer]:
    """The stored answers of a plan by canonical question, as a release uses them.

    Raises:
        Refused: ``ledger-damaged``.
    """
    account, extract = _place(plan)
    questions = unanswered(plan.queries, ())
    answers = {q: find_answer(transaction, account, extract, questions[q]) for q in questions}
    return {question: answer for question, answer in answers.items() if answer is not None}


def paid_before(plan: Plan, home: Home) -> dict[str, Paid]:
    """The stored answers of a plan by canonical question; makes no ledger.

    Raises:
        Refused: the ledger cannot be read.
    """
    account, extract = _place(plan)
    if not home.ledger.exists() or not extract:
        return {}
    answered = Ledger.open(home).answered()
    questions = dict.fromkeys(query.canonical for query in plan.queries)
    payments = {q: answered.find(account, extract, q) for q in questions}
    return {question: paid for question, paid in payments.items() if paid is not None}


def as_released(plan: Plan, stored: Mapping[str, Paid]) -> Plan:
    """A plan with the margins of the figures that its release will make consistent.

    Args:
        stored: the answers that it will take from the ledger, by canonical question.
    """

    def entry_of(query: QueryPlan) -> int | None:
        paid = stored.get(query.canonical)
        return None if paid is None else paid.sequence

    return replace(plan, queries=planned(plan.queries, entry_of))


def _place(plan: Plan) -> tuple[str, str]:
    """Account and extract, under which answers are stored."""
    data, budget = plan.study.data or DataSource(), plan.study.budget or Budget()
    return budget.account, data.extract
