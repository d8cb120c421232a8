# SPDX-License-Identifier: Apache-2.0
"""Accounts in rho beside accounts in pure epsilon: each in its measure, none beyond its total."""

import random
import sqlite3
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.chain import Entry
from dpdesk.release.places.home import Home
from dpdesk.release.record.totals import Totals, plus, share_of, together
from dpdesk.study.model.amount import (
    MAX_DELTA_ATTO,
    NO_DELTA,
    WITHOUT_DELTA,
    ZERO,
    ZERO_RHO,
    AccountDelta,
    Delta,
    Epsilon,
    Rho,
    Share,
)
from tests.audit.length import runs
from tests.doors import ConstantDoor
from tests.release.ledgers import DELTA, KEPT, ONE, PAYLOAD, RHO, least, pay, refusal, two_measures
from tests.release.studies import one_query, release


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return two_measures(Home.at(dpdesk_home))


def test_an_account_has_a_measure_and_a_delta(ledger: Ledger) -> None:
    pure, trial = ledger.accounts()
    assert (pure.measure, pure.delta, pure.delta_left) == ("epsilon", WITHOUT_DELTA, NO_DELTA)
    assert (trial.measure, trial.total, trial.spent, trial.left) == ("rho", RHO, ZERO_RHO, RHO)
    assert (trial.delta, trial.delta_spent) == (AccountDelta(DELTA, KEPT), NO_DELTA)
    assert trial.delta_left == KEPT


@pytest.mark.threat("A15")
@pytest.mark.parametrize(
    ("total", "delta", "kept", "code"),
    [
        (ONE, DELTA, NO_DELTA, "delta-without-rho"),
        (ONE, NO_DELTA, Delta(1), "delta-without-rho"),
        (RHO, NO_DELTA, NO_DELTA, "delta-not-positive"),
        (RHO, Delta(1), Delta(1), "kept-too-large"),
        (RHO, DELTA, DELTA, "kept-too-large"),
        (RHO, DELTA, Delta(DELTA.atto + 1), "kept-too-large"),
        (RHO, Delta(MAX_DELTA_ATTO + 1), NO_DELTA, "delta-too-large"),
        (ZERO_RHO, DELTA, NO_DELTA, "epsilon-not-positive"),
        (Rho.of("100.000000001"), DELTA, NO_DELTA, "epsilon-too-large"),
        (ZERO, NO_DELTA, NO_DELTA, "epsilon-not-positive"),
    ],
)
def test_bad_totals_and_deltas_are_refused(
    ledger: Ledger, total: Share, delta: Delta, kept: Delta, code: str
) -> None:
    assert refusal(lambda: ledger.new_account("other", total, "", delta, kept)).code == code
    assert len(ledger.accounts()) == 2


def test_the_smallest_and_the_largest_account_open(ledger: Ledger) -> None:
    assert ledger.new_account("least", Rho(1), delta=Delta(1)).delta_left == NO_DELTA
    assert ledger.new_account("two", Rho(1), "", Delta(2), Delta(1)).delta_left == Delta(1)
    most = ledger.new_account("most", Rho.of(100), delta=Delta(MAX_DELTA_ATTO))
    assert most.left == Rho.of(100)


def test_a_raise_keeps_measure_and_delta(ledger: Ledger) -> None:
    pay(ledger, "trial", RHO, Delta(7))
    state = ledger.raise_budget("trial", Rho.of("0.06"), "a second year")
    assert (state.left, state.delta.whole, state.delta_spent) == (Rho.of("0.01"), DELTA, Delta(7))
    problem = refusal(lambda: ledger.raise_budget("trial", Rho.of("0.06"), "again"))
    assert problem.code == "raise-not-upwards"


def test_what_is_kept_for_found_categories_grows_and_never_falls(ledger: Ledger) -> None:
    more = Delta(KEPT.atto + 5)
    state = ledger.raise_budget("trial", None, "a second year", more)
    assert (state.total, state.delta_left) == (RHO, more)
    # What converts rho stays as it was: the whole delta grew by as much.
    assert state.delta == AccountDelta(Delta(DELTA.atto + 5), more)
    before = ledger.home.ledger.read_bytes()
    for account, kept, code in (
        ("pure", more, "delta-without-rho"),
        ("trial", more, "kept-not-upwards"),
        ("trial", NO_DELTA, "kept-not-upwards"),
        ("trial", Delta(MAX_DELTA_ATTO), "kept-raise-too-large"),
    ):
        problem = refusal(lambda a=account, k=kept: ledger.raise_budget(a, None, "more", k))  # type: ignore[misc]
        assert problem.code == code
    assert ledger.home.ledger.read_bytes() == before


@pytest.mark.parametrize(
    ("account", "amount", "measures"),
    [("pure", Rho(5), ("epsilon", "rho")), ("trial", Epsilon.of(2), ("rho", "epsilon"))],
)
def test_measures_are_never_mixed(
    ledger: Ledger, account: str, amount: Share, measures: tuple[str, str]
) -> None:
    before = ledger.home.ledger.read_bytes()
    nothing = type(amount)(0)
    for call in (
        lambda: pay(ledger, account, amount),
        lambda: pay(ledger, account, nothing),
        lambda: ledger.raise_budget(account, amount, "because"),
    ):
        problem = refusal(call)
        assert problem.code == "account-measure-differs"
        params = (problem.params["name"], problem.params["measure"], problem.params["other"])
        assert params == (account, *measures)
    assert ledger.home.ledger.read_bytes() == before


def test_a_study_in_epsilon_is_not_paid_in_rho(dpdesk_home: Path, tmp_path: Path) -> None:
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", Rho.of(1), delta=DELTA)
    door = ConstantDoor()
    problem = refusal(lambda: release(one_query(), tmp_path, ledger, door))
    assert problem.code == "account-measure-differs"
    assert door.calls == []
    assert ledger.account("registry").spent == ZERO_RHO


def test_sums_of_different_measures_do_not_add() -> None:
    with pytest.raises(TypeError):
        plus(ONE, RHO)
    with pytest.raises(TypeError):
        together("rho", [RHO, ZERO])
    with pytest.raises(TypeError):
        Totals(ONE, ONE) + Totals(RHO, RHO)
    with pytest.raises(TypeError, match="one measure"):
        Entry(1, "2026-11-21T14:32Z", "release", "a", ZERO, ZERO_RHO, "", "")


def test_neither_rho_nor_the_kept_delta_is_overspent(ledger: Ledger) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="more than its total"):
        pay(ledger, "trial", Rho(RHO.nano + 1))
    with pytest.raises(sqlite3.IntegrityError, match="than is kept for it"):
        pay(ledger, "trial", ZERO_RHO, Delta(KEPT.atto + 1))
    pay(ledger, "trial", RHO, KEPT)
    state = ledger.account("trial")
    assert (state.left, state.delta_left) == (ZERO_RHO, NO_DELTA)
    with pytest.raises(sqlite3.IntegrityError, match="than is kept for it"):
        pay(ledger, "trial", ZERO_RHO, Delta(1))
    with pytest.raises(sqlite3.IntegrityError):
        pay(ledger, "pure", ZERO, Delta(1))
    assert ledger.check().sound


CHARGES = st.lists(
    st.tuples(
        st.sampled_from(["pure", "trial", "other"]),
        st.integers(0, 40),
        st.integers(0, 12),
        st.integers(0, 9),
    ),
    max_size=25,
)
GRANTED = {"pure": ("epsilon", 100, 0), "trial": ("rho", 90, 40), "other": ("rho", 70, 9)}


def kept_of(delta: int) -> int:
    """A third of a delta."""
    return delta // 3


@given(CHARGES)
def test_what_is_spent_is_the_exact_sum_and_never_more_than_granted(
    charges: list[tuple[str, int, int, int]],
) -> None:
    """Any interleaving of charges in both measures, some in a transaction that fails later."""
    with TemporaryDirectory() as name:
        ledger = Ledger.open(Home.at(Path(name)))
        for account, (measure, total, delta) in GRANTED.items():
            deltas = (Delta(delta), Delta(kept_of(delta)))
            ledger.new_account(account, share_of(measure, total), "", *deltas)
        paid = {account: (Fraction(0), Fraction(0)) for account in GRANTED}
        for account, units, atto, luck in charges:
            measure, total, delta = GRANTED[account]
            after = (paid[account][0] + units, paid[account][1] + atto)
            fits = after[0] <= total and after[1] <= kept_of(delta)
            try:
                with ledger.transaction() as transaction:
                    amounts = {"charged": share_of(measure, units), "delta_charged": Delta(atto)}
                    transaction.append(account, PAYLOAD, **amounts)
                    if luck == 0:
                        raise KeyboardInterrupt
                assert fits
                paid[account] = after
            except sqlite3.IntegrityError:
                assert not fits
            except KeyboardInterrupt:
                pass
        for state in ledger.accounts():
            assert (state.spent.units, state.delta_spent.atto) == paid[state.name]
            assert state.left.units == state.total.units - state.spent.units
            assert state.delta_left.atto == state.delta.kept.atto - state.delta_spent.atto
        report = ledger.check()
        assert report.sound and report.notices == ()


@pytest.mark.threat("E1")
def test_random_charges_stop_at_the_totals(ledger: Ledger) -> None:
    choose, charges = random.Random(7), runs(600, 3_000)
    paid: dict[str, list[int]] = {"pure": [0, 0], "trial": [0, 0]}
    refused = 0
    with ledger.transaction() as transaction:
        for _ in range(charges):
            account = choose.choice(["pure", "trial"])
            measure = {"pure": "epsilon", "trial": "rho"}[account]
            most = {"pure": 9_000_000, "trial": 300_000_000}[account] // charges
            amount = share_of(measure, choose.randrange(most))
            delta = Delta(choose.randrange(10**6) if account == "trial" else 0)
            try:
                amounts = {"charged": amount, "delta_charged": delta}
                transaction.append(account, PAYLOAD, **amounts)
            except sqlite3.IntegrityError:
                refused += 1
            else:
                paid[account][0] += amount.units
                paid[account][1] += delta.atto
    assert refused > 100
    for state in ledger.accounts():
        assert [state.spent.units, state.delta_spent.atto] == paid[state.name]
        assert state.spent.units <= state.total.units
        assert state.delta_spent <= state.delta.kept
    assert ledger.check().sound


def test_what_is_shown_of_a_release_is_in_its_measure(ledger: Ledger) -> None:
    with ledger.transaction() as transaction:
        transaction.append("trial", least(RHO, Rho(1)), charged=Rho(1))
    (_opened, entry) = ledger.history("trial")
    assert (entry.queries[0].charged, entry.entry.charged) == (Rho(1), Rho(1))
