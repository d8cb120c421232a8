# SPDX-License-Identifier: Apache-2.0
"""The installer for Windows, compiled on any system that has ``makensis``.

    python3 packaging/windows_installer.py [ZIP]        into build/packages

It holds a wheelhouse and makes an environment of it for one user, by the Python that the PC has:
a Windows program cannot be frozen on Linux. With the embeddable Python for Windows, which whoever
builds brings from python.org as a zip, the PC needs none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import appearance
import environment
import icon_files
import program
import wheelhouse

SCRIPT = wheelhouse.HERE / "windows" / "installer.nsi"
KILOBYTES = 900_000
"""What Windows shows as the size of what is installed."""


def make(work: Path, out: Path, embeddable: Path | None = None) -> Path:
    """Make the installer below a folder for work, and put it into another."""
    house = wheelhouse.make("windows", work / "wheels-windows")
    icon = work / "dpdesk.ico"
    icon.write_bytes(icon_files.ico(icon_files.draw(list(icon_files.WINDOWS_SIZES))))
    python = unpack(embeddable, work / "python-windows") if embeddable else None
    installer = out / f"{program.NAME}-{program.version()}-windows-x64.exe"
    compile_script(house, icon, installer, python)
    return installer


def unpack(embeddable: Path, folder: Path) -> Path:
    """Unpack python.org's embeddable zip; of another Python there is no wheel."""
    shutil.rmtree(folder, ignore_errors=True)
    names = {f"python{python.replace('.', '')}._pth" for python in wheelhouse.PYTHONS}
    with zipfile.ZipFile(embeddable) as archive:
        if not names & set(archive.namelist()):
            sys.exit(f"{embeddable} is no embeddable Python {', '.join(wheelhouse.PYTHONS)}.")
        archive.extractall(folder)
    return folder


def compile_script(house: Path, icon: Path, installer: Path, python: Path | None) -> None:
    """Compile the script on a wheelhouse; only the installer is left."""
    defined = {
        "NAME": program.NAME,
        "VERSION": program.version(),
        "NUMBERS": ".".join(map(str, appearance.numbers(program.version()))),
        "SUMMARY": program.SUMMARY,
        "PUBLISHER": program.MAINTAINER,
        "STUDY_MIME": program.STUDY.mime,
        "STUDY_COMMENT": program.STUDY.comment,
        "HOUSE": house.absolute(),
        "ICON": icon.absolute(),
        "KILOBYTES": KILOBYTES,
        "OUT": installer.absolute(),
        **({"EMBEDDED": python.absolute()} if python else {}),
    }
    if not shutil.which("makensis"):
        sys.exit("makensis is missing: Debian and Ubuntu have it in the package nsis.")
    options = [f"-D{name}={value}" for name, value in defined.items()]
    command = ["makensis", "-NOCD", "-V2", "-WX", *options, str(SCRIPT)]
    subprocess.run(command, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})


def main(arguments: list[str]) -> int:
    """Make the installer, with the embeddable Python of a zip where one is named."""
    environment.prepare(environment.TEST_LOCK)
    wheelhouse.PACKAGES.mkdir(parents=True, exist_ok=True)
    embeddable = Path(arguments[0]) if arguments else None
    print(make(wheelhouse.PACKAGES.parent, wheelhouse.PACKAGES, embeddable))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
