# SPDX-License-Identifier: Apache-2.0
"""What the bundle for macOS says of itself."""

import json
import plistlib
from types import ModuleType
from typing import Any

import pytest
from packaging.tags import mac_platforms
from packaging.utils import parse_wheel_filename

from tests.source_files import ROOT

PACKAGING = ROOT / "packaging"


@pytest.fixture
def macos_bundle(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    import macos_bundle

    return macos_bundle


@pytest.fixture
def properties(macos_bundle: ModuleType) -> dict[str, Any]:
    """What a Mac reads back from the file."""
    read: dict[str, Any] = plistlib.loads(plistlib.dumps(macos_bundle.information()))
    return read


def test_it_names_its_version(properties: dict[str, Any], macos_bundle: ModuleType) -> None:
    assert properties["CFBundleVersion"] == macos_bundle.program.version()
    assert all(part.isdigit() for part in properties["CFBundleVersion"].split("."))


def test_each_type_that_it_opens_is_declared_or_the_systems(properties: dict[str, Any]) -> None:
    own = {each["UTTypeIdentifier"] for each in properties["UTExportedTypeDeclarations"]}
    for kind in properties["CFBundleDocumentTypes"]:
        for name in kind["LSItemContentTypes"]:
            assert name in own or name.startswith("public.")


def test_a_study_is_known_by_its_ending(properties: dict[str, Any]) -> None:
    (study,) = properties["UTExportedTypeDeclarations"]
    assert study["UTTypeTagSpecification"]["public.filename-extension"] == ["dpdesk"]
    assert study["UTTypeConformsTo"] == ["public.json"]


def test_zips_stay_the_finders(properties: dict[str, Any]) -> None:
    ranks = {each["LSItemContentTypes"][0]: each["LSHandlerRank"] for each in properties[TYPES]}
    assert ranks["public.zip-archive"] == "Alternate"


TYPES = "CFBundleDocumentTypes"


def test_no_wheel_needs_a_newer_macos(macos_bundle: ModuleType) -> None:
    listed = json.loads((PACKAGING / "wheels.json").read_text(encoding="ascii"))["macos"]
    major, minor = map(int, macos_bundle.OLDEST.split("."))
    held = {"any", *mac_platforms((major, minor), "arm64")}
    for name in listed["sha256"]:
        assert {tag.platform for tag in parse_wheel_filename(name)[3]} & held, name
