# SPDX-License-Identifier: Apache-2.0
"""A package is built by a Python alone that refuses overlapping zip members, as it carries it."""

import io
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from dpdesk.data.files.zip_members import are_disjoint
from tests.source_files import ROOT


@pytest.fixture
def overlapping(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import overlapping

    return overlapping


class Refusing(zipfile.ZipFile):
    """As Python is since it was mended."""

    def open(self, *arguments, **more):  # type: ignore[no-untyped-def]
        if not are_disjoint(self):
            raise zipfile.BadZipFile("Overlapped entries")
        return super().open(*arguments, **more)


class Opening(zipfile.ZipFile):
    """As Python was: it looks at no member's end."""

    def _RealGetContents(self):  # type: ignore[no-untyped-def]
        super()._RealGetContents()  # type: ignore[misc]
        for member in self.filelist:
            if hasattr(member, "_end_offset"):
                member._end_offset = None


@pytest.mark.threat("G2", "H5")
def test_a_python_is_tried_and_not_read_from_its_version(overlapping: ModuleType) -> None:
    assert overlapping.is_opened(Opening) and not overlapping.is_opened(Refusing)
    with zipfile.ZipFile(io.BytesIO(overlapping.archive())) as archive:
        assert archive.namelist() == ["a.txt", "b.txt"] and archive.read("b.txt") == b"inner"
        assert not are_disjoint(archive)


@pytest.mark.threat("H5")
@pytest.mark.parametrize("kinds", [["deb"], ["tar"], ["deb", "tar"], ["compare"]])
def test_nothing_is_built_by_a_python_that_opens_them(
    overlapping: ModuleType, monkeypatch: pytest.MonkeyPatch, kinds: list[str], tmp_path: Path
) -> None:
    import build

    monkeypatch.setattr(overlapping, "is_opened", lambda: True)
    monkeypatch.setattr(build, "PACKAGES", tmp_path / "none")
    with pytest.raises(SystemExit) as refused:
        build.main(kinds)
    assert refused.value.code == overlapping.REFUSAL and not (tmp_path / "none").exists()
