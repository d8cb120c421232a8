# SPDX-License-Identifier: Apache-2.0
"""What the custodian decided about accounts, read off the chain."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.transaction import read_payload

SEPARATE_PEOPLE = "separate-people"


def declared_separate(
    connection: sqlite3.Connection, entries: Iterable[Entry], account: str
) -> frozenset[str]:
    """Accounts whose people were declared to be others than this account's, by either side.

    Raises:
        Refused: ``ledger-damaged``.
    """
    found: set[str] = set()
    for entry in entries:
        if entry.kind == "decision":
            decided = json.loads(read_payload(connection, entry))
            concerned = {entry.account, *decided["accounts"]}
            if account == entry.account:
                found |= concerned
            elif account in concerned:
                found.add(entry.account)
    return frozenset(found - {account})
