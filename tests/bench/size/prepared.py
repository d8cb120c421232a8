# SPDX-License-Identifier: Apache-2.0
"""``prepared.py WHAT FILE``: dpdesk prepares six columns of rows and five of people, with a join.

The file of patients lies beside that of admissions. ``columns`` reads the same columns of both and
prepares nothing; ``prepared`` keeps every row, so that its figures are those of the peers.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import dpdesk
from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    Arithmetic,
    Bands,
    DatePart,
    Holds,
    OfPerson,
    Operand,
    Recode,
    RecodeEntry,
    TimeBetween,
)
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from tests.bench.size.clock import print_figures, timed
from tests.bench.size.declared import (
    ACUTE,
    DEAREST,
    LONG_STAY,
    LONGEST,
    OLD,
    OLDEST,
    REGIONS,
    WARDS,
)

FIRST, LAST = date(2023, 1, 1), date(2025, 12, 31)
MOST_ROWS = 40
"""No patient has more, so nothing is left out."""


def _number(name: str, upper: int, made: Any = None, step: str = "1") -> NumberColumn:
    return NumberColumn(name, Decimal(0), Decimal(upper), Decimal(step), made_from=made)


READ: tuple[Column, ...] = (
    DateColumn("admitted", FIRST, LAST),
    CategoryColumn("ward", WARDS),
    _number("age", OLDEST),
    _number("stay_days", LONGEST),
    _number("cost", DEAREST, step="0.01"),
)
OF_PATIENTS: tuple[Column, ...] = (
    DateColumn("born", date(1920, 1, 1), LAST, table="patients"),
    CategoryColumn("region", REGIONS, table="patients"),
)
IS_LONG = (Between("stay_days", Decimal(LONG_STAY), Decimal(LONGEST)),)
IS_OLD = (Between("age", Decimal(OLD), Decimal(OLDEST)),)
ENTRIES = (
    RecodeEntry("acute", ACUTE),
    RecodeEntry("other", tuple(ward for ward in WARDS if ward not in ACUTE)),
)
EDGES = tuple(map(Decimal, (0, 18, 40, OLD)))
OF_ROWS: tuple[Column, ...] = (
    YesNoColumn("long", ("yes",), ("no",), made_from=Holds((*IS_LONG, *IS_OLD))),
    CategoryColumn("age_band", ("child", "young", "middle", "old"), made_from=Bands("age", EDGES)),
    _number("per_day", DEAREST, Arithmetic("divide", (Operand("cost"), Operand("stay_days")))),
    CategoryColumn(
        "weekday", tuple(map(str, range(1, 8))), made_from=DatePart("weekday", "admitted")
    ),
    CategoryColumn("kind_of_ward", ("acute", "other"), made_from=Recode("ward", ENTRIES)),
    _number("age_then", 120, TimeBetween(("born", "admitted"), "years")),
)
OF_PEOPLE: tuple[Column, ...] = (
    _number("stays", 1_000, OfPerson("count")),
    CategoryColumn("first_ward", WARDS, made_from=OfPerson("first", "ward", "admitted")),
    _number("all_days", 100_000, OfPerson("sum", "stay_days")),
    YesNoColumn(
        "ever_icu", ("yes",), ("no",), made_from=OfPerson("any", where=(IsIn("ward", ("ICU",)),))
    ),
    _number("last_cost", DEAREST, OfPerson("last", "cost", "admitted"), "0.01"),
)


def studies(path: Path, what: str) -> list[Study]:
    """What is read: both tables prepared, or the columns of each by itself."""
    kind: Any = "parquet"
    data = DataSource(str(path), kind)
    patients = DataSource(str(path.with_name("patients.parquet")), kind)
    unit = Unit("patient_id", MOST_ROWS)
    if what == "columns":
        alone = tuple(replace(column, table="") for column in OF_PATIENTS)
        return [
            Study(data=data, unit=unit, columns=READ),
            Study(data=patients, unit=unit, columns=alone),
        ]
    return [
        Study(
            data=data,
            unit=unit,
            tables=(FurtherTable("patients", patients, "patient_id", rows="one-per-person"),),
            columns=(*READ, *OF_PATIENTS, *OF_ROWS, *OF_PEOPLE),
            queries=(Query("people", of="people"),),
        )
    ]


def answers(table: EncodedTable) -> dict[str, list[int]]:
    """Sums of what was prepared, as whole numbers, to hold against those of the peers."""
    people = table.of_people()

    def count(of: EncodedTable, name: str, size: int) -> list[int]:
        codes = of.column(name).codes.tolist()
        return [codes.count(code) for code in range(size)]

    def total(of: EncodedTable, name: str) -> list[int]:
        return [int(of.column(name).codes.sum(dtype="int64"))]

    return {
        "long": count(table, "long", 2),
        "age_band": count(table, "age_band", 4),
        "per_day": total(table, "per_day"),
        "weekday": count(table, "weekday", 7),
        "kind_of_ward": count(table, "kind_of_ward", 2),
        "age_then": total(table, "age_then"),
        "region": count(people, "region", len(REGIONS)),
        "stays": total(people, "stays"),
        "first_ward": count(people, "first_ward", len(WARDS)),
        "all_days": total(people, "all_days"),
        "ever_icu": count(people, "ever_icu", 2),
        "last_cost": total(people, "last_cost"),
    }


def main(what: str, path: str) -> None:
    """Read, prepare, and say how long it took; the figures are not part of it."""
    tables, seconds = timed(lambda: [encode(one, Path()) for one in studies(Path(path), what)])
    found = {} if what == "columns" else {"people": [tables[0].people()]}
    print_figures(seconds, version=dpdesk.__version__, **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
