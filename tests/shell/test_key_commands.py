# SPDX-License-Identifier: Apache-2.0
"""``dpdesk key``: another passphrase, a key that OpenSSH made, and how it is encrypted."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dpdesk.release.signing import keys
from tests.shell.hospital import PASSPHRASE, Hospital

NEW = "eleven purple lamps hum"
needs_openssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system"
)


@pytest.fixture
def new_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "new-words"
    path.write_text(NEW, encoding="utf-8")
    monkeypatch.setenv("DPDESK_NEW_PASSPHRASE_FILE", str(path))
    return path


def keygen(*arguments: str | Path) -> None:
    subprocess.run(["ssh-keygen", "-q", *map(str, arguments)], check=True)


def test_the_passphrase_is_changed_and_its_strength_shown(
    hospital: Hospital, new_words: Path
) -> None:
    shown = hospital.run("key", "show").out
    said = hospital.run("key", "passphrase")
    assert (said.status, said.out) == (0, shown)
    assert said.sentences == [
        "The passphrase is changed. Backups keep the passphrase of their day.",
        "Strength of the passphrase, as an estimate: fair.",
    ]
    keys.unlock(hospital.home.keys, NEW)


def test_a_weak_passphrase_is_said_to_be_weak(hospital: Hospital, new_words: Path) -> None:
    new_words.write_text("Passwort2024", encoding="utf-8")
    said = hospital.run("key", "passphrase")
    assert said.sentences[1:] == [
        "Strength of the passphrase, as an estimate: weak. Five or more random words are better; "
        "change it with: dpdesk key passphrase"
    ]


def test_a_wrong_passphrase_changes_nothing(
    hospital: Hospital, new_words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(new_words))
    said = hospital.run("key", "passphrase")
    assert said.status == 1 and len(said.sentences) == 1
    keys.unlock(hospital.home.keys, PASSPHRASE)


def test_a_change_asks_for_the_new_passphrase(hospital: Hospital) -> None:
    said = hospital.run("key", "passphrase")
    assert said.status == 1 and "DPDESK_NEW_PASSPHRASE_FILE" in said.err


@needs_openssh
def test_a_weakened_file_is_noticed(
    hospital: Hospital, new_words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "BCRYPT_ROUNDS", 17)
    path = hospital.home.keys / keys.PRIVATE_NAME
    path.chmod(0o600)
    keygen("-p", "-a", "16", "-P", PASSPHRASE, "-N", PASSPHRASE, "-f", path)
    said = hospital.run("key", "show")
    assert said.status == 0
    assert said.sentences == [
        "The signing key's file is encrypted more weakly than dpdesk writes it; encrypt it again "
        "with: dpdesk key passphrase"
    ]
    assert json.loads(hospital.run("key", "show", "--json").out)["weakened"] is True
    assert hospital.run("key", "passphrase").status == 0
    assert hospital.run("key", "show").err == ""


@needs_openssh
@pytest.mark.parametrize("words", ["", PASSPHRASE])
def test_an_openssh_key_is_imported(
    hospital: Hospital, new_words: Path, tmp_path: Path, words: str
) -> None:
    shutil.rmtree(hospital.home.keys)
    keygen("-t", "ed25519", "-N", words, "-f", tmp_path / "id")
    said = hospital.run("key", "import", tmp_path / "id", "--name", "office@hospital.example")
    assert said.status == 0
    assert said.out.split()[3] == (tmp_path / "id.pub").read_text().split()[1]
    keys.unlock(hospital.home.keys, words or NEW)


@needs_openssh
def test_other_types_are_refused(hospital: Hospital, tmp_path: Path) -> None:
    shutil.rmtree(hospital.home.keys)
    keygen("-t", "ecdsa", "-N", "", "-f", tmp_path / "id")
    said = hospital.run("key", "import", tmp_path / "id")
    assert said.status == 1
    assert said.sentences == [
        "The key is of the type ecdsa-sha2-nistp256; dpdesk signs with ssh-ed25519 keys only."
    ]


def test_recipients_follow_a_rotation(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, notice = tmp_path / "line", tmp_path / "key-rotation.txt"
    line.write_text(hospital.run("key", "show").out, encoding="ascii")
    assert hospital.release().status == 0
    rotated = hospital.run("key", "rotate", "--out", notice)
    assert rotated.status == 0
    assert rotated.sentences == [
        "Give recipients key-rotation.txt and key-rotation.txt.sig: dpdesk signers rotate "
        "key-rotation.txt accepts the new key. Older bundles stay valid under the old one."
    ]
    later = tmp_path / "later.zip"
    release = ("release", hospital.study, "--fresh", "--same-extract", "--out", later)
    assert hospital.run(*release).status == 0
    assert hospital.run("verify", hospital.bundle, later).status == 0
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "recipient"))
    assert hospital.run("signers", "add", line).status == 0
    assert hospital.run("verify", hospital.bundle).status == 0
    assert hospital.run("verify", later).status == 1
    assert hospital.run("signers", "rotate", notice).out.split() == [
        "data-office@small.example",
        rotated.out.splitlines()[1].removeprefix("# "),
    ]
    assert hospital.run("verify", hospital.bundle, later).status == 0


def test_no_key_to_rotate_and_no_file_to_add(hospital: Hospital, tmp_path: Path) -> None:
    shutil.rmtree(hospital.home.keys)
    assert "There is no signing key yet" in hospital.run("key", "rotate").err
    assert hospital.run("signers", "add", tmp_path / "none").sentences == [
        "The file of signers none cannot be read; check its name and that it is a file of plain "
        "text."
    ]
