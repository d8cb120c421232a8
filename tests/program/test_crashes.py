# SPDX-License-Identifier: Apache-2.0
"""A process that dies says where in the code it was, and nothing of what it held."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.program import crashes, log
from dpdesk.release.places.home import Home

CANARY = "canary-4711"
DYING = f"""
import ctypes, sys
from pathlib import Path
from dpdesk.program import crashes
from dpdesk.release.places.home import Home
crashes.watch(Home.at(Path(sys.argv[1])))
def reading_a_cell(cell):
    note = [cell] * 3
    {{fatal}}
reading_a_cell("{CANARY}")
"""
FATAL = {"Segmentation fault": "ctypes.string_at(0)", "Aborted": "import os; os.abort()"}


def crash(root: Path, fatal: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", DYING.format(fatal=fatal), str(root)],
        capture_output=True,
        check=False,
    )
    assert ended.returncode != 0
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize("kind", FATAL)
def test_the_next_start_logs_where_the_last_one_died(kind: str, tmp_path: Path) -> None:
    root = tmp_path / f"folder-{CANARY}"
    crash(root, FATAL[kind])
    raw = (root / "logs" / "crash.log").read_text(encoding="utf-8")
    assert "reading_a_cell" in raw
    crash(root, "import os; os._exit(1)")
    logged = (root / "logs" / "faults.log").read_text(encoding="utf-8")
    assert f"crash: {kind}" in logged
    assert "<string>:9 reading_a_cell" in logged
    for text in (raw, logged):
        assert CANARY not in text
    assert (root / "logs" / "crash.log").read_bytes() == b""


def test_what_is_no_place_in_the_code_is_not_kept() -> None:
    text = (
        f"Fatal Python error: Aborted\n{CANARY}\nThread 0x00007f (most recent call first):\n"
        f'  File "/home of/{CANARY}/dpdesk/csv.py", line 7 in read\n  File "{CANARY} x", line 1\n'
    )
    assert crashes.describe(text) == "crash: Aborted\n  thread\n  csv.py:7 read"


def test_a_quiet_end_logs_nothing_and_many_crashes_little(tmp_path: Path) -> None:
    crash(tmp_path, "import os; os._exit(1)")
    crash(tmp_path, "import os; os._exit(1)")
    assert not (tmp_path / "logs" / "faults.log").exists()
    place = '  File "a.py", line 1 in f\n'
    (tmp_path / "logs" / "crash.log").write_text("Fatal Python error: Aborted\n" + 10**5 * place)
    crash(tmp_path, "import os; os._exit(1)")
    assert (tmp_path / "logs" / "faults.log").stat().st_size < log.MOST_BYTES / 10


def test_a_home_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    crashes.watch(Home.at(tmp_path / "file"))
