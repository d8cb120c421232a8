# SPDX-License-Identifier: Apache-2.0
"""Find in the page on show: the next place of a word, round and round."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTextBrowser, QWidget

from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import icon_button, secondary
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.labels.label import quiet


class FindBar(QWidget):
    """A field below the page, shown while somebody searches in it."""

    def __init__(self, page: QTextBrowser) -> None:
        super().__init__()
        self._page = page
        self.field = QLineEdit(frame=False)
        self.field.setFont(font(Type.TEXT))
        self.field.setPlaceholderText(self.tr("Find in this page"))
        self.field.setAccessibleName(self.tr("Find in this page"))
        self.said = quiet("", wrap=False)
        row = QHBoxLayout(self, spacing=Space.SMALL)
        row.setContentsMargins(Space.PAGE, Space.TIGHT, Space.SMALL, Space.TIGHT)
        row.addWidget(FieldFrame(self.field), 1)
        row.addWidget(self.said)
        following = secondary(self.tr("Next"), small=True)
        following.clicked.connect(self.find_next)
        row.addWidget(following)
        closing = icon_button("cross", self.tr("Close the search"))
        closing.clicked.connect(self.end)
        row.addWidget(closing)
        self.field.returnPressed.connect(self.find_next)
        self.hide()

    def begin(self) -> None:
        self.show()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def end(self) -> None:
        """Hide it; the keyboard goes back to the page."""
        self.hide()
        self._page.setFocus()

    def find_next(self) -> None:
        """Select the next place, from the top again after the last."""
        found = self._page.find(self.field.text())
        if not found:
            self._page.moveCursor(QTextCursor.MoveOperation.Start)
            found = self._page.find(self.field.text())
        self.said.setText("" if found else self.tr("Not on this page"))
        announce(self, self.said.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
            return
        super().keyPressEvent(event)
