# SPDX-License-Identifier: Apache-2.0
"""Offers the codebook beside each table's files, or in them, and says what was imported of one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.codebooks import OfferedCodebook, looking_for_codebooks
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource

Place = tuple[Path, tuple[tuple[str, str, tuple[str, ...]], ...]]
"""The study's folder, and of each table whose files were read its name, first file and columns."""


class CodebookOffer(Banner):
    """A banner that is there while a codebook is found of which nothing was imported.

    Args:
        session: the window's work.

    Attributes:
        found: the codebooks of all tables; none while they are looked for.

    Signals:
        wanted: it is to be reviewed; carries the ``CodebookRequest``.
    """

    wanted = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="book", parent=parent)
        self.set_action(self.tr("Review…"), self.tr("Not now"))
        self.found: tuple[OfferedCodebook, ...] = ()
        self._session = session
        self._latest = LatestJob(session.looks, self)
        self._place: Place | None = None
        self._declined: set[tuple[Place | None, str]] = set()
        self.action_pressed.connect(self._review)
        self.second_pressed.connect(self._decline)
        self.hide()

    @property
    def is_looking(self) -> bool:
        """Whether a codebook is still looked for."""
        return self._latest.is_pending

    def render_state(self) -> None:
        """Look in the folder of another file, and offer what is still of use."""
        place = self._place_of_files()
        if place != self._place:
            self._place, self.found = place, ()
            self._look(place)
        self._show_offered()

    def _place_of_files(self) -> Place | None:
        session, study = self._session, self._session.state.study
        if study.data is None or not session.state.header or session.waits_to_connect:
            return None
        headers = session.headers_of(study)
        read = [(name, data.path, headers.get(name, ())) for name, data in _first_files(study)]
        return session.document.folder, tuple(one for one in read if one[2])

    def _look(self, place: Place | None) -> None:
        self._latest.drop()
        if place is not None:
            folder, tables = place
            headers = {name: header for name, _path, header in tables}
            work = looking_for_codebooks(self._session.state.study, folder, headers)
            self._latest.run(work, self._take, lambda _problems: None)

    def _take(self, found: list[OfferedCodebook]) -> None:
        self.found = tuple(found)
        self._show_offered()

    @property
    def offered(self) -> OfferedCodebook | None:
        """The first that is still of use; "Not now" declines it for its table alone."""
        study = self._session.state.study
        return next(
            (
                one
                for one in self.found
                if one.is_news(study) and (self._place, one.wanted.of) not in self._declined
            ),
            None,
        )

    def _show_offered(self) -> None:
        offered = self.offered
        if offered is not None:
            self.say(*self._sentence(offered))
        self.setVisible(offered is not None)

    def _sentence(self, found: OfferedCodebook) -> tuple[str, str]:
        described, table = words.grouped(len(found.described)), found.wanted.of
        count, name = self._columns(table), found.wanted.path.name
        if found.is_inside:
            first = self.tr("Labels found:")
            rest = self.tr("the file itself describes {0} of its %n column(s).", "", count)
            if table:
                rest = self.tr("{1} itself describes {0} of its %n column(s).", "", count)
            return first, rest.format(described, name)
        first = self.tr("Codebook found:")
        rest = self.tr("{0} describes {1} of %n column(s).", "", count)
        if table:
            rest = self.tr("{0} describes {1} of %n column(s) of {2}.", "", count)
        return first, rest.format(name, described, table)

    def _columns(self, table: str) -> int:
        tables = () if self._place is None else self._place[1]
        return next((len(header) for name, _path, header in tables if name == table), 0)

    def _review(self) -> None:
        if (offered := self.offered) is not None:
            self.wanted.emit(offered.wanted)

    def _decline(self) -> None:
        if (offered := self.offered) is not None:
            self._declined.add((self._place, offered.wanted.of))
        self._show_offered()


def _first_files(study: Study) -> list[tuple[str, DataSource]]:
    """Each table's first file."""
    main = [] if study.data is None else [(MAIN, study.data)]
    return main + [(table.name, table.data) for table in study.tables]


class DoneBanner(Banner):
    """A banner that stays until it is closed or its page is left.

    Edits don't take it away: what is below it would move under the mouse. An import can be undone
    from it for as long as it was the last edit.

    Args:
        session: the window's work.
        offer: is in its place where it offers an import that was undone.
    """

    def __init__(self, session: Session, offer: Banner) -> None:
        super().__init__(Tone.DONE, action="-")
        self._session, self._offer = session, offer
        self._reported: tuple[str, str] | None = None
        self._import: QUndoCommand | None = None
        self._place = 0
        # An edit is shown before it counts as done.
        session.document.undo_stack.indexChanged.connect(self.render_state)
        self.action_pressed.connect(self._press)
        self.second_pressed.connect(self.forget)
        self.hide()

    @property
    def can_undo(self) -> bool:
        """Whether the import that it reports was the last edit."""
        return self._is_there() and self._session.document.undo_stack.index() == self._place

    def report(self, first: str, rest: str, is_import: bool = False) -> None:
        """Say that something was done; of an import also once it is undone."""
        stack = self._session.document.undo_stack
        self._reported = first, rest
        self._place = stack.index() if is_import else 0
        self._import = stack.command(self._place - 1) if self._place else None
        self.render_state()

    def forget(self) -> None:
        self._reported = self._import = None
        self.render_state()

    def render_state(self) -> None:
        """Show what still holds."""
        if self._reported is not None:
            self._say()
        is_offered = self._is_undone and not self._offer.isHidden()
        self.setVisible(self._reported is not None and not is_offered)

    @property
    def _is_undone(self) -> bool:
        return self._import is not None and not self._is_there()

    def _say(self) -> None:
        undone = self.tr("Import undone."), self.tr("The columns are as they were before.")
        first, rest = undone if self._is_undone else self._reported or ("", "")
        if f"{first} {rest}".strip() != self.accessibleName():
            self.say(first, rest)
        close = self.tr("Close")
        self.set_action(*((self.tr("Undo"), close) if self.can_undo else (close, "")))

    def _is_there(self) -> bool:
        """Whether the import is done and not undone."""
        stack = self._session.document.undo_stack
        known = self._import is not None and stack.command(self._place - 1) is self._import
        return known and stack.index() >= self._place

    def _press(self) -> None:
        if self.can_undo:
            self._session.document.undo_stack.undo()
        else:
            self.forget()
