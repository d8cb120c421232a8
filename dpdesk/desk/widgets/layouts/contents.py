# SPDX-License-Identifier: Apache-2.0
"""What a layout holds, without asking for its items, and taking it out.

An item of a widget that Python was shown stays known to it as long as the layout. When Qt deletes
the item with its widget, Python takes whatever comes to lie at its address for that item: PySide
looks a wrapper up by its address alone, and a call of the one goes to the memory of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget
from shiboken6 import delete

Part = QWidget | QLayout
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def children_of(layout: QLayout) -> list[QWidget]:
    """The widgets that a layout, and those around it, may hold."""
    above = layout.parentWidget()
    return [] if above is None else above.findChildren(QWidget, options=DIRECT)


def parts(layout: QLayout, among: Sequence[QWidget] | None = None) -> list[Part]:
    """The widgets and layouts of a layout in their order, without the room between.

    Args:
        layout: where to look.
        among: what :func:`children_of` says of it, where it is known.
    """
    own: list[Part] = list(children_of(layout) if among is None else among)
    own += (one for one in layout.children() if isinstance(one, QLayout))
    places = {one: layout.indexOf(one) for one in own}
    return sorted((one for one in own if places[one] >= 0), key=lambda one: places[one])


def is_empty(part: Part) -> bool:
    """Whether a layout leaves no room for it, as ``QLayoutItem.isEmpty`` says of its item."""
    if isinstance(part, QLayout):
        return part.isEmpty()
    is_gone = part.isHidden() and not part.sizePolicy().retainSizeWhenHidden()
    return is_gone or part.isWindow()


def empty(layout: QLayout) -> None:
    """Take everything out of a layout and let it go.

    What a layout of ours gives back belongs to nobody: neither Qt nor Python would delete it.
    """
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if inner is not None:
            empty(inner)
            inner.deleteLater()
            continue
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        delete(item)
