# SPDX-License-Identifier: Apache-2.0
"""A check, a release and a verification, watched from outside: no network, no cell left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell.hospital import Hospital
from tests.source_files import ROOT

WATCH = """
import os, sys

def note(event, arguments):
    # 2 and 10: AF_INET and AF_INET6; of the other events none happens without a connection.
    if event == "socket.__new__" and arguments[1] in (2, 10, 23, 30) or event in (
        "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname"
    ):
        with open(os.environ["WATCHED"], "a") as stream:
            print(event, file=stream)

sys.addaudithook(note)
with open(os.environ["WATCHED"], "a") as stream:
    print("begins", file=stream)
"""
SESSION = """
import sys
from dpdesk.cli import main
study, bundle = sys.argv[1:]
sys.exit(
    main(["check", study])
    or main(["release", study, "--yes", "--out", bundle])
    or main(["verify", bundle])
)
"""
CONNECT = "import socket; socket.socket(socket.AF_INET)"


class Session:
    """Processes whose sockets are noted, with home and temporary folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "session"
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir(parents=True)
        self.noted = folder / "noted.txt"
        (folder / "watch").mkdir()
        (folder / "watch" / "sitecustomize.py").write_text(WATCH)
        self.variables = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")} | {
            "PYTHONPATH": os.pathsep.join([str(folder / "watch"), str(ROOT)]),
            "WATCHED": str(self.noted),
            "HOME": str(self.folder),
            "TMPDIR": str(self.temporary),
        }

    def run(self, code: str, *arguments: Path, before: tuple[str, ...] = ()) -> None:
        command = [*before, sys.executable, "-c", code, *map(str, arguments)]
        subprocess.run(
            command, cwd=self.folder, env=self.variables, check=True, capture_output=True
        )

    @property
    def connections(self) -> list[str]:
        """What went to a network, of a process that was watched."""
        begins, *events = self.noted.read_text().splitlines()
        assert begins == "begins"
        return events


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def without_network() -> tuple[str, ...]:
    """What runs a command where there is no network interface; nothing where that cannot be."""
    unshare = shutil.which("unshare")
    command = (unshare or "", "--user", "--map-root-user", "--net")
    if unshare and subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        return command
    return ()


@pytest.mark.threat("F1", "F9")
def test_a_session_opens_no_network_and_leaves_no_cell(
    hospital: Hospital, session: Session
) -> None:
    hospital.write_data("pid,ward,stay\np7770001,A,3\np7770002,B,5\np7770003,p7770004,p7770005\n")
    session.run(SESSION, hospital.study, hospital.bundle, before=without_network())
    assert session.connections == []
    written = [*session.folder.rglob("*"), *hospital.home.root.rglob("*"), hospital.bundle]
    left = [path for path in written if path.is_file()]
    assert {hospital.bundle, hospital.home.ledger} <= set(left)
    assert not [path.name for path in left if b"p777" in path.read_bytes()]


@pytest.mark.threat("F9")
def test_a_connection_would_be_noted(session: Session) -> None:
    session.run(CONNECT)
    assert len(session.connections) == 1


@pytest.mark.threat("B13")
def test_headers_that_no_study_names_are_in_no_bundle(hospital: Hospital) -> None:
    hospital.write_data("pid,ward,stay,smith_john\n1,A,3,miller_jane\n2,B,5,\n")
    assert hospital.release().status == 0
    content = hospital.bundle.read_bytes()
    assert b"mean-stay" in content
    assert b"smith" not in content
    assert b"miller" not in content
