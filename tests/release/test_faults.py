# SPDX-License-Identifier: Apache-2.0
"""A short slice of ``python -m tests.faults``: killed exports, and tries by four at once."""

import subprocess
import sys

import pytest

from tests.source_files import ROOT


@pytest.mark.threat("E9", "E10")
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
def test_kills_and_races_show_nothing_unpaid_and_pay_nothing_twice() -> None:
    command = [sys.executable, "-m", "tests.faults", "2", "40", "0"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("wrong: nothing") == 3
