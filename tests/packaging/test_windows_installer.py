# SPDX-License-Identifier: Apache-2.0
"""The installer for Windows: that its script compiles, and what it may touch."""

import re
import shutil
import struct
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.test_install import HELLO, wheelhouse
from tests.source_files import ROOT

PACKAGING = ROOT / "packaging"
SCRIPT = (PACKAGING / "windows" / "installer.nsi").read_text(encoding="utf-8")


@pytest.fixture
def windows_installer(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    import windows_installer

    return windows_installer


@pytest.fixture
def icon_files(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    import icon_files

    return icon_files


def compiled(build: ModuleType, folder: Path, icon: bytes, python: Path | None = None) -> bytes:
    house = wheelhouse(folder / "house", HELLO)
    (folder / "dpdesk.ico").write_bytes(icon)
    build.compile_script(house, folder / "dpdesk.ico", folder / "dpdesk-windows.exe", python)
    return (folder / "dpdesk-windows.exe").read_bytes()


def picture(size: int) -> bytes:
    """The beginning of a PNG, which is all that is looked at."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", size, size) + 5 * b"\0"


@pytest.mark.skipif(not shutil.which("makensis"), reason="makensis is not installed")
@pytest.mark.parametrize("embedded", [False, True])
def test_it_compiles_with_its_version(
    windows_installer: ModuleType, icon_files: ModuleType, tmp_path: Path, embedded: bool
) -> None:
    icon = icon_files.ico(icon_files.draw([16, 32]))
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "python.exe").touch()
    made = compiled(windows_installer, tmp_path, icon, tmp_path / "python" if embedded else None)
    assert made.startswith(b"MZ")
    version = windows_installer.program.version()
    assert f"ProductVersion\0{version}\0".encode("utf-16-le") in made
    assert b'<requestedExecutionLevel level="asInvoker"' in made


def test_it_writes_for_the_user_alone() -> None:
    assert "RequestExecutionLevel user" in SCRIPT
    written = re.findall(r"(?:WriteReg\w+|DeleteRegKey) (\w+)", SCRIPT)
    assert set(written) == {"HKCU"}
    assert "SetShellVarContext all" not in SCRIPT


def test_all_that_is_written_to_the_registry_is_removed() -> None:
    section, _, removal = SCRIPT.partition("Section Uninstall")
    written = set(re.findall(r'WriteReg\w+ HKCU "(\$\{\w+\}(?:\\[^"\\]+)?)', section))
    removed = re.findall(r'DeleteRegKey HKCU "([^"]+)"', removal)
    assert all(any(key.startswith(each) for each in removed) for key in written), written
    assert len(written) >= 4


def test_removing_it_leaves_what_it_did_not_install() -> None:
    """A folder that somebody chose may hold files of theirs: only our own are removed whole."""
    assert set(re.findall(r'RMDir /r "([^"]+)"', SCRIPT)) == {
        "$INSTDIR\\wheelhouse",
        "$INSTDIR\\environment.removed",
    }


def test_another_zip_is_no_python(windows_installer: ModuleType, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "python.zip", "w") as archive:
        archive.writestr("python314._pth", "")
    with pytest.raises(SystemExit, match=r"is no embeddable Python 3\.11, 3\.12, 3\.13"):
        windows_installer.unpack(tmp_path / "python.zip", tmp_path / "python")


def test_an_icon_leads_to_each_of_its_pictures(icon_files: ModuleType) -> None:
    made = icon_files.ico({size: picture(size) for size in (16, 256)})
    assert made[:6] == struct.pack("<HHH", 0, 1, 2)
    for number, size in enumerate((16, 256)):
        entry = struct.unpack_from("<BBBBHHII", made, 6 + 16 * number)
        assert entry[0] == size % 256
        assert made[entry[7] :][: entry[6]] == picture(size)


def test_an_icon_of_macos_is_as_long_as_it_says(icon_files: ModuleType) -> None:
    made = icon_files.icns({size: picture(size) for size in icon_files.MACOS_SIZES.values()})
    assert made[:4] == b"icns"
    place, kinds = 8, []
    while place < len(made):
        kind, length = struct.unpack_from(">4sI", made, place)
        kinds.append(kind)
        place += length
    assert place == len(made) == struct.unpack_from(">I", made, 4)[0]
    assert kinds == list(icon_files.MACOS_SIZES)
