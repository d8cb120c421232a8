# SPDX-License-Identifier: Apache-2.0
"""What account, extract and second person allow, asked of the ledger before noise is drawn.

``run`` asks twice: before the file is read, so that nobody waits in vain, and under the ledger's
write lock, where it counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.ledger import Transaction
from dpdesk.release.ledger.answers import StoredAnswer
from dpdesk.release.ledger.decisions.recovery import refuse_locked
from dpdesk.release.ledger.decisions.revoked import refuse_revoked
from dpdesk.release.ledger.decisions.series import check_instalment, left_beside, reserved
from dpdesk.release.ledger.history import refuse_other_neighbours
from dpdesk.release.ledger.spending.instalments import price_of
from dpdesk.release.ledger.spending.prices import stored_answers, unanswered
from dpdesk.release.ledger.uses import earlier_use
from dpdesk.release.record.amounts import found_problem
from dpdesk.release.record.second_person import SecondPersonRecord
from dpdesk.release.record.totals import share_of, together
from dpdesk.release.record.values import MOST_ENTRIES
from dpdesk.release.run.order import ReleaseOrder
from dpdesk.release.second_person import plan_signature
from dpdesk.study.checks.extracts import PLACE
from dpdesk.study.model.amount import MAX_DELTA_ATTO, Delta
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused, refuse


@dataclass(frozen=True)
class Permission:
    """A release that may be drawn.

    Attributes:
        stored: the answers that are in the ledger, by canonical question.
        missing: the queries that must be drawn and paid for, by canonical question.
        second_person: what the record says of the second person, where the account requires one.
    """

    stored: dict[str, StoredAnswer]
    missing: dict[str, QueryPlan]
    second_person: SecondPersonRecord | None


def permitted(transaction: Transaction, order: ReleaseOrder) -> Permission:
    """Refuse whatever account, extract and second person do not allow.

    Raises:
        Refused: ``ledger-too-long`` (param most); ``account-unknown`` (param name);
            ``budget-exceeded`` (params name, requested, left, short); ``delta-exceeded`` (name,
            requested, left), ``found-none-kept`` or ``delta-beyond-limit`` (name);
            ``account-recovery`` or ``account-moved`` (param name) of a locked account;
            ``account-people-secret`` or ``account-people-public`` (param name);
            ``extract-used`` (param day) unless the order says that it is the same;
            ``series-unknown``, ``series-finished`` (params name, account) or
            ``series-plan-differs`` (name); what ``check_stands`` and ``plan_signature.demanded``
            refuse, and ``plan-used`` (params release, entry).
    """
    if transaction.next_sequence > MOST_ENTRIES:
        raise refuse("ledger-too-long", most=str(MOST_ENTRIES))
    second_person = _second_person_once(transaction, order)
    stored = {} if order.fresh else stored_answers(transaction, order.plan)
    missing = unanswered(order.plan.queries, stored)
    check_pays(transaction, order, missing)
    check_same(transaction, order)
    check_stands(transaction, order, stored)
    return Permission(stored, missing, second_person)


def second_person(transaction: Transaction, order: ReleaseOrder) -> SecondPersonRecord | None:
    """The second person's signature, where it is required; see ``plan_signature.demanded``."""
    return plan_signature.demanded(
        *(transaction, order.home, order.plan, order.signed_plan),
        fresh=order.fresh,
        series=order.series,
    )


def _second_person_once(transaction: Transaction, order: ReleaseOrder) -> SecondPersonRecord | None:
    """The signature, never for a second draw."""
    stated = second_person(transaction, order)
    if stated is not None and stated.plan is not None:
        plan_signature.refuse_used(transaction, order.home, order.account, stated.plan.number)
    return stated


def check_same(transaction: Transaction, order: ReleaseOrder) -> None:
    """Refuse what only the custodian can know: that a name used before means the same file."""
    if order.same_extract:
        return
    earlier = earlier_use(transaction, order.account, order.extract)
    if earlier is not None:
        raise refuse("extract-used", PLACE, day=earlier.day)


def check_stands(
    transaction: Transaction, order: ReleaseOrder, stored: dict[str, StoredAnswer]
) -> None:
    """Refuse answers of a withdrawn or corrected release, unless the order says to use them."""
    if not order.use_withdrawn:
        refuse_revoked(transaction, stored.values())


def check_pays(
    transaction: Transaction, order: ReleaseOrder, missing: dict[str, QueryPlan]
) -> None:
    """Refuse what the account, or the series that pays, has too little left for."""
    sums = transaction.sums(order.account)
    refuse_locked(transaction, order.account)
    transaction.check_measure(order.account, order.plan.total)
    if missing:
        unit = order.plan.study.unit or Unit()
        refuse_other_neighbours(transaction, order.account, unit.neighbours)
    if sums.delta.whole.atto > MAX_DELTA_ATTO:
        raise refuse("delta-beyond-limit", "$.budget.account", name=order.account)
    if order.series:
        check_instalment(transaction, order.account, order.series, price_of(order.plan))
        return
    left, delta_left = left_beside(sums, *reserved(transaction, order.account))
    requested = together(left.measure, (q.share for q in missing.values()))
    if requested.units > left.units:
        short = share_of(left.measure, requested.units - left.units)
        amounts = {"requested": str(requested), "left": str(left), "short": str(short)}
        raise refuse("budget-exceeded", f"$.budget.{left.measure}", name=order.account, **amounts)
    delta = Delta(sum(q.delta.atto for q in missing.values()))
    if problem := found_problem(order.account, sums.delta, delta_left, delta):
        raise Refused([problem])
