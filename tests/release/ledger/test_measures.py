# SPDX-License-Identifier: Apache-2.0
"""What SQLite and the chain of hashes keep of measures and deltas, whoever writes."""

import hashlib
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.chain import Entry, entry_hash, read_chain
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import ZERO, ZERO_RHO, Delta, Epsilon, Rho
from tests.release.ledgers import (
    DELTA,
    KEPT,
    ONE,
    RHO,
    TENTH,
    charge,
    pay,
    refusal,
    run_sql,
    two_measures,
    without_rules,
)


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return two_measures(Home.at(dpdesk_home))


def next_entry(ledger: Ledger, **changes: object) -> Entry:
    with closing(sqlite3.connect(ledger.home.ledger)) as connection:
        last = read_chain(connection)[-1]
    digest = hashlib.sha256(b"{}").hexdigest()
    nothing = (ZERO_RHO, ZERO_RHO)
    entry = Entry(last.sequence + 1, last.time, "release", "trial", *nothing, digest, last.hash)
    return replace(entry, **changes).sealed()


def insert(ledger: Ledger, entry: Entry, *, unchecked: bool = False) -> None:
    fields = (entry.sequence, entry.time, entry.kind, entry.account, *entry.amounts)
    seals = (entry.payload_sha256, entry.previous, entry.hash, "{}")
    with closing(sqlite3.connect(ledger.home.ledger, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA ignore_check_constraints = {int(unchecked)}")
        marks = ", ".join("?" * 14)
        connection.execute(f"INSERT INTO entry VALUES ({marks})", (*fields, *seals))


def more_kept(atto: int) -> dict[str, object]:
    """What a raise for found categories grants."""
    return dict.fromkeys(("delta_granted", "delta_kept"), Delta(atto))


EPSILONS = {"granted": ZERO, "charged": ZERO}


@pytest.mark.parametrize(
    "changes",
    [
        {**EPSILONS},
        {"account": "pure"},
        {"kind": "decision", "delta_charged": Delta(1)},
        {"kind": "release", "delta_granted": Delta(2)},
        {"kind": "release", "delta_granted": Delta(2), "delta_kept": Delta(2)},
        {"kind": "decision", "delta_granted": Delta(2), "delta_kept": Delta(2)},
        {"kind": "raise", "granted": RHO, "delta_granted": Delta(2)},
        {"kind": "raise", "granted": RHO, "delta_granted": Delta(2), "delta_kept": Delta(1)},
        {"kind": "raise", "granted": RHO, "delta_granted": Delta(1), "delta_kept": Delta(2)},
        {"kind": "raise"},
        {"kind": "reconcile", "delta_granted": Delta(1), "delta_kept": Delta(2)},
        {"kind": "raise"}
        | dict.fromkeys(("delta_granted", "delta_kept"), Delta(10**12 - 10**9 + 1)),
        {"kind": "open-account", "account": "new", "granted": RHO},
        {"kind": "open-account", "account": "new", "granted": RHO} | more_kept(2),
        {"kind": "open-account", "account": "new", "granted": RHO}
        | {"delta_granted": Delta(10**12 + 1)},
        {"kind": "open-account", "account": "new", **EPSILONS, "granted": ONE}
        | {"delta_granted": Delta(2)},
        {"kind": "reconcile", "account": "pure", **EPSILONS, "delta_granted": Delta(2)},
        {"delta_charged": Delta(KEPT.atto + 1)},
        {"charged": Rho(RHO.nano + 1)},
    ],
)
def test_sqlite_itself_refuses_what_mixes_or_overspends(
    ledger: Ledger, changes: dict[str, object]
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        insert(ledger, next_entry(ledger, **changes))
    assert ledger.head()[0] == 2


def test_sqlite_accepts_what_is_right(ledger: Ledger) -> None:
    insert(ledger, next_entry(ledger, kind="raise", **more_kept(10**12 - 10**9)))
    insert(ledger, next_entry(ledger, charged=RHO, delta_charged=KEPT))
    assert ledger.account("trial").left == ZERO_RHO


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE entry SET delta_charged = 1 WHERE sequence = 3", "hash"),
        ("UPDATE entry SET delta_granted = 2000000000 WHERE sequence = 2", "hash"),
        ("UPDATE entry SET delta_kept = 400000000 WHERE sequence = 2", "hash"),
        ("UPDATE entry SET delta_kept = 0 WHERE sequence = 2", "hash"),
        (
            "UPDATE entry SET measure = 'epsilon', delta_granted = 0, delta_kept = 0 "
            "WHERE sequence = 2",
            "hash",
        ),
        ("UPDATE entry SET measure = 'rho' WHERE sequence = 4", "hash"),
    ],
)
def test_a_changed_measure_or_delta_is_found(ledger: Ledger, statement: str, what: str) -> None:
    pay(ledger, "trial", Rho(5), Delta(7))
    charge(ledger, "pure", TENTH)
    without_rules(ledger.home.ledger, statement)
    assert [p.params["what"] for p in ledger.check().problems] == [what]
    assert refusal(ledger.accounts).params["what"] == what


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({**EPSILONS, "charged": TENTH}, "measure"),
        ({"delta_charged": DELTA}, "amount"),
        ({"delta_charged": Delta(KEPT.atto + 1)}, "amount"),
        ({"charged": Rho(RHO.nano + 1)}, "amount"),
        ({"kind": "raise", "granted": RHO, "delta_granted": Delta(2)}, "amount"),
        (
            {"kind": "raise", "granted": RHO, "delta_granted": Delta(2), "delta_kept": Delta(1)},
            "amount",
        ),
        ({"kind": "raise", "granted": RHO, "delta_kept": Delta(1)}, "amount"),
        ({"kind": "decision", "account": "pure", **EPSILONS, "delta_charged": Delta(1)}, "amount"),
        ({"kind": "reconcile", "account": "new", "granted": RHO}, "amount"),
        ({"kind": "reconcile", "delta_granted": Delta(1), "delta_kept": Delta(2)}, "amount"),
    ],
)
def test_a_chain_that_is_sealed_well_but_adds_up_wrongly_is_found(
    ledger: Ledger, changes: dict[str, object], what: str
) -> None:
    """Whoever takes the rules off can write any row; the chain is added up all the same."""
    entry = next_entry(ledger, **changes)
    path = ledger.home.ledger
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
    run_sql(path, *(f"DROP TRIGGER {name}" for name, _sql in triggers))
    insert(ledger, entry, unchecked=True)
    run_sql(path, *(sql for _name, sql in triggers))
    assert [p.params["what"] for p in ledger.check().problems] == [what]
    assert refusal(lambda: pay(ledger, "trial", Rho(1))).code == "ledger-damaged"


def test_a_raise_that_is_entered_twice_is_found(ledger: Ledger) -> None:
    """Its hash and its amounts are right, and it follows: it begins where the account was not."""
    ledger.raise_budget("trial", None, "new drugs", Delta(KEPT.atto + 5))
    with closing(sqlite3.connect(ledger.home.ledger, isolation_level=None)) as connection:
        last = read_chain(connection)[-1]
        again = replace(last, sequence=last.sequence + 1, previous=last.hash).sealed()
        fields = (again.sequence, again.time, again.kind, again.account, *again.amounts)
        text = ledger.payload(last.sequence)
        row = (*fields, again.payload_sha256, again.previous, again.hash, text)
        connection.execute(f"INSERT INTO entry VALUES ({', '.join('?' * 14)})", row)
    (problem,) = ledger.check().problems
    assert (problem.params["what"], problem.params["sequence"]) == ("payload", "4")


BASE = Entry(3, "2026-11-21T14:32Z", "release", "a", ZERO, Epsilon(5), "d", "e")


def with_lengths(domain: bytes, *fields: str) -> str:
    """Written anew, as the documentation says."""
    raw = [field.encode() for field in fields]
    return hashlib.sha256(domain + b"".join(len(r).to_bytes(8, "big") + r for r in raw)).hexdigest()


def test_pure_entries_are_hashed_as_ever_and_others_with_all_they_have() -> None:
    fields = ("3", "2026-11-21T14:32Z", "release", "a", "0", "5", "d", "e")
    assert entry_hash(BASE) == with_lengths(b"dpdesk-ledger-entry-1", *fields)
    other = replace(BASE, granted=ZERO_RHO, charged=Rho(5), delta_charged=Delta(7))
    assert entry_hash(other) == with_lengths(
        b"dpdesk-ledger-entry-2", *fields, "rho", "0", "0", "7"
    )


AMOUNTS = st.tuples(
    st.sampled_from([Epsilon, Rho]), *(st.sampled_from([0, 1, 11, 111]) for _ in range(5))
)


@given(AMOUNTS, AMOUNTS)
def test_entries_that_differ_have_different_hashes(
    one: tuple[type, *tuple[int, ...]], other: tuple[type, *tuple[int, ...]]
) -> None:
    first, second = (
        replace(
            BASE,
            granted=measure(granted),
            charged=measure(charged),
            delta_granted=Delta(delta_granted),
            delta_kept=Delta(delta_kept),
            delta_charged=Delta(delta_charged),
        )
        for measure, granted, charged, delta_granted, delta_kept, delta_charged in (one, other)
    )
    assert (entry_hash(first) == entry_hash(second)) == (one == other)
