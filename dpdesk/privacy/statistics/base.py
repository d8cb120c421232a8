# SPDX-License-Identifier: Apache-2.0
"""What a statistic is: the draws it needs, how accurate they make it, and its published lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.answer_key import named
from dpdesk.privacy.consistent import ConsistentFigures, FigureErrors, NoiseTerms
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.half_widths import each_miss
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.moments import DrawnSums
from dpdesk.privacy.distributions.selection import SelectionNoise, top_bound
from dpdesk.privacy.joint_sums import JointSums, Weights, fineness
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.plan import Part, QueryPlan, ScoreBound
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import Sensitivity
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.amount import Rho, Share
from dpdesk.study.model.columns import Grid, NumberColumn

Noisy = tuple[tuple[int, ...], ...]
PlannedNoisy = tuple[QueryPlan, Noisy]
"""A query's plan, and what was drawn by it."""
ColumnRole = Literal[
    "group",
    "choice",
    "value",
    "quartile",
    "half-width",
    "share",
    "share-half-width",
    "bound",
    "lowest",
    "highest",
    "nearest",
    "population-lowest",
    "population-highest",
    "measure",
    "p-value",
    "why",
    "mark",
    "score-bound",
    "beside",
    "aside",
    "aside-half-width",
    "part",
    "found",
    "label",
    "figure",
]


SYMMETRIC = 0.5
"""The ``one_side`` of a margin whose noise is symmetric."""

FROM_BEST = "rows_off_best_95"
"""The column of a rank's bound that counts from the best of declared candidates, not the rank.

Where the rows of a query are people, a column that counts rows is named after these.
"""


def is_from_best(name: str) -> bool:
    """Whether a column is that one, of rows or of people."""
    return name.partition("_")[2] == FROM_BEST.partition("_")[2]


@dataclass(frozen=True)
class PublishedColumn:
    """One column of a statistic's published table, after the groups.

    Attributes:
        name: machine name.
        role: what its cells are.
        has_unit: whether its numbers are in the column's unit.
        is_squared: whether they are in squares of it.
    """

    name: str
    role: ColumnRole
    has_unit: bool = True
    is_squared: bool = False


@dataclass(frozen=True)
class Added:
    """What the counts or sums of a query's vector add up, over groups of rows.

    Attributes:
        what: rows, people or the values of a column; equal where vectors add up the same.
        within: what tells the lines of a cell apart, as a grouping of its own; ``None`` where a
            cell has one, or where its total alone adds up.
        dropping: what, beside the groups, can keep a row out of all lines.
        of_tree: its cells are read off trees of counts.
    """

    what: Hashable
    within: Hashable | None = None
    dropping: frozenset[Hashable] = frozenset()
    of_tree: bool = False


class Method(ABC):
    """One statistic."""

    has_quick_levels = False
    """Whether its accuracy at other confidences costs no more than a look."""

    one_side = SYMMETRIC
    """Of what a margin of ``figures_at`` misses, the part to one side of it, at most; one half
    where noise moves a figure up as often as down, also where it is held within what is possible:
    that brings it nearer to any exact figure."""

    @abstractmethod
    def parts(self, question: Question) -> tuple[Part, ...]:
        """The draws; their shares add up to the query's share."""

    def inner(self, question: Question) -> tuple[str, ...]:
        """What the labels are called that tell a cell's lines apart; empty for one line a cell."""
        return ()

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """The labels of a cell's lines, in order; one empty tuple for one line a cell."""
        return ((),)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """95 in 100 within this, in the result's unit, before the release; see ``QueryPlan``."""
        return None

    def bound(self, question: Question, parts: tuple[Part, ...]) -> ScoreBound | None:
        """For a choice, how far from the best it may be; ``None`` for figures."""
        return None

    def beside(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """See ``QueryPlan.beside``."""
        return None

    def moved_by(self, plan: QueryPlan, part: Part) -> float:
        """How far one draw of a ratio moves it, 95 times in 100, however wide its range is.

        Raises:
            ValueError: nobody has said how many rows it divides by.
        """
        return part.half_width * float(part.width) / plan.rows_divided_by

    def possible(self, plan: QueryPlan) -> Possible | None:
        """What a figure can be; ``None`` where none has a margin, so that none is marked."""
        return None

    def found_from(self, parts: tuple[Part, ...]) -> int | None:
        """See ``QueryPlan.found_from``."""
        return None

    def answer_key(self, question: Question, parts: tuple[Part, ...]) -> str:
        """What its answer is stored under; see ``answer_key``."""
        return named(self.in_one_form(question).canonical(), parts)

    def in_one_form(self, question: Question) -> Question:
        """The question in the one form that all its spellings share; see ``answer_key``."""
        return question

    def claims(self, plan: QueryPlan) -> int:
        """How many independent claims a plan makes, 0 where nobody knows; one a cell."""
        return len(plan.cells)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """The half-width, or the bound, of one figure, for what may miss.

        For plans whose accuracy is known before the release; one noise moves one figure.
        """
        part = plan.parts[0]
        return noise_distribution.half_width(part.noise, miss) * part.width

    def accuracy_together(self, plan: QueryPlan, miss: float) -> Fraction:
        """The same for all figures at once; their claims are independent."""
        claims = self.claims(plan)
        return self.accuracy_at(plan, miss if claims == 1 else each_miss(claims, miss))

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The figures of a cell's lines, exact, each with the margin that misses so often.

        Empty where figures have no margin of their own; ``None`` where one says nothing.
        """
        return ()

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of each line, between what the population's figure lies; see ``population``.

        ``None`` where a line says nothing, or has too many rows for chance to matter.

        Args:
            plan: the query's plan.
            noisy: what was drawn.
            spread: the answer that has the variance of the same cells, for a mean.
            miss: how often an interval may fail.

        Raises:
            ValueError: the statistic's declaration says that it has none.
        """
        raise ValueError("no interval for the population")

    def noise_of_figure(self, plan: QueryPlan) -> tuple[Noise, Fraction] | None:
        """Where a figure is a count with one noise: the noise, and what one of it is worth."""
        return None

    def added(self, plan: QueryPlan) -> Added | None:
        """What its one noisy vector adds up over groups; ``None`` where it adds up nothing."""
        return None

    def consistent_accuracy(self, plan: QueryPlan, errors: FigureErrors, miss: float) -> Fraction:
        """As ``accuracy_at``, of figures that will be made consistent with others."""
        return errors.half_width(miss=miss) * plan.parts[0].width

    def row_adds(self, plan: QueryPlan) -> Fraction:
        """The most that one row adds to a total, or to how far off a rank can be."""
        return Fraction(1)

    @abstractmethod
    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The columns of the table after the groups."""

    @abstractmethod
    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """The published texts of every line, one a head; the lines in the order of the plan's.

        A pure function of the plan and what was drawn.
        """

    def rows(
        self, plan: QueryPlan, noisy: Noisy, found: tuple[str, ...]
    ) -> tuple[tuple[str, ...], ...]:
        """The whole table: a line's labels, then its texts.

        Args:
            plan: the query's plan.
            noisy: what was drawn, one tuple a part.
            found: texts that were found in the data, where the statistic gives them out.
        """
        texts = self.texts(plan, noisy)
        return tuple((*labels, *line) for labels, line in zip(plan.lines, texts, strict=True))

    def exact_counts(
        self, plan: QueryPlan, noisy: Noisy, consistent: ConsistentFigures | None
    ) -> Iterator[Figure] | None:
        """Counts before their published form, one a line; ``None`` where those of ``rows`` serve.

        Args:
            plan: the query's plan.
            noisy: what was drawn.
            consistent: its figures, where they were made consistent with other tables.
        """
        return None

    def errors_of_count(self, plan: QueryPlan, errors: FigureErrors | None) -> NoiseTerms | None:
        """The error of each of these; ``None`` where it is no weighted sum of noises.

        Args:
            plan: the query's plan.
            errors: how far off its consistent figures can be, where there are some.
        """
        return None

    def consistent_figures_at(
        self, plan: QueryPlan, figures: ConsistentFigures, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """As ``figures_at``, of figures that were made consistent with others."""
        return ()

    def consistent_rows(
        self, plan: QueryPlan, noisy: Noisy, figures: ConsistentFigures
    ) -> tuple[tuple[str, ...], ...]:
        """The whole table, of figures that were made consistent with those of other tables.

        Raises:
            ValueError: figures of this statistic do not add up.
        """
        raise ValueError("no figures that add up")


class CandidateChoice(Method):
    """A statistic that chooses among candidates, by one draw or by several."""

    has_quick_levels = True

    def claims(self, plan: QueryPlan) -> int:
        """One a cell and draw."""
        return len(plan.cells) * len(plan.parts)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """How far below the best a choice may be: of several draws, the one that says least."""
        return max(_chosen(part, miss) for part in plan.parts)


def score_points(part: Part) -> int:
    """How many points of its score a row counts: a quantile's counts it several times."""
    return sum(part.measure.levels) if part.measure.kind == "quantile-scores" else 1


def _chosen(part: Part, miss: float) -> Fraction:
    noise = part.noise
    candidates = part.cells // noise.blocks
    bound = top_bound(candidates, noise.scale, noise.picks, way_of(noise), miss)
    return bound * part.width / score_points(part)


def squared_unit(unit: str) -> str:
    """The square of a unit; one of several words or parts is put in brackets."""
    return f"{unit}²" if unit.isalpha() else f"({unit})²"


def number_column(whose: Question | QueryPlan) -> NumberColumn:
    """The number column that a statistic is computed of.

    Raises:
        ValueError: it is of none; no study that is checked asks that.
    """
    if not isinstance(whose.column, NumberColumn):
        raise ValueError("the statistic needs a number column")
    return whose.column


def grid_of(whose: Question | QueryPlan) -> Grid:
    """The grid of the bounded number column that a statistic is computed of.

    Raises:
        ValueError: it is of none; no study that is checked asks that.
    """
    if whose.grid is None:
        raise ValueError("the statistic needs a number column with bounds")
    return whose.grid


def measure_of(question: Question, kind: Any, **more: Any) -> AggregateSpec:
    """A measure over the question's cells."""
    query = question.query
    spec = AggregateSpec(kind, query.column, query.by, query.where, **more)
    if query.rows_per_group is None:
        return spec
    return replace(spec, rows_per_group=query.rows_per_group, groupings=len(query.by))


def additive_part(
    name: str,
    measure: AggregateSpec,
    cells: int,
    found: Sensitivity,
    share: Share,
    question: Question,
    width: Fraction = Fraction(1),
) -> Part:
    """A draw that adds noise to every entry of a vector."""
    noise, sensitivity = additive_noise(found, share, question.query.noise)
    half_width, lost = noise_distribution.half_width(noise), loss(noise, sensitivity)
    return Part(name, measure, cells, noise, sensitivity, share, lost, width, half_width)


def additive_noise(found: Sensitivity, share: Share, wanted: str) -> tuple[Noise, int]:
    """The noise for a share, and the sensitivity in its norm.

    Pure epsilon has Laplace noise alone. In zCDP both are priced at the same rho, and the one
    with the smaller margin is taken unless one is wanted; the choice is made of public things.
    """
    laplace = (calibrate.calibrated(Noise("laplace", 1.0), found.l1, share), found.l1)
    if not isinstance(share, Rho) or wanted == "laplace":
        return laplace
    squared = found.l2_squared
    gaussian = (calibrate.calibrated(Noise("gaussian", 1.0), squared, share), squared)
    if wanted == "gaussian":
        return gaussian
    return min(gaussian, laplace, key=lambda pair: noise_distribution.half_width(pair[0]))


def joint_part(question: Question, sums: JointSums, width: Fraction) -> Part:
    """One draw on sums that share all of the budget; see ``joint_sums``.

    Args:
        question: what is asked.
        sums: made for the noise that :func:`mechanism_of` says.
        width: what one of a sum is worth, in the result's unit.
    """
    k, limit = question.unit.max_rows, question.query.rows_per_group
    m = min(limit or k, k)
    sensitivity = sums.sensitivity(k, mechanism_of(question), m, question.size)
    measure = measure_of(
        question,
        "joint-sums",
        weights=sums.weights,
        last=sums.last,
        fineness=fineness(sums.last),
    )
    cells = question.size * len(sums.weights)
    return summed_part("sums", measure, cells, sensitivity, question, width)


def summed_part(
    name: str,
    measure: AggregateSpec,
    cells: int,
    sensitivity: int,
    question: Question,
    width: Fraction,
) -> Part:
    """One draw on a vector that has all of the budget, its sensitivity in the noise's norm."""
    share = question.share
    noise = calibrate.calibrated(Noise(mechanism_of(question), 1.0), sensitivity, share)
    half_width = noise_distribution.half_width(noise)
    return _part(name, measure, cells, noise, sensitivity, share, width, half_width)


def mechanism_of(question: Question) -> Mechanism:
    """The noise of sums that are drawn together: in zCDP Gaussian unless Laplace is wanted.

    At the same rho the scale of Gaussian noise is never above that of Laplace noise.
    """
    is_gaussian = isinstance(question.share, Rho) and question.query.noise != "laplace"
    return "gaussian" if is_gaussian else "laplace"


def drawn_sums(whose: Question | QueryPlan, parts: tuple[Part, ...]) -> DrawnSums:
    """How the sums of a cell are drawn, for the margins in ``moments``."""
    (part,) = parts
    measure = part.measure
    return _kept_sums(measure.last, measure.weights, part.noise, whose.public_rows)


@lru_cache(maxsize=256)
def _kept_sums(last: int, weights: Weights, noise: Noise, public: int | None) -> DrawnSums:
    """Made once for all cells: what they keep is the inverse of their weights, in fractions."""
    return DrawnSums(last, weights, noise, public)


def by_cell(plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[int, ...]]:
    """The noisy sums of each cell."""
    entries = [iter(noisy[0])] * len(plan.parts[0].measure.weights)
    return zip(*entries, strict=True)


def rows_head() -> PublishedColumn:
    """How many rows a cell has, by its noisy sums."""
    return PublishedColumn("noisy_rows", "part", has_unit=False)


def sum_heads(plan: QueryPlan) -> tuple[PublishedColumn, ...]:
    """A column for each noisy sum."""
    entries = range(1, len(plan.parts[0].measure.weights) + 1)
    return tuple(PublishedColumn(f"noisy_sum_{n}", "part", has_unit=False) for n in entries)


def noisy_rows(plan: QueryPlan, drawn: tuple[int, ...]) -> str:
    """The number of rows that a cell's noisy sums say, rounded."""
    rows, *_, parts = drawn_sums(plan, plan.parts).solved(drawn)
    return str(round(Fraction(rows, parts)))


def choice_part(
    name: str,
    measure: AggregateSpec,
    cells: int,
    noise: Noise,
    sensitivity: int,
    share: Share,
    half_width: Callable[[Noise], int],
    width: Fraction = Fraction(1),
) -> Part:
    """A draw that chooses places.

    Args:
        name: see ``Part``.
        measure: see ``Part``.
        cells: see ``Part``.
        noise: the mechanism with its blocks and picks, its scale still open.
        sensitivity: largest change of a block's scores, summed over blocks.
        share: its budget.
        half_width: how far below the best the chosen score may be, 95 times in 100.
        width: what a point of score is worth.
    """
    noise = calibrate.calibrated(noise, sensitivity, share)
    return _part(name, measure, cells, noise, sensitivity, share, width, half_width(noise))


def _part(
    name: str,
    measure: AggregateSpec,
    cells: int,
    noise: Noise,
    sensitivity: int,
    share: Share,
    width: Fraction,
    half_width: int,
) -> Part:
    lost = loss(noise, sensitivity)
    return Part(name, measure, cells, noise, sensitivity, share, lost, width, half_width)


def way_of(noise: Noise) -> SelectionNoise:
    """How OpenDP chooses in a measure; see ``selection``."""
    return "gumbel" if noise.measure == "rho" else "exponential"
