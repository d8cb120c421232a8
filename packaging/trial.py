# SPDX-License-Identifier: Apache-2.0
"""The Debian package on a clean system, under a window manager: ``build.py try``.

Two packages of two versions are needed, for upgrade and downgrade: where only one is there, the
other is the same one with a higher number.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import clean_root
import environment
import machine

TESTS = "tests/installed"
_VERSION = re.compile(r"^Version: (.*)$", re.MULTILINE)


def run(package: Path, other: Path | None, work: Path, pictures: Path) -> int:
    """Try a package; pictures of the screen go to a folder.

    Args:
        other: of another version, to which it is upgraded and from which it is downgraded.
        work: where the clean system is kept for the next time.
    """
    if os.geteuid() != 0:
        sys.exit("This changes the root folder, so it needs root, in a container for example.")
    machine.provide(machine.trial_packages())
    environment.prepare(environment.TEST_LOCK)
    other = other or renumbered(package, work)
    if version(package) == version(other):
        sys.exit(f"Both packages are of version {version(package)}; build one of another version.")
    base = clean_root.make(work / "clean-root", [package, other])
    variables = {
        "DPDESK_INSTALLED": str(base.folder),
        "DPDESK_INSTALLED_PACKAGES": f"{package.name}:{other.name}",
        "DPDESK_SCREENS": str(pictures),
    }
    return environment.call(["-m", "pytest", "-q", "-rA", "--durations=0", TESTS], **variables)


def renumbered(package: Path, work: Path) -> Path:
    """The same package with a higher version number."""
    place, target = work / "renumbered", work / package.name.replace("_", "-next_", 1)
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(place)], check=True)
    control = place / "DEBIAN/control"
    control.write_text(_VERSION.sub(r"Version: \1+next", control.read_text("utf-8")), "utf-8")
    build = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(place), str(target)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(place)
    return target


def version(package: Path) -> str:
    """A package's version."""
    asked = ["dpkg-deb", "--field", str(package), "Version"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
