# SPDX-License-Identifier: Apache-2.0
"""The signing key: what lies on disk, who can read it, and what is refused."""

import base64
import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.second_person.handed_over import write_handed
from dpdesk.release.second_person.plan_signature import is_remembered
from dpdesk.release.second_person.remembered import NAME, read_steps
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import (
    allowed_signers_line,
    new_key,
    read_passphrase_file,
    show,
    unlock,
)
from dpdesk.release.signing.revocation import write_notice
from tests.release.bundles import refusal

OFFICE = "office@hospital.example"
WORDS = "correct horse battery"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home") / "keys"
    new_key(folder, OFFICE, WORDS)
    return folder


def test_key_comes_back_with_its_passphrase(folder: Path) -> None:
    info = show(folder)
    assert info is not None and info.identity == OFFICE
    key = unlock(folder, WORDS)
    assert key.info == info
    assert WORDS not in repr(key)


@pytest.mark.threat("F8")
@pytest.mark.real_rounds
def test_private_file_is_openssh_with_bcrypt_128_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    new_key(folder, OFFICE, WORDS)
    path = folder / keys.PRIVATE_NAME
    blob = base64.b64decode(b"".join(path.read_bytes().splitlines()[1:-1]))
    assert blob.startswith(b"openssh-key-v1\0")
    kdf_at = blob.index(b"\x00\x00\x00\x06bcrypt") + 10
    options = blob[kdf_at + 4 : kdf_at + 4 + int.from_bytes(blob[kdf_at : kdf_at + 4], "big")]
    assert int.from_bytes(options[-4:], "big") == 128
    assert WORDS.encode() not in path.read_bytes()
    if os.name == "posix":
        for name in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
            assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system")
def test_ssh_keygen_reads_the_key_and_agrees_on_its_fingerprint(folder: Path) -> None:
    command = ["ssh-keygen", "-y", "-P", WORDS, "-f", str(folder / keys.PRIVATE_NAME)]
    read = subprocess.run(command, capture_output=True, text=True, check=True)
    info = show(folder)
    assert info is not None and read.stdout.startswith(info.public_line)
    command = ["ssh-keygen", "-l", "-f", str(folder / keys.PUBLIC_NAME)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    assert info.fingerprint in listed.stdout.split()


def test_wrong_passphrase(folder: Path) -> None:
    for wrong in ("correct horse batterY", "", "x" * 2000):
        assert refusal(unlock, folder, wrong).code == "key-wrong-passphrase"


def test_no_key_yet(tmp_path: Path) -> None:
    assert show(tmp_path) is None
    assert refusal(unlock, tmp_path, WORDS).code == "key-missing"


@contextmanager
def closed(folder: Path) -> Iterator[Path]:
    """A folder that the user may not look into; the administrator may look into every one."""
    user = os.geteuid()
    folder.mkdir(exist_ok=True)
    folder.chmod(0o000)
    os.seteuid(user or 65534)
    try:
        yield folder
    finally:
        os.seteuid(user)
        folder.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such users")
def test_folder_that_may_not_be_looked_into(tmp_path: Path, folder: Path) -> None:
    with closed(tmp_path / "keys") as keys_folder:
        found = [
            refusal(keys.show, keys_folder),
            refusal(keys.unlock, keys_folder, WORDS),
            refusal(keys.read_key_file, keys_folder / keys.PRIVATE_NAME),
        ]
    assert {problem.code for problem in found} == {"key-closed"}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such users")
def test_nothing_is_written_or_read_where_nobody_may_look(tmp_path: Path, folder: Path) -> None:
    key, home = unlock(folder, WORDS), Home.at(tmp_path)
    home.heads_folder.mkdir()
    (home.heads_folder / NAME).write_text("{}")
    with closed(tmp_path / "out") as out:
        unwritten = [
            refusal(write_notice, out / "notice", b"", key).code,
            refusal(write_handed, out / "plan", b"").code,
        ]
    with closed(home.heads_folder):
        unread = refusal(read_steps, home), refusal(is_remembered, home, "a" * 32)
    assert unwritten == ["key-notice-unwritable", "handed-unwritable"]
    assert {problem.code for problem in unread} == {"second-persons-closed"}


def test_no_key_is_made_over_another(folder: Path) -> None:
    before = (folder / keys.PRIVATE_NAME).read_bytes()
    assert refusal(new_key, folder, OFFICE, WORDS).code == "key-exists"
    assert (folder / keys.PRIVATE_NAME).read_bytes() == before


def test_public_half_alone_is_kept(tmp_path: Path, folder: Path) -> None:
    shutil.copy(folder / keys.PUBLIC_NAME, tmp_path / keys.PUBLIC_NAME)
    assert refusal(new_key, tmp_path, OFFICE, WORDS).code == "key-exists"
    assert not (tmp_path / keys.PRIVATE_NAME).exists()
    assert refusal(unlock, tmp_path, WORDS).code == "key-damaged"


@pytest.mark.parametrize("name", [keys.PRIVATE_NAME, keys.PUBLIC_NAME])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"ssh-rsa AAAA x\n", b"a" * 20_000])
def test_damaged_files(tmp_path: Path, folder: Path, name: str, content: bytes) -> None:
    for half in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
        shutil.copy(folder / half, tmp_path / half)
    (tmp_path / name).write_bytes(content)
    assert refusal(unlock, tmp_path, WORDS).code == "key-damaged"


def test_halves_of_two_keys_are_damaged(tmp_path: Path, folder: Path) -> None:
    new_key(tmp_path, OFFICE, WORDS)
    shutil.copy(folder / keys.PUBLIC_NAME, tmp_path / keys.PUBLIC_NAME)
    assert refusal(unlock, tmp_path, WORDS).code == "key-damaged"


@pytest.mark.parametrize("identity", ["", "a b", "*@x", "a,b", "-x", "a\n", "ä@x", "a" * 101, '"'])
def test_identities_that_another_reader_would_take_apart(tmp_path: Path, identity: str) -> None:
    assert refusal(new_key, tmp_path, identity, WORDS).code == "identity-malformed"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.threat("F8")
def test_passphrases_that_guard_nothing(tmp_path: Path) -> None:
    problem = refusal(new_key, tmp_path, OFFICE, "1234567")
    assert (problem.code, problem.params) == ("passphrase-too-short", {"least": "8"})
    problem = refusal(new_key, tmp_path, OFFICE, "x" * 1025)
    assert (problem.code, problem.params) == ("passphrase-too-long", {"most": "1024"})


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_passphrase_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "words"
    path.write_bytes(f" größer als {ending}".encode())
    assert read_passphrase_file(str(path)) == " größer als "


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xff", b"a\nb\n", b"x" * 2000])
def test_passphrase_file_unreadable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "words"
    path.write_bytes(content)
    assert refusal(read_passphrase_file, path).code == "passphrase-file-unreadable"
    assert refusal(read_passphrase_file, tmp_path / "none").code == "passphrase-file-unreadable"


def test_allowed_signers_line(folder: Path) -> None:
    info = show(folder)
    assert info is not None
    line = allowed_signers_line(info)
    assert line == f'{OFFICE} namespaces="dpdesk-release-v1" {info.public_line}\n'


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows forks no processes")
@pytest.mark.parametrize("step", range(8))
@pytest.mark.in_turn(3)
def test_a_kill_while_a_key_is_made_leaves_a_key_or_room_for_one(tmp_path: Path, step: int) -> None:
    """Killed before each call that changes a file, one after the other."""
    folder = tmp_path / "keys"
    child = os.fork()
    if child == 0:
        left = [step]

        def dying(act: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **named: Any) -> Any:
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
                return act(*arguments, **named)

            return call

        for name in ("open", "fsync", "rename", "replace"):
            setattr(os, name, dying(getattr(os, name)))
        new_key(folder, OFFICE, WORDS)
        os._exit(0)
    is_killed = os.waitpid(child, 0)[1] != 0
    assert is_killed == (step < 7), "the lock, two files with their bytes, two names"
    if keys.show(folder) is None:
        new_key(folder, OFFICE, WORDS)
    assert unlock(folder, WORDS).info.identity == OFFICE
    assert refusal(new_key, folder, OFFICE, WORDS).code == "key-exists"
