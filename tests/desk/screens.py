# SPDX-License-Identifier: Apache-2.0
"""What a person meets on a screen: every text, and every control that takes the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QEventLoop,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from dpdesk.desk.core.jobs import at_work as at_work_module
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.page import Page
from tests import waiting

Shown = TypeVar("Shown", bound=StepPage)


def pause(milliseconds: int) -> None:
    """Work events for a while; what is deleted later is gone after it.

    ``QTest.qWait`` sleeps with Python's lock held, so that the threads of jobs stand still: with
    it a first release took three times as long.
    """
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def settle(turns: int = 3) -> None:
    """Let layouts, queued signals and all that is at work come to rest."""
    turn(turns)
    while is_at_work():
        wait_until(lambda: not is_at_work())
        turn(turns)


def turn(turns: int = 3) -> None:
    """Let layouts and queued signals come to rest, whatever is still at work."""
    for _ in range(turns):
        QApplication.processEvents()
        pause(1)


def is_at_work() -> bool:
    """Whether something is still to come in a window on show, as the windows themselves know it."""
    shown = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
    if any(isinstance(w, MainWindow) and w.session.jobs.current for w in shown):
        return True
    at_work = [one for one in at_work_module._AT_WORK if isValid(one)]
    return any(at_work_module._is_inside(one, w) for one in at_work for w in shown)


def wait_until(done: Callable[[], object]) -> None:
    """Work events until something is so."""
    waiting.wait_until(done, lambda: pause(10))


def shown_page(window: MainWindow, key: str, kind: type[Shown]) -> Shown:
    """A page of the window, on show and at rest."""
    window.go_to(key)
    settle()
    page = window.pages[key]
    assert isinstance(page, kind)
    return page


def shown(window: QWidget) -> Iterator[QWidget]:
    """Every widget that can be seen, the window first."""
    yield window
    for widget in window.findChildren(QWidget):
        if widget.isVisible():
            yield widget


def takes_keyboard(window: QWidget) -> list[QWidget]:
    """Every control that Tab or a click gives the keyboard."""
    return [
        w
        for w in shown(window)
        if w.focusPolicy() != Qt.FocusPolicy.NoFocus and w.isEnabled() and not w.focusProxy()
    ]


def spoken(widget: QWidget) -> str:
    """The name that a screen reader says."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found is not None else ""


def texts(window: QWidget, with_hidden: bool = False) -> list[str]:
    """Every text of a window: labels, buttons, fields, tables, tooltips, and what is spoken."""
    widgets = [window, *window.findChildren(QWidget)] if with_hidden else list(shown(window))
    found = []
    for widget in widgets:
        found += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            found.append(widget.text())
        elif isinstance(widget, QPlainTextEdit):
            found.append(widget.toPlainText())
        elif isinstance(widget, QComboBox):
            found += [widget.itemText(i) for i in range(widget.count())]
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found += cells(widget.model())
    return [text for text in found if text]


def cells(model: QAbstractItemModel) -> list[str]:
    """Every text of a model, with its heads."""
    across = range(model.columnCount(QModelIndex()))  # a list's own asks for what it is below
    heads = [str(model.headerData(c, Qt.Orientation.Horizontal) or "") for c in across]
    inner = [
        str(model.index(row, column).data(role) or "")
        for row in range(model.rowCount(QModelIndex()))
        for column in across
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    ]
    return heads + inner


def describe(widget: QObject) -> str:
    """Where a widget is, for a failing test."""
    chain = []
    at: QObject | None = widget
    while at is not None:
        chain.append(type(at).__name__ + (f"#{at.objectName()}" if at.objectName() else ""))
        at = at.parent()
    return " < ".join(chain[:5])


def press(key: Qt.Key) -> None:
    """Press a key where the keyboard is."""
    at = QApplication.focusWidget()
    assert at is not None, "nothing has the keyboard"
    QTest.keyClick(at, key)


def pick(popup: ChoicePopup, *keys: str) -> None:
    """Choose a line of an open list, or several where it has check marks, with the keyboard."""
    _pick(popup, *keys)
    settle()


def _pick(popup: ChoicePopup, *keys: str) -> None:
    lines = [popup.list.item(row) for row in range(popup.list.count())]
    for key in keys:
        popup.list.setCurrentItem(next(i for i in lines if i.data(Qt.ItemDataRole.UserRole) == key))
        QTest.keyClick(popup.list, Qt.Key.Key_Space if len(keys) > 1 else Qt.Key.Key_Return)
    if len(keys) > 1:
        QTest.keyClick(popup.list, Qt.Key.Key_Return)


def pick_in(sentence: QuerySentence, chip: str, *keys: str) -> None:
    """Press a chip of a query's sentence and choose, one after the other, in the lists it opens."""
    sentence.chip(chip).click()
    for key in keys:
        _pick(sentence.anchor.popup, key)
    settle()


def tabbed(window: QWidget, most: int = 400) -> list[QWidget]:
    """The controls that Tab goes through, once around."""
    found: list[QWidget] = []
    for _ in range(most):
        at = QApplication.focusWidget()
        QTest.keyClick(at if at is not None else window, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        if now is None or now in found:
            break
        found.append(now)
    return found


def titled(name: str, line: str) -> Page:
    """A page with a title and a line below it, as its declaration gives them."""
    made = Page()
    made.set_title(name)
    made.set_line(line)
    return made
