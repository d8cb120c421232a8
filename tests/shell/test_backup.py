# SPDX-License-Identifier: Apache-2.0
"""`dpdesk ledger backup` and `restore`: a move to a new computer, and what the bundles say then."""

from __future__ import annotations

import json
import os
import time
import zipfile

import pytest

from tests.shell.hospital import Hospital


def test_a_move_to_a_new_computer_is_said_by_the_next_bundle(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hospital.release().status == 0
    backup = hospital.folder / "backup.zip"
    said = hospital.run("ledger", "backup", backup, "--with-key")
    assert said.status == 0 and "brings no budget back" in said.out
    monkeypatch.setenv("DPDESK_HOME", str(hospital.folder / "new"))
    restored = hospital.run("ledger", "restore", backup)
    assert (restored.status, restored.err) == (0, "")
    assert "Restored: small." in restored.out
    assert "may have been in use" in restored.out
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert (shown["spent"], shown["entries"][-1]["word"]) == ("0.5", "restored")
    assert "restored from a backup" in hospital.run("account", "show", "small").out
    refused = hospital.release("--fresh", "--same-extract")
    assert refused.status == 1 and "restored from a backup or rebuilt" in refused.err
    assert len(refused.sentences) == 1
    assert "Locked: small." in hospital.run("account", "list").out
    planned = hospital.run("plan", hospital.study).out
    assert "The account “small” is locked: nothing can be released from it." in planned
    unlock = ("ledger", "unlock", "small", "--reason", "the old computer was scrapped")
    assert "it was unlocked" in " ".join(hospital.run(*unlock).out.split())
    assert hospital.run(*unlock).status == 1
    assert hospital.release("--fresh", "--same-extract").status == 0
    found = json.loads(hospital.run("verify", hospital.bundle, "--json").out)
    stated = ["rollback_suspected", "recovery_opened"]
    assert found["history"] == {"ok": False, "stated": stated} and found["remade"]["ok"]
    assert "Unlocked: the old computer" in hospital.run("account", "show", "small").out
    with zipfile.ZipFile(hospital.bundle) as bundle:
        assert "The account was unlocked after a restore" in bundle.read(
            "README.txt"
        ).decode().replace("\n", " ")
        assert "the old computer" not in str([bundle.read(name) for name in bundle.namelist()])
    assert hospital.run("ledger", "check").status == 0


def test_a_backup_that_would_give_budget_back_is_refused(hospital: Hospital) -> None:
    backup = hospital.folder / "backup.zip"
    members = json.loads(hospital.run("ledger", "backup", backup, "--json").out)
    assert members["entries"] == 1 and members["key"] is False
    assert hospital.release().status == 0
    said = hospital.run("ledger", "restore", backup)
    assert said.status == 1 and "stays spent" in said.err
    assert hospital.spent == "0.5"


@pytest.mark.threat("F1")
def test_what_killed_programs_left_goes_with_the_next_backup_or_export(hospital: Hospital) -> None:
    folder = hospital.folder
    for name, age in (("old", 3_600), ("future", -3_600 * 24 * 365), ("new", 1)):
        for target in ("backup.zip", "out", "out.zip"):
            part = folder / f".{target}.{name}.part"
            if target == "out":
                part.mkdir()
                (part / "entries.json").write_text("{}", encoding="utf-8")
            else:
                part.write_bytes(b"secret")
            moment = time.time() - age
            os.utime(part, (moment, moment))
    for command in (("backup", "backup.zip"), ("export", "out"), ("export", "out.zip")):
        assert hospital.run("ledger", command[0], folder / command[1]).status == 0
    left = {path.name for path in folder.iterdir() if path.suffix == ".part"}
    assert left == {".backup.zip.new.part", ".out.new.part", ".out.zip.new.part"}
