# SPDX-License-Identifier: Apache-2.0
"""Exact answers: one integer for each declared cell, empty cells included, sealed on the spot."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.aggregation.candidate_scores import YES, rows_between, rows_with_yes, scores_of
from dpdesk.data.aggregation.chunks import (
    Pairs,
    PartialAggregate,
    Total,
    people_of_parts,
    sum_of_parts,
)
from dpdesk.data.aggregation.grouping import grouped
from dpdesk.data.aggregation.node_counts import node_counts, weighted_bins
from dpdesk.data.aggregation.products import product_sums
from dpdesk.data.aggregation.rows_per_group import first_of_each
from dpdesk.data.aggregation.rows_per_person import people_with_rows
from dpdesk.data.aggregation.second_moments import second_moments
from dpdesk.data.encoding.condition_masks import Mask, passing
from dpdesk.data.encoding.magnitude import rows_by_magnitude
from dpdesk.data.encoding.partition_selection import people_per_text
from dpdesk.data.encoding.table import Codes, EncodedTable
from dpdesk.exact import Exact, ExactTexts
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import Column, Grid, NumberColumn, YesNoColumn, number_grid
from dpdesk.study.model.conditions import Condition, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of, labels_of

SATURATION = 2**62
"""Sums stop here. The compiled plan keeps them below; this only keeps them from wrapping."""

SEEN_PAIRS = 1 << 28
"""Up to this many pairs of person and cell are ticked off in a table, beyond that sorted out."""

_CHUNK_ROWS = 1 << 20
_BITS = 32
_LOW_BITS = (1 << _BITS) - 1
_SHORT = 4
"""Indices of this many bytes are added as they are."""

Rows = npt.NDArray[np.intp]
Counts = npt.NDArray[np.int64]
Weights = tuple[tuple[int, int, int], ...]


def measure(table: EncodedTable, study: Study, spec: AggregateSpec) -> Exact:
    """Compute a measure.

    A row counts if every condition holds and no column that the measure uses left it out; to ask
    whether a cell is missing leaves nothing out.

    Returns:
        The sealed vector, shape ``(cells,)``, cells in row-major order of ``asked.by``; for
        ``bits`` one entry for each row that people keep, whatever it holds; for
        ``rows-per-person`` one for each number of rows, of people and not of kept rows.
    """
    vector = _vector(seen_by(table, study, spec), study, spec)
    return Exact(vector[:-1] if spec.without_last else vector)


def seen_by(table: EncodedTable, study: Study, spec: AggregateSpec) -> EncodedTable:
    """The table that a measure is computed on: of rows or of people, within its limit by group."""
    if spec.of_people:
        table = table.of_people()
    return _limited_by_group(table, study, spec) if spec.rows_per_group else table


def _vector(table: EncodedTable, study: Study, spec: AggregateSpec) -> Counts:
    if spec.kind == "bits":
        # Each is drawn by itself, so their order says nothing; sorted, a neighbour moves one place.
        return np.sort(having(table, study, spec)).astype(np.int64)
    if spec.kind == "rows-per-person":
        return people_with_rows(table.people_by_rows(), spec.top_code)
    if spec.kind == "people":
        return people_per_cell(table, study, spec)
    result = sum_of_parts(table, lambda part: of_part(part, study, spec), size_of(study, spec))
    return answer_of(study, spec, result)


def answer_of(study: Study, spec: AggregateSpec, result: Total) -> Counts:
    """The exact vector of what all rows add up to, where each row adds something of its own."""
    if spec.kind in ("quantile-scores", "value-times-count", "closest-to-target"):
        return scores_of(spec, result.counts)
    if spec.kind == "tree":
        return node_counts(result.counts, _last_groups(study, spec), spec.widths)
    if spec.kind == "weighted-bins":
        return weighted_bins(result.counts, spec.falls, spec.scales)
    if spec.kind == "joint-sums":
        return _weighted(spec.weights, result.counts.tolist(), result.sums)
    if spec.kind == "second-moments":
        return _saturated(result.sums, len(result.sums))
    if spec.kind == "events-and-exposure":
        return _weighted(*_of_events(spec, result.counts.tolist(), result.sums))
    if spec.kind == "sum":
        entry = (spec.offset, spec.factor, 0)
        return _weighted((entry,), result.counts.tolist(), result.sums)
    return result.counts


def _weighted(weights: Weights, counts: list[int], sums: list[int]) -> Counts:
    """Each cell's entries, one after the other.

    Args:
        weights: of each entry: of a row, of its index, of its product.
        counts: rows by cell.
        sums: of indices by cell, then of products by cell where there are any.
    """
    size = len(counts)
    products = sums[size:] or [0] * size
    totals = (
        a * count + b * index + c * product
        for count, index, product in zip(counts, sums[:size], products, strict=True)
        for a, b, c in weights
    )
    return _saturated(totals, size * len(weights))


def _saturated(totals: Iterable[int], count: int) -> Counts:
    within = (max(-SATURATION, min(SATURATION, total)) for total in totals)
    return np.fromiter(within, np.int64, count)


def _of_events(
    spec: AggregateSpec, counts: list[int], sums: list[int]
) -> tuple[Weights, list[int], list[int]]:
    """Weights, events by cell and exposures by cell, of halves without and with the property."""
    rows = map(sum, zip(counts[::2], counts[1::2], strict=True))
    indices = map(sum, zip(sums[::2], sums[1::2], strict=True))
    pairs = zip(rows, indices, strict=True)
    exposures = [spec.offset * count + spec.factor * index for count, index in pairs]
    return spec.weights, counts[1::2], exposures


def size_of(study: Study, spec: AggregateSpec) -> int:
    groups = (len(labels_of(g, _declared(study, column_of(g)))) for g in spec.by)
    return prod(groups) * (1 + len(spec.split_into))


def of_part(table: EncodedTable, study: Study, spec: AggregateSpec) -> PartialAggregate:
    """What some rows add to a measure of rows."""
    rows = counted_rows(table, study, spec)
    cells, size = cells_of(table, study, spec, rows)
    if spec.kind == "rows-with-yes":
        flags = [_own_codes(table, name, rows) == YES for name in spec.columns]
        return PartialAggregate(rows_with_yes(flags, cells, size))
    if spec.kind == "second-moments":
        each = [_place_in_box(table, study, name, rows) for name in spec.columns]
        sums = second_moments(each, spec.lasts, spec.contrasts, spec.squares)
        return PartialAggregate(_rows_by_cell(cells, 1), sums)
    if spec.kind in ("rows", "tree", "weighted-bins"):
        return PartialAggregate(_rows_by_cell(cells, size))
    indices = _own_codes(table, _own(spec), rows)
    if spec.kind == "magnitudes":
        return PartialAggregate(rows_by_magnitude(indices, _declared(study, _own(spec))))
    if spec.kind in ("quantile-scores", "value-times-count", "closest-to-target"):
        return PartialAggregate(rows_between(indices, cells, size, spec.candidates))
    counts, sums = _rows_by_cell(cells, size), _index_sums(indices, cells, size)
    if any(product for *_, product in spec.weights):
        sums += product_sums(indices, cells, size, spec.last, spec.fineness)
    return PartialAggregate(counts, sums)


def _place_in_box(table: EncodedTable, study: Study, name: str, rows: Rows | slice) -> Codes:
    """Between the ends of a column: a number's index, 1 for a yes and 0 for a no."""
    codes = _own_codes(table, name, rows)
    return (
        (codes == YES).astype(np.int8) if isinstance(_declared(study, name), YesNoColumn) else codes
    )


def _rows_by_cell(cells: Rows, size: int) -> Counts:
    return np.bincount(cells, minlength=size) if size > 1 else np.array([len(cells)])


def _own_codes(table: EncodedTable, name: str, rows: Rows | slice) -> Codes:
    codes: Codes = table.column(name).counted()[rows]
    return codes


def _last_groups(study: Study, spec: AggregateSpec) -> int:
    grouping = spec.by[-1]
    return len(labels_of(grouping, _declared(study, column_of(grouping))))


def text_counts(table: EncodedTable, study: Study, spec: AggregateSpec) -> ExactTexts:
    """Compute a measure of kind ``found``.

    Returns:
        Sealed: each text of the measure's column, with how many people have it.
    """
    found = texts_found(table, study, spec)
    return ExactTexts([*found], np.array([*found.values()], np.int64))


def texts_found(table: EncodedTable, study: Study, spec: AggregateSpec) -> dict[str, int]:
    """The same in clear: how many people have each text, of texts that somebody has."""
    rows = counted_rows(table, study, replace(spec, column=None))
    places = np.arange(rows.stop) if isinstance(rows, slice) else rows
    return people_per_text(table.texts(_own(spec)), places, table.persons())


def _own(spec: AggregateSpec) -> str:
    """The measure's column.

    Raises:
        ValueError: it has none.
    """
    if spec.column is None:
        raise ValueError("the measure needs its column")
    return spec.column


def _declared(study: Study, name: str) -> Column:
    """The declared column of that name.

    Raises:
        ValueError: there is none; the study was not checked.
    """
    column = study.column(name)
    if column is None:
        raise ValueError("a measure uses declared columns only")
    return column


def counted_rows(table: EncodedTable, study: Study, spec: AggregateSpec) -> Rows | slice:
    """The rows that count: each condition holds, and no rule leaves them out."""
    counts: Mask = table.limited()
    properties = (c.column for c in spec.split if not isinstance(c, IsMissing))
    in_box = spec.columns if spec.kind == "second-moments" else ()
    for name in (spec.column, spec.after, *map(column_of, spec.by), *properties, *in_box):
        if name is not None:
            counts &= table.column(name).counted() >= 0
    if spec.after is not None:
        counts &= _is_below(table, study, spec.after, _own(spec))
    for condition in spec.where:
        counts &= _passes(table, study, condition)
    return slice(0, len(counts)) if counts.all() else np.flatnonzero(counts)


def _is_below(table: EncodedTable, study: Study, name: str, other: str) -> Mask:
    """Where a number is below another one of its row, both by their grids; where both count."""
    grids = [_number_grid(study, one) for one in (name, other)]
    shared = math.lcm(*(grid.quantum.denominator for grid in grids))
    below, above = (
        _in_parts(table.column(one).counted(), grid, shared)
        for one, grid in zip((name, other), grids, strict=True)
    )
    result: Mask = np.asarray(below < above, np.bool_)
    return result


def _number_grid(study: Study, name: str) -> Grid:
    column = _declared(study, name)
    if not isinstance(column, NumberColumn):
        raise ValueError("only numbers can be compared")
    return number_grid(column)


def _in_parts(codes: Codes, grid: Grid, shared: int) -> npt.NDArray[Any]:
    """The values in parts of one, exact: numbers that 64 bits do not hold are Python's own."""
    worth = int(grid.quantum * shared)
    reach = worth * (abs(grid.offset) + (grid.last + 1) * grid.factor)
    kind: Any = np.int64 if reach < SATURATION else object
    return (codes.astype(kind) * grid.factor + grid.offset) * worth


def _passes(table: EncodedTable, study: Study, condition: Condition) -> Mask:
    column = _declared(study, condition.column)
    return passing(table.column(column.name), column, condition)


def _limited_by_group(table: EncodedTable, study: Study, spec: AggregateSpec) -> EncodedTable:
    """The table, of which a person's first counted rows of each group alone can count.

    Its first ones are those in the random order in which they were kept. A row that a condition
    or a rule leaves out takes nobody's place.
    """
    rows = counted_rows(table, study, spec)
    whole = replace(spec, by=spec.by[: spec.groupings], split=())
    groups, size = cells_of(table, study, whole, rows)
    pairs = table.persons()[rows].astype(np.int64) * size + groups
    within: Mask = np.zeros(len(table.persons()), np.bool_)
    within[rows] = first_of_each(pairs, table.order()[rows], spec.rows_per_group)
    return table.limited_to(within)


def cells_of(
    table: EncodedTable, study: Study, spec: AggregateSpec, rows: Rows | slice
) -> tuple[Rows, int]:
    """Each counted row's cell, and the number of cells; one cell where nothing is grouped."""
    count = rows.stop if isinstance(rows, slice) else len(rows)
    cells, size = np.zeros(count, np.intp), 1
    for grouping in spec.by:
        codes, groups = grouped(table, _declared(study, column_of(grouping)), grouping, rows)
        cells = codes if size == 1 else cells * groups + codes
        size *= groups
    if spec.split_into:
        parts = 1 + len(spec.split_into)
        cells, size = cells * parts + _part_of_cell(table, study, spec)[rows], size * parts
    return cells, size


def having(table: EncodedTable, study: Study, spec: AggregateSpec) -> Mask:
    """Which rows have the property of ``split``."""
    found: Mask = _part_of_cell(table, study, spec) > 0
    return found


def _part_of_cell(table: EncodedTable, study: Study, spec: AggregateSpec) -> Rows:
    """Of each row the part of its cell: the first one where it has none of the properties."""
    parts: Rows = np.zeros(len(table.persons()), np.intp)
    for part, conditions in enumerate(spec.split_into, 1):
        found: Mask = np.ones(len(parts), np.bool_)
        for condition in conditions:
            found &= _passes(table, study, condition)
        parts[found] = part
    return parts


def people_per_cell(table: EncodedTable, study: Study, spec: AggregateSpec) -> Counts:
    """How many people have a row in each cell."""

    def pairs(part: EncodedTable) -> Pairs:
        rows = counted_rows(part, study, spec)
        return part.persons()[rows], cells_of(part, study, spec, rows)[0]

    size = size_of(study, spec)
    if table.people() * size <= SEEN_PAIRS:
        return people_of_parts(table, pairs, size)
    # Loaded here: what makes a plan imports this module, and never has that many pairs.
    import pandas as pd

    persons, cells = pairs(table)
    return np.bincount(pd.unique(persons.astype(np.int64) * size + cells) % size, minlength=size)


def _index_sums(indices: Codes, cells: Rows, size: int) -> list[int]:
    """Exact sums of grid indices per cell.

    ``bincount`` adds in floating point, which is exact below 2**53: so 32 bits at a time, and a
    limited number of rows at a time.
    """
    if size == 1 and indices.itemsize <= _SHORT:
        return [int(indices.sum(dtype=np.int64))]
    sums = [0] * size
    for start in range(0, len(indices), _CHUNK_ROWS):
        part = indices[start : start + _CHUNK_ROWS]
        place = cells[start : start + _CHUNK_ROWS]
        for shift in range(0, 8 * indices.itemsize, _BITS):
            # An index of 2**33 + 5 is added as the digits 5 and 2: 5 + (2 << 32).
            digits = part if indices.itemsize <= _SHORT else (part >> shift) & _LOW_BITS
            partial = np.bincount(place, digits, size).tolist()
            sums = [s + (int(p) << shift) for s, p in zip(sums, partial, strict=True)]
    return sums
