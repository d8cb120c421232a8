# SPDX-License-Identifier: Apache-2.0
"""The script that installs a wheelhouse, on one with a program of three lines."""

import json
import runpy
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dpdesk.program.installed_files import compare
from tests.source_files import ROOT

SCRIPT = ROOT / "packaging" / "install.py"
PYTHON = "{}.{}".format(*sys.version_info)
HELLO = {"dpdesk/__init__.py": "", "dpdesk/__main__.py": "print('Hello')\n"}


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    import install

    return install


def wheelhouse(folder: Path, members: dict[str, str], **listed: Any) -> Path:
    """A folder as it is handed over, with one wheel."""
    wheel = folder / "wheels" / "dpdesk-1-py3-none-any.whl"
    wheel.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    content = {
        "system": {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux"),
        "pythons": {PYTHON: [wheel.name]},
        "sha256": {wheel.name: sha256(wheel.read_bytes()).hexdigest()},
        **listed,
    }
    (folder / "wheels.json").write_text(json.dumps(content), encoding="ascii")
    shutil.copyfile(SCRIPT, folder / "install.py")
    return folder


def run(house: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(house / "install.py"), str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def said_by(environment: Path) -> str:
    launcher = environment / ("dpdesk.cmd" if sys.platform == "win32" else "bin/dpdesk")
    return subprocess.run([str(launcher)], capture_output=True, text=True, check=True).stdout


def test_what_is_installed_starts(tmp_path: Path) -> None:
    house = wheelhouse(tmp_path / "a house", HELLO)
    installed = run(house, tmp_path / "my programs" / "dpdesk")
    assert installed.returncode == 0, installed.stderr
    assert "1 wheels are as listed." in installed.stdout
    assert said_by(tmp_path / "my programs" / "dpdesk") == "Hello\n"


def test_what_is_damaged_later_is_found(tmp_path: Path) -> None:
    assert run(wheelhouse(tmp_path / "house", HELLO), tmp_path / "dpdesk").returncode == 0
    said_by(tmp_path / "dpdesk")
    whole = compare(tmp_path / "dpdesk")
    assert whole.is_whole, whole
    assert whole.checked > 5
    program = next((tmp_path / "dpdesk").rglob("dpdesk/__main__.py"))
    program.write_text("print('Changed')\n")
    assert compare(tmp_path / "dpdesk").changed == (
        program.relative_to(tmp_path / "dpdesk").as_posix(),
    )


def test_a_later_one_takes_its_place(tmp_path: Path) -> None:
    target = tmp_path / "dpdesk"
    assert run(wheelhouse(tmp_path / "house", HELLO), target).returncode == 0
    later = {**HELLO, "dpdesk/__main__.py": "print('Later')\n"}
    assert run(wheelhouse(tmp_path / "house", later), target).returncode == 0
    assert said_by(target) == "Later\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["dpdesk", "house"]


def test_one_that_does_not_start_leaves_the_earlier_one(tmp_path: Path) -> None:
    target = tmp_path / "dpdesk"
    assert run(wheelhouse(tmp_path / "house", HELLO), target).returncode == 0
    broken = {**HELLO, "dpdesk/__main__.py": "raise SystemExit(3)\n"}
    failed = run(wheelhouse(tmp_path / "house", broken), target)
    assert failed.returncode == 1
    assert "what was there is as before" in failed.stderr
    assert said_by(target) == "Hello\n"


def test_what_was_interrupted_is_made_anew(tmp_path: Path) -> None:
    house = wheelhouse(tmp_path / "house", HELLO)
    (tmp_path / "dpdesk" / "Lib").mkdir(parents=True)
    shutil.copyfile(house / "wheels.json", tmp_path / "dpdesk" / "wheels.json")
    assert run(house, tmp_path / "dpdesk").returncode == 0
    assert said_by(tmp_path / "dpdesk") == "Hello\n"


def test_a_folder_of_somebody_else_stays(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    refused = run(wheelhouse(tmp_path / "house", HELLO), tmp_path / "letters")
    assert "exists and is no environment of dpdesk" in refused.stderr
    assert not list((tmp_path / "letters").iterdir())


@pytest.mark.threat("H5")
def test_a_damaged_wheel_stops_it_before_anything_is_written(tmp_path: Path) -> None:
    house = wheelhouse(tmp_path / "house", HELLO)
    wheel = next((house / "wheels").iterdir())
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    refused = run(house, tmp_path / "dpdesk")
    assert f"so nothing was installed: {wheel.name}" in refused.stderr
    assert not (tmp_path / "dpdesk").exists()


def test_wheels_of_another_system_are_refused(tmp_path: Path) -> None:
    refused = run(wheelhouse(tmp_path, HELLO, system="amiga"), tmp_path / "dpdesk")
    assert "These wheels are for amiga; this Python is for" in refused.stderr


def test_a_wheel_writes_nowhere_else(tmp_path: Path) -> None:
    members = {**HELLO, "../../../../../outside.py": ""}
    refused = run(wheelhouse(tmp_path / "house", members), tmp_path / "dpdesk")
    assert "holds ../../../../../outside.py" in refused.stderr
    assert not list(tmp_path.rglob("outside.py"))


@pytest.mark.parametrize("version", [(3, 10, 4), (3, 14, 0)])
def test_another_python_is_named(version: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match=r"needs Python 3\.11, 3\.12 or 3\.13; this is Python 3"):
        runpy.run_path(str(SCRIPT), run_name="__main__")


def test_the_python_of_one_folder_is_taken_along(install: ModuleType, tmp_path: Path) -> None:
    own = tmp_path / "python"
    own.mkdir()
    for name in ("python.exe", "python313.zip", "python313._pth"):
        (own / name).write_text(name)
    python, packages = install.copy_embeddable(own / "python313._pth", tmp_path / "dpdesk")
    assert python.read_text() == "python.exe"
    assert packages.is_dir()
    paths = (tmp_path / "dpdesk" / "python313._pth").read_text().splitlines()
    assert paths == ["python313.zip", ".", "Lib\\site-packages"]
