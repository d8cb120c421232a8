# SPDX-License-Identifier: Apache-2.0
"""A ledger whose bytes were torn is refused, or holds what it held: it never grants anything."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.chain import read_chain
from dpdesk.release.ledger.transaction import Transaction
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.audit.length import some
from tests.faults.torn_pages import (
    PAGE,
    SECTORS,
    TEARS,
    assert_refused_or_whole,
    put,
)
from tests.release.ledgers import PAYLOAD, TENTH, charge, refusal, spent_ledger

FOUND = {"zeros-24064", "moved-page-5"}
"""Tears of an index, whose sums SQLite's rules go by; they ended in a fault."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A ledger's file and its second record."""
    home = Home.at(tmp_path_factory.mktemp("whole"))
    spent_ledger(home)
    return home.ledger.read_bytes(), home.heads.read_bytes()


CASES = sorted({*some(tuple(TEARS), 40), *FOUND})


@pytest.mark.threat("E12")
@pytest.mark.parametrize("name", CASES)
def test_a_torn_ledger_is_refused_or_whole(
    dpdesk_home: Path, whole: tuple[bytes, bytes], name: str
) -> None:
    raw, home = bytearray(whole[0]), Home.at(dpdesk_home)
    TEARS[name](raw)
    put(home, bytes(raw), whole[1])
    said = assert_refused_or_whole(home)
    report = Ledger(home).check()  # it never raises
    assert report.sound or report.problems
    if bytes(raw) == whole[0]:
        assert said == "whole" and report.sound


@pytest.mark.threat("E12")
@pytest.mark.parametrize("kept", some(SECTORS, 40))
def test_a_ledger_that_was_cut_off_is_refused_or_whole(
    dpdesk_home: Path, whole: tuple[bytes, bytes], kept: int
) -> None:
    home = Home.at(dpdesk_home)
    put(home, whole[0][:kept], whole[1])
    said = assert_refused_or_whole(home)
    assert said == "whole" or kept < len(whole[0])
    assert said != "whole" or kept >= len(whole[0]) - PAGE


@pytest.mark.threat("E8")
@pytest.mark.parametrize("year", [1, 1970, 2038, 9999])
def test_a_clock_that_is_years_off_spends_and_grants_nothing(dpdesk_home: Path, year: int) -> None:
    home = Home.at(dpdesk_home)
    spent_ledger(home)
    off = Ledger.open(home, now=lambda: datetime(year, 1, 1, tzinfo=UTC))
    charge(off, "one", TENTH)
    off.raise_budget("two", Epsilon.of("3"), "reason")
    charge(Ledger.open(home), "one", TENTH)
    ledger = Ledger.open(home)
    assert ledger.account("one").spent == Epsilon.of("0.4")
    assert ledger.account("two").left == Epsilon.of("2.9")
    report = ledger.check()
    assert report.sound
    assert [n.code for n in report.notices] == ["ledger-clock-back"]


@pytest.mark.threat("E6")
def test_an_old_journal_that_undoes_entries_locks_the_ledger(
    dpdesk_home: Path, tmp_path: Path
) -> None:
    """SQLite plays a journal back that it takes for a crash's, and the ledger is an older one."""
    home = Home.at(dpdesk_home)
    ledger = spent_ledger(home)
    journal = home.ledger.with_name("ledger.sqlite-journal")
    with closing(sqlite3.connect(home.ledger, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size=1")  # so that pages are spilled, and journaled
        connection.execute("BEGIN IMMEDIATE")
        transaction = Transaction(connection, read_chain(connection), "2026-01-01T00:00Z")
        for _ in range(40):
            transaction.append("one", PAYLOAD)
        shutil.copy(journal, tmp_path / "hot")
        connection.execute("ROLLBACK")
    for _ in range(3):  # a fourth would lie on a page that the journal does not hold
        charge(ledger, "one", TENTH)
    shutil.copy(tmp_path / "hot", journal)
    assert refusal(lambda: charge(Ledger.open(home), "one", TENTH)).code == "ledger-rolled-back"
    ledger.reconcile("an old journal")
    assert ledger.account("one").spent == Epsilon.of("0.5")
