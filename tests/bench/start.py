# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.start [ROUNDS]``: how long a start takes, beside the least there is.

The window until it is on the screen, and until all that its pages need is loaded, beside an empty
window of Qt; ``dpdesk plan`` beside importing pandas. Ratios are of the processor's time of whole
processes, which other programs lengthen less than they lengthen seconds; both are shown. Where
little else runs, the window is there within 1.0 s and loaded within 2.0 s.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.bench.cases import BENCH, Place, yardstick
from tests.bench.measure import Process

ROUNDS = 5
MOST_WINDOW, MOST_PLAN = 4.0, 1.0
"""Times an empty window, and times importing pandas."""

LOADED = """
from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.jobs.garbage_collector import GarbageCollector
from dpdesk.desk.main_window.warm_up import WarmUp
from dpdesk.release.places.home import Home

app = application()
window = make_window(app, Home.locate())
GarbageCollector(app)
WarmUp(window, window.session, window.pages).done.connect(window.close)
window.show()
app.exec()
"""


@dataclass(frozen=True)
class Took:
    """Medians of whole processes: seconds, and the processor's."""

    seconds: float
    processor: float


def main(arguments: list[str]) -> int:
    """Print the table; 1 where a target is missed."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        commands = {
            "an empty window of Qt": place.python(yardstick("window.py")),
            "the window, on the screen": place.python(str(BENCH / "desk_window.py")),
            "the window, all loaded": place.python("-c", LOADED),
            "import pandas": place.python("-c", "import pandas"),
            "dpdesk plan": place.dpdesk("plan", str(BENCH / "diabetes.dpdesk")),
        }
        took = _measured(commands, rounds)
    empty, shown, _loaded, pandas, plan = took.values()
    beside = (empty, empty, empty, pandas, pandas)
    print(f"{'median of whole processes':28}{'seconds':>10}{'of processor':>15}{'ratio':>8}")
    for (name, one), least in zip(took.items(), beside, strict=True):
        ratio = one.processor / least.processor
        print(f"{name:28}{one.seconds:8.2f} s{one.processor:13.2f} s{ratio:8.1f}")
    window, planned = shown.processor / empty.processor, plan.processor / pandas.processor
    return 1 if window > MOST_WINDOW or planned >= MOST_PLAN else 0


def _measured(commands: dict[str, Process], rounds: int) -> dict[str, Took]:
    """Take turns, so that a slow minute of the machine falls on all; a first turn warms up."""
    turns = [[_once(one) for one in commands.values()] for _ in range(rounds + 1)][1:]
    columns = zip(*turns, strict=True)
    medians = (tuple(map(statistics.median, zip(*column, strict=True))) for column in columns)
    return {name: Took(*median) for name, median in zip(commands, medians, strict=True)}


def _once(process: Process) -> tuple[float, float]:
    before, begun = _children(), time.perf_counter()
    process.seconds()
    return time.perf_counter() - begun, _children() - before


def _children() -> float:
    """The processor's seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
