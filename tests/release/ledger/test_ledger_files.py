# SPDX-License-Identifier: Apache-2.0
"""Ledgers that cannot be opened, and what is left on the disk by those that can."""

import ctypes
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from dpdesk.release.ledger import Ledger, book
from dpdesk.release.ledger.storage import connection, schema
from dpdesk.release.places.home import Home
from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.study.model.amount import Epsilon
from dpdesk.texts.sentences.ledger import SENTENCES
from tests.release.ledgers import ONE, TENTH, charge, least, refusal, run_sql, spent_ledger
from tests.waiting import LIMIT_S


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    home = Home.at(dpdesk_home)
    home.make()
    return home


def opened(home: Home) -> Callable[[], Ledger]:
    return lambda: Ledger.open(home, busy_seconds=0.1)


def test_a_folder_in_its_place_is_refused(home: Home) -> None:
    home.ledger.mkdir()
    assert refusal(opened(home)).code == "ledger-unwritable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
@pytest.mark.parametrize("end", ["", "-journal", "-wal", "-shm"])
def test_a_pipe_in_the_place_of_one_of_its_files_keeps_nobody_waiting(home: Home, end: str) -> None:
    spent_ledger(home)
    place = home.ledger.with_name(home.ledger.name + end)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    found: list[str] = []
    opening = Thread(target=lambda: found.append(refusal(opened(home)).code), daemon=True)
    opening.start()
    opening.join(LIMIT_S)
    assert found == ["ledger-unreadable"]


def test_a_home_under_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    nowhere = Home.at(tmp_path / "file")
    assert refusal(opened(nowhere)).code == "home-unwritable"
    assert refusal(lambda: Ledger.open_to_read(nowhere)).code == "home-unwritable"


def test_a_dangling_link_into_nowhere_is_refused(home: Home) -> None:
    home.ledger.symlink_to(home.root / "gone" / "ledger.sqlite")
    assert refusal(opened(home)).code == "ledger-unwritable"


def test_a_file_that_may_only_be_read_is_refused(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a read-only medium; root may write anywhere, so SQLite itself is set so."""
    Ledger.open(home)
    lagging = home.heads.read_bytes()
    spent_ledger(home)
    before = home.ledger.read_bytes()
    really = sqlite3.connect

    def read_only(path: Path, **settings: object) -> sqlite3.Connection:
        return really(f"file:{path}?mode=ro", uri=True, **settings)

    drawn = []

    def body() -> None:
        with Ledger(home).transaction():
            drawn.append("noise")

    monkeypatch.setattr(connection.sqlite3, "connect", read_only)
    assert refusal(opened(home)).code == "ledger-unwritable"
    assert refusal(body).code == "ledger-unwritable"
    assert drawn == []
    looked = Ledger.open_to_read(home)
    assert [n.code for n in looked.notices] == ["ledger-read-only"]
    assert looked.account("one").spent == Epsilon.of("0.2")
    home.heads.write_bytes(lagging)
    behind = Ledger.open_to_read(home)
    assert [n.code for n in behind.notices] == ["ledger-read-only", "ledger-anchor-behind"]
    assert home.ledger.read_bytes() == before


def test_a_full_disk_spends_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = spent_ledger(home)
    before = home.ledger.read_bytes()
    really = connection._set_up
    large = least(study=ReleasedStudy({"title": "y" * 100_000}))

    def no_room(opened: sqlite3.Connection) -> None:
        really(opened)
        pages = opened.execute("PRAGMA page_count").fetchone()[0]
        opened.execute(f"PRAGMA max_page_count={pages}").fetchone()

    def release() -> None:
        with ledger.transaction() as transaction:
            transaction.append("one", large, charged=TENTH)

    with monkeypatch.context() as patch:
        patch.setattr("dpdesk.release.ledger.storage.connection._set_up", no_room)
        assert refusal(release).code == "ledger-disk-full"
    assert home.ledger.read_bytes() == before
    assert ledger.account("one").spent == Epsilon.of("0.2")


@pytest.mark.threat("E10")
@pytest.mark.parametrize("is_lost", [False, True], ids=["there", "lost"])
def test_a_decision_that_the_disk_does_not_confirm_is_not_called_undone(
    is_lost: bool, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who reads that nothing happened raises the total again, also where nobody can look."""
    ledger, total, kept = spent_ledger(home), Epsilon.of("3"), home.root / "kept"

    @contextmanager
    def unconfirmed(opened: sqlite3.Connection) -> Iterator[None]:
        with connection.immediate(opened):
            yield
        if is_lost:
            home.ledger.rename(kept)
            home.ledger.mkdir()
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(book, "immediate", unconfirmed)
        failed = refusal(lambda: ledger.raise_budget("one", total, "a new year"))
    assert failed.code == "entry-unconfirmed"
    if is_lost:
        home.ledger.rmdir()
        kept.rename(home.ledger)
    assert ledger.account("one").total == total


@pytest.mark.threat("E10")
def test_nothing_is_read_after_a_decision_that_could_fail(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = spent_ledger(home)

    def and_lose_the_ledger(*_args: object, **_how: object) -> None:
        home.ledger.rename(home.root / "kept")
        home.ledger.mkdir()

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "_remember", and_lose_the_ledger)
        raised = ledger.raise_budget("one", Epsilon.of("3"), "a new year")
    looked = refusal(lambda: ledger.account("one"))
    home.ledger.rmdir()
    (home.root / "kept").rename(home.ledger)
    assert raised == ledger.account("one") and raised.total == Epsilon.of("3")
    assert "othing was spent" not in SENTENCES[looked.code]


def test_a_disk_that_cannot_be_read_is_told_from_one_that_cannot_be_written() -> None:
    def failing(code: int) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        with connection.translated():
            raise error

    reads = (sqlite3.SQLITE_IOERR_READ, 8458)  # the latter where the disk itself failed
    assert {refusal(partial(failing, code)).code for code in reads} == {"ledger-unreadable"}
    written = refusal(lambda: failing(sqlite3.SQLITE_IOERR_WRITE))
    assert written.code == "ledger-unwritable"


def test_heads_that_cannot_be_written_do_not_undo_a_commit(home: Home) -> None:
    ledger = spent_ledger(home)
    home.heads.unlink()
    home.heads_folder.rmdir()
    home.heads_folder.write_text("in the way")
    charge(ledger, "one", TENTH)
    assert ledger.account("one").spent == Epsilon.of("0.3")
    assert [n.code for n in ledger.notices] == ["ledger-anchor-unwritable"]


def test_what_fails_after_a_commit_does_not_deny_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = spent_ledger(home)

    def fails(*_args: object) -> None:
        raise sqlite3.DatabaseError("the disk went away")

    monkeypatch.setattr(book, "write_heads", fails)
    charge(ledger, "one", TENTH)
    assert [n.code for n in ledger.notices] == ["ledger-anchor-unwritable"]


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\x00" + b"x" * 4096])
def test_another_file_is_refused_and_left_alone(home: Home, content: bytes) -> None:
    home.ledger.write_bytes(content)
    problem = refusal(opened(home))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "file")
    assert home.ledger.read_bytes() == content


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE bookmarks (url TEXT)", "PRAGMA application_id=7", "PRAGMA user_version=1"],
)
def test_another_programs_database_is_refused_and_left_alone(home: Home, statement: str) -> None:
    run_sql(home.ledger, statement)
    before = home.ledger.read_bytes()
    problem = refusal(opened(home))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "schema")
    assert home.ledger.read_bytes() == before


def test_a_cut_off_ledger_is_refused(home: Home) -> None:
    ledger = spent_ledger(home)
    raw = home.ledger.read_bytes()
    home.ledger.write_bytes(raw[: len(raw) // 2])
    assert refusal(opened(home)).code == "ledger-damaged"
    assert not ledger.check().sound


def test_a_ledger_of_a_newer_version_is_refused_and_left_alone(home: Home) -> None:
    spent_ledger(home)
    run_sql(home.ledger, f"PRAGMA user_version={schema.VERSION + 1}", "CREATE TABLE newer (x)")
    before = home.ledger.read_bytes()
    problem = refusal(opened(home))
    assert (problem.code, problem.params) == ("ledger-too-new", {"found": "2", "known": "1"})
    assert home.ledger.read_bytes() == before


def test_a_ledger_in_use_is_refused_after_a_while(home: Home) -> None:
    spent_ledger(home)
    with closing(sqlite3.connect(home.ledger, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert refusal(opened(home)).code == "ledger-busy"
        other.execute("ROLLBACK")
        other.execute("BEGIN IMMEDIATE")
        ledger = opened(home)()
        assert ledger.account("one").spent == Epsilon.of("0.2")
        assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-busy"
    charge(ledger, "one", TENTH)


def test_a_reader_that_stays_keeps_a_commit_out_and_nothing_is_spent(home: Home) -> None:
    ledger = Ledger(home, busy_seconds=0.1)
    spent_ledger(home)
    with closing(sqlite3.connect(home.ledger, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchone()
        assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-busy"
    assert ledger.account("one").spent == Epsilon.of("0.2")
    charge(ledger, "one", TENTH)


@pytest.mark.threat("E2")
def test_a_second_ledger_for_the_same_people_is_named(home: Home, tmp_path: Path) -> None:
    charged_alone = Ledger.open(home)
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o2770)
    both = Ledger.open(Home(home.root, shared / "heads", shared))
    assert [(n.code, n.params) for n in both.notices] == [
        ("ledger-second", {"name": str(home.root)})
    ]
    assert charged_alone.notices == ()


def test_any_thread_may_use_the_ledger(home: Home) -> None:
    ledger = Ledger.open(home)
    ledger.new_account("one", ONE)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: charge(ledger, "one", Epsilon.of("0.05")), range(20)))
    assert ledger.account("one").left == Epsilon(0)
    assert ledger.check().sound


def test_an_old_sqlite_is_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.sqlite3, "sqlite_version_info", (3, 36, 0))
    assert refusal(opened(home)).code == "sqlite-too-old"


@pytest.mark.threat("E9")
@pytest.mark.parametrize(
    "path", ["//server/share/dpdesk", r"\\server\share\dpdesk", r"\\?\UNC\server\share\dpdesk"]
)
def test_a_network_path_is_refused(path: str) -> None:
    home = Home.at(Path(path))
    for call in (opened(home), Ledger(home).accounts):
        assert refusal(call).code == "ledger-network-path"
    assert not home.root.exists()


@pytest.mark.parametrize(
    ("kind", "network"),
    [("nfs4", True), ("cifs", True), ("fuse.sshfs", True), ("ext4", False), ("overlay", False)],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows names drives, not mounts")
def test_a_mounted_share_is_recognised(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, network: bool
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"none / nfs rw 0 0\nnone / ext4 rw 0 0\nserver:/x {home.root.parent} {kind} rw 0 0\n"
        f"odd\nserver:/y {home.root}s nfs rw 0 0\n"
    )
    monkeypatch.setattr(connection, "_MOUNTS", mounts)
    assert connection.is_on_network(home.ledger) is network


@pytest.mark.skipif(sys.platform == "win32", reason="a drive that is there is asked for there")
@pytest.mark.parametrize(("kind", "network"), [(4, True), (3, False)])
def test_on_windows_the_drive_is_asked_for(
    home: Home, monkeypatch: pytest.MonkeyPatch, kind: int, network: bool
) -> None:
    asked: list[str] = []
    kernel = SimpleNamespace(GetDriveTypeW=lambda drive: asked.append(drive) or kind)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(connection.sys, "platform", "win32")
    assert connection.is_on_network(home.ledger) is network
    assert asked == ["\\"]


def test_where_mounts_are_not_listed_a_path_is_taken_as_local(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_MOUNTS", home.root / "none")
    assert not connection.is_on_network(home.ledger)


@pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX thing")
def test_ledger_and_heads_are_the_users_alone(home: Home) -> None:
    spent_ledger(home)
    for path in (home.ledger, home.heads):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_is_set_to_be_safe(home: Home) -> None:
    ledger = spent_ledger(home)
    with ledger.reading() as transaction:
        asked = ("journal_mode", "synchronous", "secure_delete", "foreign_keys", "trusted_schema")
        found = {
            name: transaction.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked
        }
    assert found == {
        "journal_mode": "delete",
        "synchronous": 3,
        "secure_delete": 1,
        "foreign_keys": 1,
        "trusted_schema": 0,
    }


@pytest.mark.threat("F7")
def test_nothing_but_the_ledger_is_left_beside_it(home: Home) -> None:
    spent_ledger(home)
    assert sorted(p.name for p in home.root.iterdir()) == ["heads", "keys", "ledger.sqlite"]
    assert [p.name for p in home.heads_folder.iterdir()] == ["heads.json"]


def test_a_ledger_that_another_program_makes_meanwhile_is_kept(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, others = connection.immediate, [opened(home)]

    def after_another(waiting: sqlite3.Connection) -> AbstractContextManager[None]:
        while others:
            others.pop()().new_account("theirs", ONE)
        return really(waiting)

    monkeypatch.setattr(connection, "immediate", after_another)
    ledger = opened(home)()
    assert [account.name for account in ledger.accounts()] == ["theirs"] and ledger.check().sound


@pytest.mark.threat("E9")
def test_many_programs_may_make_the_same_ledger_at_once(home: Home) -> None:
    code = (
        "import sys; from pathlib import Path; from dpdesk.release.places.home import Home;"
        "from dpdesk.release.ledger import Ledger; Ledger.open(Home.at(Path(sys.argv[1])))"
    )
    programs = [
        subprocess.Popen([sys.executable, "-c", code, str(home.root)], stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    errors = [program.communicate()[1] for program in programs]
    assert [p.returncode for p in programs] == [0] * 4, errors
    ledger = Ledger.open(home)
    assert ledger.check().sound
    ledger.new_account("one", ONE)
