# SPDX-License-Identifier: Apache-2.0
"""Study files on disk: read whole, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dpdesk.study import limits
from dpdesk.study.document import Study
from dpdesk.study.problem import refuse
from dpdesk.study.study_reader import study_from_bytes
from dpdesk.study.study_writer import study_to_bytes


@dataclass(frozen=True)
class StudyFile:
    """A study and where it was read from.

    Attributes:
        path: the ``.dpdesk`` file.
        study: its content.
    """

    path: Path
    study: Study

    @property
    def folder(self) -> Path:
        """The folder that relative data paths start from."""
        return self.path.resolve().parent


def load_study(path: Path) -> StudyFile:
    """Read a study file.

    Raises:
        Refused: ``study-file-missing``, ``study-file-unreadable``, or whatever
            :func:`study_from_bytes` refuses.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(limits.MAX_STUDY_BYTES + 1)
    except FileNotFoundError:
        raise refuse("study-file-missing", name=path.name) from None
    except OSError:
        raise refuse("study-file-unreadable", name=path.name) from None
    return StudyFile(path, study_from_bytes(raw))


def save_study(study: Study, path: Path) -> None:
    """Write a study file so that a power cut leaves either the old file or the new one.

    Raises:
        Refused: ``study-file-unwritable``.
    """
    try:
        write_whole(path, study_to_bytes(study))
    except OSError:
        raise refuse("study-file-unwritable", name=path.name) from None


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file's content in one step, synced to disk first.

    A link stays a link, and a file that colleagues may read stays readable to them; a new file
    is its owner's alone.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    path = path.resolve()
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
