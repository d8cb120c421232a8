# SPDX-License-Identifier: Apache-2.0
"""Made-up studies and tables: every kind of column, every rule, odd cells and odd ids."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    number_grid,
)
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.dates import DATE_FORMATS
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.periods import PERIODS
from dpdesk.study.model.queries import Query
from dpdesk.study.model.text_folding import COMPARISONS
from dpdesk.study.model.unit import DataSource, Unit

FILE = "table.csv"
HEADER = ("pid", "stay", "dose", "ward", "sex", "ok", "day")
NUMBERS = ("1", "2", " 3 ", "3.5", "2.5", "14", "14.000001", "-4", "0", "-0", "+7", "1e1", "99",
           "99.0", "1E-9", ".5", "5.", "inf", "-inf", "nan", "NaN", "NULL", "", " ", "?", "abc",
           "7,5", "1,000", "0x10", "1_0", "9" * 30, "9" * 65, "None", "\uff11\uff12", "\u0661",
           "2\n3", "3\x00", '"4"', "4;5", "TRUE", "2020-01-01")  # fmt: skip
DOSES = tuple(cell.replace(".", "!").replace(",", ".").replace("!", ",") for cell in NUMBERS)
WARDS = ("A", "B", "C", " A ", "a", "", "?", "NA", "-", "unknown ward", "=1+1", "A\x00", "A\nB",
         "(other)", "(missing)", "A\u0308", "\u00c4", "1", "01", '"', 'A"B', "A,B")  # fmt: skip
SEXES = ("F", "M", "f", " M", "\u00a0m", "", "?", "X", "x", "1", "1.0")
ANSWERS = ("yes", "no", "1", "0", "YES", "No\u00a0", "", "?", "maybe")
DAYS = ("2020-01-01", "2020-01-03", " 2020-02-29 ", "2021-02-29", "2020-12-31", "2019-12-31",
        "2031-01-01", "1900-01-01", "03.01.2020", "03/01/2020", "01/03/2020", "20200103", "20.1.3",
        "2020/01/03", "2020-01-03 00:00:00", "2020-01-03T23:59:59.5Z", "1900-01-01 00:00:00",
        "03.01.2020 00:00:00", "2020-1-3", "", "?", "NA", "43833", "\uff12\uff10\uff12\uff10-01-03",
        "2020-01-03\x00", "2020-01-03x", "00000000", "31.12.2020", "12/31/2020",
        "3.1.2020", "1/3/2020", "3-1-20", "10/23/64 21:09", "1/3/20 9:05 pm", "03.01.2020 13:45",
        "3.1.20 24:00", "202001031345", "20200103134559", "200103", "31.2.20", "99.99.9999",
        "99.99.9999 10:00", "2020/1/3, 09:05:59.5", "1/3/2020 13:45 PM",
        "2020-1-3T13:45+01:00")  # fmt: skip
IDS = ("1", "01", "1.0", "2", " 2", "3", "ab", "AB", "Ab ", "x y", "x  y", "", "?", " ", "4", "5")
NO_RULES: tuple[str, ...] = ("drop", "category")


@dataclass(frozen=True)
class Row:
    """One row of the file, with the priority that travels with it."""

    cells: tuple[str, ...]
    priority: int


def write_rows(folder: Path, rows: Sequence[Row], source: DataSource | None = None) -> None:
    """Write a table as a CSV file by the book."""
    source = source or DataSource(FILE)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=source.separator, lineterminator="\r\n")
    writer.writerow(HEADER)
    writer.writerows(row.cells for row in rows)
    (folder / source.path).write_bytes(text.getvalue().encode(source.encoding, "replace"))


def priorities_of(rows: Sequence[Row], count: int) -> npt.NDArray[np.uint64]:
    """The rows' own priorities."""
    assert count == len(rows)
    return np.array([row.priority for row in rows], np.uint64)


def encode_rows(study: Study, folder: Path, rows: Sequence[Row]) -> EncodedTable:
    """Write a table and encode it with the rows' own priorities."""
    write_rows(folder, rows, study.data)
    return encode(study, folder, priorities=lambda count: priorities_of(rows, count))


def random_rows(dice: random.Random, most: int = 30, ids: Sequence[str] = IDS) -> list[Row]:
    """Up to ``most`` rows of odd and plain cells, no two with the same priority."""
    choices = (ids, NUMBERS, DOSES, WARDS, SEXES, ANSWERS, DAYS)
    count = dice.randint(0, most)
    return [
        Row(tuple(dice.choice(cells) for cells in choices), dice.getrandbits(64))
        for _ in range(count)
    ]


def random_study(dice: random.Random) -> Study:
    """A study with columns of every kind under random rules."""
    person = dice.choice(["pid", "pid", None])
    unit = Unit(
        person=person,
        max_rows=dice.randint(1, 4) if person else 1,
        leading_zeros=dice.random() < 0.2,
        without_id=dice.choice(["drop", "one-person"]),
    )
    mark = dice.choice([".", ","])
    source = DataSource(
        FILE,
        line_breaks=True,
        missing=dice.choice([(), ("?",), ("?", "NA", "-")]),
        separator=dice.choice([",", ";", "\t"]) if mark == "." else ";",
        decimal=mark,
        encoding=dice.choice(["utf-8", "utf-8", "utf-16", "cp1252"]),
    )
    # What it asks makes the order of a person's rows be kept.
    queries = (Query("q", rows_per_group=1),)
    return Study(data=source, unit=unit, columns=random_columns(dice), queries=queries)


def random_columns(dice: random.Random) -> tuple[Column, ...]:
    """The made-up table's columns."""
    rules = [*NO_RULES, "replace"]

    def rule(constant: str) -> str | Replace:
        chosen = dice.choice(rules)
        return Replace(constant) if chosen == "replace" else chosen

    number = random_number(dice, "stay")
    names = dice.choice([(), ("a", "B", "=1+1", "unknown ward")])
    wards = ("A", "B", "\u00c4", "01")
    ward = CategoryColumn("ward", wards, rule("B"), rule("A"), labels=names)
    markers = dice.choice([("X",), ("x",), ("X", "m")])
    sex = CategoryColumn("sex", ("F", "M"), rule("M"), rule("F"), missing_values=markers)
    ok = YesNoColumn("ok", ("yes", "1"), ("no", "0"), rule("no"), rule("yes"))
    listed = (replace(column, compare=dice.choice(COMPARISONS)) for column in (ward, sex, ok))
    return number, random_number(dice, "dose"), *listed, random_date(dice)


def random_date(dice: random.Random) -> DateColumn:
    """A date column with a period of a day to years, any format and any rule."""
    first = dice.choice([date(1900, 1, 1), date(2020, 1, 1), date(2020, 1, 2)])
    last = first + timedelta(dice.choice([0, 58, 365, 50_000]))
    constant = Replace(dice.choice([first, last]).isoformat())
    return DateColumn(
        "day",
        first,
        last,
        dice.choice(DATE_FORMATS),
        missing=dice.choice(["drop", constant]),
        unparsable=dice.choice(["drop", constant]),
        outside=dice.choice(["clamp", "drop", constant]),
        missing_values=dice.choice([(), ("1900-01-01", "03.01.2020", "99.99.9999")]),
        pivot=dice.choice([1900, 1921, 1950]),
    )


def random_number(dice: random.Random, name: str) -> NumberColumn:
    """A number column with any sign of bounds and any rule."""
    lower = dice.choice([Decimal(-6), Decimal(0), Decimal("0.5"), Decimal(1)])
    step = dice.choice([Decimal(1), Decimal("0.5"), Decimal("0.1"), Decimal(3), Decimal("1E+1")])
    column = NumberColumn(name, lower, lower + step * dice.randint(1, 40), step)
    constant = Replace(lower + step * dice.randint(0, 1))
    return replace(
        column,
        missing=dice.choice(["drop", constant]),
        unparsable=dice.choice(["drop", constant]),
        outside=dice.choice(["clamp", "drop", constant]),
        missing_values=dice.choice([(), ("99", "nan")]),
    )


def random_bins(dice: random.Random, column: NumberColumn) -> Bins:
    """A number column cut at some places of its grid."""
    assert column.lower is not None and column.step is not None
    last = number_grid(column).last
    places = dice.sample(range(1, last + 1), dice.randint(1, min(4, last)))
    return Bins(column.name, tuple(column.lower + place * column.step for place in sorted(places)))


def random_measure(dice: random.Random, study: Study) -> AggregateSpec:
    """Any measure on the made-up columns."""
    stay = study.columns[0]
    assert isinstance(stay, NumberColumn)
    groupings = ["ward", "sex", "ok", random_bins(dice, stay), Periods("day", dice.choice(PERIODS))]
    conditions = (
        IsIn("ward", ("A", "01")),
        IsNotIn("sex", ("F",)),
        IsIn("ok", ("yes",)),
        Between("stay", Decimal("0.9"), Decimal(9)),
        Between("dose", Decimal(-100), Decimal("3.14")),
        IsMissing("ward", True),
        IsMissing("stay", False),
        IsMissing("dose", True),
        DateBetween("day", date(2020, 1, 3), date(2020, 12, 31)),
        DateBetween("day", date(1, 1, 1), date(2020, 1, 2)),
        IsMissing("day", True),
        IsMissing("day", False),
    )
    kind, by = dice.choice(["rows", "people", "sum"]), dice.sample(groupings, dice.randint(0, 3))
    has_limit = kind != "people" and study.unit is not None and study.unit.max_rows > 1
    return AggregateSpec(
        kind,
        column=dice.choice(["stay", "dose"]) if kind == "sum" else dice.choice([None, "stay"]),
        by=tuple(by),
        where=tuple(dice.sample(conditions, dice.randint(0, 2))),
        offset=dice.randint(-50, 50),
        factor=dice.randint(-3, 3),
        rows_per_group=dice.randint(0, 2) if has_limit else 0,
        groupings=dice.randint(0, len(by)),
    )
