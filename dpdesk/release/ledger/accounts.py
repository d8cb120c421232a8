# SPDX-License-Identifier: Apache-2.0
"""Accounts: one a cohort, however many files and extracts there are; each in one measure.

An account is what its entries say: opened with a total, raised with a reason, charged by
releases. Sequential composition adds the charges up, also when each question is chosen after
seeing the answers before it (Dwork and Roth 2014, 3.5), so a plain sum is the whole accountant.
It is as good for rho of zCDP (Feldman and Zrnic 2021; Whitehouse and others 2023), and deltas add.

An account in rho has a delta, set by policy, in two parts: one converts its rho to epsilon and
stays as it was opened; the other is kept for releases of found categories, which can fail, and is
nothing unless somebody says more. It can be raised, and the whole by as much. An account in pure
epsilon has no delta.

Claim: at every entry, what releases have charged of delta and what running series reserve of it are
together within the part that is kept. Both parts are the whole delta, which never shrinks, and the
part that converts is the same at all entries.

Proof, by induction over the entries of an account; K is what is kept, C the other part, S what is
charged and R what is reserved.

* ``open-account``: S = R = 0 <= K < whole, and C = whole - K.
* ``raise``: K and the whole grow by the same amount, 0 or more; C, S and R stay.
* ``release``: S grows by at most K - S - R, or by an instalment that leaves R (``permission``).
* ``decision``: a series reserves at most K - S - R; what ends or is drawn leaves R.
* ``reconcile``: S grows by what was lost, K by what was kept in what was lost as far as the largest
  delta allows, and then by what S still exceeds it, with the whole in step; series end where R no
  longer fits. C is granted where the account has no entry yet, and stays where it has.

Every amount of an entry is 0 or more, so no later entry takes anything away. The rules of the
database (``storage.schema``) and ``chain.verify_chain`` hold each line a second and a third time.
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
from dpdesk.release.record.amounts import delta_problem, delta_text, kept_problem
from dpdesk.release.record.totals import Totals
from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import (
    MAX_DELTA_ATTO,
    NO_DELTA,
    WITHOUT_DELTA,
    AccountDelta,
    Delta,
    Share,
)
from dpdesk.study.problem import Refused, refuse


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
        delta: its delta, in its parts; nothing in pure epsilon.
        delta_spent: what releases have charged of the part that is kept for them.
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
    delta: AccountDelta = WITHOUT_DELTA
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
        """What releases can still charge of the part of delta that is kept for them, likewise."""
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
        parts = (self.delta.whole, self.delta.kept)
        return Totals(self.total, self.spent, *parts, self.delta_spent)


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
        delta=sums.delta,
        delta_spent=sums.delta_charged,
        locks=locks,
        series=series,
    )


def was_rolled_back(entries: tuple[Entry, ...]) -> bool:
    """Whether an account's entries name an older copy that was reconciled."""
    return any(e.kind == "reconcile" for e in entries)


def open_account(
    transaction: Transaction,
    name: str,
    total: Share,
    note: str,
    delta: Delta = NO_DELTA,
    kept: Delta = NO_DELTA,
) -> Entry:
    """Add a new account.

    Args:
        transaction: where it is added.
        total: all that may ever be spent; its measure is the account's.
        note: for whom, and who decided; may be empty.
        delta: the account's delta: nothing in pure epsilon, something in rho.
        kept: the part of it that releases of found categories may charge.

    Raises:
        Refused: ``name-malformed``, ``epsilon-not-positive``, ``epsilon-too-large``,
            ``delta-not-positive``, ``delta-too-large``, ``delta-without-rho``, ``kept-too-large``,
            ``text-too-long``, ``text-invisible``, ``account-exists`` (param name),
            ``account-moved`` (param name) in a ledger that goes on elsewhere.
    """
    checked_name(name)
    refuse_moved(transaction)
    _check_total(total)
    _check_delta(total, delta, kept)
    note = checked_text("note", note)
    if any(e.account == name for e in transaction.entries):
        raise refuse("account-exists", name=name)
    return _grant(transaction, name, OpenedAccount(note, total, delta, kept))


def raise_account(
    transaction: Transaction, name: str, total: Share | None, reason: str, kept: Delta | None = None
) -> Entry:
    """Add a raise; what was spent stays spent, and what converts of the delta stays what it was.

    Args:
        transaction: where it is added.
        name: the account.
        total: all that may be spent from now on; ``None`` leaves it.
        reason: why, and who decided.
        kept: the part of delta for found categories from now on; ``None`` leaves it. The whole
            delta grows by as much.

    Raises:
        Refused: ``account-unknown``, ``account-measure-differs``, ``raise-not-upwards`` (params
            name, total), ``kept-not-upwards`` (params name, kept), ``kept-raise-too-large`` (params
            name, most), ``delta-without-rho``, ``reason-missing``, ``account-moved`` (param name)
            in a ledger that goes on elsewhere, and those of the texts and amounts.
    """
    refuse_moved(transaction)
    reason = checked_text("reason", reason, required=True)
    sums = transaction.sums(name)
    if total is not None or kept is None:
        _check_raise(name, sums, total or sums.granted)
    if kept is not None:
        _check_kept(name, sums, kept)
    now = (total or sums.granted, sums.delta_kept, kept or sums.delta_kept)
    return _grant(transaction, name, RaisedAccount(reason, sums.granted, *now))


def _grant(transaction: Transaction, name: str, said: OpenedAccount | RaisedAccount) -> Entry:
    """Add the entry whose amounts are those that its payload says."""
    more = said.sums
    return transaction.append(
        *(name, said, more.granted),
        delta_granted=more.delta_granted,
        delta_kept=more.delta_kept,
    )


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


def _check_delta(total: Share, delta: Delta, kept: Delta) -> None:
    if total.measure == "epsilon":
        problem = "delta-without-rho" if delta.atto or kept.atto else None
    else:
        problem = delta_problem(delta)
    if problem:
        raise refuse(problem, "$.delta")
    if too_large := kept_problem(delta, kept):
        raise Refused([too_large])


def _check_raise(name: str, sums: Totals, total: Share) -> None:
    _check_total(total)
    refuse_other_measure(name, sums.measure, total.measure)
    if total.units <= sums.granted.units:
        raise refuse("raise-not-upwards", name=name, total=str(sums.granted))


def _check_kept(name: str, sums: Totals, kept: Delta) -> None:
    if sums.measure == "epsilon":
        raise refuse("delta-without-rho", "$.delta_kept")
    most = Delta(max(0, MAX_DELTA_ATTO - sums.delta.converts.atto))
    if kept <= sums.delta_kept:
        held = delta_text(sums.delta_kept)
        raise refuse("kept-not-upwards", "$.delta_kept", name=name, kept=held)
    if kept > most:
        raise refuse("kept-raise-too-large", "$.delta_kept", name=name, most=delta_text(most))
