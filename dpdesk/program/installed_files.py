# SPDX-License-Identifier: Apache-2.0
"""Whether every installed file is as it was when it was packed: finds damage, not an attacker.

A list of all files came along, in the form of ``sha256sum``. Anyone who can change the program can
change the list too; who made a package is checked with the digests that are published beside it.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

LIST = "installed-files.sha256"
MATERIALS = "sbom.cdx.json"
LICENCES = "THIRD-PARTY-LICENCES.txt"
MOST_BYTES = 50_000_000
_CHUNK = 1 << 20
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


@dataclass(frozen=True)
class Comparison:
    """How the installed files differ from the list.

    Attributes:
        checked: how many files the list holds.
        changed: files with other bytes, sorted, relative to the program's folder.
        missing: files that are not there or cannot be read.
        additional: files that the list does not hold.
    """

    checked: int
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    additional: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        return not (self.changed or self.missing or self.additional)


def program_folder() -> Path | None:
    """The folder of an installed program; None where it runs from its sources."""
    if getattr(sys, "frozen", False):
        return Path(sys.executable).parent
    # An environment that packaging/install.py made has the list; that of a developer has none.
    return Path(sys.prefix) if (Path(sys.prefix) / LIST).is_file() else None


def companion(name: str, folder: Path | None = None) -> Path | None:
    """A text that is beside the program; None where there is none."""
    folder = folder or program_folder()
    path = folder / name if folder is not None else None
    return path if path is not None and path.is_file() else None


def compare(folder: Path | None = None, each: Callable[[], None] = lambda: None) -> Comparison:
    """Compare every file with the list.

    Args:
        folder: the program's; by default where this one is installed.
        each: called after each part of a file was read; may raise to stop.

    Raises:
        Refused: ``installation-no-list`` where the program runs from its sources or the list is
            gone; ``installation-list-invalid`` (param line) where a line of it is none.
    """
    path = companion(LIST, folder)
    if path is None:
        raise refuse("installation-no-list")
    found = path.parent
    listed = _listed(path)
    digests = {name: _digest(found / name, each) for name in listed}
    return Comparison(
        checked=len(listed),
        changed=tuple(n for n, d in sorted(digests.items()) if d and d != listed[n]),
        missing=tuple(n for n, d in sorted(digests.items()) if d is None),
        additional=tuple(sorted(set(_names(found)) - listed.keys() - {LIST})),
    )


def _listed(path: Path) -> dict[str, str]:
    with open_regular(path) as stream:
        text = stream.read(MOST_BYTES).decode("utf-8", "replace")
    digests: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None or not _is_inside(match[2]):
            raise refuse("installation-list-invalid", line=str(number))
        digests[match[2].removeprefix("./")] = match[1]
    return digests


def _is_inside(name: str) -> bool:
    """Whether a name leads to nothing but a file below the folder."""
    return not Path(name).is_absolute() and ".." not in Path(name).parts


def _digest(path: Path, each: Callable[[], None]) -> str | None:
    digest = hashlib.sha256()
    try:
        with open_regular(path) as stream:
            while chunk := stream.read(_CHUNK):
                each()
                digest.update(chunk)
    except (OSError, ValueError):
        return None
    return digest.hexdigest()


def _names(folder: Path) -> Iterator[str]:
    """Every file below a folder; a link to a folder is one, and is not followed."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in [*files, *links]:
            yield Path(place, name).relative_to(folder).as_posix()
