# SPDX-License-Identifier: Apache-2.0
"""Takes pictures of a window, alone or with what is open over it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.main_window.window import MainWindow
from tests.desk.screens import pause

USUAL = QSize(1280, 800)
SMALL = QSize(1024, 700)


class Photographer:
    """Takes the pictures of one colour scheme."""

    def __init__(self, window: MainWindow, folder: Path, scheme: str) -> None:
        self.window = window
        self.folder = folder
        self.scheme = scheme

    def take(self, name: str, size: QSize = USUAL) -> None:
        """Write one picture."""
        if self.window.size() != size:
            self.window.resize(size)
        settle()
        small = f"-{size.width()}x{size.height()}" if size != USUAL else ""
        self.window.grab().save(str(self.folder / f"{name}{small}-{self.scheme}.png"))

    def take_dialog(self, name: str) -> None:
        """Write a picture of the window with the dialog that is open over it."""
        settle()
        picture = self.window.grab()
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            spot = self.window.mapFromGlobal(dialog.pos())
            dialog.render(picture, spot)
        picture.save(str(self.folder / f"{name}-{self.scheme}.png"))

    def take_popup(self, name: str, popup: QWidget) -> None:
        """Write a picture of the window with a list that is open over it, and close it."""
        settle()
        picture = self.window.grab()
        popup.render(picture, self.window.mapFromGlobal(popup.pos()))
        picture.save(str(self.folder / f"{name}-{self.scheme}.png"))
        popup.close()


def settle() -> None:
    """Let layouts, glides and queued signals come to rest."""
    for _ in range(6):
        QApplication.processEvents()
        pause(30)
