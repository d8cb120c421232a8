# SPDX-License-Identifier: Apache-2.0
"""A revoked key: by itself, by its successor, by a notice made in advance; and false ones."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE
from dpdesk.release.ledger import Ledger
from dpdesk.release.second_person import revoked
from dpdesk.release.signing import keys, revocation, sshsig
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.revocation import accept_revocation, notice_of, write_notice
from dpdesk.release.signing.rotation import KEY_NAMESPACE
from dpdesk.release.signing.signers import add_signer, keep_signer, load_signers
from dpdesk.study.problem import Refused
from tests.release.bundles import refusal, signing_key
from tests.shell.hospital import PASSPHRASE, Hospital, Said

needs_openssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system"
)
WHY = "Laptop gestohlen, Müller"


def own(hospital: Hospital) -> KeyInfo:
    info = keys.show(hospital.home.keys)
    assert info is not None
    return info


def revoke(hospital: Hospital, *more: str | Path) -> Said:
    out = hospital.folder / "revocation.txt"
    base = ("key", "revoke", "--reason", WHY, "--since", "2026-11-20", "--out", out)
    return hospital.run(*base, *more)


@pytest.fixture
def recipient(hospital: Hospital) -> Path:
    """A recipient's file of signers, in which the custodian is known."""
    path = hospital.folder / "their-signers"
    add_signer(path, keys.allowed_signers_line(own(hospital)))
    return path


def test_a_key_that_is_revoked_signs_nothing_and_nothing_it_signed_is_accepted(
    hospital: Hospital, recipient: Path
) -> None:
    old, pair = own(hospital), keys.unlock(hospital.home.keys, PASSPHRASE)
    assert hospital.release().status == 0
    said = revoke(hospital)
    assert said.status == 0 and "2026-11-20" in said.out and WHY in said.out
    assert keys.show(hospital.home.keys) is None
    said = hospital.run("verify", hospital.bundle)
    assert said.status == 1 and "2026-11-20" in said.err and WHY in said.err
    assert "Signer: revoked" in said.out
    members = json.loads(hospital.run("verify", hospital.bundle, "--json").out)
    assert members["who"]["standing"] == "revoked"
    assert members["who"]["revoked"] == {"since": "2026-11-20", "reason": WHY}
    assert members["whole"]["ok"] and members["claim"]["ok"] and not members["verified"]
    # The files come back from a backup: they still sign nothing.
    keys.keep(hospital.home.keys, old.identity, pair.private, PASSPHRASE)
    for command in (
        ("release", hospital.study, "--same-extract", "--out", hospital.folder / "second.zip"),
        ("ledger", "export", hospital.folder / "export"),
        ("key", "rotate", "--out", hospital.folder / "rotation.txt"),
    ):
        said = hospital.run(*command)
        assert said.status == 1 and "revoked since 2026-11-20" in said.err, command
    # The recipient learns it by the notice.
    before = hospital.run("verify", hospital.bundle, "--signers", recipient)
    assert before.status == 0
    accept_revocation(recipient, hospital.folder / "revocation.txt")
    accept_revocation(recipient, hospital.folder / "revocation.txt")
    assert hospital.run("verify", hospital.bundle, "--signers", recipient).status == 1
    assert refusal(add_signer, recipient, keys.allowed_signers_line(old)).code == "key-revoked"


def test_it_is_an_entry_of_every_account(hospital: Hospital) -> None:
    assert revoke(hospital).status == 0
    last = json.loads(hospital.run("account", "show", "small", "--json").out)["entries"][-1]
    assert (last["word"], last["reason"]) == ("revoked-key", WHY)
    assert hospital.run("ledger", "check").status == 0
    assert len(Ledger.open(hospital.home).account("small").entries) == 2


def test_the_successor_revokes_an_earlier_key(hospital: Hospital, recipient: Path) -> None:
    old = own(hospital)
    assert hospital.release().status == 0
    rotation = hospital.folder / "rotation.txt"
    hospital.run("key", "rotate", "--out", rotation)
    assert hospital.run("verify", hospital.bundle).status == 0
    assert "has the fingerprint SHA256:x; check" in revoke(hospital, "--earlier", "SHA256:x").err
    said = revoke(hospital, "--earlier", old.fingerprint)
    assert said.status == 0
    assert keys.show(hospital.home.keys) is not None, "the present key stays"
    assert hospital.run("verify", hospital.bundle).status == 1
    notice = hospital.folder / "revocation.txt"
    problem = refusal(accept_revocation, recipient, notice)
    assert problem.code == "revocation-unknown", "its signer is not known there yet"
    from dpdesk.release.signing.rotation import accept_rotation

    accept_rotation(recipient, rotation)
    accept_revocation(recipient, notice)
    assert [s.fingerprint for s in load_signers(recipient).known] == [own(hospital).fingerprint]


def test_an_earlier_key_revokes_no_later_one(hospital: Hospital, tmp_path: Path) -> None:
    signers = tmp_path / "signers"
    first, second = signing_key(1), signing_key(2)
    for key in (first, second):
        keep_signer(signers, key.info)
    before = signers.read_bytes()
    for number, signer in enumerate((first, signing_key(3))):
        notice = tmp_path / f"notice-{number}"
        write_notice(notice, notice_of(second.info, "2026-11-20", "because"), signer)
        assert refusal(accept_revocation, signers, notice).code == "revocation-unknown"
    assert signers.read_bytes() == before


def test_a_notice_made_in_advance_needs_no_passphrase(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = tmp_path / "safe" / "certificate.txt"
    notice.parent.mkdir()
    made = hospital.run("key", "certificate", "--json", "--out", notice)
    assert json.loads(made.out) == {"notice": notice.name}
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(tmp_path / "nowhere"))
    said = hospital.run("key", "revoke", "--certificate", notice)
    assert said.status == 0 and "in advance" in said.out
    assert keys.show(hospital.home.keys) is None


def test_every_changed_notice_is_refused(tmp_path: Path) -> None:
    signers, notice = tmp_path / "signers", tmp_path / "notice"
    key = signing_key(1)
    keep_signer(signers, key.info)
    text = notice_of(key.info, "2026-11-20", WHY)
    write_notice(notice, text, key)
    signature = notice.with_name("notice.sig")
    good = {path: path.read_bytes() for path in (notice, signature)}
    for path, raw in good.items():
        for place in range(0, len(raw), 3):
            path.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
            with pytest.raises(Refused) as refused:
                accept_revocation(signers, notice)
            assert refused.value.problems[0].code == "revocation-wrong"
        path.write_bytes(raw)
    rotation = sshsig.sign(text, key, keys.NAMESPACE)
    signature.write_bytes(rotation)
    assert refusal(accept_revocation, signers, notice).code == "revocation-wrong"


@pytest.mark.parametrize(
    "reason", ['quote " and \\ slash', "Umlaute äöü", "emoji \U0001f511", "x" * 200]
)
def test_any_reason_survives_notice_and_list(tmp_path: Path, reason: str) -> None:
    signers, notice = tmp_path / "signers", tmp_path / "notice"
    key = signing_key(1)
    keep_signer(signers, key.info)
    keep_signer(signers, signing_key(2).info)
    write_notice(notice, notice_of(key.info, "2026-11-20", reason), key)
    assert accept_revocation(signers, notice).reason == reason
    found = load_signers(signers)
    revoked = found.revoked_key(key.info.fingerprint)
    assert revoked is not None and (revoked.reason, revoked.since) == (reason, "2026-11-20")
    assert [one.fingerprint for one in found.known] == [signing_key(2).info.fingerprint]


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "bidi \u202e", "x" * 10_000])
def test_a_reason_is_one_readable_line(reason: str) -> None:
    with pytest.raises(Refused):
        notice_of(signing_key(1).info, "2026-11-20", reason)
    with pytest.raises(Refused):
        notice_of(signing_key(1).info, "20.11.2026", "because")


@needs_openssh
def test_stock_tools_refuse_a_revoked_key(hospital: Hospital, tmp_path: Path) -> None:
    assert hospital.release().status == 0
    files, identity = unpack(hospital.bundle.read_bytes()), own(hospital).identity
    signature = tmp_path / "sig"
    signature.write_bytes(files[SIGNATURE])

    def check(path: Path) -> int:
        asked = ["ssh-keygen", "-Y", "verify", "-f", str(path), "-I", identity]
        asked += ["-n", keys.NAMESPACE, "-s", str(signature)]
        return subprocess.run(
            asked, input=files[MANIFEST], capture_output=True, check=False
        ).returncode

    keep_signer(hospital.home.signers, own(hospital))
    assert check(hospital.home.signers) == 0
    assert (
        hospital.run(
            "key", "revoke", "--reason", WHY, "--since", "2020-01-01", "--out", tmp_path / "notice"
        ).status
        == 0
    )
    assert check(hospital.home.signers) != 0
    notice, armor = tmp_path / "notice", tmp_path / "notice.sig"
    lines = tmp_path / "lines"
    lines.write_text(f"{identity} {_line(files)}\n", encoding="ascii")
    asked = ["ssh-keygen", "-Y", "verify", "-f", str(lines), "-I", identity]
    asked += ["-n", KEY_NAMESPACE, "-s", str(armor)]
    ended = subprocess.run(asked, input=notice.read_bytes(), capture_output=True, check=False)
    assert ended.returncode == 0


def _line(files: dict[str, bytes]) -> str:
    import base64

    blob = sshsig.verify(files[MANIFEST], files[SIGNATURE])
    return f"ssh-ed25519 {base64.b64encode(blob).decode()}"


def test_a_revoked_key_under_another_name_is_revoked(tmp_path: Path) -> None:
    signers, notice = tmp_path / "signers", tmp_path / "notice"
    key = signing_key(1)
    keep_signer(signers, key.info)
    other = SigningKey(KeyInfo("other@x", key.info.fingerprint, key.info.public_line), key.private)
    keep_signer(signers, other.info)
    write_notice(notice, notice_of(key.info, "2026-11-20", WHY), key)
    accept_revocation(signers, notice)
    assert load_signers(signers).standing("other@x", key.info.fingerprint) == "revoked"
    assert load_signers(signers).known == ()


@pytest.mark.parametrize("step", ["enter_revoked_key", "put_aside"])
def test_a_revocation_that_was_killed_is_finished_by_the_next_attempt(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class PowerCut(BaseException):
        pass

    def cut(*_args: object) -> None:
        raise PowerCut

    with monkeypatch.context() as before:
        before.setattr(revoked if step == "enter_revoked_key" else revocation, step, cut)
        with pytest.raises(PowerCut):
            revoke(hospital)
    said = revoke(hospital)
    assert said.status == 0 and "2026-11-20" in said.out and WHY in said.out
    assert keys.show(hospital.home.keys) is None
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert [entry.get("word") for entry in shown["entries"]].count("revoked-key") == 1
