# SPDX-License-Identifier: Apache-2.0
"""``python -m dpdesk``: a look at Qt's version, then the shell's front door."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

# 6.11.0 and 6.11.1 break dock and layout sizes. 6.12.0 loses a reference to None with
# every void call and aborts after some thousand of them, so short tests pass with it.
UNFIT_QT = frozenset({"6.11.0", "6.11.1", "6.12.0"})


def qt_version() -> str | None:
    """The installed PySide6, found without importing it; None where there is none."""
    for package in ("PySide6-Essentials", "PySide6"):
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return None


def main() -> int:
    """Start dpdesk with the process's arguments and return its exit status."""
    found = qt_version()
    if found in UNFIT_QT:
        print(
            f"dpdesk cannot run on PySide6 {found}, which is faulty: "
            "install PySide6-Essentials 6.11.3 instead.",
            file=sys.stderr,
        )
        return 1
    from dpdesk.cli import main as shell_main

    return shell_main(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
