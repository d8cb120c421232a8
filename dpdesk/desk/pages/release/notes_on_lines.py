# SPDX-License-Identifier: Apache-2.0
"""What is said before a release of lines that are no rows, in each of a study's files."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtWidgets import QVBoxLayout

from dpdesk.desk.core.edits.file_place import FilePlace, all_files
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.shown_file import ShownFile
from dpdesk.desk.pages.data.unclosed_quotes_note import UnclosedQuotesNote
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.study.model.unit import DataSource


class NotesOnLines(QVBoxLayout):
    """One note a file; where there are several files, each names its own.

    Attributes:
        notes: by the file's place in the study.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setSpacing(Space.CARDS)
        self.setContentsMargins(NO_MARGINS)
        self._session = session
        self.notes: dict[FilePlace, UnclosedQuotesNote] = {}

    def look(self) -> None:
        """Look at files that are others, or are read in another way, than before."""
        state = self._session.state
        files = {} if state.in_database else dict(all_files(state.study))
        for place in [place for place in self.notes if place not in files]:
            gone = self.notes.pop(place)
            gone.hide()
            gone.deleteLater()
        for place, source in files.items():
            note = self.notes.get(place) or self._add(place)
            note.name = _name(source) if len(files) > 1 else ""
            note.look()

    def _add(self, place: FilePlace) -> UnclosedQuotesNote:
        shown = ShownFile(self._session)
        shown.choose(place)
        note = self.notes[place] = UnclosedQuotesNote(self._session, shown)
        self.addWidget(note)
        return note


def _name(source: DataSource) -> str:
    """A file's name, with its sheet."""
    name = PurePath(source.path.replace("\\", "/")).name
    return f"{name}, {source.sheet}" if source.sheet else name
