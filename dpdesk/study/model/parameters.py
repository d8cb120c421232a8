# SPDX-License-Identifier: Apache-2.0
"""What only some statistics declare: one class for all statistics that declare the same."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Final, Literal

from dpdesk.study.model.amount import Delta
from dpdesk.study.model.conditions import Condition, IsIn
from dpdesk.study.model.groupings import Bins, Grouping

ScoreName = Literal["value-times-count", "closest-to-target"]
SCORES: tuple[ScoreName, ...] = ("value-times-count", "closest-to-target")

PER: Final = (1, 100, 1_000, 10_000, 100_000)
"""Of how much exposure rates are stated."""

MOST_KINDS: Final = 5
"""Of more kinds of event their curves cannot be told apart."""

LateName = Literal["leave-out", "last-bin"]
LATE: tuple[LateName, ...] = ("leave-out", "last-bin")

StandardName = Literal["european-2013", "european-1976", "who-2000-2025", "segi", "own"]
OWN_WEIGHTS: Final = "own"
STANDARDS: tuple[StandardName, ...] = (
    *("european-2013", "european-1976", "who-2000-2025", "segi"),
    OWN_WEIGHTS,
)
"""Standard populations by their names; of the last one the custodian declares the weights."""

MEMBERS: Final = (
    *("column", "has", "columns", "quantiles", "candidates", "edges", "times"),
    *("entry", "entry_edges", "late"),
    *("top", "score", "target", "top_code"),
    *("per", "typical", "expected_exposure", "expected_deviation"),
    *("over", "standard", "weights", "reference", "delta"),
)
"""Members of a query in a study file that belong to some statistics only, in their order there."""


@dataclass(frozen=True)
class Parameters:
    """Those of a count, which needs nothing."""

    needed: ClassVar[tuple[str, ...]] = ()
    """What must be set, beside the column."""

    @property
    def names(self) -> tuple[str, ...]:
        return ()

    @property
    def draws(self) -> int:
        return 1


NO_PARAMETERS: Final = Parameters()


@dataclass(frozen=True)
class PropertyParameters(Parameters):
    """Those of a statistic of the rows with a property.

    Attributes:
        has: the property that a share is about, or the event that ends the time of a survival
            curve, where any other row is censored: conditions that must all hold. Of a cumulative
            incidence one condition that a column is one of some values, each a kind of event.
    """

    needed: ClassVar[tuple[str, ...]] = ("has",)
    has: tuple[Condition, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(condition.column for condition in self.has)


@dataclass(frozen=True)
class RateParameters(PropertyParameters):
    """Those of a rate: events over an exposure.

    Attributes:
        column: the number column that says how long, or how much, a row was exposed.
        per: of how much exposure the rate states the events: one of ``PER``.
        typical: a rate that is expected, from other sources than the data; the noise of events
            and of exposure is weighed for it, and margins before the release are those at it.
        expected_exposure: what a row or person is exposed on average, from other sources than
            the data; margins before the release are those at it, and what is drawn is the same.
    """

    needed: ClassVar[tuple[str, ...]] = ("has", "per")
    column: str | None = None
    per: int | None = None
    typical: Decimal | None = None
    expected_exposure: Decimal | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (*super().names, *([] if self.column is None else [self.column]))


@dataclass(frozen=True)
class ByAgeParameters(RateParameters):
    """Those of a figure made of rates by age group.

    Attributes:
        over: the column of the age groups: a category column, or a number column with ``edges``.
        edges: where the bins of a number column begin, rising.
    """

    needed: ClassVar[tuple[str, ...]] = ("has", "per", "over")
    over: str | None = None
    edges: tuple[Decimal, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*super().names, *([] if self.over is None else [self.over]))

    @property
    def grouping(self) -> Grouping:
        """The age groups."""
        return Bins(self.over or "", self.edges) if self.edges else self.over or ""


@dataclass(frozen=True)
class StandardParameters(ByAgeParameters):
    """Those of a directly standardised rate.

    Attributes:
        standard: the standard population that the rates of all age groups are weighted by.
        weights: the custodian's own weights, one an age group, 0 or more; with "own" alone.
    """

    needed = (*ByAgeParameters.needed, "standard")
    standard: StandardName | None = None
    weights: tuple[Decimal, ...] = ()


@dataclass(frozen=True)
class ReferenceParameters(ByAgeParameters):
    """Those of a standardised incidence or mortality ratio.

    Attributes:
        reference: the reference rate of each age group, from another source than the data, per as
            much exposure as ``per`` says.
    """

    needed = (*ByAgeParameters.needed, "reference")
    reference: tuple[Decimal, ...] = ()


@dataclass(frozen=True)
class ColumnParameters(Parameters):
    """Those of a statistic of one column.

    Attributes:
        column: the column that the statistic is computed of; none for counts and shares.
    """

    column: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return () if self.column is None else (self.column,)


@dataclass(frozen=True)
class SpreadParameters(ColumnParameters):
    """Those of a variance or a standard deviation.

    Attributes:
        expected_deviation: a standard deviation that is expected, from other sources than the
            data; margins before the release are those at it, and what is drawn is the same.
    """

    expected_deviation: Decimal | None = None


@dataclass(frozen=True)
class CandidateParameters(ColumnParameters):
    """Those of a statistic that chooses a value of a column.

    Attributes:
        candidates: values of the column of which one is chosen, rising; all of its grid where
            there are none, but for a cut-off.
    """

    candidates: tuple[Decimal, ...] = ()


@dataclass(frozen=True)
class QuantileParameters(CandidateParameters):
    """Those of several quantiles.

    Attributes:
        quantiles: probabilities between 0 and 1, rising.
    """

    needed = ("quantiles",)
    quantiles: tuple[Decimal, ...] = ()

    @property
    def draws(self) -> int:
        return len(self.quantiles)


@dataclass(frozen=True)
class CutOffParameters(CandidateParameters):
    """Those of a cut-off.

    Attributes:
        score: what makes a cut-off good: its value times the number of rows that reach it, or how
            close that number comes to the target.
        target: how many rows should reach the cut-off.
    """

    needed = ("candidates", "score")
    score: ScoreName | None = None
    target: int | None = None


@dataclass(frozen=True)
class DistributionParameters(ColumnParameters):
    """Those of a distribution.

    Attributes:
        edges: where the bins of a distribution begin, rising.
    """

    needed: ClassVar[tuple[str, ...]] = ("edges",)
    edges: tuple[Decimal, ...] = ()


@dataclass(frozen=True)
class TimeToEventParameters(DistributionParameters):
    """Those of a curve over bins of a time until an event.

    Attributes:
        has: the event that ends a row's time: conditions that must all hold; any other row is
            censored, its time known without the event.
        times: ends of bins, rising, at which survival and differences between groups are published;
            the mean time without the event is that up to the last of them. The last bin's end where
            there are none. They change neither what is drawn nor its price.
        entry: a number column, on the scale of the time, that says when a row came under
            observation; until then it is not at risk. Without one all are there from the start.
        entry_edges: where bins of the entry begin, rising, some of where bins of the time do; a row
            is at risk from where its bin of the entry begins.
        late: what becomes of a row whose entry is not before its time: it is left out, or it is at
            risk in the last bin of its time alone.
    """

    needed = ("has", "edges")
    has: tuple[Condition, ...] = ()
    times: tuple[Decimal, ...] = ()
    entry: str | None = None
    entry_edges: tuple[Decimal, ...] = ()
    late: LateName | None = None

    @property
    def names(self) -> tuple[str, ...]:
        has = (condition.column for condition in self.has)
        return (*super().names, *has, *([] if self.entry is None else [self.entry]))


@dataclass(frozen=True)
class IncidenceParameters(TimeToEventParameters):
    """Those of the cumulative incidence of several kinds of event, over bins of a time.

    Attributes:
        has: the kinds of event: one condition that a column is one of some values, each of which is
            a kind; any other row is censored, its time known without an event.
    """

    @property
    def kinds(self) -> tuple[str, ...]:
        """The values that are kinds of event; none while they are not declared."""
        match self.has:
            case (IsIn(values=values),):
                return values
        return ()


@dataclass(frozen=True)
class MostCommonParameters(ColumnParameters):
    """Those of the most common.

    Attributes:
        columns: yes/no columns of which the most common is asked.
        top: how many of the most common are asked.
    """

    columns: tuple[str, ...] = ()
    top: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (*super().names, *self.columns)

    @property
    def draws(self) -> int:
        return self.top or 1


@dataclass(frozen=True)
class LinearModelParameters(ColumnParameters):
    """Those of a linear model.

    Attributes:
        columns: what the column is explained by: number columns with bounds, or yes/no columns.
    """

    needed = ("columns",)
    columns: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (*super().names, *self.columns)


@dataclass(frozen=True)
class CategoriesFoundParameters(ColumnParameters):
    """Those of categories found in the data.

    Attributes:
        delta: for categories found in the data: the probability with which a category that one
            person alone has may show. At most half of what an account may have, 5e-7; an
            account's own delta pays.
    """

    needed = ("delta",)
    delta: Delta | None = None


@dataclass(frozen=True)
class RowsPerPersonParameters(Parameters):
    """Those of rows per person.

    Attributes:
        top_code: the last line counts the people with this many rows or more; 2 to 100.
    """

    needed = ("top_code",)
    top_code: int | None = None
