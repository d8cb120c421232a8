# SPDX-License-Identifier: Apache-2.0
"""A title with a pencil: pressed, or with F2, it becomes a field; Return keeps, Escape does not."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from dpdesk.desk.core.edits.study_edits import clean_text
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font
from dpdesk.desk.widgets.buttons import icon_button
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.study import limits

LEAST_WIDTH = 320
"""Titles shorter than this stand in one line."""


class TitleLine(QWidget):
    """A title that can be written again; what is left empty is the proposed one again.

    Signals:
        renamed: the user wrote another title; carries it, or nothing for the proposed one.
    """

    renamed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._own = self._proposed = ""
        self.label = Label("", Type.CARD, semibold=True, wrap=True)
        self.pencil = icon_button("pencil", self.tr("Rename (F2)"))
        self.edit = QLineEdit(maxLength=limits.MAX_TEXT)
        self.edit.setFont(font(Type.CARD, semibold=True))
        self.edit.setAccessibleName(self.tr("Title of the query"))
        self.edit.hide()
        self.edit.installEventFilter(self)
        row = QHBoxLayout(self, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        row.addWidget(self.label, 1)
        row.addWidget(self.edit, 1)
        row.addWidget(self.pencil, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch()
        self.label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.pencil.clicked.connect(self.start)
        self.edit.editingFinished.connect(self.finish)

    @property
    def is_open(self) -> bool:
        """Whether the title is being written."""
        return not self.edit.isHidden()

    def show_title(self, own: str, proposed: str) -> None:
        """Show a title: the user's own, or where there is none the proposed one."""
        self._own, self._proposed = own, proposed
        self.label.setText(own or proposed)
        # A label that wraps would take half a line for a short title.
        wide = self.label.fontMetrics().horizontalAdvance(self.label.text()) + Space.TIGHT
        self.label.setMinimumWidth(min(wide, LEAST_WIDTH))
        self.label.setMaximumWidth(wide)
        self.edit.setPlaceholderText(proposed)

    def start(self) -> None:
        """Let the title be written."""
        if self.is_open:
            return
        self.edit.setText(self._own or self._proposed)
        self._open(True)
        self.edit.selectAll()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def finish(self) -> None:
        if not self.is_open:
            return
        text = clean_text(self.edit.text()).strip()
        own = "" if text == self._proposed else text
        self._close()
        if own != self._own:
            self.renamed.emit(own)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape leaves the title as it was; Return does not reach the card."""
        if watched is self.edit and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
                self._close()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in _RETURN:
                self.finish()
                return True
        return super().eventFilter(watched, event)

    def _close(self) -> None:
        had = self.edit.hasFocus()
        self._open(False)
        if had:
            self.pencil.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, is_open: bool) -> None:
        self.edit.setVisible(is_open)
        self.label.setVisible(not is_open)
        self.pencil.setVisible(not is_open)


_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
