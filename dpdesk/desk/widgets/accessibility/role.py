# SPDX-License-Identifier: Apache-2.0
"""What a widget is for screen readers, where Qt would say that it is nothing in particular.

Qt calls a plot and a second window fillers, which readers pass over as they do layouts.

Qt keeps an interface as long as its widget lives and deletes it then. Python must not delete it
before, so each is kept here until then, and those that are left at the end are given up in time.
"""

from __future__ import annotations

import atexit

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QComboBox, QWidget

_kept: dict[int, QAccessibleInterface] = {}


def set_role_of(widget: QWidget, role: QAccessible.Role) -> None:
    """Let a widget be something in particular, until a signal is connected to one of its methods.

    That gives it another meta-object, and Qt finds interfaces by object and meta-object.
    """
    keep(QAccessibleWidget(widget, role), widget)


def call_choice(choice: QComboBox, name: str) -> None:
    """Let a list of choices that has no label be heard with its name.

    On X11 and Wayland Qt calls it by what is chosen alone, and leaves the name to a label.
    """
    choice.setAccessibleName(name)
    called = QAccessible.queryAccessibleInterface(choice).text(QAccessible.Text.Name)
    choice.setAccessibleDescription("" if called == name else name)


def say_once(widget: QWidget) -> None:
    """Let a tooltip or a placeholder stay unsaid that only repeats the widget's name.

    Qt describes a widget by them where nothing else does; what is called and described by the same
    words is read out once.
    """
    widget.setAccessibleDescription(widget.accessibleName())


def keep(interface: QAccessibleInterface, widget: QWidget) -> None:
    """Let an interface speak for a widget as long as there is the widget."""
    number = QAccessible.registerAccessibleInterface(interface)
    _kept[number] = interface
    widget.destroyed.connect(lambda: _kept.pop(number, None))


def _give_up() -> None:
    """Before Python ends: Qt would ask what is gone."""
    for number in list(_kept):
        QAccessible.deleteAccessibleInterface(number)
    _kept.clear()


atexit.register(_give_up)
