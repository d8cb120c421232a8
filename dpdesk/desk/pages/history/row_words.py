# SPDX-License-Identifier: Apache-2.0
"""What History says of one entry."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words
from dpdesk.desk.text.times import when
from dpdesk.release.ledger import HistoryEntry


def row_words(history: HistoryEntry, number: int, concerned: int = 0) -> tuple[str, ...]:
    """Place, moment, kind, account, what it is about, and what it spent.

    Args:
        history: the entry.
        number: which release of its account it is; 0 for another entry.
        concerned: which release of its account a decision is about; 0 where about none.
    """
    entry = history.entry
    return (
        str(entry.sequence),
        when(entry.time, brief=True),
        _kind(history, number or concerned),
        entry.account,
        "" if history.damage else _about(history),
        words.budget(entry.charged) if entry.charged.units else "–",
    )


def _kind(history: HistoryEntry, number: int) -> str:
    """What an entry is; damage and doubts come before what was written."""
    if history.damage:
        return QCoreApplication.translate("HistoryPage", "Damaged")
    if history.second_record or history.restored:
        return QCoreApplication.translate("HistoryPage", "Warning")
    kinds = {
        "open-account": QCoreApplication.translate("HistoryPage", "Account opened"),
        "raise": QCoreApplication.translate("HistoryPage", "Total raised"),
        "release": QCoreApplication.translate("HistoryPage", "Release {0}"),
        "decision": QCoreApplication.translate("HistoryPage", "Decision"),
        "reconcile": QCoreApplication.translate("HistoryPage", "Reconciled"),
    }
    decisions = {
        "opened-recovery": QCoreApplication.translate("HistoryPage", "Unlocked"),
        "moved-away": QCoreApplication.translate("HistoryPage", "Moved away"),
        "arrived": QCoreApplication.translate("HistoryPage", "Arrived"),
        "series-begun": QCoreApplication.translate("HistoryPage", "Series begun"),
        "instalment": QCoreApplication.translate("HistoryPage", "Instalment"),
        "series-ended": QCoreApplication.translate("HistoryPage", "Series ended"),
        "withdrawn": QCoreApplication.translate("HistoryPage", "Release {0} withdrawn"),
        "corrected": QCoreApplication.translate("HistoryPage", "Release {0} corrected"),
        "second-person": QCoreApplication.translate("HistoryPage", "Second person"),
        "second-person-overridden": QCoreApplication.translate(
            "HistoryPage", "Second person replaced without their signature"
        ),
        "revoked-key": QCoreApplication.translate("HistoryPage", "Key revoked"),
    }
    written = history.entry.kind
    kind = decisions.get(history.decision, kinds.get(written, written))
    return kind.format(number)


def _about(history: HistoryEntry) -> str:
    """What an entry is about: a title, a reason or a series, and by whom."""
    about = history.title or history.reason or _of_second_record(history)
    if history.restored:
        about = QCoreApplication.translate("HistoryPage", "Restored from a backup")
    about = about or _of_series(history)
    if history.locked and not history.decision:
        about = QCoreApplication.translate("HistoryPage", "{0} (locked)").format(about)
    if history.decision in ("second-person", "second-person-overridden", "revoked-key"):
        nobody = QCoreApplication.translate("HistoryPage", "nobody any more")
        about = f"{history.signer or nobody}: {about}"
    if not about and history.entry.kind == "release":
        about = QCoreApplication.translate("HistoryPage", "Untitled study")
    if history.released_by:
        by = QCoreApplication.translate("HistoryPage", "{0}, by {1}")
        about = by.format(about, history.released_by)
    return about


def _of_second_record(history: HistoryEntry) -> str:
    """What was wrong with the second record; empty where nothing was."""
    said = {
        "": "",
        "missing": QCoreApplication.translate("HistoryPage", "The second record was missing"),
        "damaged": QCoreApplication.translate("HistoryPage", "The second record was damaged"),
        "behind": QCoreApplication.translate(
            "HistoryPage", "The second record was behind by several entries"
        ),
        "unwritable": QCoreApplication.translate(
            "HistoryPage", "The second record could not be written"
        ),
    }
    return said[history.second_record]


def _of_series(history: HistoryEntry) -> str:
    """What a series reserves, or which of its instalments follows."""
    if history.reserved is not None:
        template = QCoreApplication.translate("HistoryPage", "{0}: {1} instalments reserve {2}")
        return template.format(history.detail[0], history.detail[3], words.budget(history.reserved))
    if history.decision == "instalment":
        template = QCoreApplication.translate("HistoryPage", "{0} of the series of entry {1}")
        return template.format(history.detail[0], history.concerned)
    return ""
