# SPDX-License-Identifier: Apache-2.0
"""From an order to a verified bundle, with DuckDB between: the commands as they are typed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import duckdb
import pytest

from dpdesk.engine import cli
from dpdesk.engine.connect import connected
from dpdesk.release.sealing.sealed_counts import digest_of
from tests.engine.counted import order_arguments, ranked_in_the_database
from tests.shell.hospital import Hospital

CANARY = "canary-7261-patient"


@pytest.fixture
def database(hospital: Hospital) -> Path:
    """The hospital's file as a table, with one person whom nothing may ever name."""
    path = hospital.folder / "hospital.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE stays (pid VARCHAR, ward VARCHAR, stay VARCHAR)")
        rows = [line.split(",") for line in hospital.data.read_text().splitlines()[1:]]
        connection.executemany("INSERT INTO stays VALUES (?, ?, ?)", [*rows, [CANARY, "A", "9"]])
    hospital.data.unlink()
    return path


def counted(hospital: Hospital, database: Path, *more: str) -> Path:
    """Carry an order out."""
    sealed = hospital.folder / "small.sealed"
    order = hospital.folder / "small.order.json"
    assert cli.main(["run", *order_arguments(order), "--on", f"duckdb:{database}", *more]) == 0
    return sealed


def test_a_release_of_sealed_counts_is_verified_and_says_who_counted(
    hospital: Hospital, database: Path
) -> None:
    assert hospital.run("order", hospital.study).status == 0
    sealed = counted(hospital, database)
    asked = ("--counts", sealed, "--out", hospital.bundle)
    done = hospital.run("release", hospital.study, *asked)
    assert done.status == 0 and "duckdb 1.4" in done.err and "SHA-256" in done.err
    assert "Complete: yes" in hospital.run("verify", hospital.bundle).out
    with zipfile.ZipFile(hospital.bundle) as bundle:
        manifest = json.loads(bundle.read("manifest.json"))
        report = bundle.read("report.html").decode()
    queries = manifest["predicate"]["queries"]
    assert {query["counted_by"].split()[0] for query in queries} == {"duckdb"}
    assert "counted the rows where they are kept" in report


@pytest.mark.parametrize("fails", [False, True])
def test_counts_are_used_up_by_the_commit_of_their_release(
    fails: bool, hospital: Hospital, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where an error of the program after the draw left no release."""
    hospital.run("order", hospital.study)
    sealed = counted(hospital, database)
    orders = hospital.home.orders
    kept = {path.name: path.read_bytes() for path in orders.iterdir()}
    asked = ("release", hospital.study, "--counts", sealed, "--out", hospital.bundle)
    with monkeypatch.context() as patch:
        if fails:
            patch.setattr("dpdesk.release.run.release_run.compose_release", None)
        assert (hospital.run(*asked).status == 0) != fails and not list(orders.iterdir())
    again = (*asked[:-1], hospital.folder / "b.zip", "--fresh", "--same-extract")
    hospital.write_study(lambda study: study["budget"].update(account="small"))
    assert "make a new order" in hospital.run(*again).err
    # Somebody keeps a copy of the key: the ledger knows that these counts were used.
    for name, content in kept.items():
        (orders / name).write_bytes(content)
    refused = hospital.run(*again)
    assert refused.status != 0 and "were used already" in refused.err
    assert not (hospital.folder / "b.zip").exists()


def test_a_release_that_is_refused_uses_nothing_up(hospital: Hospital, database: Path) -> None:
    hospital.write_study(lambda study: study["queries"][0].update(epsilon=5))
    hospital.run("order", hospital.study)
    sealed = counted(hospital, database)
    asked = ("release", hospital.study, "--counts", sealed, "--out", hospital.bundle)
    assert hospital.run(*asked).status != 0
    assert len(list(hospital.home.orders.iterdir())) == 2


def test_nothing_exact_is_left_in_clear(hospital: Hospital, database: Path) -> None:
    hospital.run("order", hospital.study)
    before = {path for path in hospital.folder.rglob("*") if path.is_file()}
    sealed = counted(hospital, database)
    hospital.run("release", hospital.study, "--counts", sealed, "--out", hospital.bundle)
    after = {path for path in hospital.folder.rglob("*") if path.is_file()} - before
    assert sealed in after
    for path in after:
        assert CANARY.encode() not in path.read_bytes(), path


def test_the_statements_are_shown_and_none_is_run(
    hospital: Hospital,
    database: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hospital.run("order", hospital.study)
    order = hospital.folder / "small.order.json"
    shown = ["run", str(order), "--on", f"duckdb:{database}", "--show-sql"]
    assert cli.main(shown) == 0
    said = capsys.readouterr().out
    assert said.count("CREATE TEMPORARY TABLE") == 1 and said.count("SELECT DISTINCT") == 3
    assert CANARY not in said and not (hospital.folder / "small.sealed").exists()
    command = [sys.executable, "-c", "from dpdesk.engine.cli import main; exit(main())", *shown]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as unread:
        assert unread.stdout is not None and unread.stderr is not None
        unread.stdout.close()  # as "head" does
        assert unread.stderr.read() == b"" and unread.wait() == cli.REFUSED
    ranked_in_the_database(monkeypatch)
    assert cli.main(shown) == 0
    said = capsys.readouterr().out
    assert said.count("CREATE TEMPORARY TABLE") == 2 and CANARY not in said
    # A random number is drawn in one statement, which is a table before anything is ranked.
    assert said.count("RANDOM()") == 1 and said.index("RANDOM()") < said.index("ROW_NUMBER()")


def test_a_file_of_duckdb_is_of_one_moment_for_nobody_can_write_to_it(database: Path) -> None:
    writes = "import duckdb, sys; duckdb.connect(sys.argv[1]).execute('DELETE FROM stays')"
    for reading in (connected(f"duckdb:{database}"), nullcontext()):
        with reading as backend:
            run = subprocess.run([sys.executable, "-c", writes, database], capture_output=True)
        assert (run.returncode == 0) == (backend is None), run.stderr


def test_columns_by_other_names_are_mapped(hospital: Hospital, database: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute("CREATE TABLE other AS SELECT pid AS p, ward AS w, stay FROM stays")
    mapping = hospital.folder / "mapping.json"
    mapping.write_text(json.dumps({"pid": "p", "ward": "w"}))
    hospital.run("order", hospital.study)
    sealed = counted(hospital, database, "--table", "other", "--mapping", str(mapping))
    asked = ("--counts", sealed, "--out", hospital.bundle)
    assert hospital.run("release", hospital.study, *asked).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--on", "oracle:x"), "does not know “oracle”"),
        (("--on", "duckdb:/no/such/folder/x.duckdb"), "cannot be reached"),
        (("--on", "duckdb:{0}", "--table", "no_such"), "has no table “no_such”"),
        (("--on", "duckdb:{0}", "--mapping", "no.json"), "which columns are meant"),
        (("--on", "duckdb:{0}", "--mapping", "{1}"), "has no column “no_such”"),
        (("--on", "duckdb:{0}", "--mapping", "{1}", "--show-sql"), "has no column “no_such”"),
        (("--on", "duckdb:{0}", "--table", "labs=stays"), "no further table “labs”"),
        (("--on", "duckdb:{0}", "--code", "0000 0000 0000 0000 0000"), "not the custodian's"),
        (("--on", "duckdb:{0}", "--code", "4f1a"), "Say which order is meant"),
    ],
)
def test_what_cannot_be_carried_out_is_one_sentence(
    hospital: Hospital,
    database: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    mapping = hospital.folder / "mapping.json"
    mapping.write_text(json.dumps({"pid": "no_such"}))
    given = [one.format(database, mapping) for one in arguments]
    assert cli.main(["run", *order, *given]) == 2
    assert said in capsys.readouterr().err
    assert not (hospital.folder / "small.sealed").exists()


def test_what_a_database_is_not_asked_is_refused_before_an_order_is_written(
    hospital: Hospital,
) -> None:
    hospital.write_study(lambda study: study["data"].update(fill_down=True))
    refused = hospital.run("order", hospital.study)
    assert refused.status != 0 and "no order" in refused.err
    assert "1 to 366" in hospital.run("order", hospital.study, "--days", "0").err


def test_a_file_that_cannot_be_written_is_one_sentence(
    hospital: Hospital, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = hospital.folder / "no folder"
    refused = hospital.run("order", hospital.study, "--out", nowhere / "a.order.json")
    assert refused.status != 0 and "cannot be written" in refused.err
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    given = ["run", *order, "--on", f"duckdb:{database}", "--out", str(nowhere / "a.sealed")]
    assert cli.main(given) == 2
    assert "cannot be written" in capsys.readouterr().err
    (hospital.folder / "small.sealed").write_bytes(b"")
    assert cli.main(given[:6]) == 2
    assert "small.sealed" in capsys.readouterr().err


def test_what_a_database_says_of_a_cell_is_not_repeated(
    hospital: Hospital, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A view that stops at one person's cell, which the driver's own words quote."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "CREATE VIEW views AS SELECT CAST(pid AS INT) AS pid, ward, stay FROM stays"
        )
    hospital.run("order", hospital.study)
    order = order_arguments(hospital.folder / "small.order.json")
    assert cli.main(["run", *order, "--on", f"duckdb:{database}", "--table", "views"]) == 2
    said = capsys.readouterr()
    assert "stopped while it counted" in said.err and CANARY not in said.err + said.out
    assert not (hospital.folder / "small.sealed").exists()


def test_the_runner_asks_which_order_is_meant_and_never_says_it(
    hospital: Hospital,
    database: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An order that was swapped on its way would be counted for whoever swapped it."""
    said = hospital.run("order", hospital.study).out
    path, code, *_ = order_arguments(hospital.folder / "small.order.json")[::2]
    assert code in said and code.replace(" ", "") == digest_of(Path(path).read_bytes())[:20]
    given = ["run", path, "--on", f"duckdb:{database}"]
    for answer in ("", code[:-1], code[:-1] + ("0" if code[-1] != "0" else "1")):
        monkeypatch.setattr("sys.stdin", StringIO(answer))
        assert cli.main(given) == 2
    printed = capsys.readouterr()
    assert code not in printed.out + printed.err
    monkeypatch.setattr("sys.stdin", StringIO(code.upper()))
    assert cli.main(given) == 0 and (hospital.folder / "small.sealed").exists()
