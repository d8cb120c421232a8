# SPDX-License-Identifier: Apache-2.0
"""What packages hold beside the program: digests, licences, entries for desktops and shells."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from configparser import RawConfigParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from dpdesk.cli import COMMANDS
from dpdesk.release.bundle.bundle_zip import pack
from tests.source_files import ROOT

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def packaging(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of packaging/, for a commit of 2026."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795373734")
    import desktop_files
    import freeze
    import notices
    import portable
    import program

    freeze.commit_time.cache_clear()

    class Modules:
        pass

    modules = Modules()
    modules.__dict__.update(
        desktop_files=desktop_files,
        freeze=freeze,
        notices=notices,
        portable=portable,
        program=program,
    )
    return modules


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "dpdesk"
    (made / "inner").mkdir(parents=True)
    (made / "dpdesk").write_bytes(b"program")
    (made / "dpdesk").chmod(0o700)
    (made / "inner" / "a b.txt").write_bytes(b"text")
    return made


def test_every_file_is_listed_with_its_digest(packaging: Any, folder: Path) -> None:
    packaging.freeze.write_digests(folder)
    text = (folder / "installed-files.sha256").read_text(encoding="utf-8")
    assert [line[66:] for line in text.splitlines()] == ["dpdesk", "inner/a b.txt"]
    checked = ["sha256sum", "--check", "--strict", "installed-files.sha256"]
    assert subprocess.run(checked, cwd=folder, capture_output=True).returncode == 0
    (folder / "dpdesk").write_bytes(b"progral")
    assert subprocess.run(checked, cwd=folder, capture_output=True).returncode == 1


@pytest.mark.threat("H5")
def test_a_folder_is_packed_to_the_same_bytes_again(
    packaging: Any, folder: Path, tmp_path: Path
) -> None:
    first = packaging.portable.pack(folder, tmp_path).read_bytes()
    (folder / "inner" / "a b.txt").touch()
    (folder / "inner" / "a b.txt").chmod(0o600)
    path = packaging.portable.pack(folder, tmp_path)
    assert path.read_bytes() == first
    with tarfile.open(path) as archive:
        modes = {entry.name.partition("/")[2]: entry.mode for entry in archive}
    assert modes == {"": 0o755, "dpdesk": 0o755, "inner": 0o755, "inner/a b.txt": 0o644}


def test_a_link_is_packed_nowhere(packaging: Any, folder: Path, tmp_path: Path) -> None:
    (folder / "link").symlink_to("dpdesk")
    with pytest.raises(ValueError, match="link is a link"):
        packaging.portable.pack(folder, tmp_path)


def test_the_menu_entry_opens_both_kinds_of_files(packaging: Any) -> None:
    entry = RawConfigParser(delimiters="=")
    entry.read_string(packaging.desktop_files.desktop_entry())
    kinds = {kind.mime for kind in packaging.program.FILE_KINDS}
    assert set(entry["Desktop Entry"]["MimeType"].split(";")) == {*kinds, ""}
    assert entry["Desktop Entry"]["Exec"] == "dpdesk %f"


def test_a_bundle_is_a_zip_recognised_by_its_first_bytes(packaging: Any) -> None:
    root = Xml.fromstring(packaging.desktop_files.mime_types())  # noqa: S314 - our own
    kinds = {each.attrib["type"]: each for each in root.iter(f"{MIME}mime-type")}
    bundle = kinds[packaging.program.BUNDLE.mime]
    assert [each.attrib["pattern"] for each in bundle.iter(f"{MIME}glob")] == ["*.zip"]
    matches = [
        (each.attrib["offset"], each.attrib["value"]) for each in bundle.iter(f"{MIME}match")
    ]
    # GNOME takes a file for the special case wherever both have its ending.
    assert bundle.find(f"{MIME}sub-class-of") is None
    assert matches[1] == ("30", "README.txt")
    assert matches[0][1].startswith("PK\\x03\\x04")


MIME_NAMES = """
import sys
from PySide6.QtCore import QMimeDatabase
print(*(QMimeDatabase().mimeTypeForFile(name).name() for name in sys.argv[1:]))
"""


@pytest.mark.skipif(not shutil.which("update-mime-database"), reason="no shared-mime-info here")
def test_a_file_manager_tells_a_bundle_from_another_zip(packaging: Any, tmp_path: Path) -> None:
    (tmp_path / "mime/packages").mkdir(parents=True)
    kinds = packaging.desktop_files.mime_types()
    (tmp_path / "mime/packages/dpdesk.xml").write_text(kinds, encoding="utf-8")
    command = ["update-mime-database", str(tmp_path / "mime")]
    subprocess.run(command, check=True, capture_output=True)
    (tmp_path / "bundle.zip").write_bytes(pack({"README.txt": b"Stays", "report.html": b"<p>"}))
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("README.txt", "Stays")
    names = [str(tmp_path / name) for name in ("bundle.zip", "other.zip")]
    names.append(str(ROOT / "resources/sample/sample.dpdesk"))
    variables = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    named = subprocess.run(
        [sys.executable, "-c", MIME_NAMES, *names],
        env=variables,
        check=True,
        capture_output=True,
        text=True,
    )
    study, bundle = (kind.mime for kind in packaging.program.FILE_KINDS)
    assert named.stdout.split() == [bundle, "application/zip", study]


def test_the_software_centre_names_version_and_kinds(packaging: Any) -> None:
    root = Xml.fromstring(packaging.desktop_files.metainfo(1795373734))  # noqa: S314 - our own
    release = root.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": packaging.program.version(), "date": "2026-11-22"}


def test_the_bill_lists_each_component_once_with_its_file(packaging: Any) -> None:
    component = packaging.notices.Component("a", "1", "MIT", "pkg:pypi/a@1", ("Text",), "0" * 64)
    other = packaging.notices.Component("b", "2", "MIT", "pkg:pypi/b@2", ("Text",))
    bill = json.loads(packaging.notices.bill([component, other], 1795373734))
    assert [each["purl"] for each in bill["components"]] == ["pkg:pypi/a@1", "pkg:pypi/b@2"]
    assert bill["components"][0]["hashes"] == [{"alg": "SHA-256", "content": "0" * 64}]
    assert packaging.notices.bill([component, other], 1795373734) == packaging.notices.bill(
        [component, other], 1795373734
    )
    assert packaging.notices.licences([component, other]).count("Text") == 1


def test_each_shipped_font_is_a_component_with_its_licence(packaging: Any) -> None:
    components = {each.name: each for each in packaging.notices.fonts()}
    assert [(name, each.version) for name, each in components.items()] == [
        ("DejaVu fonts", "2.37"),
        ("Inter fonts", "4.1"),
    ]
    assert "SIL OPEN FONT LICENSE" in components["Inter fonts"].texts[0]
    for path in (packaging.program.ROOT / "resources" / "fonts").glob("*.ttf"):
        assert any(name.split()[0] in path.name for name in components)


def test_every_package_of_the_run_lock_is_a_component(packaging: Any) -> None:
    assert {"opendp", "numpy", "pyside6-essentials"} <= set(packaging.notices.run_packages())


@pytest.fixture(scope="module")
def shell_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shell")
    command = [
        sys.executable,
        str(ROOT / "packaging/frozen/shell_files.py"),
        str(made),
        "22 Nov 2026",
    ]
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "packaging")}
    subprocess.run(command, check=True, cwd=ROOT, env=variables)
    return made


def completed(shell_files: Path, *words: str) -> list[str]:
    line = " ".join(f"'{word}'" for word in words)
    script = (
        f"source {shell_files}/dpdesk.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        'COMPREPLY=(); _dpdesk; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_bash_completes_commands_and_options(shell_files: Path) -> None:
    assert set(COMMANDS) <= set(completed(shell_files, "dpdesk", ""))
    assert completed(shell_files, "dpdesk", "rel") == ["release"]
    assert completed(shell_files, "dpdesk", "account", "ra") == ["raise"]
    assert "--reason" in completed(shell_files, "dpdesk", "account", "raise", "heart", "--")
    assert completed(shell_files, "dpdesk", "plan", "my study.dpdesk", "--lev") == ["--levels"]


def test_the_manual_names_every_command(shell_files: Path) -> None:
    text = (shell_files / "dpdesk.1").read_text(encoding="utf-8")
    assert not [name for name in COMMANDS if f".B dpdesk {name}" not in text]


def test_the_document_of_commands_is_as_the_parser_says(shell_files: Path) -> None:
    written = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == (shell_files / "commands.md").read_text(encoding="utf-8")


def test_the_manual_says_how_commands_end_and_what_they_read(shell_files: Path) -> None:
    """And of each option what it is."""
    text = (shell_files / "dpdesk.1").read_text(encoding="utf-8").replace("\\-", "-")
    statuses = re.findall(r"^\.B (\d)\n(.+)\.$", text, re.MULTILINE)
    assert [status for status, _meaning in statuses] == list("012345")
    for name in ("DPDESK_HOME", "DPDESK_PASSPHRASE_FILE", "DPDESK_NEW_PASSPHRASE_FILE"):
        assert f".B {name}\n" in text
    assert "--verify-installation" in text
    assert not re.findall(r"^\.B (--.+)\n\.RE$|^\.B (--.+)\n\n", text, re.MULTILINE)
