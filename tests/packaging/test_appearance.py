# SPDX-License-Identifier: Apache-2.0
"""What Windows and macOS show of the program, made here; only they can freeze it."""

import ast
import plistlib
import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_files import ROOT


@pytest.fixture
def appearance(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import appearance

    return appearance


def test_windows_gets_the_version(appearance: ModuleType, tmp_path: Path) -> None:
    options = appearance.of_windows(str(tmp_path))
    calls = ast.parse(Path(options["version"]).read_text(encoding="utf-8"), mode="eval").body
    texts = [node.value for node in ast.walk(calls) if isinstance(node, ast.Constant)]
    assert appearance.program.version() in texts
    assert Path(options["icon"]).read_bytes().startswith(b"\0\0\1\0")


def test_macos_gets_the_files_that_open(appearance: ModuleType, tmp_path: Path) -> None:
    options = appearance.of_macos(str(tmp_path))
    assert Path(options["icon"]).read_bytes().startswith(b"icns")
    assert b"dpdesk.study" in plistlib.dumps(options["info_plist"])


@pytest.mark.parametrize(
    ("system", "made"),
    [
        ("linux", ["EXE dpdesk", "COLLECT dpdesk"]),
        ("win32", ["EXE dpdesk", "EXE dpdesk-shell", "COLLECT dpdesk"]),
        ("darwin", ["EXE dpdesk", "COLLECT dpdesk", "BUNDLE dpdesk.app"]),
    ],
)
def test_the_specification_runs_for_each_system(
    system: str, made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyInstaller freezes for the system it runs on alone; this runs what it would be given."""
    found: list[str] = []

    class Recorded:
        def __init__(self, *_given: object, name: str = "", **_more: object) -> None:
            self.pure = self.scripts = self.binaries = self.datas = []
            if name:
                found.append(f"{type(self).__name__} {name}")

    hooks = ModuleType("PyInstaller.utils.hooks")
    hooks.__dict__["collect_submodules"] = lambda name, _wanted: [name]
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = ROOT / "packaging" / "frozen" / "dpdesk.spec"
    kinds = ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")
    names = {name: type(name, (Recorded,), {}) for name in kinds}
    given = {**names, "SPECPATH": str(path.parent), "workpath": str(tmp_path)}
    runpy.run_path(str(path), given)
    assert found == made
