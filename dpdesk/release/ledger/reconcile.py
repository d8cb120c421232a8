# SPDX-License-Identifier: Apache-2.0
"""Making good for a ledger that was replaced by an older copy.

What the remembered chain holds and the ledger does not was shown to somebody, so it is charged:
one entry an account, with all that was lost since the two chains part. Where both chains spent
after that point, an account's true spending can exceed its total; the total is then lifted to what
was spent, and the entry says by how much. Nothing is forgiven, and nothing is left to spend.
Where an entry without amounts was lost, it may have locked the account or closed the ledger, which
its mark does not say: the account is locked then, until a person opens it.
What is kept of a delta is lifted to what was charged of it, and the whole by as much. The part that
converts is there once, also where both chains opened the account: it stays what its bundles say.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from dpdesk.release.ledger.chain import Entry, sums_of
from dpdesk.release.ledger.decisions.series import end_unfunded
from dpdesk.release.ledger.heads import Heads, Mark, lost_sums
from dpdesk.release.ledger.payloads import LostSecondRecord, ReconciledAccount
from dpdesk.release.ledger.transaction import Transaction, read_payload, refuse_other_measure
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.record.totals import Totals, plus, share_of
from dpdesk.study.model.amount import MAX_DELTA_ATTO, NO_DELTA, Delta, Share
from dpdesk.study.problem import refuse


def unreconciled(
    connection: sqlite3.Connection, heads: Heads, entries: Sequence[Entry]
) -> tuple[Mark, ...]:
    """Remembered entries that the ledger lacks and has not made good for.

    Raises:
        Refused: ``ledger-damaged``.
    """
    lost = heads.lost_from(entries)
    # A crash after reconciling may have left the old heads in place.
    return () if lost and heads.head in _reconciled_heads(connection, entries) else lost


def _reconciled_heads(connection: sqlite3.Connection, entries: Sequence[Entry]) -> set[str]:
    own = (e for e in entries if e.kind == ReconciledAccount.KIND)
    payloads = (read_payload(connection, entry) for entry in own)
    return {p.known_head for p in payloads if isinstance(p, ReconciledAccount)}


def reconcile(transaction: Transaction, heads: Heads, reason: str) -> tuple[Entry, ...]:
    """Charge what was lost.

    Raises:
        Refused: ``ledger-not-rolled-back``, ``reason-missing``, ``account-measure-differs`` where
            an account was opened again in another measure, and those of texts.
    """
    reason = checked_text("reason", reason, required=True)
    lost = unreconciled(transaction.connection, heads, transaction.entries)
    if not lost:
        raise refuse("ledger-not-rolled-back")
    silent = {mark.account for mark in lost if not any(mark.sums.amounts[1:])}
    return tuple(
        _make_good(transaction, account, sums, (reason, account in silent), heads)
        for account, sums in lost_sums(lost).items()
    )


def _make_good(
    transaction: Transaction, account: str, lost: Totals, why: tuple[str, bool], heads: Heads
) -> Entry:
    reason, locked = why
    own = [e for e in transaction.entries if e.account == account]
    held = sums_of(own, account) if own else Totals.none(lost.measure)
    refuse_other_measure(account, held.measure, lost.measure)
    lifted, lifted_delta = lifted_by(held + lost)
    converts = NO_DELTA if own else lost.delta.converts
    kept = _kept_again(held, lost, converts) + lifted_delta
    entry = transaction.append(
        account,
        ReconciledAccount(reason, len(heads.marks), heads.head, lifted, lifted_delta, locked),
        granted=plus(lost.granted, lifted),
        charged=lost.charged,
        delta_granted=converts + kept,
        delta_kept=kept,
        delta_charged=lost.delta_charged,
    )
    end_unfunded(transaction, account, reason)
    return entry


def _kept_again(held: Totals, lost: Totals, converts: Delta) -> Delta:
    """What lost entries kept of delta: all of it, unless both chains would keep too much together.

    Then as much as the largest delta leaves, and what was charged in any case.
    """
    room = max(0, MAX_DELTA_ATTO - held.delta_granted.atto - converts.atto)
    needed = held.delta_charged.atto + lost.delta_charged.atto - held.delta_kept.atto
    return Delta(min(lost.delta_kept.atto, max(room, needed)))


def lifted_by(sums: Totals) -> tuple[Share, Delta]:
    """By how much a total, and what is kept of a delta, must grow to hold what was charged."""
    lifted = share_of(sums.measure, max(0, sums.charged.units - sums.granted.units))
    return lifted, Delta(max(0, sums.delta_charged.atto - sums.delta_kept.atto))


def enter_lost_record(transaction: Transaction, state: str) -> None:
    """Let each account say that the second record was of no use; a lasting one says it once."""
    stated = {
        entry.account
        for entry in transaction.entries
        if state == "unwritable"
        and entry.kind == LostSecondRecord.KIND
        and read_payload(transaction.connection, entry) == LostSecondRecord(state)
    }
    for account in dict.fromkeys(entry.account for entry in transaction.entries):
        if account not in stated:
            transaction.append(account, LostSecondRecord(state))
