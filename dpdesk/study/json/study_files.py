# SPDX-License-Identifier: Apache-2.0
"""Study files on disk: read whole, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import glob
import itertools
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from dpdesk.study import limits
from dpdesk.study.folder_lock import FolderBusyError, alone_in
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular, real_path

LONGEST_WRITING = 600
"""Seconds after which an unfinished file belongs to no program that still writes it."""

LONGEST_NAME = 255
"""Bytes of a file's name at most."""

_PART = ".part"
_RANDOM = 8
"""Letters that ``tempfile`` puts between the beginning and the end of a name."""


class OvertakenError(Exception):
    """Somebody else wrote a file while it was being written; see ``just_before``."""


def _no_check() -> None:
    """Nothing keeps a file from being replaced."""


@dataclass(frozen=True)
class StudyFile:
    """A study and where it was read from.

    Attributes:
        path: the ``.dpdesk`` file.
        content: its bytes.
    """

    path: Path
    study: Study
    content: bytes = field(default=b"", repr=False, compare=False)

    @property
    def folder(self) -> Path:
        return real_path(self.path).parent

    @cached_property
    def written_size(self) -> int:
        """How large the file will be once it is written here; by hand it may be laid out denser."""
        return len(study_to_bytes(self.study))


def load_study(path: Path) -> StudyFile:
    """Read a study file.

    Raises:
        Refused: ``study-file-missing``, ``study-file-unreadable``, or whatever
            :func:`study_from_bytes` refuses.
    """
    raw = read_study_bytes(path)
    if raw is None:
        raise refuse("study-file-missing", name=path.name)
    return StudyFile(path, study_from_bytes(raw), raw)


def read_study_bytes(path: Path, most: int = limits.MAX_STUDY_BYTES + 1) -> bytes | None:
    """What a study file holds, one byte beyond the longest study at most; ``None`` without one.

    Args:
        most: read this many bytes; -1 for all.

    Raises:
        Refused: ``study-file-unreadable``.
    """
    try:
        with open_regular(path) as stream:
            return stream.read(most)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise refuse("study-file-unreadable", name=path.name) from None


def save_study(study: Study, path: Path, just_before: Callable[[], None] = _no_check) -> bytes:
    """Write a study file so that a power cut leaves either the old file or the new one.

    Args:
        just_before: see :func:`write_whole`.

    Returns:
        What the file holds now.

    Raises:
        Refused: ``study-file-unwritable``, or ``study-file-busy`` where other programs write it.
    """
    content = study_to_bytes(study)
    try:
        write_whole(path, content, just_before)
    except FolderBusyError:
        raise refuse("study-file-busy", name=path.name) from None
    except OSError:
        raise refuse("study-file-unwritable", name=path.name) from None
    return content


def save_over(read: StudyFile, study: Study) -> None:
    """Write a study over the file that it was made from, unless others wrote it since.

    Raises:
        Refused: ``study-file-changed`` (name), or what :func:`save_study` refuses.
    """

    def demand_unchanged() -> None:
        if read_study_bytes(read.path) != read.content:
            raise refuse("study-file-changed", name=read.path.name)

    save_study(study, read.path, demand_unchanged)


def save_new(study: Study, path: Path) -> None:
    """Write a study to a place where there is no file.

    Raises:
        Refused: ``study-file-exists`` (name), or what :func:`save_study` refuses.
    """

    def demand_free() -> None:
        if path.exists():
            raise refuse("study-file-exists", name=path.name)

    demand_free()
    save_study(study, path, demand_free)


def moved_data(study: Study, before: Path, after: Path) -> Study:
    """The study as its file moves between folders; its data paths lead to the same files.

    Beside or below the study file they are relative, so that all can be moved together.
    """

    def moved(data: DataSource) -> DataSource:
        more = tuple(map(moved, data.more))
        if not data.path:
            return replace(data, more=more)
        path = (before / data.path).absolute()
        shown = path.relative_to(after).as_posix() if path.is_relative_to(after) else str(path)
        return replace(data, path=shown, more=more)

    tables = tuple(replace(table, data=moved(table.data)) for table in study.tables)
    return replace(study, data=None if study.data is None else moved(study.data), tables=tables)


def keep_beside(path: Path, content: bytes) -> Path:
    """Write another version of a study file beside it, under a name that is free.

    Raises:
        Refused: ``study-file-unwritable``.
    """
    path = real_path(path)
    for number in itertools.count(1):
        kept = _named(path, f"-other{f'-{number}' if number > 1 else ''}{path.suffix}")
        with contextlib.suppress(OvertakenError):
            _write_beside(kept, content)
            return kept
    raise AssertionError


def _write_beside(kept: Path, content: bytes) -> None:
    """Write a version of a study, unless its name is taken, also while it is being written."""

    def demand_free() -> None:
        if os.path.lexists(kept):
            raise OvertakenError

    try:
        demand_free()
        write_whole(kept, content, demand_free)
    except OSError:
        raise refuse("study-file-unwritable", name=kept.name) from None


def write_whole(
    path: Path,
    content: bytes,
    just_before: Callable[[], None] = _no_check,
    *,
    handed_out: bool = False,
) -> None:
    """Replace a file's content in one step, synced to disk first.

    A link stays a link, and a file that colleagues may read stays readable to them; a new file
    is its owner's alone, unless it is handed out.

    Args:
        just_before: called when all is on the disk and only the name is missing, which may be long
            after the start on a slow disk; where it raises, the file stays as it is. From there
            on no other program replaces a file of the folder in this way.
        handed_out: see :func:`make_part`.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    path = real_path(path)
    handle, part = make_part(path, handed_out=handed_out)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        with alone_in(path.parent):
            just_before()
            replace_by(Path(part), path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def make_part(path: Path, *, handed_out: bool = False) -> tuple[int, str]:
    """An unfinished file beside the one that it will become: its open handle and its path.

    Args:
        handed_out: the file is made to be given away and holds nothing that is secret, such as a
            bundle or a plan to sign: it is readable to whom the user's umask, or the folder's
            rights for new files, let read. A study, a ledger or a key never is.

    Raises:
        OSError: the folder cannot be written.
    """
    if not handed_out:
        return tempfile.mkstemp(prefix=_beginning(path), suffix=_PART, dir=path.parent)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW"):
        flags |= getattr(os, name, 0)
    for number in itertools.count():
        part = path.parent / f"{_beginning(path)}{number:0{_RANDOM}}{_PART}"
        with contextlib.suppress(FileExistsError):
            # The system applies the umask itself: asking for it would change it for all threads.
            return os.open(part, flags, 0o666), str(part)
    raise AssertionError


def make_part_folder(path: Path) -> Path:
    """An unfinished folder beside the one that it will become.

    Raises:
        OSError: the folder around it cannot be written.
    """
    return Path(tempfile.mkdtemp(prefix=_beginning(path), suffix=_PART, dir=path.parent))


def _beginning(path: Path) -> str:
    """How the names of a file's unfinished ones begin; less of a name that leaves no room."""
    room = _longest_name(path.parent) - _RANDOM - len(_PART)
    return f".{_cut(path.name, room - 2)}."


def _named(path: Path, ending: str) -> Path:
    """A path beside another, of which the name is cut where the ending leaves it no room."""
    room = _longest_name(path.parent) - len(os.fsencode(ending))
    return path.with_name(_cut(path.stem, room) + ending)


def _cut(name: str, most: int) -> str:
    """As much of a name as has this many bytes on the disk; no letter is cut in two."""
    while len(os.fsencode(name)) > most:
        name = name[:-1]
    return name


def _longest_name(folder: Path) -> int:
    """Bytes of a file's name in a folder: 255, or 143 where an encrypted one needs the rest."""
    try:
        # Windows has none.
        longest: int = getattr(os, "pathconf", lambda *_: LONGEST_NAME)(folder, "PC_NAME_MAX")
    except OSError:  # who writes there says it
        return LONGEST_NAME
    return longest if 0 < longest < LONGEST_NAME else LONGEST_NAME


def remove_left_behind(path: Path) -> None:
    """Remove unfinished files and folders that killed programs left of one that is now written.

    Raises:
        OSError: one of them cannot be removed.
    """
    for part in path.parent.glob(f"{glob.escape(_beginning(path))}*{_PART}"):
        if abs(time.time() - part.stat().st_mtime) <= LONGEST_WRITING:
            continue
        if part.is_dir() and not part.is_symlink():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)


def replace_by(part: Path, path: Path) -> None:
    """Put a finished file in another one's place; its readers stay the same.

    A file that may not be written is not replaced, as Windows has it: anyone who took the right to
    write from it wants it to stay. Else the folder's rights alone would count.

    Raises:
        OSError: it cannot be put there.
    """
    if path.exists():
        if not is_writable(path):
            raise PermissionError(errno.EACCES, "the file is read only")
        shutil.copymode(path, part)
    os.replace(part, path)


def is_writable(path: Path) -> bool:
    """Whether a file may be written; one that nobody may write is not root's to write either."""
    return bool(path.stat().st_mode & 0o222) and os.access(path, os.W_OK)
