# SPDX-License-Identifier: Apache-2.0
"""A bundle handed to ``dpdesk verify``, as its user does it: what it says, time and memory."""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from dpdesk.cli import main
from dpdesk.release.signing.keys import allowed_signers_line
from tests.release.bundles import KEY

ALIVE_S = 60
"""Processor seconds after which a bundle has hung whoever checks it."""


@dataclass(frozen=True)
class Answer:
    """What became of it.

    Attributes:
        status: the exit status; below zero: the signal that ended it.
        complaint: what was printed as an error.
        said: what was printed besides.
        seconds: of the processor.
        megabytes: the most memory that the whole process had.
    """

    status: int
    complaint: str
    said: str
    seconds: float
    megabytes: float

    @property
    def is_refused_in_words(self) -> bool:
        """Whether it was refused with a sentence about the bundle, not about a fault of ours."""
        is_fault = "Traceback" in self.complaint or "internal-fault" in self.complaint
        return self.status == 1 and bool(self.complaint) and not is_fault


class Verifier:
    """``dpdesk verify`` in a process of its own for each bundle.

    The processes are forked from one that has loaded the program and met no bundle, so that what
    the tests hold in memory is not counted.

    Args:
        folder: an empty one, for the bundle and what is printed about it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._signers = folder / "signers"
        self._signers.write_text(allowed_signers_line(KEY.info), encoding="ascii")
        asked, self._ask = os.pipe()
        self._told, tell = os.pipe()
        self._server = os.fork()
        if self._server == 0:
            os.close(self._ask)
            self._serve(asked, tell)
        os.close(asked)
        os.close(tell)

    def __enter__(self) -> Verifier:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._ask)
        os.waitpid(self._server, 0)
        os.close(self._told)

    def answer(self, raw: bytes) -> Answer:
        """Check a bundle."""
        (self._folder / "bundle.zip").write_bytes(raw)
        os.write(self._ask, b"?")
        status, seconds, megabytes = json.loads(os.read(self._told, 200))
        return Answer(status, self._printed("err"), self._printed("out"), seconds, megabytes)

    def _printed(self, stream: str) -> str:
        return (self._folder / stream).read_text(encoding="utf-8", errors="replace").strip()

    def _serve(self, asked: int, tell: int) -> None:
        """Fork a verification for each question; does not return."""
        while os.read(asked, 1):
            child = os.fork()
            if child == 0:
                self._be_dpdesk()
            _, status, used = os.wait4(child, 0)
            code, seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
            os.write(tell, json.dumps([code, seconds, used.ru_maxrss / 1024]).encode("ascii"))
        os._exit(0)

    def _be_dpdesk(self) -> None:
        """The whole command, from its arguments to its exit status; does not return."""
        import resource

        status = 255
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (ALIVE_S, ALIVE_S))
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            for name, number in (("out", 1), ("err", 2)):
                opened = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.dup2(opened, number)
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            os.environ["DPDESK_HOME"] = str(self._folder / "home")
            bundle = str(self._folder / "bundle.zip")
            status = main(["verify", bundle, "--signers", str(self._signers)])
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)
