# SPDX-License-Identifier: Apache-2.0
"""What SQLite itself refuses, whoever writes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.chain import FIELDS, Entry, payload_digest, read_chain
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import ZERO, Epsilon
from tests.release.ledgers import ONE, PAYLOAD, spent_ledger

COLUMNS = f"{FIELDS}, payload"
DELTAS = ("delta_granted", "delta_kept", "delta_charged")


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return spent_ledger(Home.at(dpdesk_home))


@pytest.fixture
def raw(ledger: Ledger) -> Iterator[sqlite3.Connection]:
    """A connection without any of our settings."""
    with closing(sqlite3.connect(ledger.home.ledger, isolation_level=None)) as connection:
        yield connection


def next_entry(raw: sqlite3.Connection, kind: str = "release", account: str = "one") -> Entry:
    last = read_chain(raw)[-1]
    digest = payload_digest("{}")
    return Entry(last.sequence + 1, last.time, kind, account, ZERO, ZERO, digest, last.hash)


def insert(raw: sqlite3.Connection, entry: Entry, verb: str = "INSERT") -> None:
    fields = (entry.sequence, entry.time, entry.kind, entry.account, *entry.amounts)
    rest = (entry.payload_sha256, entry.previous, entry.hash, "{}")
    marks = ", ".join("?" * 14)
    raw.execute(f"{verb} INTO entry ({COLUMNS}) VALUES ({marks})", (*fields, *rest))


def test_an_entry_that_follows_is_accepted(raw: sqlite3.Connection, ledger: Ledger) -> None:
    insert(raw, replace(next_entry(raw), charged=Epsilon(1)).sealed())
    assert ledger.account("one").spent == Epsilon.of("0.200001")


@pytest.mark.parametrize("account", ["one", "two"])
def test_spending_above_the_total_is_refused(raw: sqlite3.Connection, account: str) -> None:
    left = {"one": 1_800_000, "two": 900_000}[account]
    entry = replace(next_entry(raw, account=account), charged=Epsilon(left + 1)).sealed()
    with pytest.raises(sqlite3.IntegrityError, match="never spends more"):
        insert(raw, entry)
    insert(raw, replace(entry, charged=Epsilon(left)).sealed())


def test_an_account_without_entries_cannot_spend(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert(raw, replace(next_entry(raw, account="three"), charged=Epsilon(1)).sealed())


@pytest.mark.threat("E5")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET charged = 0",
        "UPDATE entry SET granted = granted + 1 WHERE kind = 'raise'",
        "UPDATE OR REPLACE entry SET sequence = 1 WHERE sequence = 3",
        "UPDATE OR IGNORE entry SET payload = '{}'",
        "UPDATE entry SET rowid = 99 WHERE rowid = 1",
        "DELETE FROM entry",
        "DELETE FROM entry WHERE sequence = (SELECT max(sequence) FROM entry)",
        "UPDATE secret SET value = zeroblob(32)",
        "DELETE FROM secret",
        "INSERT INTO secret VALUES (1, zeroblob(32))",
        "REPLACE INTO secret VALUES (1, zeroblob(32))",
    ],
)
def test_what_stands_stays(raw: sqlite3.Connection, ledger: Ledger, statement: str) -> None:
    before = ledger.head()
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(statement)
    assert ledger.head() == before
    assert ledger.check().sound


@pytest.mark.parametrize("table", ["answer", "sketch"])
def test_side_tables_only_grow(raw: sqlite3.Connection, table: str) -> None:
    values = {
        "answer": "(zeroblob(32), 3, 'stays')",
        "sketch": "(1, 'one', zeroblob(32), x'00')",
    }[table]
    raw.execute(f"INSERT INTO {table} VALUES {values}")
    for statement in (
        f"DELETE FROM {table}",
        f"UPDATE {table} SET {'query' if table == 'answer' else 'account'} = 'x'",
        f"REPLACE INTO {table} VALUES {values}",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute(statement)


@pytest.mark.parametrize("verb", ["INSERT", "REPLACE", "INSERT OR IGNORE"])
@pytest.mark.parametrize("sequence", [0, 1, 3, 6, 8, -1])
def test_no_entry_takes_another_place(raw: sqlite3.Connection, verb: str, sequence: int) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert(raw, replace(next_entry(raw), sequence=sequence).sealed(), verb)
    assert len(read_chain(raw)) == 6


def test_replace_cannot_drop_a_row_through_its_hash(raw: sqlite3.Connection) -> None:
    third = read_chain(raw)[2]
    with pytest.raises(sqlite3.IntegrityError):
        insert(raw, replace(next_entry(raw), hash=third.hash), "REPLACE")


def test_an_entry_names_the_one_before(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert(raw, replace(next_entry(raw), previous="0" * 64).sealed())


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "refund"},
        {"kind": "release", "granted": ONE},
        {"kind": "decision", "charged": Epsilon(1)},
        {"kind": "raise", "charged": Epsilon(1), "granted": ONE},
        {"kind": "raise"},
        {"kind": "open-account", "granted": ONE},
        {"kind": "open-account", "account": "three"},
        {"kind": "raise", "account": "three", "granted": ONE},
        {"account": "One"},
        {"account": ""},
        {"time": "2026-11-21T14:32:05Z"},
        {"time": "yesterday"},
        {"payload_sha256": "x"},
        {"hash": "A" * 64},
    ],
)
def test_an_entry_has_one_of_few_shapes(raw: sqlite3.Connection, wrong: dict[str, object]) -> None:
    entry = next_entry(raw).sealed()
    with pytest.raises(sqlite3.IntegrityError):
        insert(raw, replace(entry, **wrong))


@pytest.mark.threat("E12")
@pytest.mark.parametrize("amount", ["-1", "1.5", "'much'", "NULL", "1e300", "20000000000000"])
@pytest.mark.parametrize(
    "column", ["granted", "charged", "delta_granted", "delta_kept", "delta_charged"]
)
def test_amounts_are_whole_numbers_from_zero(
    raw: sqlite3.Connection, column: str, amount: str
) -> None:
    entry = next_entry(raw, "reconcile").sealed()
    shown = {
        "granted": "5",
        "charged": "5",
        **dict.fromkeys(("delta_granted", "delta_kept", "delta_charged"), "0"),
    }
    amounts = "'epsilon', " + ", ".join({**shown, column: amount}.values())
    texts = f"'{entry.payload_sha256}', '{entry.previous}', '{entry.hash}', '{{}}'"
    values = f"({entry.sequence}, '{entry.time}', 'reconcile', 'one', {amounts}, {texts})"
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"INSERT INTO entry ({COLUMNS}) VALUES {values}")


def test_what_is_only_read_cannot_be_written(ledger: Ledger) -> None:
    with ledger.reading() as transaction, pytest.raises(sqlite3.OperationalError):
        transaction.append("one", PAYLOAD, charged=Epsilon(1))
    assert ledger.head()[0] == 6


def test_an_error_in_the_body_leaves_nothing_behind(ledger: Ledger) -> None:
    before = ledger.home.ledger.read_bytes()
    with pytest.raises(ZeroDivisionError), ledger.transaction() as transaction:
        transaction.append("one", PAYLOAD, charged=Epsilon(1))
        _ = 1 // 0
    assert ledger.home.ledger.read_bytes() == before
    assert ledger.head()[0] == 6
