# SPDX-License-Identifier: Apache-2.0
"""Exact answers from a table in parts, each with all rows of some people.

Whatever is counted of rows or of people, nobody is in two parts: so what the parts give adds up.
Where a measure makes something else of what was added up, as scores of candidates, that is done
once in the end.
"""

from __future__ import annotations

import numpy as np

from dpdesk.data.aggregation.aggregate import (
    Counts,
    answer_of,
    having,
    of_part,
    people_per_cell,
    seen_by,
    size_of,
)
from dpdesk.data.aggregation.chunks import Total, sum_of_parts
from dpdesk.data.aggregation.rows_per_person import people_with_rows
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.document import Study


class PassedMeasure:
    """One measure, part by part, in clear: for the runner beside a database, which seals it."""

    def __init__(self, study: Study, spec: AggregateSpec) -> None:
        """Begin with no part.

        Args:
            spec: of any kind but ``found``.
        """
        self._study = study
        self._spec = spec
        self._total: Total | None = None

    def add(self, table: EncodedTable) -> None:
        """Take in all rows of some people, whom no other part has."""
        more = self._of(table)
        before = self._total
        if before is None:
            self._total = more
            return
        sums = [a + b for a, b in zip(before.sums, more.sums, strict=True)]
        self._total = Total(before.counts + more.counts, sums)

    def _of(self, table: EncodedTable) -> Total:
        study, spec = self._study, self._spec
        if spec.kind == "rows-per-person":
            return Total(people_with_rows(table.people_by_rows(), spec.top_code), [])
        seen = seen_by(table, study, spec)
        if spec.kind == "bits":
            return Total(np.bincount(having(seen, study, spec), minlength=2), [])
        if spec.kind == "people":
            return Total(people_per_cell(seen, study, spec), [])
        return sum_of_parts(seen, lambda part: of_part(part, study, spec), size_of(study, spec))

    def vector(self) -> Counts:
        """The vector that ``aggregate.measure`` would seal of all parts together.

        Raises:
            ValueError: there was no part.
        """
        if self._total is None:
            raise ValueError("a table has one part at least")
        if self._spec.kind == "bits":
            return np.repeat(np.array([0, 1], np.int64), self._total.counts)
        if self._spec.kind in ("people", "rows-per-person"):
            vector = self._total.counts
        else:
            vector = answer_of(self._study, self._spec, self._total)
        return vector[:-1] if self._spec.without_last else vector
