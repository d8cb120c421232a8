# SPDX-License-Identifier: Apache-2.0
"""A disk that is full at any write: nothing is shown unpaid, and nothing is paid twice."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.audit.length import some
from tests.shell.conftest import hospital  # noqa: F401 - a fixture
from tests.shell.hospital import Hospital
from tests.source_files import ROOT
from tests.waiting import LIMIT_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a tmpfs of its own")

Found = list[dict[str, Any]]
Run = Callable[..., Found]
FREE = range(64)
"""Blocks of 4 KiB; with the most of them every command here has room enough."""
SPENT = "0.5"


@pytest.fixture(scope="module")
def small_disks() -> Iterator[subprocess.Popen[str]]:
    """The program that makes small disks; it is started once."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, "-m", "tests.release.small_disk"]
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as program:
        yield program
        assert program.stdin is not None
        program.stdin.close()
        assert program.wait(LIMIT_S) == 0


@pytest.fixture
def on_disk(
    small_disks: subprocess.Popen[str],
    hospital: Hospital,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    """Runs commands on a small disk: the first meets it full, the others have room.

    What is called ``DISK`` in a command is the folder of study, data and, by default,
    the home.
    """
    template, disk = tmp_path_factory.mktemp("template"), tmp_path_factory.mktemp("disk")
    for name in ("small.dpdesk", "stays.csv", "passphrase"):
        shutil.copy(hospital.folder / name, template / name)
    shutil.copytree(hospital.home.root, template / "home")

    def run(free: int, *commands: str, home: str = "DISK/home") -> Found:
        words = [c.replace("DISK", str(disk)).split() for c in commands]
        place = home.replace("DISK", str(disk))
        order = [str(template), str(disk), place, free, words]
        assert small_disks.stdin is not None and small_disks.stdout is not None
        small_disks.stdin.write(json.dumps(order) + "\n")
        small_disks.stdin.flush()
        found = json.loads(small_disks.stdout.readline())
        if "failed" in found and "OSError" in found["failed"]:
            pytest.skip("this user may not mount a disk")
        assert isinstance(found, list), found
        return found

    return run


RELEASE = "release DISK/small.dpdesk --yes --fresh --out DISK/bundle.zip"
SHOW = "account show small --json"


@pytest.mark.threat("E10")
@pytest.mark.parametrize("free", some(FREE, 40))
def test_a_full_disk_refuses_a_release_before_it_is_paid(on_disk: Run, free: int) -> None:
    first, shown, second, checked, after, files = on_disk(
        free, RELEASE, SHOW, RELEASE, "ledger check", SHOW
    )
    spent = json.loads(shown["out"])["spent"]
    assert (first["status"], spent) in ((0, SPENT), (1, "0")), first
    assert first["status"] == 0 or ("Nothing was spent" in first["err"] and not first["out"])
    assert (second["status"], checked["status"]) == (int(first["status"] == 0), 0), second
    assert json.loads(after["out"])["spent"] == SPENT
    assert "bundle.zip" in files["files"]
    assert not [name for name in files["files"] if "part" in name or "unwritten" in name]


def test_a_full_disk_is_named_and_its_ledger_can_be_read(on_disk: Run) -> None:
    refused = on_disk(0, "account new other 1")[0]
    assert (refused["status"], "The disk is full" in refused["err"]) == (1, True), refused
    shown = on_disk(0, SHOW)[0]
    assert (shown["status"], json.loads(shown["out"])["spent"]) == (0, "0"), shown


@pytest.mark.threat("E10")
def test_a_full_disk_for_the_bundle_alone_spends_nothing(on_disk: Run, hospital: Hospital) -> None:  # noqa: F811
    home = str(hospital.home.root)
    first, second, files = on_disk(3, RELEASE, RELEASE, home=home)
    assert first["status"] == 1 and "more than this disk has" in first["err"], first
    assert (second["status"], hospital.spent) == (0, SPENT)
    assert "bundle.zip" in files["files"]


COMMANDS = {
    "account new other 1": "account show other",
    "account raise small 2 --reason more": "account show small",
    "ledger export DISK/out.zip": "",
    "ledger export DISK/out": "",
    "ledger backup DISK/backup.zip": "",
}


@pytest.mark.threat("E10")
@pytest.mark.parametrize("free", some(FREE[2:], 62))
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.in_turn(2)
def test_a_full_disk_leaves_each_command_whole_or_undone(
    on_disk: Run, command: str, free: int
) -> None:
    show = COMMANDS[command] or "account list"
    first, shown, second, checked, files = on_disk(free, command, show, command, "ledger check")
    done = first["status"] == 0
    assert done or (first["err"] and "went wrong" not in first["err"]), first
    if "account new" in command:
        assert shown["status"] == first["status"], shown
    if "raise" in command:
        assert ("raise" in shown["out"]) == done, shown
    assert (second["status"], checked["status"]) == (int(done and "backup" not in command), 0)
    assert not [name for name in files["files"] if "part" in name]
