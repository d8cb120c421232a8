# SPDX-License-Identifier: Apache-2.0
"""How long the slowest bundles keep whoever verifies them, beside starting Python and imports.

python -m tests.bench.hostile
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.release.bundles import KNOWN
from tests.release.hostile import SLOW, hostile, slow
from tests.release.verify.test_hostile_bundles import CHILD

COUNT, SEED = 500, 411
NOTHING = "import dpdesk.release.verify.verification"
CHECK = CHILD.format(seconds=999)


def main() -> None:
    """Print a line for each kind, and for five hundred of the others together."""
    with TemporaryDirectory() as folder:
        start, _ = _timed(NOTHING)
        print(f"{'imports alone':12} {start:6.2f} s")
        for kind in SLOW:
            path = Path(folder) / f"{kind}.zip"
            path.write_bytes(slow(kind))
            seconds, megabytes = _timed(CHECK, str(path))
            size = path.stat().st_size / 1e6
            print(
                f"{kind:12} {seconds:6.2f} s  {megabytes} MB  bundle of {size:.1f} MB", flush=True
            )
    times = sorted(_each(), reverse=True)
    slowest, name = times[0]
    print(f"{COUNT} others: {sum(t for t, _ in times):.1f} s, slowest {slowest:.3f} s: {name}")


def _timed(code: str, *arguments: str) -> tuple[float, str]:
    """Processor seconds of a child, and the last thing that it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.stdout.split()[-1] if done.stdout else ""


def _each() -> list[tuple[float, str]]:
    times = []
    for name, raw in hostile(SEED, COUNT):
        start = time.process_time()
        with suppress(Refused):
            verify(raw, KNOWN)
        times.append((time.process_time() - start, name))
    return times


if __name__ == "__main__":
    main()
