# SPDX-License-Identifier: Apache-2.0
"""The queries that most studies begin with, made from complete declarations alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, zip_longest

from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    NumberColumn,
    YesNoColumn,
    group_labels,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.steps.step import OfPerson
from dpdesk.study.reuse.asked_of_people import asked_of_people

MOST = 4
MOST_GROUPS = 20
"""A column with more groups is not suggested to be counted by: most of them would be too small."""


def first_queries(study: Study, most: int = MOST) -> tuple[Query, ...]:
    """What to ask first of the declared columns, each kind of question in its turn.

    None has an id or a share: anyone who adds one gives it both. They follow from the declarations
    alone, whatever queries there are, so that one stays in its place after it was added.
    """
    columns = _complete(study)
    kinds = (_counts(study, columns), _means(columns), _medians(columns), _shares(study, columns))
    in_turn = chain.from_iterable(zip_longest(*kinds))
    asked = (asked_of_people(study, query) for query in in_turn if query is not None)
    return tuple(islice(asked, most))


def is_asked(study: Study, suggestion: Query) -> bool:
    """Whether a study has a query that asks the same of everybody."""
    return any(_asks(query) == _asks(suggestion) for query in study.queries)


def _asks(query: Query) -> tuple[object, ...]:
    return query.statistic, query.parameters, query.by, query.where, query.of


def _complete(study: Study) -> tuple[Column, ...]:
    person = study.unit.person if study.unit else None
    found = []
    for column in study.asked_columns:
        if column.name != person and not any(check_column(column, "$", study.missing_of(column))):
            found.append(column)
    return tuple(found)


def _counts(study: Study, columns: tuple[Column, ...]) -> Iterator[Query]:
    """People where a column tells them apart, else rows: for each group, or in all."""
    has_people = study.unit is not None and study.unit.person is not None
    counted: Statistic = "count-people" if has_people else "count"
    groupings: list[tuple[str, ...]] = [
        (column.name,) for column in columns if 0 < len(group_labels(column)) <= MOST_GROUPS
    ]
    for by in groupings or [()]:
        yield Query("").having(statistic=counted, by=by)


def _means(columns: tuple[Column, ...]) -> Iterator[Query]:
    return (_of("mean", column) for column in columns if isinstance(column, NumberColumn))


def _medians(columns: tuple[Column, ...]) -> Iterator[Query]:
    return (_of("median", column) for column in columns if isinstance(column, NumberColumn))


def _of(statistic: Statistic, column: NumberColumn) -> Query:
    return Query("").having(statistic=statistic, column=column.name)


def _shares(study: Study, columns: tuple[Column, ...]) -> Iterator[Query]:
    """How many of 100 rows, or people, have a property that is either there or not.

    What is said of each person comes first, and the same is not asked of rows then.
    """
    tested = set(map(_tested_of_people, columns))
    asked = [column for column in columns if column.name not in tested]
    for column in sorted(asked, key=lambda column: not study.is_of_person(column.name)):
        if isinstance(column, YesNoColumn) and column.yes:
            has = (IsIn(column.name, column.yes[:1]),)
            yield Query("").having(statistic="share", has=has)
        elif isinstance(column, CategoryColumn) and len(column.values) == 2:
            has = (IsIn(column.name, column.values[:1]),)
            yield Query("").having(statistic="share", has=has)


def _tested_of_people(column: Column) -> str:
    """The one column that a person's yes or no is about; empty where it is another value."""
    step = column.made_from
    is_tested = isinstance(step, OfPerson) and step.what in ("any", "all")
    names = step.names if step is not None and is_tested else ()
    return names[0] if len(names) == 1 else ""
