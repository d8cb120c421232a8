# SPDX-License-Identifier: Apache-2.0
"""A bundle handed to ``dpdesk verify``, as its user does it: what it says, time and memory."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from dpdesk.cli import main
from dpdesk.release.signing.keys import allowed_signers_line
from tests.release.bundles import KEY
from tests.source_files import ROOT

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

    The processes are forked from one that has loaded the program and met no bundle: a fork counts
    as its own what the process that it came from holds, and tests hold much.

    Args:
        folder: an empty one, for the bundle and what is printed about it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "signers").write_text(allowed_signers_line(KEY.info), encoding="ascii")
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.attacks.trial", str(folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Verifier:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.communicate()

    def answer(self, raw: bytes) -> Answer:
        """Check a bundle."""
        (self._folder / "bundle.zip").write_bytes(raw)
        assert self._server.stdin is not None and self._server.stdout is not None
        self._server.stdin.write(b"?")
        self._server.stdin.flush()
        status, seconds, megabytes = json.loads(self._server.stdout.readline())
        return Answer(status, self._printed("err"), self._printed("out"), seconds, megabytes)

    def _printed(self, stream: str) -> str:
        return (self._folder / stream).read_text(encoding="utf-8", errors="replace").strip()


def serve(folder: Path) -> None:
    """Fork a verification for each question on the standard input."""
    gc.freeze()  # a copy that looks through what it shares for garbage would copy all of it
    while os.read(0, 1):
        child = os.fork()
        if child == 0:
            _be_dpdesk(folder)
        _, status, used = os.wait4(child, 0)
        code, seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        print(json.dumps([code, seconds, used.ru_maxrss / 1024]), flush=True)


def _be_dpdesk(folder: Path) -> None:
    """The whole command, from its arguments to its exit status; does not return."""
    import resource

    status = 255
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (ALIVE_S, ALIVE_S))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        for name, number in (("out", 1), ("err", 2)):
            opened = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(opened, number)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        os.environ["DPDESK_HOME"] = str(folder / "home")
        bundle, signers = str(folder / "bundle.zip"), str(folder / "signers")
        status = main(["verify", bundle, "--signers", signers])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
