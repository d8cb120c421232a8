# SPDX-License-Identifier: Apache-2.0
"""`dpdesk ledger withdraw` and `correct`: entry, signed notice, and what `verify` makes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import dpdesk
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.notice_file import NAMESPACE, notice_bytes, parse_notice
from dpdesk.release.notices.own_decision import taken_back
from dpdesk.release.record.values import SignerName
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.sshsig import sign
from dpdesk.study.problem import Refused
from tests.shell.hospital import PASSPHRASE, Hospital, Said

REASON = ("--reason", "a ward was left out – see § 4")


@pytest.fixture
def notice(hospital: Hospital) -> Path:
    """A notice that the release of entry 2 is withdrawn; the bundle lies beside it."""
    assert hospital.release().status == 0
    path = hospital.folder / "two.notice"
    said = hospital.run("ledger", "withdraw", "2", *REASON, "--notice", path)
    assert said.status == 0, said.err
    assert said.out.startswith("Release 1 (entry 2 of the ledger), by entry 3; two.notice is")
    return path


def verified(hospital: Hospital, notice: Path, *more: str | Path) -> Said:
    return hospital.run("verify", hospital.bundle, "--notice", notice, *more)


def test_a_withdrawn_release_stays_spent_and_verify_says_when_and_why(
    hospital: Hospital, notice: Path
) -> None:
    said = verified(hospital, notice)
    assert said.status == 4 and "Withdrawn on 20" in said.err and "a ward was left out" in said.err
    assert "signed by the key that signed the bundle" in said.out
    (found,) = json.loads(verified(hospital, notice, "--json").out)["notices"]
    assert (found["counts"], found["by"], found["kind"]) == (True, "same", "withdrawn")
    assert found["reason"] == REASON[1]
    assert hospital.spent == "0.5" and hospital.run("ledger", "check").status == 0
    shown = hospital.run("account", "show", "small").out
    assert "Release 1 (entry 2 of the ledger) withdrawn: a ward" in shown and "release 1 " in shown
    again = hospital.run("ledger", "correct", "2", *REASON, "--notice", hospital.folder / "c")
    assert again.status == 1 and "ledger notice 3" in again.err
    assert hospital.run("ledger", "export", hospital.folder / "export").status == 0
    page = (hospital.folder / "export" / "ledger.html").read_text("utf-8")
    assert "withdrawn: a ward was left out" in page


def test_a_later_version_still_says_that_a_release_was_withdrawn(
    hospital: Hospital, notice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the notice, and by this computer's own ledger."""
    monkeypatch.setattr(dpdesk, "__version__", "9999.0.0")
    for said in (verified(hospital, notice), hospital.run("verify", hospital.bundle)):
        assert said.status == 4 and "Claim: correct" in said.out
        assert "a ward was left out" in said.out + said.err


def test_the_computer_that_withdrew_it_says_so_without_the_notice(
    hospital: Hospital, notice: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = hospital.run("verify", hospital.bundle)
    assert own.status == 4 and "Withdrawn on 20" in own.err and REASON[1] in own.err
    assert "This computer's ledger says so." in own.out
    found = json.loads(hospital.run("verify", hospital.bundle, "--json").out)["own_ledger"]
    assert (found["kind"], found["reason"]) == ("withdrawn", REASON[1])
    both = verified(hospital, notice)
    assert both.status == 4 and both.err.count("Withdrawn on") == 1, "it is said once"
    line = hospital.folder / "line"
    info = keys.show(hospital.home.keys)
    assert info is not None
    line.write_text(allowed_signers_line(info), encoding="ascii")
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "recipient"))
    recipient = hospital.run("verify", hospital.bundle, "--signers", line)
    assert recipient.status == 0 and "Withdrawn" not in recipient.err, "they hear by the notice"


def test_a_release_of_the_same_place_in_another_ledger_is_not_withdrawn(
    hospital: Hospital, notice: Path, tmp_path: Path
) -> None:
    """Entry 2 of this ledger is withdrawn; a bundle of entry 2 of another one is not."""
    done = Ledger.open(hospital.home).release(2)
    assert taken_back(hospital.home, done.record) is not None
    assert taken_back(hospital.home, done.record, "0" * 64) is None
    assert taken_back(hospital.home, replace(done.record, id="0" * 32)) is None


@pytest.mark.threat("G9")
def test_stock_ssh_keygen_accepts_the_notice_as_it_is(hospital: Hospital, notice: Path) -> None:
    program = shutil.which("ssh-keygen")
    if program is None:
        pytest.skip("ssh-keygen is not installed")
    info = keys.show(hospital.home.keys)
    assert info is not None
    line = allowed_signers_line(info).replace(keys.NAMESPACE, NAMESPACE)
    signers = hospital.folder / "allowed"
    signers.write_text(line, encoding="ascii")

    def checked(content: bytes, namespace: str = NAMESPACE) -> bool:
        path = hospital.folder / "checked.notice"
        path.write_bytes(content)
        message = content.partition(b"-----END SSH SIGNATURE-----\n")[2]
        command = [program, "-Y", "verify", "-f", str(signers), "-I", info.identity]
        command += ["-n", namespace, "-s", str(path)]
        return subprocess.run(command, input=message, capture_output=True).returncode == 0

    raw = notice.read_bytes()
    assert checked(raw) and not checked(raw, keys.NAMESPACE)
    assert not checked(raw.replace(b'"withdrawn"', b'"corrected"'))
    assert hospital.release("--fresh", "--same-extract").status == 0
    name = Ledger.open(hospital.home).release(4).record.queries[0].name
    only, given = hospital.folder / "only.notice", (*REASON, "--table", f"{name}.csv", "--notice")
    assert hospital.run("ledger", "withdraw", "4", *given, only).status == 0
    raw, stated = only.read_bytes(), f'"tables": [\n  "{name}"\n ]'.encode("ascii")
    assert raw.count(stated) == 1, "which table it is about can be read without dpdesk"
    assert checked(raw) and not checked(raw.replace(stated, b'"tables": []'))
    stranger = hospital.folder / "odd.notice"
    stranger.write_bytes(raw.replace(name.encode("ascii"), b"../etc"))
    assert hospital.run("verify", hospital.bundle, "--notice", stranger).status == 1


def test_a_correction_names_the_release_that_replaces_it(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    first = hospital.folder / "first.zip"
    hospital.bundle.rename(first)
    assert hospital.release("--fresh", "--same-extract").status == 0
    path = hospital.folder / "n.notice"
    for by in ("1", "2", "9"):
        said = hospital.run("ledger", "correct", "2", *REASON, "--by", by, "--notice", path)
        assert said.status == 1 and not path.exists()
    said = hospital.run("ledger", "correct", "2", *REASON, "--by", "3", "--notice", path)
    assert said.status == 0
    head = Ledger.open(hospital.home).entry(3).hash
    both = hospital.run("verify", first, hospital.bundle, "--notice", path)
    assert both.status == 4 and "first.zip:" in both.out and head in both.out
    assert "Corrected on" in both.err and "another release" not in both.err
    later = hospital.folder / "later.notice"
    assert hospital.run("ledger", "withdraw", "2", *REASON, "--notice", later).status == 0
    assert hospital.run("ledger", "withdraw", "3", *REASON, "--notice", later).status == 1


def test_a_notice_is_written_again_from_its_entry_alone(hospital: Hospital, notice: Path) -> None:
    before = notice.read_bytes()
    assert hospital.run("ledger", "notice", "3", notice).status == 1, "nothing is overwritten"
    notice.unlink()
    assert hospital.run("ledger", "notice", "3", notice).status == 0
    assert notice.read_bytes() == before
    assert hospital.run("ledger", "notice", "2", hospital.folder / "x").status == 1
    assert Ledger.open(hospital.home).head()[0] == 3


def test_what_cannot_be_written_is_in_the_ledger_once(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    nowhere = hospital.folder / "none" / "n.notice"
    said = hospital.run("ledger", "withdraw", "2", *REASON, "--notice", nowhere)
    assert said.status == 1 and "writes it at no cost" in said.err
    assert hospital.run("ledger", "notice", "3", hospital.folder / "n.notice").status == 0
    for entry in ("1", "3", "0", "-1", "99"):
        said = hospital.run("ledger", "withdraw", entry, *REASON, "--notice", hospital.folder / "m")
        assert said.status in (1, 2) and not (hospital.folder / "m").exists()


@pytest.mark.threat("G9")
def test_notices_of_others_altered_ones_and_strangers_each_have_their_sentence(
    hospital: Hospital, notice: Path, tmp_path: Path
) -> None:
    raw = notice.read_bytes()
    key = keys.unlock(hospital.home.keys, PASSPHRASE)
    message = raw.partition(b"-----END SSH SIGNATURE-----\n")[2]

    def said(content: bytes) -> str:
        notice.write_bytes(content)
        answer = verified(hospital, notice)
        assert answer.status == 1, answer
        return answer.err

    assert "changed after it was signed" in said(raw.replace(b'"withdrawn"', b'"corrected"'))
    assert "is not a notice" in said(b"") and "is not a notice" in said(message)
    assert "is not a notice" in said(sign(message, key) + message), "another namespace"
    # A digest with the same beginning is another release.
    other = json.loads(message)
    head = other["head"]
    other["head"] = head[:-1] + ("0" if head[-1] != "0" else "1")
    altered = (json.dumps(other, sort_keys=True, indent=1) + "\n").encode("ascii")
    assert "another release" in said(sign(altered, key, NAMESPACE) + altered)
    stranger = keys.new_key(tmp_path / "stranger", key.info.identity, PASSPHRASE)
    assert "neither the bundle's key" in said(_by(raw, tmp_path / "stranger"))
    assert stranger.fingerprint != key.info.fingerprint


def _by(raw: bytes, folder: Path) -> bytes:
    """The same notice, signed by a key of another folder in its own name."""
    key = keys.unlock(folder, PASSPHRASE)
    signer = SignerName(key.info.identity, key.info.fingerprint)
    return notice_bytes(replace(parse_notice(raw), signer=signer), key)


@pytest.mark.threat("G9")
def test_a_successor_may_withdraw_and_a_key_that_was_given_up_may_not(
    hospital: Hospital, notice: Path
) -> None:
    raw = notice.read_bytes()
    old = hospital.folder / "old"
    shutil.copytree(hospital.home.keys, old)
    assert hospital.run("key", "rotate", "--out", hospital.folder / "rotation").status == 0
    assert verified(hospital, notice).status == 4, "the notice of before"
    notice.write_bytes(_by(raw, hospital.home.keys))
    answer = verified(hospital, notice)
    assert answer.status == 4 and "a later key of the same signer" in answer.out
    assert hospital.release("--fresh", "--same-extract").status == 0
    path = hospital.folder / "new.notice"
    assert hospital.run("ledger", "withdraw", "4", *REASON, "--notice", path).status == 0
    assert verified(hospital, path).status == 4
    path.write_bytes(_by(path.read_bytes(), old))
    answer = verified(hospital, path)
    assert answer.status == 1 and "neither the bundle's key" in answer.err


@pytest.mark.threat("G9")
def test_no_altered_byte_of_a_notice_is_read_as_one(hospital: Hospital, notice: Path) -> None:
    raw = notice.read_bytes()
    for at in range(len(raw)):
        with pytest.raises(Refused):
            parse_notice(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
        with pytest.raises(Refused):
            parse_notice(raw[:at])
    for more in (raw + b"\n", raw + raw, b"\n" + raw, raw.replace(b"\n", b"\r\n")):
        with pytest.raises(Refused):
            parse_notice(more)
    key = keys.unlock(hospital.home.keys, PASSPHRASE)
    message = raw.partition(b"-----END SSH SIGNATURE-----\n")[2]
    members = json.loads(message)
    for odd in (
        {**members, "more": 1},
        {**members, "reason": "a\u001b[2Jb"},
        {**members, "reason": "a\u202eb"},
        {**members, "dpdesk_notice": 2},
        {**members, "kind": "revoked"},
        {**members, "time": "2026-02-30T00:00Z"},
    ):
        text = (json.dumps(odd, sort_keys=True, indent=1) + "\n").encode("ascii")
        with pytest.raises(Refused) as refused:
            parse_notice(sign(text, key, NAMESPACE) + text)
        assert [p.code for p in refused.value.problems] == ["notice-malformed"]
    for text in (message.replace(b"\n", b" "), message + b" ", b"[]", b"{}", b"1"):
        with pytest.raises(Refused):
            parse_notice(sign(text, key, NAMESPACE) + text)
