# SPDX-License-Identifier: Apache-2.0
"""The steps of a budget are those of the ledger's entries, and end where the account stands."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions import series as series_module
from dpdesk.release.ledger.decisions.series import InstalmentPrice, Schedule
from dpdesk.release.ledger.payloads import RestoredLedger
from dpdesk.release.ledger.spending.budget_steps import budget_steps
from dpdesk.release.ledger.spending.instalments import end_series
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import NO_DELTA, Epsilon
from tests.release.ledgers import (
    DELTA,
    ONE,
    PAYLOAD,
    RHO,
    TENTH,
    charge,
    pay,
    without_rules,
)

THREE = Schedule("wards", "month", "2026-11", 3)
PRICE = InstalmentPrice(Epsilon.of("0.2"), NO_DELTA, "0" * 64)
START = datetime(2026, 11, 21, 14, 32, tzinfo=UTC)


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    """A ledger whose clock goes on by a day at each look."""
    days = iter(range(1000))
    ledger = Ledger.open(Home.at(dpdesk_home), now=lambda: START + timedelta(days=next(days)))
    ledger.new_account("registry", ONE)
    return ledger


def amounts(ledger: Ledger, account: str = "registry") -> list[tuple[str, str, str]]:
    """Spent, reserved, total of each step; the last is what the account itself says."""
    steps = budget_steps(ledger.history(), account)
    state = ledger.account(account)
    last = steps[-1]
    assert (last.spent, last.reserved, last.total) == (state.spent, state.reserved, state.total)
    return [(str(s.spent), str(s.reserved), str(s.total)) for s in steps]


def begin(ledger: Ledger) -> None:
    with ledger.transaction() as transaction:
        series_module.begin(transaction, "registry", THREE, PRICE)


def draw(ledger: Ledger) -> None:
    with ledger.transaction() as transaction:
        found = series_module.running(transaction, "registry", "wards")
        series_module.draw(transaction, found)
        transaction.append("registry", PAYLOAD, charged=PRICE.share)


def test_releases_and_raises_step_where_they_were_entered(ledger: Ledger) -> None:
    charge(ledger, "registry", TENTH)
    ledger.new_account("other", ONE)
    charge(ledger, "other", ONE)
    ledger.raise_budget("registry", Epsilon.of("2"), "more people")
    charge(ledger, "registry", ONE)
    expected = [("0", "0", "1"), ("0.1", "0", "1"), ("0.1", "0", "2"), ("1.1", "0", "2")]
    assert amounts(ledger) == expected
    assert amounts(ledger, "other") == [("0", "0", "1"), ("1", "0", "1")]
    steps = budget_steps(ledger.history(), "registry")
    assert [step.sequence for step in steps] == [1, 2, 5, 6]
    times = {entry.entry.sequence: entry.entry.time for entry in ledger.history()}
    assert [step.time for step in steps] == [times[step.sequence] for step in steps]
    assert steps[0].time < steps[1].time < steps[3].time


def test_a_series_reserves_once_and_an_instalment_is_one_step(ledger: Ledger) -> None:
    begin(ledger)
    draw(ledger)
    draw(ledger)
    assert amounts(ledger) == [
        ("0", "0", "1"),
        ("0", "0.6", "1"),
        ("0.2", "0.4", "1"),
        ("0.4", "0.2", "1"),
    ]
    end_series(ledger, "registry", "wards", "over")
    assert amounts(ledger)[-1] == ("0.4", "0", "1")


def test_a_lock_and_its_opening_change_no_amount(ledger: Ledger) -> None:
    charge(ledger, "registry", TENTH)
    before = amounts(ledger)
    with ledger.repairing() as (transaction, _heads):
        transaction.append("registry", RestoredLedger(2, "0" * 64))
    assert ledger.account("registry").locked and amounts(ledger) == before
    ledger.unlock("registry", "seen")
    assert amounts(ledger) == before


def test_what_an_older_copy_lost_is_charged_where_it_is_reconciled(
    ledger: Ledger, tmp_path: Path
) -> None:
    begin(ledger)
    shutil.copy(ledger.home.ledger, tmp_path / "old")
    end_series(ledger, "registry", "wards", "over")
    charge(ledger, "registry", Epsilon.of("0.9"))
    shutil.copy(tmp_path / "old", ledger.home.ledger)
    old = Ledger.open(ledger.home)
    old.reconcile("the disk died")
    assert amounts(old)[-1] == ("0.9", "0", "1")


def test_rho_is_counted_in_rho(ledger: Ledger) -> None:
    ledger.new_account("trial", RHO, "the board", DELTA)
    pay(ledger, "trial", RHO)
    assert amounts(ledger, "trial") == [("0", "0", "0.05"), ("0.05", "0", "0.05")]


def test_an_unknown_account_has_no_steps(ledger: Ledger) -> None:
    assert budget_steps(ledger.history(), "unknown") == ()
    assert budget_steps((), "registry") == ()


def test_no_step_is_shown_of_a_damaged_ledger(ledger: Ledger) -> None:
    charge(ledger, "registry", TENTH)
    assert len(amounts(ledger)) == 2
    without_rules(ledger.home.ledger, "UPDATE entry SET charged = 1 WHERE sequence = 2")
    assert budget_steps(ledger.history(), "registry") == ()
