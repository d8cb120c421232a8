# SPDX-License-Identifier: Apache-2.0
"""What Windows and macOS show of a frozen program: its icon, its version, the files it opens.

The specification of what is frozen asks for it, on the system itself.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import icon_files
import macos_bundle
import program

_VERSION = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, OS=0x40004, fileType=1),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct({strings}),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x409, 1200])]),
  ],
)
"""


def numbers(version: str) -> tuple[int, ...]:
    """A version as Windows has it: four numbers.

    >>> numbers("0.2.0"), numbers("1.4rc1")
    ((0, 2, 0, 0), (1, 4, 0, 0))
    """
    parts = [int(part) for part in version.split("rc")[0].split(".") if part.isdigit()]
    return (*parts, 0, 0, 0, 0)[:4]


def version_resource() -> str:
    """What Windows shows under *Properties, Details*, as PyInstaller reads it."""
    details = {
        "CompanyName": program.MAINTAINER,
        "FileDescription": program.SUMMARY,
        "FileVersion": program.version(),
        "InternalName": program.NAME,
        "LegalCopyright": "Apache-2.0",
        "ProductName": program.NAME,
        "ProductVersion": program.version(),
    }
    pairs = [f"{name!r}, {text!r}" for name, text in details.items()]
    strings = "),\n      StringStruct(".join(pairs)
    return _VERSION.format(numbers=numbers(program.version()), strings=strings)


def of_windows(work: str) -> dict[str, Any]:
    """What each program of the folder is given."""
    icon, version = Path(work, "dpdesk.ico"), Path(work, "version.txt")
    pictures = icon_files.draw(list(icon_files.WINDOWS_SIZES), Path(sys.executable))
    icon.write_bytes(icon_files.ico(pictures))
    version.write_text(version_resource(), encoding="utf-8")
    return {"icon": str(icon), "version": str(version)}


def of_macos(work: str) -> dict[str, Any]:
    """What the bundle is given."""
    icon = Path(work, "dpdesk.icns")
    pictures = icon_files.draw(sorted(icon_files.MACOS_SIZES.values()), Path(sys.executable))
    icon.write_bytes(icon_files.icns(pictures))
    return {
        "icon": str(icon),
        "bundle_identifier": program.DESKTOP_ID,
        "version": program.version(),
        "info_plist": macos_bundle.information(),
    }
