# SPDX-License-Identifier: Apache-2.0
"""A keyed digest of a file's bytes, or of several files', to recognise the very same again.

BLAKE2b with a key that never leaves the ledger: nobody else can tell from a digest which file it
is of. Digesting runs beside the reading, in a thread of its own; hashing lets the others run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread

from dpdesk.data.progress import Cancelled, CancelToken, Progress, no_progress, of_files
from dpdesk.study.regular_file import open_regular

DIGEST_BYTES = 32
CHUNK = 1 << 20
_PATIENCE_S = 0.05
NO_DIGEST = b""
"""Of a file that is not there, is no file, cannot be read, or changed while it was read."""


def file_digest(
    path: Path,
    key: bytes,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> bytes:
    """The digest of a file's bytes, or ``NO_DIGEST``; never a reason to stop.

    Args:
        key: of at most 64 bytes.
        progress: gets the bytes read and the bytes in all.
        cancel: stops the reading within a chunk.

    Raises:
        Cancelled: ``cancel`` was raised.
    """
    try:
        return _digest(path, key, progress, cancel or CancelToken())
    except (OSError, ValueError):
        return NO_DIGEST


def digest_of_files(
    paths: Sequence[Path],
    key: bytes,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> bytes:
    """One digest of several files in their order; that of a single file is its own.

    Args:
        paths: the files; one that is named again, as for another sheet of it, is read once.

    Returns:
        ``NO_DIGEST`` where one of them has none; see :func:`file_digest`.

    Raises:
        Cancelled: ``cancel`` was raised.
    """
    files = [*dict.fromkeys(paths)]
    each = zip(files, of_files(progress, files), strict=True)
    digests = {path: file_digest(path, key, own, cancel) for path, own in each}
    if len(digests) == 1 or NO_DIGEST in digests.values():
        return digests[files[0]] if len(digests) == 1 else NO_DIGEST
    # In every place where it stands: which table is read from which file counts.
    together = b"".join(digests[path] for path in paths)
    return hashlib.blake2b(together, key=key, digest_size=DIGEST_BYTES).digest()


def _digest(path: Path, key: bytes, progress: Progress, cancel: CancelToken) -> bytes:
    digest = hashlib.blake2b(key=key, digest_size=DIGEST_BYTES)
    with open_regular(path) as file:
        before = _state(os.fstat(file.fileno()))
        done = 0
        while chunk := file.read(CHUNK):
            cancel.check()
            digest.update(chunk)
            done += len(chunk)
            progress(done, max(done, before[2]))
        unchanged = before == _state(os.fstat(file.fileno())) == _state(os.stat(path))
    return digest.digest() if unchanged else NO_DIGEST


def _state(status: os.stat_result) -> tuple[int, int, int, int]:
    """What changes when a file is written or another one is put in its place."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _state_of(path: Path) -> tuple[int, int, int, int] | None:
    try:
        return _state(os.stat(path))
    except (OSError, ValueError):
        return None


def states_of(paths: Sequence[Path]) -> list[tuple[int, int, int, int] | None]:
    """By what is known that a file was written or replaced: its folder says so, and no byte."""
    return [_state_of(path) for path in paths]


class DigestBeside:
    """The digest of files, computed while they are read for another purpose.

    Used as a context: what was not asked for when it is left is given up.
    """

    def __init__(self, paths: Sequence[Path], key: bytes) -> None:
        self._paths = paths
        self._key = key
        self._own = CancelToken()
        self._done = Event()
        self._digest = NO_DIGEST
        self._before: object = None
        self._thread = Thread(target=self._run, name="file-digest", daemon=True)

    def __enter__(self) -> DigestBeside:
        self._before = states_of(self._paths)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        # It is not waited for: a share that hangs must not keep a cancelled release.
        self._own.cancel()

    def _run(self) -> None:
        try:
            self._digest = digest_of_files(self._paths, self._key, cancel=self._own)
        except Cancelled:
            pass
        finally:
            self._done.set()

    def result(self, cancel: CancelToken) -> bytes:
        """The digest, once it is there; asked for when the other reading is over.

        Both have read the same files only where each is now what it was before either began.

        Raises:
            Cancelled: ``cancel`` was raised meanwhile.
        """
        while not self._done.wait(_PATIENCE_S):
            cancel.check()
        return self._digest if self.is_unchanged else NO_DIGEST

    @property
    def is_unchanged(self) -> bool:
        """Whether each file is now what it was before it was read, as far as its folder says."""
        return self._before == states_of(self._paths)
