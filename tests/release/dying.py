# SPDX-License-Identifier: Apache-2.0
"""A program that releases and is killed at a given point; run by the tests of crashes and races.

It does what each line of its input says, in a forked copy, so that it starts once. Each run is
again a forked copy that dies by SIGKILL, or lives to write what it shows to ``shown.txt``:
sequence, charge, and the noisy numbers.
"""

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpdesk.privacy.noise.door import OpenDPDoor, software
from dpdesk.release.ledger import Ledger, Transaction, book
from dpdesk.release.places.home import Home
from dpdesk.release.run import reading
from dpdesk.release.run import release_run as run
from dpdesk.study.json import study_files
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.forked_readers import import_all
from tests.release.studies import one_query, record_of

SHARE = Epsilon.of("0.01")
STUDY = replace(one_query(epsilon=SHARE), title="Counted")


def die() -> None:
    """End at once, as a power cut does."""
    os.kill(os.getpid(), signal.SIGKILL)


def _dying_before(place: Any, name: str) -> None:
    setattr(place, name, lambda *_args, **_kwargs: die())


def _dying_after(place: Any, name: str) -> None:
    really: Callable[..., Any] = getattr(place, name)

    def last_act(*args: Any, **kwargs: Any) -> None:
        really(*args, **kwargs)
        die()

    setattr(place, name, last_act)


POINTS: dict[str, Callable[[], None]] = {
    "before-reading": lambda: _dying_before(reading, "encode"),
    "before-draw": lambda: _dying_before(OpenDPDoor, "add_noise"),
    "after-draw": lambda: _dying_after(OpenDPDoor, "add_noise"),
    "before-insert": lambda: _dying_before(Transaction, "append"),
    "after-insert": lambda: _dying_after(Transaction, "append"),
    "before-commit": lambda: _dying_after(run, "store_answer"),
    "after-commit": lambda: _dying_before(book, "write_heads"),
    "while-remembering": lambda: _dying_before(study_files.os, "replace"),
    "before-showing": lambda: _dying_after(book, "write_heads"),
}


Work = Callable[[Home, Path], None]


def show(folder: Path, done: run.ReleaseDone) -> None:
    """Write what a person would see, and make sure that it is on the disk."""
    predicate = record_of(done)["predicate"]
    charged = predicate["queries"][0]["charged"]
    line = f"{done.sequence} {charged} {predicate['drawn']['stays'][0][0]}\n"
    handle = os.open(folder / "shown.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(handle, line.encode("ascii"))
    os.fsync(handle)
    os.close(handle)


def release_once(home: Home, folder: Path) -> None:
    """Draw afresh, pay, show."""
    ledger = Ledger(home, busy_seconds=30)
    show(folder, run.release(STUDY, folder, ledger, OpenDPDoor(), fresh=True, same_extract=True))


def forked(body: Callable[[], None]) -> int:
    """Start a copy of this program that runs the body."""
    child = os.fork()
    if child:
        return child
    try:
        body()
        os._exit(0)
    except Refused as refused:
        os._exit(3 if refused.problems[0].code == "budget-exceeded" else 4)
    except BaseException:
        os._exit(5)


def die_at(point: str, home: Home, folder: Path, runs: int) -> None:
    """Start releases that all die at one point."""

    def body() -> None:
        POINTS[point]()
        release_once(home, folder)

    for _ in range(runs):
        _child, status = os.waitpid(forked(body), 0)
        if not os.WIFSIGNALED(status):
            sys.exit(f"a release outlived {point}: {os.WEXITSTATUS(status)}")


def die_anywhere(
    home: Home, folder: Path, runs: int, at_once: int = 1, once: Work = release_once
) -> None:
    """Start endless releases, some at once, and kill each at an unforeseen moment.

    The moments are spread over a few releases, however long one takes on this machine.
    """
    started = time.monotonic()
    os.waitpid(forked(lambda: once(home, folder)), 0)
    longest = max(0.08, 3 * (time.monotonic() - started))

    def body() -> None:
        while True:
            once(home, folder)

    children = [forked(body) for _ in range(at_once)]
    for left in range(runs - 1, -1, -1):
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.002, longest))
        signal.sigwait({signal.SIGALRM})
        oldest = children.pop(0)
        os.kill(oldest, signal.SIGKILL)
        os.waitpid(oldest, 0)
        children += [forked(body)] if left >= at_once else []


def race(home: Home, folder: Path, racers: int) -> None:
    """Release in several programs at once until the account is empty."""

    def body() -> None:
        while True:
            release_once(home, folder)

    children = [forked(body) for _ in range(racers)]
    ends = {os.WEXITSTATUS(os.waitpid(child, 0)[1]) for child in children}
    if ends != {3}:
        sys.exit(f"racers ended with {ends}")


def obey(what: str, home: str, folder: str, number: str) -> None:
    """Do what a line says: a point, ``anywhere``, ``storm`` or ``race``; and how many runs."""
    place = (Home.at(Path(home)), Path(folder), int(number))
    if what == "race":
        race(*place)
    elif what in ("anywhere", "storm"):
        die_anywhere(*place, at_once=4 if what == "storm" else 1)
    else:
        die_at(what, *place)


def ending(line: str) -> str:
    """Obey a line of JSON in a copy; nothing, or what went wrong."""
    child = os.fork()
    if child:
        return "" if os.waitpid(child, 0)[1] == 0 else "it failed; see the errors above"
    status = 1
    try:
        obey(*json.loads(line))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def main() -> None:
    """Answer each line when what it says is done."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})  # it is waited for
    # Once for all copies: half a second of imports, and the whole noise library is read.
    import_all("dpdesk.data", "dpdesk.release")
    software()
    for line in sys.stdin:
        print(ending(line), flush=True)


if __name__ == "__main__":
    main()
