# SPDX-License-Identifier: Apache-2.0
"""What files and folders are called stays here: none of it reaches a byte that is exported."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.shell.hospital import Hospital

NAME = "Smith_2024"
UNTITLED = "Released statistics"


def declare(members: dict[str, Any]) -> None:
    """Paths and a sheet of a patient's name, and a basis as an earlier version wrote it."""
    members["title"] = ""
    members["data"].update(path=f"{NAME}.sav.csv", extract=NAME, catalogue=f"{NAME}.cat")
    members["columns"][0]["basis"] = f"SPSS labels in {NAME}.sav.csv: ward list"


@pytest.fixture
def bundle(hospital: Hospital) -> Path:
    """The bundle of an untitled study whose every file is called after a patient."""
    folder = hospital.folder / NAME
    folder.mkdir()
    hospital.study, hospital.data = folder / f"{NAME}.dpdesk", folder / f"{NAME}.sav.csv"
    hospital.write_data("pid,ward,stay\n1,A,3\n2,B,5\n")
    hospital.write_study(declare)
    said = hospital.run("release", hospital.study)
    assert said.status == 0, said.err
    (found,) = folder.glob("*.zip")
    return found


@pytest.mark.threat("B10")
def test_no_file_s_name_is_exported(bundle: Path) -> None:
    assert bundle.name == "release-1.zip"
    with zipfile.ZipFile(bundle) as archive:
        for name in archive.namelist():
            content = archive.read(name).decode("utf-8", "replace")  # pages have fonts, too
            assert "smith" not in f"{name} {content}".casefold(), name
        basis = json.loads(archive.read("manifest.json"))["predicate"]["study"]["columns"][0]
    assert basis["basis"] == "SPSS labels: ward list"


def test_an_untitled_study_is_headed_all_the_same(bundle: Path, hospital: Hospital) -> None:
    with zipfile.ZipFile(bundle) as archive:
        assert f"<h1>{UNTITLED}</h1>" in archive.read("report.html").decode("utf-8")
        assert json.loads(archive.read("datapackage.json"))["title"] == UNTITLED
    assert hospital.run("verify", bundle).status == 0
    first = hospital.run("plan", hospital.study).out.splitlines()[0]
    assert first == f"Untitled study: its report will be headed “{UNTITLED}”."
    assert "Untitled study" in hospital.run("account", "show", "small").out


def test_a_bundle_is_offered_under_the_study_s_title(hospital: Hospital) -> None:
    for number in (1, 2):
        said = hospital.run("release", hospital.study, "--same-extract")
        assert said.status == 0, said.err
        assert (hospital.folder / f"small-hospital-release-{number}.zip").exists()
