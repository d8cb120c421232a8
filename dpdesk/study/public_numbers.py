# SPDX-License-Identifier: Apache-2.0
"""Numbers that declarations make public: how many rows, or people, all cells of a query hold.

Claim: where ``public_total`` gives N, every file that a release is not refused for has N rows (or
people) in the query's cells together. Why: neighbours have equally many people, and a file with
another number of them than the declared one is refused before anything is drawn
(``check_public_count``); each has one row that counts; and neither a condition nor a rule can leave
one out, whatever its cells hold: groups hold every row that has one. Whether a cell is missing is
known of every row.

A query that adds up nothing else and has one line has the answer N (``number_of``): it is the
same for every data set that may be released, so it is published as it is and costs nothing. Under
add-remove neighbours how many people there are is what a count protects, so that nothing is public.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod

from dpdesk.study.model.amount import Share
from dpdesk.study.model.columns import Column, keeps_every_row
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of, labels_of
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, Unit


def number_of(study: Study, query: Query) -> int | None:
    """The answer of a study's query where it is public; also of one that is not complete yet."""
    declared, unit = query.declaration, study.unit
    if unit is None or unit.neighbours != "change-one":
        return None
    if not declared.counts_all or declared.before_limit:
        return None
    unit, used, tables = asked_of(study, unit, query)
    columns = {column.name: column for column in used}
    groupings = [(grouping, columns.get(column_of(grouping))) for grouping in query.by]
    if prod(len(labels_of(by, column)) if column else 0 for by, column in groupings) != 1:
        return None
    return public_total(unit, query, used, tables)


def share_paid(study: Study, query: Query) -> Share | None:
    """What a query costs: the share that it is given, or nothing where its answer is public."""
    if number_of(study, query) is None:
        return query.share
    return (study.budget or Budget()).nothing


def public_total(
    unit: Unit, query: Query, used: Iterable[Column], tables: Sequence[FurtherTable]
) -> int | None:
    """How many rows, or people, a query's cells hold together, where that is public; else ``None``.

    Of people counted before the row limit, how many have an id.

    Args:
        unit: see ``asked_of``, and so are the others.
        query: what is asked.
        used: every column that it uses.
        tables: the further tables that its answer depends on.
    """
    if query.declaration.before_limit:
        return public_people(unit, tables)
    # In one cell each person is counted once, however many rows there are.
    is_once = unit.max_rows == 1 or (query.declaration.unit == "people" and not query.by)
    if unit.neighbours != "change-one" or not is_once or query.where:
        return None
    if query.of == "rows" and tables:
        # Somebody may have rows in another table alone.
        return None
    if query.of == "people" and unit.without_id != "drop":
        # Whether there are rows without an id, who are one person but in no table, is secret.
        return None
    if query.members.get("late") == "leave-out":
        # Whose entry is not before the time is secret.
        return None
    has = query.members.get("has", ())
    own = set(query.parameters.names) - {condition.column for condition in has}
    requested = own | {c.column for c in has if not isinstance(c, IsMissing)}
    requested |= {query.column} if query.column else set()
    requested |= {column_of(grouping) for grouping in query.by}
    kept = all(keeps_every_row(column) for column in used if column.name in requested)
    return unit.people if kept else None


def public_people(unit: Unit, tables: Sequence[FurtherTable]) -> int | None:
    """How many people with an id have rows, where that is public; else ``None``.

    It is the public number of people where nobody's rows lack an id, and there is one table: in
    another one alone somebody may have all of theirs.
    """
    if unit.neighbours != "change-one" or unit.without_id != "drop" or tables:
        return None
    return unit.people


def asked_of(
    study: Study, unit: Unit, query: Query
) -> tuple[Unit, tuple[Column, ...], tuple[FurtherTable, ...]]:
    """Unit, columns and further tables as a query's answer depends on them.

    The limit on rows is one where rows are counted before it, or are people: one that is chosen
    afterwards asks the same question. The columns are all that it uses, and what those are made of,
    by name. The tables are all of the study's where people are asked of, for each id in any of
    them is a person, and under change-one, for the public number of people is that of all together.
    """
    if query.declaration.before_limit or query.of == "people":
        unit = replace(unit, max_rows=1)
    names = study.with_operands(query.names)
    used = sorted((c for c in study.columns if c.name in names), key=lambda c: c.name)
    of_all = unit.neighbours == "change-one" or query.of == "people"
    return unit, tuple(used), study.tables if of_all else study.tables_of(names)
