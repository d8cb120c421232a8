# SPDX-License-Identifier: Apache-2.0
"""A backup is one state of the ledger, and restoring it never brings spent budget back."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from dpdesk.release.backup import archive, restore
from dpdesk.release.backup.archive import read_backup, write_backup
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon
from tests.release.ledgers import ONE, TENTH, charge, refusal, spent_ledger


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    return Home.at(dpdesk_home)


@pytest.fixture
def other(tmp_path: Path) -> Home:
    """Another computer, which knows nothing."""
    return Home.at(tmp_path / "other")


@pytest.fixture
def backup(home: Home, tmp_path: Path) -> Path:
    """A backup of a ledger with two accounts and some spending."""
    spent_ledger(home)
    write_backup(home, tmp_path / "backup.zip")
    return tmp_path / "backup.zip"


def rows(home: Home) -> list[tuple[object, ...]]:
    """Everything in a ledger but the entries' own restoration."""
    found: list[tuple[object, ...]] = []
    with sqlite3.connect(home.ledger) as connection:
        for table in ("entry", "answer", "sketch", "extract_use", "secret"):
            found += connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    connection.close()
    return found


def state(home: Home) -> tuple[bytes, bytes]:
    """The bytes of ledger and second record; nothing where there is no file."""
    ledger, heads = (p.read_bytes() if p.exists() else b"" for p in (home.ledger, home.heads))
    return ledger, heads


def test_a_new_computer_gets_the_accounts_and_says_so(
    home: Home, other: Home, backup: Path
) -> None:
    before = Ledger.open(home)
    assert restore_backup(other, backup) == ("one", "two")
    after = Ledger.open(other)
    assert after.notices == () and after.check().sound
    for was, now in zip(before.accounts(), after.accounts(), strict=True):
        assert (now.name, now.total, now.spent, now.note) == (
            was.name,
            was.total,
            was.spent,
            was.note,
        )
        assert now.rollback_suspected and not was.rollback_suspected
        assert (now.locks, now.locked, was.locked) == (("restored",), True, False)
    assert [h.word for h in after.history()][-3:] == ["", "restored", "restored"]
    assert after.digest_key() == before.digest_key()
    charge(after, "one", TENTH)
    assert set(rows(home)) < set(rows(other))


def test_a_ledger_that_goes_on_from_the_backup_is_not_replaced(home: Home, backup: Path) -> None:
    charge(Ledger.open(home), "one", TENTH)
    before = state(home)
    problem = refusal(lambda: restore_backup(home, backup))
    assert (problem.code, problem.params) == ("backup-behind", {"accounts": "one"})
    assert state(home) == before


@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_what_the_second_record_knows_is_not_forgotten(home: Home, backup: Path, how: str) -> None:
    charge(Ledger.open(home), "two", TENTH)
    home.ledger.unlink()
    if how == "emptied":
        home.ledger.write_bytes(b"")
    before = home.heads.read_bytes()
    problem = refusal(lambda: restore_backup(home, backup))
    assert (problem.code, problem.params) == ("backup-behind", {"accounts": "two"})
    assert home.heads.read_bytes() == before
    assert refusal(lambda: charge(Ledger.open(home), "two", TENTH)).code == "ledger-rolled-back"


def test_an_older_state_of_the_same_ledger_is_continued(
    home: Home, other: Home, backup: Path, tmp_path: Path
) -> None:
    restore_backup(other, backup)
    ledger = Ledger.open(other)
    charge(ledger, "one", TENTH)
    write_backup(other, tmp_path / "newer.zip")
    assert restore_backup(home, tmp_path / "newer.zip") == ("one", "two")
    assert Ledger.open(home).check().sound
    assert Ledger.open(home).account("one").spent == Epsilon.of("0.3")
    assert Ledger.open(home).notices == ()


def test_the_same_state_needs_no_restoration(home: Home, backup: Path) -> None:
    before = state(home)
    assert refusal(lambda: restore_backup(home, backup)).code == "backup-not-newer"
    assert state(home) == before


def test_two_ledgers_that_part_are_not_joined(
    home: Home, other: Home, backup: Path, tmp_path: Path
) -> None:
    restore_backup(other, backup)
    charge(Ledger.open(other), "one", TENTH)
    write_backup(other, tmp_path / "newer.zip")
    charge(Ledger.open(home), "two", TENTH)
    before = state(home)
    problem = refusal(lambda: restore_backup(home, tmp_path / "newer.zip"))
    assert (problem.code, problem.params) == ("backup-behind", {"accounts": "two"})
    assert state(home) == before


@pytest.mark.parametrize("left", ["both", "second record"])
def test_a_backup_of_another_ledger_is_refused(other: Home, backup: Path, left: str) -> None:
    Ledger.open(other).new_account("third", ONE)
    if left != "both":
        other.ledger.unlink()
    before = other.heads.read_bytes()
    assert refusal(lambda: restore_backup(other, backup)).code == "backup-other-ledger"
    assert other.heads.read_bytes() == before


def test_every_torn_backup_is_refused(other: Home, backup: Path) -> None:
    raw = backup.read_bytes()
    for end in (0, 1, 100, len(raw) // 3, len(raw) // 2, len(raw) - 1):
        backup.write_bytes(raw[:end])
        assert refusal(lambda: restore_backup(other, backup)).code == "backup-damaged"
    for at in range(0, len(raw), len(raw) // 40):
        backup.write_bytes(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
        assert refusal(lambda: restore_backup(other, backup)).code == "backup-damaged"
    assert not other.ledger.exists() and not other.heads.exists()


def test_no_ledger_is_made_of_a_file_that_is_none(other: Home, backup: Path) -> None:
    files = unpack(backup.read_bytes())
    for content in (b"", b"SQLite format 3\0", files["ledger.sqlite"][:4096]):
        digests = {"ledger.sqlite": content, "heads.json": files["heads.json"]}
        listed = {n: archive.hashlib.sha256(c).hexdigest() for n, c in digests.items()}
        members = archive.json_bytes({"backup": 1, "sha256": listed})
        backup.write_bytes(pack({"backup.json": members, **digests}))
        assert refusal(lambda: restore_backup(other, backup)).code == "backup-damaged"
    assert not other.ledger.exists()
    backup.unlink()
    assert refusal(lambda: restore_backup(other, backup)).code == "backup-unreadable"


def test_a_rolled_back_ledger_is_not_backed_up(home: Home, backup: Path, tmp_path: Path) -> None:
    old = home.ledger.read_bytes()
    charge(Ledger.open(home), "one", TENTH)
    home.ledger.write_bytes(old)
    again = tmp_path / "again.zip"
    assert refusal(lambda: write_backup(home, again)).code == "ledger-rolled-back"
    assert not again.exists()


def test_a_backup_is_not_written_over_the_ledger(home: Home, backup: Path, tmp_path: Path) -> None:
    for path in (home.ledger, home.root / "backup.zip", home.heads):
        assert refusal(lambda path=path: write_backup(home, path)).code == "backup-at-home"
    assert Ledger.open(home).check().sound
    nowhere = tmp_path / "none" / "backup.zip"
    assert refusal(lambda: write_backup(home, nowhere)).code == "backup-unwritable"
    fresh = Home.at(tmp_path / "fresh")
    assert refusal(lambda: write_backup(fresh, backup)).code == "backup-no-ledger"


def test_a_full_disk_leaves_the_earlier_backup(
    home: Home, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")

    before = backup.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        problem = refusal(lambda: write_backup(home, backup))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert problem.code == "backup-unwritable"
    assert backup.read_bytes() == before
    assert not list(backup.parent.glob(".*.part"))


def test_the_key_comes_along_as_it_is(home: Home, other: Home, tmp_path: Path) -> None:
    spent_ledger(home)
    path = tmp_path / "backup.zip"
    assert refusal(lambda: write_backup(home, path, with_key=True)).code == "key-missing"
    info = keys.new_key(home.keys, "office@small.example", "made-up passphrase")
    write_backup(home, path, with_key=True)
    restore_backup(other, path)
    assert keys.unlock(other.keys, "made-up passphrase").info == info
    private = other.keys / keys.PRIVATE_NAME
    assert private.read_bytes() == (home.keys / keys.PRIVATE_NAME).read_bytes()
    assert private.stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_a_key_without_a_passphrase_stays_out(home: Home, tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    spent_ledger(home)
    keys.new_key(home.keys, "office@small.example", "made-up passphrase")
    pair = Ed25519PrivateKey.generate()
    open_key = pair.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    (home.keys / keys.PRIVATE_NAME).write_bytes(open_key)
    path = tmp_path / "backup.zip"
    assert refusal(lambda: write_backup(home, path, with_key=True)).code == "backup-key-open"
    assert not path.exists()


def test_a_key_that_is_there_stays(home: Home, other: Home, tmp_path: Path) -> None:
    spent_ledger(home)
    keys.new_key(home.keys, "office@small.example", "made-up passphrase")
    write_backup(home, tmp_path / "backup.zip", with_key=True)
    mine = keys.new_key(other.keys, "another@small.example", "made-up passphrase")
    restore_backup(other, tmp_path / "backup.zip")
    assert keys.show(other.keys) == mine


def _die(*_arguments: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed(before: str, body: Callable[[], object]) -> None:
    """Run the body in a copy of this program that dies by SIGKILL before a step of restoring."""
    child = os.fork()
    if not child:
        setattr(restore, before, _die)
        try:
            body()
        finally:
            os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    ("before", "is_restored"),
    [
        ("_take_over", False),
        ("verify_schema", False),
        ("_enter_restoration", False),
        ("content_problems", False),
        ("_remember", True),
        ("write_heads", True),
    ],
)
@pytest.mark.in_turn(2)
def test_a_restore_that_is_killed_is_whole_or_nothing(
    other: Home, backup: Path, before: str, is_restored: bool
) -> None:
    killed(before, lambda: restore_backup(other, backup))
    ledger = Ledger.open(other)
    assert ledger.check().sound
    accounts = ledger.accounts()
    assert bool(accounts) == is_restored
    if not is_restored:
        restore_backup(other, backup)
        accounts = ledger.accounts()
    assert [str(a.spent) for a in accounts] == ["0.2", "0.1"]
    assert all(a.rollback_suspected for a in accounts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_restore_that_is_killed_costs_no_key(home: Home, other: Home, tmp_path: Path) -> None:
    spent_ledger(home)
    info = keys.new_key(home.keys, "office@small.example", "made-up passphrase")
    path = tmp_path / "backup.zip"
    write_backup(home, path, with_key=True)
    for step in ("_put_key", "_give_up_secret"):
        killed(step, lambda: restore_backup(other, path))
        assert not Ledger.open(other).accounts(), "it would not be restored again"
    (other.keys / keys.PRIVATE_NAME).unlink()  # as if killed between the halves
    restore_backup(other, path)
    assert keys.show(other.keys) == info and (other.keys / keys.PRIVATE_NAME).exists()


def test_a_backup_is_read_whole(home: Home, backup: Path) -> None:
    with read_backup(backup) as found:
        assert (len(found.entries), found.head) == Ledger.open(home).head()
        assert dict(found.key_files) == {}
