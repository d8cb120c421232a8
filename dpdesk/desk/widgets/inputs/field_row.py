# SPDX-License-Identifier: Apache-2.0
"""Fields side by side with one line for what is wrong, as wide as all of them.

Below a narrow field a sentence wraps into many lines and moves what is below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import NO_MARGINS, UNLIMITED, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.inputs.field import Field
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.tab_stop import show_down_to

LETTERS = 90
"""So long a sentence has its room, whether something is wrong or not."""


SUGGESTED = 11
"""Letters of a usual suggestion: the sentence beside it has no less room when there is one."""


WORDS_SHARE = 100
"""The sentence takes its whole width before what stands behind it gets any."""


class _Room(Label):
    """Keeps the height that a long sentence needs beside a usual suggestion."""

    def __init__(self) -> None:
        super().__init__("", Type.QUIET, wrap=True)

    def hasHeightForWidth(self) -> bool:
        """Always, and without a text."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Lines of a long sentence."""
        letter = self.fontMetrics().averageCharWidth()
        beside = max(1, width - SUGGESTED * letter)
        return self.height_of(ceil(LETTERS * letter / beside))


class FieldRow(QWidget):
    """Says the error of the first field that has one; with the field's name where several have.

    Args:
        fields: with how much of the width each takes.
        hint: what is in the line while nothing is wrong.

    Attributes:
        words: the sentence.
        hint: what is in its place while nothing is wrong.
        suggestion: the button that takes what would be right.
    """

    ring_room = RING

    def __init__(self, fields: Sequence[tuple[Field, int]], hint: str = "") -> None:
        super().__init__()
        self._fields = [field for field, _ in fields]
        self._icon = IconLabel("alert", Role.DANGER, Space.ICON_CHIP)
        self.words = Label("", Type.QUIET, Role.DANGER, wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.hint = quiet(hint)
        self.suggestion = link("")
        # The room of icon, words and button stays where nothing is wrong, and is no empty text.
        for one in (self._icon, self.words, self.suggestion):
            room = one.sizePolicy()
            room.setRetainSizeWhenHidden(True)
            one.setSizePolicy(room)
        self.suggestion.stand_in_text()
        self._build(fields)
        for field in self._fields:
            field.say_elsewhere()
            field.error_changed.connect(self._render_error)
        self.suggestion.clicked.connect(self._use_suggestion)
        self._render_error()

    def _build(self, fields: Sequence[tuple[Field, int]]) -> None:
        column = QVBoxLayout(self, spacing=Space.HAIR, contentsMargins=NO_MARGINS)
        row = QHBoxLayout(spacing=Space.CARDS)
        for field, stretch in fields:
            row.addWidget(field, stretch, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        below = QGridLayout(horizontalSpacing=0, verticalSpacing=0)
        below.setContentsMargins(RING, 0, 0, 0)
        top = Qt.AlignmentFlag.AlignTop
        below.addWidget(self._icon, 1, 0, top)
        below.addWidget(_Room(), 1, 1, 1, 2)
        below.addWidget(self.words, 1, 1)
        # Its text is on the first line of the sentence: the row above is what its ring needs.
        below.addWidget(self.suggestion, 0, 2, 2, 1, top | Qt.AlignmentFlag.AlignLeft)
        below.setColumnMinimumWidth(2, SUGGESTED * self.fontMetrics().averageCharWidth())
        below.setRowMinimumHeight(0, Space.TIGHT)
        below.addWidget(self.hint, 1, 0, 1, 3, top)
        # No spacing: Qt leaves none between columns where one field hides for another.
        below.setColumnMinimumWidth(0, Space.ICON_CHIP + Space.SMALL)
        below.setColumnStretch(1, WORDS_SHARE)
        below.setColumnStretch(2, 1)
        column.addLayout(below)

    @property
    def _all_failed(self) -> list[Field]:
        return [f for f in self._fields if f.error and not f.isHidden()]

    @property
    def _failed(self) -> Field | None:
        return next(iter(self._all_failed), None)

    def _render_error(self) -> None:
        failed = self._failed
        self._icon.setVisible(failed is not None)
        text = failed.error if failed is not None else ""
        is_one = len(self._all_failed) == 1
        self.words.setText(text if failed is None or is_one else f"{failed.label}: {text}")
        # As wide as its sentence where that has room on one line: what mends it follows it.
        line = self.words.fontMetrics().horizontalAdvance(self.words.text()) + Space.RING
        self.words.setMaximumWidth(line if text else UNLIMITED)
        self.words.setVisible(failed is not None)
        self.hint.setVisible(failed is None and bool(self.hint.text()))
        fix = failed.fix if failed is not None else ""
        self.suggestion.setText(fix)
        self.suggestion.setVisible(bool(fix))
        if failed is not None:
            QTimer.singleShot(0, self, self._show_error)

    def _show_error(self) -> None:
        """On a low screen the sentence is below what is on show where the next field is not."""
        at = QApplication.focusWidget()
        if at is not None and self.isAncestorOf(at):
            show_down_to(self, self)

    def _use_suggestion(self) -> None:
        failed = self._failed
        if failed is not None:
            failed.suggestion_pressed.emit(failed.suggestion)
