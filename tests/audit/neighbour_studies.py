# SPDX-License-Identifier: Apache-2.0
"""What is asked of neighbouring files: each statistic, each kind of column, up to three groups.

The same seed asks the same, so that few plans are compiled for many files.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.data.encode import encode
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.plan import Plan
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.dates import DATE_FORMATS
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS
from dpdesk.study.model.steps.step import (
    BesideRow,
    CodePrefix,
    DatePart,
    OfPerson,
    RecodeEntry,
    Step,
)
from dpdesk.study.model.text_folding import COMPARISONS
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.asking import exists, on_grid, query_for, with_group_limit
from tests.audit.worlds import TABLES, draw_plan
from tests.doors import Call, RecordingDoor

FILE = "lines.csv"
NAMES = ("pid", "stay", "ward", "day", "ok", "sex", "note")
VARIANTS = 48
"""So many studies are made of one privacy unit."""
QUERIES = 4
WORST = VARIANTS
"""The variant that asks a little of everything, for files that were thought of one by one."""
UPPER = (10, 60, 1500)
"""Highest values: a few candidates, enough for a tree of counts, numbers of thousands."""
RESPONSE = "randomised-response"


def made_unit(dice: random.Random) -> Unit:
    """Whose privacy is protected."""
    if dice.random() < 0.2:
        unit = Unit(None)
    else:
        without = dice.choice(["drop", "drop", "one-person"])
        unit = Unit("pid", dice.choice([1, 2, 5]), without_id=without)
    if dice.random() < 0.4:
        return replace(unit, neighbours="change-one", people=3)
    return unit


@cache
def made_study(unit: Unit, numbered: bool, variant: int = 0) -> Study:
    """A complete study over the made-up columns.

    Args:
        unit: whose privacy is protected.
        numbered: whether the file has no header, so that its columns have numbers.
        variant: which of many; below ``VARIANTS`` for those that are made in these proofs.
    """
    dice = random.Random(variant)
    kind = dice.choice(["epsilon", "epsilon", "rho"])
    columns = _columns(dice)
    stay = columns[0]
    assert isinstance(stay, NumberColumn)
    queries = tuple(_queries(dice, stay, unit, kind, variant == WORST))
    if unit.person is not None and variant % 2 == WORST % 2:
        columns += PREPARED
        queries += tuple(_of_prepared(queries[0]))
    study = Study(
        title="Lines",
        data=DataSource(FILE),
        unit=unit,
        budget=Budget("lines", **{kind: (Rho if kind == "rho" else Epsilon).of(100)}),
        columns=columns,
        queries=queries,
    )
    return _with_numbers(study) if numbered else study


def vectors(study: Study, folder: Path) -> list[Call]:
    """What goes through the door for a made-up study on its file."""
    door = RecordingDoor()
    table = encode(study, folder, priorities=lambda count: np.arange(count, dtype=np.uint32))
    draw_plan(study, plan_of(study), table, door)
    return door.calls


def plan_of(study: Study) -> Plan:
    """The plan, which does not depend on how the file is written."""
    return _compiled(replace(study, data=DataSource(FILE)))


@lru_cache(maxsize=1_000)
def _compiled(study: Study) -> Plan:
    return compile(study)


def _columns(dice: random.Random) -> tuple[Column, ...]:
    """Every kind of column, with rules that keep all rows and such as drop some."""
    rules = ["drop", "category"]
    return (
        NumberColumn("stay", Decimal(0), Decimal(dice.choice(UPPER)), Decimal(1)),
        CategoryColumn(
            "ward",
            ("A", "B"),
            unknown=dice.choice(rules),
            missing=dice.choice(rules),
            compare=dice.choice(COMPARISONS),
        ),
        DateColumn(
            "day", date(2024, 1, 1), date(2025, 6, 30), dice.choice(DATE_FORMATS), pivot=1950
        ),
        YesNoColumn(
            "ok",
            ("yes", "1"),
            ("no", "0"),
            unknown=dice.choice(rules),
            compare=dice.choice(COMPARISONS),
        ),
        CategoryColumn("sex", ("F", "M")),
    )


def _queries(
    dice: random.Random, stay: NumberColumn, unit: Unit, kind: str, every: bool
) -> Iterator[Query]:
    share: dict[str, Any] = {kind: (Rho if kind == "rho" else Epsilon).of(1)}
    # Answers that may lie are as many as the public number of people, which no file here keeps.
    known = [name for name in STATISTICS if exists(name, unit, kind, stay) and name != RESPONSE]
    bins = Bins("stay", on_grid(stay, 0.4, 0.7))
    groups: list[Grouping] = ["ward", "ok", "sex", bins, Periods("day", "quarter")]
    asked = known if every else dice.choices(known, k=QUERIES)
    for number, statistic in enumerate(asked):
        most = min(3 if statistic in TABLES else 2, DECLARATIONS[statistic].groups)
        by = tuple(dice.sample(groups, dice.randint(0, most)))
        query = query_for(statistic, stay, f"q{number}", by=by, **share)
        yield with_group_limit(query, unit, dice.randint(0, 2))


def _made(name: str, made_from: Step, upper: int = 10) -> NumberColumn:
    return NumberColumn(name, Decimal(0), Decimal(upper), Decimal(1), made_from=made_from)


IN_A = (IsIn("ward", ("A",)),)
BY_CODE = CodePrefix("note", (RecodeEntry("well", ("W", "H")), RecodeEntry("other", ("A-Z",))))
PREPARED: tuple[Column, ...] = (
    CategoryColumn("code", ("well", "other"), missing="category", made_from=BY_CODE),
    _made("hour", DatePart("hour", "day"), 23),
    _made("rows", OfPerson("count")),
    _made("usual stay", OfPerson("mean", "stay")),
    CategoryColumn("first ward", ("A", "B"), made_from=OfPerson("first", "ward", "day")),
    _made("stay before", BesideRow("previous", "day", "stay")),
    YesNoColumn("again", ("yes",), ("no",), made_from=BesideRow("before", "day", where=IN_A)),
    _made("number", BesideRow("number", "day")),
)
"""What is made of a row, of its raw cells, of all rows of a person, and of the row before."""


def _of_prepared(one: Query) -> Iterator[Query]:
    """Questions about people, and about rows by what is made of them, each for a query's share."""
    share: dict[str, Any] = {"rho": one.rho, "epsilon": one.epsilon, "expected": 100}
    people = Query("people", of="people").having(**share)
    yield people
    yield people.having(id="firsts", by=("first ward",))
    yield people.having(id="visits", statistic="sum", column="rows")
    yield people.having(id="usual", statistic="mean", column="usual stay")
    yield Query("again").having(by=("code", "again"), **share)
    yield Query("before").having(statistic="sum", column="stay before", **share)
    yield Query("hours").having(statistic="sum", column="hour", by=("first ward",), **share)


def _with_numbers(study: Study) -> Study:
    """The same study of a file without a header: its columns are called by their places."""
    places = {name: f"(column {place})" for place, name in enumerate(NAMES, 1)}

    def named(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {key: named(each, key) for key, each in value.items()}
        if isinstance(value, list):
            return [named(each, key) for each in value]
        refers = key in ("name", "person", "column", "columns", "by", "codes", "of", "over")
        return places.get(value, value) if refers and isinstance(value, str) else value

    return study_from_bytes(json.dumps(named(json.loads(study_to_bytes(study)))).encode())
