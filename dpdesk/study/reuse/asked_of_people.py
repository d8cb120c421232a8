# SPDX-License-Identifier: Apache-2.0
"""Queries that are made for somebody: of people, where all that they use is of people."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic


def asked_of_people(study: Study, query: Query) -> Query:
    """The same of people, where each of its columns has one value for all rows of a person.

    Of rows, a person with many of them would count as often.
    """
    has_people = study.unit is not None and study.unit.person is not None
    are_of_person = all(study.is_of_person(name) for name in query.names)
    if not has_people or not query.names or not are_of_person:
        return query
    # In the table of people a row is a person.
    statistic: Statistic = "count" if query.declaration.unit == "people" else query.statistic
    return replace(query.having(statistic=statistic), of="people")
