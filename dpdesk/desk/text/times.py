# SPDX-License-Identifier: Apache-2.0
"""The one way in which pages show when something happened, and in which days are typed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime

from PySide6.QtCore import QDate, QLocale, Qt

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.dates import (
    DATE_FORMS,
    ISO,
    STAMP,
    DateFormat,
    day_to_text,
    needs_pivot,
)
from dpdesk.study.model.dates import day_from_text as strict_day
from dpdesk.study.text.sentence_language import day_text

EXAMPLE_DAY = date(2020, 1, 31)
UNLIKE_PARTS = date(2020, 2, 1)
"""A day that is another one where month and day change places."""

_TYPED = tuple(f for f in DATE_FORMS if not needs_pivot(f) and "DD" not in f and f != ISO)
"""Forms in which a language may write a day, with or without zeros."""

PERIOD = re.compile(r"([0-9]{4})-(?:Q([1-4])|(0[1-9]|1[0-2]))")
"""How the record calls a quarter or a month, whatever the language."""

NO_BREAK = "\N{NO-BREAK SPACE}"


def when(stamp: str, brief: bool = False) -> str:
    """A ledger's minute in the reader's zone and language; a stranger's nonsense as it is.

    Args:
        stamp: such as ``2026-11-21T14:32Z``.
        brief: for a table.
    """
    moment = local_moment(stamp)
    return stamp if moment is None else f"{day(stamp, brief)}, {moment:%H:%M}"


def in_lines(stamp: str) -> str:
    """A ledger's minute for a table of little room: the time below its day."""
    moment = local_moment(stamp)
    return stamp if moment is None else f"{day(stamp, brief=True)}\n{moment:%H:%M}"


def day(stamp: str, brief: bool = False) -> str:
    """The day of a ledger's minute, as :func:`when` says it."""
    moment = local_moment(stamp)
    if moment is None:
        return stamp
    date = QDate(moment.year, moment.month, moment.day)
    if brief:
        return _brief(date)
    return _unbroken(QLocale().toString(date, QLocale.FormatType.LongFormat))


def _brief(day: QDate) -> str:
    """A short day that is on one line wherever a text wraps."""
    return QLocale().toString(day, tr("Times", "d MMM yyyy")).replace(" ", NO_BREAK)


def _unbroken(day: str) -> str:
    """A day that is on one line: it may end one after its weekday alone.

    >>> _unbroken("Donnerstag, 26. November 2026").split(" ")
    ['Donnerstag,', '26.\\xa0November\\xa02026']
    """
    weekday, comma, rest = day.partition(", ")
    return weekday + comma + rest.replace(" ", NO_BREAK) if comma else day.replace(" ", NO_BREAK)


def calendar_day(iso: str) -> str:
    """A day such as ``2026-11-21``, briefly and on one line; what is none as it is."""
    found = QDate.fromString(iso, Qt.DateFormat.ISODate)
    return _brief(found) if found.isValid() else iso


def month_of_year(first: date) -> str:
    """A month in full, such as November 2026, of any of its days."""
    form = tr("Times", "MMMM yyyy", "month and year in full")
    return QLocale().toString(QDate(first.year, first.month, 1), form).replace(" ", NO_BREAK)


def periods(labels: Iterable[str]) -> dict[str, str]:
    """Months such as ``2026-11`` and quarters such as ``2026-Q4`` as people write them.

    Args:
        labels: of one grouping.

    Returns:
        What each is called; empty where any of them is neither.
    """
    found = {label: PERIOD.fullmatch(label) for label in labels}
    form = tr("Times", "MMM yyyy")
    quarterly = tr("Times", "Q{0} {1}", "quarter, year")
    locale, read = QLocale(), {}
    for label, match in found.items():
        if match is None:
            return {}
        year, quarter, month = match.groups()
        if quarter:
            read[label] = quarterly.format(quarter, year)
        else:
            read[label] = locale.toString(QDate(int(year), int(month), 1), form)
    return read


def local_moment(stamp: str) -> datetime | None:
    """A ledger's minute in the reader's zone; nothing where it is a stranger's nonsense."""
    try:
        return datetime.strptime(stamp, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def typed(day: date | None, format: DateFormat = ISO) -> str:
    """A day as it is in a field: the way the reader's language writes one in digits.

    A field about a file that writes them in another order has the ISO form: "01/02/2020" would be
    shown as the first of February and read as the second of January.
    """
    if day is None:
        return ""
    own = day_text(UNLIKE_PARTS.isoformat(), catalogue())
    is_read_back = day_from_text(own, format) == UNLIKE_PARTS
    return day_text(day.isoformat(), catalogue()) if is_read_back else day.isoformat()


def day_from_text(text: str, format: DateFormat = ISO) -> date | None:
    """A typed day, in a file's format, as the language writes it or as ``YYYY-MM-DD``."""
    found = study_edits.day_from_text(text, format)
    own = _own_form()
    return found or (None if own is None else strict_day(text.strip(), own))


def forms() -> list[DateFormat]:
    """All that are offered, those first that write days in the language's own way."""
    offered = [*DATE_FORMS, STAMP]
    own = _in_letters(_own_form() or ISO)
    if own == _in_letters(ISO):
        return offered
    return sorted(offered, key=lambda form: _in_letters(form) != own)


def _in_letters(form: DateFormat) -> str:
    """The order and the marks of a form: D.M.Y for DD.MM.YYYY, D.M.YYYY and D.M.YY."""
    return re.sub(r"(.)\1+", r"\1", form)


def form_shown(format: DateFormat) -> str:
    """A format in the letters of the reader's language: DD.MM.YYYY is TT.MM.JJJJ in German."""
    letters = tr("Times", "YMD", "letters for year, month and day")
    return format.translate(dict(zip(map(ord, "YMD"), letters, strict=False)))


def form_typed(format: DateFormat) -> str:
    """The form of :func:`typed`, as a day's empty field shows it."""
    example = typed(UNLIKE_PARTS, format)
    own = (form for form in DATE_FORMS if day_to_text(UNLIKE_PARTS, form) == example)
    return form_shown(next(own, ISO))


def typed_iso(iso: str) -> str:
    """A stored day as :func:`typed` shows it; a text that is none as it is."""
    found = strict_day(iso)
    return iso if found is None else typed(found)


def iso_typed(text: str) -> str:
    """A typed day as it is stored; a text that says none as it is, to be refused where it goes."""
    found = day_from_text(text)
    return text.strip() if found is None else found.isoformat()


def _own_form() -> DateFormat | None:
    """The form of :func:`typed`, its zeros optional; none where it is the ISO one."""
    example = day_text(EXAMPLE_DAY.isoformat(), catalogue())
    return next((form for form in _TYPED if strict_day(example, form) == EXAMPLE_DAY), None)
