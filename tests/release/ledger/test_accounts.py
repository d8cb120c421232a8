# SPDX-License-Identifier: Apache-2.0
"""Accounts are what their entries say."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.release.ledgers import ONE, charge


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return Ledger.open(Home.at(dpdesk_home))


def code(raised: pytest.ExceptionInfo[Refused]) -> tuple[str, dict[str, str]]:
    (problem,) = raised.value.problems
    return problem.code, dict(problem.params)


def test_a_new_ledger_is_empty(ledger: Ledger) -> None:
    assert ledger.accounts() == ()
    assert ledger.head() == (0, "0" * 64)
    assert ledger.notices == ()


def test_an_account_is_opened_with_its_total(ledger: Ledger) -> None:
    state = ledger.new_account("registry", ONE, " for the registry ")
    assert (state.total, state.spent, state.left) == (ONE, Epsilon(0), ONE)
    assert (state.name, state.note, state.locked) == ("registry", "for the registry", False)
    assert [e.kind for e in state.entries] == ["open-account"]


@pytest.mark.threat("E2")
def test_spending_is_kept_across_programs(ledger: Ledger, dpdesk_home: Path) -> None:
    ledger.new_account("registry", ONE)
    charge(ledger, "registry", Epsilon.of("0.3"))
    for _ in range(10):
        again = Ledger.open(Home.at(dpdesk_home)).account("registry")
        assert (again.spent, again.left) == (Epsilon.of("0.3"), Epsilon.of("0.7"))


def test_accounts_do_not_pay_for_each_other(ledger: Ledger) -> None:
    ledger.new_account("one", ONE)
    ledger.new_account("two", ONE)
    charge(ledger, "one", ONE)
    assert [(a.name, a.left) for a in ledger.accounts()] == [("one", Epsilon(0)), ("two", ONE)]


@pytest.mark.threat("E5")
def test_a_raise_is_an_entry_and_refunds_nothing(ledger: Ledger) -> None:
    ledger.new_account("registry", ONE)
    charge(ledger, "registry", ONE)
    state = ledger.raise_budget("registry", Epsilon.of("1.5"), "second year")
    assert (state.total, state.spent) == (Epsilon.of("1.5"), ONE)
    assert [e.kind for e in state.entries] == ["open-account", "release", "raise"]
    assert ledger.history("registry")[-1].reason == "second year"


@pytest.mark.threat("E5")
@pytest.mark.parametrize("total", ["1", "0.5"])
def test_a_budget_only_goes_up(ledger: Ledger, total: str) -> None:
    ledger.new_account("registry", ONE)
    with pytest.raises(Refused) as refused:
        ledger.raise_budget("registry", Epsilon.of(total), "why not")
    assert code(refused) == ("raise-not-upwards", {"name": "registry", "total": "1"})


def test_a_raise_needs_a_reason(ledger: Ledger) -> None:
    ledger.new_account("registry", ONE)
    with pytest.raises(Refused) as refused:
        ledger.raise_budget("registry", Epsilon.of("2"), "  ")
    assert code(refused)[0] == "reason-missing"


def test_an_account_is_opened_once(ledger: Ledger) -> None:
    ledger.new_account("registry", ONE)
    with pytest.raises(Refused) as refused:
        ledger.new_account("registry", ONE)
    assert code(refused) == ("account-exists", {"name": "registry"})
    assert ledger.head()[0] == 1


@pytest.mark.parametrize("name", ["", "Registry", "a b", "-a", "a-", "x" * 41, "\u00e4", "a\n"])
def test_a_name_is_a_file_name_and_a_shell_word(ledger: Ledger, name: str) -> None:
    with pytest.raises(Refused) as refused:
        ledger.new_account(name, ONE)
    assert code(refused)[0] == "name-malformed"


@pytest.mark.parametrize(
    ("total", "wrong"),
    [(Epsilon(0), "epsilon-not-positive"), (Epsilon.of(101), "epsilon-too-large")],
)
def test_a_total_is_positive_and_not_absurd(ledger: Ledger, total: Epsilon, wrong: str) -> None:
    with pytest.raises(Refused) as refused:
        ledger.new_account("registry", total)
    assert code(refused)[0] == wrong


@pytest.mark.parametrize(
    ("note", "wrong"), [("x" * 301, "text-too-long"), ("a\u202eb", "text-invisible")]
)
def test_notes_are_plain_text(ledger: Ledger, note: str, wrong: str) -> None:
    with pytest.raises(Refused) as refused:
        ledger.new_account("registry", ONE, note)
    assert code(refused)[0] == wrong


def test_an_unknown_account_is_named(ledger: Ledger) -> None:
    for call in (
        lambda: ledger.account("nobody"),
        lambda: ledger.raise_budget("nobody", ONE, "reason"),
    ):
        with pytest.raises(Refused) as refused:
            call()
        assert code(refused) == ("account-unknown", {"name": "nobody"})


@pytest.mark.threat("E8")
def test_the_clock_grants_and_takes_nothing(dpdesk_home: Path) -> None:
    home = Home.at(dpdesk_home)
    Ledger.open(home).new_account("registry", ONE)
    for year in (2036, 2016, 9999, 1, 2026):
        ledger = Ledger.open(home, now=lambda year=year: datetime(year, 1, 1, tzinfo=UTC))
        charge(ledger, "registry", Epsilon.of("0.1"))
    ledger = Ledger.open(home)
    assert ledger.account("registry").left == Epsilon.of("0.5")
    report = ledger.check()
    assert report.sound
    assert [n.params["sequence"] for n in report.notices] == ["3", "5"]
    assert {n.code for n in report.notices} == {"ledger-clock-back"}


@pytest.mark.threat("E1")
@given(st.lists(st.integers(1, 400_000), min_size=1, max_size=8))
def test_spent_is_the_exact_sum_and_never_above_the_total(
    tmp_path_factory: pytest.TempPathFactory, amounts: list[int]
) -> None:
    ledger = Ledger.open(Home.at(tmp_path_factory.mktemp("home")))
    ledger.new_account("registry", ONE)
    paid = 0
    for micro in amounts:
        left = ledger.account("registry").left.micro
        if micro <= left:
            charge(ledger, "registry", Epsilon(micro))
            paid += micro
    state = ledger.account("registry")
    assert state.spent.micro == paid <= state.total.micro


def test_history_shows_what_happened(ledger: Ledger) -> None:
    ledger.new_account("one", ONE, "note")
    ledger.new_account("two", ONE)
    ledger.raise_budget("one", Epsilon.of("2"), "because")
    assert [(h.entry.kind, h.reason) for h in ledger.history("one")] == [
        ("open-account", "note"),
        ("raise", "because"),
    ]
    assert len(ledger.history()) == 3
    assert '"reason":"note"' in ledger.payload(1)
    with pytest.raises(Refused) as refused:
        ledger.payload(4)
    assert code(refused) == ("entry-unknown", {"sequence": "4"})
