# SPDX-License-Identifier: Apache-2.0
"""Known signers: what is read, what is refused rather than half understood, and who is whom."""

import base64
import codecs
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.signers import (
    RevokedKey,
    Signers,
    add_signer,
    keep_revoked,
    load_signers,
    parse_signers,
    read_line,
)
from dpdesk.release.signing.sshsig import key_blob
from tests.release.bundles import KEY, OFFICE, refusal, signing_key

LINE = allowed_signers_line(KEY.info)
OTHER = signing_key(2, "second@hospital.example").info


def test_standing() -> None:
    known = Signers((KEY.info,))
    assert known.standing(OFFICE, KEY.info.fingerprint) == "known"
    assert known.standing(OFFICE, OTHER.fingerprint) == "changed"
    assert known.standing(OTHER.identity, KEY.info.fingerprint) == "changed"
    assert known.standing(OTHER.identity, OTHER.fingerprint) == "unknown"
    assert Signers().standing(OFFICE, KEY.info.fingerprint) == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        LINE.replace("\n", "\r\n"),
        f"# who signs\n\n{LINE}",
        f"{OFFICE} {KEY.info.public_line}",
        f"{OFFICE}\t{KEY.info.public_line} the office's key\n",
    ],
)
def test_lines_that_are_read(text: str) -> None:
    assert parse_signers(text).known == (KEY.info,)


@pytest.mark.threat("G12")
@pytest.mark.parametrize(
    "line",
    [
        OFFICE,
        KEY.info.public_line,
        f"*@hospital.example {KEY.info.public_line}",
        f"{OFFICE},b@x {KEY.info.public_line}",
        f'"{OFFICE}" {KEY.info.public_line}',
        f"{OFFICE} cert-authority {KEY.info.public_line}",
        f'{OFFICE} namespaces="git" {KEY.info.public_line}',
        f'{OFFICE} namespaces="*" {KEY.info.public_line}',
        f'{OFFICE} valid-before="20300101" {KEY.info.public_line}',
        f"{OFFICE} {KEY.info.public_line.replace('ssh-ed25519', 'ssh-rsa')}",
        f"{OFFICE} {KEY.info.public_line}AAAA",
        f"{OFFICE} {KEY.info.public_line[:-4]}",
        f" {LINE}",
        f"\ufeff{LINE}",
        f"{LINE.strip()} \x1b[31mVERIFIED",
    ],
)
def test_lines_that_are_refused_with_their_number(line: str) -> None:
    problem = refusal(parse_signers, f"# first\n{line}\n")
    assert (problem.code, problem.params) == ("signer-malformed", {"line": "2"})


@pytest.mark.threat("G4")
def test_weak_keys_are_refused() -> None:
    blob = base64.b64encode(key_blob(bytes([1]) + bytes(31))).decode("ascii")
    assert refusal(parse_signers, f"{OFFICE} ssh-ed25519 {blob}").code == "signer-key-weak"


def test_no_file_knows_nobody(tmp_path: Path) -> None:
    assert load_signers(tmp_path / "none") == Signers()


MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


@pytest.mark.parametrize("encoding", MARKED)
def test_a_file_that_powershell_wrote_is_read(tmp_path: Path, encoding: str) -> None:
    """And what is added to it makes a file that stock tools read."""
    path, text = tmp_path / "signers", f"# ours\r\n{LINE.strip()}\r\n"
    path.write_bytes(MARKED[encoding] + text.encode(encoding))
    assert load_signers(path) == parse_signers(LINE)
    assert read_line(path) == LINE.strip()
    add_signer(path, allowed_signers_line(OTHER))
    assert path.read_bytes().isascii()
    assert load_signers(path).known == (KEY.info, OTHER)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF32_LE])
def test_other_encodings_are_no_lines_of_signers(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "signers"
    encoding = "utf-32-le" if mark else "utf-16-le"
    path.write_bytes(mark + LINE.encode(encoding))
    assert refusal(load_signers, path).code == "signer-malformed"


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf", b"\xff\xfe", b"\xff\xfea", b"#" * 1_000_001,
        codecs.BOM_UTF8 * 2 + b"# a", codecs.BOM_UTF16_LE + LINE.encode("utf-16-le") + b"x",
        codecs.BOM_UTF16_BE + LINE.encode("utf-16-le"), codecs.BOM_UTF8 + "# \u00e4".encode(),
        codecs.BOM_UTF16_LE + b"\x00\xd8", codecs.BOM_UTF8 + LINE.encode("utf-16-le") + b"\xff",
    ],
)  # fmt: skip
def test_files_that_are_no_signers(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "signers"
    path.write_bytes(content)
    problem = refusal(load_signers, path)
    assert (problem.code, problem.params) == ("signers-unreadable", {"name": "signers"})
    assert refusal(load_signers, tmp_path).code == "signers-unreadable"


def test_adding_keeps_what_was_there_and_the_same_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "signers"
    path.write_text("# ours")
    assert add_signer(path, LINE) == KEY.info
    add_signer(path, allowed_signers_line(OTHER))
    before = path.read_bytes()
    assert before.startswith(b"# ours\n")
    add_signer(path, f"{OFFICE} {KEY.info.public_line} a comment\r\n")
    assert path.read_bytes() == before
    assert load_signers(path).known == (KEY.info, OTHER)


def test_another_key_under_a_known_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "signers"
    add_signer(path, LINE)
    problem = refusal(add_signer, path, f"{OFFICE} {OTHER.public_line}")
    assert problem.code == "signer-changed"
    assert problem.params == {
        "identity": OFFICE,
        "fingerprint": OTHER.fingerprint,
        "known": KEY.info.fingerprint,
    }
    assert load_signers(path).known == (KEY.info,)


def test_unwritable(tmp_path: Path) -> None:
    problem = refusal(add_signer, tmp_path / "no folder" / "signers", LINE)
    assert (problem.code, problem.params) == ("signers-unwritable", {"name": "signers"})


REVOKED = RevokedKey(KEY.info, "2026-11-22", "lost")
THIRD = signing_key(3, "third@hospital.example").info
ACTS: tuple[Callable[[Path], object], ...] = (
    lambda path: keep_revoked(path, REVOKED),
    lambda path: add_signer(path, allowed_signers_line(OTHER)),
    lambda path: add_signer(path, allowed_signers_line(THIRD)),
)


@pytest.mark.threat("E9")
@pytest.mark.parametrize(("slow", "quick"), [(0, 1), (1, 0), (1, 2)])
def test_two_programs_that_write_at_once_keep_both_signers_and_revocations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: int, quick: int
) -> None:
    path, at_once, sync = tmp_path / "allowed_signers", tmp_path / "at_once", os.fsync
    for one in (path, at_once):
        add_signer(one, LINE)
    ACTS[slow](at_once)
    ACTS[quick](at_once)
    meanwhile = [ACTS[quick]]

    def slow_disk(handle: int) -> None:
        sync(handle)
        if meanwhile:
            meanwhile.pop()(path)

    monkeypatch.setattr("dpdesk.study.json.study_files.os.fsync", slow_disk)
    ACTS[slow](path)
    found, expected = load_signers(path), load_signers(at_once)
    assert not meanwhile
    assert set(found.known) == set(expected.known)
    assert found.revoked == expected.revoked
    assert list(tmp_path.glob(".*")) == []
