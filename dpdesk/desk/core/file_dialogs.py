# SPDX-License-Identifier: Apache-2.0
"""Dialogs that choose files: which leave a trace of what was chosen, and which may change files.

Qt's own dialog writes nowhere (``app`` sees to that). A dialog of the system's own keeps folders
and files in lists that other programs read, which nobody but the system can clear.

Qt's own also renames what is marked on F2 and deletes it on Del, folders with all that is in them.
Who opens or saves a file means neither, and the folder is where patients' files, studies and
bundles lie: all that is opened or written is chosen here. Nor does anybody who saves a file mean
the ledger or a key, which lie a folder above the studies, where such dialogs begin: what dpdesk
keeps for itself is never chosen (``keep_own_files``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from dpdesk.desk import placing

LOOK_ONLY = QFileDialog.Option.ReadOnly


class _OwnFiles:
    """What is never written over; nothing before there is a window."""

    def __init__(self) -> None:
        self.is_kept: Callable[[Path], bool] = lambda _path: False
        self.report: Callable[[QWidget | None, Path], None] = lambda _parent, _path: None


_own_files = _OwnFiles()


class _Chosen:
    """The folder of the file that was chosen last, until the program ends."""

    folder: Path | None = None


def usual_folder() -> Path:
    """Where somebody looks for a file first: their documents, or their own folder."""
    usual = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(usual) if usual and Path(usual).is_dir() else Path.home()


def _beginning(start: str) -> str:
    """Where a dialog begins: a name alone, or nothing, would be in the program's own folder."""
    return start if Path(start).is_absolute() else str((_Chosen.folder or usual_folder()) / start)


def _taken(chosen: str) -> Path:
    path = Path(chosen)
    if not QCoreApplication.testAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs):
        _Chosen.folder = path.parent
    return path


def keep_own_files(
    is_kept: Callable[[Path], bool], report: Callable[[QWidget | None, Path], None]
) -> None:
    """Let nobody write over some files from now on.

    Args:
        is_kept: whether a path is one of them.
        report: says so to anyone who chose one, above the window that asked.
    """
    _own_files.is_kept, _own_files.report = is_kept, report


def keep_no_trace(wanted: bool) -> None:
    """Choose files in Qt's own dialogs alone from now on, or in those of the system.

    Where no trace is wanted, no dialog begins where the last file was.
    """
    if wanted:
        _Chosen.folder = None
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs, wanted)


def existing_file(parent: QWidget | None, title: str, start: str, kinds: str) -> Path | None:
    """Ask for a file that is there; None where nobody chose one."""
    _keep_on_screen()
    begin = _beginning(start)
    chosen, _kind = QFileDialog.getOpenFileName(parent, title, begin, kinds, "", LOOK_ONLY)
    return _taken(chosen) if chosen else None


def existing_files(parent: QWidget, title: str, start: str, kinds: str) -> tuple[Path, ...]:
    """Ask for files that are there; none where nobody chose any."""
    _keep_on_screen()
    begin = _beginning(start)
    chosen, _kind = QFileDialog.getOpenFileNames(parent, title, begin, kinds, "", LOOK_ONLY)
    return tuple(map(_taken, chosen))


def new_file(parent: QWidget | None, title: str, start: str, kinds: str = "") -> Path | None:
    """Ask where a file is to be written; None where nobody chose, or one of dpdesk's own."""
    _keep_on_screen()
    begin = _beginning(start)
    chosen, _kind = QFileDialog.getSaveFileName(parent, title, begin, kinds, "", LOOK_ONLY)
    if not chosen:
        return None
    if _own_files.is_kept(Path(chosen)):
        _own_files.report(parent, Path(chosen))
        return None
    return _taken(chosen)


def with_ending(path: Path, ending: str) -> Path:
    """What was chosen, with the ending where it has another or none.

    As it was typed where a file of either name is there: about the other one nobody was asked.
    """
    named = path.with_name(path.name + ending)
    is_named = path.suffix.lower() == ending
    return path if is_named or path.exists() or named.exists() else named


def existing_folder(parent: QWidget, title: str, start: str = "") -> Path | None:
    """Ask for a folder that is there; None where nobody chose one."""
    _keep_on_screen()
    folders = QFileDialog.Option.ShowDirsOnly | LOOK_ONLY
    chosen = QFileDialog.getExistingDirectory(parent, title, _beginning(start), folders)
    return Path(chosen) if chosen else None


def _keep_on_screen() -> None:
    """Make the dialog that comes no larger than its screen: Qt's own is, at twice the size."""

    def fit() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            placing.fit_on_screen(dialog)

    QTimer.singleShot(0, fit)
