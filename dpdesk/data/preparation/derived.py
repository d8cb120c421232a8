# SPDX-License-Identifier: Apache-2.0
"""A table's derived columns that one row says, batch by batch; for the others ``late_columns``."""

from __future__ import annotations

from collections.abc import Mapping

from dpdesk.data.encoding.column_coder import CodedColumn
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.row_steps import clock_of, compile_step
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import derived_in_order, needs_all_rows
from dpdesk.study.model.steps.step import FileLabel, with_clock
from dpdesk.study.model.tables import MAIN


class DerivedColumns:
    """Makes the derived columns, each after those that it is made of."""

    def __init__(self, study: Study, table: str = MAIN) -> None:
        """Compile the steps.

        Args:
            study: a sound study; see ``study.checks.step_checks``.
            table: of whose rows they are.
        """
        self._columns = study.by_name
        self._steps = [
            (one.name, compile_step(one, self._columns))
            for one in derived_in_order(self._columns)
            if one.header is None
            and not isinstance(one.made_from, FileLabel)
            and study.homes[one.name] == table
            and not needs_all_rows(self._columns, study.homes, one)
        ]

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
        """Add the codes of derived columns to those of the others.

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
