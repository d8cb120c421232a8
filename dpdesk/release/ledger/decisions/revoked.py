# SPDX-License-Identifier: Apache-2.0
"""Releases that were withdrawn or corrected: their figures are no longer to be used as they are.

The budget stays spent and anyone who has the figures keeps them, so stored answers that were drawn
there may still be given out, for a withdrawal may be about a wrong title. But nobody gives them
out, and nobody takes them, without a warning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.history import release_numbers
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.study.problem import refuse

if TYPE_CHECKING:
    from dpdesk.release.ledger.answers import StoredAnswer
    from dpdesk.release.record.values import ReleasedQuery


def revoked_releases(
    connection: sqlite3.Connection, entries: Sequence[Entry]
) -> dict[int, tuple[RevokedRelease, ...]]:
    """The decisions on each release that was withdrawn or corrected, by the release's entry.

    All of its tables are concerned, or those that the decision names alone.

    Raises:
        Refused: ``ledger-damaged`` or ``entry-too-new``.
    """
    decisions = (entry for entry in entries if entry.kind == RevokedRelease.KIND)
    said = (read_payload(connection, entry) for entry in decisions)
    found: dict[int, list[RevokedRelease]] = {}
    for one in said:
        if isinstance(one, RevokedRelease):
            found.setdefault(one.sequence, []).append(one)
    return {sequence: tuple(each) for sequence, each in found.items()}


def decided_on(decisions: Iterable[RevokedRelease], table: str) -> RevokedRelease | None:
    """The last decision that is about a table of a release; ``None`` where none is."""
    return next((one for one in reversed(tuple(decisions)) if one.is_about(table)), None)


def refuse_revoked(transaction: Transaction, answers: Iterable[StoredAnswer]) -> None:
    """Refuse answers that were drawn for a table which was withdrawn or corrected since.

    Args:
        answers: stored answers, each with the entry in which it was drawn.

    Raises:
        Refused: ``answers-withdrawn`` or ``answers-corrected`` (params release, reason) of the
            earliest such release.
    """
    revoked = revoked_releases(transaction.connection, transaction.entries)
    numbers = release_numbers(transaction.entries)
    for answer in sorted(answers, key=lambda one: one.drawn_in):
        one = revoked_answer(transaction, revoked, answer)
        if one is not None:
            params = {"release": str(numbers[one.sequence]), "reason": one.reason}
            raise refuse(f"answers-{one.kind}", **params)


def revoked_answer(
    transaction: Transaction,
    revoked: Mapping[int, tuple[RevokedRelease, ...]],
    answer: StoredAnswer | ReleasedQuery,
) -> RevokedRelease | None:
    """The last decision on the table for which an answer was drawn; ``None`` where none is.

    The table is the one of its release with the same draw. Where no table has it, which an entry
    of another version may cause, each decision counts.
    """
    decisions = revoked.get(answer.drawn_in, ())
    if all(not one.tables for one in decisions):
        return decisions[-1] if decisions else None
    record = transaction.release(answer.drawn_in).record
    names = [query.name for query in record.queries if query.drawn == answer.drawn]
    found = [one for one in decisions if not names or any(map(one.is_about, names))]
    return found[-1] if found else None
