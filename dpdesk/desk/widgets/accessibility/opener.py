# SPDX-License-Identifier: Apache-2.0
"""A button under which a list, a menu or a dialog opens, as screen readers hear of it.

Anyone who sees it sees a chevron or three dots. Qt tells screen readers of menus alone that were
given to a button beforehand; ours are made when they open, of what is true then.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleStateChangeEvent
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QMenu, QWidget
from shiboken6 import Shiboken

from dpdesk.desk.widgets.accessibility.role import keep

PRESS, OPEN, FOCUS = "Press", "ShowMenu", "SetFocus"
"""Qt's names of actions, which its bridges know; they offer the first where one is wanted."""


class _Press(QAccessibleActionInterface):
    """A button is pressed, which opens what it opens, or gets the keyboard."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__()
        self._button = button

    def actionNames(self) -> list[str]:
        """What there is while it can be used."""
        return [PRESS, OPEN, FOCUS] if self._button.isEnabled() else []

    def doAction(self, name: str) -> None:
        """As Qt's own buttons do."""
        if not self._button.isEnabled():
            return
        if name == FOCUS:
            self._button.setFocus()
        elif name in (PRESS, OPEN):
            self._button.animateClick()

    def keyBindingsForAction(self, _name: str) -> list[str]:
        return []


class AccessibleOpener(QAccessibleWidget):
    """A button that says that something opens under it, and whether it is open now."""

    def __init__(self, button: QAbstractButton, has_popup: bool) -> None:
        super().__init__(button, QAccessible.Role.Button)
        self._button, self._has_popup = button, has_popup
        self._press = _Press(button)
        self._is_open = False

    def show_open(self, is_open: bool) -> None:
        """What opens here is open, or not any more."""
        if is_open == self._is_open:
            return
        self._is_open = is_open
        changed = QAccessible.State()
        changed.expanded = changed.collapsed = True
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(self._button, changed))

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        """It can be pressed. Qt takes nothing but an address for "nothing"."""
        if kind == QAccessible.InterfaceType.ActionInterface:
            return self._press  # type: ignore[return-value]
        return Shiboken.VoidPtr(0)  # type: ignore[return-value]

    def state(self) -> QAccessible.State:
        """As any button's, and that it opens something."""
        state = super().state()
        state.hasPopup, state.expandable = self._has_popup, True
        state.expanded, state.collapsed = self._is_open, not self._is_open
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """As any button: its own words where it was given no name."""
        said = super().text(kind)
        if kind == QAccessible.Text.Name and not said:
            return self._button.text().replace("&", "")
        return said


def make_opener(button: QAbstractButton, has_popup: bool = True) -> None:
    """Let a button say that something opens at it; called before it is given a name.

    Args:
        button: the button.
        has_popup: a list, a menu or a dialog; otherwise the page itself goes on there.
    """
    keep(AccessibleOpener(button, has_popup), button)


def show_open(widget: QWidget, is_open: bool) -> None:
    """Say of a button that opens something whether it is open; nothing of any other widget.

    What was picked may have made its page again: then the button is gone.
    """
    if not Shiboken.isValid(widget):
        return
    interface = QAccessible.queryAccessibleInterface(widget)
    if isinstance(interface, AccessibleOpener):
        interface.show_open(is_open)


def open_menu(menu: QMenu, button: QAbstractButton) -> None:
    """Open a menu under its button, which says so as long as it is open.

    It ends where the button does, which is at the right of its card, and covers no other one.
    """
    menu.setAccessibleName(button.accessibleName())
    show_open(button, True)
    menu.aboutToHide.connect(lambda: show_open(button, False))
    left = button.width() - menu.sizeHint().width()
    menu.popup(button.mapToGlobal(QPoint(left, button.height())))
    first = next((one for one in menu.actions() if one.isEnabled() and not one.isSeparator()), None)
    if first is not None and not button.underMouse():
        # Opened by a key: its first line is marked and read out, as in the menu bar.
        menu.setActiveAction(first)
