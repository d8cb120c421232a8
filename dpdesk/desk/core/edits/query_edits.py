# SPDX-License-Identifier: Apache-2.0
"""Edits of one query: what a statistic needs is filled with public defaults, the rest let go."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpdesk.desk.core.edits import study_edits
from dpdesk.privacy.planning.remedies import cells
from dpdesk.privacy.planning.weak import guessed_size
from dpdesk.study import limits
from dpdesk.study.checks.by_statistic.comparison_checks import without_vain_comparisons
from dpdesk.study.checks.by_statistic.member_checks import without_vain_limit
from dpdesk.study.model.amount import Delta, Share
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    NumberColumn,
    YesNoColumn,
    column_title,
    group_labels,
    number_grid,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import bin_ends, column_of, has_open_end
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.parameters import (
    OWN_WEIGHTS,
    ColumnParameters,
    IncidenceParameters,
    StandardName,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.standard_populations import first_edges
from dpdesk.study.text.query_ids import free_id, slug

FIRST_DELTA = Delta.of("1e-10")
FIRST_TOP_CODE = 10
FIRST_PER = 1_000
FIRST_STANDARD: StandardName = "european-2013"
"""People with so many rows or more are counted together, until somebody says otherwise."""
_AUTOMATIC = re.compile(r"[a-z0-9-]+-[0-9]+")


def set_statistic(study: Study, query: Query, statistic: Statistic) -> Query:
    """The same query with another statistic.

    What the new statistic has no use for goes, a heading that named the old one too; what it
    needs comes with a default made of declared things alone; groups that it cannot have are
    dropped from the end, and so are conditions.
    """
    declared = DECLARATIONS[statistic]
    made = query.having(
        statistic=statistic,
        column=first_column(study, query, statistic),
        by=query.by[: declared.groups],
        where=() if declared.before_limit else query.where,
        title=query.title if statistic == query.statistic else "",
        noise=query.noise if declared.chooses is None else "auto",
    )
    return named(study, query, _filled(study, replace(made, stray=())))


def is_offered(study: Study, statistic: Statistic) -> bool:
    """Whether a study can ask for a statistic: rows per person needs a person ID column."""
    unit = study.unit
    has_person = unit is not None and unit.person is not None
    return has_person or not DECLARATIONS[statistic].before_limit


def ask_rows_per_person(study: Study, share: Share) -> Study:
    """The study with a query for rows per person, unless it has one or every row is a person."""
    if any(q.declaration.before_limit for q in study.queries):
        return study
    if not is_offered(study, "rows-per-person"):
        return study
    query = set_statistic(study, Query(""), "rows-per-person").at_share(share)
    return study_edits.add_query(study, replace(query, id=free_id(study, query)))


def estimate_bounds(study: Study, name: str, share: Share) -> Study:
    """The study with a query for a column's bounds, unless the column has no step yet.

    A column that has such a query already gets no other.
    """
    column = study.column(name)
    if not isinstance(column, NumberColumn) or bounds_query(study, name) is not None:
        return study
    if column.step is None:
        return study
    query = Query("", "bounds", ColumnParameters(name)).at_share(share)
    return study_edits.add_query(study, replace(query, id=free_id(study, query)))


def bounds_query(study: Study, name: str) -> Query | None:
    """The query that asks for a column's bounds; ``None`` where there is none."""
    finding = (q for q in study.queries if q.declaration.finds == "bounds" and q.column == name)
    return next(finding, None)


def needs_bounds(study: Study, name: str) -> tuple[Query, ...]:
    """The queries that cannot be released before a column's bounds are declared."""
    column = study.column(name)
    if not isinstance(column, NumberColumn) or not is_unbounded(column):
        return ()
    return tuple(q for q in study.queries if name in q.names and q.declaration.finds != "bounds")


def with_guess(study: Study, query: Query) -> Query:
    """The query with a group's size that follows from what was typed for another, or declared.

    A ratio alone needs one, for its margin. What is typed once is not asked again: the rows of
    all groups together stay the same, and are split equally.
    """
    if query.expected is not None or query.where or not query.declaration.is_ratio:
        return query
    size = guessed_size(study, query, at_most=False)
    return query if size is None else replace(query, expected=_as_guess(size))


def regrouped(study: Study, before: Query, after: Query) -> Query:
    """A query that was edited; in other groups its guess is one of the same rows in all.

    A limit for each group, or a comparison, goes with what it needs, such as the last grouping.
    """
    if after.rows_per_group is not None:
        after = without_vain_limit(study, after)
    if after.comparisons and (after.by, after.statistic) != (before.by, before.statistic):
        after = without_vain_comparisons(study, after)
    if after.statistic != before.statistic:
        after = with_guess(study, after)
    own = after.parameters
    has_times = isinstance(own, TimeToEventParameters) and bool(own.times)
    if has_times and after.members["edges"] != before.members.get("edges"):
        after = with_known_times(study, after)
    if after.expected is None or after.expected != before.expected or after.by == before.by:
        return after
    rows = after.expected * max(1, cells(study, before.by))
    size = Fraction(rows, max(1, cells(study, after.by)))
    return replace(after, expected=_as_guess(size))


def is_carried_over(study: Study, query: Query) -> bool:
    """Whether a query's guess is what another query's would give."""
    others = replace(study, queries=tuple(q for q in study.queries if q.id != query.id))
    carried = with_guess(others, replace(query, expected=None))
    return carried.expected is not None and carried.expected == query.expected


def _as_guess(size: Fraction) -> int:
    """A whole number of two digits that matter: a guess is no more exact.

    >>> _as_guess(Fraction(101766, 9)), _as_guess(Fraction(1, 3)), _as_guess(Fraction(87))
    (11000, 1, 87)
    """
    whole = min(max(1, round(size)), limits.ROW_CAP)
    return round(whole, min(0, 2 - len(str(whole))))


def named(study: Study, before: Query, after: Query) -> Query:
    """The query under the name that it would be given now, unless it was named by hand."""
    stem = slug(f"{before.statistic}-{before.column or ''}")[:34]
    automatic = _AUTOMATIC.fullmatch(before.id) and before.id.rsplit("-", 1)[0] == stem
    if not automatic or slug(f"{after.statistic}-{after.column or ''}")[:34] == stem:
        return after
    others = replace(study, queries=tuple(q for q in study.queries if q.id != before.id))
    return replace(after, id=free_id(others, after))


def fits(column: Column, statistic: Statistic) -> bool:
    """Whether a statistic can be computed of a column of this kind."""
    kinds: dict[str | None, tuple[type, ...]] = {
        "number": (NumberColumn,),
        "groups": (CategoryColumn, YesNoColumn),
        "category": (CategoryColumn,),
        None: (),
    }
    return isinstance(column, kinds[DECLARATIONS[statistic].column])


def first_column(study: Study, query: Query, statistic: Statistic) -> str | None:
    """The query's own column where it fits, else the first that does.

    An age is the last to be an exposure or the time of a curve.
    """
    own = study.column(query.column)
    if own is not None and fits(own, statistic):
        return own.name
    taken = set(map(column_of, query.by[: DECLARATIONS[statistic].groups]))
    fitting = [c for c in study.asked_columns if fits(c, statistic) and c.name not in taken]
    of_time = issubclass(DECLARATIONS[statistic].parameters, TimeToEventParameters)
    if of_time or DECLARATIONS[statistic].unit in ("per", "ratio"):
        fitting.sort(key=is_called_age)
    return fitting[0].name if fitting else None


FIRST_QUANTILES = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))
"""The quantiles that a query begins with."""


def _filled(study: Study, query: Query) -> Query:
    """Defaults for members that must be there and are not."""
    column = study.column(query.column)
    defaults: dict[str, Callable[[], Any]] = {
        "quantiles": lambda: FIRST_QUANTILES,
        "edges": lambda: first_bins(column, query),
        "candidates": lambda: on_grid(column, 10),
        "score": lambda: "value-times-count",
        "top_code": lambda: FIRST_TOP_CODE,
        "per": lambda: FIRST_PER,
        "delta": lambda: FIRST_DELTA,
        "has": lambda: first_property(study, query),
        "over": lambda: first_ages(study, query),
        "standard": lambda: FIRST_STANDARD,
        "reference": tuple,
        "columns": lambda: first_explaining(study, query),
    }
    missing = [key for key in query.parameters.needed if key not in query.members]
    made = query.having(**{key: defaults[key]() for key in missing})
    if isinstance(made.parameters, TimeToEventParameters):
        made = with_known_times(study, made)
    return over_ages(study, made, made.members["over"]) if made.members.get("over") else made


def first_ages(study: Study, query: Query) -> str | None:
    """The first column that is called age, else the first category: of age groups."""
    taken = {query.column, *map(column_of, query.by)}
    fitting = [one for one in age_columns(study) if one.name not in taken]
    named = [one for one in fitting if is_called_age(one)]
    plain = [one for one in fitting if isinstance(one, CategoryColumn)]
    return next((one.name for one in (*named, *plain)), None)


def is_called_age(column: Column) -> bool:
    """Whether its name or title has the word age in it, in a language of the program."""
    words = re.split(r"[\W_0-9]+", f"{column.name} {column_title(column)}".casefold())
    return not {"age", "alter"}.isdisjoint(words)


def age_columns(study: Study) -> list[Column]:
    """Columns that can make age groups."""
    return [one for one in study.asked_columns if isinstance(one, NumberColumn | CategoryColumn)]


def over_ages(study: Study, query: Query, name: str) -> Query:
    """The query over the age groups of a column; of numbers ten years wide."""
    column, now = study.column(name), query.members
    if not isinstance(column, NumberColumn):
        return query.having(over=name, edges=())
    if now.get("over") == name and now.get("edges"):
        return query
    wanted = now.get("standard", FIRST_STANDARD)
    standard = FIRST_STANDARD if wanted == OWN_WEIGHTS else wanted
    return query.having(over=name, edges=tuple(map(Decimal, first_edges(standard, column))))


def first_bins(column: Column | None, query: Query) -> tuple[Decimal, ...]:
    """Where ten bins begin; those of a curve over time end with one of the highest time alone."""
    edges = on_grid(column, 10)[1:]
    is_curve = isinstance(query.parameters, TimeToEventParameters)
    return edges if is_curve else edges[:-1] or edges


def with_known_times(study: Study, query: Query) -> Query:
    """A curve over time with those of its times at which a bin ends.

    Where none is left, figures are published in the middle and at the end of its bins: at the end
    alone, where fewest are at risk, noise may hide them all.
    """
    own, column = query.parameters_as(TimeToEventParameters), study.column(query.column)
    if not own.edges or not isinstance(column, NumberColumn) or not on_grid(column, 1):
        return query
    ends = [Decimal(end) for end in bin_ends(column, own.edges)]
    known = tuple(time for time in own.times if time in ends)
    closed = ends[: len(ends) - has_open_end(column, own.edges)]
    proposed = (closed[(len(closed) - 1) // 2], closed[-1])
    return query.having(times=known or tuple(sorted({*proposed})))


def on_grid(column: Column | None, parts: int) -> tuple[Decimal, ...]:
    """Values that cut a number column's range into about this many parts; none without bounds."""
    if not isinstance(column, NumberColumn) or column.lower is None or column.step is None:
        return ()
    try:
        last = number_grid(column).last
    except ValueError:
        return ()
    places = sorted({round(last * part / parts) for part in range(parts + 1)})
    return tuple((column.lower + place * column.step).normalize() + 0 for place in places)


def first_explaining(study: Study, query: Query) -> tuple[str, ...]:
    """The first column that can explain an outcome."""
    return explaining(study, query)[:1]


def explaining(study: Study, query: Query) -> tuple[str, ...]:
    """Columns that can explain the outcome of a linear model, by their names."""
    kinds = (NumberColumn, YesNoColumn)
    fitting = (one for one in study.asked_columns if isinstance(one, kinds))
    return tuple(one.name for one in fitting if one.name != query.column)


def first_property(study: Study, query: Query | None = None) -> tuple[IsIn, ...]:
    """A property to begin with: the first yes/no column's yes, else a category's first value.

    Kinds of event begin with the first two values of a category.
    """
    if query is not None and isinstance(query.parameters, IncidenceParameters):
        for column in study.asked_columns:
            if isinstance(column, CategoryColumn) and len(column.values) > 1:
                return (IsIn(column.name, column.values[:2]),)
    for kind in (YesNoColumn, CategoryColumn):
        for column in study.asked_columns:
            if isinstance(column, kind) and group_labels(column):
                label = (
                    column.yes[0] if isinstance(column, YesNoColumn) else group_labels(column)[0]
                )
                return (IsIn(column.name, (label,)),)
    return ()
