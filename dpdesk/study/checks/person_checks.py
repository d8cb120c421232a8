# SPDX-License-Identifier: Apache-2.0
"""Judges a query that counts all rows of each person, before the row limit.

Each person lies in one line of it. With a group, one person would lie in a line of each group.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study import limits
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import RowsPerPersonParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem


def check_rows_per_person(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Problems of rows per person; ``path`` is the query's."""
    if study.unit is not None and study.unit.person is None:
        yield Problem(f"{path}.statistic", "rows-per-person-without-person")
    if query.where:
        yield Problem(f"{path}.where", "rows-per-person-condition")
    most, own = limits.MAX_TOP_CODE, query.parameters_as(RowsPerPersonParameters)
    if own.top_code is not None and not 2 <= own.top_code <= most:
        yield Problem(f"{path}.top_code", "top-code-out-of-range", {"most": str(most)})
