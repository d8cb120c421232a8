# SPDX-License-Identifier: Apache-2.0
"""Accounts: one a cohort, however many files and extracts there are; in pure epsilon.

An account is what its entries say: opened with a total, raised with a reason, charged by
releases. Sequential composition adds the charges up, also when each question is chosen after
seeing the answers before it (Dwork and Roth 2014, 3.5), so a plain sum is the whole accountant.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.release.ledger.chain import Entry, Sums, sums_of
from dpdesk.release.ledger.texts import checked_name, checked_text
from dpdesk.release.ledger.transaction import Transaction
from dpdesk.study.amount import Epsilon
from dpdesk.study.json_reader import epsilon_problem
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class AccountState:
    """An account as it stands.

    Attributes:
        name: its name.
        total: what may be spent in its whole life.
        spent: what has been spent, exported or not.
        note: what the custodian wrote when it was opened; may be empty.
        locked: nothing can be spent until the ledger is reconciled.
        rollback_suspected: an older copy of the ledger was found in use at some time.
        separate_people_declared: its data looked like another account's, and the custodian
            declared that the people are others.
        entries: its entries, in order.
    """

    name: str
    total: Epsilon
    spent: Epsilon
    note: str
    locked: bool
    rollback_suspected: bool
    separate_people_declared: bool
    entries: tuple[Entry, ...]

    @property
    def left(self) -> Epsilon:
        """What can still be spent."""
        return Sums(self.total, self.spent).left


def account_state(
    entries: tuple[Entry, ...], name: str, note: str, locked: bool, separate: bool
) -> AccountState:
    """The state that an account's entries make, with what is known of it from elsewhere."""
    own = tuple(e for e in entries if e.account == name)
    sums = sums_of(own, name)
    return AccountState(
        name=name,
        total=sums.granted,
        spent=sums.charged,
        note=note,
        locked=locked,
        rollback_suspected=was_rolled_back(own),
        separate_people_declared=separate,
        entries=own,
    )


def was_rolled_back(entries: tuple[Entry, ...]) -> bool:
    """Whether an account's entries tell of an older copy that was reconciled."""
    return any(e.kind == "reconcile" for e in entries)


def open_account(transaction: Transaction, name: str, total: Epsilon, note: str) -> Entry:
    """Add a new account.

    Raises:
        Refused: ``name-malformed``, ``epsilon-not-positive``, ``epsilon-too-large``,
            ``text-too-long``, ``text-invisible``, ``account-exists`` (param name).
    """
    checked_name(name)
    _check_total(total)
    note = checked_text("note", note)
    if any(e.account == name for e in transaction.entries):
        raise refuse("account-exists", name=name)
    payload = {"note": note, "total": str(total)}
    return transaction.append("open-account", name, payload, granted=total)


def raise_account(transaction: Transaction, name: str, total: Epsilon, reason: str) -> Entry:
    """Add a raise; what was spent stays spent.

    Raises:
        Refused: ``account-unknown``, ``raise-not-upwards`` (params name, total),
            ``reason-missing``, and those of the texts and amounts.
    """
    _check_total(total)
    reason = checked_text("reason", reason, required=True)
    before = transaction.sums(name).granted
    if total <= before:
        raise refuse("raise-not-upwards", name=name, total=str(before))
    payload = {"reason": reason, "before": str(before), "total": str(total)}
    return transaction.append("raise", name, payload, granted=total - before)


def _check_total(total: Epsilon) -> None:
    problem = epsilon_problem(total.as_decimal())
    if problem:
        raise refuse(problem)
