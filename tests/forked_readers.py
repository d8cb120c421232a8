# SPDX-License-Identifier: Apache-2.0
"""Reading processes made by fork, for tests that read many files.

Each file that is not CSV or Parquet is read by a process of its own, which loads half a second of
libraries first. Here one process has loaded them, has seen no file, and makes a copy of itself for
each file; the copy runs the program's own worker behind the program's own pipes. How the program
starts its processes is what ``tests/data/reader_process`` is about, and nothing is forked there.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import socket
import subprocess
import sys
from threading import Lock
from typing import IO, Any

PREPARE = "import sys; from tests.forked_readers import serve; serve(int(sys.argv[1]))"
LIBRARIES = ("numpy.ma", "pandas", "pyarrow.compute", "pyreadstat", "python_calamine")
_BYTES = 32


class ForkedProcess:
    """What the program uses of ``subprocess.Popen``, of a process that the maker has forked."""

    def __init__(self, maker: ReaderMaker) -> None:
        asked, asks = os.pipe()
        answers, answered = os.pipe()
        self.stdin: IO[bytes] = os.fdopen(asks, "wb", buffering=0)
        self.stdout: IO[bytes] = os.fdopen(answers, "rb", buffering=0)
        self.returncode: int | None = None
        self._maker = maker
        self.pid = maker.ask(b"fork", [asked, answered])
        os.close(asked)
        os.close(answered)

    def poll(self) -> int | None:
        """Its exit status, ``None`` while it runs."""
        return self._status(b"poll")

    def wait(self) -> int | None:
        """Wait until it has ended."""
        return self._status(b"wait")

    def kill(self) -> None:
        """End it, whatever it does."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _status(self, how: bytes) -> int | None:
        if self.returncode is None:
            said = self._maker.ask(b"%s %d" % (how, self.pid))
            self.returncode = None if said < 0 else os.waitstatus_to_exitcode(said)
        return self.returncode


class ReaderMaker:
    """The process that has loaded the libraries; it ends with the one that started it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", PREPARE, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.getcwd()},
            )

    def ask(self, what: bytes, pipes: list[int] | None = None) -> int:
        """A process's number, or the status of one: -1 while it runs."""
        with self._lock:
            socket.send_fds(self._socket, [what], pipes or [])
            return int(self._socket.recv(_BYTES))

    def start_process(self) -> Any:
        """In place of ``dpdesk.data.reader_process.child.start_process``."""
        return ForkedProcess(self)

    def end(self) -> None:
        """End it."""
        self._socket.close()
        self._process.wait()


def serve(number: int) -> None:
    """Load what reads files, then make a process whenever one is asked for."""
    import_all("dpdesk.data")
    # A copy that collects garbage would write to all that it shares: 64 ms instead of 8.
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=number) as asked:
        while True:
            what, pipes, *_ = socket.recv_fds(asked, _BYTES, 2)
            if not what:
                return
            order, _, of = what.partition(b" ")
            said = _fork(asked, pipes) if order == b"fork" else _status(int(of), order == b"wait")
            asked.send(b"%d" % said)


def import_all(*packages: str) -> None:
    """Import packages of ours whole, and the libraries that a reading may import."""
    found = [importlib.import_module(package) for package in packages]
    own = [m.name for p in found for m in pkgutil.walk_packages(p.__path__, f"{p.__name__}.")]
    for name in (*own, *LIBRARIES):
        importlib.import_module(name)


def _status(pid: int, wait: bool) -> int:
    ended, status = os.waitpid(pid, 0 if wait else os.WNOHANG)
    return status if ended else -1


def _fork(asked: socket.socket, pipes: list[int]) -> int:
    pid = os.fork()
    if pid == 0:
        asked.close()
        for standard, pipe in enumerate(pipes):
            os.dup2(pipe, standard)
            os.close(pipe)
        from dpdesk.data.reader_process.worker import run_worker

        os._exit(run_worker())
    for pipe in pipes:
        os.close(pipe)
    return pid
