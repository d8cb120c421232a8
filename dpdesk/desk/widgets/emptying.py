# SPDX-License-Identifier: Apache-2.0
"""Taking everything out of a layout, to fill it again."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout
from shiboken6 import delete


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
