# SPDX-License-Identifier: Apache-2.0
"""The wheel carries the program and what it needs beside code, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dpdesk import __version__
from tests.source_files import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


def test_it_holds_the_program_and_its_resources_alone(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "dpdesk/resources/sample/sample.dpdesk" in names
    for page in (ROOT / "resources" / "help").rglob("*.md"):
        assert f"dpdesk/{page.relative_to(ROOT).as_posix()}" in names
    for font in (ROOT / "resources" / "fonts").iterdir():
        assert f"dpdesk/resources/fonts/{font.name}" in names
    assert "dpdesk/study/model/document.py" in names
    assert {name.split("/")[0] for name in names} == {"dpdesk", f"dpdesk-{__version__}.dist-info"}


def test_an_installed_program_finds_its_resources(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from dpdesk.resources import resource_path as p; print(p('sample/sample.dpdesk'))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()) == tmp_path / "dpdesk/resources/sample/sample.dpdesk"


def test_it_starts_by_name_with_and_without_a_console(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    points = archive.read(f"dpdesk-{__version__}.dist-info/entry_points.txt").decode()
    assert "[gui_scripts]\ndpdesk = dpdesk.__main__:main" in points
    assert "\ndpdesk-shell = dpdesk.__main__:main" in points.partition("[console_scripts]")[2]
    assert "\ndpdesk-engine = dpdesk.engine.cli:main" in points
