# SPDX-License-Identifier: Apache-2.0
"""Readmissions within 30 days per 1,000 days in hospital: by age, standardised, and as a ratio.

The rate by age group, the rate standardised by the European standard population 2013 for each sex,
and the ratio to the rates of both sexes together, without noise, as pandas works them out of the
same file. Published figures are rounded; so are those of pandas, to the same decimals. At epsilon
1 each of 400 releases is of 10,000 stays of its own, drawn from the file's: how often ranges of the
noise hold the figure of these stays, and those of noise and chance the figure of the file. That is
of people from 30 on, as few are younger: a standardised rate is stated where each age group has an
exposure beyond the noise.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final

import numpy as np
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
from tests.acceptance.publish.coverage import RELEASES, Held, rows_of, within
from tests.acceptance.publish.coverage import released as released_once

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
ROWS: Final = 10_000
FROM_30: Final = 3
"""The first age group of those that have many people."""


def study(share: Epsilon = SHARE, first: int = 0) -> Study:
    """The study that is released, of one age group and those that follow it."""
    weights = tuple(map(Decimal, EUROPE[first:]))
    standard = {"standard": "own", "weights": weights} if first else {"standard": "european-2013"}
    rate = {"has": SOON, "column": "time_in_hospital", "per": 1_000}
    asked = {"epsilon": share, "by": ("gender",), "population": True}
    return Study(
        title="Readmissions",
        data=DataSource("diabetic_data.csv", extract="1999-2008", missing=("?",)),
        unit=Unit(None),
        budget=Budget("diabetes", Epsilon(3 * share.units)),
        columns=(
            NumberColumn("time_in_hospital", Decimal(1), Decimal(14), Decimal(1), label="days"),
            CategoryColumn("age", AGES[first:]),
            CategoryColumn("gender", ("Female", "Male")),
            CategoryColumn("readmitted", ("<30", ">30", "NO")),
        ),
        queries=(
            Query("rate", "rate", RateParameters(**rate), ("age",), epsilon=share, population=True),
            Query(
                "direct",
                "standardised-rate",
                StandardParameters(**rate, over="age", **standard),
                **asked,
            ),
            Query(
                "indirect",
                "standardised-ratio",
                ReferenceParameters(**rate, over="age", reference=REFERENCE[first:]),
                **asked,
            ),
        ),
    )


def read(path: Path) -> pd.DataFrame:
    """The columns that are asked about."""
    return pd.read_csv(path, usecols=["age", "gender", "time_in_hospital", "readmitted"])


def by_pandas(both: pd.DataFrame, first: int = 0) -> dict[str, Figures]:
    """The same figures, by query and group."""
    ages, weights = list(AGES[first:]), EUROPE[first:]
    both = both.assign(events=both["readmitted"] == "<30")
    cells = both[both["gender"].isin(["Female", "Male"])]
    whole = both.groupby("age")[["events", "time_in_hospital"]].sum()
    rate = 1_000 * whole["events"] / whole["time_in_hospital"]
    sums = cells.groupby(["gender", "age"])[["events", "time_in_hospital"]].sum()
    direct, indirect = {}, {}
    for sex in ("Female", "Male"):
        one = sums.loc[sex].loc[ages]
        rates = 1_000 * one["events"] / one["time_in_hospital"]
        direct[sex,] = float((rates.to_numpy() * weights).sum() / sum(weights))
        reference = [*map(float, REFERENCE[first:])]
        expected = (one["time_in_hospital"].to_numpy() * reference).sum() / 1_000
        indirect[sex,] = float(one["events"].sum() / expected)
    return {
        "rate": {(age,): float(rate[age]) for age in ages},
        "direct": direct,
        "indirect": indirect,
    }


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """One line a query; see ``publish``."""
    path = shared / FILE
    if not path.is_file():
        yield f"rates         skipped: {FILE} is not on this machine", True
        return
    cells = read(path)
    yield from beside_pandas(cells, path.parent)
    for name, held in covered(cells).items():
        said, is_held = held.line()
        yield f"rates         {name} at epsilon 1: {said}", is_held


def beside_pandas(cells: pd.DataFrame, folder: Path) -> Iterator[tuple[str, bool]]:
    """One line a query, released without noise."""
    asked, theirs = study(), by_pandas(cells)
    ours = released(asked, folder)
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


def covered(cells: pd.DataFrame, releases: int = RELEASES) -> dict[str, Held]:
    """How often ranges hold, by query and by what they are of."""
    asked, whole = study(Epsilon.of(1), FROM_30), by_pandas(cells, FROM_30)
    dice = np.random.default_rng(37)
    found: defaultdict[str, Held] = defaultdict(Held)
    with tempfile.TemporaryDirectory() as place:
        for _ in range(releases):
            # How many come is chance, too.
            drawn = cells.iloc[dice.integers(0, len(cells), dice.poisson(ROWS))]
            drawn.to_csv(Path(place) / Path(FILE).name, index=False)
            own = by_pandas(drawn, FROM_30)
            truths = {"noise": ("", own), "noise and chance": ("population_", whole)}
            for table in released_once(asked, Path(place)).tables:
                names = [column.name for column in table.columns]
                for row in rows_of(names, table.rows):
                    group = (row[names[0]],)
                    for kind, (of, exact) in truths.items():
                        low, high = (row[f"{of}{end}_95"] for end in ("lowest", "highest"))
                        if low or high:
                            is_held = within(low, exact[table.id][group], high)
                            found[f"{table.id}, {kind},"].add(group, is_held)
    return found


def _is_rounded(exact: float, published: Decimal) -> bool:
    """Whether a published figure is the exact one to its decimals.

    >>> _is_rounded(1.2345, Decimal("1.23")), _is_rounded(1.2345, Decimal("1.24"))
    (True, False)
    """
    unit = Decimal(1).scaleb(int(published.as_tuple().exponent))
    return abs(Decimal(exact) - published) <= unit / 2 * Decimal("1.000001")
