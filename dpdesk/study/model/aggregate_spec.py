# SPDX-License-Identifier: Apache-2.0
"""What is computed exactly before noise: a description, without the data.

``privacy`` compiles queries to measures and proves their sensitivity; ``data`` computes them on
the encoded table and seals the answer. Both read this description and nothing of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.study.model.conditions import Condition, IsIn
from dpdesk.study.model.groupings import Grouping

AggregateKind = Literal[
    "rows",
    "people",
    "sum",
    "joint-sums",
    "events-and-exposure",
    "bits",
    "found",
    "quantile-scores",
    "rows-with-yes",
    "value-times-count",
    "closest-to-target",
    "tree",
    "weighted-bins",
    "magnitudes",
    "rows-per-person",
    "second-moments",
]


@dataclass(frozen=True)
class AggregateSpec:
    """One vector of exact integers; cells in row-major order of ``by``, then of what a cell has.

    Attributes:
        kind: ``rows`` counts rows, ``people`` counts people with at least one row in the cell,
            ``sum`` adds ``offset + factor * index`` over the cell's rows, where ``index`` is the
            row's grid index in ``column``. ``joint-sums`` has an entry for each of ``weights``:
            with (a, b, c) it adds ``a + b * index + c * s`` over the cell's rows, where s is
            ``index * (last - index) * fineness / last``, rounded down.
            ``events-and-exposure`` has an entry for each of ``weights``: with (a, b, 0) it adds
            ``a`` for each row of the cell with the property of ``split`` and ``b * (offset +
            factor * index)`` for each row.
            ``bits`` has a 1 for each row of the table that has the property of ``split`` and a 0
            for each other row.
            ``quantile-scores`` has one entry a candidate, see ``levels``. ``rows-with-yes`` has
            one entry for each of ``columns``: how many rows say yes there. ``value-times-count``
            and ``closest-to-target`` have one entry a candidate c, with N = #{x >= c}:
            ``(offset + factor * c) * N`` and ``-abs(N - target)``.
            ``found`` counts people for each text that is in ``column``, declared or not.
            ``tree`` counts rows for each node over the last grouping, see ``widths``.
            ``weighted-bins`` adds up weighted counts over the last grouping, see ``falls``.
            ``magnitudes`` counts rows for each magnitude of ``column``, see ``magnitudes``.
            ``rows-per-person`` counts the people with an id who have 1, 2, 3 ... rows in the file,
            all of them, before the contribution bound; see ``top_code``.
            ``second-moments`` has an entry for each corner of the box that the bounds of
            ``columns`` make, or for each of ``contrasts``, then one for each of ``squares`` that is
            above 0; see ``data.aggregation.second_moments``.
        column: the number column of a sum or of candidates; for counts, a column whose rules must
            keep the row (the denominator of a mean), or ``None``.
        by: groupings.
        where: conditions, and-ed.
        offset, factor: see ``kind``; whole numbers.
        split: conditions that split every cell in two, rows without and rows with the property;
            empty for no split.
        splits_values: whether the one condition of ``split``, that a column is one of some values,
            splits every cell into a part for each of them: those of none first, then as listed.
        after: a number column whose value must be below that of ``column`` for a row to count, each
            by its rules; ``None`` for no such column.
        levels: for ``quantile-scores``, the whole numbers (a, b) of the probability a / (a + b):
            the score of candidate c is ``-max(0, a * #{x > c} - b * #{x <= c}, b * #{x < c} -
            a * #{x >= c})``, 0 where c is a quantile.
        candidates: grid indices of the candidates of ``column``, rising.
        columns: the yes/no columns of ``rows-with-yes``; one leaves no row out for the others. The
            columns of ``second-moments``; each leaves rows out.
        target: see ``kind``.
        widths: for ``tree``, how many groups of the last grouping a node of each level has, each
            a multiple of the next; a cell of the other groupings has its nodes level by level.
        falls, scales: for ``weighted-bins``, whole numbers, one for each group of the last
            grouping: entry i of a cell adds up ``falls[i - j] * scales[j]`` times the rows of its
            group j, for j from 0 to i.
        top_code: the last entry of ``rows-per-person`` has the people with this many rows or more.
        weights, last, fineness: see ``joint-sums``; whole numbers, the last one 1 or more.
        lasts: for ``second-moments``, the last grid index of each of ``columns``.
        contrasts: for ``second-moments``, (m, w): w times the product of the columns that are bits
            of m, two at most, or one, or none.
        squares: for ``second-moments``, of each of ``columns`` the weight of its square; 0 for
            none.
        of_people: whether it is of the table of people rather than that of rows.
        rows_per_group: how many of a person's counted rows of one group are taken at most, the
            first ones in their random order; 0 for all.
        groupings: how many of ``by``, from the first on, make those groups.
        without_last: whether the last entry is left out, because it follows from a public total.
    """

    kind: AggregateKind
    column: str | None = None
    by: tuple[Grouping, ...] = ()
    where: tuple[Condition, ...] = ()
    offset: int = 0
    factor: int = 1
    split: tuple[Condition, ...] = ()
    splits_values: bool = False
    after: str | None = None
    levels: tuple[int, int] = (1, 1)
    candidates: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()
    target: int = 0
    widths: tuple[int, ...] = ()
    falls: tuple[int, ...] = ()
    scales: tuple[int, ...] = ()
    top_code: int = 0
    weights: tuple[tuple[int, int, int], ...] = ()
    last: int = 0
    fineness: int = 1
    lasts: tuple[int, ...] = ()
    contrasts: tuple[tuple[int, int], ...] = ()
    squares: tuple[int, ...] = ()
    of_people: bool = False
    without_last: bool = False
    rows_per_group: int = 0
    groupings: int = 0

    @property
    def split_into(self) -> tuple[tuple[Condition, ...], ...]:
        """The conditions of each part of a cell but the first; a row is in the last that it has."""
        match self.split:
            case (IsIn(column=column, values=values),) if self.splits_values:
                return tuple((IsIn(column, (value,)),) for value in values)
            case ():
                return ()
        return (self.split,)
