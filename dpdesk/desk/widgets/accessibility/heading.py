# SPDX-License-Identifier: Apache-2.0
"""A title that screen readers know as a heading: their users go from one to the next by a key."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QAccessible, QAccessibleAttributesInterface
from PySide6.QtWidgets import QAccessibleWidget, QLabel
from shiboken6 import Shiboken

from dpdesk.desk.widgets.accessibility.role import keep

PAGE_LEVEL: Final = 1
CARD_LEVEL: Final = 2
PART_LEVEL: Final = 3
"""Of a part of a card, or of a note beside them."""


class _Level(QAccessibleAttributesInterface):
    """How deep a heading is."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self._level = level

    def attributeKeys(self) -> list[QAccessible.Attribute]:
        return [QAccessible.Attribute.Level]

    def attributeValue(self, key: QAccessible.Attribute) -> object:
        """1 for a page, 2 for a card on it, 3 for a part of one."""
        return self._level if key == QAccessible.Attribute.Level else None


class AccessibleHeading(QAccessibleWidget):
    """A label whose text is a heading; it can be read and nothing else."""

    def __init__(self, label: QLabel, level: int) -> None:
        super().__init__(label, QAccessible.Role.Heading)
        self._label = label
        self._level = _Level(level)

    def text(self, kind: QAccessible.Text) -> str:
        """As of any label: what it says is its name."""
        if kind == QAccessible.Text.Name and not self._label.accessibleName():
            return self._label.text()
        return super().text(kind)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        """It has a level. Qt takes nothing but an address for "nothing"."""
        if kind == QAccessible.InterfaceType.AttributesInterface:
            return self._level  # type: ignore[return-value]
        return Shiboken.VoidPtr(0)  # type: ignore[return-value]


def make_heading(label: QLabel, level: int) -> None:
    """Let a label be a heading from now on."""
    keep(AccessibleHeading(label, level), label)
