# SPDX-License-Identifier: Apache-2.0
"""`dpdesk ledger export`: an auditor checks it with stock tools, and recomputes every hash."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dpdesk.release.backup.export import NAMESPACE
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.ledger import Ledger
from dpdesk.release.signing import keys
from dpdesk.release.verify.active_content import is_plain_report, is_plain_table
from dpdesk.study.model.amount import Epsilon
from tests.release.stock_command import stock_command
from tests.shell.hospital import Hospital


@pytest.fixture
def exported(hospital: Hospital) -> Path:
    """An export of a ledger with a release, and a note that a browser or table might run."""
    assert hospital.release().status == 0
    note = '=1+1 <script>alert("x")</script>'
    Ledger.open(hospital.home).new_account("other", Epsilon.of(2), note)
    folder = hospital.folder / "audit"
    said = hospital.run("ledger", "export", folder)
    assert (said.status, said.err) == (0, "")
    return folder


def test_nothing_in_it_runs(exported: Path) -> None:
    page = (exported / "ledger.html").read_bytes()
    assert is_plain_report(page) and b"script" in page and b"<script" not in page
    assert is_plain_table((exported / "entries.csv").read_bytes())


def test_the_chain_can_be_recomputed(hospital: Hospital, exported: Path) -> None:
    found = json.loads((exported / "entries.json").read_text("ascii"))
    assert (len(found["entries"]), found["head"]) == Ledger.open(hospital.home).head()
    previous = "0" * 64
    for entry in found["entries"]:
        digest = hashlib.sha256(entry["payload"].encode("utf-8")).hexdigest()
        assert (entry["previous"], entry["payload_sha256"]) == (previous, digest)
        previous = entry["hash"]
    assert [e["charged"] for e in found["entries"]] == ["0", "0.5", "0"]


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
def test_stock_tools_check_it(hospital: Hospital, exported: Path) -> None:
    for line in (exported / "SHA256SUMS").read_text("ascii").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((exported / name).read_bytes()).hexdigest() == digest
    info = keys.show(hospital.home.keys)
    assert info is not None
    line = keys.allowed_signers_line(info).replace(keys.NAMESPACE, NAMESPACE)
    (hospital.folder / "allowed_signers").write_text(line, encoding="ascii")
    command = stock_command((exported / "README.txt").read_text("utf-8"))
    for more, is_good in ((b"", True), (b" ", False)):
        with (exported / "SHA256SUMS").open("ab") as stream:
            stream.write(more)
        run = subprocess.run(["sh", "-c", command], cwd=exported, capture_output=True)
        assert (run.returncode == 0) == is_good


def test_a_zip_holds_the_same_and_nothing_is_overwritten(
    hospital: Hospital, exported: Path
) -> None:
    path = hospital.folder / "audit.zip"
    assert hospital.run("ledger", "export", path).status == 0
    same = {name: (exported / name).read_bytes() for name in unpack(path.read_bytes())}
    assert unpack(path.read_bytes()) == same
    for there in (path, exported):
        assert "exists already" in hospital.run("ledger", "export", there).err
    nowhere = hospital.folder / "none" / "audit"
    assert "cannot be written" in hospital.run("ledger", "export", nowhere).err
