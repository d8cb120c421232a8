# SPDX-License-Identifier: Apache-2.0
"""Whether a folder is copied to other computers by a program that synchronises.

Patients' rows would leave the machine that way, and a ledger that two computers share through such
a folder is two ledgers: each sees the other's spending late, or as a copy with another name. No
list of such programs is complete, so this is a warning and never a permission.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

_NAMES = re.compile(
    r"(?P<name>one ?drive|dropbox|google ?drive|icloud ?drive|nextcloud|owncloud|seafile"
    r"|mega(?:sync)?|pcloud ?drive|proton ?drive|syncthing|resilio sync|box sync|tresorit|kdrive"
    r"|magentacloud|hidrive|yandex\.disk)(?: .*)?",
    re.IGNORECASE,
)
_EXACT = {
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
    "cloudstorage": "iCloud, OneDrive, Google Drive …",
}
_MARKS = {
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".stfolder": "Syncthing",
    ".owncloudsync.log": "ownCloud",
    ".nextcloudsync.log": "Nextcloud",
}
_VARIABLES = ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")


def synced_by(path: Path, environ: Mapping[str, str] | None = None) -> str:
    """What synchronises a file or folder, as far as names and marks show; empty where none do.

    >>> synced_by(Path("/srv/OneDrive - Klinik/x.csv"), {}), synced_by(Path("/srv/x.csv"), {})
    ('OneDrive - Klinik', '')
    """
    place = Path(os.path.realpath(path))
    named = Path(os.path.abspath(path))
    for folder in dict.fromkeys((named, *named.parents, place, *place.parents)):
        exact = _EXACT.get(folder.name.casefold(), "")
        if exact or _NAMES.fullmatch(folder.name):
            return exact or folder.name
        marks = (mark for mark in _MARKS if os.path.exists(os.path.join(folder, mark)))
        found = _MARKS.get(next(marks, ""), "")
        if found:
            return found
    return _by_variable(place, os.environ if environ is None else environ)


def _by_variable(place: Path, environ: Mapping[str, str]) -> str:
    """OneDrive tells programs where its folders are, whatever they are called."""
    roots = (Path(environ[name]) for name in _VARIABLES if environ.get(name))
    return "OneDrive" if any(place.is_relative_to(os.path.realpath(r)) for r in roots) else ""
