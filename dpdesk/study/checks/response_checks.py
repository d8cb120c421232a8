# SPDX-License-Identifier: Apache-2.0
"""Judges whether every row of the data answers a randomised response, and how many rows those are.

The number of answers leaves with the estimate, so it must be public and the same whatever the
rows hold: equally many people in neighbouring data, one row each, and no row left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study import limits
from dpdesk.study.model.columns import keeps_every_row
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem


def check_response(study: Study, query: Query, path: str) -> Iterator[Problem]:
    unit = study.unit
    if unit is not None and unit.neighbours != "change-one":
        yield Problem(f"{path}.statistic", "response-rows-secret")
    elif unit is not None and unit.max_rows != 1:
        yield Problem(f"{path}.statistic", "response-many-rows")
    elif unit is not None and (unit.people or 0) > limits.MAX_RESPONSE_ROWS:
        params = {"most": str(limits.MAX_RESPONSE_ROWS)}
        yield Problem(f"{path}.statistic", "response-too-many-rows", params)
    if query.where:
        yield Problem(f"{path}.where", "response-condition")
    if query.noise != "auto":
        yield Problem(f"{path}.noise", "response-noise")
    for index, condition in enumerate(query.parameters_as(PropertyParameters).has):
        column = study.column(condition.column)
        if isinstance(condition, IsMissing):
            continue  # known of every row
        if column is not None and not keeps_every_row(column):
            params = {"name": column.name}
            yield Problem(f"{path}.has[{index}]", "response-drops-rows", params)
