# SPDX-License-Identifier: Apache-2.0
"""The installer for Windows, compiled on any system that has ``makensis``.

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

import icon_files
import program
import wheelhouse

SCRIPT = wheelhouse.HERE / "windows" / "installer.nsi"
KILOBYTES = 900_000
"""What Windows shows as the size of what is installed."""


def make(work: Path, out: Path, embeddable: Path | None = None) -> Path:
    """Make the installer below a folder for work, and put it into another."""
    house = wheelhouse.make("windows", work / "wheelhouse-windows")
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
        "NUMBERS": numbers(program.version()),
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


def numbers(version: str) -> str:
    """A version as Windows has it.

    >>> numbers("0.2.0"), numbers("1.4rc1")
    ('0.2.0.0', '1.4.0.0')
    """
    parts = [part for part in version.split("rc")[0].split(".") if part.isdigit()]
    return ".".join([*parts, "0", "0", "0", "0"][:4])
