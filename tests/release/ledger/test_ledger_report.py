# SPDX-License-Identifier: Apache-2.0
"""Whoever changes a ledger behind the program's back is noticed."""

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger, history
from dpdesk.release.ledger.chain import read_chain
from dpdesk.release.ledger.storage.schema import STATEMENTS
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.release.ledgers import (
    TENTH,
    charge,
    refusal,
    run_sql,
    spent_ledger,
    without_rules,
)


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return spent_ledger(Home.at(dpdesk_home))


def test_a_sound_ledger_is_sound(ledger: Ledger) -> None:
    report = ledger.check()
    assert report.sound and report.notices == ()
    assert (report.entries, report.head) == ledger.head()
    assert [str(a.left) for a in report.accounts] == ["1.8", "0.9"]


def whats(ledger: Ledger) -> list[str]:
    report = ledger.check()
    assert not report.sound
    assert {p.code for p in report.problems} == {"ledger-damaged"}
    return [p.params["what"] for p in report.problems]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE entry SET charged = 1 WHERE sequence = 3", "hash"),
        ("UPDATE entry SET granted = 5000000 WHERE sequence = 1", "hash"),
        ("UPDATE entry SET account = 'two' WHERE sequence = 3", "hash"),
        ("UPDATE entry SET time = '2020-01-01T00:00Z' WHERE sequence = 2", "hash"),
        ("UPDATE entry SET payload = '{\"noisy\":{}}' WHERE sequence = 3", "payload"),
        ("DELETE FROM entry WHERE sequence = 3", "order"),
        ("DELETE FROM entry WHERE sequence = 1", "order"),
        ("DELETE FROM secret", "secret"),
        ("INSERT INTO answer VALUES (zeroblob(32), 77, 'stays')", "answer"),
    ],
)
def test_a_changed_row_is_found(ledger: Ledger, statement: str, what: str) -> None:
    without_rules(ledger.home.ledger, statement)
    assert whats(ledger) == [what]


def test_an_entry_is_parsed_once_and_checked_each_time(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is told of an entry is kept; that it was altered since is found all the same."""
    ledger.read_ahead(lambda: None)
    monkeypatch.setattr(history, "parse_payload", lambda *_: pytest.fail("parsed twice"))
    told = ledger.history()
    assert all(not one.damage for one in told) and len(told) == ledger.head()[0]
    without_rules(
        ledger.home.ledger, "UPDATE entry SET payload = '{\"noisy\":{}}' WHERE sequence = 3"
    )
    damage = [[p.params["what"] for p in one.damage] for one in ledger.history()]
    assert damage == [["payload"] if one.entry.sequence == 3 else [] for one in told]
    stopped: list[int] = []
    with pytest.raises(ZeroDivisionError):
        ledger.read_ahead(lambda: stopped.append(1 // (1 - len(stopped))))
    assert len(stopped) == 1


def test_what_was_written_is_told_without_being_parsed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.history()
    charge(ledger, "one", TENTH)
    with monkeypatch.context() as patch:
        patch.setattr(history, "parse_payload", lambda *_: pytest.fail("parsed"))
        told = ledger.history()
    history._parsed.clear()
    assert told == ledger.history(), "as it is told where it is parsed"


def test_a_changed_amount_stops_spending_at_once(ledger: Ledger) -> None:
    without_rules(ledger.home.ledger, "UPDATE entry SET charged = 1 WHERE sequence = 3")
    assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-damaged"
    assert refusal(lambda: Ledger.open(ledger.home)).code == "ledger-damaged"
    assert refusal(ledger.accounts).code == "ledger-damaged"


def test_a_rewritten_chain_meets_the_remembered_one(ledger: Ledger) -> None:
    """Somebody lowers a charge and seals every later entry anew, all by the rules."""
    with closing(sqlite3.connect(ledger.home.ledger, isolation_level=None)) as connection:
        entries = read_chain(connection)
    forged, previous = [], entries[1].hash
    for entry in entries[2:]:
        lower = replace(entry, charged=replace(entry.charged, units=0))
        forged.append(replace(lower if entry.sequence == 3 else entry, previous=previous).sealed())
        previous = forged[-1].hash
    without_rules(
        ledger.home.ledger,
        "UPDATE entry SET charged = 0 WHERE sequence = 3",
        *(
            f"UPDATE entry SET previous = '{e.previous}', hash = '{e.hash}'"
            f" WHERE sequence = {e.sequence}"
            for e in forged
        ),
    )
    problem = refusal(lambda: charge(ledger, "one", TENTH))
    assert (problem.code, problem.params["accounts"]) == ("ledger-rolled-back", "one, two")
    assert [p.code for p in ledger.check().problems] == ["ledger-rolled-back"]


@pytest.mark.parametrize("name", ["entry_pays", "entry_no_update", "secret_no_delete"])
def test_a_missing_rule_is_found(ledger: Ledger, name: str) -> None:
    run_sql(ledger.home.ledger, f"DROP TRIGGER {name}")
    assert whats(ledger) == ["schema"]
    assert refusal(lambda: charge(ledger, "one", TENTH)).params["what"] == "schema"


def test_a_weakened_rule_is_found(ledger: Ledger) -> None:
    weak = "CREATE TRIGGER entry_pays BEFORE INSERT ON entry WHEN 0 BEGIN SELECT 1; END"
    run_sql(ledger.home.ledger, "DROP TRIGGER entry_pays", weak)
    assert whats(ledger) == ["schema"]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON entry BEGIN SELECT 1; END",
        "PRAGMA application_id=0",
        "PRAGMA user_version=0",
    ],
)
def test_an_addition_to_the_schema_is_found(ledger: Ledger, statement: str) -> None:
    run_sql(ledger.home.ledger, statement)
    assert whats(ledger) == ["schema"]


def test_the_schema_is_stored_to_the_letter(ledger: Ledger) -> None:
    with closing(sqlite3.connect(ledger.home.ledger)) as connection:
        stored = {row[0] for row in connection.execute("SELECT sql FROM sqlite_schema")}
    assert stored - {None} == set(STATEMENTS)


def test_every_flipped_byte_is_noticed_or_harmless(ledger: Ledger, tmp_path: Path) -> None:
    """No flipped byte changes what an account has left without being noticed."""
    raw = ledger.home.ledger.read_bytes()
    honest = [str(a.left) for a in ledger.accounts()]
    other = Home.at(tmp_path / "other")
    other.make()
    noticed = 0
    for position in range(0, len(raw), runs(251, 97)):
        broken = bytearray(raw)
        broken[position] ^= 0x15
        other.ledger.write_bytes(broken)
        shutil.copy(ledger.home.heads, other.heads)
        report = Ledger(other).check()
        noticed += not report.sound
        assert not report.sound or [str(a.left) for a in report.accounts] == honest
        with suppress(Refused):
            assert [str(a.left) for a in Ledger.open(other).accounts()] == honest
    assert noticed > 20


def test_history_cannot_be_told_wrong(ledger: Ledger) -> None:
    false = json.dumps({"note": "other"})
    without_rules(ledger.home.ledger, f"UPDATE entry SET payload = '{false}' WHERE sequence = 1")
    told = ledger.history()[0]
    assert [p.params for p in told.damage] == [{"what": "payload", "sequence": "1"}]
    assert told.reason == ""
    assert refusal(lambda: ledger.payload(1)).code == "ledger-damaged"
    assert refusal(ledger.accounts).code == "ledger-damaged"


@pytest.mark.parametrize(
    ("statement", "damaged"),
    [
        ("UPDATE entry SET charged = 1 WHERE sequence = 3", [3]),
        ("UPDATE entry SET payload = '{}' WHERE sequence = 3", [3]),
        ("UPDATE entry SET measure = 'grams' WHERE sequence = 3", [4]),
        ("DELETE FROM entry WHERE sequence = 3", [4]),
        ("UPDATE entry SET kind = 'raise' WHERE sequence = 2", [2]),
    ],
)
def test_one_damaged_entry_hides_no_other(
    ledger: Ledger, statement: str, damaged: list[int]
) -> None:
    """What cannot even be read leaves a gap, and the entry after it does not follow."""
    sound = {h.entry.sequence: h for h in ledger.history()}
    without_rules(ledger.home.ledger, "PRAGMA ignore_check_constraints = ON", statement)
    shown = {h.entry.sequence: h for h in ledger.history()}
    assert [n for n, h in shown.items() if h.damage] == damaged
    assert len(sound) - len(shown) in (0, 1)
    assert all(sound[n] == h for n, h in shown.items() if n not in damaged)
