# SPDX-License-Identifier: Apache-2.0
"""Readmissions within 30 days per 1,000 days in hospital: by age, standardised, and as a ratio.

The rate by age group, the rate standardised by the European standard population 2013 for each sex,
and the ratio to the rates of both sexes together, without noise, as pandas works them out of the
same file. Published figures are rounded; so are those of pandas, to the same decimals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final

import pandas as pd

from dpdesk.study.model.amount import MAX_SHARE, Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    RateParameters,
    ReferenceParameters,
    StandardParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.text.titles import sentence
from tests.acceptance.prepare import released

FILE: Final = "diabetes130/diabetic_data.csv"
AGES: Final = tuple(f"[{low}-{low + 10})" for low in range(0, 100, 10))
EUROPE: Final = (10_500, 11_000, 12_000, 13_500, 14_000, 13_500, 11_500, 9_000, 4_000, 1_000)
"""The European standard population 2013 by tens of years, added up by hand; the last is open."""
REFERENCE: Final = tuple(map(Decimal, ("5", "13", "30", "26", "24", "22", "24", "26", "26", "24")))
"""Made up, as rates from elsewhere are."""
SOON: Final = (IsIn("readmitted", ("<30",)),)
SHARE: Final = Epsilon(MAX_SHARE["epsilon"].units // 3)
"""A third of the most there can be; the rate by sex and age is drawn once for two queries."""

Figures = Mapping[tuple[str, ...], float]


def study() -> Study:
    """The study that is released."""
    rate = {"has": SOON, "column": "time_in_hospital", "per": 1_000}
    asked = {"epsilon": SHARE, "by": ("gender",)}
    return Study(
        title="Readmissions",
        data=DataSource("diabetic_data.csv", extract="1999-2008", missing=("?",)),
        unit=Unit(None),
        budget=Budget("diabetes", Epsilon(3 * SHARE.units)),
        columns=(
            NumberColumn("time_in_hospital", Decimal(1), Decimal(14), Decimal(1), label="days"),
            CategoryColumn("age", AGES),
            CategoryColumn("gender", ("Female", "Male")),
            CategoryColumn("readmitted", ("<30", ">30", "NO")),
        ),
        queries=(
            Query("rate", "rate", RateParameters(**rate), ("age",), epsilon=SHARE),
            Query(
                "direct",
                "standardised-rate",
                StandardParameters(**rate, over="age", standard="european-2013"),
                **asked,
            ),
            Query(
                "indirect",
                "standardised-ratio",
                ReferenceParameters(**rate, over="age", reference=REFERENCE),
                **asked,
            ),
        ),
    )


def by_pandas(path: Path) -> dict[str, Figures]:
    """The same figures, by query and group."""
    cells = pd.read_csv(path, usecols=["age", "gender", "time_in_hospital", "readmitted"])
    cells = cells[cells["gender"].isin(["Female", "Male"])]
    cells["events"] = cells["readmitted"] == "<30"
    both = pd.read_csv(path, usecols=["age", "time_in_hospital", "readmitted"])
    both["events"] = both["readmitted"] == "<30"
    whole = both.groupby("age")[["events", "time_in_hospital"]].sum()
    rate = 1_000 * whole["events"] / whole["time_in_hospital"]
    sums = cells.groupby(["gender", "age"])[["events", "time_in_hospital"]].sum()
    direct, indirect = {}, {}
    for sex in ("Female", "Male"):
        one = sums.loc[sex].loc[list(AGES)]
        rates = 1_000 * one["events"] / one["time_in_hospital"]
        direct[sex,] = float((rates.to_numpy() * EUROPE).sum() / sum(EUROPE))
        expected = (one["time_in_hospital"].to_numpy() * [*map(float, REFERENCE)]).sum() / 1_000
        indirect[sex,] = float(one["events"].sum() / expected)
    return {
        "rate": {(age,): float(rate[age]) for age in AGES},
        "direct": direct,
        "indirect": indirect,
    }


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """One line a query; see ``publish``."""
    path = shared / FILE
    if not path.is_file():
        yield f"rates         skipped: {FILE} is not on this machine", True
        return
    asked, theirs = study(), by_pandas(path)
    ours = released(asked, path.parent)
    for query in asked.queries:
        differing = [
            " ".join(group)
            for group, figure in ours[query.id].items()
            if not _is_rounded(theirs[query.id][group], figure)
        ]
        said = f"as in pandas (figures: {len(ours[query.id])})"
        if differing:
            said = f"DIFFERS in {', '.join(differing)}"
        yield f"rates         {sentence(asked, query)}: {said}", not differing


def _is_rounded(exact: float, published: Decimal) -> bool:
    """Whether a published figure is the exact one to its decimals.

    >>> _is_rounded(1.2345, Decimal("1.23")), _is_rounded(1.2345, Decimal("1.24"))
    (True, False)
    """
    unit = Decimal(1).scaleb(int(published.as_tuple().exponent))
    return abs(Decimal(exact) - published) <= unit / 2 * Decimal("1.000001")
