# SPDX-License-Identifier: Apache-2.0
"""What Windows and macOS show of the program, made here; only they can freeze it."""

import ast
import plistlib
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_files import ROOT


@pytest.fixture
def appearance(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import appearance

    return appearance


def test_windows_is_told_the_version(appearance: ModuleType, tmp_path: Path) -> None:
    told = appearance.of_windows(str(tmp_path))
    calls = ast.parse(Path(told["version"]).read_text(encoding="utf-8"), mode="eval").body
    texts = [node.value for node in ast.walk(calls) if isinstance(node, ast.Constant)]
    assert appearance.program.version() in texts
    assert Path(told["icon"]).read_bytes().startswith(b"\0\0\1\0")


def test_macos_is_told_the_files_that_open(appearance: ModuleType, tmp_path: Path) -> None:
    told = appearance.of_macos(str(tmp_path))
    assert Path(told["icon"]).read_bytes().startswith(b"icns")
    assert b"dpdesk.study" in plistlib.dumps(told["info_plist"])
