# SPDX-License-Identifier: Apache-2.0
"""The frame of every page: title, one line, scrollable content, foot."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.footer import PageFooter
from dpdesk.desk.widgets.label import Label, quiet, title


class Page(QWidget):
    """A page.

    Args:
        name: its title.
        line: the quiet line below.

    Attributes:
        body: layout for content.
        footer: the foot.
    """

    def __init__(self, name: str, line: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title(name)
        self._line = quiet(line)
        self._actions = QHBoxLayout()
        self.body = QVBoxLayout()
        self.footer = PageFooter()
        self.setAccessibleName(name)
        self._build_frame()

    def _build_frame(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(Space.PAGE, Space.GAP - 2, Space.PAGE, Space.CARDS)
        column.setSpacing(Space.CARDS + 2)
        head = QHBoxLayout()
        words = QVBoxLayout(spacing=Space.TIGHT)
        words.addWidget(self._title)
        words.addWidget(self._line)
        head.addLayout(words, 1)
        head.addLayout(self._actions)
        self._actions.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        self.body.setSpacing(Space.CARDS)
        column.addLayout(self.body)
        column.addStretch(1)
        self.scroll_area = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroll_area, 1)
        outer.addWidget(self.footer)

    def add_action(self, widget: QWidget) -> None:
        """Put a button at the right of the title."""
        self._actions.addWidget(widget)

    def set_title(self, name: str, line: str) -> None:
        """Change title and line."""
        self._title.setText(name)
        self._line.setText(line)
        self.setAccessibleName(name)

    def side_note(self, *parts: tuple[str, str]) -> QWidget:
        """A quiet column of (heading, text) pairs, for beside the forms."""
        note = QWidget()
        column = QVBoxLayout(note)
        column.setContentsMargins(Space.CARDS, 0, 0, 0)
        column.setSpacing(Space.TIGHT)
        for head, text in parts:
            column.addWidget(Label(head, semibold=True, wrap=True))
            column.addWidget(quiet(text))
            column.addSpacing(Space.CARDS)
        column.addStretch(1)
        return note
