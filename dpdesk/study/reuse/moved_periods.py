# SPDX-License-Identifier: Apache-2.0
"""The declared periods of a study, and the same study about later ones.

A registry's second report asks what the first one did, of the next year. What is moved are days
that a person declared: the span of a date column, both ends of a condition on days, a day up to
which a time is counted. Each moves by whole months, the last day of a month to the last day of
another one, so that a period keeps its length in months and as many groups. Nothing of this depends
on a file, and no price does: a query costs its share, whenever its days are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, timedelta
from typing import Any, Final, Literal, TypeVar

from dpdesk.study.model.columns import DateColumn, Replace
from dpdesk.study.model.conditions import DateBetween
from dpdesk.study.model.dates import FIRST_YEAR, LAST_YEAR, day_from_text
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping, Periods, column_of, labels_of
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.steps.step import TimeBetween

T = TypeVar("T")
LONGEST_MOVED: Final = 20
"""Years; a longer period, as of days of birth, is not proposed to be moved."""
END: Final = "end"
"""The last day of whatever month."""


@dataclass(frozen=True)
class DeclaredPeriod:
    """Days that are declared together.

    Attributes:
        what: the span of a date column; both ends of a condition; a day that a time is counted to
            or from.
        column: the date column; of a day the one at the time's other end, empty where there is
            none.
        first: the first day.
        last: the last one; the same where it is one day.
    """

    what: Literal["span", "condition", "day"]
    column: str
    first: date
    last: date

    @property
    def is_short(self) -> bool:
        """Whether it is proposed to be moved."""
        return self.last.year - self.first.year < LONGEST_MOVED


@dataclass(frozen=True)
class MovedPeriod:
    """A period of an earlier study, and what it is in a later one."""

    before: DeclaredPeriod
    now: DeclaredPeriod


Change = Callable[[DeclaredPeriod], DeclaredPeriod]


def periods_of(value: object) -> tuple[DeclaredPeriod, ...]:
    """Every period that is declared in a study, a query, or columns; each once."""
    found: dict[DeclaredPeriod, None] = {}

    def keep(period: DeclaredPeriod) -> DeclaredPeriod:
        found[period] = None
        return period

    _changed(value, keep)
    return tuple(found)


def periods_by_column(study: Study) -> dict[str, tuple[DeclaredPeriod, ...]]:
    """The declared periods of a study by their columns, which are moved together."""
    found: dict[str, list[DeclaredPeriod]] = {}
    for period in periods_of(study):
        found.setdefault(period.column, []).append(period)
    return {name: tuple(own) for name, own in found.items()}


def proposed_to_move(study: Study) -> tuple[str, ...]:
    """The columns whose periods are short, as a report's are: days of birth are no report's."""
    found = periods_by_column(study).items()
    return tuple(name for name, own in found if all(one.is_short for one in own))


def moved_day(day: date, months: int) -> date:
    """A day this many months later.

    >>> [str(moved_day(date(2025, 1, day), 1)) for day in (15, 30, 31)]
    ['2025-02-15', '2025-02-28', '2025-02-28']
    >>> str(moved_day(date(2025, 2, 28), 1)), str(moved_day(date(2024, 2, 28), 12))
    ('2025-03-31', '2025-02-28')

    Raises:
        ValueError: no declared period can be there.
    """
    first = 12 * day.year + day.month - 1 + months
    year, month = divmod(first, 12)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError("beyond what can be declared")
    end = _end_of(year, month + 1)
    return end if _is_end(day) else end.replace(day=min(day.day, end.day))


def _end_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _is_end(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def moved_period(period: DeclaredPeriod, months: int) -> DeclaredPeriod:
    """A period this many months later.

    Raises:
        ValueError: see :func:`moved_day`.
    """
    first, last = (moved_day(day, months) for day in (period.first, period.last))
    return replace(period, first=first, last=last)


def moved(value: T, months: int, which: Container[DeclaredPeriod]) -> T:
    """A study, a query or columns with some of its periods this many months later.

    Raises:
        ValueError: see :func:`moved_day`.
    """
    return _changed(value, lambda one: moved_period(one, months) if one in which else one)


def moved_study(study: Study, months: int, which: Container[DeclaredPeriod]) -> Study:
    """A study with some of its periods later; what compares its groups names the later ones.

    Raises:
        ValueError: see :func:`moved_day`.
    """
    later = moved(study, months, which)
    queries = tuple(_with_references(study, later, query) for query in later.queries)
    return replace(later, queries=queries)


def _with_references(study: Study, later: Study, query: Query) -> Query:
    by = {column_of(grouping): grouping for grouping in query.by if isinstance(grouping, Periods)}
    named = tuple(
        _with_reference(study, later, one, by[one.by]) if one.by in by else one
        for one in query.comparisons
    )
    return replace(query, comparisons=named)


def _with_reference(
    study: Study, later: Study, one: GroupComparison, grouping: Grouping
) -> GroupComparison:
    """A comparison whose reference is the period at the same place."""
    before, now = (
        () if column is None else labels_of(grouping, column)
        for column in (study.column(one.by), later.column(one.by))
    )
    at = before.index(one.reference) if one.reference in before else len(now)
    return replace(one, reference=now[at]) if at < len(now) else one


def at_any_time(value: T) -> tuple[T, tuple[tuple[str, ...], ...]]:
    """The same without when it is, and what of its periods does not depend on that.

    Two values are alike in both where one is the other with each period moved by whole months.
    """
    shapes: list[tuple[str, ...]] = []

    def forget(period: DeclaredPeriod) -> DeclaredPeriod:
        shapes.append((period.what, period.column, *_shape(period)))
        return replace(period, first=date(2000, 1, 1), last=date(2000, 1, 1))

    return _changed(value, forget), tuple(sorted(shapes))


def groups_at_any_time(
    by: Iterable[Grouping], labels: Iterable[tuple[str, ...]]
) -> list[int | tuple[str, ...]]:
    """What of a question's groups stays as its periods move: how many, and which weekdays.

    Args:
        by: its groupings.
        labels: the labels of each.
    """
    return [
        own if isinstance(one, Periods) and one.period == "weekday" else len(own)
        for one, own in zip(by, labels, strict=True)
    ]


def _shape(period: DeclaredPeriod) -> tuple[str, ...]:
    """Its length: from which day of its first month to which day of which later month."""
    first, last = period.first, period.last
    months = 12 * (last.year - first.year) + last.month - first.month
    ends = (END if _is_end(day) else str(day.day) for day in (first, last))
    return (str(months), *ends)


def period_differences(
    earlier: object, later: object
) -> tuple[int, tuple[MovedPeriod, ...]] | None:
    """By how many months the periods of one value are later than those of another, and which are.

    ``None`` where there is no such number: the number is that of all that differ. Whether the
    values differ in anything else is not asked.
    """
    before, now = (sorted(periods_of(one), key=_order) for one in (earlier, later))
    pairs = [MovedPeriod(*pair) for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
    if len(before) != len(now) or not pairs:
        return None
    months = _months(pairs[0])
    for pair in pairs:
        try:
            if moved_period(pair.before, months) != pair.now:
                return None
        except ValueError:
            return None
    return months, tuple(pairs)


def _order(period: DeclaredPeriod) -> tuple[str, str, date]:
    return period.what, period.column, period.first


def _months(pair: MovedPeriod) -> int:
    before, now = pair.before.first, pair.now.first
    return 12 * (now.year - before.year) + now.month - before.month


# --- where days are declared ----------------------------------------------------------------------


def _changed(value: T, change: Change) -> T:
    """A value with each of its periods changed; what has none is the same object."""
    new: Any = value
    if isinstance(value, tuple):
        each = tuple(_changed(one, change) for one in value)
        same = all(one is old for one, old in zip(each, value, strict=True))
        return value if same else each  # type: ignore[return-value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    period = _period(value)
    if period is not None and (now := change(period)) != period:
        new = _at(value, period, now)
    for field in fields(value):
        if (own := getattr(new, field.name)) is not (other := _changed(own, change)):
            new = replace(new, **{field.name: other})
    return new  # type: ignore[no-any-return]


def _period(value: object) -> DeclaredPeriod | None:
    if isinstance(value, DateColumn):
        if value.first is None or value.last is None:
            return None
        return DeclaredPeriod("span", value.name, value.first, value.last)
    if isinstance(value, DateBetween):
        return DeclaredPeriod("condition", value.column, value.first, value.last)
    if isinstance(value, TimeBetween):
        days = [end for end in value.between if isinstance(end, date)]
        return DeclaredPeriod("day", "".join(value.names), days[0], days[-1]) if days else None
    return None


def _at(value: Any, period: DeclaredPeriod, now: DeclaredPeriod) -> Any:
    if not isinstance(value, TimeBetween):
        ends = replace(value, first=now.first, last=now.last)
        return _with_constants(ends, period, now) if isinstance(ends, DateColumn) else ends
    days = iter((now.first, now.last))
    first, last = (next(days) if isinstance(end, date) else end for end in value.between)
    return replace(value, between=(first, last))


def _with_constants(column: DateColumn, period: DeclaredPeriod, now: DeclaredPeriod) -> DateColumn:
    """A moved date column, whose rules put a day so much later in a cell's place."""
    months = _months(MovedPeriod(period, now))
    rules: dict[str, Any] = {}
    for name in ("missing", "unparsable", "outside"):
        rule = getattr(column, name)
        day = day_from_text(str(rule.value)) if isinstance(rule, Replace) else None
        with suppress(ValueError):  # what is no day, or so far off, is refused where it is checked
            rules[name] = rule if day is None else Replace(str(moved_day(day, months)))
    changed: DateColumn = replace(column, **rules)
    return changed
