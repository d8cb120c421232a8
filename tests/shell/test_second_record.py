# SPDX-License-Identifier: Apache-2.0
"""A second record that is gone is said at once, in the ledger, and by every bundle from then on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.decided import SeparatePeople
from tests.shell.hospital import Hospital
from tests.source_files import ROOT


@pytest.fixture
def put_back(hospital: Hospital) -> Hospital:
    """A hospital whose ledger was put back to the state before its release, the trace removed."""
    backup = hospital.folder / "backup"
    shutil.copy(hospital.home.ledger, backup)
    assert hospital.release().status == 0
    shutil.copy(backup, hospital.home.ledger)
    hospital.home.heads.unlink()
    hospital.bundle.unlink()
    return hospital


@pytest.mark.threat("E6")
def test_a_rollback_without_a_trace_is_not_silent(put_back: Hospital) -> None:
    said = put_back.release()
    assert said.status == 0
    assert [line for line in said.sentences if "second record" in line.lower()]
    listed = put_back.run("account", "show", "small")
    assert "The second record was missing" in listed.out
    found = put_back.run("verify", put_back.bundle, "--json")
    (history,) = [json.loads(found.out)["history"]]
    assert history == {"ok": False, "stated": ["rollback_suspected"]}
    shown = put_back.run("verify", put_back.bundle)
    assert "An older copy of the ledger may once have been in use" in shown.err
    assert "History: no open points" not in shown.out


def test_a_history_that_leaves_nothing_open_is_said_so(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    said = hospital.run("verify", hospital.bundle)
    assert "History: no open points" in said.out
    assert "Rebuilt: yes" in said.out


@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_a_ledger_that_went_away_is_no_new_one(hospital: Hospital, how: str) -> None:
    assert hospital.release().status == 0
    if how == "deleted":
        hospital.home.ledger.unlink()
    else:
        hospital.home.ledger.write_bytes(b"")
    said = hospital.run("account", "list")
    assert said.status == 1
    assert "An older copy of the ledger is in use" in said.err and "small" in said.err
    assert "no accounts yet" not in said.out


@pytest.mark.parametrize(
    "command",
    [
        ["account", "show", "small"],
        ["account", "raise", "small", "2", "--reason", "more questions"],
        ["ledger", "unlock", "small", "--reason", "nothing else"],
        ["plan", "small.dpdesk"],
        ["release", "small.dpdesk", "--fresh", "--out", "again.zip"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_no_command_takes_a_ledger_that_went_away_for_one_without_the_account(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    assert hospital.release().status == 0
    hospital.home.ledger.unlink()
    monkeypatch.chdir(hospital.folder)
    said = hospital.run(*command)
    assert said.status == 1 and not (hospital.folder / "again.zip").exists()
    assert "An older copy of the ledger is in use" in said.err and "small" in said.err
    assert "is not in this ledger" not in said.out + said.err


def test_an_old_copy_says_that_its_money_is_locked(hospital: Hospital) -> None:
    backup = hospital.folder / "backup"
    shutil.copy(hospital.home.ledger, backup)
    assert hospital.release().status == 0
    shutil.copy(backup, hospital.home.ledger)
    said = hospital.run("account", "list")
    assert said.status == 1 and "nothing can be spent" in said.err


@pytest.mark.threat("E6")
def test_a_second_record_that_was_put_back_is_marked(hospital: Hospital) -> None:
    """Two releases behind, it was written again without a word."""
    old = hospital.home.heads.read_bytes()
    release = ("release", hospital.study, "--yes", "--fresh", "--same-extract", "--out")
    for number in (1, 2):
        assert hospital.run(*release, hospital.folder / f"{number}.zip").status == 0
    hospital.home.heads.write_bytes(old)
    said = hospital.run("ledger", "check")
    assert said.status == 0 and "lacked several entries" in said.out
    listed = hospital.run("account", "show", "small")
    assert listed.out.count("The second record was behind by several entries") == 1
    assert hospital.run("ledger", "check").out.count("lacked") == 0, "it was said, and written"


@pytest.mark.parametrize("lost", ["one entry", "one transaction"])
def test_what_a_crash_leaves_behind_is_no_suspicion(hospital: Hospital, lost: str) -> None:
    """Between commit and the second record lies one transaction, which may add several entries."""
    assert hospital.release().status == 0
    old = hospital.home.heads.read_bytes()
    ledger = Ledger.open(hospital.home)
    with ledger.transaction() as transaction:
        for reason in ("a", "b")[: 1 + (lost == "one transaction")]:
            transaction.append("small", SeparatePeople(("other",), reason))
    hospital.home.heads.write_bytes(old)
    assert hospital.run("ledger", "check").out.count("lacked") == 0
    assert "second record" not in hospital.run("account", "show", "small").out


READ_ONLY = """
import ctypes, os, shutil, sys
from pathlib import Path
from tests.release.small_disk import mount
from dpdesk import cli
disk, home = Path(sys.argv[1]), sys.argv[2]
try:
    mount(disk)
except OSError:
    sys.exit(77)
shutil.copytree(home, disk / "home")
MS_RDONLY, MS_REMOUNT = 1, 32
tmpfs, flags = b"tmpfs", MS_RDONLY | MS_REMOUNT
assert ctypes.CDLL(None).mount(tmpfs, os.fsencode(disk), tmpfs, flags, b"") == 0
os.environ["DPDESK_HOME"] = str(disk / "home")
for command in (["account", "show", "small"], ["account", "list"], ["ledger", "check"],
                ["account", "raise", "small", "2", "--reason", "x"]):
    print(command[:2], cli.main(command), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a tmpfs of its own")
def test_a_ledger_on_a_disk_that_cannot_be_written_is_read(
    hospital: Hospital, tmp_path: Path
) -> None:
    assert hospital.release().status == 0
    disk = tmp_path / "disk"
    disk.mkdir()
    command = [sys.executable, "-c", READ_ONLY, disk, hospital.home.root]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("this user may not mount a disk")
    statuses = [line.split()[-1] for line in done.stdout.splitlines() if line.startswith("['")]
    assert statuses == ["0", "0", "0", "1"], done.stderr
    assert "small" in done.stdout and "The ledger is intact" in done.stdout
    assert "cannot be written: it can be read" in done.stderr
