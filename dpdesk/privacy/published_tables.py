# SPDX-License-Identifier: Apache-2.0
"""From what was drawn to the published table: post-processing, a pure function of public things.

Whatever is done to what was drawn costs nothing (Dwork and Roth 2014, proposition 2.1), as long
as nothing else flows in. Here flow in: the plan, which was made without data, and what was drawn.
The noisy integers themselves stay in the table, so that anyone can do it again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpdesk.privacy.consistent import ConsistentFigures, FigureErrors
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_form import excess, published
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import (
    ColumnRole,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    number_column,
    squared_unit,
)
from dpdesk.privacy.statistics.figures_text import Figure, fixed, range_texts, rounding_digits
from dpdesk.privacy.usable import NO, YES, Number, Possible, interval, is_half, is_too_noisy
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import has_open_end
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.text.titles import measured, title

__all__ = ["Noisy", "Table", "TableColumn", "rounding_digits", "table"]


@dataclass(frozen=True)
class TableColumn:
    """One column of a published table.

    Attributes:
        name: machine name, unique in the table.
        role: what its cells are.
        unit: unit of its numbers; may be empty.
        title: heading for people: a declared title or the column's name in the file.
    """

    name: str
    role: ColumnRole
    unit: str
    title: str


POPULATION = (
    PublishedColumn("population_lowest_95", "population-lowest"),
    PublishedColumn("population_highest_95", "population-highest"),
)
MARK = TableColumn("too_noisy", "mark", "", "")
WHOLE = Possible(Fraction(0), Fraction(1))
Columns = tuple[TableColumn, ...]
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Table:
    """One query's published figures.

    Attributes:
        id: the query's id.
        title: what the query is called; see ``study.titles``.
        columns: groups first, then value, half-width, range, noisy parts and mark.
        rows: one a line, texts; the empty text where a figure says nothing (a ratio whose noisy
            count is not positive).
        others: ids of the queries whose tables were made consistent with it: they add up.
        has_public_total: whether its counts add up to a public number.
        is_left_as_drawn: whether it has too many cells to be made consistent with others.
        rounded_to: of what its counts are multiples; 0 where they are published as they are.
        beyond: the places of lines of times beyond the highest declared one: nobody is expected
            there, so they are no figures that could be too noisy.
        compared: the comparisons of its groups; ``None`` where none is declared.
        excess: where none is published below zero, by how much a count of 0 is too high, on
            average and at most; empty elsewhere.
        derived: figures that follow from its own at no price, one a line; ``None`` where none do.
    """

    id: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    others: tuple[str, ...] = ()
    has_public_total: bool = False
    is_left_as_drawn: bool = False
    rounded_to: int = 0
    excess: str = ""
    derived: Table | None = None
    compared: Table | None = None
    beyond: range = range(0)

    @property
    def marked(self) -> tuple[int, ...]:
        """The places of the lines that are marked as too noisy to use."""
        at = [place for place, column in enumerate(self.columns) if column.role == "mark"]
        return tuple(line for line, row in enumerate(self.rows) if any(row[i] == YES for i in at))

    @property
    def too_noisy(self) -> int:
        """How many lines are marked, where somebody is expected."""
        return sum(line not in self.beyond for line in self.marked)

    @property
    def says_nothing(self) -> bool:
        """Whether every line is too noisy to use, and there is one."""
        return 0 < len(self.rows) == len(self.marked)


def table(
    study: Study,
    plan: QueryPlan,
    noisy: Noisy,
    found: tuple[str, ...] = (),
    consistent: ConsistentFigures | None = None,
    spread: PlannedNoisy | None = None,
) -> Table:
    """The published table of one query.

    Args:
        study: the study that the plan was made from.
        plan: the query's plan.
        noisy: what was drawn, one tuple a part.
        found: texts of the data that the door gave out, in the order of their noisy counts.
        consistent: its figures, where they were made consistent with those of other tables.
        spread: the answer with the variance of its cells, for a mean's population.
    """
    method = METHODS[plan.query.statistic]
    columns = tuple(_columns(study, plan, method.heads(plan)))
    if consistent is None:
        rows = method.rows(plan, noisy, found)
    else:
        rows = method.consistent_rows(plan, noisy, consistent)
    if plan.form is not None:
        rows = tuple(_in_form(plan, columns, rows, method.exact_counts(plan, noisy, consistent)))
    if plan.query.population:
        ends = method.population(plan, noisy, spread)
        columns = tuple(_columns(study, plan, (*method.heads(plan), *POPULATION)))
        rows = tuple((*row, *range_texts(each)) for row, each in zip(rows, ends, strict=True))
    others = () if consistent is None else consistent.others
    columns, rows = _marked(plan, columns, rows)
    named = tuple(unique_names(columns))
    is_moved = consistent is not None and not others
    has_total = is_moved or (plan.public_total is not None and len(rows) > 1)
    made = Table(plan.query.id, title(study, plan.query), named, rows, others, has_total)
    made = replace(made, beyond=_beyond(plan, len(rows)))
    if plan.form is None:
        return made
    errors = None if consistent is None else consistent.errors
    return replace(made, rounded_to=plan.form.step, excess=excess_text(plan, errors))


def _beyond(plan: QueryPlan, lines: int) -> range:
    """The last line of each curve, where its bins end with one of the highest time alone."""
    own = plan.query.parameters
    if not isinstance(own, TimeToEventParameters):
        return range(0)
    bins = len(own.edges) + 1
    return range(bins - 1, lines if has_open_end(number_column(plan), own.edges) else 0, bins)


def _in_form(
    plan: QueryPlan, columns: Columns, rows: Rows, exact: Iterator[Figure] | None
) -> Iterator[tuple[str, ...]]:
    """Lines whose counts, with their margins and ranges, have their published form.

    Args:
        plan: the query's plan.
        columns: of the table.
        rows: as they come from the noise.
        exact: the counts of these before they were written; ``None`` to take what is written.
    """
    at = {column.role: place for place, column in enumerate(columns)}
    possible = METHODS[plan.query.statistic].possible(plan) or Possible(None, None)
    written = (Figure(Fraction(row[at["value"]]), Fraction(row[at["half-width"]])) for row in rows)
    for row, figure in zip(rows, written if exact is None else exact, strict=True):
        shown = published(figure, plan.form)
        ends = interval(shown.value, shown.half_width, possible)
        numbers = (shown.value, shown.half_width, ends.low, ends.high)
        roles: tuple[ColumnRole, ...] = ("value", "half-width", "lowest", "highest")
        texts = {role: str(int(number)) for role, number in zip(roles, numbers, strict=True)}
        texts["nearest"] = "" if ends.nearest is None else str(int(ends.nearest))
        yield tuple(texts.get(column.role, text) for column, text in zip(columns, row, strict=True))


def excess_text(plan: QueryPlan, errors: FigureErrors | None) -> str:
    """By how much a count of 0 is published too high on average, at most; empty where it is not.

    Args:
        plan: the query's plan.
        errors: how far off its consistent figures can be, where they are made consistent.
    """
    terms = METHODS[plan.query.statistic].errors_of_count(plan, errors)
    if plan.form is None or terms is None:
        return ""
    high = excess(terms, plan.form, is_whole=errors is None and not plan.is_projected)
    digits = rounding_digits(Fraction(high))
    # Machines whose last bits differ write the same; what is bounded is less by more than that.
    return fixed(math.ceil(round(high * 10**digits, 6)), digits) if high else ""


def _marked(plan: QueryPlan, columns: Columns, rows: Rows) -> tuple[Columns, Rows]:
    """With a last column that says of each line whether it is too noisy to use.

    It is made of the published texts alone, which anyone has; see ``usable``.
    """
    possible = METHODS[plan.query.statistic].possible(plan)
    if possible is None:
        return columns, rows
    places = {column.role: place for place, column in enumerate(columns)}
    figure = (places["value"], places["half-width"], places.get("share-half-width"))
    lines = ((*row, YES if _is_noisy(row, figure, possible) else NO) for row in rows)
    return (*columns, MARK), tuple(lines)


def _is_noisy(
    row: tuple[str, ...], figure: tuple[int, int, int | None], possible: Possible
) -> bool:
    """Whether a line's figure, or the share beside it, says nothing.

    Args:
        row: a line.
        figure: the places of its value and its margin, and the share's margin if it has one.
        possible: what the figure can be.
    """
    value, margin, share = figure
    if share is not None and (row[share] == "" or is_half(_number(row[share]), WHOLE)):
        return True
    drawn = _number(row[value]) if row[value] else None
    return is_too_noisy(drawn, _number(row[margin] or "0"), possible)


@lru_cache(maxsize=4096)
def _number(text: str) -> Number:
    """A published number; the same margin is in many lines."""
    return int(text) if "." not in text else Fraction(text)


def _columns(
    study: Study, plan: QueryPlan, heads: tuple[PublishedColumn, ...]
) -> Iterator[TableColumn]:
    for column in plan.by:
        yield TableColumn(column.name, "group", "", measured(study, column.name))
    about = study.column(plan.query.column)
    for name in plan.inner:
        unit = about.label if about is not None and name == "up_to" else ""
        yield TableColumn(name, "group", unit, "")
    heading, unit = (column_title(about), about.label) if about else ("", "")
    # Shares of rows by a column are no values of it.
    unit = "" if plan.query.declaration.is_share else unit
    is_rate = plan.query.unit in ("per", "ratio")
    for head in heads:
        if is_rate and head in POPULATION:
            head = replace(head, has_unit=False)
        yield TableColumn(_name(head, plan.query), head.role, _unit(head, unit), heading)


def _name(head: PublishedColumn, query: Query) -> str:
    """A column that counts rows is named after people where these are the rows of the query.

    >>> _name(PublishedColumn("rows_off_95", "score-bound"), Query("q", of="people"))
    'people_off_95'
    """
    words = head.name.split("_")
    return "_".join(query.of if word == "rows" else word for word in words)


def _unit(head: PublishedColumn, unit: str) -> str:
    """The unit of a column's numbers; of several words or parts, in brackets where squared."""
    if not (head.has_unit and unit):
        return ""
    return squared_unit(unit) if head.is_squared else unit


def unique_names(columns: Columns) -> Iterator[TableColumn]:
    """Number the later of two equal names: a grouping column may well be called ``count``."""
    taken: set[str] = set()
    for column in columns:
        names = (column.name, *(f"{column.name}_{n}" for n in range(2, len(taken) + 3)))
        name = next(n for n in names if n not in taken)
        taken.add(name)
        yield replace(column, name=name)
