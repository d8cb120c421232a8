# SPDX-License-Identifier: Apache-2.0
"""What is declared of a Table 1: its group, its characteristics, and one price for all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.groupings import Bins, Grouping, Periods
from dpdesk.study.model.periods import Period

Summary = Literal["auto", "counts", "mean", "median"]
SUMMARIES: tuple[Summary, ...] = ("auto", "counts", "mean", "median")
Figures = Literal["rows", "counts", "moments", "quantiles", "missing"]


@dataclass(frozen=True)
class Component:
    """What a query is in the Table 1 that it belongs to.

    Attributes:
        table: the table's id.
        place: of its characteristic; ``None`` for how many there are in each group.
        figures: what it answers.
        is_overall: whether it is of all groups together.
    """

    table: str
    place: int | None
    figures: Figures
    is_overall: bool = False


@dataclass(frozen=True)
class Characteristic:
    """One characteristic of a Table 1.

    Attributes:
        column: the column that it is about.
        summary: counts are number and per cent of each category, mean is mean and standard
            deviation, median is median and quartiles; auto is mean for a number column without
            edges, else counts.
        edges: where the bins of a number column begin, rising; they are its categories.
        period: what the days of a date column are taken together by; these are its categories.
        missing: whether the number and per cent of those with a missing cell are asked, too.
        epsilon: its own part of the table's price; an equal one where there is none.
        rho: the same, in an account that is kept in zCDP.
    """

    column: str
    summary: Summary = "auto"
    edges: tuple[Decimal, ...] = ()
    period: Period | None = None
    missing: bool = False
    epsilon: Epsilon | None = None
    rho: Rho | None = None

    @property
    def share(self) -> Share | None:
        """Its own part of the price, if it has one."""
        return self.rho if self.rho is not None else self.epsilon

    def at_share(self, share: Share | None) -> Characteristic:
        """The same with another part of the price, or an equal one."""
        return replace(self, **_shares(share))

    @property
    def needs_number(self) -> bool:
        """Whether its summary is one of numbers."""
        return self.summary not in ("auto", "counts")

    @property
    def categories(self) -> Grouping:
        """Its column as a grouping."""
        if self.edges:
            return Bins(self.column, self.edges)
        return self.column if self.period is None else Periods(self.column, self.period)

    def figures(self, column: Column | None) -> Figures:
        """What is asked of it.

        Args:
            column: its column, if it is declared.
        """
        is_number = isinstance(column, NumberColumn) and not self.edges
        summary = self.summary
        if summary == "auto":
            summary = "mean" if is_number else "counts"
        return _FIGURES[summary]


_FIGURES: dict[Summary, Figures] = {"counts": "counts", "mean": "moments", "median": "quantiles"}


@dataclass(frozen=True)
class BaselineTable:
    """A Table 1, asked at one price.

    Attributes:
        id: short name, unique among the tables and queries of the study; names the files. 1 to 30
            of a-z, 0-9 and -.
        by: at most one grouping, whose groups are the columns, beside one for all of them; without
            it all is one column.
        characteristics: what is shown of each group, in the order of the rows.
        where: conditions that a row must all meet.
        of: of what a row is: rows of the file, or people, of whom each has one row.
        epsilon: what the whole table costs.
        rho: the same, in an account that is kept in zCDP.
        expected: the custodian's guess of a group's size, for the accuracy of means before
            release.
        title: heading in the release; Table 1 where empty.
    """

    id: str
    by: tuple[Grouping, ...] = ()
    characteristics: tuple[Characteristic, ...] = ()
    where: tuple[Condition, ...] = ()
    of: Literal["rows", "people"] = "rows"
    epsilon: Epsilon | None = None
    rho: Rho | None = None
    expected: int | None = None
    title: str = ""

    @cached_property
    def share(self) -> Share | None:
        """Its price."""
        return self.rho if self.rho is not None else self.epsilon

    def at_share(self, share: Share | None) -> BaselineTable:
        """The same table at another price, or without one."""
        return replace(self, **_shares(share))


def _shares(share: Share | None) -> dict[str, Any]:
    """The members of a share, of which one is set at most."""
    members: dict[str, Any] = {"epsilon": None, "rho": None}
    return members if share is None else {**members, share.measure: share}
