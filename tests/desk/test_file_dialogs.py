# SPDX-License-Identifier: Apache-2.0
"""Qt's own file dialog keeps no folder in which somebody chose a file, and changes no file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QLineEdit,
    QListView,
    QPushButton,
    QToolButton,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.desk import placing
from dpdesk.desk.core import file_dialogs
from dpdesk.desk.pages.keys.page import KeyPage
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from tests.desk.conftest import OpenWindow
from tests.source_files import ROOT

CHOOSING = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog
from dpdesk.desk.app import application
app = application()
dialog = QFileDialog(None, "Choose", sys.argv[1], options=QFileDialog.Option.DontUseNativeDialog)
dialog.show()
dialog.selectFile(sys.argv[1] + "/canary.csv")
QTimer.singleShot(0, dialog.accept)
dialog.finished.connect(app.quit)
app.exec()
print(dialog.selectedFiles()[0].endswith("canary.csv"))
del dialog
"""


@pytest.mark.threat("F5")
def test_the_folder_of_a_chosen_file_is_written_nowhere(tmp_path: Path) -> None:
    data = tmp_path / "canary folder"
    data.mkdir()
    (data / "canary.csv").write_text("id\n1\n")
    home = tmp_path / "home"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith("XDG_")}
    chosen = subprocess.run(
        [sys.executable, "-c", CHOOSING, str(data)],
        cwd=ROOT,
        env={**kept, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert chosen.stdout == "True\n"
    files = [path for path in home.rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"canary" in path.read_bytes()]


NAMES = ["admissions.csv", "stays.csv"]


def _rename_and_delete(qtbot: QtBot) -> None:
    """Press F2 and Del where the files are, in both views; close the dialog."""
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QFileDialog)
    for kind, button in ((QListView, "listModeButton"), (QTreeView, "detailModeButton")):
        dialog.findChild(QToolButton, button).click()
        (view,) = (
            v for v in dialog.findChildren(kind) if v.objectName() in ("listView", "treeView")
        )
        qtbot.waitUntil(lambda view=view: view.model().rowCount(view.rootIndex()) == len(NAMES))
        _try_on(view, qtbot)
    dialog.reject()


def _try_on(view: QAbstractItemView, qtbot: QtBot) -> None:
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0, view.rootIndex()))
    QTimer.singleShot(0, _confirm)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    view.setCurrentIndex(view.model().index(0, 0, view.rootIndex()))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    for editor in view.findChildren(QLineEdit):
        qtbot.keyClicks(editor, "renamed")
        qtbot.keyClick(editor, Qt.Key.Key_Return)


def _confirm() -> None:
    """Say yes to "Delete?", should it ask."""
    front = QApplication.activeModalWidget()
    if front is not None and not isinstance(front, QFileDialog):
        front.findChildren(QPushButton)[0].click()


def _folder(parent: QWidget, title: str, start: str, _kinds: str) -> Path | None:
    return file_dialogs.existing_folder(parent, title, start)


@pytest.mark.parametrize(
    "ask", [file_dialogs.existing_file, file_dialogs.existing_files, file_dialogs.new_file, _folder]
)
def test_who_chooses_a_file_cannot_rename_or_delete_one(
    ask: Callable[[QWidget, str, str, str], object], qtbot: QtBot, tmp_path: Path
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    for name in NAMES:
        path = tmp_path / name
        if ask is _folder:
            path.mkdir()
            path /= "stays.csv"
        path.write_text("id\n1\n")
    QTimer.singleShot(0, lambda: _rename_and_delete(qtbot))
    file_dialogs.keep_no_trace(True)
    try:
        assert not ask(window, "Choose", str(tmp_path), "Tables (*.csv)")
    finally:
        file_dialogs.keep_no_trace(False)
    assert sorted(path.name for path in tmp_path.iterdir()) == NAMES


def test_a_file_is_saved_where_its_name_was_typed(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)

    def agree() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        dialog.findChild(QLineEdit, "fileNameEdit").setText("new.zip")
        dialog.accept()

    QTimer.singleShot(0, agree)
    file_dialogs.keep_no_trace(True)
    try:
        chosen = file_dialogs.new_file(window, "Save", str(tmp_path / "old.zip"), "Zip (*.zip)")
    finally:
        file_dialogs.keep_no_trace(False)
    assert chosen == tmp_path / "new.zip"


KEPT = ["ledger.sqlite", "keys/signing-key", "heads/heads.json", "allowed_signers", "new.zip"]


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.in_turn(2)
def test_nothing_is_saved_where_the_ledger_and_the_keys_lie(
    open_window: OpenWindow, home: Home, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog begins among the studies, a folder below."""
    keys.new_key(home.keys, "office@lindenfeld.example", "a passphrase of some length")
    window = open_window()
    window.go_to("keys")
    before = {p: p.read_bytes() for p in home.root.rglob("*") if p.is_file()}
    chosen = str(home.studies / ".." / name)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (chosen, ""))
    page = window.pages["keys"]
    assert isinstance(page, KeyPage)
    page.save_line.click()
    (message,) = (d for d in window.findChildren(Dialog) if d.isVisible())
    assert Path(name).name in message.accessibleDescription()
    assert {p: p.read_bytes() for p in home.root.rglob("*") if p.is_file()} == before
    message.reject()


def test_a_dialog_begins_where_the_last_file_was_unless_no_trace_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def choose(_parent: object, _title: str, start: str, *_more: object) -> tuple[str, str]:
        begun.append(start)
        return str(tmp_path / "chosen.csv"), ""

    def begin(name: str) -> str:
        assert file_dialogs.existing_file(None, "Choose", name, "") == tmp_path / "chosen.csv"
        return begun[-1]

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    monkeypatch.setattr(file_dialogs, "usual_folder", lambda: tmp_path / "documents")
    try:
        begin("")
        assert begin("one.csv") == str(tmp_path / "one.csv")
        file_dialogs.keep_no_trace(True)
        assert begin("two.csv") == str(tmp_path / "documents" / "two.csv")
        assert begin("three.csv") == str(tmp_path / "documents" / "three.csv")
    finally:
        file_dialogs.keep_no_trace(True)  # forgets the folder of this test
        file_dialogs.keep_no_trace(False)


def test_no_dialog_begins_where_a_file_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    def choose(_parent: object, _title: str, start: str, *_more: object) -> tuple[str, str]:
        begun.append(start)
        return str(tmp_path / "ledger.sqlite"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    monkeypatch.setattr(file_dialogs, "usual_folder", lambda: tmp_path / "documents")
    monkeypatch.setattr(file_dialogs._own_files, "is_kept", lambda _path: True)
    monkeypatch.setattr(file_dialogs._own_files, "report", lambda _parent, _path: None)
    for name in ("one.zip", "two.zip"):
        assert file_dialogs.new_file(None, "Save", name) is None
    assert begun == [str(tmp_path / "documents" / name) for name in ("one.zip", "two.zip")]


def test_what_leads_to_the_ledger_is_the_ledger(home: Home, tmp_path: Path) -> None:
    home.make()
    home.ledger.touch()
    (tmp_path / "public.txt").symlink_to(home.ledger)
    (tmp_path / "folder").symlink_to(home.root)
    assert home.keeps(tmp_path / "public.txt")
    assert home.keeps(tmp_path / "folder" / "keys" / "any")
    assert not home.keeps(tmp_path / "folder" / "studies" / "any.dpdesk")
    assert not home.keeps(home.studies / "deeper" / "bundle.zip")
    assert home.keeps(home.studies), "a file would take the folder's place"
    assert not home.keeps(tmp_path / "bundle.zip")


def test_the_shared_ledger_and_the_heads_elsewhere_are_kept_as_well(tmp_path: Path) -> None:
    home = Home(tmp_path / "own", tmp_path / "state", tmp_path / "shared")
    assert home.keeps(home.ledger) and home.keeps(home.heads)
    assert not home.keeps(tmp_path / "shared.zip")


def test_a_dialog_for_files_is_no_larger_than_its_screen(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = QRect(0, 0, 683, 384)
    monkeypatch.setattr(placing, "_room", lambda _place: room)
    owner = QWidget()
    qtbot.addWidget(owner)
    owner.show()
    seen: list[QRect] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        seen.append(dialog.geometry().marginsAdded(placing.USUAL_FRAME))
        dialog.reject()

    file_dialogs.keep_no_trace(True)
    try:
        QTimer.singleShot(100, look)
        assert file_dialogs.existing_file(owner, "Choose a data file", str(tmp_path), "") is None
    finally:
        file_dialogs.keep_no_trace(False)
    assert seen and room.contains(seen[0])
