# SPDX-License-Identifier: Apache-2.0
"""Stripping takes away what debuggers read, and nothing that is loaded."""

import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_files import ROOT

pytestmark = pytest.mark.skipif(not shutil.which("strip"), reason="no strip on this machine")


@pytest.fixture
def stripped(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import stripped

    return stripped


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A native module of some package, as it came."""
    import numpy

    found = next(Path(numpy.__file__).parent.rglob("_simd*.so"))
    return Path(shutil.copy(found, tmp_path))


def test_what_is_loaded_stays(stripped: ModuleType, library: Path) -> None:
    before = stripped.loaded(library.read_bytes())
    stripped.strip(library)
    assert stripped.loaded(library.read_bytes()) == before
    assert any(content for _, _, _, content in before.sections)
    assert [path.name for path in library.parent.iterdir()] == [library.name]


def test_a_changed_byte_of_code_is_seen(stripped: ModuleType, library: Path) -> None:
    content = bytearray(library.read_bytes())
    before = stripped.loaded(bytes(content))
    code = max(before.sections, key=lambda section: len(section[3]))[3]
    content[content.index(code) + len(code) // 2] ^= 1
    assert stripped.loaded(bytes(content)) != before


def test_libraries_are_told_from_other_files(stripped: ModuleType, library: Path) -> None:
    assert stripped.is_library(library)
    assert not stripped.is_library(Path(__file__))
