# SPDX-License-Identifier: Apache-2.0
"""The geometry of pages and dialogs again, in a process whose screen is scaled to 200 %.

In German, whose words are the longer ones; ``python -m tests.desk.all_layouts`` has both.
"""

import os
import subprocess
import sys

import pytest

from tests.audit.length import FULL
from tests.desk import test_layouts
from tests.source_files import ROOT


@pytest.mark.in_turn(2)
def test_nothing_is_cut_off_at_200_percent() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--assert=plain"]
    looks = "grows or overlaps or first_page" if FULL else "overlaps"
    command += [str(test_layouts.__file__), "-k", f"({looks}) and de"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "QT_SCALE_FACTOR": "2", "DPDESK_TURN": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
