# SPDX-License-Identifier: Apache-2.0
"""A second record that is gone is said at once, in the ledger, and by every bundle from then on."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.shell.hospital import Hospital


@pytest.fixture
def put_back(hospital: Hospital) -> Hospital:
    """A hospital whose ledger was put back to the state before its release, the trace removed."""
    backup = hospital.folder / "backup"
    shutil.copy(hospital.home.ledger, backup)
    assert hospital.release().status == 0
    shutil.copy(backup, hospital.home.ledger)
    hospital.home.heads.unlink()
    hospital.bundle.unlink()
    return hospital


@pytest.mark.threat("E6")
def test_a_rollback_without_a_trace_is_not_silent(put_back: Hospital) -> None:
    said = put_back.release()
    assert said.status == 0
    assert [line for line in said.sentences if "second record" in line.lower()]
    listed = put_back.run("account", "show", "small")
    assert "The second record was missing" in listed.out
    found = put_back.run("verify", put_back.bundle, "--json")
    (told,) = [json.loads(found.out)["history"]]
    assert told == {"ok": False, "stated": ["rollback_suspected"]}
    shown = put_back.run("verify", put_back.bundle)
    assert "an older copy of the ledger may once have been in use" in shown.err
    assert "History: nothing" not in shown.out


def test_a_history_that_leaves_nothing_open_is_said_so(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    said = hospital.run("verify", hospital.bundle)
    assert "History: nothing is left open" in said.out
    assert "Remade: yes" in said.out


@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_a_ledger_that_went_away_is_no_new_one(hospital: Hospital, how: str) -> None:
    assert hospital.release().status == 0
    if how == "deleted":
        hospital.home.ledger.unlink()
    else:
        hospital.home.ledger.write_bytes(b"")
    said = hospital.run("account", "list")
    assert said.status == 1
    assert "An older copy of the ledger is in use" in said.err and "small" in said.err
    assert "no budget accounts yet" not in said.out


@pytest.mark.parametrize(
    "command",
    [
        ["account", "show", "small"],
        ["account", "raise", "small", "2", "--reason", "more questions"],
        ["ledger", "unlock", "small", "--reason", "nothing else"],
        ["plan", "small.dpdesk"],
        ["release", "small.dpdesk", "--fresh", "--out", "again.zip"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_no_command_takes_a_ledger_that_went_away_for_one_without_the_account(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    assert hospital.release().status == 0
    hospital.home.ledger.unlink()
    monkeypatch.chdir(hospital.folder)
    said = hospital.run(*command)
    assert said.status == 1 and not (hospital.folder / "again.zip").exists()
    assert "An older copy of the ledger is in use" in said.err and "small" in said.err
    assert "There is no budget account" not in said.out + said.err


def test_an_old_copy_says_that_its_money_is_locked(hospital: Hospital) -> None:
    backup = hospital.folder / "backup"
    shutil.copy(hospital.home.ledger, backup)
    assert hospital.release().status == 0
    shutil.copy(backup, hospital.home.ledger)
    said = hospital.run("account", "list")
    assert said.status == 1 and "nothing can be spent" in said.err
