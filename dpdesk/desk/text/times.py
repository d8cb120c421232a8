# SPDX-License-Identifier: Apache-2.0
"""The one way in which pages show when something happened."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt


def when(stamp: str, brief: bool = False) -> str:
    """A ledger's minute in the reader's zone and language; a stranger's nonsense as it is.

    Args:
        stamp: such as ``2026-11-21T14:32Z``.
        brief: for a table.
    """
    moment = local_moment(stamp)
    return stamp if moment is None else f"{day(stamp, brief)}, {moment:%H:%M}"


def day(stamp: str, brief: bool = False) -> str:
    """The day of a ledger's minute, as :func:`when` says it."""
    moment = local_moment(stamp)
    if moment is None:
        return stamp
    locale = QLocale()
    if brief:
        return locale.toString(moment.date(), QCoreApplication.translate("Times", "d MMM yyyy"))
    return locale.toString(moment.date(), QLocale.FormatType.LongFormat)


def calendar_day(iso: str) -> str:
    """A day such as ``2026-11-21``, briefly; what is none as it is."""
    found = QDate.fromString(iso, Qt.DateFormat.ISODate)
    brief = QCoreApplication.translate("Times", "d MMM yyyy")
    return QLocale().toString(found, brief) if found.isValid() else iso


def local_moment(stamp: str) -> datetime | None:
    """A ledger's minute in the reader's zone; nothing where it is a stranger's nonsense."""
    try:
        return datetime.strptime(stamp, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
