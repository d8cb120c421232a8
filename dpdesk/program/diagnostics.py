# SPDX-License-Identifier: Apache-2.0
"""What support needs to know of a machine, as a text that its user reads before sending it.

It holds nothing of the data: no path, file name, title, name, account or figure. Every line comes
from a list of things that are asked for, and a setting is shown where it has one of its own values.
In English, as those who read it may sit anywhere.
"""

from __future__ import annotations

import configparser
import locale
import platform
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from dpdesk import __version__
from dpdesk.program import faults, log
from dpdesk.program.installed_files import LIST, companion, program_folder
from dpdesk.release.places.home import Home

FILE_NAME = "dpdesk-diagnostics.txt"
LOG_LINES = 200
FAULT_LINES = 100
PACKAGES = (
    "PySide6-Essentials",
    "bcrypt",
    "cryptography",
    "numpy",
    "opendp",
    "pandas",
    "platformdirs",
    "pyarrow",
    "pyqtgraph",
    "pyreadstat",
    "python-calamine",
)
SETTINGS: Mapping[str, str] = {
    "look/scheme": "system|light|dark",
    "look/text": r"\d{3}",
    "recent/kept": "true|false",
    "window/maximised": "true|false",
    "window/place": r"-?\d{1,6}( -?\d{1,6}){3}",
}
"""The settings that are shown, each with the form of its values."""
NO_SCREEN = ("not asked from the shell; see Help, Diagnostic file in the window",)


def diagnostics(home: Home, screen: Sequence[str] = NO_SCREEN) -> str:
    """The whole text.

    Args:
        screen: lines about the screen, from anyone who knows Qt.
    """
    sections = {
        "Program": _program(),
        "Versions": [f"{name} {_version(name)}" for name in PACKAGES],
        "Platform": _platform(),
        "Screen": screen,
        "Settings": _settings(home),
        "Log": log.tail(log.path_of(home), LOG_LINES),
        "Faults": log.tail(faults.path_of(home), FAULT_LINES),
    }
    return "\n".join(_section(head, lines) for head, lines in sections.items())


def _section(head: str, lines: Iterable[str]) -> str:
    shown = list(lines) or ["none"]
    return "\n".join([head, "-" * len(head), *shown, ""])


def _program() -> list[str]:
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    how = "not from a package" if program_folder() is None else "installed"
    listed = "no list of files" if companion(LIST) is None else "with its list of files"
    return [f"dpdesk {__version__}, {how}, {listed}", f"asked on {made}"]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not known"


def _platform() -> list[str]:
    language, encoding = locale.getlocale()
    return [
        f"{platform.system()} {platform.release()}, {platform.machine()}",
        f"Python {platform.python_version()}, {platform.python_implementation()}",
        f"language {language}, encoding {encoding}, files {sys.getfilesystemencoding()}",
    ]


def _settings(home: Home) -> list[str]:
    kept = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        kept.read(home.settings, encoding="utf-8")
    except (configparser.Error, ValueError):
        return ["cannot be read"]
    settings = {name: kept.get(*name.split("/"), fallback="") for name in SETTINGS}
    return [
        f"{name} {value}" for name, value in settings.items() if re.fullmatch(SETTINGS[name], value)
    ]
