# SPDX-License-Identifier: Apache-2.0
"""A text to be read, copied or saved: licences, bill of materials, what is sent to support."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSaveFile
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import TextField
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.remark import Remark

WIDTH = 640
LINES = 16


class TextDialog(Dialog):
    """Shows a text that nobody edits.

    Args:
        title: what the text is.
        hint: what to do with it.
        text: the text.
        file_name: proposed where it is saved.
    """

    def __init__(self, window: QWidget, title: str, hint: str, text: str, file_name: str) -> None:
        super().__init__(window, title, hint, "file", width=WIDTH)
        self._text, self._file_name = text, file_name
        self.shown = TextField(self.tr("&Text"), lines=LINES, size=Type.QUIET, mono=True)
        self.shown.edit.setReadOnly(True)
        self.shown.edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.shown.set_text(text)
        self._done = Remark()
        self.body.addWidget(self.shown)
        self.body.addWidget(self._done)
        self.add_other(self.tr("Copy")).clicked.connect(self._copy)
        self.add_other(self.tr("Save…")).clicked.connect(self._ask_save)
        self.add_safe(self.tr("Close"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self._done.say(self.tr("The text is on the clipboard."), Tone.DONE)

    def _ask_save(self) -> None:
        chosen = new_file(self, self.tr("Save the text"), self._file_name)
        if chosen:
            self.save_to(chosen)

    def save_to(self, path: Path) -> None:
        """Write it, whole or not at all."""
        file = QSaveFile(str(path))
        opened = file.open(QSaveFile.OpenModeFlag.WriteOnly)
        if opened and file.write(self._text.encode("utf-8")) >= 0 and file.commit():
            self._done.say(self.tr("The text is saved."))
        else:
            self._done.say(self.tr("dpdesk cannot save there. Choose another folder."))
