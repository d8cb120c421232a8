# SPDX-License-Identifier: Apache-2.0
"""One sentence with its icon, below what it is about."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label


class Remark(QWidget):
    """A line that is there only while it says something."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = IconLabel("warning", size=Space.ICON_CHIP)
        self._text = Label(size=Type.QUIET, wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.TIGHT, 0, 0, 0)
        row.setSpacing(Space.SMALL)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says."""
        return self._text.text()

    def say(self, sentence: str, tone: Tone = Tone.ATTENTION) -> None:
        """Say a sentence, or nothing where it is empty."""
        _fill, ink, icon = tone.value
        self._icon.set_icon(icon, ink)
        self._text.setText(sentence)
        self._text.set_role(ink)
        self.setVisible(bool(sentence))
