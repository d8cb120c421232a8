# SPDX-License-Identifier: Apache-2.0
"""The shell's commands when all is well."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dpdesk
from dpdesk.release.places.home import Home
from dpdesk.release.verify import verification
from tests.shell.hospital import Hospital

ROOT = Path(__file__).parents[2]


def test_the_plan_opens_no_data_and_makes_no_ledger(hospital: Hospital, tmp_path: Path) -> None:
    hospital.data.unlink()
    environment = {**os.environ, "DPDESK_HOME": str(tmp_path / "other")}
    command = [sys.executable, "-m", "dpdesk", "plan", str(hospital.study), "--json"]
    done = subprocess.run(command, capture_output=True, env=environment, cwd=ROOT, check=True)
    plan = json.loads(done.stdout)
    assert plan["total"] == "0.5"
    assert plan["account"] is None
    assert plan["queries"][0]["parts"][0]["sensitivity"] == "2"
    assert plan["queries"][1]["half_width_95"] is None
    assert not Home.at(tmp_path / "other").ledger.exists()


def test_the_plan_says_what_the_account_would_have_left(hospital: Hospital) -> None:
    plan = json.loads(hospital.run("plan", hospital.study, "--json").out)
    assert plan["account"]["left"] == "1"
    assert plan["account"]["left_after"] == "0.5"
    assert "± (95 in 100)" in hospital.run("plan", hospital.study).out


def test_a_release_is_verified_here_and_unknown_elsewhere(
    hospital: Hospital, tmp_path: Path
) -> None:
    assert hospital.release().status == 0
    assert "Claim: correct, epsilon 0.5" in hospital.run("verify", hospital.bundle).out
    empty = tmp_path / "signers"
    empty.write_text("")
    elsewhere = hospital.run("verify", hospital.bundle, "--signers", empty)
    assert elsewhere.status == 1
    assert "Signer: unknown" in elsewhere.out
    empty.write_text(hospital.run("key", "show").out)
    assert hospital.run("verify", hospital.bundle, "--signers", empty).status == 0


def test_one_changed_byte_is_refused(hospital: Hospital) -> None:
    hospital.release()
    raw = hospital.bundle.read_bytes()
    for place in range(0, len(raw), 997):
        changed = bytearray(raw)
        changed[place] ^= 0x10
        hospital.bundle.write_bytes(changed)
        assert hospital.run("verify", hospital.bundle).status == 1, place


def test_another_file_can_be_named(hospital: Hospital, tmp_path: Path) -> None:
    other = tmp_path / "newer.csv"
    other.write_text("pid,ward,stay\n9,A,3\n", encoding="utf-8")
    assert hospital.release("--data", other, "--extract", "newer").status == 0
    # Another extract: the same questions are paid for again.
    assert hospital.release().status == 0
    assert hospital.spent == "1"


def test_accounts_are_listed_shown_and_raised(hospital: Hospital) -> None:
    assert hospital.run("account", "new", "second", "0.5", "--note", "made up").status == 0
    listed = json.loads(hospital.run("account", "list", "--json").out)
    assert [(a["name"], a["total"]) for a in listed] == [("small", "1"), ("second", "0.5")]
    raised = hospital.run("account", "raise", "second", "0.7", "--reason", "board, 3 May")
    assert (raised.status, raised.err) == (0, "")
    shown = json.loads(hospital.run("account", "show", "second", "--json").out)
    assert [e["kind"] for e in shown["entries"]] == ["open-account", "raise"]
    assert shown["left"] == "0.7"
    lower = hospital.run("account", "raise", "second", "0.6", "--reason", "no")
    assert lower.status == 1
    assert "can only be raised" in lower.err


def test_the_ledger_check_finds_a_replaced_ledger(hospital: Hospital) -> None:
    old = hospital.home.ledger.read_bytes()
    hospital.release()
    assert hospital.run("ledger", "check").status == 0
    hospital.home.ledger.write_bytes(old)
    found = hospital.run("ledger", "check")
    assert found.status == 1
    assert "An older copy of the ledger is in use" in found.err
    assert hospital.release().status == 1
    assert hospital.run("ledger", "reconcile", "--reason", "backup restored").status == 0
    assert hospital.spent == "0.5"
    assert hospital.run("ledger", "check").status == 0


def test_the_key_is_shown_as_a_line_for_recipients(hospital: Hospital) -> None:
    shown = hospital.run("key", "show").out.splitlines()
    assert shown[0].startswith('data-office@small.example namespaces="dpdesk-release-v1" ssh-ed25')
    assert shown[1].startswith("# SHA256:"), "a comment: the whole is a file of signers"
    again = hospital.run("key", "new", "--name", "other")
    assert again.status == 1
    assert again.sentences == ["There is already a signing key; it is not overwritten."]


def test_verifying_says_whom_the_claim_protects(hospital: Hospital) -> None:
    """Epsilon alone is no promise: of whom, with how many rows, and against which neighbour?"""
    hospital.release()
    said = hospital.run("verify", hospital.bundle)
    (line,) = [line for line in said.out.splitlines() if line.startswith("Protects: ")]
    assert re.fullmatch(r"Protects: whether one .* with up to \d+ .* is in the data at all", line)
    claim = json.loads(hospital.run("verify", hospital.bundle, "--json").out)["claim"]
    assert claim["neighbours"] == "add-remove"
    assert claim["unit"]["what"] == "person" and f"up to {claim['unit']['max_rows']} " in line


@pytest.mark.threat("E6", "G9")
def test_a_copied_home_is_noticed_entries_apart(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One release of one copy, three of the other: "no open points" was said of both."""
    bundles = [tmp_path / f"{n}.zip" for n in range(4)]
    release = ("release", hospital.study, "--fresh", "--same-extract", "--out")
    root, copy = hospital.home.root, tmp_path / "copy"
    assert hospital.run("account", "raise", "small", "9", "--reason", "more").status == 0
    shutil.copytree(root, copy)
    assert hospital.run(*release, bundles[0]).status == 0
    shutil.rmtree(root)
    copy.rename(root)
    for bundle in bundles[1:]:
        assert hospital.run(*release, bundle).status == 0
    assert hospital.run("verify", *bundles[1:]).status == 0
    forked = hospital.run("verify", bundles[0], bundles[3])
    assert forked.status == 1 and "diverging copies of one ledger" in forked.err
    said = json.loads(hospital.run("verify", bundles[3], bundles[0], "--json").out)
    assert "bundles-fork" in [problem["code"] for problem in said["together"]]
    assert said["orders"] == [] and all(one["verified"] for one in said["bundles"])
    # A later version, which writes no file as this one does, notices it, too.
    monkeypatch.setattr(dpdesk, "__version__", "9999.0.0")
    monkeypatch.setattr(verification, "made_files", lambda *_: {})
    assert hospital.run("verify", *bundles[1:]).status == 3
    forked = hospital.run("verify", bundles[0], bundles[3])
    assert forked.status == 1 and "diverging copies of one ledger" in forked.err


@pytest.mark.threat("E3", "E6", "G9")
def test_bundles_of_two_histories_are_told_apart(hospital: Hospital, tmp_path: Path) -> None:
    bundles = [tmp_path / f"{n}.zip" for n in range(3)]
    release = ("release", hospital.study, "--fresh", "--same-extract", "--out")
    assert hospital.run(*release, bundles[0]).status == 0
    old = {path: path.read_bytes() for path in (hospital.home.ledger, hospital.home.heads)}
    assert hospital.run(*release, bundles[1]).status == 0
    # Ledger and its second record are put back together: nothing here can notice that.
    for path, content in old.items():
        path.write_bytes(content)
    assert hospital.run("ledger", "check").status == 0
    assert hospital.run(*release, bundles[2]).status == 0
    assert hospital.run("verify", *bundles[:2]).status == 0
    in_order = hospital.run("verify", bundles[2], bundles[0])
    assert in_order.status == 0
    assert "One ledger, the earliest first: 0.zip (entry 2), 2.zip (entry 3)" in in_order.out
    forked = hospital.run("verify", *bundles)
    assert forked.status == 1
    assert forked.sentences == [
        (
            "Entries 3 and 3 come from diverging copies of one ledger: an older copy was used "
            "again, or two copies were kept. Ask the signer."
        )
    ]
    said = json.loads(hospital.run("verify", bundles[1], bundles[2], "--json").out)
    codes = [problem["code"] for problem in said["together"]]
    assert codes == ["bundles-fork", "bundles-missing"]
    alone = hospital.run("verify", bundles[1], bundles[1])
    assert "also charged by the entries 2, whose bundles are not here" in alone.out
