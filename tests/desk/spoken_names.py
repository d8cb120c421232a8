# SPDX-License-Identifier: Apache-2.0
"""What is wrong with what assistive software hears of a window."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

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


def tree(interface: QAccessibleInterface | None) -> Iterator[QAccessibleInterface]:
    """What is on show, from the top; of tables not the cells."""
    if interface is None or not interface.isValid() or interface.state().invisible:
        return
    yield interface
    if interface.role() != KIND.Table:
        for place in range(interface.childCount()):
            yield from tree(interface.child(place))


def faults(top: QWidget, where: str) -> list[str]:
    """What is read out wrong in a window, each in a sentence."""
    found, named = [], set()
    for one in tree(QAccessible.queryAccessibleInterface(top)):
        texts = [one.text(kind) for kind in SPOKEN]
        found += [f"{text!r} has mark-up" for text in texts if MARK_UP.search(text)]
        if one.role() in CONTROLS:
            name = (one.role(), texts[0])
            found += [f"{describe(one.object())} is called {texts[0]!r}, too"] * (name in named)
            named.add(name)
            found += [f"{describe(one.object())} is nameless"] * (not texts[0].strip())
    return [f"{where}: {fault}" for fault in found]
