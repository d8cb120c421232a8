# SPDX-License-Identifier: Apache-2.0
"""Random chains of derived columns, drawn with dice rather than by Hypothesis: fast, and many."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from dpdesk.study.checks.step_checks import check_step, kinds_taken
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    group_labels,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.result import own_values, result_of
from dpdesk.study.model.steps.step import (
    DATE_PARTS,
    IN_ORDER,
    OPERATIONS,
    PERSON_VALUES,
    ROW_NEIGHBOURS,
    TIME_UNITS,
    WITHOUT_COLUMN,
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FirstThere,
    Holds,
    OfCase,
    OfPerson,
    Operand,
    Recode,
    RecodeEntry,
    Step,
    TimeBetween,
)
from dpdesk.study.model.tables import MAIN, PEOPLE

CODES = (RecodeEntry("low", ("A-F", "0-3")), RecodeEntry("high", ("G-Z", "4-9")))
HEADERS = ("ward", "stay", "sex")


def random_chain(
    dice: random.Random, read: tuple[Column, ...], links: int, *, persons: bool = False
) -> tuple[Column, ...]:
    """Columns with up to this many derived ones, each made of any before it.

    Args:
        dice: the dice.
        read: the columns of the file.
        links: how many more.
        persons: whether some are made of all rows of a person.
    """
    columns = list(read)
    for at in range(links):
        of_rows = dice.random() < 0.4 if persons else False
        step = _person_step(dice, columns) if of_rows else _random_step(dice, columns)
        made = random_derived(dice, columns, f"link {at}", step)
        if not any(check_step(Study(columns=(*columns, made)), made, "")):
            columns.append(made)
    return tuple(columns)


def random_chain_of_tables(dice: random.Random, study: Study, links: int) -> Study:
    """A study of several tables with up to this many derived columns more, at any home.

    Args:
        dice: the dice.
        study: the columns that are read, of each table every kind.
        links: how many more.
    """
    tables = [MAIN, *(one.name for one in study.tables if not one.is_of_people)]
    by_case = [one.name for one in study.tables if one.case]
    for at in range(links):
        kind = dice.random()
        table = dice.choice(by_case if kind < 0.2 and by_case else tables)
        home = PEOPLE if kind > 0.8 else table
        columns = [one for one in study.columns if study.homes[one.name] in (home, PEOPLE)]
        try:
            step = _random_step(dice, columns) if kind > 0.6 else _person_step(dice, columns)
        except (IndexError, KeyError):
            continue  # no two columns of a kind are there
        if isinstance(step, OfPerson):
            of_case = kind < 0.2 and table in by_case
            step = (OfCase if of_case else OfPerson)(**{**vars(step), "table": table})
        made = random_derived(dice, columns, f"link {at}", step)
        longer = replace(study, columns=(*study.columns, made))
        if not any(check_step(longer, made, "")):
            study = longer
    return study


def random_derived(dice: random.Random, columns: list[Column], name: str, step: Step) -> Column:
    """A derived column of a step, with random rules."""
    result = result_of(step, {one.name: one for one in columns})
    kind = result.kinds[0]
    if kind == "number":
        lower = Decimal(dice.choice([-20, 0, 1]))
        outside: Any = dice.choice(["clamp", "drop", Replace(lower)])
        missing: Any = dice.choice(["drop", Replace(lower)])
        width = Decimal(dice.choice(["0.5", "1", "7"]))
        upper = lower + width * dice.choice([3, 40, 2_000])
        undefined: Any = dice.choice(["drop", Replace(lower)])
        rules = {"missing": missing, "outside": outside, "unparsable": undefined}
        rules["made_from"] = step
        return NumberColumn(name, lower, upper, width, **rules)
    if kind == "date":
        first = date(2020, 1, 1)
        last = first + timedelta(dice.choice([30, 400]))
        return DateColumn(name, first, last, outside=dice.choice(["clamp", "drop"]), made_from=step)
    rule: Any = dice.choice(["drop", "category"])
    if kind == "yes-no":
        return YesNoColumn(name, ("yes",), ("no",), missing=rule, made_from=step)
    values = result.values
    if isinstance(step, Bands):
        values = tuple(f"from {edge}" for edge in step.edges)
    other: Any = dice.choice(["drop", "category"])
    return CategoryColumn(name, values, missing=rule, unknown=other, made_from=step)


def _random_step(dice: random.Random, columns: list[Column]) -> Step:
    by_kind: dict[type, list[Column]] = {}
    for one in columns:
        by_kind.setdefault(type(one), []).append(one)
    numbers = [one.name for one in by_kind[NumberColumn]]
    dates = [one.name for one in by_kind[DateColumn]]
    groups = [one for kind in (CategoryColumn, YesNoColumn) for one in by_kind.get(kind, [])]

    def operand() -> Operand:
        return Operand(dice.choice(numbers), dice.choice([1, 1, 2]))

    def recode() -> Step:
        one = dice.choice(groups)
        own = own_values(one)
        old = [*own, *group_labels(one)[len(own) :][-1:]]
        dice.shuffle(old)
        cut = dice.randint(1, len(old))
        return Recode(one.name, (RecodeEntry("some", tuple(old[:cut])),))

    def first_there() -> Step:
        alike = dice.choice([found for found in by_kind.values() if len(found) > 1])
        return FirstThere(tuple(one.name for one in dice.sample(alike, 2)))

    edges = sorted(dice.sample(range(-10, 20), 3))
    some = dice.sample(columns, min(len(columns), dice.randint(1, 3)))
    second: Any = dice.choice([operand(), Decimal("2.5")])
    day = date(2020, 6, 1)
    makers = (
        lambda: TimeBetween(
            (dice.choice(dates), dice.choice([day, *dates])), dice.choice(TIME_UNITS)
        ),
        recode,
        lambda: CodePrefix(dice.choice(HEADERS), CODES, dice.choice([0, 3])),
        lambda: Bands(dice.choice(numbers), tuple(map(Decimal, edges))),
        lambda: Holds(tuple(_condition(dice, one) for one in some), dice.choice(["all", "any"])),
        lambda: Arithmetic(dice.choice(OPERATIONS), (operand(), second)),
        lambda: DatePart(dice.choice(DATE_PARTS), dice.choice(dates)),
        first_there,
    )
    return dice.choice(makers)()


def _person_step(dice: random.Random, columns: list[Column]) -> Step:
    what: Any = dice.choice([*PERSON_VALUES, *ROW_NEIGHBOURS])
    fitting = [c.name for c in columns if isinstance(c, kinds_taken(what))]
    column = None if what in WITHOUT_COLUMN else dice.choice(fitting)
    dates = [c.name for c in columns if isinstance(c, DateColumn)]
    by = dice.choice(dates) if what in IN_ORDER else None
    most = 1 if what in ("any", "all", "before") else dice.choice([0, 1])
    where = tuple(_condition(dice, one) for one in dice.sample(columns, most))
    if what in ROW_NEIGHBOURS:
        return BesideRow(what, by or "", column, where)
    return OfPerson(what, column, by, where)


def _condition(dice: random.Random, column: Column) -> Condition:
    if dice.random() < 0.25:
        return IsMissing(column.name, dice.random() < 0.5)
    if isinstance(column, NumberColumn):
        return Between(column.name, Decimal(dice.randint(-5, 2)), Decimal(dice.randint(3, 20)))
    if isinstance(column, DateColumn):
        return DateBetween(column.name, date(2020, 1, 2), date(2020, 12, 30))
    return IsIn(column.name, tuple(dice.sample(group_labels(column), 1)))
