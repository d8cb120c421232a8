# SPDX-License-Identifier: Apache-2.0
"""Columns that a schema of dpdesk declares beside the fields of its file, as a study does.

Derived columns with their recipes, and columns of further tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from dpdesk.data.codebook.entry import CodebookEntry
from dpdesk.study import limits
from dpdesk.study.json.json_reader import ObjectReader
from dpdesk.study.json.strict_json import Json
from dpdesk.study.json.study_reader import column_from
from dpdesk.study.model.columns import CodebookKind, Column, Origin, plain_name
from dpdesk.study.model.steps.derivation import circle_of
from dpdesk.study.problem import Problem, Refused, refuse

T = TypeVar("T")
DERIVED = "derived"
"""The member of dpdesk's property that lists them."""


@dataclass(frozen=True)
class Recipe:
    """A column as a study declares it, and its place in the codebook."""

    column: Column
    place: str

    @property
    def name(self) -> str:
        return plain_name(self.column.name)

    def finish(self, kind: CodebookKind) -> CodebookEntry:
        column = replace(self.column, origin=Origin(kind))
        return CodebookEntry(self.name, column, title=column.title, place=self.place)


def read_listed(
    own: dict[str, Json], key: str, read: Callable[[ObjectReader], T | None], path: str
) -> tuple[T, ...]:
    """What dpdesk's property lists under a key, as a study's file has it.

    Raises:
        Refused: the first problem that a study's reader has.
    """
    problems: list[Problem] = []
    found = ObjectReader({key: own.get(key)}, path, problems).objects(key, read, limits.MAX_COLUMNS)
    if problems:
        raise Refused(problems[:1])
    return found


def read_recipes(own: Json, path: str) -> Iterator[Recipe]:
    """The columns that dpdesk's property lists, in order.

    Args:
        own: the property; anything but an object lists none, as another program may use its name.
        path: where it is.

    Raises:
        Refused: one problem, the first: what a study's reader says of a column, or
            ``codebook-column-of-file``, ``codebook-name-missing``, ``step-circle`` (chain).
    """
    if not isinstance(own, dict) or DERIVED not in own:
        return
    columns: tuple[Column, ...] = read_listed(own, DERIVED, column_from, path)
    by_name = {column.name: column for column in columns}
    for at, column in enumerate(columns):
        place = f"{path}.{DERIVED}[{at}]"
        if not plain_name(column.name):
            raise refuse("codebook-name-missing", place)
        if column.made_from is None and not column.table:
            raise refuse("codebook-column-of-file", place, name=column.name)
        if circle := circle_of(by_name, column.name):
            raise refuse("step-circle", f"{place}.from", chain=" ← ".join(circle))
        yield Recipe(column, place)
