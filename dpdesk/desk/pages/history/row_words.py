# SPDX-License-Identifier: Apache-2.0
"""What History says of one entry."""

from __future__ import annotations

from collections.abc import Mapping

from dpdesk.desk.text import words
from dpdesk.desk.text.times import when
from dpdesk.desk.text.translating import tr
from dpdesk.release.ledger import HistoryEntry
from dpdesk.release.ledger.history import entry_about
from dpdesk.release.ledger.payloads import LostSecondRecord, RestoredLedger


def row_words(history: HistoryEntry, numbers: Mapping[int, int]) -> tuple[str, ...]:
    """Place, moment, kind, account, what it is about, and what it spent.

    Args:
        history: the entry.
        numbers: which release of its account each is, by its entry.
    """
    entry = history.entry
    return (
        str(entry.sequence),
        when(entry.time, brief=True),
        _kind(history).format(numbers.get(entry.sequence, 0)),
        entry.account,
        "" if history.damage else entry_about(history, numbers),
        words.budget(entry.charged) if entry.charged.units else "–",
    )


def _kind(history: HistoryEntry) -> str:
    """What an entry is; damage and doubts come before what was written."""
    if history.damage:
        return tr("HistoryPage", "Damaged")
    if isinstance(history.payload, (LostSecondRecord, RestoredLedger)):
        return tr("HistoryPage", "Warning")
    kinds = {
        "open-account": tr("HistoryPage", "Account opened"),
        "raise": tr("HistoryPage", "Account raised"),
        "release": tr("HistoryPage", "Release {0}"),
        "failed-release": tr("HistoryPage", "Failed release"),
        "decision": tr("HistoryPage", "Decision"),
        "reconcile": tr("HistoryPage", "Reconciled"),
    }
    return kinds.get(history.entry.kind, history.entry.kind)
