# SPDX-License-Identifier: Apache-2.0
"""A full disk is said in one sentence at each act of the window; nothing is spent or lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.source_files import ROOT
from tests.waiting import LIMIT_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a tmpfs of its own")

WORK = """
import json, os, sys
from pathlib import Path
from tests.release import small_disk
folder = Path(sys.argv[1])
try:
    small_disk.mount(folder)  # while there is no other thread
except OSError:
    sys.exit(77)
os.environ["DPDESK_HOME"] = str(folder / "home")
from tests.desk import full_disk
try:
    print(json.dumps(full_disk.twice(folder)))
except BaseException as error:
    print(json.dumps({"failed": repr(error)}))
sys.stdout.flush()
os._exit(0)
"""
SAID = {
    "prefer": "Your choice applies until dpdesk closes, but cannot be saved; make room",
    "log": "Internal error (ValueError)",
    "pictures": "cannot be saved: png, svg, pdf",
    "paper": "dpdesk cannot save there. Choose another folder.",
    "export": (
        "bundle.zip cannot be written. Check the disk and the permissions of the folder, "
        "or choose another folder."
    ),
    "dossier": "dossier.zip cannot be written. Check the disk",
    "edit": (
        "stays.dpdesk cannot be written. Check the disk and the permissions of the folder, "
        "or choose another folder."
    ),
    "release": "The disk is full, so the ledger cannot be written",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a window said and left, on a full disk and with room."""
    ended = subprocess.run(
        [sys.executable, "-c", WORK, str(tmp_path_factory.mktemp("disk"))],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if ended.returncode == 77:
        pytest.skip("this user may not mount a disk")
    assert ended.returncode == 0, ended.stderr
    outcome: dict[str, Any] = json.loads(ended.stdout)
    assert "failed" not in outcome, outcome
    return outcome


@pytest.mark.parametrize("act", SAID)
@pytest.mark.in_turn(4)
def test_a_full_disk_is_said_where_it_is_met(act: str, found: dict[str, Any]) -> None:
    assert SAID[act] in found["full"][act]


@pytest.mark.parametrize("act", sorted(SAID.keys() - {"log"}))
def test_with_room_again_it_is_not(act: str, found: dict[str, Any]) -> None:
    assert "cannot be" not in found["again"][act]


def test_a_full_disk_costs_nothing_and_leaves_nothing_half_written(found: dict[str, Any]) -> None:
    assert found["spent"] == 0
    assert found["files"] == ["ballast", "first.zip", "home", "stays.csv", "stays.dpdesk"]
    assert "Not saved" in found["full"]["edit"]


def test_with_room_again_nothing_is_lost(found: dict[str, Any]) -> None:
    assert found["held"] and found["kept"] and found["sound"]
    assert found["paid"] > 0
    assert "dossier.zip is saved" in found["again"]["dossier"]
