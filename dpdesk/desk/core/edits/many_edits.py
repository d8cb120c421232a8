# SPDX-License-Identifier: Apache-2.0
"""Edits of several columns at once: one study before, one after, one step of Undo."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from dpdesk.data.codebook.sources import typed
from dpdesk.desk.core.edits.study_edits import change_kind, has_field, new_column
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study


class Differs:
    """What stands for values that are not equal."""


DIFFERS = Differs()


def common(columns: Iterable[Column], key: str) -> Any:
    """The value that all columns declare, or ``DIFFERS``; ``None`` where there is no column."""
    values = [getattr(column, key, None) for column in columns]
    return DIFFERS if any(value != values[0] for value in values) else next(iter(values), None)


def change_columns(
    study: Study, names: Collection[str], change: Callable[[Column], Column]
) -> Study:
    """The study with a change made to each of the columns in use."""
    wanted = set(names)
    columns = tuple(change(c) if c.name in wanted else c for c in study.columns)
    return replace(study, columns=columns)


def set_field(study: Study, names: Collection[str], key: str, value: Any) -> Study:
    """The study with one value for a field of each column that has such a field."""

    def put(column: Column) -> Column:
        return typed(column, key, value) if has_field(column, key) else column

    return change_columns(study, names, put)


def set_kind(
    study: Study, names: Collection[str], kind: str, header: tuple[str, ...] = ()
) -> Study:
    """The study with columns of one kind; those that are not used yet are switched on."""
    used = use_columns(study, dict.fromkeys(names, kind), header)
    return change_columns(used, names, lambda column: change_kind(column, kind))


def use_columns(study: Study, kinds: dict[str, str], header: tuple[str, ...] = ()) -> Study:
    """Declare columns, each of its kind, in the file's order; those in use stay as they are."""
    order = {column: place for place, column in enumerate(header)}
    added = [new_column(n, kind) for n, kind in kinds.items() if study.column(n) is None]
    columns = sorted([*study.columns, *added], key=lambda c: order.get(c.name, len(order)))
    return replace(study, columns=tuple(columns)) if added else study


def leave_out_columns(study: Study, names: Collection[str]) -> Study:
    """Take the declarations of columns away; queries that use one will say so."""
    unwanted = set(names)
    return replace(study, columns=tuple(c for c in study.columns if c.name not in unwanted))
