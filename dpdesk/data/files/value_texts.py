# SPDX-License-Identifier: Apache-2.0
"""Single values as texts, the same ones for every kind of file.

No Arrow here: the process that reads a workbook answers with its first rows before it needs that.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

_WHOLE = 2.0**53

UNREADABLE_ID = "\U0010ffff"
"""In the column of people, a line that is no row, where ids are filled down.

No character is or will be assigned there. An id that is this very text means nobody there, too.
"""


def number_text(value: float, decimal: str = ".") -> str:
    """The shortest text of a number that reads as the same double.

    >>> [number_text(v) for v in (3.0, -0.5, 1e300)]
    ['3', '-0.5', '1e+300']
    """
    if value.is_integer() and abs(value) <= _WHOLE:
        return str(int(value))
    return repr(value).replace(".", decimal)


def value_text(value: bool | int | date | datetime) -> str:
    """The text of a value that no country writes in another way.

    >>> value_text(datetime(2024, 2, 29, 13, 5))
    '2024-02-29 13:05:00'
    """
    return str(value)


def moment_text(moment: datetime) -> str:
    """One moment as text.

    >>> moment_text(datetime(2021, 3, 4, 13, 45)), moment_text(datetime(2021, 3, 4))
    ('2021-03-04 13:45:00', '2021-03-04')
    """
    return str(moment.date()) if moment.time() == time() else str(moment)


def duration_text(length: timedelta) -> str:
    """A duration as hours, minutes and seconds.

    >>> duration_text(timedelta(days=1, hours=6)), duration_text(-timedelta(seconds=0.5))
    ('30:00:00', '-00:00:00.500000')
    """
    seconds, rest = divmod(abs(length), timedelta(seconds=1))
    sign = "-" if length < timedelta() else ""
    fraction = f".{rest.microseconds:06}" if rest else ""
    return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
