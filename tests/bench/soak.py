# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.soak``: the same work over and over; what it keeps in memory.

A study that is opened and looked through, and a release that is made anew, must leave
nothing behind. The first rounds fill caches; what grows after them, grows for ever.
"""

import contextlib
import gc
import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench.cases import SAMPLE

WARM_UP = 60
"""Caches and the allocator's pools fill until then: objects stay the same from the fifth on."""
ROUNDS = 40
MOST_KIB_A_ROUND = 64


def resident() -> int:
    """KiB of memory that this process holds."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def growth(work: Callable[[], None]) -> float:
    """KiB that a round leaves behind, after the first ones."""
    for _ in range(WARM_UP):
        work()
    gc.collect()
    before = resident()
    for _ in range(ROUNDS):
        work()
    gc.collect()
    return (resident() - before) / ROUNDS


def release_again(folder: Path) -> Callable[[], None]:
    """A release whose answers are drawn anew each time."""
    from dpdesk import cli

    def run(*arguments: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            if cli.main(arguments):
                raise RuntimeError(" ".join(arguments))

    run("key", "new", "--sample")
    run("account", "new", "sample-hospital", "100")
    bundle = folder / "bundle.zip"
    again = ("release", str(SAMPLE / "sample.dpdesk"), "--yes", "--fresh", "--same-extract")

    def once() -> None:
        bundle.unlink(missing_ok=True)
        run(*again, "--out", str(bundle))

    return once


def open_again(folder: Path) -> Callable[[], None]:
    """A window in which the sample is opened and led through every page."""
    from PySide6.QtCore import QCoreApplication, QEvent

    from dpdesk.desk.app import application, make_window
    from dpdesk.release.places.home import Home

    app = application()
    window = make_window(app, Home.at(folder / "desk"))
    window.show()

    def once() -> None:
        window.opening.open_sample()
        for page in window.pages:
            window.go_to(page)
            app.processEvents()
        # Without a running event loop nobody else carries out what was put off.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    return once


def main() -> int:
    """Soak both and print what stays; 1 where it grows."""
    grows = False
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DPDESK_HOME"] = str(folder / "home")
        os.environ["DPDESK_PASSPHRASE_FILE"] = str(folder / "passphrase.txt")
        (folder / "passphrase.txt").write_text("only for soaking\n")
        Path(os.environ["DPDESK_HOME"]).mkdir()
        for what, make in (("window", open_again), ("release", release_again)):
            kept = growth(make(folder))
            grows |= kept > MOST_KIB_A_ROUND
            print(f"{what:<10} {ROUNDS} rounds, {kept:8.1f} KiB kept a round", flush=True)
    return 1 if grows else 0


if __name__ == "__main__":
    sys.exit(main())
