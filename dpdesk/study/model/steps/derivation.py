# SPDX-License-Identifier: Apache-2.0
"""Which columns a derived column is made of, in which order they are made, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dpdesk.study.model.columns import Column
from dpdesk.study.model.steps.step import (
    BesideRow,
    CodePrefix,
    FileLabel,
    OfCase,
    OfPerson,
    PersonStep,
)
from dpdesk.study.model.tables import MAIN, PEOPLE, FurtherTable

Columns = Mapping[str, Column]


def operands(column: Column) -> tuple[str, ...]:
    """The declared columns that a column is made of directly; none where it is read."""
    return () if column.made_from is None else column.made_from.names


def with_operands(columns: Columns, names: Iterable[str]) -> frozenset[str]:
    """These columns with all that they are made of, directly or not; also in a circle."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name in found or name not in columns:
            continue
        found.add(name)
        left += operands(columns[name])
    return frozenset(found)


def homes_of(columns: Columns, tables: Iterable[FurtherTable]) -> dict[str, str]:
    """Where each column has its values: ``MAIN``, a further table's name, or ``PEOPLE``.

    A column is made where its operands have their values. Those of people stand beside every row
    of the person, in every table. Where operands have their values in two tables, which ``check``
    refuses, the first counts; a column of a circle has them in the main table.
    """
    of_people = {table.name for table in tables if table.is_of_people}
    found: dict[str, str] = {}
    for name in _operands_first(columns):
        found[name] = _home(columns, name, found, of_people)
    return {name: found[name] for name in columns}


def _operands_first(columns: Columns) -> Iterable[str]:
    """Each column after those that it is made of, however long the chain; in a circle, some."""
    entered: set[str] = set()
    # Most columns are of a file: hundreds are looked at anew at each keystroke.
    done = {name: None for name, column in columns.items() if column.made_from is None}
    left = [name for name in columns if name not in done]
    while left:
        name = left.pop()
        if name in done or name not in columns:
            continue
        if name in entered:
            done[name] = None
            continue
        entered.add(name)
        left += [name, *(one for one in operands(columns[name]) if one not in entered)]
    return done


def _home(columns: Columns, name: str, found: Mapping[str, str], of_people: set[str]) -> str:
    column = columns[name]
    step = column.made_from
    if step is None or isinstance(step, CodePrefix | FileLabel):
        return PEOPLE if column.table in of_people else column.table
    if isinstance(step, OfPerson):
        return PEOPLE
    if isinstance(step, OfCase):
        return MAIN
    made = [found.get(one, MAIN) for one in step.names if one in columns]
    # What stands beside a row differs from row to row, even where it is made of one value.
    others = MAIN if isinstance(step, BesideRow) or not made else PEOPLE
    return next((one for one in made if one != PEOPLE), others)


def needs_all_rows(columns: Columns, homes: Mapping[str, str], column: Column) -> bool:
    """Whether a derived column is made once all rows of every person are there, not before.

    It is where something that it is made of is a value of a person, or made of several rows.
    """
    made = with_operands(columns, (column.name,)) - {column.name}
    is_late = any(homes[name] == PEOPLE or _is_late(columns[name]) for name in made)
    return is_late or _is_late(column)


def _is_late(column: Column) -> bool:
    return isinstance(column.made_from, PersonStep)


def circle_of(columns: Columns, name: str) -> tuple[str, ...]:
    """The chain by which a column is made of itself, its name first and last; empty without one."""
    needed_by: dict[str, str] = {}
    left = [name]
    while left:
        last = left.pop()
        column = columns.get(last)
        for operand in () if column is None else operands(column):
            if operand == name:
                chain = [name, last]
                while chain[-1] != name:
                    chain.append(needed_by[chain[-1]])
                return tuple(reversed(chain))
            if operand not in needed_by:
                needed_by[operand] = last
                left.append(operand)
    return ()


def derived_in_order(columns: Columns) -> tuple[Column, ...]:
    """The derived columns, each after those that it is made of.

    Raises:
        ValueError: one of them is made of itself; the study was not checked.
    """
    done: dict[str, Column] = {}
    left = {name: column for name, column in columns.items() if column.made_from is not None}
    while left:
        ready = [name for name, one in left.items() if not any(o in left for o in operands(one))]
        if not ready:
            raise ValueError("a column is made of itself")
        for name in ready:
            done[name] = left.pop(name)
    return tuple(done.values())


def tables_with_cases(columns: Iterable[Column]) -> frozenset[str]:
    """The further tables whose rows some columns take by case."""
    steps = (column.made_from for column in columns)
    return frozenset(step.table for step in steps if isinstance(step, OfCase))
