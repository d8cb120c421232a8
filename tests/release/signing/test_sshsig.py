# SPDX-License-Identifier: Apache-2.0
"""Signatures: OpenSSH's own bytes, and nothing accepted that differs from them."""

import base64
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import sshsig as other_reader
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.release.signing.edwards import ORDER, P, is_sound_key
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import NAMESPACE, allowed_signers_line
from dpdesk.release.signing.sshsig import sign, verify
from tests.release.bundles import KEY, OFFICE, refusal

MESSAGE = b'{"predicate": 1}\n'
needs_openssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system"
)

SMALL_ORDER = [
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "00" * 32,
    "00" * 31 + "80",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [
    "ed" + "ff" * 30 + "7f",
    "ed" + "ff" * 31,
    "ee" + "ff" * 30 + "7f",
    "ee" + "ff" * 31,
    "01" + "00" * 30 + "80",
    "ec" + "ff" * 31,
    "ff" * 32,
]


def test_signature_names_its_key() -> None:
    assert fingerprint_of(verify(MESSAGE, sign(MESSAGE, KEY))) == KEY.info.fingerprint


@needs_openssh
def test_same_bytes_as_ssh_keygen(tmp_path: Path) -> None:
    private = KEY.private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    path = tmp_path / "key"
    path.touch(0o600)
    path.write_bytes(private)
    (tmp_path / "m").write_bytes(MESSAGE)
    command = ["ssh-keygen", "-Y", "sign", "-f", str(path), "-n", NAMESPACE, str(tmp_path / "m")]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "m.sig").read_bytes() == sign(MESSAGE, KEY)


@needs_openssh
def test_ssh_keygen_accepts_it_and_no_other_message(tmp_path: Path) -> None:
    (tmp_path / "signers").write_text(allowed_signers_line(KEY.info))
    (tmp_path / "s").write_bytes(sign(MESSAGE, KEY))
    command = ["ssh-keygen", "-Y", "verify", "-f", str(tmp_path / "signers"), "-I", OFFICE]
    command += ["-n", NAMESPACE, "-s", str(tmp_path / "s")]
    good = subprocess.run(command, input=MESSAGE, capture_output=True, check=False)
    assert good.returncode == 0 and KEY.info.fingerprint.encode() in good.stdout
    bad = subprocess.run(command, input=MESSAGE + b" ", capture_output=True, check=False)
    assert bad.returncode != 0


@settings(max_examples=50)
@given(message=st.binary(max_size=300))
def test_second_reader_agrees(message: bytes) -> None:
    armored = sign(message, KEY).decode("ascii")
    other_reader.check_signature(message, armored, NAMESPACE)
    verify(message, armored.encode("ascii"))


def test_no_bit_can_be_changed() -> None:
    good = sign(MESSAGE, KEY)
    for place in range(len(good)):
        for bit in range(8):
            bad = bytearray(good)
            bad[place] ^= 1 << bit
            assert refusal(verify, MESSAGE, bytes(bad)).code.startswith("signature-")


def test_other_message() -> None:
    assert refusal(verify, MESSAGE + b"\n", sign(MESSAGE, KEY)).code == "signature-wrong"


@pytest.mark.threat("G6")
@pytest.mark.parametrize(
    "change",
    [
        lambda s: b"",
        lambda s: s + b"\n",
        lambda s: b"\n" + s,
        lambda s: s[:-1],
        lambda s: s.replace(b"\n", b"\r\n"),
        lambda s: b"text before\n" + s,
        lambda s: s + s,
        lambda s: s.replace(b"SSH SIGNATURE", b"SSH  SIGNATURE"),
        lambda s: s.replace(b"=\n", b"\n"),
        lambda s: _blob_changed(s, NAMESPACE.encode(), b"dpdesk-release-v2"),
        lambda s: _blob_changed(s, NAMESPACE.encode(), b"file-release-v1-x"),
        lambda s: _blob_changed(s, b"sha512", b"sha256"),
        lambda s: _blob_changed(s, b"SSHSIG\0\0\0\1", b"SSHSIG\0\0\0\2"),
        lambda s: _blob_changed(s, b"ssh-ed25519", b"ssh-ed25518"),
        lambda s: _armor(_blob(s) + b"\0"),
        lambda s: _armor(_blob(s)[:-1]),
    ],
)
def test_other_spellings_uses_and_types(change) -> None:  # type: ignore[no-untyped-def]
    armored = change(sign(MESSAGE, KEY))
    assert refusal(verify, MESSAGE, armored).code == "signature-malformed"


@pytest.mark.threat("G6")
@needs_openssh
@pytest.mark.parametrize("namespace", ["file", "git", "dpdesk-release-v2"])
def test_signatures_made_for_another_use(tmp_path: Path, namespace: str) -> None:
    private = KEY.private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    path = tmp_path / "key"
    path.touch(0o600)
    path.write_bytes(private)
    command = ["ssh-keygen", "-Y", "sign", "-f", str(path), "-n", namespace]
    made = subprocess.run(command, input=MESSAGE, capture_output=True, check=True)
    assert refusal(verify, MESSAGE, made.stdout).code == "signature-malformed"


@pytest.mark.threat("G4")
@pytest.mark.parametrize("encoding", SMALL_ORDER + NOT_CANONICAL)
def test_weak_keys(encoding: str) -> None:
    raw = bytes.fromhex(encoding)
    assert not is_sound_key(raw)
    good = _blob(sign(MESSAGE, KEY))
    public = verify(MESSAGE, _armor(good))[-32:]
    forged = _armor(good.replace(public, raw))
    assert refusal(verify, MESSAGE, forged).code == "signature-key-weak"


def test_a_key_of_small_order_would_vouch_for_anything_otherwise() -> None:
    """The identity as key: R = [S]B fits every message. The library alone accepts it."""
    identity = bytes.fromhex(SMALL_ORDER[0])
    nothing = bytes.fromhex(SMALL_ORDER[0]) + bytes(32)  # R = identity, S = 0
    Ed25519PublicKey.from_public_bytes(identity).verify(nothing, b"anything at all")
    assert not is_sound_key(identity)


@settings(max_examples=30)
@given(seed=st.binary(min_size=32, max_size=32))
def test_honest_keys_are_sound(seed: bytes) -> None:
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key()
    assert is_sound_key(public.public_bytes_raw())


def test_keys_off_the_curve_or_of_another_length() -> None:
    y = next(n for n in range(2, 50) if not is_sound_key(n.to_bytes(32, "little")))
    assert not is_sound_key(y.to_bytes(32, "little"))
    assert not is_sound_key(b"") and not is_sound_key(os.urandom(31))
    assert P.bit_length() == 255 and ORDER.bit_length() == 253


def _blob(armored: bytes) -> bytes:
    return base64.b64decode(b"".join(armored.splitlines()[1:-1]))


def _armor(blob: bytes) -> bytes:
    text = base64.b64encode(blob).decode("ascii")
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    frame = ["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]
    return "\n".join(frame).encode("ascii")


def _blob_changed(armored: bytes, old: bytes, new: bytes) -> bytes:
    blob = _blob(armored)
    assert old in blob
    return _armor(blob.replace(old, new))
