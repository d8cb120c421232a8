# SPDX-License-Identifier: Apache-2.0
"""Which copies of the signing key are known to work: on paper, and in a file.

A copy counts once it was tried out: the words on paper were typed in and gave this key, the file
was read back whole. What is noted says nothing of the key but its fingerprint and the digest of
its locked file; it is a reminder, and nothing relies on it.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import KeyInfo
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import Refused
from dpdesk.study.regular_file import open_regular

PAPER, FILE = "paper", "file"
UNLOCKED = "-"
"""In the place of a digest: on paper, and where the key's file cannot be read."""
_LINE = re.compile(
    r"(paper|file) ([0-9]{4}-[0-9]{2}-[0-9]{2}) (SHA256:[A-Za-z0-9+/]{43}) (-|[0-9a-f]{64})",
    re.ASCII,
)
_MOST_BYTES = 10_000


@dataclass(frozen=True)
class KeyBackup:
    """A copy of a key that was tried out.

    Attributes:
        form: ``paper`` or ``file``.
        day: when, in ISO form.
        lock: SHA-256 of the locked key in the file, in hexadecimal; ``-`` on paper, which no
            passphrase locks.
    """

    form: str
    day: str
    fingerprint: str
    lock: str


@dataclass(frozen=True)
class KeyBackups:
    """What is known of the copies of one key.

    Attributes:
        paper, file: the copy of that form that was tried out last; ``None`` without one.
        opens: whether the passphrase of today opens the file.
    """

    paper: KeyBackup | None = None
    file: KeyBackup | None = None
    opens: bool = False

    @property
    def is_safe(self) -> bool:
        """Whether a copy would bring the key back."""
        return self.paper is not None or (self.file is not None and self.opens)


def note_backup(
    home: Home, form: str, info: KeyInfo, today: Callable[[], date] = date.today
) -> None:
    """Remember that a copy was tried out; where that cannot be written, the reminder stays."""
    lock = UNLOCKED if form == PAPER else _lock(home.keys)
    made = KeyBackup(form, today().isoformat(), info.fingerprint, lock)
    others = [b for b in _noted(home) if (b.form, b.fingerprint) != (form, info.fingerprint)]
    lines = [f"{b.form} {b.day} {b.fingerprint} {b.lock}\n" for b in (*others, made)]
    # Nothing relies on it: at worst, the desk goes on asking for a copy.
    with contextlib.suppress(OSError):
        write_whole(home.key_backups, "".join(lines).encode("ascii"))


def known_backups(home: Home, info: KeyInfo) -> KeyBackups:
    own = {b.form: b for b in _noted(home) if b.fingerprint == info.fingerprint}
    file, lock = own.get(FILE), _lock(home.keys)
    opens = file is not None and file.lock == lock != UNLOCKED
    return KeyBackups(own.get(PAPER), file, opens)


def _noted(home: Home) -> list[KeyBackup]:
    """What the file says; nothing where it is none of ours."""
    try:
        with open_regular(home.key_backups) as stream:
            raw = stream.read(_MOST_BYTES + 1)
        lines = raw.decode("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    found = [_LINE.fullmatch(line) for line in lines]
    if len(raw) > _MOST_BYTES:
        return []
    return [KeyBackup(*match.groups()) for match in found if match is not None]


def _lock(folder: Path) -> str:
    try:
        return hashlib.sha256(keys.read_key_file(folder / keys.PRIVATE_NAME)).hexdigest()
    except Refused:
        return UNLOCKED
