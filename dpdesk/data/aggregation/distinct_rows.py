# SPDX-License-Identifier: Apache-2.0
"""Exact answers of rows of which only the distinct ones are here, each with its number.

A database groups the kept rows by what they hold; this makes of its groups what ``aggregate``
makes of the rows. Whatever a measure adds up over rows, it adds up over the rows whose number has
a given binary digit, times that digit's worth: so the one way of adding up serves both.

Rows   a a a b b   are   3 times a, 2 times b: once the rows {a}, and twice the rows {a, b}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.aggregation.aggregate import (
    Counts,
    answer_of,
    cells_of,
    counted_rows,
    having,
    of_part,
    size_of,
)
from dpdesk.data.aggregation.chunks import Total, sum_of_parts
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.document import Study

NOT_COUNTED = -1


@dataclass(frozen=True, repr=False, eq=False)
class DistinctRows:
    """Rows that differ from one another.

    Attributes:
        table: one row of each kind; whose they are says nothing here.
        times: how many rows there are of each kind, shape ``(kinds,)``, each 1 or more.
    """

    table: EncodedTable
    times: npt.NDArray[np.int64]


def exact_vector(rows: DistinctRows, study: Study, spec: AggregateSpec) -> Counts:
    """Compute a measure of rows, in clear: for the runner beside a database, which seals it.

    Args:
        spec: of any kind but ``people``, ``found`` and ``rows-per-person``, which are about
            people. Rows beyond a limit for each group are gone already.

    Returns:
        The vector that ``aggregate.measure`` would seal, shape ``(cells,)``.
    """
    if spec.kind == "bits":
        yes = int(rows.times[having(rows.table, study, spec)].sum())
        vector = np.repeat(np.array([0, 1], np.int64), [int(rows.times.sum()) - yes, yes])
    else:
        vector = answer_of(study, spec, _total(rows, study, spec))
    return vector[:-1] if spec.without_last else vector


def _total(rows: DistinctRows, study: Study, spec: AggregateSpec) -> Total:
    size = size_of(study, spec)
    whole = _added(rows.table.limited_to(np.zeros(len(rows.times), np.bool_)), study, spec, size)
    for digit in range(int(rows.times.max(initial=0)).bit_length()):
        some = rows.table.limited_to((rows.times >> digit & 1).astype(np.bool_))
        more = _added(some, study, spec, size)
        sums = zip(whole.sums, more.sums, strict=True)
        whole = Total(whole.counts + (more.counts << digit), [a + (b << digit) for a, b in sums])
    return whole


def _added(table: EncodedTable, study: Study, spec: AggregateSpec, size: int) -> Total:
    return sum_of_parts(table, lambda part: of_part(part, study, spec), size)


def cell_of_each(
    table: EncodedTable, study: Study, spec: AggregateSpec, cells_by: AggregateSpec
) -> npt.NDArray[np.int64]:
    """The cell of each row, ``NOT_COUNTED`` where it does not count.

    Args:
        spec: says which rows count.
        cells_by: says what their cells are.
    """
    cells = np.full(len(table.persons()), NOT_COUNTED, np.int64)
    rows = counted_rows(table, study, spec)
    cells[rows] = cells_of(table, study, cells_by, rows)[0]
    return cells
