# SPDX-License-Identifier: Apache-2.0
"""Which release was paid for by a command that never wrote its bundle.

A command that asks for fresh answers pays each time it is run. Where it is killed, or its disk
fills up, between the ledger's commit and the bundle, running it again must not pay again. So a
note is made before the draw and removed after the bundle is written: a note whose release is in
the ledger is one that was paid for and never handed out.

A note is an empty file; its name has the command, keyed with the ledger's secret, the entries
that were there before, and the release's id.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.answers import keyed
from dpdesk.release.run.release_run import ReleaseDone, random_id
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused, refuse

STALE_SECONDS = 7 * 86_400
"""A note that never came to a release belongs to no program that still works on it."""


@dataclass(frozen=True)
class UnwrittenBundles:
    """The notes of one command.

    Attributes:
        ledger: where releases are paid.
        command: the study and how it is released, keyed.
    """

    ledger: Ledger
    command: str

    @classmethod
    def of(cls, ledger: Ledger, study: Study, *, fresh: bool, series: str = "") -> UnwrittenBundles:
        """The notes of a command that releases a study, in a series or outside one."""
        said = (str(fresh), series, study_to_bytes(study).decode("utf-8"))
        return cls(ledger, keyed(ledger.digest_key(), "command", *said).hex()[:32])

    def paid(self) -> ReleaseDone | None:
        """The latest release that this command paid for without writing its bundle."""
        found = (self._released(note) for note in self._notes())
        return max(filter(None, found), key=lambda done: done.sequence, default=None)

    @contextmanager
    def noted(self) -> Iterator[str]:
        """Keep a note while a release is drawn and written, under the id that is handed out.

        It is removed by who leaves without error, and where nothing was paid.

        Raises:
            Refused: ``home-unwritable`` (param name).
        """
        release_id = random_id()
        before, _head = self.ledger.head()
        note = self._folder / f"{self.command}-{before}-{release_id}"
        _make(note)
        try:
            yield release_id
        except BaseException:
            with contextlib.suppress(Refused, OSError):
                if self._released(note) is None:
                    note.unlink(missing_ok=True)
            raise
        self.forget(release_id)

    def forget(self, release_id: str) -> None:
        """Remove the note of a release whose bundle is written, and notes that came to nothing."""
        for note in self._notes():
            is_own = note.name.endswith(f"-{release_id}")
            with contextlib.suppress(Refused, OSError):  # the bundle is written, whatever fails
                if is_own or (_is_stale(note) and self._released(note) is None):
                    note.unlink(missing_ok=True)

    @property
    def _folder(self) -> Path:
        return self.ledger.home.unwritten

    def _notes(self) -> Iterator[Path]:
        return self._folder.glob(f"{self.command}-*-*")

    def _released(self, note: Path) -> ReleaseDone | None:
        """The release of a note, if it came to one."""
        _command, before, release_id = note.name.split("-", 2)
        if not before.isdecimal():
            return None
        last, _head = self.ledger.head()
        for sequence in range(int(before) + 1, last + 1):
            entry = self.ledger.entry(sequence)
            if entry.kind != "release":
                continue
            stored = self.ledger.release(sequence)
            if stored.record.id == release_id:
                return ReleaseDone(stored, self.ledger.hashes(sequence))
        return None


def _make(note: Path) -> None:
    """Make a note and its folder, on the disk before anything is drawn."""
    try:
        note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if os.name == "posix":
            handle = os.open(note.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
    except OSError:
        with contextlib.suppress(OSError):
            note.unlink()
        raise refuse("home-unwritable", name=str(note.parent)) from None


def _is_stale(note: Path) -> bool:
    with contextlib.suppress(OSError):
        return time.time() - note.stat().st_mtime > STALE_SECONDS
    return False
