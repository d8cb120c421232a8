# SPDX-License-Identifier: Apache-2.0
"""What packages say of the program is what the program says of itself."""

from types import ModuleType
from typing import Any

import pytest

from dpdesk import __version__
from dpdesk.release.bundle.bundle_zip import pack
from tests.source_files import ROOT


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import program

    return program


def starts_so(kind: Any, content: bytes) -> bool:
    return all(content[at:].startswith(wanted) for at, wanted in kind.magic)


def test_the_version_is_the_programs(program: ModuleType) -> None:
    assert program.version() == __version__


def test_who_cites_it_and_the_changelog_name_the_same_version() -> None:
    cited = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    assert f"version: {__version__}" in cited
    (day,) = (one.removeprefix("date-released: ") for one in cited if one.startswith("date-rel"))
    assert f"## [{__version__}] - {day}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_window_bears_the_desktop_entrys_name(program: ModuleType) -> None:
    app = (ROOT / "dpdesk" / "desk" / "app.py").read_text(encoding="utf-8")
    assert f'DESKTOP_ID = "{program.DESKTOP_ID}"' in app


def test_a_bundle_is_known_by_its_first_bytes(program: ModuleType) -> None:
    assert starts_so(program.BUNDLE, pack({"README.txt": b"Stays\n", "report.html": b"<p>"}))


@pytest.mark.parametrize("name", ["readme.txt", "data.csv"])
def test_another_zip_is_no_bundle(program: ModuleType, name: str) -> None:
    assert not starts_so(program.BUNDLE, pack({name: b"Stays\n"}))


def test_the_sample_is_known_by_ending_and_first_bytes(program: ModuleType) -> None:
    sample = ROOT / "resources" / "sample" / "sample.dpdesk"
    assert sample.suffix == program.STUDY.ending
    assert starts_so(program.STUDY, sample.read_bytes())
