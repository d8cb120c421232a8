# SPDX-License-Identifier: Apache-2.0
"""Releases that were withdrawn or corrected: their figures are no longer to be used as they are.

The budget stays spent and anyone who has the figures keeps them, so stored answers that were drawn
there may still be given out, for a withdrawal may be about a wrong title. But nobody gives them
out, and nobody takes them, without being told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.history import release_numbers
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.study.problem import refuse


def revoked_releases(
    connection: sqlite3.Connection, entries: Sequence[Entry]
) -> dict[int, RevokedRelease]:
    """The last decision on each release that was withdrawn or corrected, by the release's entry.

    Raises:
        Refused: ``ledger-damaged`` or ``entry-too-new``.
    """
    decisions = (entry for entry in entries if entry.kind == RevokedRelease.KIND)
    said = (read_payload(connection, entry) for entry in decisions)
    return {one.sequence: one for one in said if isinstance(one, RevokedRelease)}


def refuse_revoked(transaction: Transaction, sequences: Iterable[int]) -> None:
    """Refuse answers that were drawn in a release which was withdrawn or corrected since.

    Args:
        sequences: the entries in which the answers were drawn.

    Raises:
        Refused: ``answers-withdrawn`` or ``answers-corrected`` (params release, reason) of the
            earliest such release.
    """
    revoked = revoked_releases(transaction.connection, transaction.entries)
    numbers = release_numbers(transaction.entries)
    for sequence in sorted(revoked.keys() & set(sequences)):
        one = revoked[sequence]
        params = {"release": str(numbers[sequence]), "reason": one.reason}
        raise refuse(f"answers-{one.kind}", **params)
