# SPDX-License-Identifier: Apache-2.0
"""Two ways to bring a category's values at once: the clipboard, and a file of codes and names."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from dpdesk.data.value_list import ENDINGS, ValueList, pasted_list
from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.columns.list_dialog import ListDialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM
from dpdesk.study.problem import Refused


class ListActions(QWidget):
    """Below the values of a category.

    Args:
        session: the window's work; without one there is the clipboard alone.

    Attributes:
        paste, read: the two ways.
        note: what was taken, or why nothing was.
        dialog: the one that is open or was last.

    Signals:
        taken: a list was chosen; carries it.
    """

    taken = Signal(object)

    ring_room = LINK_ROOM

    def __init__(self, session: Session | None = None) -> None:
        super().__init__()
        self._session = session
        self.paste = link(self.tr("Paste from a spreadsheet"))
        self.read = link(self.tr("Read from a file…"))
        self.note = Remark()
        self.dialog: ListDialog | None = None
        said = self.tr("One or two copied columns: the codes, and their names beside them.")
        self.paste.setToolTip(said)
        self.paste.setAccessibleDescription(said)
        column = QVBoxLayout(self, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        row = FlowLayout(across=Space.SMALL, down=0)
        row.addWidget(self.paste)
        row.addWidget(self.read)
        if session is None:  # shown before it is in a window, it would be one of its own
            self.read.hide()
        column.addLayout(row)
        column.addWidget(self.note)
        self.paste.clicked.connect(self.paste_list)
        self.read.clicked.connect(self.ask_file)

    def paste_list(self) -> None:
        """Take the values that were copied, or say why they are none."""
        try:
            found = pasted_list(QApplication.clipboard().text())
        except Refused as refused:
            self.note.say(words.problem_sentence(refused.problems[0]), Tone.ERROR)
            return
        self._take(found)

    def ask_file(self) -> None:
        """Ask for a file, and show which of its columns are codes and names."""
        if self._session is None:
            return
        endings = " ".join(f"*{ending}" for ending in ENDINGS)
        kinds = self.tr("Tables ({0});;All files (*)").format(endings)
        title = self.tr("Choose a list of values")
        chosen = existing_file(self, title, str(self._session.data_folder), kinds)
        if chosen is not None:
            self.dialog = ListDialog(self, self._session, chosen)
            self.dialog.decided.connect(self._take)
            self.dialog.open()

    def _take(self, found: ValueList) -> None:
        self.taken.emit(found)
        said = self.tr("%n value(s) taken.", "", len(found.values))
        if found.left_out:
            left_out = self.tr("%n blank or repeated row(s) left out.", "", found.left_out)
            said = f"{said} {left_out}"
        self.note.say(said, Tone.DONE)
