# SPDX-License-Identifier: Apache-2.0
"""The process that reads files for this one, as this one sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dpdesk.data.reader_process.frames import FrameKind, ReceivedFrame, read_frame, write_frame

FLAG = "--read-table"
"""What ``dpdesk`` is started with to be such a process; nobody types it, so no help names it."""

_ROOT = Path(__file__).parents[3]
_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Child:
    """A process that answers what it is asked, and may be ended at any time from any thread."""

    def __init__(self) -> None:
        self._process = start_process()
        self.pid = self._process.pid

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    @property
    def status(self) -> int | None:
        """How it ended, as ``subprocess`` has it."""
        return self._process.returncode

    def ask(self, content: bytes) -> None:
        """Send what is asked.

        Raises:
            Broken: it is gone.
            TooLong: nobody may ask so much.
        """
        assert self._process.stdin is not None  # noqa: S101 - it was started with pipes
        write_frame(self._process.stdin, FrameKind.ASK, content)

    def answer(self) -> ReceivedFrame:
        """Wait for the next frame of its answer.

        Raises:
            Broken: it is gone, or sends nonsense.
        """
        assert self._process.stdout is not None  # noqa: S101 - it was started with pipes
        return read_frame(self._process.stdout)

    @property
    def is_ready(self) -> bool:
        return not self.lives or self._bytes_waiting() > 0

    @property
    def is_quiet(self) -> bool:
        """Whether it lives, and nothing is left in its pipe that nobody asked for."""
        return self.lives and not self._bytes_waiting()

    def _bytes_waiting(self) -> int:
        pipe = self._process.stdout
        return 0 if pipe is None else _waiting(pipe.fileno())

    def kill(self) -> None:
        """End it, whatever it does; anyone who waits for its answer sees that it is gone."""
        self._process.kill()

    def stop(self) -> None:
        self.kill()
        self._process.wait()

    def end(self) -> None:
        """End it and leave nothing of it behind."""
        self.stop()
        self._close()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    # What was still to be written to a process that is gone.
                    continue

    def disown(self) -> None:
        """Forget it: this process is a copy of the one whose child it is."""
        self._close()
        self._process.returncode = 0


def start_process() -> subprocess.Popen[bytes]:
    """Start a process that reads files, with a pipe to ask it and one for its answers."""
    return subprocess.Popen(  # noqa: S603 - our own program, no shell
        command(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # What was said too much stays in the pipe, where it can be seen.
        bufsize=0,
        close_fds=True,
        cwd=_folder(),
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


if sys.platform == "win32":

    def _waiting(pipe: int) -> int:
        """How many bytes lie in a pipe to be read; none where its other end is gone."""
        import ctypes
        import msvcrt
        from ctypes import wintypes

        peek = ctypes.WinDLL("kernel32", use_last_error=True).PeekNamedPipe
        peek.argtypes = [wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD, *[ctypes.c_void_p] * 3]
        count = wintypes.DWORD(0)
        held = msvcrt.get_osfhandle(pipe)
        return int(count.value) if peek(held, None, 0, None, ctypes.byref(count), None) else 0

else:

    def _waiting(pipe: int) -> int:
        """How many bytes lie in a pipe to be read, without the modules of sockets."""
        from fcntl import ioctl
        from termios import FIONREAD

        return int.from_bytes(ioctl(pipe, FIONREAD, bytes(4)), sys.byteorder)


def command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, FLAG]
    # Neither the folder in which the child runs nor its own is a place to import from.
    return [sys.executable, "-I" if sys.flags.isolated else "-P", "-m", "dpdesk", FLAG]


def _folder() -> str:
    """A folder that stays: the study's own may be taken away while the child lives."""
    return os.path.dirname(sys.executable) if getattr(sys, "frozen", False) else str(_ROOT)


def _environment() -> dict[str, str]:
    """This process's own, and where ``dpdesk`` is where that is not installed."""
    said = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    if _ROOT.name not in _INSTALLED and not getattr(sys, "frozen", False):
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        said["PYTHONPATH"] = os.pathsep.join(paths)
    return said
