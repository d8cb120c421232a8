# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.x11.program``: the desk itself, with a probe that answers on a pipe.

Events come from the X server alone. The probe only says where things are: for each line
``look`` on standard input it writes one line of JSON on standard output, what a screen reader
would learn of every visible control.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSocketNotifier, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.app import application, make_window
from dpdesk.release.places.home import Home

LEAST_SEEN = 4
"""Pixels of a control that must be on show for it to be reported."""


def look() -> dict[str, object]:
    """Every control on show, and the one that has the keyboard."""
    # As where a screen reader listens: Qt tells of a table that is filled anew only then, and gives
    # out the cells that it had before.
    QAccessible.setActive(True)
    controls: list[dict[str, object]] = []
    for window in QApplication.topLevelWidgets():
        if window.isVisible():
            _walk(QAccessible.queryAccessibleInterface(window), controls, window)
    modal = QApplication.activeModalWidget()
    active = QApplication.activeWindow()
    return {
        "controls": controls,
        "ratio": application().devicePixelRatio(),
        "modal": modal.windowTitle() if modal else "",
        "active": active.windowTitle() if active else "",
        "focus": _name(QApplication.focusWidget()),
    }


def _name(widget: QWidget | None) -> str:
    if widget is None:
        return ""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found else ""


def _walk(
    found: QAccessibleInterface | None, controls: list[dict[str, object]], window: QWidget
) -> None:
    if found is None or not found.isValid() or found.state().invisible:
        return
    controls.append(_described(found, window))
    for index in range(found.childCount()):
        _walk(found.child(index), controls, window)


def _described(found: QAccessibleInterface, window: QWidget) -> dict[str, object]:
    rect, state = found.rect(), found.state()
    return {
        "name": found.text(QAccessible.Text.Name),
        "role": found.role().name,
        "value": found.text(QAccessible.Text.Value),
        "rect": [rect.x(), rect.y(), rect.width(), rect.height()],
        "seen": _seen(found),
        "enabled": not state.disabled,
        "checked": bool(state.checked),
        "focused": bool(state.focused),
        "focusable": bool(state.focusable),
        "selected": bool(state.selected),
        "tab": _stops(found),
        "window": window.windowTitle(),
    }


def _stops(found: QAccessibleInterface) -> bool:
    """Whether Tab stops at it."""
    thing = found.object()
    return isinstance(thing, QWidget) and bool(thing.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _seen(found: QAccessibleInterface) -> list[int]:
    """The part of it that no parent cuts off, on the screen."""
    thing = found.object()
    if not isinstance(thing, QWidget):
        rect = found.rect()
        return [rect.x(), rect.y(), rect.width(), rect.height()]
    shown, above = found.rect(), thing.parentWidget()
    while above is not None and not thing.isWindow():
        shown &= QRect(above.mapToGlobal(QPoint(0, 0)), above.size())
        above = None if above.isWindow() else above.parentWidget()
    return [shown.x(), shown.y(), max(0, shown.width()), max(0, shown.height())]


def answer() -> None:
    """Answer one question on standard input; its end ends the program."""
    line = sys.stdin.readline()
    if not line:
        QApplication.quit()
        return
    print(json.dumps(look()), flush=True)


def main(arguments: list[str]) -> int:
    """Run the desk as ``dpdesk`` does."""
    app = application()
    window = make_window(app, Home.locate())
    window.show()
    if arguments:
        window.opening.open_any(Path(arguments[0]))
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(answer)
    return int(app.exec())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
