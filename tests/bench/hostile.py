# SPDX-License-Identifier: Apache-2.0
"""How long the slowest bundles keep whoever verifies them, beside starting Python and imports.

Those of the largest releases are verified once more with a dossier of each.

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

from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.dossier.dossier_file import build_dossier
from dpdesk.release.dossier.subject import subject_of
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN
from tests.release.dossier.dossiers import STATED
from tests.release.hostile import SLOW, hostile, slow
from tests.release.verify.test_hostile_bundles import CHILD

COUNT, SEED = 500, 411
NOTHING = "import dpdesk.release.verify.verification"
CHECK = CHILD.format(seconds=999)
WITH_DOSSIER = """
import sys
from pathlib import Path
from dpdesk.release.dossier.dossier_check import check_dossier
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KNOWN
found = verify(Path(sys.argv[1]), KNOWN)
assert check_dossier(Path(sys.argv[2]), KNOWN, [found]).remade == "yes"
(peak,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""


def main() -> None:
    """Print a line for each kind, and for five hundred of the others together."""
    with TemporaryDirectory() as folder:
        start, _ = _timed(NOTHING)
        print(f"{'imports alone':15} {start:6.2f} s")
        for kind in SLOW:
            path = Path(folder) / f"{kind}.zip"
            path.write_bytes(slow(kind))
            seconds, megabytes = _timed(CHECK, str(path))
            size = path.stat().st_size / 1e6
            print(
                f"{kind:15} {seconds:6.2f} s  {megabytes} MB  bundle of {size:.1f} MB", flush=True
            )
            if size > 1:
                dossier = Path(folder) / "dossier.zip"
                subject = subject_of(verify(path, KNOWN), STATED, ReleaseWords.of("de"))
                dossier.write_bytes(build_dossier(subject, KEY))
                seconds, megabytes = _timed(WITH_DOSSIER, str(path), str(dossier))
                print(f"{'… and dossier':15} {seconds:6.2f} s  {megabytes} MB", flush=True)
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
