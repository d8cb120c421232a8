# SPDX-License-Identifier: Apache-2.0
"""The plan: what a study costs and how accurate it will be. Public, made without the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from dpdesk.privacy.consistent import FigureErrors
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.question import Question
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.amount import NO_DELTA, Delta, Share
from dpdesk.study.model.columns import Column, Grid
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import PublishedForm, Query
from dpdesk.study.model.unit import Unit


@dataclass(frozen=True)
class Part:
    """One draw on a vector of exact integers.

    Attributes:
        name: what it is: ``rows``, ``people``, ``sum``, ...; unique in its query.
        measure: how the exact vector is computed.
        cells: the vector's length.
        noise: the mechanism.
        sensitivity: in the noise's norm, in quanta (squared for ``l2-squared``).
        share: the declared budget that is charged for it.
        loss: in the share's measure, by OpenDP's map; at most the share.
        width: exact width of one quantum, in the result's unit.
        half_width: 95 in 100 of the noise lie within this many quanta; for a choice, the chosen
            score is at most this far below the best one, 95 times in 100, for each block.
    """

    name: str
    measure: AggregateSpec
    cells: int
    noise: Noise
    sensitivity: int
    share: Share
    loss: float
    width: Fraction
    half_width: int

    @property
    def scale(self) -> float:
        """Scale of the noise, in quanta."""
        return self.noise.scale


@dataclass(frozen=True)
class ScoreBound:
    """How far from the best choice the chosen one may be, 95 times in 100, for each choice.

    Attributes:
        distance: in ``what``.
        what: what the score counts: ``rows`` or ``people`` beyond the wanted place, or ``score``
            in the score's own unit.
        is_from_best: whether it is counted from the best candidate; of quantiles among all grid
            values it is counted from the rank itself, which the best one has.
    """

    distance: Fraction
    what: str
    is_from_best: bool = True


@dataclass(frozen=True, eq=False)
class JoinedPlan:
    """The other tables over the same rows as a query's, and what its figures gain by them.

    Attributes:
        alone: its plan without them.
        tables: the plans of all draws over the same rows, its own among them.
        errors: how far off its figures can be once all are made consistent; ``None`` where they
            have too many cells together, and stay as drawn.
    """

    alone: QueryPlan
    tables: tuple[QueryPlan, ...]
    errors: FigureErrors | None


@dataclass(frozen=True)
class QueryPlan:
    """One query, ready to run.

    Attributes:
        query: as declared.
        unit: the privacy unit.
        by: the grouping columns.
        cells: every cell's group labels, in the order of the vectors; one empty tuple without
            groups.
        lines: labels of every published line: a cell's, then what tells its lines apart.
        inner: what the labels beyond the groups are called: ``quantile``, ``rank``.
        parts: the draws; their shares add up to the query's. None where its one figure is public,
            which then is ``public_total`` and costs nothing.
        column: the column that the statistic is computed of, where it has one.
        grid: the integer grid of a number column.
        share: what the query costs.
        half_width: 95 in 100 within this, in the result's unit; for a ratio with the expected
            group size, ``None`` without one; ``None`` for a choice.
        bound: for a choice, how far from the best it may be.
        beside: for randomised response, what ``half_width`` would be if the same share bought
            noise on the count instead.
        delta: the probability with which the query's own guarantee may fail; nothing but for
            categories found in the data.
        joined: set where other tables are over the same rows; ``half_width`` is then that of the
            consistent figures.
        found_from: for categories found in the data, what this many people have is given out 95
            times in 100 or more often.
        public_rows: how many rows its one cell holds, where that is public.
        public_total: for a count, what its lines add up to, where that is public.
        form: in which form its counts are published; ``None`` for as they come from the noise.
        unrounded: the half-width of figures before they get that form.
        question: what is asked, and all that its answer depends on.
        find_canonical: makes ``canonical``, which a plan that changes at each key seldom needs.
    """

    query: Query
    unit: Unit
    by: tuple[Column, ...]
    cells: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[str, ...], ...]
    inner: tuple[str, ...]
    parts: tuple[Part, ...]
    column: Column | None
    grid: Grid | None
    share: Share
    half_width: Fraction | None
    bound: ScoreBound | None
    question: Question = field(repr=False)
    find_canonical: Callable[[], str] = field(repr=False, compare=False)
    public_rows: int | None = None
    public_total: int | None = None
    beside: Fraction | None = None
    delta: Delta = NO_DELTA
    found_from: int | None = None
    form: PublishedForm | None = None
    unrounded: Fraction | None = None
    joined: JoinedPlan | None = field(default=None, repr=False, compare=False)

    @cached_property
    def canonical(self) -> str:
        """One text for the question, its declarations and its price.

        The same text on the same extract has the same stored answer.
        """
        return self.find_canonical()

    @property
    def alone(self) -> QueryPlan:
        """The plan as if no figures were made consistent with it: what is drawn is the same."""
        return self if self.joined is None else self.joined.alone

    @property
    def errors(self) -> FigureErrors | None:
        """How far off its figures can be where they will be made consistent; else ``None``."""
        return None if self.joined is None else self.joined.errors

    @property
    def is_left_as_drawn(self) -> bool:
        """Whether tables over the same rows stay as drawn, because they have too many cells."""
        return self.joined is not None and self.joined.errors is None

    @property
    def is_public(self) -> bool:
        """Whether its one figure is public, so that nothing is drawn; see ``public_numbers``."""
        return not self.parts

    @property
    def is_projected(self) -> bool:
        """Whether all its counts are drawn and made to add up to a public total."""
        if self.public_total is None or self.is_public:
            return False
        return self.parts[0].cells == len(self.lines) > 1

    @property
    def rows_divided_by(self) -> int:
        """The public or the expected number of rows that a ratio divides by.

        Raises:
            ValueError: nobody has said how many.
        """
        rows = self.public_rows or self.query.expected
        if rows is None:
            raise ValueError("a ratio's margin needs a number of rows")
        return rows

    @property
    def accuracy(self) -> Fraction | None:
        """The one number by which plans of the query are compared: smaller is better."""
        return self.half_width if self.bound is None else self.bound.distance


@dataclass(frozen=True)
class Plan:
    """A whole study, ready to run.

    Attributes:
        study: as declared.
        queries: in the order of release.
        total: what they cost together: sequential composition adds the shares up, also when
            later queries are chosen after seeing earlier answers (Dwork and Roth 2014, 3.5, for
            epsilon; Bun and Steinke 2016, lemma 2.3, for rho).
    """

    study: Study
    queries: tuple[QueryPlan, ...]
    total: Share

    @property
    def delta(self) -> Delta:
        """What the queries' own failures cost together; deltas add (Bun and Steinke 2016, 8.2)."""
        return Delta(sum(query.delta.atto for query in self.queries))

    @property
    def figures(self) -> int:
        """How many figures the plan releases."""
        return sum(len(q.lines) for q in self.queries)
