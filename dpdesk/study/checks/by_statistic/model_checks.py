# SPDX-License-Identifier: Apache-2.0
"""Judges what explains the outcome of a linear model."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study.checks.grouping_checks import undeclared
from dpdesk.study.model.columns import NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import LinearModelParameters
from dpdesk.study.problem import Problem

MOST_EXPLAINING = 8
"""With each further column noise doubles its variance, and a row takes twice as long to count."""


def check_explaining(study: Study, own: LinearModelParameters, path: str) -> Iterator[Problem]:
    """Problems of the columns that explain; none that are missing, which is said elsewhere."""
    if len(own.columns) > MOST_EXPLAINING:
        yield Problem(path, "list-too-long", {"most": str(MOST_EXPLAINING)})
    for index, name in enumerate(own.columns):
        place, column = f"{path}[{index}]", study.column(name)
        if name in own.columns[:index]:
            yield Problem(place, "value-twice", {"value": name})
        elif name == own.column:
            yield Problem(place, "model-explains-itself", {"name": name})
        elif column is None:
            yield undeclared(study, name, place)
        elif not isinstance(column, NumberColumn | YesNoColumn):
            yield Problem(place, "model-column-kind", {"name": name})
