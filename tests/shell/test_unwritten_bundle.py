# SPDX-License-Identifier: Apache-2.0
"""A release whose bundle cannot be written was paid for: that is said, and not paid again."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from dpdesk import cli
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle import bundle_file
from dpdesk.release.bundle.bundle_file import room_for
from dpdesk.release.ledger import Ledger, book
from dpdesk.release.ledger.storage.connection import immediate
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.study.json.study_files import load_study
from tests.shell.hospital import Hospital


def test_the_room_that_is_reserved_holds_the_bundle(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    size = hospital.bundle.stat().st_size
    assert size <= room_for(load_study(hospital.study).study, 9) <= 8 * size


@pytest.mark.threat("E10")
def test_a_folder_that_vanishes_after_the_draw(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = hospital.folder / "gone"
    gone.mkdir()
    really = OpenDPDoor.add_noise

    def and_lose_the_folder(*args: Any) -> Any:
        shutil.rmtree(gone, ignore_errors=True)
        return really(*args)

    monkeypatch.setattr(OpenDPDoor, "add_noise", and_lose_the_folder)
    failed = hospital.run("release", hospital.study, "--fresh", "--out", gone / "b.zip")
    assert failed.status == 1 and failed.out == ""
    unwritable, paid = failed.sentences[-2:]
    assert "b.zip cannot be written" in unwritable
    assert "0.5 from account “small”, 0.5 of 1 remaining" in paid and "at no cost" in paid
    again = hospital.release("--fresh")
    assert again.status == 0 and "at no cost" in again.err
    assert hospital.spent == "0.5"
    assert hospital.bundle.exists()
    afresh = hospital.release("--fresh", "--same-extract")
    assert (afresh.status, hospital.spent) == (0, "1") and "charged" not in afresh.err


@pytest.mark.threat("E10")
def test_a_command_that_was_stopped_before_the_bundle_pays_once(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bundle_file.ReservedFile, "write", stop)
        assert hospital.release("--fresh").status == 1
    assert hospital.spent == "0.5" and not hospital.bundle.exists()
    assert list(hospital.home.unwritten.iterdir())
    assert hospital.release("--fresh").status == 0
    assert hospital.spent == "0.5" and hospital.bundle.exists()
    assert not list(hospital.home.unwritten.iterdir())


def test_a_release_that_is_refused_leaves_no_note(hospital: Hospital) -> None:
    hospital.write_data("no,such,columns\n1,2,3\n")
    assert hospital.release("--fresh").status == 1
    assert (hospital.spent, list(hospital.home.unwritten.glob("*"))) == ("0", [])
    left: list[Path] = [p for p in hospital.folder.iterdir() if p.suffix == ".part"]
    assert left == []


@pytest.mark.threat("E10")
def test_a_commit_that_the_disk_does_not_confirm_is_not_shown_and_not_paid_again(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def unconfirmed(connection: sqlite3.Connection) -> Iterator[None]:
        with immediate(connection):
            yield
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(book, "immediate", unconfirmed)
        failed = hospital.release("--fresh")
    assert (failed.status, failed.out) == (1, "") and "failed during the charge" in failed.err
    again = hospital.release("--fresh")
    assert again.status == 0 and "at no cost" in again.err
    assert hospital.spent == "0.5"


@pytest.mark.threat("E10")
def test_without_room_for_a_note_nothing_is_spent(hospital: Hospital) -> None:
    hospital.home.unwritten.write_bytes(b"")
    failed = hospital.release("--fresh")
    assert failed.status == 1 and "cannot write to its folder" in failed.err
    assert (hospital.spent, hospital.bundle.exists()) == ("0", False)


@pytest.mark.threat("E10")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("how", [(), ("--json",)])
def test_output_onto_a_full_disk_is_said_and_not_paid_again(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    with monkeypatch.context() as patch, Path("/dev/full").open("w") as full:
        patch.setattr("sys.stdout", full)
        command = ("release", hospital.study, "--out", hospital.bundle, "--fresh", "--yes", *how)
        assert cli.main([str(word) for word in command]) == 1
        with suppress(OSError):
            full.close()
    assert "cannot be written" in hospital.capsys.readouterr().err
    assert hospital.bundle.exists() and hospital.spent == "0.5"
    assert hospital.release("--fresh").status == 0
    assert hospital.spent == "0.5"


def test_another_study_does_not_take_the_unwritten_release(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bundle_file.ReservedFile, "write", stop)
        assert hospital.release("--fresh").status == 1
    hospital.write_study(lambda members: members.update(title="Another"))
    assert hospital.release("--fresh", "--same-extract").status == 0
    assert hospital.spent == "1"


@pytest.mark.threat("E10")
def test_a_ledger_that_cannot_be_read_after_the_charge_is_said_with_it(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundle is there by then: nobody reads that nothing was spent, or that all is lost."""
    kept, write = hospital.folder / "kept.sqlite", bundle_file.ReservedFile.write

    def and_lose_the_ledger(place: bundle_file.ReservedFile, content: bytes) -> None:
        write(place, content)
        hospital.home.ledger.rename(kept)
        hospital.home.ledger.mkdir()

    with monkeypatch.context() as patch:
        patch.setattr(bundle_file.ReservedFile, "write", and_lose_the_ledger)
        failed = hospital.release("--fresh")
    hospital.home.ledger.rmdir()
    kept.rename(hospital.home.ledger)
    assert hospital.bundle.exists() and hospital.spent == "0.5"
    assert failed.status == 1 and failed.out == ""
    said = failed.sentences[-1]
    assert "charged to account “small” and in the ledger (entry 2)" in said
    assert "at no cost" in said and "bundle.zip" in said
    assert "othing was spent" not in failed.err and "restore it" not in failed.err
    assert hospital.release("--fresh").status == 0
    assert hospital.spent == "0.5"


@pytest.mark.threat("E10")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("ledger", "series", "new", "STUDY", "wards", "--count", "2", "--every", "year"),
            "counts",
        ),
        (("account", "second-person", "small", "--signer", "LINE", "--reason", "two"), "counts"),
        (("account", "raise", "small", "3", "--reason", "a new year"), ""),
    ],
)
def test_a_decision_after_which_the_ledger_fails_is_said_to_count(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    kept, line = hospital.folder / "kept.sqlite", hospital.folder / "line"
    second = keys.new_key(hospital.folder / "second", "dpo@small.example", "another passphrase")
    line.write_text(allowed_signers_line(second) + "\n", encoding="utf-8")
    hospital.run("account", "raise", "small", "2", "--reason", "room")
    before = Ledger.open(hospital.home).head()[0]

    def lose(_ledger: Ledger, _connection: object, *, is_entered: bool = True) -> None:
        if is_entered and not kept.exists():
            hospital.home.ledger.rename(kept)
            hospital.home.ledger.mkdir()

    given = {"STUDY": hospital.study, "LINE": line}
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "_remember", lose)
        found = hospital.run(*(given.get(word, word) for word in words))
    hospital.home.ledger.rmdir()
    kept.rename(hospital.home.ledger)
    assert Ledger.open(hospital.home).head()[0] == before + 1
    assert found.status == (1 if said else 0) and said in found.err
    assert "othing was spent" not in found.err
