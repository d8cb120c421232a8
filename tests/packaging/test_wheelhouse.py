# SPDX-License-Identifier: Apache-2.0
"""Every system and Python gets a wheel of every package, by a hash that is in the lock."""

import json
import re
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.tags import Tag, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename

from tests.packaging.test_locks import entries
from tests.source_files import ROOT

PACKAGING = ROOT / "packaging"
LISTED = json.loads((PACKAGING / "wheels.json").read_text(encoding="ascii"))
TARGETS = [(system, python) for system in LISTED for python in LISTED[system]["pythons"]]
LOCKED = [entry for entry in entries("requirements.lock") if entry]


@pytest.fixture
def wheelhouse(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    import wheelhouse

    return wheelhouse


def locked() -> dict[str, frozenset[str]]:
    """The hashes of each package."""
    found = {}
    for entry in LOCKED:
        name = canonicalize_name(entry.partition("==")[0])
        found[name] = frozenset(re.findall(r"sha256:([0-9a-f]{64})", entry))
    return found


def lacking(names: list[str], digests: dict[str, str]) -> set[str]:
    """The packages of the lock that have no wheel of a locked hash among the names."""
    held = {str(parse_wheel_filename(name)[0]): digests[name] for name in names}
    return {name for name, hashes in locked().items() if held.get(name) not in hashes}


@pytest.mark.parametrize(("system", "python"), TARGETS)
def test_each_package_has_a_locked_wheel(system: str, python: str) -> None:
    wheels = LISTED[system]
    assert not lacking(wheels["pythons"][python], wheels["sha256"])
    assert len(wheels["pythons"][python]) == len(locked())


def test_a_wheel_that_is_missing_is_named() -> None:
    wheels = LISTED["windows"]
    names = [name for name in wheels["pythons"]["3.11"] if not name.startswith("opendp-")]
    assert lacking(names, wheels["sha256"]) == {"opendp"}


@pytest.mark.threat("H5")
def test_a_wheel_with_another_hash_is_named() -> None:
    wheels = LISTED["macos"]
    names = wheels["pythons"]["3.13"]
    (own,) = (name for name in names if name.startswith("opendp-"))
    assert lacking(names, {**wheels["sha256"], own: 64 * "0"}) == {"opendp"}


def test_every_system_and_python_is_listed(wheelhouse: ModuleType) -> None:
    assert {(s, p) for s in wheelhouse.SYSTEMS for p in wheelhouse.PYTHONS} == set(TARGETS)


def test_no_package_is_for_one_system_alone() -> None:
    """Else what is fetched here for another system would lack it."""
    for entry in LOCKED:
        marker = Requirement(entry.partition(" --hash")[0]).marker
        assert not re.search("sys_platform|platform_sys|os_name|python_version", str(marker))


def supported(system: str, python: str) -> set[Tag]:
    version = tuple(map(int, python.split(".")))
    platforms = {
        "windows": ["win_amd64"],
        "macos": list(mac_platforms((13, 0), "arm64")),
        "linux": [f"manylinux_2_{minor}_x86_64" for minor in range(35)] + ["manylinux2014_x86_64"],
    }[system]
    own = f"cp{version[0]}{version[1]}"
    tags = set(cpython_tags(version, [own], platforms))
    return tags | {Tag(each, "none", "any") for each in ("py3", "py2.py3", own)}


@pytest.mark.parametrize(("system", "python"), TARGETS)
def test_each_wheel_runs_on_what_it_is_listed_for(system: str, python: str) -> None:
    tags = supported(system, python)
    for name in LISTED[system]["pythons"][python]:
        assert parse_wheel_filename(name)[3] & tags, name


def test_a_name_too_long_for_windows_is_refused(wheelhouse: ModuleType, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a-1-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{180 * 'a'}.py", "")
    with pytest.raises(SystemExit, match="which Windows could not open"):
        wheelhouse.refuse_long_paths(tmp_path)


@pytest.mark.threat("H5")
def test_it_is_packed_the_same_again(wheelhouse: ModuleType, tmp_path: Path) -> None:
    packed = []
    for place in ("one", "two"):
        house = tmp_path / place / "wheels-linux"
        (house / "wheels").mkdir(parents=True)
        (house / "install.py").write_text("pass")
        (house / "wheels" / "a-1-py3-none-any.whl").write_bytes(b"wheel")
        packed.append(wheelhouse.pack(house, tmp_path / place))
    assert packed[0].read_bytes() == packed[1].read_bytes()
    names = zipfile.ZipFile(packed[0]).namelist()
    assert names == ["dpdesk/install.py", "dpdesk/wheels/a-1-py3-none-any.whl"]
