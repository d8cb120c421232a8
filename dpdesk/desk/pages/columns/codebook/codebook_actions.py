# SPDX-License-Identifier: Apache-2.0
"""Two actions of Columns: take over a codebook, and write the declarations as one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.diff import accept
from dpdesk.data.codebook.write import write_schema
from dpdesk.desk.core.codebooks import CodebookRequest, own_labels
from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.columns.codebook.codebook_dialog import CodebookDialog
from dpdesk.desk.widgets.buttons import Button, link, secondary
from dpdesk.study.problem import Refused
from dpdesk.study.text.query_ids import slug

SUFFIX = ".json"


class CodebookActions(QObject):
    """The buttons, and what they do.

    Args:
        page: where files are asked for and dialogs open.
        session: the window's work.

    Attributes:
        take, write: the buttons.
        dialog: the dialog that is open or was last.

    Signals:
        done: something was done; carries it in bold words, a sentence, and whether it is an import.
        imported: columns were taken over.
    """

    done = Signal(str, str, bool)
    imported = Signal()

    def __init__(self, page: QWidget, session: Session) -> None:
        super().__init__(page)
        self._page = page
        self._session = session
        self.take: Button = secondary(self.tr("Import codebook…"), before="book", small=True)
        self.write: Button = link(self.tr("Export codebook…"))
        self.dialog: CodebookDialog | None = None
        self.take.clicked.connect(self.take_over)
        self.write.clicked.connect(self.ask_write)

    def why_not_take(self) -> str:
        """Why no codebook can be taken over; empty where one can."""
        return "" if self._session.document.is_open else self.tr("Open a study first.")

    def why_not_write(self) -> str:
        """Why nothing can be written; empty where it can."""
        if not self._session.document.is_open:
            return self.tr("Open a study first.")
        has_columns = bool(self._session.state.study.columns)
        return "" if has_columns else self.tr("No column is declared yet.")

    def render_state(self) -> None:
        """Say of each button what it does, or why it cannot."""
        take = self.tr("Declare columns from a codebook; you choose which.")
        write = self.tr("Save the declarations as a Table Schema, without any data.")
        for button, what, why in (
            (self.take, take, self.why_not_take()),
            (self.write, write, self.why_not_write()),
        ):
            button.setEnabled(not why)
            button.setToolTip(why or what)
            button.setAccessibleDescription(why or what)

    # --- take over ------------------------------------------------------------------------------

    def take_over(self) -> None:
        """Ask for a codebook, at once where there is no other choice, and show what it says."""
        if self.why_not_take():
            return
        self.dialog = self._new_dialog()
        own = own_labels(self._session.state.study, self._session.document.folder)
        if own is not None or self.dialog.ask_file():
            self.dialog.open()
        else:
            self.dialog.reject()
            self.dialog = None

    def review(self, wanted: CodebookRequest) -> None:
        """Show what a codebook that was offered says."""
        self.dialog = self._new_dialog()
        self.dialog.read(wanted)
        self.dialog.open()

    def _new_dialog(self) -> CodebookDialog:
        dialog = CodebookDialog(self._page, self._session)
        dialog.decided.connect(self._accept)
        return dialog

    def _accept(self, chosen: tuple[Change, ...], basis: str) -> None:
        """Declare what was chosen, as one edit."""
        try:
            study = accept(self._session.state.study, chosen)
        except Refused as refused:
            self._session.failed.emit(refused.problems)
            return
        self._session.edit(study, self.tr("Import codebook"))
        if self._session.state.study == study:
            self.imported.emit()
            first = self.tr("%n column(s) imported", "", len(chosen))
            self.done.emit(first, self.tr("from {0}.").format(basis), True)

    # --- write ----------------------------------------------------------------------------------

    def ask_write(self) -> None:
        """Ask where to, and write the declarations there."""
        if self.why_not_write():
            return
        named = slug(self._session.state.study.title) or "study"
        start = self._session.proposed_folder / f"{named}-columns{SUFFIX}"
        title = self.tr("Export codebook")
        chosen = new_file(self._page, title, str(start), self.tr("Table Schemas (*.json)"))
        if chosen:
            self.write_to(chosen if chosen.suffix else chosen.with_suffix(SUFFIX))

    def write_to(self, path: Path) -> None:
        """Write the declarations, whole or not at all."""
        try:
            write_schema(self._session.state.study, path)
        except Refused as refused:
            self._session.failed.emit(refused.problems)
            return
        template = self.tr("as a Table Schema to {0}. It contains no data.")
        self.done.emit(self.tr("Declarations exported"), template.format(path.name), False)
