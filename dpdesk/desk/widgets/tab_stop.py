# SPDX-License-Identifier: Apache-2.0
"""Buttons that exclude each other are one stop for Tab: the chosen one, else the first.

Qt moves the stop only when one of them gets the keyboard, so that Tab came to a choice that was
not made.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QButtonGroup


def one_tab_stop(group: QButtonGroup) -> None:
    """Keep it so, whoever chooses."""

    def settle(_button: QAbstractButton, on: bool) -> None:
        if on:
            settle_tab_stop(group)

    group.buttonToggled.connect(settle)
    settle_tab_stop(group)


def settle_tab_stop(group: QButtonGroup) -> None:
    """Let Tab stop at the chosen button; called when buttons were added, too."""
    buttons = group.buttons()
    stop = group.checkedButton() or next(iter(buttons), None)
    for button in buttons:
        _let_stop(button, button is stop)


def _let_stop(button: QAbstractButton, stops: bool) -> None:
    policy = Qt.FocusPolicy.StrongFocus if stops else Qt.FocusPolicy.ClickFocus
    if button.focusPolicy() != policy:
        button.setFocusPolicy(policy)
