# SPDX-License-Identifier: Apache-2.0
"""What a database cannot be asked for so far, reported when the order is made."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import needs_all_rows
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused


def refuse_uncountable(study: Study) -> None:
    """Refuse a study whose table is several, or whose rows mean something by their order.

    Raises:
        Refused: ``order-several-files`` or ``order-fill-down``, each at its place.
    """
    problems = tuple(_problems(study))
    if problems:
        raise Refused(problems)


def _problems(study: Study) -> Iterator[Problem]:
    tables = [("$.data", study.data or DataSource())]
    tables += [(f"$.tables[{at}].data", one.data) for at, one in enumerate(study.tables)]
    for place, data in tables:
        if data.more:
            yield Problem(f"{place}.more[0]", "order-several-files")
        if data.fill_down:
            yield Problem(f"{place}.fill_down", "order-fill-down")


def needs_people(study: Study) -> bool:
    """Whether something is made of all rows of a person, or of several tables."""
    columns = study.by_name
    late = (one for one in study.columns if one.header is None)
    return (
        bool(study.tables)
        or any(query.of == "people" for query in study.queries)
        or any(needs_all_rows(columns, study.homes, one) for one in late)
    )
