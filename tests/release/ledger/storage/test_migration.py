# SPDX-License-Identifier: Apache-2.0
"""A ledger that 0.1.0 has written opens, keeps every entry and every sum, and goes on.

The files are a real ledger: two accounts, a release, the same one again for free, a raise, a
declaration that the people are others, and an older copy that was reconciled.
"""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.storage import migration
from dpdesk.release.ledger.storage.schema import STATEMENTS, VERSION
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from tests.doors import ConstantDoor
from tests.release.ledgers import TENTH, charge, refusal, run_sql, without_rules
from tests.release.studies import one_query, release, women, write_data

FILES = Path(__file__).parents[2] / "files" / "ledger-0.1.0"
HEAD = "2edddbf62524994688b73fa5be5a6874ffaa6a6a8f5c79bb73c43e338d5f508b"


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    """A home as 0.1.0 left it."""
    home = Home.at(dpdesk_home)
    home.make()
    home.heads_folder.mkdir(exist_ok=True)
    shutil.copyfile(FILES / "ledger.sqlite", home.ledger)
    shutil.copyfile(FILES / "heads.json", home.heads)
    return home


def header(path: Path) -> tuple[int, set[str], int]:
    """Version, schema and number of foreign keys that lead nowhere."""
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        schema = {sql for (sql,) in rows}
        return version, schema, len(connection.execute("PRAGMA foreign_key_check").fetchall())


def test_the_files_are_of_version_1() -> None:
    assert header(FILES / "ledger.sqlite") == (1, set(migration.STATEMENTS_1), 0)


def test_it_opens_with_every_entry_and_every_sum(home: Home) -> None:
    ledger = Ledger.open(home)
    assert ledger.head() == (8, HEAD)
    sums = [(a.name, a.measure, str(a.total), str(a.spent)) for a in ledger.accounts()]
    assert sums == [("registry", "epsilon", "1.5", "0.65"), ("other", "epsilon", "0.7", "0.1")]
    assert {a.delta_total.atto + a.delta_spent.atto for a in ledger.accounts()} == {0}
    registry = ledger.account("registry")
    assert registry.note == "the ethics board, 3 March"
    assert (registry.rollback_suspected, registry.separate_people_declared) == (True, True)
    assert header(home.ledger) == (VERSION, set(STATEMENTS), 0)


def test_it_is_sound_and_its_heads_are_known(home: Home) -> None:
    report = Ledger.open(home).check()
    assert report.sound and report.notices == ()
    assert (report.entries, report.head) == (8, HEAD)


def test_what_the_entries_say_is_what_they_said(home: Home) -> None:
    with closing(sqlite3.connect(FILES / "ledger.sqlite")) as connection:
        before = [row[0] for row in connection.execute("SELECT payload FROM entry")]
        tables = [connection.execute(f"SELECT * FROM {t}").fetchall() for t in SIDE_TABLES]
    ledger = Ledger.open(home)
    assert [ledger.payload(i) for i in range(1, 9)] == before
    with closing(sqlite3.connect(home.ledger)) as connection:
        assert tables == [connection.execute(f"SELECT * FROM {t}").fetchall() for t in SIDE_TABLES]


SIDE_TABLES = ("answer", "sketch", "secret")


def test_it_releases_on_and_opens_accounts_in_rho(home: Home, tmp_path: Path) -> None:
    ledger = Ledger.open(home)
    write_data(tmp_path)
    study = one_query(id="women", where=women().where)
    release(study, tmp_path, ledger, ConstantDoor())
    assert str(ledger.account("registry").spent) == "0.75"
    ledger.new_account("trial", Rho.of("0.05"), delta=Delta(10**9))
    assert ledger.check().sound
    assert Ledger.open(home).account("trial").total == Rho.of("0.05")


def test_its_rules_hold_for_what_is_left(home: Home) -> None:
    ledger = Ledger.open(home)
    with pytest.raises(sqlite3.IntegrityError, match="never spends more"):
        charge(ledger, "registry", Epsilon.of("0.850001"))
    charge(ledger, "registry", Epsilon.of("0.85"))
    assert ledger.account("registry").left == Epsilon(0)


def test_an_old_copy_put_back_after_the_migration_is_noticed(home: Home) -> None:
    charge(Ledger.open(home), "registry", TENTH)
    shutil.copyfile(FILES / "ledger.sqlite", home.ledger)
    ledger = Ledger.open(home)
    assert refusal(lambda: charge(ledger, "registry", TENTH)).code == "ledger-rolled-back"
    ledger.reconcile("the backup of yesterday")
    assert str(ledger.account("registry").spent) == "0.75"
    assert ledger.check().sound


def test_what_its_own_second_record_remembers_is_made_good(home: Home) -> None:
    """The copy lacks the last entry, which the heads of 0.1.0 know."""
    without_rules(home.ledger, "DELETE FROM entry WHERE sequence = 8")
    ledger = Ledger.open(home)
    assert refusal(lambda: charge(ledger, "other", TENTH)).code == "ledger-rolled-back"
    (entry,) = ledger.reconcile("an older copy")
    assert (entry.account, entry.amounts) == ("registry", ("epsilon", 0, 250_000, 0, 0))
    assert str(ledger.account("registry").spent) == "0.65"


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE entry SET charged = 1 WHERE sequence = 2", "hash"),
        ("UPDATE entry SET previous = hash WHERE sequence = 3", "order"),
        ("DELETE FROM entry WHERE sequence = 8", None),
        ("DELETE FROM entry WHERE sequence = 4", "order"),
        ("DELETE FROM answer", None),
        ("INSERT INTO answer VALUES (zeroblob(32), 77, 'stays')", "answer"),
    ],
)
def test_an_altered_one_is_refused_as_ever(home: Home, statement: str, what: str | None) -> None:
    without_rules(home.ledger, statement)
    before = home.ledger.read_bytes()
    if what is None:
        # Nothing in the file itself says so; a lost last entry is what the heads are for.
        assert Ledger.open(home).check().sound != ("entry" in statement)
        return
    problem = refusal(lambda: Ledger.open(home))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", what)
    assert not Ledger(home).check().sound
    assert home.ledger.read_bytes() == before


@pytest.mark.parametrize("statement", ["CREATE TABLE more (x)", "DROP TRIGGER entry_pays"])
def test_another_schema_is_never_migrated(home: Home, statement: str) -> None:
    run_sql(home.ledger, statement)
    before = home.ledger.read_bytes()
    problem = refusal(lambda: Ledger.open(home))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "schema")
    assert home.ledger.read_bytes() == before


def test_it_is_all_or_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    before = home.ledger.read_bytes()

    def fails(*_arguments: object) -> None:
        raise ZeroDivisionError

    for step in ("_put_back", "read_chain"):
        with monkeypatch.context() as patch:
            patch.setattr(migration, step, fails)
            with pytest.raises(ZeroDivisionError):
                Ledger.open(home)
        assert home.ledger.read_bytes() == before
    assert Ledger.open(home).check().sound


def test_a_ledger_in_use_is_migrated_once_it_is_free(home: Home) -> None:
    with closing(sqlite3.connect(home.ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert refusal(lambda: Ledger.open(home, busy_seconds=0.05)).code == "ledger-busy"
        other.execute("ROLLBACK")
    assert Ledger.open(home, busy_seconds=0.05).check().sound


def test_several_programs_migrate_it_once(home: Home) -> None:
    with ThreadPoolExecutor(4) as programs:
        opened = list(programs.map(lambda _n: Ledger.open(home).head(), range(8)))
    assert opened == [(8, HEAD)] * 8
    assert Ledger.open(home).check().sound
