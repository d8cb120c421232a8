# SPDX-License-Identifier: Apache-2.0
"""The plan: what a study costs and how accurate it will be. Public, made without the data."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpdesk.study.amount import Epsilon
from dpdesk.study.columns import Column, Grid
from dpdesk.study.document import Study
from dpdesk.study.measure import Measure
from dpdesk.study.queries import Query


@dataclass(frozen=True)
class Part:
    """One draw: a vector of exact integers that gets noise.

    Attributes:
        name: what it is: ``rows``, ``people`` or ``sum``.
        measure: how the exact vector is computed.
        cells: its length.
        mechanism: the noise.
        sensitivity: L1 sensitivity, in quanta.
        share: the declared budget that is charged for it.
        scale: scale of the noise, in quanta.
        loss: epsilon by OpenDP's map; at most the share.
        width: exact width of one quantum, in the result's unit.
        half_width: 95 in 100 of the noise lie within this many quanta.
    """

    name: str
    measure: Measure
    cells: int
    mechanism: Literal["laplace"]
    sensitivity: int
    share: Epsilon
    scale: float
    loss: float
    width: Fraction
    half_width: int


@dataclass(frozen=True)
class QueryPlan:
    """One query, ready to run.

    Attributes:
        query: as declared.
        by: the grouping columns.
        cells: every cell's group labels, in the order of the vectors; one empty tuple without
            groups.
        parts: the draws; their shares add up to the query's.
        grid: the integer grid of the column that is summed or averaged; ``None`` for counts.
        share: what the query costs.
        half_width: 95 in 100 within this, in the result's unit; for a mean with the expected
            group size, ``None`` without one.
        canonical: one text for the question, its declarations and its price; the same text on
            the same extract has the same stored answer.
    """

    query: Query
    by: tuple[Column, ...]
    cells: tuple[tuple[str, ...], ...]
    parts: tuple[Part, ...]
    grid: Grid | None
    share: Epsilon
    half_width: Fraction | None
    canonical: str


@dataclass(frozen=True)
class Plan:
    """A whole study, ready to run.

    Attributes:
        study: as declared.
        queries: in the order of release.
        total: what they cost together: sequential composition adds the shares up, also when
            later queries are chosen after seeing earlier answers (Dwork and Roth 2014, 3.5).
    """

    study: Study
    queries: tuple[QueryPlan, ...]
    total: Epsilon

    @property
    def figures(self) -> int:
        """How many figures the plan releases."""
        return sum(len(q.cells) for q in self.queries)
