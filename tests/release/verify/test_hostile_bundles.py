# SPDX-License-Identifier: Apache-2.0
"""Whatever somebody hands in as a bundle gets an answer: no crash, no hang, no gigabytes.

How long each takes is measured by ``python -m tests.bench.hostile``; here a process that may use
so much processor time and memory, and no more, answers all of them.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.audit.length import FULL, runs
from tests.release.bundles import KNOWN
from tests.release.hostile import MOST_BYTES, hostile, slow

COUNT = runs(short=150, full=500)
MEGABYTES = 350
WITHIN_S = 60
"""Processor time for the worst bundle, with Python's start, on a machine that is busy."""

CHILD = """
import resource, sys
from pathlib import Path
from dpdesk.release.signing.signers import Signers
from dpdesk.release.verify.verification import verify
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
found = verify(Path(sys.argv[1]), Signers())
print(found.is_whole and found.claim_holds)
(peak,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""


@pytest.mark.threat("G2")
def test_hostile_bundles_are_each_answered() -> None:
    good = []
    for name, raw in hostile(1, COUNT):
        try:
            found = verify(raw, KNOWN)
        except Refused as refused:
            assert refused.problems, name
            continue
        assert found.whole or found.claim is not None, name
        if found.is_good:
            good.append(name)
    # What was changed into itself, or into another form of the same, is good.
    assert len(good) < COUNT // 20, good


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to look at memory")
@pytest.mark.parametrize("kind", ["cut-offs", *(["largest"] if FULL else [])])
def test_the_slowest_bundles_are_answered_in_bounded_time_and_memory(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "slow.zip"
    raw = slow(kind)
    path.write_bytes(raw)
    assert kind == "largest" or len(raw) < MOST_BYTES
    child = CHILD.format(seconds=WITHIN_S)
    done = subprocess.run(
        [sys.executable, "-c", child, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    good, megabytes = done.stdout.split()
    assert good == "True" and int(megabytes) < MEGABYTES
