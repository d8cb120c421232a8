# SPDX-License-Identifier: Apache-2.0
"""One sentence with its icon, below what it is about."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label


class Remark(QWidget):
    """A line that is there only while it says something.

    Args:
        size: of the type table.
        plain: role of its words where there is nothing to heed, and no icon.
    """

    def __init__(
        self,
        size: Type = Type.QUIET,
        plain: Role = Role.TEXT_QUIET,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._plain = plain
        self._icon = IconLabel("warning", size=Space.ICON_CHIP)
        self._text = Label(size=size, wrap=True)
        row = self._row = QHBoxLayout(self, spacing=Space.SMALL)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        self.hide()

    @property
    def sentence(self) -> str:
        return self._text.text()

    def say(self, sentence: str, tone: Tone | None = Tone.ATTENTION) -> None:
        """Say a sentence, or nothing where it is empty; with ``None`` nothing is to be heeded."""
        _fill, ink, icon = tone.value if tone is not None else (None, self._plain, "")
        self._row.setContentsMargins(Space.TIGHT if icon else 0, 0, 0, 0)
        self._icon.setVisible(bool(icon))
        if icon:
            self._icon.set_icon(icon, ink)
        changes = sentence != self._text.text()
        self._text.setText(sentence)
        self._text.set_role(ink)
        self.setVisible(bool(sentence))
        if changes:
            announce(self, sentence if tone is not None and self.isVisible() else "")
