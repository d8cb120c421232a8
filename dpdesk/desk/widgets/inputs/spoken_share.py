# SPDX-License-Identifier: Apache-2.0
"""The handle's value for screen readers and voice control: the share, not its place in pixels.

Qt says a slider's place along its scale; along a logarithmic one that is no number anybody knows.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtGui import QAccessible, QAccessibleValueInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import Shiboken

from dpdesk.desk.widgets.spoken.spoken_role import keep


class SharesAlong(Protocol):
    """What has a share between two ends, in numbers of its measure: 0.25."""

    def number(self) -> float:
        """The share."""

    def ends(self) -> tuple[float, float]:
        """The least and the largest share."""

    def least_step(self) -> float:
        """What its last digit is worth."""

    def go_to_number(self, number: float) -> None:
        """Set the share, as if it was dragged there."""

    def words(self) -> str:
        """The share and what it buys."""


class ShareValue(QAccessibleValueInterface):
    """A share between its ends."""

    def __init__(self, shares: SharesAlong) -> None:
        super().__init__()
        self._shares = shares

    def currentValue(self) -> float:
        """0.25."""
        return self._shares.number()

    def setCurrentValue(self, value: float) -> None:
        """Go there."""
        self._shares.go_to_number(float(value))

    def minimumValue(self) -> float:
        """The lower end."""
        return self._shares.ends()[0]

    def maximumValue(self) -> float:
        """The upper end."""
        return self._shares.ends()[1]

    def minimumStepSize(self) -> float:
        """What its last digit is worth."""
        return self._shares.least_step()


class SpokenShare(QAccessibleWidget):
    """A slider whose value is a share."""

    def __init__(self, widget: QWidget, shares: SharesAlong) -> None:
        super().__init__(widget, QAccessible.Role.Slider)
        self._shares = shares
        self._value = ShareValue(shares)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        """What it can do besides being there. Qt takes nothing but an address for "nothing"."""
        if kind == QAccessible.InterfaceType.ValueInterface:
            return self._value  # type: ignore[return-value]
        if kind == QAccessible.InterfaceType.ActionInterface:
            return super().interface_cast(kind)
        return Shiboken.VoidPtr(0)  # type: ignore[return-value]

    def text(self, kind: QAccessible.Text) -> str:
        """As any widget; its value in words."""
        return self._shares.words() if kind == QAccessible.Text.Value else super().text(kind)


def speak_share(widget: QWidget, shares: SharesAlong) -> None:
    """Let a widget's value be a share from now on."""
    keep(SpokenShare(widget, shares), widget)
