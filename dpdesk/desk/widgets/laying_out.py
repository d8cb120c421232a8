# SPDX-License-Identifier: Apache-2.0
"""Laying out before painting: what becomes visible appears in its place and whole."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent

ROUNDS = 6


def lay_out_now() -> None:
    """Let every layout come to rest.

    A layout that changes asks its parent to lay out anew by an event, and so on up to the page;
    by themselves these events come one by one, and the window is painted between them.
    """
    for _ in range(ROUNDS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
