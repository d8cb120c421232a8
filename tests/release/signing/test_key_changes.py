# SPDX-License-Identifier: Apache-2.0
"""Another passphrase, and a key that OpenSSH made: what lies on disk before, between and after."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.signing import keys
from dpdesk.release.signing.key_changes import change_passphrase, import_key, is_weakened
from dpdesk.release.signing.key_header import read_header
from dpdesk.release.signing.sshsig import sign, verify
from tests.release.bundles import refusal

OFFICE = "office@hospital.example"
WORDS, OTHER = "correct horse battery", "eleven purple lamps hum"
needs_openssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keys.new_key(tmp_path / "keys", OFFICE, WORDS)
    return tmp_path / "keys"


def keygen(*arguments: str | Path) -> str:
    command = ["ssh-keygen", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def openssh_key(path: Path, kind: str = "ed25519", words: str = "", *more: str) -> Path:
    keygen("-q", "-t", kind, "-N", words, "-f", path, *more)
    return path


def rounds(folder: Path) -> int:
    return read_header((folder / keys.PRIVATE_NAME).read_bytes()).rounds


def test_another_passphrase_opens_the_same_key(folder: Path) -> None:
    before = keys.show(folder)
    assert change_passphrase(folder, WORDS, OTHER) == before
    assert keys.unlock(folder, OTHER).info == before
    assert refusal(keys.unlock, folder, WORDS).code == "key-wrong-passphrase"
    assert sorted(path.name for path in folder.iterdir()) == ["signing-key", "signing-key.pub"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("wrong", OTHER, "key-wrong-passphrase"), (WORDS, "short", "passphrase-too-short")],
)
def test_a_refused_change_leaves_the_file(folder: Path, old: str, new: str, code: str) -> None:
    before = (folder / keys.PRIVATE_NAME).read_bytes()
    assert refusal(change_passphrase, folder, old, new).code == code
    assert (folder / keys.PRIVATE_NAME).read_bytes() == before


@needs_openssh
def test_weakened_rounds_are_noticed_and_a_change_restores_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "BCRYPT_ROUNDS", 24)
    keys.new_key(folder := tmp_path / "keys", OFFICE, WORDS)
    assert (rounds(folder), is_weakened(folder)) == (24, False)
    keygen("-p", "-q", "-a", "16", "-P", WORDS, "-N", WORDS, "-f", folder / keys.PRIVATE_NAME)
    assert (rounds(folder), is_weakened(folder)) == (16, True)
    change_passphrase(folder, WORDS, OTHER)
    assert (rounds(folder), is_weakened(folder)) == (24, False)
    assert keygen("-y", "-P", OTHER, "-f", folder / keys.PRIVATE_NAME).startswith("ssh-ed25519")


@needs_openssh
def test_more_rounds_than_ours_stay(folder: Path) -> None:
    keygen("-p", "-q", "-a", "9", "-P", WORDS, "-N", WORDS, "-f", folder / keys.PRIVATE_NAME)
    change_passphrase(folder, WORDS, OTHER)
    assert rounds(folder) == 9


@needs_openssh
def test_a_key_without_a_passphrase_is_weakened(folder: Path) -> None:
    keygen("-p", "-q", "-P", WORDS, "-N", "", "-f", folder / keys.PRIVATE_NAME)
    assert is_weakened(folder)
    change_passphrase(folder, "", OTHER)
    assert not is_weakened(folder)


@pytest.mark.skipif(os.name != "posix", reason="no signal that cannot be caught")
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.in_turn(2)
def test_a_kill_leaves_a_key_that_opens(folder: Path, step: int) -> None:
    """Killed before the new file is made, before it takes the old one's place, and not at all."""
    code = f"""
import os, signal, sys
from pathlib import Path
from dpdesk.release.signing import key_changes, keys
keys.BCRYPT_ROUNDS = 4
left = [{step}]
def hook(event, _arguments):
    name = str(_arguments[0]) if _arguments else ""
    if event in ("open", "os.rename", "os.remove") and "signing-key" in name:
        if event == "open" and not _arguments[2] & os.O_WRONLY:
            return
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
sys.addaudithook(hook)
key_changes.change_passphrase(Path(sys.argv[1]), {WORDS!r}, {OTHER!r})
"""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], check=False)
    assert done.returncode in (0, -signal.SIGKILL)
    assert done.returncode == (-signal.SIGKILL if step < 3 else 0)
    words = OTHER if done.returncode == 0 else WORDS
    key = keys.unlock(folder, words)
    assert verify(b"x", sign(b"x", key))
    change_passphrase(folder, words, "third of the passphrases")
    assert sorted(path.name for path in folder.iterdir()) == ["signing-key", "signing-key.pub"]


def test_the_old_file_stays_where_the_new_one_does_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that gives back other bytes than it took."""
    before, sync = (folder / keys.PRIVATE_NAME).read_bytes(), os.fsync

    def spoil(handle: int) -> None:
        os.pwrite(handle, b"0000", 200)
        sync(handle)

    monkeypatch.setattr(os, "fsync", spoil)
    assert refusal(change_passphrase, folder, WORDS, OTHER).code == "key-unwritable"
    assert (folder / keys.PRIVATE_NAME).read_bytes() == before
    assert not (folder / keys.PRIVATE_NEXT).exists()


@needs_openssh
@pytest.mark.parametrize("words", ["", WORDS])
def test_an_openssh_key_is_imported_encrypted(tmp_path: Path, words: str) -> None:
    source = openssh_key(tmp_path / "id", "ed25519", words)
    before = source.read_bytes()
    info = import_key(tmp_path / "keys", OFFICE, source, words, WORDS)
    assert keys.unlock(tmp_path / "keys", WORDS).info == info
    assert info.fingerprint in keygen("-l", "-f", tmp_path / "id.pub").split()
    assert rounds(tmp_path / "keys") >= keys.BCRYPT_ROUNDS
    assert source.read_bytes() == before


@needs_openssh
@pytest.mark.parametrize(
    ("kind", "more", "code"),
    [
        ("rsa", ("-b", "1024"), "key-type-unsupported"),
        ("ecdsa", (), "key-type-unsupported"),
        ("rsa", ("-b", "1024", "-m", "PEM"), "key-not-openssh"),
    ],
)
def test_other_keys_are_refused(
    tmp_path: Path, kind: str, more: tuple[str, ...], code: str
) -> None:
    source = openssh_key(tmp_path / "id", kind, "", *more)
    problem = refusal(import_key, tmp_path / "keys", OFFICE, source, "", WORDS)
    assert problem.code == code
    assert not (tmp_path / "keys").exists()


def test_what_is_no_private_key_is_refused(tmp_path: Path, folder: Path) -> None:
    missing = tmp_path / "none"
    for source in (folder / keys.PUBLIC_NAME, missing, tmp_path):
        problem = refusal(import_key, tmp_path / "other", OFFICE, source, "", WORDS)
        assert problem.code == "key-not-openssh"


def test_no_key_is_imported_over_another(folder: Path) -> None:
    source = folder / keys.PRIVATE_NAME
    before = source.read_bytes()
    assert refusal(import_key, folder, OFFICE, source, WORDS, WORDS).code == "key-exists"
    assert source.read_bytes() == before
