# SPDX-License-Identifier: Apache-2.0
"""One look at the ledger, held against what is remembered of it elsewhere."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from dpdesk.release.ledger.accounts import AccountState, account_state
from dpdesk.release.ledger.chain import Entry, read_chain
from dpdesk.release.ledger.decisions.recovery import locks_of
from dpdesk.release.ledger.decisions.series import series_of
from dpdesk.release.ledger.fingerprints import declared_separate
from dpdesk.release.ledger.heads import Heads, Mark, read_heads
from dpdesk.release.ledger.payloads import OpenedAccount
from dpdesk.release.ledger.reconcile import unreconciled
from dpdesk.release.ledger.transaction import read_payload
from dpdesk.study.problem import Problem, Refused, refuse


@dataclass(frozen=True)
class View:
    """The ledger at one moment.

    Attributes:
        connection: where the payloads are read from.
        entries: the chain, verified.
        lost: remembered entries that an older copy of the ledger lacks.
    """

    connection: sqlite3.Connection
    entries: tuple[Entry, ...]
    heads: Heads
    lost: tuple[Mark, ...]

    @classmethod
    def take(cls, connection: sqlite3.Connection, heads_path: Path) -> View:
        """Look at the ledger.

        Raises:
            Refused: ``ledger-damaged``.
        """
        # The heads first: the ledger may grow meanwhile, and being ahead of them is fine.
        heads = read_heads(heads_path)
        entries = read_chain(connection)
        return cls(connection, entries, heads, unreconciled(connection, heads, entries))

    @property
    def rolled_back(self) -> Problem | None:
        """``ledger-rolled-back`` (param accounts) where an older copy is in use."""
        names = dict.fromkeys(mark.account for mark in self.lost)
        params = {"accounts": ", ".join(names)}
        return Problem("$", "ledger-rolled-back", params) if self.lost else None

    def refuse_lost(self) -> None:
        """Refuse to go on with an older copy.

        Raises:
            Refused: ``ledger-rolled-back`` (param accounts).
        """
        if self.rolled_back:
            raise Refused([self.rolled_back])

    @property
    def is_remembered(self) -> bool:
        """Whether the heads are those of this chain, or must be kept as they are."""
        return bool(self.lost) or not self.heads.differ_from(self.entries)

    def entry_at(self, sequence: int) -> Entry:
        """One entry.

        Raises:
            Refused: ``entry-unknown`` (param sequence).
        """
        if not 1 <= sequence <= len(self.entries):
            raise refuse("entry-unknown", sequence=str(sequence))
        return self.entries[sequence - 1]

    def accounts(self) -> tuple[AccountState, ...]:
        """Every account, in the order of opening."""
        opened = tuple(e for e in self.entries if e.kind == "open-account")
        payloads = [read_payload(self.connection, entry) for entry in opened]
        notes = {
            entry.account: payload.reason
            for entry, payload in zip(opened, payloads, strict=True)
            if isinstance(payload, OpenedAccount)
        }
        return tuple(
            account_state(
                self.entries,
                name,
                note=notes.get(name, ""),
                separate=bool(declared_separate(self.connection, self.entries, name)),
                rolled_back=bool(self.lost),
                locks=locks_of(self.connection, self.entries, name),
                series=series_of(self.connection, self.entries, name),
            )
            for name in dict.fromkeys(e.account for e in self.entries)
        )
