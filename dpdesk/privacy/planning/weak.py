# SPDX-License-Identifier: Apache-2.0
"""What is weak in a plan, before anything is spent: figures that would say nothing.

It is worked out from declarations, the custodian's guesses, public tables and the noise's own
distribution. No data is read, so none of it depends on any: the texts are the same whatever the
file holds. A weakness never stops a release.

The rule of ``usable`` is asked beforehand: a margin of half of what is possible, or more; and for
totals a margin as large as what the guessed group could add up to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from math import ceil

from dpdesk.privacy.compiler import compile_at_share, compile_query
from dpdesk.privacy.kept_by_plan import KeptByPlan
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.remedies import (
    Good,
    Remedy,
    cells,
    count_groups,
    leave_out,
    narrower,
    remedy,
    with_first_bin,
    with_last_bin,
    without_share,
)
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import number_column, squared_unit
from dpdesk.privacy.statistics.rates.over_ages import StandardisedRates, ages_of
from dpdesk.privacy.statistics.rates.rate import planned_rate
from dpdesk.privacy.statistics.variance import mean_before
from dpdesk.privacy.usable import Possible, is_half
from dpdesk.study.checks.by_statistic.entry_checks import MOST_BINS
from dpdesk.study.model.amount import MAX_SHARE, Share, zero
from dpdesk.study.model.baseline.declared import Component
from dpdesk.study.model.columns import NumberColumn, group_labels
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import grid_index, grid_text, wide_bins
from dpdesk.study.model.parameters import (
    MostCommonParameters,
    StandardParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused
from dpdesk.study.suggest.range_match import typical_range
from dpdesk.study.text.number_text import two_digits
from dpdesk.study.text.unit_names import POINTS

FAR = 4
"""Bounds that many times as wide as the typical ones reach far beyond them."""
SIZES: tuple[int, ...] = (*(step * 10**power for power in range(9) for step in (1, 2, 5)),)
"""Sizes of groups that are tried until one gives a margin below half."""


Numbers = dict[str, Fraction]


@dataclass(frozen=True)
class Weakness:
    """One thing that makes a query say little.

    Attributes:
        query: its id.
        code: ``whole-range``, ``half-range`` (lowest, highest), ``group`` (size), ``groups``
            (cells, size), ``group-choice`` and ``groups-choice``: the same of a chosen value;
            ``no-guess`` (cells; size: how large groups would have to be),
            ``no-guess-total`` and ``no-guess-choice`` (cells; size: how large groups may be that
            the margin drowns), ``wide-bounds`` (lowest, highest, typical lowest and highest),
            ``twice``, ``twice-free`` and ``twice-answered`` (other), ``public`` (size): the
            figure is the public number of people, and needs no share; ``all-places`` (cells): each
            group has a place among the most common, so that only their order is paid for;
            ``last-bin`` (highest): a curve over time has no bin beyond its highest time;
            ``ages`` (cells, size): a standardised rate has more age groups than rows for them;
            ``first-bin`` (lowest): with delayed entry, none of its lowest time alone.
        unit: of the margin and of the bounds; see ``unit_of``.
        find_remedy, find_numbers: what finds the two below. They compile changed plans, which
            takes milliseconds; a window that counts weak queries has no time for it.
        other: id of the query that asks the same.
        percent_factor: see ``StatisticDeclaration``.
        is_whole: the figure that a size is missing of is about all rows, not about a group.
        of_people: the query counts people, and so do the sizes of its groups.
    """

    query: str
    code: str
    unit: str
    find_remedy: Callable[[], Remedy] = field(compare=False)
    find_numbers: Callable[[], Numbers] = field(default=dict, compare=False)
    other: str = ""
    percent_factor: int = 1
    is_whole: bool = False
    of_people: bool = False

    @cached_property
    def remedy(self) -> Remedy:
        """The one change that helps."""
        return self.find_remedy()

    @cached_property
    def numbers(self) -> Numbers:
        """What the code says in numbers."""
        return self.find_numbers()


def weaknesses(
    study: Study,
    plans: Mapping[str, QueryPlan],
    spare: Share | None = None,
    answered: Set[str] = frozenset(),
) -> tuple[Weakness, ...]:
    """Every weakness of a plan, in the order of its queries.

    Args:
        study: what is asked.
        plans: the plan of each query that is complete, by its id.
        spare: what may be spent beyond this plan; ``None`` where nobody knows.
        answered: ids of the queries that the ledger answers for free.
    """
    result: list[Weakness] = []
    unsized: set[str] = set()
    alike: defaultdict[Hashable, list[QueryPlan]] = defaultdict(list)
    found: Iterator[Weakness]
    for query in study.queries:
        if query.id in plans:
            # What equal questions have in common, whatever the order of their conditions.
            conditions = frozenset(condition.column for condition in query.where)
            asked = (query.statistic, query.column, query.by, query.names, conditions)
            earlier = alike[*asked, query.rho is None]
            found = _of_query(study, plans[query.id], earlier, spare, answered)
            factor = query.declaration.percent_factor
            people = "people" in (query.of, query.unit)
            if query.component is not None:
                found = chain(
                    _of_component(query.component, tuple(found), unsized),
                    _wide_mean(study, plans[query.id], query.component, spare),
                )
            if factor != 1 or people:
                found = (replace(one, percent_factor=factor, of_people=people) for one in found)
            result += found
            earlier.append(plans[query.id])
    return tuple(result)


def _of_component(
    component: Component, found: Iterable[Weakness], unsized: set[str]
) -> Iterator[Weakness]:
    """What is weak in a query of a Table 1, as its table can be changed.

    Its groups are those of the whole table, whose size is asked for once. What another query asks,
    too, is charged once, and stays in the table; how many are missing nobody can guess.
    """
    for one in found:
        if one.code.startswith("no-guess"):
            is_asked = component.figures in ("rows", "moments") and component.table not in unsized
            if not is_asked:
                continue
            unsized.add(component.table)
        is_spread = component.figures == "moments" and one.code.endswith("-range")
        if one.code.startswith(("twice", "public")) or component.figures == "missing" or is_spread:
            continue
        yield one


def _wide_mean(
    study: Study, plan: QueryPlan, component: Component, spare: Share | None
) -> Iterator[Weakness]:
    """The mean of a Table 1, which is its first figure: as wide as half of the column's range.

    Before the release nobody knows the standard deviation, and its margin is the worst one's.
    """
    if component.figures != "moments" or _is_mean_narrow(plan):
        return
    margin, (lowest, highest) = mean_before(plan), _ends_of_mean(plan)
    code = "whole-range" if margin and margin >= highest - lowest else "half-range"
    change = partial(remedy, study, plan, _is_mean_narrow, spare)
    numbers = {"lowest": lowest, "highest": highest}
    yield Weakness(plan.query.id, code, unit_of(plan), change, lambda: numbers)


def _ends_of_mean(plan: QueryPlan) -> tuple[Fraction, Fraction]:
    column = number_column(plan)
    return Fraction(column.lower or 0), Fraction(column.upper or 0)


def _is_mean_narrow(plan: QueryPlan) -> bool:
    margin = mean_before(plan)
    return margin is None or not is_half(margin, Possible(*_ends_of_mean(plan)))


def _of_query(
    study: Study,
    plan: QueryPlan,
    earlier: Iterable[QueryPlan],
    spare: Share | None,
    answered: Set[str],
) -> Iterator[Weakness]:
    yield from _twice(study, plan, earlier, answered)
    if plan.is_public:
        yield from _public(study, plan)
        return
    yield from _all_places(study, plan)
    if isinstance(own := plan.query.parameters, TimeToEventParameters):
        yield from _last_bin(study, plan, own)
        yield from _first_bin(study, plan, own)
    is_standardised = isinstance(plan.query.parameters, StandardParameters)
    ages = [*_small_ages(study, plan, spare)] if is_standardised else []
    yield from ages
    if plan.query.declaration.is_ratio:
        yield from () if ages else _wide_margin(study, plan, spare)
    else:
        yield from _small_groups(study, plan, spare)
    yield from _wide_bounds(study, plan)


def _public(study: Study, plan: QueryPlan) -> Iterator[Weakness]:
    """A share for a number that is public, and costs nothing."""
    own = study.query(plan.query.id)
    if own is None or own.share is None or own.share.units == 0:
        return
    numbers = {"size": Fraction(plan.public_total or 0)}
    change = partial(without_share, study, own)
    yield Weakness(plan.query.id, "public", unit_of(plan), change, lambda: numbers)


def _all_places(study: Study, plan: QueryPlan) -> Iterator[Weakness]:
    """As many places as there are groups: the list is the declared one, and only its order is paid.

    In declared order it would release nothing, so no query asks for that. Counts by these groups
    have the order, too, and their numbers. Of yes/no columns no one query counts each, so that the
    order is all that there is to ask for.
    """
    own = plan.query.parameters
    if not isinstance(own, MostCommonParameters) or own.columns or plan.column is None:
        return
    groups = len(group_labels(plan.column))
    if 1 < own.draws == groups:
        numbers = {"cells": Fraction(groups)}
        change = partial(count_groups, study, plan)
        yield Weakness(plan.query.id, "all-places", unit_of(plan), change, lambda: numbers)


def _last_bin(study: Study, plan: QueryPlan, own: TimeToEventParameters) -> Iterator[Weakness]:
    """A last bin of several times, in which those censored count as at risk to its end.

    That is right of those who were followed beyond it. Behind a bin of the highest time alone,
    where they are, each other bin counts those censored in it for half of it, which is right of
    all (see ``statistics.survival.curve``).
    """
    column = number_column(plan)
    if wide_bins(column, own.edges)[-1]:
        change = partial(with_last_bin, study, plan, column)
        numbers = {"highest": Fraction(column.upper or 0)}
        yield Weakness(plan.query.id, "last-bin", unit_of(plan), change, lambda: numbers)


def _first_bin(study: Study, plan: QueryPlan, own: TimeToEventParameters) -> Iterator[Weakness]:
    """A first bin of entries of several times, which counts whole.

    That is right of those who are there from the lowest time on. Where a bin of that time alone
    holds these, entries count as spread over each other bin (see ``survival.entry_band``).
    """
    if own.entry is None:
        return
    column, entry = number_column(plan), study.column(own.entry)
    lowest, first = grid_text(column, 0), Decimal(grid_text(column, 1))
    if own.entry_edges[0] <= first or len(own.edges) >= MOST_BINS - 1:
        return
    if isinstance(entry, NumberColumn) and (grid_index(entry, first) or 0) > 0:
        change = partial(with_first_bin, study, plan, first)
        numbers = {"lowest": Fraction(lowest)}
        yield Weakness(plan.query.id, "first-bin", unit_of(plan), change, lambda: numbers)


def rows_of_an_age(plan: QueryPlan) -> tuple[int, int] | None:
    """Of a standardised rate: how many age groups there are, and how many rows each one needs."""
    if not isinstance(plan.query.parameters, StandardParameters):
        return None
    return ages_of(plan.question), StandardisedRates().rows_of_an_age(plan)


def _small_ages(study: Study, plan: QueryPlan, spare: Share | None) -> Iterator[Weakness]:
    """A standardised rate that there is not, even were all age groups of one size."""
    if plan.half_width is None or _are_ages_large(plan):
        return
    cells, size = rows_of_an_age(plan) or (0, 0)
    change = partial(remedy, study, plan, _are_ages_large, spare)
    numbers = {"cells": Fraction(cells), "size": Fraction(size)}
    yield Weakness(plan.query.id, "ages", unit_of(plan), change, lambda: numbers)


@KeptByPlan
def _are_ages_large(plan: QueryPlan) -> bool:
    ages, size = rows_of_an_age(plan) or (0, 0)
    return ages * size <= plan.rows_divided_by


# --- a margin as wide as what is possible -------------------------------------------------------


def _wide_margin(study: Study, plan: QueryPlan, spare: Share | None) -> Iterator[Weakness]:
    """A ratio whose margin is half of what is possible, or more, or that nobody knows."""
    code, ends = _width(plan)
    if code == "no-guess":
        numbers = partial(_size_wanted, study, plan)
        whole = not plan.query.by
        unit = unit_of(plan)
        yield Weakness(plan.query.id, code, unit, lambda: Remedy("guess"), numbers, is_whole=whole)
    elif code:
        change = partial(remedy, study, plan, _is_narrow, spare)
        yield Weakness(plan.query.id, code, unit_of(plan), change, lambda: dict(ends))


@KeptByPlan
def _width(plan: QueryPlan) -> tuple[str, Numbers]:
    """The code of a ratio's margin, empty where it is narrow enough, and the possible ends.

    A rate has no highest: its margin is compared with what it is planned at.
    """
    if plan.half_width is None:
        return "no-guess", {}
    if (rate := planned_rate(plan)) is not None:
        cells = len(plan.cells)
        numbers = {"size": Fraction(plan.rows_divided_by), "cells": Fraction(cells)}
        code = "groups" if cells > 1 else "group"
        return (code, numbers) if plan.half_width >= rate else ("", {})
    possible = METHODS[plan.query.statistic].possible(plan)
    if possible is None or possible.width is None or not is_half(plan.half_width, possible):
        return "", {}
    ends = {"lowest": Fraction(possible.lowest or 0), "highest": Fraction(possible.highest or 0)}
    return "whole-range" if plan.half_width >= possible.width else "half-range", ends


def _is_narrow(plan: QueryPlan) -> bool:
    if (rate := planned_rate(plan)) is not None:
        return plan.half_width is not None and plan.half_width < rate
    possible = METHODS[plan.query.statistic].possible(plan)
    return (
        plan.half_width is not None
        and possible is not None
        and not is_half(plan.half_width, possible)
    )


def _size_wanted(study: Study, plan: QueryPlan) -> Numbers:
    """About how many rows a group needs for a margin that is narrow enough.

    All sizes are below ``limits.ROW_CAP``, so that the query compiles with each.
    """
    low, high = 0, len(SIZES) - 1
    while low < high:
        middle = (low + high) // 2
        changed = replace(plan.query, expected=SIZES[middle])
        if _is_narrow(compile_query(study, changed)):
            high = middle
        else:
            low = middle + 1
    return {"size": Fraction(SIZES[low]), "cells": Fraction(len(plan.cells))}


# --- a margin as wide as the group --------------------------------------------------------------


def _small_groups(study: Study, plan: QueryPlan, spare: Share | None) -> Iterator[Weakness]:
    """A total whose margin is as large as what a guessed group could add up to."""
    if plan.query.expected is not None and not _is_group_too_small(plan):
        return  # nothing but the plan says so, and most plans are as they were a keystroke ago
    most, margin = _most(study, plan), _margin(plan)
    if most is None and margin is not None and plan.query.by:
        numbers = partial(_size_too_small, plan, margin)
        # A chosen value is compared with the size of its group, not with 0.
        code = "no-guess-total" if plan.query.declaration.is_total else "no-guess-choice"
        yield Weakness(plan.query.id, code, unit_of(plan), lambda: Remedy("guess"), numbers)
    if most is None or margin is None or margin < most:
        return
    change = partial(remedy, study, plan, _stands_out(study), spare)
    code = "groups" if len(plan.cells) > 1 else "group"
    code += "" if plan.query.declaration.is_total else "-choice"
    group_numbers = partial(_numbers_of_group, study, plan, margin)
    yield Weakness(plan.query.id, code, unit_of(plan), change, group_numbers)


@KeptByPlan
def _is_group_too_small(plan: QueryPlan) -> bool:
    """Whether the margin is as large as what a group of the size typed for it could add up to."""
    margin = _margin(plan)
    return margin is not None and margin >= (plan.query.expected or 0) * _row_adds(plan)


def _numbers_of_group(study: Study, plan: QueryPlan, margin: Fraction) -> Numbers:
    size = guessed_size(study, plan.query) or Fraction(0)
    cells = Fraction(len(plan.cells))
    return {"size": Fraction(max(1, round(size))), "cells": cells, "margin": margin}


def _size_too_small(plan: QueryPlan, margin: Fraction) -> Numbers:
    """Up to about how many rows a group has that the margin drowns, rounded as the margin is."""
    size = ceil(Fraction(two_digits(margin / _row_adds(plan))))
    return {"size": Fraction(max(1, size)), "cells": Fraction(len(plan.cells))}


def takes_guess(plan: QueryPlan) -> bool:
    """Whether what a plan is worth depends on how large its groups are, which nobody knows."""
    if plan.query.declaration.is_ratio:
        return plan.public_rows is None
    return bool(plan.query.by) and _margin(plan) is not None


def _stands_out(study: Study) -> Good:
    """Whether a plan's margin is below half of what its group could add up to."""

    def good(plan: QueryPlan) -> bool:
        most, margin = _most(study, plan), _margin(plan)
        return most is not None and margin is not None and 2 * margin < most

    return good


def _margin(plan: QueryPlan) -> Fraction | None:
    """The margin of a total, or how many rows a choice may be off."""
    if plan.bound is not None:
        counts = plan.bound.what in ("rows", "people") and not plan.query.declaration.finds
        return plan.bound.distance if counts else None
    return plan.half_width if plan.query.declaration.is_total else None


def _most(study: Study, plan: QueryPlan) -> Fraction | None:
    """What a group of the guessed size could add up to."""
    size = guessed_size(study, plan.query)
    return None if size is None else size * _row_adds(plan)


@KeptByPlan
def _row_adds(plan: QueryPlan) -> Fraction:
    return METHODS[plan.query.statistic].row_adds(plan)


def guessed_size(study: Study, query: Query, at_most: bool = True) -> Fraction | None:
    """About how many rows a group has: as typed for the query, declared, or typed for another.

    Another query's guess is one of all its groups' rows; its conditions could only leave out some.

    Args:
        study: what is declared.
        query: whose groups.
        at_most: whether the most that a public number of people can have will do, where nothing was
            typed: few of them have as many rows as the row limit lets through.
    """
    if query.expected is not None:
        return Fraction(query.expected)
    table = None if query.component is None else study.baseline_table(query.component.table)
    if table is not None and table.expected is not None:
        rows = table.expected * max(1, cells(study, table.by))
        return Fraction(rows, max(1, cells(study, query.by)))
    unit = study.unit or Unit()
    people = unit.people if unit.neighbours == "change-one" else None
    others = [
        other.expected * max(1, cells(study, other.by))
        for other in study.queries
        if other.expected is not None and not other.where
    ]
    if people is None and not others:
        return None  # at most keystrokes: groups need not be counted
    groups = max(1, cells(study, query.by))
    most = min(unit.max_rows, groups * (query.rows_per_group or unit.max_rows))
    each = 1 if query.unit == "people" or query.of == "people" else most
    if others and (people is None or each > 1):
        return Fraction(max(others), groups)
    return None if people is None or (each > 1 and not at_most) else Fraction(people * each, groups)


# --- bounds, and questions asked twice ----------------------------------------------------------


def _wide_bounds(study: Study, plan: QueryPlan) -> Iterator[Weakness]:
    """Bounds that reach far beyond what the public table calls typical."""
    column = plan.column
    if not isinstance(column, NumberColumn) or not plan.query.declaration.has_noise_of_bounds:
        return
    known = typical_range(column)
    if known is None or column.lower is None or column.upper is None:
        return
    if column.upper - column.lower < FAR * (known.upper - known.lower):
        return
    if known.lower < column.lower or column.upper < known.upper:
        return
    bounds = narrower(study, plan.query, column, known)
    if bounds is None:
        return
    ends = (column.lower, column.upper, known.lower, known.upper)
    names = ("lowest", "highest", "typical_lowest", "typical_highest")
    numbers = {name: Fraction(end) for name, end in zip(names, ends, strict=True)}
    yield Weakness(plan.query.id, "wide-bounds", column.label, lambda: bounds, lambda: numbers)


def _twice(
    study: Study, mine: QueryPlan, earlier: Iterable[QueryPlan], answered: Set[str]
) -> Iterator[Weakness]:
    """A question that an earlier query asks, too, at this price or another.

    One query with both shares would be drawn again: if the earlier is answered, nothing is saved.
    """
    query = mine.query
    for theirs in earlier:
        if theirs.query.id == query.id or not _same(study, theirs, mine):
            continue
        other = theirs.query
        if theirs.canonical == mine.canonical:
            change = partial(leave_out, study, query)
            yield Weakness(query.id, "twice-free", unit_of(mine), change, other=other.id)
        elif other.id in answered:
            change = partial(leave_out, study, query)
            yield Weakness(query.id, "twice-answered", unit_of(mine), change, other=other.id)
        else:
            change = partial(_as_one, study, other, query)
            yield Weakness(query.id, "twice", unit_of(mine), change, other=other.id)
        return


def _same(study: Study, first: QueryPlan, second: QueryPlan) -> bool:
    """Whether two queries that look alike ask the same; the plan's text says it."""
    if first.share == second.share:
        return first.canonical == second.canonical
    try:
        asked = compile_at_share(study, first, first.query.at_share(second.share))
        return asked.canonical == second.canonical
    except Refused:
        return False


def _as_one(study: Study, first: Query, second: Query) -> Remedy:
    """Asked once, with both shares, or the largest that there is."""
    shares = [query.share or zero("epsilon") for query in (first, second)]
    most = MAX_SHARE[shares[0].measure]
    share = type(most)(min(most.units, sum(one.units for one in shares)))
    changed = first.at_share(share)
    queries = tuple(
        changed if query.id == first.id else query
        for query in study.queries
        if query.id != second.id
    )
    after = replace(study, queries=queries)
    accuracy = compile_query(after, changed).accuracy
    return Remedy("one-question", after, accuracy, {"share": str(share)})


def unit_of(plan: QueryPlan) -> str:
    """The unit of a plan's margin, or empty.

    It is ``rows`` or ``people`` for counts and choices, ``POINTS`` for shares: what these are
    called, and how many points a margin is, is said where it is shown.
    """
    if plan.bound is not None:
        return plan.bound.what
    unit = plan.query.unit
    if plan.query.declaration.is_share:
        return POINTS
    if unit in ("rows", "people"):
        return unit
    if unit in ("per", "ratio"):
        return ""
    label = plan.column.label if plan.column is not None and unit is not None else ""
    return squared_unit(label) if label and unit == "squared" else label
