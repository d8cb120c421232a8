# SPDX-License-Identifier: Apache-2.0
"""File dialogs begin where somebody would look: never among what dpdesk keeps for itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog

from dpdesk.desk.core import file_dialogs
from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from tests.desk.conftest import OpenWindow
from tests.release.studies import STUDY, write_data


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Where dialogs began; ``documents`` is the folder of documents."""
    found: list[Path] = []

    def ask(*args: object) -> tuple[str, str]:
        found.append(Path(str(args[2])))
        return "", ""

    monkeypatch.setattr(file_dialogs._Chosen, "folder", None)
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, ask)
    (tmp_path / "documents").mkdir()
    documents = str(tmp_path / "documents")
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _kind: documents)
    return found


def test_a_codebook_is_looked_for_beside_the_data(
    open_window: OpenWindow, home: Home, tmp_path: Path, asked: list[Path]
) -> None:
    (tmp_path / "data").mkdir()
    write_data(tmp_path / "data")
    window = open_window()
    window.opening.new_study(tmp_path / "data" / "stays.csv")
    assert window.session.document.folder == home.studies.resolve()
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.codebooks.take_over()
    assert asked == [tmp_path / "data"]


def test_a_data_file_is_looked_for_among_the_documents_then_where_the_last_was(
    open_window: OpenWindow, tmp_path: Path, asked: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    window.opening.ask_new()
    chosen = write_data(tmp_path)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(chosen), ""))
    assert new_file(window, "Save", "backup.zip") == chosen
    window.opening.ask_new()
    assert asked == [tmp_path / "documents", tmp_path]


def test_an_earlier_study_is_looked_for_where_new_ones_are_kept(
    open_window: OpenWindow, home: Home, asked: list[Path]
) -> None:
    window = open_window()
    window.opening.reuse.ask_from_study()
    assert asked == [home.studies]


def test_what_is_written_goes_beside_a_study_with_a_place_of_its_own(
    open_window: OpenWindow, home: Home, tmp_path: Path, asked: list[Path]
) -> None:
    write_data(tmp_path)
    save_study(STUDY, tmp_path / "stays.dpdesk")
    session = open_window(tmp_path / "stays.dpdesk").session
    assert session.proposed_folder == tmp_path


def test_what_is_written_goes_to_the_documents_where_dpdesk_keeps_the_study(
    open_window: OpenWindow, home: Home, tmp_path: Path, asked: list[Path]
) -> None:
    write_data(tmp_path)
    window = open_window()
    assert window.session.proposed_folder == tmp_path / "documents"
    window.opening.new_study(tmp_path / "stays.csv")
    assert window.session.document.is_open
    assert window.session.proposed_folder == tmp_path / "documents"
    (tmp_path / "documents").rmdir()
    assert window.session.proposed_folder == Path.home()
