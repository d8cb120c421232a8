# SPDX-License-Identifier: Apache-2.0
"""Random complete declarations of the columns that a file turns out to have."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from dpdesk.study.model.columns import CategoryColumn, Column, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.text_folding import COMPARISONS
from dpdesk.study.model.unit import DataSource, Unit
from tests.data.tables import random_date, random_number

MOST_COLUMNS = 6


def random_study(dice: random.Random, source: DataSource, header: Sequence[str]) -> Study:
    """A study of some of these columns, and at times of one that is not there."""
    names = dice.sample(list(header), min(len(header), dice.randint(1, MOST_COLUMNS)))
    if dice.random() < 0.05:
        names.append("no such column")
    person = names.pop() if len(names) > 1 and dice.random() < 0.7 else None
    columns = tuple(_column(dice, name) for name in names)
    unit = Unit(
        person=person,
        max_rows=dice.choice((1, 2, 3, 100)) if person is not None else 1,
        leading_zeros=dice.random() < 0.3,
        without_id=dice.choice(("drop", "one-person")),
    )
    return Study(data=source, unit=unit, columns=columns, queries=_queries(dice, columns))


def _column(dice: random.Random, name: str) -> Column:
    kind = dice.choice(("number", "number", "category", "yes-no", "date"))
    if kind == "number":
        return random_number(dice, name)
    if kind == "date":
        return replace(random_date(dice), name=name)
    rule = dice.choice(("drop", "category"))
    if kind == "category":
        values = ("A", "B", "Ä", "1", "=1+1")
        listed: Column = CategoryColumn(name, values, rule, dice.choice(("drop", rule)))
    else:
        listed = YesNoColumn(name, ("yes", "1", "True"), ("no", "0"), rule, rule)
    return replace(listed, compare=dice.choice(COMPARISONS))  # type: ignore[call-arg]


def _queries(dice: random.Random, columns: Sequence[Column]) -> tuple[Query, ...]:
    """At times the texts of a category are asked as they stand in the file."""
    texts = [column.name for column in columns if isinstance(column, CategoryColumn)]
    if not texts or dice.random() < 0.7:
        return ()
    return (Query("found", "categories-found", CategoriesFoundParameters(texts[0])),)
