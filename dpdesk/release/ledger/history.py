# SPDX-License-Identifier: Apache-2.0
"""The ledger as people read it: what happened, when, and what it cost."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.transaction import read_payload
from dpdesk.study.model.amount import Share


@dataclass(frozen=True)
class HistoryQuery:
    """One query of a release.

    Attributes:
        id: its id in the study.
        title: what it was called; in releases before format 3 only where that was declared.
        statistic: what was asked.
        charged: what it cost; nothing where a stored answer was returned.
    """

    id: str
    title: str
    statistic: str
    charged: Share


@dataclass(frozen=True)
class HistoryEntry:
    """One entry with what its payload tells.

    Attributes:
        entry: the entry.
        title: the released study's title; empty for other kinds.
        queries: what was released.
        reason: the custodian's reason or note; may be empty.
    """

    entry: Entry
    title: str
    queries: tuple[HistoryQuery, ...]
    reason: str


def read_history(
    connection: sqlite3.Connection, entries: Iterable[Entry]
) -> tuple[HistoryEntry, ...]:
    """Entries with what their payloads tell.

    Raises:
        Refused: ``ledger-damaged``.
    """
    return tuple(_told(e, json.loads(read_payload(connection, e))) for e in entries)


def _told(entry: Entry, payload: dict[str, Any]) -> HistoryEntry:
    if entry.kind != "release":
        return HistoryEntry(entry, "", (), payload.get("reason") or payload.get("note", ""))
    predicate = payload["predicate"]
    amount = type(entry.charged).of
    queries = tuple(
        HistoryQuery(q["id"], q["title"], q["statistic"], amount(q["charged"]))
        for q in predicate["queries"]
    )
    return HistoryEntry(entry, predicate["study"]["title"], queries, "")
