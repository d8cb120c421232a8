# SPDX-License-Identifier: Apache-2.0
"""Whether the own ledger knows that a release which is compared was withdrawn or corrected.

Of other people's releases it knows nothing: their notices are held against a bundle by ``verify``.
"""

from __future__ import annotations

from dpdesk.release.home import Home
from dpdesk.release.ledger import HistoryEntry, Ledger
from dpdesk.release.notices.notice_file import REVOCATIONS
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.problem import Refused


def taken_back(home: Home, record: ReleaseRecord) -> HistoryEntry | None:
    """The last decision that withdrew or corrected a release; ``None`` where there is none."""
    if not home.ledger.exists():
        return None
    ledger, place = Ledger(home), record.place.sequence
    try:
        decided = [h for h in ledger.history() if h.decision in REVOCATIONS]
        about = [h for h in decided if h.concerned == place]
        return about[-1] if about and ledger.release(place).record.id == record.id else None
    except Refused:
        return None  # a ledger that cannot be read says nothing, here


def as_sentence(reason: str) -> str:
    """A reason as it was typed, with its full stop.

    >>> as_sentence("The wrong file"), as_sentence("Twice!")
    ('The wrong file.', 'Twice!')
    """
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."
