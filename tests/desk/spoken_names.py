# SPDX-License-Identifier: Apache-2.0
"""What is wrong with what assistive software hears of a window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QAbstractItemModel, QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QTableView, QWidget

from dpdesk.desk.pages.welcome.welcome_page import WelcomePage
from tests.desk.screens import describe

MARK_UP = re.compile(r"&(lt|gt|amp|quot|nbsp|#\d+);|</?[a-zA-Z]+[^<>]*>|(?<!\w)&\w")
"""Entities, tags, and the mark of a letter that Alt takes."""
SPOKEN = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value)
KIND = QAccessible.Role
CONTROLS = (
    *(KIND.Button, KIND.CheckBox, KIND.RadioButton, KIND.EditableText, KIND.Slider, KIND.SpinBox),
    *(KIND.PageTab, KIND.Table, KIND.List, KIND.Tree, KIND.Link, KIND.ButtonMenu),
)
"""Not choices: where the system says the label beside them, their name is what is chosen."""

NOTHING = (KIND.Client, KIND.NoRole, KIND.Pane, KIND.LayeredPane)
"""What readers take for a layout, and pass over."""
WITH_TOOLTIP = (KIND.StaticText, KIND.Heading, KIND.EditableText, *CONTROLS)
"""Icons have a tooltip, fields a placeholder: readers leave a description out that is the name."""


def tree(interface: QAccessibleInterface | None) -> Iterator[QAccessibleInterface]:
    """What is on show, from the top; of tables not the cells."""
    if interface is None or not interface.isValid() or interface.state().invisible:
        return
    yield interface
    if interface.role() != KIND.Table:
        for place in range(interface.childCount()):
            yield from tree(interface.child(place))


SLACK = 2
BESIDE = (KIND.MenuBar, KIND.ScrollBar, KIND.TitleBar)
"""What has a place of its own, whatever stands before it."""


def faults(top: QWidget, where: str) -> list[str]:
    """What is read out wrong in a window, each in a sentence."""
    found, named = [], set()
    for one in tree(QAccessible.queryAccessibleInterface(top)):
        texts = [one.text(kind) for kind in SPOKEN]
        found += [f"{text!r} has mark-up" for text in texts if MARK_UP.search(text)]
        found += [f"{text!r} says a thing twice" for text in texts if _says_twice(text)]
        if texts[0] and texts[1] == texts[0] and one.role() not in WITH_TOOLTIP:
            found.append(f"{texts[0]!r} is described as itself")
        if one.role() in NOTHING and one.state().focusable and texts[0]:
            found.append(f"{describe(one.object())} takes the keyboard and is passed over")
        found += [
            f"{describe(lower)} is read before {describe(upper)}" for lower, upper in _swapped(one)
        ]
        if one.role() in NOTHING and texts[0] and not _is_said(one, texts[0]):
            found.append(f"{texts[0]!r} is passed over")
        if one.role() == KIND.Table:
            found += [f"{describe(one.object())} has {fault}" for fault in _silent_parts(one)]
        if one.role() in CONTROLS:
            name = (one.role(), texts[0])
            found += [f"{describe(one.object())} is called {texts[0]!r}, too"] * (name in named)
            named.add(name)
            found += [f"{describe(one.object())} is nameless"] * (not texts[0].strip())
    return [f"{where}: {fault}" for fault in found]


def _is_said(group: QAccessibleInterface, name: str) -> bool:
    """Whether what is in it says its name: a title, the choices of a group, a plot of its own.

    The welcome page has no title, and is announced as every page is.
    """
    if isinstance(group.object(), WelcomePage):
        return True
    parts = (part for part in tree(group) if part.object() is not group.object())
    said = (part.text(kind) for part in parts for kind in SPOKEN)
    # Rich text is read out without the marks that keep a day on one line.
    return any(name.replace("\xa0", " ") in text.replace("\xa0", " ") for text in said)


def _swapped(
    group: QAccessibleInterface,
) -> Iterator[tuple[QObject, QObject]]:
    """Parts that follow each other in a group, of which the later stands above or before."""
    parts = [group.child(place) for place in range(group.childCount())]
    shown = [one for one in parts if one is not None and not one.state().invisible]
    read = [one for one in shown if one.role() in CONTROLS or one.childCount()]
    for one, after in pairwise(one for one in read if one.role() not in BESIDE):
        above, below = after.rect(), one.rect()
        is_before = above.right() < below.left()
        is_beside = is_before or below.right() < above.left()
        is_above = above.bottom() < below.top()
        is_one_row = abs(above.center().y() - below.center().y()) <= SLACK
        if (is_above and not is_beside) or (is_before and is_one_row):
            yield one.object(), after.object()


def _says_twice(text: str) -> bool:
    """Whether two parts that follow each other are the same: "Not yet, not yet"."""
    parts = [part.strip().casefold() for part in text.split(",")]
    return any(one and one == other for one, other in pairwise(parts))


def _silent_parts(table: QAccessibleInterface) -> Iterator[str]:
    """Heads of a table that say nothing, and tables of which no cell in the first row speaks."""
    view = table.object()
    model = view.model() if isinstance(view, QTableView) else None
    if model is None or not model.rowCount():
        return
    heads = [_spoken_head(model, place) for place in range(model.columnCount())]
    yield from (f"no head over column {place}" for place, head in enumerate(heads) if not head)
    spoken = Qt.ItemDataRole.AccessibleTextRole
    cells = [model.index(0, place) for place in range(model.columnCount())]
    if not any(cell.data(spoken) or cell.data() for cell in cells):
        yield "cells that say nothing"


def _spoken_head(model: QAbstractItemModel, place: int) -> str:
    """As Qt reads a head out."""
    along = Qt.Orientation.Horizontal
    spoken = model.headerData(place, along, Qt.ItemDataRole.AccessibleTextRole)
    return str(spoken or model.headerData(place, along) or "")
