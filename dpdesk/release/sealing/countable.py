# SPDX-License-Identifier: Apache-2.0
"""What a database cannot be asked for so far, told when the order is made."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import needs_all_rows
from dpdesk.study.problem import Problem, Refused


def refuse_uncountable(study: Study) -> None:
    """Refuse a study whose figures need more than one table, or all rows of a person.

    Raises:
        Refused: ``order-several-tables``, ``order-person-step`` (param name), ``order-of-people``,
            ``order-fill-down``, each at the place that asks for it.
    """
    problems = tuple(_problems(study))
    if problems:
        raise Refused(problems)


def _problems(study: Study) -> Iterator[Problem]:
    for at, _table in enumerate(study.tables):
        yield Problem(f"$.tables[{at}]", "order-several-tables")
    if study.data is not None and study.data.more:
        yield Problem("$.data.more[0]", "order-several-tables")
    if study.data is not None and study.data.fill_down:
        yield Problem("$.data.fill_down", "order-fill-down")
    columns = study.by_name
    for at, column in enumerate(study.columns):
        if column.header is None and needs_all_rows(columns, study.homes, column):
            yield Problem(f"$.columns[{at}]", "order-person-step", {"name": column.name})
    for at, query in enumerate(study.queries):
        if query.of == "people":
            yield Problem(f"$.queries[{at}]", "order-of-people")
