# SPDX-License-Identifier: Apache-2.0
"""Checks a ledger from end to end: file, schema, every hash, every payload, every reservation."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from dpdesk.release.ledger.accounts import AccountState
from dpdesk.release.ledger.answers import drawn_elsewhere, secret_of
from dpdesk.release.ledger.chain import Entry, damaged, read_chain, sums_of
from dpdesk.release.ledger.decisions.series import overbooked_at
from dpdesk.release.ledger.payloads import RaisedAccount
from dpdesk.release.ledger.storage.schema import GENESIS
from dpdesk.release.ledger.transaction import read_payload
from dpdesk.study.problem import Problem, Refused


@dataclass(frozen=True)
class LedgerReport:
    """What a check found.

    Attributes:
        head: hash of the last one.
        problems: what is wrong; empty for a sound ledger.
        notices: what is unusual but harmless.
    """

    entries: int
    head: str
    accounts: tuple[AccountState, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...]

    @property
    def sound(self) -> bool:
        return not self.problems


def broken_report(problems: Iterable[Problem]) -> LedgerReport:
    """The report on a ledger that cannot be read."""
    return LedgerReport(0, GENESIS, (), tuple(problems), ())


def content_problems(connection: sqlite3.Connection) -> Iterator[Problem]:
    """Everything that is wrong inside a ledger whose schema is right.

    SQLite's own check holds every index against its table, so what the rules add up through an
    index is what the chain says.
    """
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        yield from damaged("file").problems
        return
    try:
        entries = read_chain(connection)
        secret_of(connection)
    except Refused as refused:
        yield from refused.problems
        return
    illegible = tuple(_payload_problems(connection, entries))
    yield from illegible or _raise_problems(connection, entries)
    yield from _series_problems(connection, entries)
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        yield from damaged("answer").problems
    elif not illegible:
        yield from _answer_problems(connection, entries)


def _payload_problems(
    connection: sqlite3.Connection, entries: tuple[Entry, ...]
) -> Iterator[Problem]:
    for entry in entries:
        try:
            read_payload(connection, entry)
        except Refused as refused:
            yield from refused.problems


def _raise_problems(
    connection: sqlite3.Connection, entries: tuple[Entry, ...]
) -> Iterator[Problem]:
    """Raises that begin elsewhere than their account was: one that is there twice, or moved."""
    for entry in entries:
        if entry.kind != RaisedAccount.KIND:
            continue
        said = read_payload(connection, entry)
        before = sums_of(entries[: entry.sequence - 1], entry.account)
        stated = isinstance(said, RaisedAccount) and (said.before, said.kept_before)
        if stated != (before.granted, before.delta_kept):
            yield from damaged("payload", entry.sequence).problems


def _series_problems(
    connection: sqlite3.Connection, entries: tuple[Entry, ...]
) -> Iterator[Problem]:
    """Reservations that do not follow from one another, or exceed what their account has."""
    try:
        sequence = overbooked_at(connection, entries)
    except Refused as refused:
        yield from refused.problems
        return
    if sequence:
        yield from damaged("series", sequence).problems


def _answer_problems(
    connection: sqlite3.Connection, entries: tuple[Entry, ...]
) -> Iterator[Problem]:
    """Answers in the index that the entry does not hold, or that an earlier one was drawn for."""
    try:
        for sequence in drawn_elsewhere(connection, entries):
            yield from damaged("answer", sequence).problems
    except Refused as refused:
        yield from refused.problems


def clock_notices(entries: tuple[Entry, ...]) -> Iterator[Problem]:
    """Entries that claim to be older than the one before: the clock was set back."""
    for before, after in pairwise(entries):
        if after.time < before.time:
            yield Problem("$", "ledger-clock-back", {"sequence": str(after.sequence)})
