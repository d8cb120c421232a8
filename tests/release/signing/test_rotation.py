# SPDX-License-Identifier: Apache-2.0
"""A new signing key that the old one vouches for: on the custodian's side and the recipient's."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.key_changes import change_passphrase
from dpdesk.release.signing.key_lock import alone
from dpdesk.release.signing.keys import KeyInfo, allowed_signers_line
from dpdesk.release.signing.rotation import KEY_NAMESPACE, accept_rotation, rotate
from dpdesk.release.signing.signers import add_signer, known_signers, load_signers
from dpdesk.release.signing.sshsig import sign, verify
from dpdesk.study.problem import Refused
from tests.release.bundles import refusal

OFFICE = "office@hospital.example"
WORDS = "correct horse battery"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home.at(tmp_path / "home")
    home.make()
    keys.new_key(home.keys, OFFICE, WORDS)
    return home


@pytest.fixture
def notice(tmp_path: Path) -> Path:
    return tmp_path / "key-rotation.txt"


def own(home: Home) -> KeyInfo:
    info = keys.show(home.keys)
    assert info is not None
    return info


def test_the_new_key_signs_and_the_old_one_stays_known(home: Home, notice: Path) -> None:
    old = own(home)
    new = rotate(home, WORDS, notice)
    assert new.identity == old.identity and new.fingerprint != old.fingerprint
    assert keys.unlock(home.keys, WORDS).info == new
    known = known_signers(home)
    assert {known.standing(OFFICE, info.fingerprint) for info in (old, new)} == {"known"}
    assert sorted(path.name for path in home.keys.iterdir()) == ["signing-key", "signing-key.pub"]


def test_a_recipient_accepts_it_once(home: Home, notice: Path, tmp_path: Path) -> None:
    signers, old = tmp_path / "allowed_signers", own(home)
    add_signer(signers, allowed_signers_line(old))
    new = rotate(home, WORDS, notice)
    assert accept_rotation(signers, notice) == new
    assert accept_rotation(signers, notice) == new
    assert load_signers(signers).known == (old, new)
    newest = rotate(home, WORDS, tmp_path / "second.txt")
    assert accept_rotation(signers, tmp_path / "second.txt") == newest


def test_a_key_that_was_replaced_cannot_name_another(
    home: Home, notice: Path, tmp_path: Path
) -> None:
    signers, stolen = tmp_path / "allowed_signers", Home.at(tmp_path / "stolen")
    add_signer(signers, allowed_signers_line(own(home)))
    shutil.copytree(home.root, stolen.root)
    rotate(home, WORDS, notice)
    accept_rotation(signers, notice)
    before = signers.read_bytes()
    rotate(stolen, WORDS, tmp_path / "second.txt")
    problem = refusal(accept_rotation, signers, tmp_path / "second.txt")
    assert (problem.code, problem.params) == ("key-notice-unknown", {"identity": OFFICE})
    assert signers.read_bytes() == before


def test_an_unknown_signer_cannot_rotate(home: Home, notice: Path, tmp_path: Path) -> None:
    rotate(home, WORDS, notice)
    signers = tmp_path / "allowed_signers"
    assert refusal(accept_rotation, signers, notice).code == "key-notice-unknown"
    assert not signers.exists()


def test_every_changed_byte_is_refused(home: Home, notice: Path, tmp_path: Path) -> None:
    signers = tmp_path / "allowed_signers"
    add_signer(signers, allowed_signers_line(own(home)))
    rotate(home, WORDS, notice)
    signature = notice.with_name(f"{notice.name}.sig")
    for path in (notice, signature):
        whole = path.read_bytes()
        for at in range(0, len(whole), 3):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert refusal(accept_rotation, signers, notice).code == "key-notice-wrong"
        path.write_bytes(whole)
    accept_rotation(signers, notice)
    signature.unlink()
    assert refusal(accept_rotation, signers, notice).code == "key-notice-wrong"


def test_a_signature_for_bundles_is_none_for_keys(home: Home) -> None:
    key = keys.unlock(home.keys, WORDS)
    assert refusal(verify, b"x", sign(b"x", key, KEY_NAMESPACE)).code == "signature-malformed"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system")
def test_ssh_keygen_checks_the_notice(home: Home, notice: Path, tmp_path: Path) -> None:
    line = allowed_signers_line(own(home)).replace(keys.NAMESPACE, KEY_NAMESPACE)
    (tmp_path / "signers").write_text(line, encoding="ascii")
    rotate(home, WORDS, notice)
    command = ["ssh-keygen", "-Y", "verify", "-f", str(tmp_path / "signers"), "-I", OFFICE]
    command += ["-n", KEY_NAMESPACE, "-s", f"{notice}.sig"]
    good = subprocess.run(command, input=notice.read_bytes(), capture_output=True, check=False)
    assert good.returncode == 0 and b"Good" in good.stdout
    bad = subprocess.run(command, input=b"x" + notice.read_bytes(), check=False)
    assert bad.returncode != 0


def test_a_notice_is_not_written_over_another_file(home: Home, notice: Path) -> None:
    notice.write_text("mine", encoding="ascii")
    old = own(home)
    assert refusal(rotate, home, WORDS, notice).code == "key-notice-unwritable"
    assert notice.read_text(encoding="ascii") == "mine"
    assert keys.unlock(home.keys, WORDS).info == old
    assert refusal(rotate, home, "wrong " + WORDS, notice).code == "key-wrong-passphrase"


@pytest.mark.skipif(os.name != "posix", reason="no signal that cannot be caught")
@pytest.mark.parametrize("renames", [0, 1, 2, 3])
@pytest.mark.in_turn(2)
def test_a_kill_leaves_a_key_that_opens(home: Home, notice: Path, renames: int) -> None:
    """Killed before each of three renames: known signers, private half, public half."""
    code = f"""
import os, signal, sys
from pathlib import Path
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys, rotation
keys.BCRYPT_ROUNDS = 4
left = [{renames}]
def hook(event, _arguments):
    if event == "os.rename":
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
sys.addaudithook(hook)
rotation.rotate(Home.at(Path(sys.argv[1])), {WORDS!r}, Path(sys.argv[2]))
"""
    old = own(home)
    run = subprocess.run([sys.executable, "-c", code, home.root, notice], check=False)
    assert run.returncode == (-signal.SIGKILL if renames < 3 else 0)
    key = keys.unlock(home.keys, WORDS)
    assert (key.info == old) == (renames < 2)
    assert verify(b"x", sign(b"x", key))
    assert known_signers(home).standing(OFFICE, old.fingerprint) == "known"
    assert change_passphrase(home.keys, WORDS, WORDS) == key.info
    again = rotate(home, WORDS, notice.with_name("again.txt"))
    assert keys.unlock(home.keys, WORDS).info == again
    assert sorted(path.name for path in home.keys.iterdir()) == ["signing-key", "signing-key.pub"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("attempt", range(4))
def test_two_rotations_at_once_leave_one_key_that_signs(
    home: Home, tmp_path: Path, attempt: int
) -> None:
    signers, old = tmp_path / "allowed_signers", own(home)
    add_signer(signers, allowed_signers_line(old))
    notices = [tmp_path / f"notice-{number}" for number in range(2)]
    reading, writing = os.pipe()
    children = []
    for notice in notices:
        child = os.fork()
        if child == 0:
            os.close(writing)
            os.read(reading, 1)  # until both are there
            try:
                rotate(home, WORDS, notice)
            except Refused as refused:
                os._exit(3 if refused.problems[0].code == "key-busy" else 4)
            except BaseException:
                os._exit(5)
            os._exit(0)
        children.append(child)
    os.close(writing)
    os.close(reading)
    ends = sorted(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
    assert ends in ([0, 3], [0, 0])
    assert keys.unlock(home.keys, WORDS).info == own(home) != old
    written = [notice for notice in notices if notice.exists()]
    assert len(written) == ends.count(0)
    for notice in sorted(written, key=lambda path: path.stat().st_mtime_ns):
        new = accept_rotation(signers, notice)
    assert new == own(home)


def test_a_rotation_that_fails_leaves_no_notice(home: Home, notice: Path, tmp_path: Path) -> None:
    old = own(home)
    home.signers.mkdir()
    assert refusal(rotate, home, WORDS, notice).code == "signers-unreadable"
    assert own(home) == old
    assert not notice.exists() and not notice.with_name(f"{notice.name}.sig").exists()
    home.signers.rmdir()
    notice.with_name(f"{notice.name}.sig").write_bytes(b"another's")
    assert refusal(rotate, home, WORDS, notice).code == "key-notice-unwritable"
    assert not notice.exists()
    assert notice.with_name(f"{notice.name}.sig").read_bytes() == b"another's"


def test_a_full_disk_leaves_no_empty_file_in_the_notices_place(
    home: Home, notice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr("dpdesk.release.signing.keys.os.fsync", full)
        with pytest.raises(OSError, match="no space left"):
            keys.write_new(notice, b"a notice")
    assert not notice.exists()
    keys.write_new(notice, b"a notice")
    with pytest.raises(FileExistsError):
        keys.write_new(notice, b"another one")
    assert notice.read_bytes() == b"a notice", "what was there stays"


def test_a_change_of_passphrase_waits_for_no_rotation(home: Home, notice: Path) -> None:
    with alone(home.keys):
        for change in (
            lambda: rotate(home, WORDS, notice),
            lambda: change_passphrase(home.keys, WORDS, "another one, longer"),
        ):
            assert refusal(change).code == "key-busy"
    assert not notice.exists()
    change_passphrase(home.keys, WORDS, "another one, longer")
