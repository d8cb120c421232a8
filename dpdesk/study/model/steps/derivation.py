# SPDX-License-Identifier: Apache-2.0
"""Which columns a derived column is made of, and in which order they are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dpdesk.study.model.columns import Column
from dpdesk.study.model.steps.step import BesideRow, OfPerson, PersonStep

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


def is_of_person(columns: Columns, name: str) -> bool:
    """Whether a column has one value for all rows of a person: made of that person's rows."""
    found, left = set[str](), [name]
    while left:
        one = left.pop()
        column = columns.get(one)
        if column is None or column.made_from is None:
            return False
        if one in found or isinstance(column.made_from, OfPerson):
            continue
        if isinstance(column.made_from, BesideRow) or not operands(column):
            return False
        found.add(one)
        left += operands(column)
    return True


def needs_all_rows(columns: Columns, column: Column) -> bool:
    """Whether a derived column is made once all rows of a person are there, not before."""
    made = with_operands(columns, (column.name,))
    return any(isinstance(columns[name].made_from, PersonStep) for name in made)


def circle_of(columns: Columns, name: str) -> tuple[str, ...]:
    """The chain by which a column is made of itself, its name first and last; empty without one."""
    ways: list[tuple[str, ...]] = [(name,)]
    seen = {name}
    while ways:
        way = ways.pop()
        column = columns.get(way[-1])
        for operand in () if column is None else operands(column):
            if operand == name:
                return (*way, name)
            if operand not in seen:
                seen.add(operand)
                ways.append((*way, operand))
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
