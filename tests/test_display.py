# SPDX-License-Identifier: Apache-2.0
"""The desk on a real X display: the platform plugin and all that it loads are there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_files import ROOT
from tests.waiting import LIMIT_S

pytestmark = pytest.mark.skipif(
    not shutil.which("Xvfb"), reason="no virtual display (Xvfb) on this machine"
)


@pytest.fixture
def display() -> Iterator[str]:
    """A display of this test's own."""
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1280x800x24",
        "-nolisten",
        "tcp",
    ]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(LIMIT_S)


def test_the_window_opens_on_a_display(display: str, dpdesk_home: Path, tmp_path: Path) -> None:
    variables = {
        **os.environ,
        "DISPLAY": display,
        "DPDESK_HOME": str(dpdesk_home),
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "xcb",
    }
    opened = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "bench" / "desk_window.py")],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert opened.returncode == 0, opened.stderr
    assert "Traceback" not in opened.stderr
