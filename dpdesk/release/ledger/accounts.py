# SPDX-License-Identifier: Apache-2.0
"""Accounts: one a cohort, however many files and extracts there are; each in one measure.

An account is what its entries say: opened with a total, raised with a reason, charged by
releases. Sequential composition adds the charges up, also when each question is chosen after
seeing the answers before it (Dwork and Roth 2014, 3.5), so a plain sum is the whole accountant.
It is as good for rho of zCDP (Feldman and Zrnic 2021; Whitehouse and others 2023), and deltas add.

An account in rho has a delta, set once by policy: one half of it converts the rho to epsilon,
the other half pays for releases that can fail. An account in pure epsilon has none.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.release.ledger.chain import Entry, sums_of
from dpdesk.release.ledger.decisions.decided import RevokedSigner
from dpdesk.release.ledger.decisions.recovery import Lock, refuse_moved
from dpdesk.release.ledger.decisions.series import Series, left_beside, reserved_by
from dpdesk.release.ledger.payloads import OpenedAccount, RaisedAccount
from dpdesk.release.ledger.transaction import (
    Transaction,
    read_payload,
    refuse_other_measure,
)
from dpdesk.release.ledger.typed_names import checked_name, checked_text
from dpdesk.release.record.amounts import delta_problem
from dpdesk.release.record.totals import Totals, share_of
from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import NO_DELTA, Delta, Share
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class AccountState:
    """An account as it is.

    Attributes:
        total: what may be spent in its whole life.
        spent: what has been spent, exported or not.
        note: what the custodian wrote when it was opened; may be empty.
        locked: nothing can be spent until the ledger is reconciled or a person opens the account.
        rollback_suspected: an older copy of the ledger was found in use at some time.
        separate_people_declared: the custodian declared that its people are others than those of
            another account.
        delta_total: its delta; nothing in pure epsilon.
        delta_spent: what releases have charged of one half of it.
        locks: why a person has to open it; empty where it is not locked, or where the whole
            ledger is.
        series: its planned series, those that are over, too.
    """

    name: str
    total: Share
    spent: Share
    note: str
    locked: bool
    rollback_suspected: bool
    separate_people_declared: bool
    entries: tuple[Entry, ...]
    delta_total: Delta = NO_DELTA
    delta_spent: Delta = NO_DELTA
    locks: tuple[Lock, ...] = ()
    series: tuple[Series, ...] = ()

    @property
    def measure(self) -> str:
        """``epsilon`` or ``rho``."""
        return self.total.measure

    @property
    def left(self) -> Share:
        """What can still be spent on anything else than what is reserved."""
        return self._beside[0]

    @property
    def delta_left(self) -> Delta:
        """What releases can still charge of the half of delta that is theirs, in the same way."""
        return self._beside[1]

    @property
    def reserved(self) -> Share:
        """What running series reserve; it is not spent."""
        return reserved_by(self.series, self.measure)[0]

    @property
    def _beside(self) -> tuple[Share, Delta]:
        return left_beside(self._sums, *reserved_by(self.series, self.measure))

    @property
    def _sums(self) -> Totals:
        return Totals(self.total, self.spent, self.delta_total, self.delta_spent)


def account_state(
    entries: tuple[Entry, ...],
    name: str,
    note: str,
    separate: bool,
    *,
    rolled_back: bool,
    locks: tuple[Lock, ...],
    series: tuple[Series, ...],
) -> AccountState:
    """The state that an account's entries make, with what is known of it from elsewhere."""
    own = tuple(e for e in entries if e.account == name)
    sums = sums_of(own, name)
    return AccountState(
        name=name,
        total=sums.granted,
        spent=sums.charged,
        note=note,
        locked=rolled_back or bool(locks),
        rollback_suspected=was_rolled_back(own),
        separate_people_declared=separate,
        entries=own,
        delta_total=sums.delta_granted,
        delta_spent=sums.delta_charged,
        locks=locks,
        series=series,
    )


def was_rolled_back(entries: tuple[Entry, ...]) -> bool:
    """Whether an account's entries tell of an older copy that was reconciled."""
    return any(e.kind == "reconcile" for e in entries)


def open_account(
    transaction: Transaction, name: str, total: Share, note: str, delta: Delta = NO_DELTA
) -> Entry:
    """Add a new account.

    Args:
        transaction: where it is added.
        total: all that may ever be spent; its measure is the account's.
        note: for whom, and who decided; may be empty.
        delta: the account's delta: nothing in pure epsilon, something in rho.

    Raises:
        Refused: ``name-malformed``, ``epsilon-not-positive``, ``epsilon-too-large``,
            ``delta-not-positive``, ``delta-too-large``, ``delta-without-rho``,
            ``text-too-long``, ``text-invisible``, ``account-exists`` (param name),
            ``account-moved`` (param name) in a ledger that goes on elsewhere.
    """
    checked_name(name)
    refuse_moved(transaction)
    _check_total(total)
    _check_delta(total, delta)
    note = checked_text("note", note)
    if any(e.account == name for e in transaction.entries):
        raise refuse("account-exists", name=name)
    opened = OpenedAccount(note, total, delta)
    return transaction.append(name, opened, granted=total, delta_granted=delta)


def raise_account(transaction: Transaction, name: str, total: Share, reason: str) -> Entry:
    """Add a raise; what was spent stays spent, and the delta stays what it was.

    Raises:
        Refused: ``account-unknown``, ``account-measure-differs``, ``raise-not-upwards`` (params
            name, total), ``reason-missing``, ``account-moved`` (param name) in a ledger that goes
            on elsewhere, and those of the texts and amounts.
    """
    _check_total(total)
    refuse_moved(transaction)
    reason = checked_text("reason", reason, required=True)
    before = transaction.sums(name).granted
    refuse_other_measure(name, before.measure, total.measure)
    if total.units <= before.units:
        raise refuse("raise-not-upwards", name=name, total=str(before))
    more = share_of(total.measure, total.units - before.units)
    return transaction.append(name, RaisedAccount(reason, before, total), granted=more)


def enter_revoked_key(transaction: Transaction, revoked: RevokedSigner) -> None:
    """Add to each account that a key was revoked; the same again adds nothing."""
    known = {
        entry.account
        for entry in transaction.entries
        if entry.kind == RevokedSigner.KIND
        and read_payload(transaction.connection, entry) == revoked
    }
    for account in dict.fromkeys(entry.account for entry in transaction.entries):
        if account not in known:
            transaction.append(account, revoked)


def _check_total(total: Share) -> None:
    problem = share_problem(type(total), total.as_decimal())
    if problem:
        raise refuse(problem)


def _check_delta(total: Share, delta: Delta) -> None:
    if total.measure == "epsilon":
        problem = "delta-without-rho" if delta.atto else None
    else:
        problem = delta_problem(delta)
    if problem:
        raise refuse(problem, "$.delta")
