# SPDX-License-Identifier: Apache-2.0
"""A conversation with a child about one file."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

from dpdesk.data.files.file_formats import DECLARATIONS
from dpdesk.data.files.format_declaration import NativeReader
from dpdesk.data.progress import Cancelled, CancelToken, Progress, no_progress
from dpdesk.data.reader_process import file_worker
from dpdesk.data.reader_process.child import Child
from dpdesk.data.reader_process.file_worker import FileMark, mark_of
from dpdesk.data.reader_process.frames import Broken, FrameKind, ReceivedFrame, TooLong
from dpdesk.data.reader_process.messages import from_json, refusal_from, to_json, type_name
from dpdesk.study.model.unit import FileFormat
from dpdesk.study.problem import Refused, refuse

SMALL_BYTES = 5_000_000
"""After a larger file its child is not kept: it holds on to the memory that it took."""

_FULL = frozenset({"ArrowMemoryError", "MemoryError", "TooLong"})
_POLL_SECONDS = 0.05
_NUMBER_BYTES = 8

T = TypeVar("T")
AnswerCheck = Callable[[Any], T]
"""Makes of an answer what it should be, or raises ``Broken``."""


class ReaderFault(Exception):
    """A reader failed in a way that nobody foresaw; it reports the class's name alone."""


@dataclass(frozen=True)
class About:
    """What a conversation is about.

    Attributes:
        broken: the refusal where the child does not survive it.
        full: the refusal where it does not fit into memory.
        catalogue: another file that is read with it.
    """

    path: Path
    broken: Refused
    full: Refused
    catalogue: Path | None = None

    @property
    def mark(self) -> FileMark | None:
        """The files, as they now are."""
        return mark_of([self.path, *([] if self.catalogue is None else [self.catalogue])])


def about_data(path: Path, format: FileFormat) -> About:
    broken = refuse("data-file-damaged", "$.data.path")
    reader = DECLARATIONS[format].reader
    if not (isinstance(reader, NativeReader) and reader.loads_all):
        return About(path, broken, broken)
    full = refuse("data-file-too-large", "$.data.path")
    return About(path, broken, full)


class WorkerState(Enum):
    """What a child is doing, as far as its last answer says."""

    IDLE = auto()
    OPEN = auto()
    BUSY = auto()


class Client:
    """Asks a child, and makes of its answers what the readers would have returned or raised.

    Attributes:
        state: where the conversation is; a child that is left busy must be ended.
    """

    def __init__(
        self, child: Child, about: About, progress: Progress, cancel: CancelToken | None
    ) -> None:
        self._child = child
        self._about = about
        self._progress = progress
        self._cancel = cancel or CancelToken()
        self.state = WorkerState.IDLE
        self._is_over = False

    def value(self, check: AnswerCheck[T], operation: str, **arguments: Any) -> T:
        """Ask for something that comes at once.

        Raises:
            Refused: the reader refused, or did not survive it.
            Cancelled: the token was raised.
            ReaderFault: the reader failed.
        """
        after = (
            WorkerState.OPEN
            if operation == "open" or self.state is WorkerState.OPEN
            else WorkerState.IDLE
        )
        frame = self._ask(operation, arguments)
        while frame.kind is FrameKind.PROGRESS:
            self._report_progress(frame)
            frame = self._next()
        answer = self._last(frame, check)
        self.state = WorkerState.IDLE if operation == "close" else after
        return answer

    def batches(self, operation: str, **arguments: Any) -> Iterator[bytes | bytearray]:
        """Ask an open table for something that comes piece by piece.

        Raises:
            Refused: the reader refused, or did not survive it.
            Cancelled: the token was raised.
            ReaderFault: the reader failed.
        """
        frame = self._ask(operation, arguments)
        while frame.kind in (FrameKind.BATCH, FrameKind.PROGRESS):
            if frame.kind is FrameKind.BATCH:
                yield frame.content
            else:
                self._report_progress(frame)
            frame = self._next()
        self._last(frame, nothing)
        self.state = WorkerState.OPEN

    def let_go(self) -> bool:
        """The conversation is over; whether the child may have another one about its file."""
        self._is_over = True
        # Who watches the token may have ended it at the last moment.
        fit = self.state is WorkerState.IDLE and not self._cancel.cancelled
        return fit and _is_small(self._about.path)

    def failed(self) -> Refused:
        """The refusal for a child that is gone, or whose answer turned out to be nonsense."""
        if self._is_over:
            return self._about.broken
        self.state = WorkerState.BUSY
        self._child.stop()
        self._cancel.check()
        # So ends a reader in Rust that gets no memory.
        is_full = self._child.status == -getattr(signal, "SIGABRT", 0)
        return self._about.full if is_full else self._about.broken

    def _ask(self, operation: str, arguments: dict[str, Any]) -> ReceivedFrame:
        self._cancel.check()
        self.state = WorkerState.BUSY
        is_gone = False
        try:
            self._child.ask(to_json({"operation": operation, **arguments}))
        except (Broken, TooLong):
            is_gone = True
        if is_gone:
            raise self.failed()
        return self._next()

    def _next(self) -> ReceivedFrame:
        try:
            frame = self._child.answer()
        except Broken:
            frame = None
        if frame is None:
            raise self.failed()
        self._cancel.check()
        return frame

    def _report_progress(self, frame: ReceivedFrame) -> None:
        done = int.from_bytes(frame.content[:_NUMBER_BYTES], "big")
        total = int.from_bytes(frame.content[_NUMBER_BYTES:], "big")
        if len(frame.content) != 2 * _NUMBER_BYTES or done > total:
            raise self.failed()
        self._progress(done, total)

    def _last(self, frame: ReceivedFrame, check: AnswerCheck[T]) -> T:
        problem: Exception | None = None
        try:
            if frame.kind is FrameKind.VALUE:
                return check(from_json(frame.content))
            if frame.kind is FrameKind.REFUSAL:
                problem = refusal_from(frame.content)
            elif frame.kind is FrameKind.FAULT:
                problem = self._fault(type_name(frame.content))
        except Broken:
            problem = None
        raise self.failed() if problem is None else problem

    def _fault(self, name: str) -> Exception:
        return self._about.full if name in _FULL else ReaderFault(name)


def nothing(said: Any) -> None:
    """The answer to what is done and carries nothing.

    Raises:
        Broken: it carries something.
    """
    if said is not None:
        raise Broken


@contextmanager
def open_client(
    about: About, progress: Progress = no_progress, cancel: CancelToken | None = None
) -> Iterator[Client]:
    """Client to the file's child; it stays for that file alone, if nothing speaks against that."""
    if cancel is not None:
        cancel.check()
    mark = about.mark
    child = file_worker.take(mark)
    client = Client(child, about, progress, cancel)
    try:
        with _watched(child, cancel):
            try:
                yield client
            finally:
                _close(client)
    finally:
        # A file that was changed meanwhile is another one, of which this child has seen something.
        if client.let_go() and child.is_quiet and mark is not None and mark == about.mark:
            file_worker.keep(mark, child)
        else:
            child.end()
        file_worker.start_ahead()


def _close(client: Client) -> None:
    if client.state is WorkerState.OPEN:
        try:
            client.value(nothing, "close")
        except (Refused, Cancelled, ReaderFault):
            # What was asked for is there; the child is ended.
            client.state = WorkerState.BUSY


@contextmanager
def _watched(child: Child, cancel: CancelToken | None) -> Iterator[None]:
    """End the child as soon as the token is raised, whatever this thread waits for."""
    if cancel is None:
        yield
        return
    done = Event()
    watcher = Thread(target=_watch, args=(child, cancel, done), name="dpdesk-cancel", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(child: Child, cancel: CancelToken, done: Event) -> None:
    while not done.wait(_POLL_SECONDS):
        if cancel.cancelled:
            child.kill()
            return


def _is_small(path: Path) -> bool:
    try:
        return path.stat().st_size <= SMALL_BYTES
    except (OSError, ValueError):
        # It is not there, so nothing of it was read.
        return True
