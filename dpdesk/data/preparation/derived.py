# SPDX-License-Identifier: Apache-2.0
"""A study's derived columns, made for each batch from the columns that were read."""

from __future__ import annotations

from dpdesk.data.encoding.column_coder import CodedColumn
from dpdesk.data.encoding.table import Codes
from dpdesk.data.preparation.row_steps import compile_step
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import derived_in_order


class DerivedColumns:
    """Makes the derived columns of a batch of rows, each after those that it is made of."""

    def __init__(self, study: Study) -> None:
        """Compile the steps.

        Args:
            study: a sound study; see ``study.checks.step_checks``.
        """
        columns = study.by_name
        self._steps = [
            (column.name, compile_step(column, columns))
            for column in derived_in_order(columns)
            if column.header is None
        ]

    def add_to(self, codes: dict[str, Codes], stores: dict[str, CodedColumn]) -> None:
        """Add the derived columns' codes to those of the others.

        Args:
            codes: a batch's codes by name.
            stores: the store of each column, which knows its rule for missing cells.
        """
        cells = {name: stores[name].encoded(of_rows) for name, of_rows in codes.items()}
        for name, step in self._steps:
            codes[name] = stores[name].as_stored(step(cells))
            cells[name] = stores[name].encoded(codes[name])
