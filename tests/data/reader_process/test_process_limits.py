# SPDX-License-Identifier: Apache-2.0
"""A reading process keeps within bounds, and nothing it prints is heard."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.data.reader_process import process_limits as limits
from tests.source_files import ROOT

PRINTS = """
import os, sys, ctypes
from dpdesk.data.reader_process.process_limits import own_pipes
asks, answers = own_pipes()
os.write(1, b'HIV-positive'); os.write(2, b'HIV-positive')
print('HIV-positive'); print('HIV-positive', file=sys.stderr)
if sys.platform != 'win32':
    libc = ctypes.CDLL(None)
    libc.puts(b'HIV-positive')
    libc.fflush(None)
sys.stdout.flush()
assert os.read(0, 10) == b''
answers.write(asks.read(5))
"""

LIMITS = """
import resource, signal
from dpdesk.data.reader_process.process_limits import bound_process
bound_process()
print(resource.getrlimit(resource.RLIMIT_CORE)[0], resource.getrlimit(resource.RLIMIT_AS)[0])
print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
"""


def run(code: str, given: bytes = b"") -> list[bytes]:
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=given, capture_output=True, check=True
    )
    assert ended.stderr == b""
    return ended.stdout.split()


def test_what_is_printed_reaches_neither_the_answers_nor_anybody() -> None:
    assert run(PRINTS, b"asked, and more") == [b"asked"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_the_memory_is_bounded_and_none_of_it_is_kept_on_the_disk() -> None:
    core, memory, ignores = run(LIMITS)
    assert core in (b"0", b"1") and ignores == b"True"
    if sys.platform == "linux":
        assert int(memory) >= limits.LEAST_BYTES
        assert int(memory) <= max(limits.LEAST_BYTES, limits._machine_bytes())


DIES = """
import os, resource
_, most = resource.getrlimit(resource.RLIMIT_CORE)
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
from dpdesk.data.reader_process.process_limits import bound_process
bound_process()
os.abort()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows writes no such files")
def test_a_crash_leaves_no_file(tmp_path: Path) -> None:
    import resource

    if not resource.getrlimit(resource.RLIMIT_CORE)[1]:
        pytest.skip("this machine keeps no memory of a crash, whoever asks")
    run = [sys.executable, "-c", DIES]
    ended = subprocess.run(run, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True)
    assert ended.returncode == -signal.SIGABRT
    assert list(tmp_path.iterdir()) == []
