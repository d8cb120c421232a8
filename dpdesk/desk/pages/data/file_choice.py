# SPDX-License-Identifier: Apache-2.0
"""Which file of a study that has several is on show: how it was read, and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Signal

from dpdesk.desk.core.edits.file_place import FilePlace, all_files
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.shown_file import ShownFile
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource

JOINED = "joined"


class FileChoice(ChoiceField):
    """A list of all files, each with its table; hidden where there is one.

    Args:
        session: the window's work.
        shown: the file on show.

    Signals:
        chosen: another file is to be shown; carries its ``FilePlace``.
        joined_chosen: all tables are to be shown together.

    Attributes:
        is_joined: whether they are.
    """

    chosen = Signal(object)
    joined_chosen = Signal()

    def __init__(self, session: Session, shown: ShownFile) -> None:
        super().__init__(tr("FileChoice", "Ta&ble on show"))
        self._session, self._shown = session, shown
        self._places: list[FilePlace] = []
        self._wants_joined = False
        self.picked.connect(self._choose)

    @property
    def is_joined(self) -> bool:
        return self._wants_joined and bool(self._session.state.study.tables)

    def forget(self) -> None:
        """Another study is open: show its first file."""
        self._wants_joined = False

    def _choose(self, key: str) -> None:
        self._wants_joined = key == JOINED
        if self._wants_joined:
            self.joined_chosen.emit()
        else:
            self.chosen.emit(self._places[int(key)])

    def render_state(self) -> None:
        study = self._session.state.study
        files = all_files(study)
        self._places = [place for place, _file in files]
        self.setVisible(len(files) > 1)
        if len(files) > 1:
            choices = [(str(at), name) for at, name in enumerate(named(files))]
            if study.tables:
                choices.append((JOINED, tr("FileChoice", "All tables joined")))
            at = JOINED if self.is_joined else str(self._places.index(self._shown.place))
            self.set_choices(choices, at)


def named(files: Sequence[tuple[FilePlace, DataSource]]) -> list[str]:
    """What files are called: by their table, and where it has several by file and sheet, too."""
    several = {place.table for place, _file in files if place.at}
    return [_name(place, file, place.table in several) for place, file in files]


def _name(place: FilePlace, file: DataSource, is_one_of_several: bool) -> str:
    if place.table == MAIN:
        return tr("FileChoice", "{0} (the main table)").format(file_name(file))
    return f"{place.table}: {file_name(file)}" if is_one_of_several else place.table


def file_name(file: DataSource) -> str:
    """A file's name, with its sheet."""
    name = PurePath(file.path.replace("\\", "/")).name
    return f"{name}, {file.sheet}" if file.sheet else name
