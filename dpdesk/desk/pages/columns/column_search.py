# SPDX-License-Identifier: Apache-2.0
"""Search among columns: by their names in the file and in the release, units and labels."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.inputs.search_edit import ListSearchEdit
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.study.model.columns import CategoryColumn, Column


class ColumnIndex:
    """What each column can be found by; a column that did not change is folded once."""

    def __init__(self) -> None:
        self._folded: dict[str, tuple[object, str]] = {}

    def matching(self, names: tuple[str, ...], state: DeskState, text: str) -> tuple[str, ...]:
        """Those of the columns in which every word of a text occurs, in their order.

        Args:
            names: columns of the files.
            state: with the declarations of those in use, and the table of each.
            text: as typed; case and accents do not count.
        """
        wanted = _fold(text).split()
        return tuple(n for n in names if all(w in self._of(n, state) for w in wanted))

    def _of(self, name: str, state: DeskState) -> str:
        column, place = state.study.column(name), state.place_of(name)
        known, folded = self._folded.get(name, (None, ""))
        if not folded or known != (column, place):
            folded = _fold("\n".join((*place, *_said(name, column))))
            self._folded[name] = ((column, place), folded)
        return folded


def _said(name: str, column: Column | None) -> tuple[str, ...]:
    if column is None:
        return (name,)
    labels = column.labels if isinstance(column, CategoryColumn) else ()
    return (name, column.title, column.label, *labels)


def _fold(text: str) -> str:
    """Without case and accents: a search that is typed in a hurry finds what is meant.

    >>> _fold("Größe à jeun")
    'grosse a jeun'
    """
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parted if not unicodedata.combining(c))


class ColumnSearch(QWidget):
    """The field above the list, and how many columns it found.

    Attributes:
        edit: the field.
        select_all: chooses all that were found.

    Signals:
        searched: another text is searched; carries it.
        entered: the keyboard goes into the list.
        picked: Return was pressed: the first that was found is wanted.
    """

    searched = Signal(str)
    entered = Signal()
    picked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.edit = ListSearchEdit()
        self.edit.entered.connect(self.entered)
        self.edit.picked.connect(self.picked)
        self.edit.setAccessibleName(self.tr("Search columns"))
        self.edit.setToolTip(self.tr("By name, unit or label (Ctrl+F)"))
        self._count = quiet("", wrap=False)
        self.select_all = link("")
        self._line = QWidget()
        frame = FieldFrame(self.edit)
        frame.insert(IconLabel("search", Role.TEXT_QUIET, Space.ICON_CHIP))
        self._build(frame)
        self.edit.textChanged.connect(self.searched)

    def _build(self, frame: QWidget) -> None:
        column = QVBoxLayout(self, spacing=0)
        column.setContentsMargins(Space.SMALL, Space.SMALL, Space.SMALL, 0)
        column.addWidget(frame)
        row = QHBoxLayout(self._line, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        self._line.setContentsMargins(Space.SMALL, Space.TIGHT, Space.TIGHT, 0)
        self._count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(self._count, 1)
        row.addWidget(self.select_all)
        column.addWidget(self._line)
        self._line.hide()

    @property
    def text(self) -> str:
        """What is searched; empty while nothing is."""
        return self.edit.text().strip()

    def show_count(self, found: int, of: int, choosable: int) -> None:
        """Say how many columns were found, and offer to choose them all."""
        shown = self.tr("Search %n column(s)", "", of).replace(str(of), words.grouped(of))
        self.edit.setPlaceholderText(shown)
        count = self.tr("{0} of {1}").format(words.grouped(found), words.grouped(of))
        self._count.setText(count if found else self.tr("No column found"))
        count = self._count.text() if self.text else ""
        if count != self.edit.accessibleDescription():
            announce(self.edit, count)
        self.edit.setAccessibleDescription(count)
        self.select_all.setText(self.tr("Select all %n", "", choosable))
        self.select_all.setVisible(choosable > 1)
        self.select_all.updateGeometry()
        self._line.setVisible(bool(self.text))
