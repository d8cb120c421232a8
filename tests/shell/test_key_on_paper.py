# SPDX-License-Identifier: Apache-2.0
"""``dpdesk key print``, ``words`` and ``restore-words``."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.backup.key_page import groups_of
from dpdesk.release.signing import keys
from tests.shell.hospital import PASSPHRASE, Hospital

NEW = "eleven purple lamps hum"


def info_of(hospital: Hospital) -> keys.KeyInfo:
    info = keys.show(hospital.home.keys)
    assert info is not None
    return info


def pdf_text(raw: bytes) -> str:
    """The text of a page, as stock tools read it."""
    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext on this system")
    asked = ["pdftotext", "-layout", "-", "-"]
    return subprocess.run(asked, input=raw, capture_output=True, check=True).stdout.decode("utf-8")


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def words_of(hospital: Hospital) -> list[str]:
    said = hospital.run("key", "words")
    assert said.status == 0
    return [line.split(maxsplit=1)[1] for line in said.out.splitlines()]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def typing(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], kind: type[io.StringIO] = io.StringIO
) -> None:
    monkeypatch.setattr(sys, "stdin", kind("\n".join(lines) + "\n"))


def test_the_words_restore_the_key_and_stand_nowhere(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, info = files_below(tmp_path), info_of(hospital)
    private = keys.unlock(hospital.home.keys, PASSPHRASE).private.private_bytes_raw()
    lines = words_of(hospital)
    assert len(lines) == 6 and all(len(line.split()) == 5 for line in lines)
    after = {**files_below(tmp_path), **files_below(hospital.home.root)}
    assert not any(line.encode() in raw for line in lines for raw in after.values())
    assert set(before) <= set(after)
    for path in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
        (hospital.home.keys / path).unlink()
    new = tmp_path / "new-words"
    new.write_text(NEW, encoding="utf-8")
    monkeypatch.setenv("DPDESK_NEW_PASSPHRASE_FILE", str(new))
    typing(monkeypatch, lines)
    said = hospital.run("key", "restore-words", "--name", info.identity)
    assert said.status == 0 and info.fingerprint in said.out
    key = keys.unlock(hospital.home.keys, NEW)
    assert key.info == info and key.private.private_bytes_raw() == private
    log = files_below(hospital.home.root)
    assert not any(
        line.split()[0].encode() + b" " + line.split()[1].encode() in raw
        for line in lines
        for raw in log.values()
    )


def test_a_slip_is_named_and_nothing_is_made(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = words_of(hospital)
    name = info_of(hospital).identity
    typing(monkeypatch, lines)
    said = hospital.run("key", "restore-words", "--name", name)
    assert said.status == 1 and "already a signing key" in said.err
    for path in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
        (hospital.home.keys / path).unlink()
    wrong = lines[2].split()
    wrong[1] = "zoo" if wrong[1] != "zoo" else "zone"
    typing(monkeypatch, [*lines[:2], " ".join(wrong), *lines[3:]])
    said = hospital.run("key", "restore-words", "--name", name)
    assert said.status == 1 and "Line 3" in said.err
    assert keys.show(hospital.home.keys) is None
    # The sentence is the same whatever was typed: none of the words is in it.
    other = " ".join(["abandon"] * len(wrong))
    typing(monkeypatch, [*lines[:2], other, *lines[3:]])
    assert hospital.run("key", "restore-words", "--name", name).err == said.err


def test_at_a_terminal_a_slip_is_named_before_the_next_line(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody types six lines again for one of them; without an end of input it asks on."""
    lines, info = words_of(hospital), info_of(hospital)
    for path in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
        (hospital.home.keys / path).unlink()
    new = tmp_path / "new-words"
    new.write_text(NEW, encoding="utf-8")
    monkeypatch.setenv("DPDESK_NEW_PASSPHRASE_FILE", str(new))
    slips = ["", f"{lines[1]} shed", lines[1].replace(lines[1].split()[0], "slip"), lines[0]]
    typing(monkeypatch, [lines[0], *slips, *lines[1:]], _Terminal)
    said = hospital.run("key", "restore-words", "--name", info.identity)
    asked = said.err.split("Line 2: ")[1:-1]
    assert said.status == 0 and info.fingerprint in said.out and len(asked) == len(slips), said.err
    assert "Word 1 of line 2 is not in the list" in said.err
    (hospital.home.keys / keys.PRIVATE_NAME).unlink()
    (hospital.home.keys / keys.PUBLIC_NAME).unlink()
    typing(monkeypatch, lines[:3], _Terminal)
    ended = hospital.run("key", "restore-words", "--name", info.identity)
    assert ended.status == 1 and keys.show(hospital.home.keys) is None


def test_a_wrong_passphrase_shows_no_words(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("wrong passphrase", encoding="utf-8")
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(wrong))
    said = hospital.run("key", "words", "--out", tmp_path / "words.pdf")
    assert said.status == 1 and said.out == "" and not (tmp_path / "words.pdf").exists()


@pytest.mark.parametrize("name", ["page.pdf", "page.html"])
def test_the_public_page_has_the_groups_and_nothing_secret(
    hospital: Hospital, tmp_path: Path, name: str
) -> None:
    lines, info = words_of(hospital), info_of(hospital)
    path = tmp_path / name
    assert hospital.run("key", "print", "--out", path).status == 0
    first = path.read_bytes()
    said = hospital.run("key", "print", "--json", "--out", path)
    assert json.loads(said.out) == {"page": name}
    assert path.read_bytes() == first, "the same key, the same bytes"
    text = pdf_text(first) if name.endswith("pdf") else first.decode("utf-8")
    groups = groups_of(info.fingerprint)
    assert " ".join(groups[:8]) in text and " ".join(groups[8:]) in text
    assert info.fingerprint in text and info.identity in text
    assert not any(" ".join(line.split()[:2]) in text for line in lines)


@pytest.mark.parametrize("name", ["words.pdf", "words.html"])
def test_the_private_page_is_for_its_owner_alone(
    hospital: Hospital, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    assert hospital.run("key", "words", "--out", path).status == 0
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    raw = path.read_bytes()
    text = pdf_text(raw) if name.endswith("pdf") else raw.decode("utf-8")
    for line in words_of(hospital):
        assert all(word in text for word in line.split())
    shown = json.loads(hospital.run("key", "words", "--json").out)
    assert shown == {"words": [" ".join(line.split()) for line in words_of(hospital)]}
    said = hospital.run("key", "words", "--out", path)
    assert said.status == 1 and path.read_bytes() == raw, "nothing is overwritten"


def test_a_page_is_pdf_or_html(hospital: Hospital, tmp_path: Path) -> None:
    said = hospital.run("key", "print", "--out", tmp_path / "page.txt")
    assert said.status == 1 and ".pdf" in said.err
    assert not (tmp_path / "page.txt").exists()
