# SPDX-License-Identifier: Apache-2.0
"""A ledger or data file in a folder that is synchronised is warned of."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.places.synced_folder import synced_by
from tests.shell.conftest import hospital  # noqa: F401 - a fixture
from tests.shell.hospital import Hospital

SYNCED = (
    *("OneDrive", "OneDrive - Klinikum Beispiel", "Dropbox", "Dropbox (Klinik)", "Google Drive"),
    *("Nextcloud", "ownCloud", "iCloud Drive", "Library/Mobile Documents", "MEGA", "Seafile"),
    "Library/CloudStorage/GoogleDrive-a@b.example",
)
PLAIN = (
    "Documents",
    "Dropbox/../Documents",
    "dropbox-export",
    "megabytes",
    "box",
    "drive",
    "OneDrives",
)


@pytest.mark.threat("F6")
@pytest.mark.parametrize("name", SYNCED)
def test_a_folder_of_a_synchronising_program_is_known(tmp_path: Path, name: str) -> None:
    assert synced_by(tmp_path / name / "deep" / "x.csv", {})


@pytest.mark.parametrize("name", PLAIN)
def test_other_folders_are_not(tmp_path: Path, name: str) -> None:
    assert synced_by(tmp_path / name / "x.csv", {}) == ""


@pytest.mark.threat("F6")
@pytest.mark.parametrize("mark", [".dropbox", ".stfolder"])
def test_a_mark_in_a_folder_above_shows_it(tmp_path: Path, mark: str) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / mark).mkdir()
    assert synced_by(tmp_path / "a" / "b" / "x.csv", {})


@pytest.mark.threat("F6")
def test_a_renamed_folder_and_a_link_are_followed(tmp_path: Path) -> None:
    synced = tmp_path / "Dropbox" / "deep"
    synced.mkdir(parents=True)
    (tmp_path / "link").symlink_to(synced)
    assert synced_by(tmp_path / "link" / "x.csv", {}) == "Dropbox"
    renamed = {"OneDriveCommercial": str(tmp_path / "Klinik")}
    assert synced_by(tmp_path / "Klinik" / "x.csv", renamed) == "OneDrive"
    assert synced_by(tmp_path / "Klinik2" / "x.csv", renamed) == ""


@pytest.mark.threat("F6")
def test_a_ledger_there_opens_and_warns(tmp_path: Path) -> None:
    ledger = Ledger.open(Home.at(tmp_path / "OneDrive" / "dpdesk"))
    (notice,) = ledger.notices
    assert (notice.code, notice.params) == ("ledger-synced", {"name": "OneDrive"})
    assert [n.code for n in ledger.check().notices] == ["ledger-synced"]


@pytest.mark.threat("F6")
def test_the_shell_warns_of_ledger_and_data(
    hospital: Hospital,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert hospital.run("account", "list").err == ""
    folder = hospital.folder / "Dropbox"
    folder.mkdir()
    data = hospital.data.rename(folder / "stays.csv")
    released = hospital.release("--data", data, "--extract", "stays.csv")
    assert released.status == 0
    assert "rows" in released.err and "Dropbox" in released.err
    monkeypatch.setenv("DPDESK_HOME", str(folder / "home"))
    assert "Dropbox" in hospital.run("account", "new", "a", "1").err
