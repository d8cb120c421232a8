# SPDX-License-Identifier: Apache-2.0
"""Widgets with colours of their own, notified when light becomes dark.

Qt tells a widget of a new palette only where it has none of its own. Walking all widgets of the
application instead would touch some that Qt is just deleting; who registers here is held weakly.
"""

from __future__ import annotations

import contextlib
from typing import Protocol
from weakref import WeakSet

from PySide6.QtWidgets import QWidget


class ThemeFollower(Protocol):
    """A widget that takes its colours again when it is notified."""

    def follow_theme(self) -> None:
        """Take the roles' colours of now."""


_followers: WeakSet[ThemeFollower] = WeakSet()


def register(follower: ThemeFollower) -> None:
    """Tell a widget of every change from now on."""
    _followers.add(follower)


def notify_all() -> None:
    """Tell every registered widget that still is there."""
    for follower in list(_followers):
        # Its Python half can outlive the widget by a moment.
        with contextlib.suppress(RuntimeError):
            follower.follow_theme()


def notify_around(widget: QWidget) -> None:
    """Tell a widget, what is on it, and what it is on."""
    for follower in list(_followers):
        with contextlib.suppress(RuntimeError):
            if isinstance(follower, QWidget) and (
                follower is widget or follower.isAncestorOf(widget) or widget.isAncestorOf(follower)
            ):
                follower.follow_theme()
