# SPDX-License-Identifier: Apache-2.0
"""The ledger's clock: information for people. Order comes from the chain, budget from no clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


def minute(moment: datetime) -> str:
    """A moment to the minute; seconds could show how long something took.

    >>> minute(datetime(2026, 11, 21, 14, 32, 59, tzinfo=UTC))
    '2026-11-21T14:32Z'
    """
    plain = moment.astimezone(UTC).replace(tzinfo=None)
    return plain.isoformat(timespec="minutes") + "Z"
