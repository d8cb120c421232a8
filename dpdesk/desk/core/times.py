# SPDX-License-Identifier: Apache-2.0
"""The one way in which pages show when something happened."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QLocale


def when(stamp: str, brief: bool = False) -> str:
    """A ledger's minute in the reader's zone and language; a stranger's nonsense as it is.

    Args:
        stamp: such as ``2026-11-21T14:32Z``.
        brief: for a table.
    """
    try:
        found = datetime.strptime(stamp, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return stamp
    locale = QLocale()
    day = locale.toString(found.date(), QLocale.FormatType.LongFormat)
    if brief:
        day = locale.toString(found.date(), "d MMM yyyy")
    return f"{day}, {found:%H:%M}"
