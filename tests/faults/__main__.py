# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.faults [KILLS [TRIES [EVERY]]]``: faults by the thousand, in one table.

Programs are killed, and try at once for the last of a budget; disks are full after so many blocks;
each call of a release to the disk fails in turn, or each EVERY-th (0: none), where the machine has
``strace``; pages are torn; clocks are years off.

Each line says what was shown, spent and left; 1 where any figure contradicts ``shown <= spent <=
budget``. Everything is drawn, paid and signed as the program does it.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable

from tests.faults import failing_calls, full_disks, other_clocks, torn_pages
from tests.faults.kills import hospital, instalments_drawn, many_kills, raced, release_and_export
from tests.faults.outcome import Outcome, heading, line
from tests.release import dying

KILLS, TRIES, SERIES_KILLS = 1_000, 10_000, 60


def main(arguments: list[str]) -> int:
    """Do all of it, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("kills", nargs="?", type=int, default=KILLS)
    parser.add_argument("tries", nargs="?", type=int, default=TRIES)
    parser.add_argument("every", nargs="?", type=int, default=1)
    wanted = parser.parse_args(arguments)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # it is waited for
    with hospital(dying.SHARE) as place:
        release_and_export(*place)  # so that no copy has to load anything
    fine = []

    def report(what: str, work: Callable[[], Outcome]) -> None:
        started = time.monotonic()
        found = work()
        print(line(what, found, time.monotonic() - started), flush=True)
        fine.append(not found.wrong)

    print(heading(), flush=True)
    if wanted.kills:
        series = min(SERIES_KILLS, 10 * wanted.kills)
        report("kills of a release and its export", lambda: many_kills(wanted.kills))
        report("tries by four programs at once", lambda: raced(wanted.tries))
        report("kills of instalments and others", lambda: instalments_drawn(series))
    if wanted.every:
        report("full disks, by blocks of 4 KiB", full_disks.sweep)
        if failing_calls.is_possible():
            failing_calls.sweep(wanted.every, report)
        report("torn and cut-off ledgers", torn_pages.sweep)
        report("clocks that are years off", other_clocks.sweep)
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
