# SPDX-License-Identifier: Apache-2.0
"""What changed, went or came since the program was packed is found, file by file."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.cli import main
from dpdesk.program.installed_files import LIST, compare
from dpdesk.study.problem import Refused


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program of four files with its list, made by ``sha256sum`` itself where there is one."""
    folder = tmp_path / "dpdesk"
    (folder / "_internal" / "größer").mkdir(parents=True)
    for name in ("dpdesk", "_internal/a.so", "_internal/b c.txt", "_internal/größer/d"):
        (folder / name).write_bytes(name.encode() * 1_000)
    write_list(folder)
    return folder


def write_list(folder: Path) -> None:
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    if shutil.which("sha256sum"):
        made = subprocess.run(
            ["sha256sum", *names], cwd=folder, capture_output=True, check=True
        ).stdout
    else:
        lines = [
            f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
            for name in names
        ]
        made = "".join(lines).encode()
    (folder / LIST).write_bytes(made)


def test_a_program_as_it_was_packed_is_whole(program: Path) -> None:
    found = compare(program)
    assert found.is_whole
    assert found.checked == 4


@pytest.mark.threat("H1")
def test_every_difference_is_found_and_named(program: Path) -> None:
    (program / "_internal/a.so").write_bytes(b"_internal/a.so" * 999 + b"_internal/a.sp")
    (program / "_internal/b c.txt").unlink()
    (program / "_internal/größer/new").write_text("")
    found = compare(program)
    assert not found.is_whole
    assert found.changed == ("_internal/a.so",)
    assert found.missing == ("_internal/b c.txt",)
    assert found.additional == ("_internal/größer/new",)


def test_a_folder_in_the_place_of_a_file_is_a_missing_file(program: Path) -> None:
    (program / "dpdesk").unlink()
    (program / "dpdesk").mkdir()
    assert compare(program).missing == ("dpdesk",)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_a_folder_is_additional_and_not_followed(program: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("")
    (program / "_internal/link").symlink_to(tmp_path / "elsewhere")
    assert compare(program).additional == ("_internal/link",)


@pytest.mark.parametrize("line", ["no digest", "a" * 64 + "  ../out", "a" * 64 + "  /etc/passwd"])
def test_a_damaged_list_is_named_by_its_line(program: Path, line: str) -> None:
    with (program / LIST).open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    with pytest.raises(Refused) as caught:
        compare(program)
    assert caught.value.problems[0].code == "installation-list-invalid"
    assert caught.value.problems[0].params == {"line": "5"}


@pytest.fixture
def installed(program: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This process believes to be the installed program."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program / "dpdesk"))
    return program


def test_the_command_says_that_all_is_as_packed(
    installed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--verify-installation"]) == 0
    said = capsys.readouterr().out
    assert "4 files are as they were packed" in said
    assert "not an attack:" in said


def test_the_command_names_each_difference_and_ends_with_1(
    installed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (installed / "dpdesk").write_bytes(b"")
    (installed / "_internal/a.so").unlink()
    (installed / "new").write_text("")
    assert main(["--verify-installation"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == ["changed     dpdesk", "missing     _internal/a.so", "additional  new"]
    assert "Install dpdesk again" in said[3]
    assert "not an attack:" in said[4]


def test_from_the_sources_there_is_no_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--verify-installation"]) == 1
    assert "not installed from one of its packages" in capsys.readouterr().err
