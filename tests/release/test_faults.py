# SPDX-License-Identifier: Apache-2.0
"""A short slice of ``python -m tests.faults``: kills, tries by four at once, failing calls."""

import subprocess
import sys

import pytest

from tests.faults import failing_calls
from tests.source_files import ROOT
from tests.turns import in_turn


@pytest.mark.threat("E9", "E10")
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
@pytest.mark.long
def test_kills_and_races_show_nothing_unpaid_and_pay_nothing_twice() -> None:
    command = [sys.executable, "-m", "tests.faults", "2", "40", "0"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("  nothing (") == 3


@pytest.mark.threat("E10")
@pytest.mark.skipif(not failing_calls.is_possible(), reason="needs strace")
def test_a_failing_call_to_the_disk_shows_nothing_unpaid_and_pays_nothing_twice() -> None:
    cases = ("fsync:3", "unlink:3", "fcntl:-18", "pread64:-6", "pread64:-14")
    command = [sys.executable, "-m", "tests.faults.failing_calls", *in_turn(cases, 2)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "attach" in ended.stderr:
        pytest.skip("this user may not watch a process")
    assert ended.returncode == 0, ended.stdout + ended.stderr
