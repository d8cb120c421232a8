# SPDX-License-Identifier: Apache-2.0
"""An older copy of the ledger grants no second budget."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from dpdesk.release.ledger import HistoryEntry, Ledger
from dpdesk.release.ledger.heads import Heads, read_heads
from dpdesk.release.ledger.payloads import LostSecondRecord
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.release.ledgers import ONE, TENTH, charge, refusal, spent_ledger


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    return Home.at(dpdesk_home)


def state_of(history: HistoryEntry) -> str:
    """What was wrong with the second record, as an entry says; empty in others."""
    return history.payload.state if isinstance(history.payload, LostSecondRecord) else ""


@pytest.fixture
def restored(home: Home, tmp_path: Path) -> Ledger:
    """A ledger of which an old copy was put back after three more releases and an account."""
    ledger = spent_ledger(home)
    shutil.copy(home.ledger, tmp_path / "backup")
    for _ in range(3):
        charge(ledger, "one", TENTH)
    ledger.new_account("three", ONE)
    charge(ledger, "three", Epsilon.of("0.4"))
    shutil.copy(tmp_path / "backup", home.ledger)
    return Ledger.open(home)


@pytest.mark.threat("E6")
def test_an_old_copy_opens_and_spends_nothing(restored: Ledger) -> None:
    problem = refusal(lambda: charge(restored, "one", TENTH))
    assert (problem.code, problem.params) == ("ledger-rolled-back", {"accounts": "one, three"})
    assert restored.rolled_back() == problem
    assert all(account.locked for account in restored.accounts())
    for call in (
        lambda: restored.new_account("four", ONE),
        lambda: restored.raise_budget("two", Epsilon.of("3"), "reason"),
        lambda: charge(restored, "two", TENTH),
    ):
        assert refusal(call).code == "ledger-rolled-back"


def test_a_running_program_notices_too(home: Home, tmp_path: Path) -> None:
    ledger = spent_ledger(home)
    shutil.copy(home.ledger, tmp_path / "backup")
    charge(ledger, "one", TENTH)
    shutil.copy(tmp_path / "backup", home.ledger)
    assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-rolled-back"


def test_the_check_reports_it_and_changes_nothing(restored: Ledger, home: Home) -> None:
    for _ in range(2):
        report = Ledger.open(home).check()
        assert [p.code for p in report.problems] == ["ledger-rolled-back"]


@pytest.mark.threat("E6")
def test_reconciling_charges_what_was_lost_and_unlocks(restored: Ledger, home: Home) -> None:
    lost = {name: (str(sums.granted), str(sums.charged)) for name, sums in restored.lost().items()}
    assert lost == {"one": ("0", "0.3"), "three": ("1", "0.4")}
    entries = restored.reconcile("disk was replaced")
    assert [(e.account, str(e.granted), str(e.charged)) for e in entries] == [
        ("one", "0", "0.3"),
        ("three", "1", "0.4"),
    ]
    ledger = Ledger.open(home)
    left = {a.name: (str(a.left), a.locked, a.rollback_suspected) for a in ledger.accounts()}
    assert left == {
        "one": ("1.5", False, True),
        "two": ("0.9", False, False),
        "three": ("0.6", False, True),
    }
    assert ledger.check().sound
    assert ledger.rolled_back() is None
    charge(ledger, "one", Epsilon.of("1.5"))
    assert ledger.account("one").left == Epsilon(0)


def test_reconciling_says_why(restored: Ledger) -> None:
    assert refusal(lambda: restored.reconcile(" ")).code == "reason-missing"
    restored.reconcile("disk was replaced")
    assert restored.history("one")[-1].reason == "disk was replaced"


def test_there_is_nothing_to_reconcile_in_a_sound_ledger(home: Home) -> None:
    ledger = spent_ledger(home)
    assert refusal(lambda: ledger.reconcile("for fun")).code == "ledger-not-rolled-back"


def test_restoring_twice_charges_twice(restored: Ledger, home: Home, tmp_path: Path) -> None:
    restored.reconcile("first")
    shutil.copy(tmp_path / "backup", home.ledger)
    ledger = Ledger.open(home)
    assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-rolled-back"
    ledger.reconcile("second")
    assert str(ledger.account("one").spent) == "0.5"


def test_a_crash_after_reconciling_does_not_charge_again(restored: Ledger, home: Home) -> None:
    old_heads = home.heads.read_bytes()
    restored.reconcile("disk was replaced")
    home.heads.write_bytes(old_heads)
    ledger = Ledger.open(home)
    assert ledger.rolled_back() is None
    assert str(ledger.account("one").spent) == "0.5"
    assert refusal(lambda: ledger.reconcile("again")).code == "ledger-not-rolled-back"
    charge(ledger, "one", TENTH)


def test_a_deleted_ledger_is_a_rollback(home: Home) -> None:
    spent_ledger(home)
    home.ledger.unlink()
    ledger = Ledger.open(home)
    assert refusal(lambda: ledger.new_account("one", ONE)).code == "ledger-rolled-back"
    ledger.reconcile("the file was lost")
    totals = [(a.name, str(a.total), str(a.spent)) for a in ledger.accounts()]
    assert totals == [("one", "2", "0.2"), ("two", "1", "0.1")]
    assert refusal(lambda: ledger.new_account("one", ONE)).code == "account-exists"


def test_an_emptied_ledger_is_a_rollback(home: Home) -> None:
    spent_ledger(home)
    home.ledger.write_bytes(b"")
    assert Ledger.open(home).rolled_back() is not None


def test_spending_on_both_branches_is_charged_in_full(home: Home, tmp_path: Path) -> None:
    """An old copy was used with heads of its own before the true heads came back."""
    ledger = Ledger.open(home)
    ledger.new_account("one", ONE)
    for name in ("ledger", "heads"):
        shutil.copy(getattr(home, name), tmp_path / name)
    charge(ledger, "one", Epsilon.of("0.8"))
    true_heads = home.heads.read_bytes()
    for name in ("ledger", "heads"):
        shutil.copy(tmp_path / name, getattr(home, name))
    charge(ledger, "one", Epsilon.of("0.7"))
    home.heads.write_bytes(true_heads)
    assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-rolled-back"
    (entry,) = ledger.reconcile("both were used")
    account = ledger.account("one")
    assert (str(account.spent), str(account.total), str(account.left)) == ("1.5", "1.5", "0")
    assert '"lifted":"0.5"' in ledger.payload(entry.sequence)


def test_a_ledger_ahead_of_its_heads_is_fine(home: Home) -> None:
    """A crash between the commit and the writing of the heads leaves it so."""
    ledger = spent_ledger(home)
    old_heads = home.heads.read_bytes()
    charge(ledger, "one", TENTH)
    home.heads.write_bytes(old_heads)
    again = Ledger.open(home)
    assert again.check().sound and again.notices == ()
    assert home.heads.read_bytes() != old_heads
    assert str(again.account("one").spent) == "0.3"


def marked(seal: object, account: str, granted: int) -> bytes:
    """Heads with one entry in pure epsilon."""
    entry = [seal, account, "epsilon", granted, 0, 0, 0, 0]
    return json.dumps({"heads": 1, "entries": [entry]}).encode()


def measured(*amounts: object) -> bytes:
    """Heads with one entry of any amounts."""
    return json.dumps({"heads": 1, "entries": [["0" * 64, "one", *amounts]]}).encode()


@pytest.mark.parametrize("heads", [marked("0" * 64, "one", 1), measured("rho", 5, 0, 2, 0, 0)])
def test_well_made_heads_of_another_ledger_are_a_rollback(home: Home, heads: bytes) -> None:
    spent_ledger(home)
    home.heads.write_bytes(heads)
    assert Ledger.open(home).rolled_back() is not None


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "ledger-anchor-missing"),
        (b"", "ledger-anchor-damaged"),
        (b"{}", "ledger-anchor-damaged"),
        (b'{"heads": 1}', "ledger-anchor-damaged"),
        (b'{"heads": 3, "entries": []}', "ledger-anchor-damaged"),
        (b'{"heads": 1, "entries": [1]}', "ledger-anchor-damaged"),
        (marked("0" * 64, "one", -1), "ledger-anchor-damaged"),
        (marked("0" * 64, "one", True), "ledger-anchor-damaged"),
        (marked("0" * 64, "one", 10**14), "ledger-anchor-damaged"),
        (measured(5, 0), "ledger-anchor-damaged"),
        (measured("rho", 5, 0), "ledger-anchor-damaged"),
        (measured("rho", 5, 0, 2), "ledger-anchor-damaged"),
        (measured("rho", 5, 0, 2, 0, 0, 0), "ledger-anchor-damaged"),
        (measured("delta", 5, 0, 2, 0, 0), "ledger-anchor-damaged"),
        (measured(["rho"], 5, 0, 2, 0, 0), "ledger-anchor-damaged"),
        (measured("rho", 5, 0, -2, 0, 0), "ledger-anchor-damaged"),
        (measured("rho", 5, 0, 2, 0, 0.5), "ledger-anchor-damaged"),
        (marked("0" * 64, "One", 1), "ledger-anchor-damaged"),
        (marked("0" * 63, "one", 1), "ledger-anchor-damaged"),
        (marked(0, "one", 1), "ledger-anchor-damaged"),
        (b"[" * 100_000, "ledger-anchor-damaged"),
        (b"\xff\xfe", "ledger-anchor-damaged"),
    ],
)
@pytest.mark.in_turn(2)
def test_lost_heads_are_noticed_and_written_anew(
    home: Home, content: bytes | None, code: str
) -> None:
    spent_ledger(home)
    home.heads.unlink() if content is None else home.heads.write_bytes(content)
    ledger = Ledger.open(home)
    assert [n.code for n in ledger.notices] == [code]
    entries = ledger.history()[-2:]
    assert [(e.entry.account, state_of(e)) for e in entries] == [
        (name, code.removeprefix("ledger-anchor-")) for name in ("one", "two")
    ]
    assert all(account.rollback_suspected for account in ledger.accounts())
    assert read_heads(home.heads).head == ledger.head()[1]
    report = ledger.check()
    assert report.sound
    assert [n.code for n in report.notices] == [code]
    again = Ledger.open(home)
    assert not again.notices and again.head() == ledger.head()


def test_a_running_program_enters_that_the_heads_went(home: Home) -> None:
    ledger = spent_ledger(home)
    home.heads.unlink()
    charge(ledger, "one", TENTH)
    assert [n.code for n in ledger.notices] == ["ledger-anchor-missing"]
    assert [state_of(e) for e in ledger.history("one")][-2:] == ["missing", ""]
    assert ledger.account("two").rollback_suspected


def test_nothing_of_it_is_entered_when_what_follows_fails(home: Home) -> None:
    """Then the heads stay away, and the next one enters it."""
    ledger = spent_ledger(home)
    home.heads.unlink()
    with pytest.raises(sqlite3.IntegrityError):
        charge(ledger, "one", Epsilon.of("50"))
    assert not home.heads.exists()
    assert not ledger.account("one").rollback_suspected
    assert Ledger.open(home).account("one").rollback_suspected


def test_heads_that_cannot_be_written_are_entered_once(home: Home) -> None:
    ledger = spent_ledger(home)
    home.heads.unlink()
    home.heads.mkdir()
    for _ in range(3):
        charge(ledger, "one", TENTH)
        Ledger.open(home)
    states = [state_of(e) for e in ledger.history("one") if state_of(e)]
    assert states == ["unwritable"]
    assert ledger.account("one").rollback_suspected and ledger.account("two").rollback_suspected


def test_a_new_ledger_is_remembered_before_its_first_entry(home: Home) -> None:
    """So that heads that are missing beside entries were lost, whenever a program dies."""
    ledger = Ledger.open(home)
    assert read_heads(home.heads) == Heads("read")
    ledger.new_account("one", ONE)
    assert not ledger.account("one").rollback_suspected


def test_heads_hold_no_payload(home: Home) -> None:
    ledger = Ledger.open(home)
    ledger.new_account("one", ONE, "a note that stays in the ledger")
    assert b"note" not in home.heads.read_bytes()
