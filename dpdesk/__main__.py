# SPDX-License-Identifier: Apache-2.0
"""``python -m dpdesk``: a look at Qt's version, then the shell's front door.

The process that reads files for another one (``data.reader_process``) starts here, too.
"""

from __future__ import annotations

import gc
import sys

COLLECTED_AFTER = 100_000
"""New objects before garbage is looked for. What is loaded stays: to walk through it after each
700, as Python does, took a tenth of a second of every command."""

# 6.11.0 and 6.11.1 break dock and layout sizes. 6.12.0 loses a reference to None with
# every void call and aborts after some thousand of them, so short tests pass with it.
UNFIT_QT = frozenset({"6.11.0", "6.11.1", "6.12.0"})


def qt_version() -> str | None:
    """The installed PySide6, found without importing it; None where there is none."""
    for package in ("PySide6-Essentials", "PySide6"):
        try:
            return version(package)
        except ModuleNotFoundError:
            # Such is the error of a package that is not installed.
            continue
    return None


def version(package: str) -> str:
    # Loaded here: the process that reads files has no time to lose.
    from importlib.metadata import version as installed

    return installed(package)


def main() -> int:
    """Start dpdesk with the process's arguments and return its exit status."""
    if sys.argv[1:] == ["--read-table"]:
        from dpdesk.data.reader_process.worker import run_worker

        return run_worker()
    from dpdesk.data.reader_process.process_limits import leave_no_core

    # This process holds ids, too; a crash once left 199 MB with 21,026 lines of a file.
    leave_no_core()
    installed = qt_version()
    if installed in UNFIT_QT:
        print(
            f"dpdesk cannot run on PySide6 {installed}, which is faulty: "
            "install PySide6-Essentials 6.11.3 instead.",
            file=sys.stderr,
        )
        return 1
    gc.set_threshold(COLLECTED_AFTER)
    from dpdesk.cli import main as shell_main

    return shell_main(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
