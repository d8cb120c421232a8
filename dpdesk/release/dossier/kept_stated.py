# SPDX-License-Identifier: Apache-2.0
"""What was typed in for a study's dossier, kept for the next one.

It is kept in a file of this computer and not in the study: it is about a release and its
recipient, and a study that changed with each of them would be another study.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.dossier.stated import Stated, stated_of
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.json.strict_json import JsonRules, parse_json
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

_RULES = JsonRules(size=100_000, depth=2, brackets=4, commas=20)


def read_stated(home: Home, record: ReleaseRecord) -> Stated:
    """What was typed in last; nothing where it was nothing, or cannot be read any more."""
    try:
        with open_regular(_path(home, record)) as stream:
            return stated_of(parse_json(stream.read(_RULES.size + 1), _RULES))
    except (OSError, ValueError, Refused):
        return Stated()


def keep_stated(home: Home, record: ReleaseRecord, stated: Stated) -> None:
    """Keep it for the next dossier of this study.

    Raises:
        Refused: ``home-unwritable`` (param name).
    """
    path = _path(home, record)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, json_bytes(stated.members))
    except OSError:
        raise refuse("home-unwritable", name=path.parent.name) from None


def _path(home: Home, record: ReleaseRecord) -> Path:
    """A study is known by its account and title, whatever its file is called."""
    name = json_bytes({"account": record.account.name, "title": record.study.title})
    return home.dossiers / f"{hashlib.sha256(name).hexdigest()[:32]}.json"
