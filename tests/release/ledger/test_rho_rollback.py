# SPDX-License-Identifier: Apache-2.0
"""An older copy of a ledger with accounts in rho is noticed and made good in every measure."""

import shutil
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import MAX_DELTA_ATTO, NO_DELTA, ZERO_RHO, AccountDelta, Delta, Rho
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.release.ledgers import DELTA, ONE, RHO, TENTH, pay, refusal, two_measures


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return two_measures(Home.at(dpdesk_home))


def test_an_older_copy_is_made_good_in_every_measure(ledger: Ledger) -> None:
    old = ledger.home.ledger.read_bytes()
    pay(ledger, "trial", Rho.of("0.03"), Delta(4 * 10**8))
    pay(ledger, "pure", TENTH)
    ledger.new_account("later", Rho(9), delta=Delta(4), kept=Delta(2))
    pay(ledger, "later", Rho(2), Delta(1))
    ledger.home.ledger.write_bytes(old)
    assert refusal(lambda: pay(ledger, "trial", Rho(1))).code == "ledger-rolled-back"
    entries = ledger.reconcile("the backup of yesterday")
    assert [(e.account, e.amounts) for e in entries] == [
        ("trial", ("rho", 0, 30_000_000, 0, 0, 4 * 10**8)),
        ("pure", ("epsilon", 0, 100_000, 0, 0, 0)),
        ("later", ("rho", 9, 2, 4, 2, 1)),
    ]
    trial = ledger.account("trial")
    assert (trial.left, trial.delta_left) == (Rho.of("0.02"), Delta(10**8))
    assert ledger.check().sound


def test_spending_on_both_branches_lifts_rho_and_delta_to_what_was_spent(
    ledger: Ledger, tmp_path: Path
) -> None:
    """The copy spends everything elsewhere, unseen by this computer's second record."""
    other = Home.at(tmp_path / "other")
    other.make()
    shutil.copyfile(ledger.home.ledger, other.ledger)
    elsewhere = Ledger.open(other)
    pay(elsewhere, "trial", RHO, Delta(5 * 10**8))
    pay(ledger, "trial", Rho.of("0.04"), Delta(3 * 10**8))
    shutil.copyfile(other.ledger, ledger.home.ledger)
    (entry,) = ledger.reconcile("both were used")
    assert entry.amounts == ("rho", 40_000_000, 40_000_000, 3 * 10**8, 3 * 10**8, 3 * 10**8)
    assert '"lifted":"0.04"' in ledger.payload(entry.sequence)
    assert '"lifted_delta":"0.0000000003"' in ledger.payload(entry.sequence)
    trial = ledger.account("trial")
    assert (trial.left, trial.delta_left, trial.delta_spent) == (
        ZERO_RHO,
        NO_DELTA,
        Delta(8 * 10**8),
    )
    assert ledger.check().sound


@pytest.mark.threat("A14", "E6")
def test_delta_that_two_copies_raised_to_the_limit_holds_what_both_charged(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Nothing is forgiven: what was charged counts although the whole is above the largest."""
    ledger.new_account("most", RHO, delta=Delta(MAX_DELTA_ATTO - 10))
    other = Home.at(tmp_path / "other")
    other.make()
    shutil.copyfile(ledger.home.ledger, other.ledger)
    for one in (Ledger.open(other), ledger):
        one.raise_budget("most", None, "drugs", Delta(10))
        pay(one, "most", Rho(1), Delta(8))
    shutil.copyfile(other.ledger, ledger.home.ledger)
    ledger.reconcile("both were used")
    most = ledger.account("most")
    assert most.delta == AccountDelta(Delta(MAX_DELTA_ATTO + 6), Delta(16))
    assert (most.delta_spent, most.delta_left) == (Delta(16), NO_DELTA)
    problem = refusal(lambda: ledger.raise_budget("most", None, "more", Delta(17)))
    assert (problem.code, problem.params["most"]) == ("kept-raise-too-large", "1e-17")


def test_an_account_opened_again_in_another_measure_stays_locked(
    ledger: Ledger, tmp_path: Path
) -> None:
    other = Home.at(tmp_path / "other")
    other.make()
    shutil.copyfile(ledger.home.ledger, other.ledger)
    Ledger.open(other).new_account("later", ONE)
    ledger.new_account("later", RHO, delta=DELTA)
    shutil.copyfile(other.ledger, ledger.home.ledger)
    assert refusal(lambda: ledger.reconcile("why not")).code == "account-measure-differs"
    assert refusal(lambda: pay(ledger, "trial", Rho(1))).code == "ledger-rolled-back"


def test_every_flipped_byte_is_noticed_or_harmless(ledger: Ledger, tmp_path: Path) -> None:
    pay(ledger, "trial", Rho(5), Delta(7))
    raw = ledger.home.ledger.read_bytes()
    honest = [(a.left, a.delta_left) for a in ledger.accounts()]
    other = Home.at(tmp_path / "other")
    other.make()
    noticed = 0
    for position in range(50, len(raw), runs(503, 131)):
        broken = bytearray(raw)
        broken[position] ^= 0x15
        other.ledger.write_bytes(broken)
        shutil.copyfile(ledger.home.heads, other.heads)
        try:
            found = [(a.left, a.delta_left) for a in Ledger.open(other).accounts()]
        except Refused:
            noticed += 1
        else:
            assert found == honest
    assert noticed > runs(3, 10)
