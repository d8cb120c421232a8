# SPDX-License-Identifier: Apache-2.0
"""A forged second record: whatever stands in it, what was spent stays spent."""

import json
import os
import sqlite3
from contextlib import closing
from threading import Thread
from typing import Any

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.heads import read_heads
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Rho
from dpdesk.study.problem import Refused
from tests.release.ledgers import ONE, TENTH, charge, pay, two_measures
from tests.waiting import LIMIT_S

FORGED = [
    [["a" * 64, "new", "rho", 10, 5, 10, 0, 0], ["b" * 64, "new", "epsilon", 10, 5, 0, 0, 0]],
    [["a" * 64, "pure", "rho", 0, 5, 0, 0, 0]],
    [["a" * 64, "pure", "epsilon", 0, 5, 7, 7, 7]],
    [[f"{n:064x}", "pure", "epsilon", 10**13, 10**13, 0, 0, 0] for n in range(3)],
    [["a" * 64, "pure", "epsilon", 5, 5]],
    [["a" * 64, "new", "rho", 10, 5, 2, 2, 0]],
    [["a" * 64, "new", "rho", 10, 5, 2, 3, 0]],
    [["a" * 64, "pure", "bits", 0, 5, 0, 0, 0]],
]


@pytest.mark.parametrize(
    "rows",
    FORGED,
    ids=[
        "two measures",
        "other measure",
        "delta",
        "huge",
        "old",
        "none converts",
        "more kept",
        "unknown",
    ],
)
def test_what_no_ledger_could_have_held_is_no_memory_of_one(
    dpdesk_home: Any, rows: list[Any]
) -> None:
    home = Home.at(dpdesk_home)
    ledger = two_measures(home)
    charge(ledger, "pure", TENTH)
    pay(ledger, "trial", Rho.of("0.01"))
    path = home.heads_folder / "heads.json"
    members = json.loads(path.read_text())
    path.write_text(json.dumps({**members, "entries": members["entries"] + rows}))
    ledger = Ledger.open(home)
    try:
        ledger.reconcile("a copy was put back")
    except Refused as refused:
        assert refused.problems[0].code in ("ledger-not-rolled-back", "account-measure-differs")
    assert {problem.code for problem in ledger.check().problems} <= {"ledger-rolled-back"}
    assert (ledger.account("pure").spent, ledger.account("pure").total) == (TENTH, ONE)
    assert ledger.account("trial").spent == Rho.of("0.01")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_in_their_place_keeps_nobody_waiting(dpdesk_home: Any) -> None:
    home = Home.at(dpdesk_home)
    Ledger.open(home).new_account("pure", ONE)
    home.heads.unlink()
    os.mkfifo(home.heads)
    found: list[str] = []
    reader = Thread(target=lambda: found.append(read_heads(home.heads).state), daemon=True)
    reader.start()
    reader.join(LIMIT_S)
    assert found == ["damaged"]


def kinds(ledger: Ledger) -> list[str]:
    return [entry.kind for entry in ledger.account("pure").entries]


def test_one_transaction_behind_is_a_crash_and_is_caught_up(dpdesk_home: Any) -> None:
    """A program that ended between commit and writing is no older copy: no entry says so."""
    home = Home.at(dpdesk_home)
    ledger = two_measures(home)
    before = home.heads.read_bytes()
    charge(ledger, "pure", TENTH)
    home.heads.write_bytes(before)
    (home.heads_folder / f".{home.heads.name}.x.part").write_bytes(b"half")  # of its writing
    charge(ledger, "pure", TENTH)
    assert kinds(ledger) == ["open-account", "release", "release"] and ledger.notices == ()
    assert len(read_heads(home.heads).marks) == ledger.head()[0]
    assert [path.name for path in home.heads_folder.iterdir()] == [home.heads.name]


def test_a_check_does_not_write_over_a_record_that_was_put_back(dpdesk_home: Any) -> None:
    """What it lacks is written once an entry says so, and not before."""
    home = Home.at(dpdesk_home)
    ledger = two_measures(home)
    before = home.heads.read_bytes()
    charge(ledger, "pure", TENTH)
    charge(ledger, "pure", TENTH)
    home.heads.write_bytes(before)
    assert ledger.check().sound and home.heads.read_bytes() == before
    ledger.look()
    assert kinds(ledger) == ["open-account", "release", "release", "reconcile"]
    assert len(read_heads(home.heads).marks) == ledger.head()[0]


def test_another_program_that_is_writing_is_no_trouble_of_the_second_record(
    dpdesk_home: Any,
) -> None:
    home = Home.at(dpdesk_home)
    two_measures(home)
    before = home.heads.read_bytes()
    ledger = Ledger(home, busy_seconds=0.1)
    charge(ledger, "pure", TENTH)
    home.heads.write_bytes(before)
    with closing(sqlite3.connect(home.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        report = ledger.check()
    assert report.sound and report.notices == () and home.heads.read_bytes() == before
