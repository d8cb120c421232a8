# SPDX-License-Identifier: Apache-2.0
"""What is spent and what is reserved are together within the budget, whatever happens."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy import compiler
from dpdesk.release.ledger import Ledger, Transaction
from dpdesk.release.ledger.decisions import series as series_module
from dpdesk.release.ledger.decisions.decided import (
    BegunSeries,
    DrawnInstalment,
    EndedSeries,
    Rhythm,
)
from dpdesk.release.ledger.decisions.series import InstalmentPrice, Schedule
from dpdesk.release.ledger.spending.instalments import begin_series, end_series, price_of
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import NO_DELTA, Delta, Epsilon, Rho
from dpdesk.study.model.unit import DataSource, Unit
from tests.doors import ConstantDoor
from tests.release.ledgers import DELTA, KEPT, ONE, PAYLOAD, RHO, TENTH, charge, pay, refusal
from tests.release.studies import STUDY, release, write_data

THREE = Schedule("wards", "month", "2026-11", 3)
PRICE = InstalmentPrice(Epsilon.of("0.2"), NO_DELTA, "0" * 64)


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    return ledger


def begun(ledger: Ledger, schedule: Schedule = THREE, price: InstalmentPrice = PRICE) -> None:
    with ledger.transaction() as transaction:
        series_module.begin(transaction, "registry", schedule, price)


def amounts(ledger: Ledger) -> tuple[str, str, str]:
    """Spent, reserved, left."""
    account = ledger.account("registry")
    return str(account.spent), str(account.reserved), str(account.left)


def test_an_instalment_charges_what_it_takes_from_its_reservation(
    ledger: Ledger, tmp_path: Path
) -> None:
    write_data(tmp_path)
    ledger.raise_budget("registry", Epsilon.of("1.3"), "a series")
    begin_series(ledger, STUDY, THREE)
    assert amounts(ledger) == ("0", "1.2", "0.1")
    door = ConstantDoor()
    for number in (1, 2, 3):
        done = release(STUDY, tmp_path, ledger, door, series="wards")
        spent = Epsilon(number * 400_000)
        assert done.stored.record.account.spent_after == spent, "paid in full though stored"
        assert amounts(ledger)[0] == str(spent) and amounts(ledger)[2] == "0.1"
    drawn = len(door.calls)
    assert refusal(lambda: release(STUDY, tmp_path, ledger, door, series="wards")).code == (
        "series-finished"
    )
    assert len(door.calls) == drawn and ledger.check().sound
    assert [s.due for s in ledger.series()] == [""]


def test_a_refused_instalment_uses_up_nothing(ledger: Ledger, tmp_path: Path) -> None:
    write_data(tmp_path)
    begin_series(ledger, STUDY, replace(THREE, count=2))
    before = ledger.head()
    nowhere = tmp_path / "nowhere"
    with pytest.raises(Exception, match=r".*"):
        release(STUDY, nowhere, ledger, ConstantDoor(), series="wards")
    other = replace(STUDY, queries=STUDY.queries[:2])
    refused = refusal(lambda: release(other, tmp_path, ledger, ConstantDoor(), series="wards"))
    assert refused.code == "series-plan-differs" and ledger.head() == before


def test_the_price_is_of_what_is_asked_and_not_of_where_it_stands() -> None:
    price = price_of(compiler.compile(STUDY))
    assert price.share == Epsilon.of("0.4")
    again = replace(STUDY, title="Another", queries=tuple(reversed(STUDY.queries)))
    assert price_of(compiler.compile(again)) == price
    twice = replace(STUDY, queries=(*STUDY.queries, replace(STUDY.queries[0], id="again")))
    assert price_of(compiler.compile(twice)) == price, "a question that is asked twice is paid once"
    data = STUDY.data or DataSource()
    later = replace(data, path="2027.csv", extract="2027", encoding="cp1252", label="2027")
    assert price_of(compiler.compile(replace(STUDY, data=later))) == price, "another year's file"
    fewer = replace(STUDY, unit=replace(STUDY.unit or Unit(), max_rows=2))
    assert price_of(compiler.compile(fewer)) != price
    dearer = replace(STUDY.queries[0], epsilon=Epsilon.of("0.2"))
    assert price_of(compiler.compile(replace(STUDY, queries=(dearer,)))) != price


def test_what_is_reserved_pays_for_nothing_else_even_past_the_first_check(ledger: Ledger) -> None:
    """The ledger itself refuses what a release forgot to check."""
    begun(ledger)
    before = ledger.head()
    assert refusal(lambda: charge(ledger, "registry", Epsilon.of("0.5"))).code == "ledger-damaged"
    assert ledger.head() == before
    charge(ledger, "registry", Epsilon.of("0.4"))
    assert amounts(ledger) == ("0.4", "0.6", "0") and ledger.check().sound


def test_a_series_is_ended_once_and_frees_what_was_not_drawn(ledger: Ledger) -> None:
    begun(ledger)
    with ledger.transaction() as transaction:
        found = series_module.running(transaction, "registry", "wards")
        series_module.draw(transaction, found)
        transaction.append("registry", PAYLOAD, charged=PRICE.share)
    assert amounts(ledger) == ("0.2", "0.4", "0.4")
    assert end_series(ledger, "registry", "wards", "over").reserved == Epsilon.of("0.4")
    assert amounts(ledger) == ("0.2", "0", "0.8")
    twice = refusal(lambda: end_series(ledger, "registry", "wards", "over"))
    assert twice.code == "series-finished"
    assert refusal(lambda: begun(ledger)).code == "series-exists"


@pytest.mark.parametrize(
    ("every", "first", "drawn", "due"),
    [
        ("month", "2026-11", 0, "2026-11"),
        ("month", "2026-11", 2, "2027-01"),
        ("quarter", "2026-12", 1, "2027-03"),
        ("year", "2026-12", 4, "2030-12"),
        ("month", "2026-11", 5, ""),
    ],
)
def test_an_instalment_is_due_in_its_month(every: Rhythm, first: str, drawn: int, due: str) -> None:
    said = BegunSeries("wards", every, first, 5, Epsilon.of("0.2"), NO_DELTA, "0" * 64)
    series = series_module.Series(2, "registry", said, drawn)
    assert series.due == due
    assert series.months_between == {"month": 1, "quarter": 3, "year": 12}[said.every]


@pytest.mark.parametrize(
    "odd", [{"every": "week"}, {"first": "2026-13"}, {"first": "2026-1"}, {"first": "2026-11-01"}]
)
def test_a_series_begins_in_a_month_that_there_is(ledger: Ledger, odd: dict[str, Any]) -> None:
    refused = refusal(lambda: begun(ledger, replace(THREE, **odd)))
    assert refused.code == "series-month-wrong" and amounts(ledger) == ("0", "0", "1")
    unknown = refusal(lambda: end_series(ledger, "registry", "wards", "over"))
    assert (unknown.code, unknown.params) == (
        "series-unknown",
        {"name": "wards", "account": "registry"},
    )


@pytest.mark.parametrize("count", [0, -1, -(10**9), 241, 10**30])
def test_no_series_has_an_impossible_number_of_instalments(ledger: Ledger, count: int) -> None:
    refused = refusal(lambda: begun(ledger, replace(THREE, count=count)))
    assert refused.code == "series-count-wrong" and amounts(ledger) == ("0", "0", "1")


def test_what_costs_nothing_or_too_much_reserves_nothing(ledger: Ledger) -> None:
    free = replace(PRICE, share=Epsilon(0))
    assert refusal(lambda: begun(ledger, price=free)).code == "series-costs-nothing"
    dear = replace(PRICE, share=Epsilon(333_334))
    problem = refusal(lambda: begun(ledger, price=dear))
    assert problem.params == {
        "name": "registry",
        "requested": "1.000002",
        "left": "1",
        "short": "0.000002",
    }
    begun(ledger, price=replace(PRICE, share=Epsilon(333_333)))
    assert amounts(ledger) == ("0", "0.999999", "0.000001")
    assert refusal(lambda: begun(ledger, replace(THREE, name="more"))).code == (
        "series-exceeds-budget"
    )


def test_delta_is_reserved_with_rho(ledger: Ledger) -> None:
    ledger.new_account("trial", RHO, "the board", DELTA, KEPT)
    price = InstalmentPrice(Rho.of("0.01"), Delta(10**8), "0" * 64)

    def begin(count: int) -> None:
        with ledger.transaction() as transaction:
            series_module.begin(transaction, "trial", replace(THREE, count=count), price)

    dear = replace(price, delta=Delta(2 * 10**8))
    with ledger.transaction() as transaction:
        problem = refusal(lambda: series_module.begin(transaction, "trial", THREE, dear))
    assert (problem.code, problem.params["left"]) == ("delta-exceeded", "5e-10")
    begin(4)
    account = ledger.account("trial")
    assert (account.reserved, account.left) == (Rho.of("0.04"), Rho.of("0.01"))
    assert account.delta_left == Delta(10**8)
    code = refusal(lambda: pay(ledger, "trial", Rho.of("0.001"), Delta(2 * 10**8))).code
    assert code == "ledger-damaged"
    pay(ledger, "trial", Rho.of("0.001"), Delta(10**8))
    assert ledger.check().sound


@pytest.mark.threat("E6")
def test_what_a_rolled_back_ledger_lost_comes_before_what_is_reserved(
    ledger: Ledger, tmp_path: Path
) -> None:
    begun(ledger, replace(THREE, name="earlier"))
    end_series(ledger, "registry", "earlier", "done")
    begun(ledger)
    shutil.copy(ledger.home.ledger, tmp_path / "old")
    end_series(ledger, "registry", "wards", "over")
    charge(ledger, "registry", Epsilon.of("0.9"))
    shutil.copy(tmp_path / "old", ledger.home.ledger)
    old = Ledger.open(ledger.home)
    old.reconcile("the disk was copied back")
    assert amounts(old) == ("0.9", "0", "0.1") and old.check().sound
    assert old.account("registry").locks == ("rolled-back",)


def test_a_lost_series_that_still_fits_goes_on(ledger: Ledger, tmp_path: Path) -> None:
    begun(ledger)
    shutil.copy(ledger.home.ledger, tmp_path / "old")
    charge(ledger, "registry", TENTH)
    shutil.copy(tmp_path / "old", ledger.home.ledger)
    old = Ledger.open(ledger.home)
    old.reconcile("the disk was copied back")
    assert amounts(old) == ("0.1", "0.6", "0.3") and old.check().sound


@pytest.mark.parametrize(
    ("count", "forged"),
    [
        (1, DrawnInstalment(2, 1)),
        (1, DrawnInstalment(99, 1)),
        (1, DrawnInstalment(2, 2)),
        (2, DrawnInstalment(2, 1)),
        (3, DrawnInstalment(2, 3)),
        (1, EndedSeries(1, "x")),
        (1, BegunSeries("more", "month", "2026-12", 240, Epsilon.of("1"), NO_DELTA, "0" * 64)),
    ],
)
def test_entries_that_fit_no_series_are_not_entered(
    ledger: Ledger, count: int, forged: object
) -> None:
    begun(ledger, replace(THREE, count=count))
    with ledger.transaction() as transaction:
        series_module.draw(transaction, series_module.running(transaction, "registry", "wards"))
        transaction.append("registry", PAYLOAD, charged=PRICE.share)
    before = ledger.head()

    def enter() -> None:
        with ledger.transaction() as transaction:
            transaction.append("registry", forged)  # type: ignore[arg-type]

    assert refusal(enter).code == "ledger-damaged"
    assert ledger.head() == before and ledger.check().sound


@pytest.mark.parametrize(
    "enter",
    [
        lambda transaction: transaction.append("registry", PAYLOAD, charged=Epsilon.of("0.9")),
        lambda transaction: transaction.append("registry", DrawnInstalment(99, 1)),
    ],
    ids=["too little left", "of no series"],
)
def test_a_check_finds_what_nobody_checked_of_a_series(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, enter: Callable[[Transaction], object]
) -> None:
    begun(ledger)
    with monkeypatch.context() as patch:
        patch.setattr("dpdesk.release.ledger.book.overbooked", lambda *_arguments: iter(()))
        with ledger.transaction() as transaction:
            enter(transaction)
    (problem,) = ledger.check().problems
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "series")
