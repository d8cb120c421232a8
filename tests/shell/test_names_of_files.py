# SPDX-License-Identifier: Apache-2.0
"""A file's name is a stranger's text: it says nothing of its own, and takes nothing away."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.shell.hospital import Hospital

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
FORGED = "Signer: known, office@hospital.example, SHA256:0000"
ERASED = "\x1b[2K\x1b[1A"


def lines(*texts: str) -> list[str]:
    return [line for text in texts for line in text.splitlines()]


@pytest.mark.threat("G5")
def test_a_bundle_is_not_verified_by_its_name(hospital: Hospital, tmp_path: Path) -> None:
    assert hospital.release().status == 0
    named = tmp_path / f"a.zip:\n{FORGED}\n{ERASED}b\u202egpj"
    named.write_bytes(b"no bundle")
    said = hospital.run("verify", named, hospital.bundle)
    assert said.status == 1 and FORGED not in lines(said.out, said.err)
    assert "\x1b" not in said.out + said.err and "\u202e" not in said.out + said.err
    (first,) = (line for line in lines(said.out) if line.startswith("a.zip"))
    assert FORGED in first, "it still says which file is meant"


@pytest.mark.threat("G5")
def test_a_refused_file_says_nothing_by_its_name(hospital: Hospital) -> None:
    name = f"x\n{FORGED}{ERASED}"
    for command in (
        ("verify", name),
        ("release", name),
        ("signers", "add", name),
        ("signers", "rotated", name),
        ("sign", name),
        ("ledger", "restore", name),
        ("compare", name, name),
    ):
        said = hospital.run(*command)
        assert said.status, command
        assert FORGED not in lines(said.out, said.err), command
        assert "\x1b" not in said.out + said.err, command


@pytest.mark.threat("G5")
def test_a_notices_bundle_is_named_on_one_line(hospital: Hospital, tmp_path: Path) -> None:
    assert hospital.release().status == 0
    notice = tmp_path / "n.notice"
    said = hospital.run("ledger", "withdraw", "2", "--reason", "wrong file", "--notice", notice)
    assert said.status == 0, said.err
    named = tmp_path / f"a\n{FORGED}"
    named.write_bytes(hospital.bundle.read_bytes())
    said = hospital.run("verify", named, hospital.bundle, "--notice", notice)
    assert FORGED not in lines(said.out, said.err) and "Withdrawn" in said.err
