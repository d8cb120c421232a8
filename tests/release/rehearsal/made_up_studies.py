# SPDX-License-Identifier: Apache-2.0
"""Studies to rehearse: one query of each statistic, and a file that must not be opened."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Budget, Unit
from tests.asking import exists, query_for

STAY = NumberColumn("stay", Decimal(0), Decimal(50), Decimal(1), label="days")
COLUMNS = (
    STAY,
    CategoryColumn("ward", ("A", "B", "C")),
    CategoryColumn("sex", ("f", "m")),
    YesNoColumn("ok", ("yes",), ("no",)),
)


def asks(statistic: Statistic, **more: Any) -> Study:
    """One query of a statistic, neither account nor file declared."""
    alone = statistic == "randomised-response"
    unit = Unit(neighbours="change-one", people=2_000) if alone else Unit("pid", 2)
    unit = unit if exists(statistic, unit) else replace(unit, max_rows=1)
    share = (
        {"rho": Rho.of("0.5")} if statistic == "categories-found" else {"epsilon": Epsilon.of(1)}
    )
    query = query_for(statistic, STAY, **share, **more)
    # Without an account, what it will be kept in is all that is known of it.
    budget = Budget(rho=Rho.of(1)) if "rho" in share else None
    return Study(title="To rehearse", unit=unit, budget=budget, columns=COLUMNS, queries=(query,))
