# SPDX-License-Identifier: Apache-2.0
"""Standard populations, and what part of one each declared age group is.

A group fits where it is made of whole age bands of the standard; the last band is open, and so is
a group that ends in it or beyond it. Groups need not cover all ages: a rate of some ages has the
weights of these alone. Which group is which follows from declarations, never by the data.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import cast

from dpdesk.resources import resource_path
from dpdesk.study.model.columns import CLAMP, Column, NumberColumn, group_labels
from dpdesk.study.model.groupings import Bins, Grouping, labels_of
from dpdesk.study.model.parameters import OWN_WEIGHTS, StandardName

Span = tuple[Fraction, Fraction | None]
"""The first age of a group, and the first beyond it; ``None`` for no end."""

UNKNOWN_AGES = frozenset({"(missing)", "(other)"})
"""Groups of the program's own: of no age, with no weight."""

_AGE = r"([0-9]{1,3})"
_HALF_OPEN = re.compile(rf"\[{_AGE} ?[-,;\u2013] ?{_AGE}\)")
_CLOSED = re.compile(rf"\[?{_AGE} ?(?:-|\u2013|to|bis) ?{_AGE}\]?")
_ONE = re.compile(_AGE)
_OPEN = re.compile(rf"{_AGE} ?(?:\+|and over|and older|or more|und \u00e4lter)")
_BELOW = re.compile(rf"(?:<|under|unter) ?{_AGE}")


@dataclass(frozen=True)
class Standard:
    """A standard population.

    Attributes:
        title: its English name.
        source: where its numbers were published.
        bands: the first age of each band, rising, and how many people it has; the last is open.
    """

    title: str
    source: str
    bands: tuple[tuple[int, int], ...]

    def people(self, span: Span) -> int | None:
        """How many there are of these ages; ``None`` where a band is cut."""
        firsts = [first for first, _ in self.bands]
        low, high = span
        if high is not None and high > firsts[-1]:
            high = None
        if low not in firsts or (high is not None and high not in firsts):
            return None
        return sum(n for first, n in self.bands if first >= low and (high is None or first < high))


@cache
def standards() -> dict[StandardName, Standard]:
    """All that are built in; their numbers and sources are data beside the program.

    >>> [sum(people for _, people in one.bands) for one in standards().values()]
    [100000, 100000, 1000000, 100000]
    """
    folder = resource_path("standards")
    with (folder / "populations.csv").open(encoding="utf-8", newline="") as lines:
        rows = [*csv.DictReader(lines)]
    with (folder / "sources.csv").open(encoding="utf-8", newline="") as lines:
        about = [*csv.DictReader(lines)]
    return {
        cast(StandardName, one["standard"]): Standard(
            one["title"],
            one["source"],
            tuple(
                (int(row["from_age"]), int(row["people"]))
                for row in rows
                if row["standard"] == one["standard"]
            ),
        )
        for one in about
    }


def known_groups(grouping: Grouping, column: Column) -> tuple[str, ...]:
    """The groups that weights and reference rates are of: those of some age."""
    return tuple(label for label in labels_of(grouping, column) if label not in UNKNOWN_AGES)


def for_each_group(
    grouping: Grouping, column: Column, numbers: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """The numbers of the known groups, with 0 for the others; one a group."""
    given = iter(numbers)
    return tuple(
        Fraction(0) if label in UNKNOWN_AGES else next(given, Fraction(0))
        for label in labels_of(grouping, column)
    )


def people_of(name: StandardName, grouping: Grouping, column: Column) -> dict[str, int | None]:
    """Of each known group, how many people the standard has; ``None`` where it does not fit."""
    standard = standards()[name]
    spans = _spans(grouping, column)
    return {
        label: None if (span := spans.get(label)) is None else standard.people(span)
        for label in known_groups(grouping, column)
    }


def bands_of(name: StandardName, grouping: Grouping, column: Column) -> dict[str, tuple[int, ...]]:
    """Of each known group, with which ages the bands of the standard begin that it holds."""
    found = dict[str, tuple[int, ...]]()
    spans = _spans(grouping, column)
    for label in known_groups(grouping, column):
        if (span := spans.get(label)) is not None:
            low, high = span
            firsts = (first for first, _ in standards()[name].bands if first >= low)
            found[label] = tuple(first for first in firsts if high is None or first < high)
    return found


def first_edges(name: StandardName, column: NumberColumn) -> tuple[int, ...]:
    """Where age groups of ten years begin that are made of the bands, from 15 to 85.

    Those of five years, and of children, are too small for most budgets: with one age group whose
    exposure is lost in its noise there is no standardised rate at all.
    """
    if column.lower is None or column.upper is None:
        return ()
    lower, upper = column.lower, column.upper
    firsts = [first for first, _ in standards()[name].bands]
    return tuple(one for one in range(15, 86, 10) if one in firsts and lower < one <= upper)


def _spans(grouping: Grouping, column: Column) -> dict[str, Span | None]:
    if isinstance(grouping, Bins) and isinstance(column, NumberColumn):
        return dict(zip(labels_of(grouping, column), _of_bins(column, grouping), strict=False))
    return {label: _of_label(label) for label in group_labels(column)}


def _of_bins(column: NumberColumn, bins: Bins) -> tuple[Span, ...]:
    """A last bin into which higher values count has no end."""
    if column.lower is None or column.upper is None or column.step is None:
        return ()
    starts = [Fraction(column.lower), *map(Fraction, bins.edges)]
    end = Fraction(column.upper) + Fraction(column.step)
    last = None if column.outside == CLAMP else Fraction(ceil(end))
    return tuple(zip(starts, (*starts[1:], last), strict=True))


def _of_label(label: str) -> Span | None:
    """The ages that a category's name says.

    >>> [_of_label(text) for text in ("[0-10)", "5-9", "85+", "<1")] == [
    ...     (0, 10), (5, 10), (85, None), (0, 1)]
    True
    >>> _of_label("elderly")
    """
    text = " ".join(label.split())
    if found := _HALF_OPEN.fullmatch(text):
        return Fraction(found[1]), Fraction(found[2])
    if found := _CLOSED.fullmatch(text):
        return Fraction(found[1]), Fraction(found[2]) + 1
    if found := _OPEN.fullmatch(text):
        return Fraction(found[1]), None
    if found := _BELOW.fullmatch(text):
        return Fraction(0), Fraction(found[1])
    if found := _ONE.fullmatch(text):
        return Fraction(found[1]), Fraction(found[1]) + 1
    return None


def ages_of(column: Column) -> bool:
    """Whether all of a column's groups are ages."""
    groups = [label for label in group_labels(column) if label not in UNKNOWN_AGES]
    return bool(groups) and all(_of_label(label) is not None for label in groups)


def weights_of(
    name: StandardName, own: tuple[Fraction, ...], grouping: Grouping, column: Column
) -> tuple[Fraction, ...]:
    """What each group counts, together 1; nothing where the groups do not fit.

    Args:
        name: the standard, or ``OWN_WEIGHTS``.
        own: the custodian's weights, one a known group.
        grouping: the groups.
        column: their column.
    """
    if name == OWN_WEIGHTS:
        numbers = own
    else:
        people = people_of(name, grouping, column)
        if any(many is None for many in people.values()):
            return ()
        numbers = tuple(Fraction(many or 0) for many in people.values())
    each = for_each_group(grouping, column, numbers)
    total = sum(each)
    return tuple(one / total for one in each) if total else ()
