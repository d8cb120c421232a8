# SPDX-License-Identifier: Apache-2.0
"""A ledger that is moved on purpose goes on in one home, whoever copies its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.release.backup import move as moving
from dpdesk.release.backup.archive import write_backup
from dpdesk.release.backup.move import (
    expect_move,
    expected_code,
    move_away,
    shown_code,
    typed_code,
)
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions import series
from dpdesk.release.ledger.decisions.series import InstalmentPrice, Schedule
from dpdesk.release.ledger.spending.instalments import end_series
from dpdesk.release.notices.revoke import Wish, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.run import release_run as run
from dpdesk.release.second_person.requirement import require, second_person
from dpdesk.study.model.amount import NO_DELTA, Epsilon
from dpdesk.study.problem import Refused
from tests.doors import ConstantDoor
from tests.release.bundles import KEY
from tests.release.ledgers import ONE, refusal
from tests.release.second_person import make_person
from tests.release.studies import STUDY, release, write_data

SCHEDULE = Schedule("wards", "month", "2026-11", 3)


@pytest.fixture
def old(dpdesk_home: Path, tmp_path: Path) -> Home:
    """The old computer, with one release."""
    home = Home.at(dpdesk_home)
    write_data(tmp_path)
    Ledger.open(home).new_account("registry", ONE)
    release(STUDY, tmp_path, Ledger(home), ConstantDoor())
    return home


@pytest.fixture
def new(tmp_path: Path) -> Home:
    return Home.at(tmp_path / "new")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "moved.zip"


def spend(home: Home, folder: Path) -> None:
    """Release for 0.4."""
    release(STUDY, folder, Ledger(home), ConstantDoor(), fresh=True)


def begin(ledger: Ledger, schedule: Schedule) -> None:
    """Reserve 0.3 for three instalments."""
    price = InstalmentPrice(Epsilon.of("0.1"), NO_DELTA, "0" * 64)
    with ledger.transaction() as transaction:
        series.begin(transaction, "registry", schedule, price)


def moved(old: Home, new: Home, file: Path) -> None:
    """Move a ledger as two people with a telephone do."""
    move_away(old, file, shown_code(expect_move(new)))
    restore_backup(new, file)


@pytest.mark.threat("E6")
def test_a_moved_ledger_goes_on_without_a_lock_and_the_old_one_is_closed(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    moved(old, new, file)
    account = Ledger.open(new).account("registry")
    assert (account.locks, account.locked, account.rollback_suspected) == ((), False, False)
    assert account.spent == Epsilon.of("0.4") and Ledger(new).check().sound
    spend(new, tmp_path)
    assert Ledger(new).account("registry").spent == Epsilon.of("0.8")
    assert refusal(lambda: spend(old, tmp_path)).code == "account-moved"
    assert refusal(lambda: Ledger(old).new_account("second", ONE)).code == "account-moved"
    more = refusal(lambda: Ledger(old).raise_budget("registry", Epsilon.of(2), "more"))
    assert more.code == "account-moved", "it would part the two chains"
    assert Ledger(old).account("registry").locks == ("moved",)
    assert [h.word for h in Ledger(new).history()] == ["", "", "moved-away", "arrived", ""]


@pytest.mark.threat("E6")
def test_a_closed_ledger_takes_no_decision_of_any_kind(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    """Any entry would part its chain from the one that goes on."""
    person = make_person(tmp_path)
    wish = Wish("withdrawn", 2, "a mistake in the file")
    begin(Ledger(old), SCHEDULE)
    moved(old, new, file)
    ledger, before = Ledger(old), Ledger(old).head()
    second = second_person("release", person.line.read_text())
    for decide in (
        lambda: revoke(ledger, wish, KEY.info),
        lambda: end_series(ledger, "registry", SCHEDULE.name, "over"),
        lambda: begin(ledger, replace(SCHEDULE, name="more")),
        lambda: require(ledger, "registry", second, "two pairs of eyes"),
    ):
        assert refusal(decide).code == "account-moved"
    assert ledger.head() == before
    assert revoke(Ledger(new), wish, KEY.info).kind == "decision"
    assert end_series(Ledger(new), "registry", SCHEDULE.name, "over").reserved.units


@pytest.mark.threat("E6")
def test_the_same_file_on_two_computers_goes_on_in_one(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    third, expecting = Home.at(tmp_path / "third"), Home.at(tmp_path / "expecting")
    expect_move(expecting)
    moved(old, new, file)
    for home in (third, expecting):
        restore_backup(home, file)
        assert Ledger(home).account("registry").locks == ("moved", "restored")
        assert refusal(lambda home=home: spend(home, tmp_path)).code == "account-recovery"
    assert refusal(lambda: restore_backup(new, file)).code == "backup-behind"
    assert not new.arrival.exists() and not expected_code(new)


@pytest.mark.threat("E6")
def test_a_home_that_is_wiped_after_the_move_arrives_no_second_time(
    old: Home, new: Home, file: Path
) -> None:
    moved(old, new, file)
    new.ledger.unlink()
    new.heads.unlink()
    expect_move(new)
    restore_backup(new, file)
    assert Ledger(new).account("registry").locked


def test_a_moved_ledger_comes_back(old: Home, new: Home, file: Path, tmp_path: Path) -> None:
    moved(old, new, file)
    spend(new, tmp_path)
    back = tmp_path / "back.zip"
    moved(new, old, back)
    account = Ledger(old).account("registry")
    assert not account.locked and account.spent == Epsilon.of("0.8")
    assert refusal(lambda: spend(new, tmp_path)).code == "account-moved"
    assert Ledger(old).check().sound


@pytest.mark.threat("E6")
def test_a_move_lifts_no_lock_of_a_restored_backup(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    backup, between = tmp_path / "backup.zip", Home.at(tmp_path / "between")
    write_backup(old, backup)
    restore_backup(between, backup)
    moved(between, new, file)
    assert Ledger(new).account("registry").locks == ("restored",)
    assert refusal(lambda: spend(new, tmp_path)).code == "account-recovery"


@pytest.mark.threat("E6")
@pytest.mark.parametrize("how", ["moved", "restored"])
def test_rolling_back_behind_a_lock_locks_again(
    old: Home, new: Home, file: Path, tmp_path: Path, how: str
) -> None:
    home = old
    before = old.ledger.read_bytes()
    if how == "moved":
        moved(old, new, file)
    else:
        write_backup(old, file)
        restore_backup(new, file)
        home = new
    home.ledger.write_bytes(before)
    assert refusal(lambda: spend(home, tmp_path)).code == "ledger-rolled-back"
    Ledger(home).reconcile("the disk was copied back")
    assert Ledger(home).account("registry").locks == ("rolled-back",)
    assert refusal(lambda: spend(home, tmp_path)).code == "account-recovery"


def test_a_lost_computer_s_ledger_is_opened_by_a_person_alone(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    move_away(old, file, expect_move(new))
    assert refusal(lambda: Ledger(old).unlock("registry", " ")).code == "reason-missing"
    assert Ledger(old).unlock("registry", "the new computer was stolen").locks == ()
    done = release(STUDY, tmp_path, Ledger(old), ConstantDoor(), fresh=True)
    assert done.stored.record.place.recovery_opened
    assert not done.stored.record.place.rollback_suspected
    assert refusal(lambda: Ledger(old).unlock("registry", "again")).code == "account-not-locked"


def test_the_same_move_writes_its_file_again_and_no_other_home_gets_one(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    code = expect_move(new)
    entries = move_away(old, file, code)
    file.unlink()
    assert move_away(old, file, code) == entries
    first = file.read_bytes()
    other = expect_move(Home.at(tmp_path / "other"))
    assert refusal(lambda: move_away(old, file, other)).code == "ledger-moved"
    assert file.read_bytes() == first


def test_what_cannot_be_written_closes_nothing(old: Home, new: Home, tmp_path: Path) -> None:
    code = expect_move(new)
    nowhere = tmp_path / "none" / "moved.zip"
    assert refusal(lambda: move_away(old, nowhere, code)).code == "backup-unwritable"
    moved_zip = tmp_path / "m.zip"
    assert refusal(lambda: move_away(old, moved_zip, code, True)).code == "key-missing"
    assert refusal(lambda: move_away(old, moved_zip, expect_move(old))).code == "move-to-itself"
    assert not Ledger(old).account("registry").locked


def test_a_mistyped_code_is_refused_and_a_read_out_one_is_not(new: Home) -> None:
    code = expect_move(new)
    assert expect_move(new) == code and typed_code(f" {shown_code(code)} ") == code
    for at in range(len(code)):
        for other in "a2":
            wrong = code[:at] + other + code[at + 1 :]
            if wrong != code and moving._check(wrong[:-1]) != wrong[-1]:
                assert refusal(lambda wrong=wrong: typed_code(wrong)).code == "move-code-wrong"
    for wrong in ("", "x", code + "a", code[:-1], "ä" * 16):
        assert refusal(lambda wrong=wrong: typed_code(wrong)).code == "move-code-wrong"


def test_a_damaged_secret_arrives_nowhere(old: Home, new: Home, file: Path) -> None:
    move_away(old, file, expect_move(new))
    new.arrival.write_bytes(new.arrival.read_bytes()[:-1])
    assert expected_code(new) == ""
    restore_backup(new, file)
    assert Ledger(new).account("registry").locks == ("moved", "restored")


def test_a_ledger_arrives_only_where_the_secret_goes_with_it(
    old: Home, new: Home, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move_away(old, file, expect_move(new))

    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError("read-only")

    with monkeypatch.context() as patch:
        patch.setattr(type(new.arrival), "unlink", fail)
        assert refusal(lambda: restore_backup(new, file)).code == "home-unwritable"
    assert Ledger.open(new).accounts() == ()


def test_looking_at_a_study_of_a_locked_account_is_refused_before_the_file_is_read(
    old: Home, new: Home, file: Path, tmp_path: Path
) -> None:
    moved(old, new, file)
    with pytest.raises(Refused) as refused:
        run.release(STUDY, tmp_path / "nowhere", Ledger(old), ConstantDoor(), fresh=True)
    assert [p.code for p in refused.value.problems] == ["account-moved"]
