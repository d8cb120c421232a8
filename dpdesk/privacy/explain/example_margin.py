# SPDX-License-Identifier: Apache-2.0
"""What bounds cost, by one example common to all: the mean of so many rows for so much budget.

It compares ranges before anything is asked, from declarations alone.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.accounting.accuracy import margin_for
from dpdesk.study.model.amount import Share
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit

ROWS = 1_000


def example_margin(unit: Unit | None, column: NumberColumn, share: Share) -> Fraction | None:
    """The margin of the column's mean over ``ROWS`` rows; ``None`` where its bounds are no grid.

    Args:
        unit: whose privacy; how many people there are is taken for a secret, so that the example
            is the same for all.
        column: with the bounds to judge.
        share: what the mean costs.
    """
    whose = replace(unit or Unit(), neighbours="add-remove", people=None)
    plain = NumberColumn("x", column.lower, column.upper, column.step)
    study = Study(unit=whose, budget=Budget("example"), columns=(plain,))
    if share.measure == "rho":
        study = replace(study, budget=Budget("example", rho=share))  # type: ignore[arg-type]
    return margin_for(study, Query("example", "mean", "x", expected=ROWS), share)
