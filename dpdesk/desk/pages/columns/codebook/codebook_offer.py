# SPDX-License-Identifier: Apache-2.0
"""Offers the codebook that lies beside the study's file, or in it, before anybody looks for one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.codebooks import OfferedCodebook, looking_for_codebook
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone

Place = tuple[Path, str, tuple[str, ...]]


class CodebookOffer(Banner):
    """A banner that is there while a codebook is found of which nothing was imported.

    Args:
        session: the window's work.

    Attributes:
        found: the codebook; ``None`` where there is none, or while it is looked for.

    Signals:
        wanted: it is to be reviewed; carries the ``CodebookRequest``.
    """

    wanted = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="book", parent=parent)
        self.set_action(self.tr("Review…"), self.tr("Not now"))
        self.found: OfferedCodebook | None = None
        self._session = session
        self._latest = LatestJob(session.looks, self)
        self._place: Place | None = None
        self._declined: set[Place] = set()
        self.action_pressed.connect(self._review)
        self.second_pressed.connect(self._decline)
        self.hide()

    @property
    def is_looking(self) -> bool:
        """Whether a codebook is still looked for."""
        return self._latest.is_pending

    def render_state(self) -> None:
        """Look in the folder of another file, and offer what is still of use."""
        place = self._place_of_file()
        if place != self._place:
            self._place, self.found = place, None
            self._look(place)
        self._show_found()

    def _place_of_file(self) -> Place | None:
        data, header = self._session.state.study.data, self._session.state.header
        if data is None or not header or self._session.waits_to_connect:
            return None
        return self._session.document.folder, data.path, header

    def _look(self, place: Place | None) -> None:
        self._latest.drop()
        if place is not None and place not in self._declined:
            folder, _path, header = place
            work = looking_for_codebook(self._session.state.study, folder, header)
            self._latest.run(work, self._take, lambda _problems: None)

    def _take(self, found: OfferedCodebook | None) -> None:
        self.found = found
        self._show_found()

    def _show_found(self) -> None:
        found = self.found
        is_news = found is not None and found.is_news(self._session.state.study)
        if found is not None and is_news:
            self.say(*self._sentence(found))
        self.setVisible(is_news and self._place not in self._declined)

    def _sentence(self, found: OfferedCodebook) -> tuple[str, str]:
        described = words.grouped(len(found.described))
        if found.is_inside:
            first = self.tr("Labels found:")
            rest = self.tr(
                "the file itself describes {0} of its %n column(s).", "", self._columns()
            )
            return first, rest.format(described)
        first = self.tr("Codebook found:")
        rest = self.tr("{0} describes {1} of %n column(s).", "", self._columns())
        return first, rest.format(found.wanted.path.name, described)

    def _columns(self) -> int:
        return len(self._session.state.header)

    def _review(self) -> None:
        if self.found is not None:
            self.wanted.emit(self.found.wanted)

    def _decline(self) -> None:
        if self._place is not None:
            self._declined.add(self._place)
        self._show_found()
