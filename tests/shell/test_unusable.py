# SPDX-License-Identifier: Apache-2.0
"""A path that the system refuses is its owner's mistake, reported in a sentence, and no fault."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.places.home import Home
from dpdesk.shell.program.unusable import unusable
from tests.shell.hospital import Hospital
from tests.source_files import ROOT
from tests.waiting import LIMIT_S

LONG = "x" * 5_000


def test_a_name_that_is_too_long_is_reported(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    for command in (
        ("verify", hospital.bundle, "--signers", LONG),
        ("verify", LONG),
        ("release", hospital.study, "--same-extract", "--out", LONG),
        ("ledger", "backup", LONG),
        ("ledger", "export", LONG),
        ("ledger", "withdraw", "2", "--reason", "wrong", "--notice", LONG),
        ("dossier", hospital.bundle, "--to", LONG),
        ("plan", hospital.study, "--pdf", f"{LONG}.pdf"),
        ("rehearse", hospital.study, "--to", LONG),
        ("new", LONG, "--like", hospital.study, "--data", hospital.data),
        ("key", "print", "--out", f"{LONG}.pdf"),
    ):
        said = hospital.run(*command)
        assert said.status == 1 and "Internal error" not in said.err, (command[:2], said.err[-200:])
        assert "xxx" in said.err, (command[:2], said.err[-200:])
    assert not (hospital.home.logs / "faults.log").exists()


def test_only_what_was_typed_is_quoted() -> None:
    closed = OSError(errno.EACCES, "no", "/srv/closed/out.zip")
    found = unusable(closed, [Path("/srv/closed/out.zip")])
    assert found is not None and found.params == {"name": "out.zip"}
    assert unusable(OSError(errno.EACCES, "no", "/srv/data.csv"), [Path("/srv/out.zip"), 1]) is None
    assert unusable(OSError(errno.EBADF, "no", "/srv/out.zip"), [Path("/srv/out.zip")]) is None
    several = unusable(OSError(errno.EPERM, "no", "b.zip"), [[Path("a.zip"), Path("b.zip")]])
    assert several is not None
    signature = unusable(OSError(errno.ENAMETOOLONG, "no", f"{LONG}.sig"), [Path(LONG)])
    assert signature is not None and len(signature.params["name"]) < 70


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_answer_that_cannot_be_written_is_reported(hospital: Hospital) -> None:
    environ = {**os.environ, "DPDESK_HOME": str(hospital.home.root)}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-u", "-m", "dpdesk", "account", "show", "small"],
            cwd=ROOT,
            env=environ,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (
        done.returncode
        and "cannot be written" in done.stderr
        and "Internal error" not in done.stderr
    )


@pytest.mark.skipif(os.name != "posix", reason="a pipe without a reader is another error there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_leaves_early_gets_nothing(hospital: Hospital, unbuffered: str) -> None:
    """As with ``dpdesk account list | head``: no fault of the program's, and no words about it."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "dpdesk", "account", "list"],
            cwd=ROOT,
            env={
                **os.environ,
                "DPDESK_HOME": str(hospital.home.root),
                "PYTHONUNBUFFERED": unbuffered,
            },
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT_S,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")
    assert not (hospital.home.logs / "faults.log").exists()


def test_another_pipe_that_breaks_is_a_fault(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as that to the process which reads the file: a command must not end without a word."""

    def broken(_home: Home) -> object:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    monkeypatch.setattr("dpdesk.shell.account.open_ledger", broken)
    said = hospital.run("account", "list")
    assert said.status == 1 and "Internal error" in said.err
