# SPDX-License-Identifier: Apache-2.0
"""A study's derived columns: for each batch what one row says, then what a person's rows say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encoding.column_coder import CodedColumn
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.grid_places import Ints
from dpdesk.data.preparation.person_steps import PersonRows, person_codes
from dpdesk.data.preparation.row_steps import clock_of, compile_step
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import derived_in_order, needs_all_rows
from dpdesk.study.model.steps.step import PersonStep, with_clock

Content = Callable[[Ints], list[npt.NDArray[Any]]]

_PART_ROWS = 1 << 18
"""Of columns that are made late these many rows are worked on at a time."""


class DerivedColumns:
    """Makes the derived columns, each after those that it is made of."""

    def __init__(self, study: Study) -> None:
        """Compile the steps.

        Args:
            study: a sound study; see ``study.checks.step_checks``.
        """
        self._columns = study.by_name
        made = [c for c in derived_in_order(self._columns) if c.header is None]
        self._late = [
            column for column in made if needs_all_rows(self._columns, study.homes, column)
        ]
        self._steps = [
            (c.name, compile_step(c, self._columns)) for c in made if c not in self._late
        ]

    @property
    def late(self) -> frozenset[str]:
        """The columns that are made once all rows are there."""
        return frozenset(column.name for column in self._late)

    @property
    def clocks(self) -> frozenset[str]:
        """The date columns whose time of day is asked for."""
        steps = (column.made_from for column in self._columns.values())
        return frozenset(name for step in steps for name in with_clock(step))

    def add_to(
        self,
        codes: dict[str, Codes],
        stores: dict[str, CodedColumn],
        clocks: Mapping[str, Codes],
    ) -> None:
        """Add the codes of derived columns to those of the others, but for the late ones.

        Args:
            codes: a batch's codes by name.
            stores: the store of each column, which knows its rule for missing cells.
            clocks: the seconds of the day of date columns, by name.
        """
        cells = {name: stores[name].encoded(of_rows) for name, of_rows in codes.items()}
        cells |= {clock_of(name): EncodedColumn(c, MISSING) for name, c in clocks.items()}
        for name, step in self._steps:
            codes[name] = stores[name].as_stored(step(cells))
            cells[name] = stores[name].encoded(codes[name])

    def add_late(self, stores: dict[str, CodedColumn], keys: Keys, content: Content) -> PersonRows:
        """Make the late columns of all rows.

        Args:
            stores: the columns by name; those that are not late hold all rows.
            keys: whose each row is.
            content: what rows hold.
        """
        seen = PersonRows.of(keys, content)
        for column in self._late:
            stores[column.name].add(self._made_late(column, stores, seen))
        return seen

    def _made_late(self, column: Column, stores: dict[str, CodedColumn], seen: PersonRows) -> Codes:
        names = () if column.made_from is None else column.made_from.names
        cells = {name: stores[name].encoded(stores[name].all()) for name in names}
        if isinstance(column.made_from, PersonStep):
            codes = person_codes(column, self._columns, cells, seen)
            return stores[column.name].as_stored(codes)
        step, made = compile_step(column, self._columns), [np.zeros(0, np.int8)]
        for start in range(0, seen.count, _PART_ROWS):
            part = slice(start, start + _PART_ROWS)
            own = {name: stores[name].encoded(cells[name].codes[part]) for name in names}
            made.append(stores[column.name].as_stored(step(own)))
        return np.concatenate(made)
