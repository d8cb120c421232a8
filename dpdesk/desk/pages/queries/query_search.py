# SPDX-License-Identifier: Apache-2.0
"""Search among the queries of a long plan: by their titles and sentences."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.text import words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.inputs.search_edit import ListSearchEdit
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow
from dpdesk.study.model.baseline.expansion import Asked, questions
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.plain_letters import spelt_out

SEARCH_FROM = 11
"""So many queries do not show on one screen, even as closed cards."""


class QuerySearch(QWidget):
    """The field above the cards, and how many of them it found.

    Attributes:
        edit: the field.

    Signals:
        searched: another text is searched; carries it.
        entered: the keyboard goes to what was found.
        picked: Return was pressed: the first that was found is wanted.
    """

    searched = Signal(str)
    entered = Signal()
    picked = Signal()
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self.edit = ListSearchEdit()
        self.edit.entered.connect(self.entered)
        self.edit.picked.connect(self.picked)
        self.edit.setAccessibleName(self.tr("Search queries"))
        self.edit.setToolTip(self.tr("By title or sentence (Ctrl+F)"))
        self._count = quiet("", wrap=False)
        self._shown: object = None
        frame = FieldFrame(self.edit)
        frame.insert(IconLabel("search", Role.TEXT_QUIET, Space.ICON_CHIP))
        row = AlignedRow(self, spacing=Space.CARDS)
        row.setContentsMargins(RING, 0, RING, 0)
        row.addWidget(frame, 1)
        row.addWidget(self._count)
        self._count.hide()
        self.edit.textChanged.connect(self.searched)

    @property
    def text(self) -> str:
        """What is searched; empty while nothing is."""
        return self.edit.text().strip()

    def matching(self, study: Study) -> frozenset[str]:
        """Ids of the queries in which every word of the text occurs; all of them without one."""
        wanted = _folded(self.text).split() if self.edit.text() else []
        return frozenset(
            one.id
            for one in questions(study)
            if not wanted or all(word in _said(study, one) for word in wanted)
        )

    def show_count(self, found: int, of: int) -> None:
        """Say how many were found; with few queries there is nothing to search."""
        shown = (found, of, self.edit.text())
        if shown == self._shown:
            return
        self._shown = shown
        self.setVisible(of >= SEARCH_FROM or bool(self.text))
        proposed = self.tr("Search %n quer(y|ies)", "", of).replace(str(of), words.grouped(of))
        self.edit.setPlaceholderText(proposed)
        count = self.tr("{0} of {1}").format(words.grouped(found), words.grouped(of))
        count = (count if found else self.tr("No query found")) if self.text else ""
        self._count.setText(count)
        self._count.setVisible(bool(count))
        if count != self.edit.accessibleDescription():
            announce(self.edit, count)
        self.edit.setAccessibleDescription(count)

    def take_keyboard(self) -> None:
        """Another text is about to be typed."""
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()


def _said(study: Study, one: Asked) -> str:
    """All that a query can be found by; a Table 1 by its columns, too."""
    if isinstance(one, Query):
        return _folded(f"{one.title}\n{words.sentence(study, one)}")
    columns = (words.title_of(study, row.column) for row in one.characteristics)
    return _folded("\n".join((baseline_words.title(study, one), *columns)))


def _folded(text: str) -> str:
    """Without case; *ae* is found for *ä*."""
    return spelt_out(text.casefold())
