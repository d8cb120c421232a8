# SPDX-License-Identifier: Apache-2.0
"""A file that is there is never written over, and nothing is spent before that is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.bundle import bundle_file
from dpdesk.release.run.unwritten import UnwrittenBundles
from tests.shell.hospital import Hospital, Said

OTHER = b"the only copy of something else"


def _refused(said: Said, path: Path) -> bool:
    sentence = f"{path.name} exists already. Choose another name."
    return (said.status, said.out, said.sentences) == (1, "", [sentence])


@pytest.mark.parametrize("more", [(), ("--fresh", "--same-extract"), ("--same-extract", "--json")])
@pytest.mark.in_turn(2)
def test_a_release_refuses_a_taken_name_before_it_spends(
    hospital: Hospital, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hospital.release().status == 0
    bundle = hospital.bundle.read_bytes()
    monkeypatch.delenv("DPDESK_PASSPHRASE_FILE")  # it is refused before that is typed
    said = hospital.run("release", hospital.study, "--out", hospital.bundle, *more)
    assert _refused(said, hospital.bundle)
    assert (hospital.spent, hospital.bundle.read_bytes()) == ("0.5", bundle)
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert [entry["kind"] for entry in shown["entries"]].count("release") == 1


def test_this_releases_own_bundle_is_no_other_file(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:  # killed between its bundle and its note
        patch.setattr(UnwrittenBundles, "forget", stop)
        assert hospital.release("--fresh").status == 1
    bundle = hospital.bundle.read_bytes()
    again = hospital.run("release", hospital.study, "--out", hospital.bundle, "--fresh")
    assert again.status == 0 and "at no cost" in again.err
    assert (hospital.spent, hospital.bundle.read_bytes()) == ("0.5", bundle)


def test_a_paid_release_takes_no_other_files_place(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bundle_file.ReservedFile, "write", stop)
        assert hospital.release("--fresh").status == 1
    hospital.bundle.write_bytes(OTHER)
    said = hospital.run("release", hospital.study, "--out", hospital.bundle, "--fresh")
    assert _refused(said, hospital.bundle) and hospital.bundle.read_bytes() == OTHER
    elsewhere = hospital.folder / "elsewhere.zip"
    assert hospital.run("release", hospital.study, "--out", elsewhere, "--fresh").status == 0
    assert hospital.spent == "0.5" and elsewhere.exists()


@pytest.mark.parametrize(
    "command",
    [
        ("plan", "{study}", "--pdf", "{file}.pdf"),
        ("key", "print", "--out", "{file}.html"),
        ("codebook", "{study}", "--write", "{file}.json"),
        ("ledger", "backup", "{file}.zip"),
        ("ledger", "move", "{file}.zip", "--to", "{code}"),
    ],
)
@pytest.mark.in_turn(3)
def test_other_commands_refuse_a_taken_name(
    hospital: Hospital, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("DPDESK_HOME", str(hospital.folder / "new"))
        code = json.loads(hospital.run("ledger", "expect", "--json").out)["code"]
    names: dict[str, Any] = {"study": hospital.study, "file": hospital.folder / "taken"}
    words = [word.format(**names, code=code) for word in command]
    path = next(Path(word) for word in words if "taken" in word)
    path.write_bytes(OTHER)
    assert _refused(hospital.run(*words), path)
    assert path.read_bytes() == OTHER
    path.unlink()
    assert hospital.run(*words).status == 0
    # What it wrote itself it may write again: nothing of it is lost.
    assert hospital.run(*words).status == 0


def test_a_codebook_is_not_imported_where_its_export_has_no_name(hospital: Hospital) -> None:
    schema, taken = hospital.folder / "schema.json", hospital.folder / "taken.json"
    assert hospital.run("codebook", hospital.study, "--write", schema).status == 0
    taken.write_bytes(OTHER)
    before = hospital.study.read_bytes()
    order = ("codebook", hospital.study, schema, "--accept", "all", "--write", taken)
    assert _refused(hospital.run(*order), taken)
    assert hospital.study.read_bytes() == before


def test_a_backup_replaces_an_earlier_one_of_its_ledger_alone(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_key, backup = hospital.folder / "key.zip", hospital.folder / "backup.zip"
    assert hospital.run("ledger", "backup", with_key, "--with-key").status == 0
    assert hospital.run("ledger", "backup", backup).status == 0
    assert hospital.release().status == 0
    assert hospital.run("ledger", "backup", backup).status == 0
    # It would lose the key.
    assert _refused(hospital.run("ledger", "backup", with_key), with_key)
    assert hospital.run("ledger", "backup", with_key, "--with-key").status == 0
    monkeypatch.setenv("DPDESK_HOME", str(hospital.folder / "other"))
    assert hospital.run("account", "new", "small", "1").status == 0
    assert _refused(hospital.run("ledger", "backup", backup), backup)


def test_a_twice_signed_bundle_takes_no_other_files_place(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    taken = hospital.folder / "taken.zip"
    taken.write_bytes(OTHER)
    said = hospital.run("sign", hospital.bundle, "--out", taken)
    assert _refused(said, taken) and taken.read_bytes() == OTHER
