# SPDX-License-Identifier: Apache-2.0
"""Made-up studies and tables for the proofs: every statistic, odd cells, odd ids, neighbours."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from dpdesk.data.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.door import Door
from dpdesk.privacy.plan import Plan
from dpdesk.study.amount import Epsilon
from dpdesk.study.columns import CategoryColumn, NumberColumn, Replace, YesNoColumn
from dpdesk.study.document import Study
from dpdesk.study.queries import Between, IsIn, IsMissing, IsNotIn, Query
from dpdesk.study.unit import Budget, DataSource, Unit

FILE = "table.csv"
HEADER = ("pid", "stay", "ward", "sex", "ok", "free_text")
NUMBER_CELLS = (
    "1",
    "2",
    "3.5",
    "14",
    "-4",
    "0",
    "1e9",
    "1e308",
    "-1e999",
    "inf",
    "-inf",
    "nan",
    "NaN",
    "",
    " ",
    "?",
    "abc",
    "7,5",
    "0x10",
    "9" * 400,
    "None",
    "١٢",
    "2\n3",
    "3\x00",
)
WARD_CELLS = ("A", "B", "C", " A ", "a", "", "?", "unknown ward", "=1+1", "A\x00", "Ä", "(other)")
SEX_CELLS = ("F", "M", "f", "", "?", "X", "divers")
OK_CELLS = ("yes", "no", "1", "0", "YES", "", "?", "maybe")
ID_SPELLINGS = ("{}", " {} ", "0{}", "00{}", "{}.0", "\u200b{}", "{}\u00a0", "\ufeff{}")


@dataclass(frozen=True)
class Row:
    """One row of the file, with the priority that decides whether the bound keeps it."""

    cells: tuple[str, ...]
    priority: int


Rows = tuple[Row, ...]


@dataclass(frozen=True)
class Neighbours:
    """Two tables that differ in one person, under one study."""

    study: Study
    first: Rows
    second: Rows


def write_table(folder: Path, rows: Rows) -> None:
    """Write the table as a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(row.cells for row in rows)
    (folder / FILE).write_bytes(text.getvalue().encode("utf-8", "surrogatepass"))


def run_plan(study: Study, plan: Plan, folder: Path, rows: Rows, door: Door) -> None:
    """Run every draw of a plan on a table, as a release does."""
    write_table(folder, rows)
    table = encode(study, folder, priorities=lambda number: _priorities(rows, number))
    for query in plan.queries:
        for part in query.parts:
            exact = measure(table, study, part.measure)
            door.draw(f"{query.query.id}/{part.name}", exact, part.sensitivity, part.scale)


def _priorities(rows: Rows, number: int) -> npt.NDArray[np.uint64]:
    found = np.array([row.priority for row in rows], dtype=np.uint64)
    assert len(found) == number
    return found


def run(study: Study, folder: Path, rows: Rows, door: Door) -> Plan:
    """Compile and run."""
    plan = compile(study)
    run_plan(study, plan, folder, rows, door)
    return plan


# --- declarations -------------------------------------------------------------------------------


@st.composite
def number_columns(draw: st.DrawFn) -> NumberColumn:
    """A number column with any sign of bounds and any rule."""
    step = draw(st.sampled_from([Decimal(1), Decimal("0.5"), Decimal("0.1"), Decimal(3)]))
    lower = draw(st.sampled_from([Decimal(-6), Decimal(0), Decimal("0.5"), Decimal(1)]))
    upper = lower + step * draw(st.integers(1, 40))
    replacement = Replace(lower)
    return NumberColumn(
        "stay",
        lower,
        upper,
        step,
        missing=draw(st.sampled_from(["drop", replacement])),
        unparsable=draw(st.sampled_from(["drop", replacement])),
        outside=draw(st.sampled_from(["clamp", "drop", replacement])),
    )


@st.composite
def category_columns(draw: st.DrawFn, name: str, values: tuple[str, ...]) -> CategoryColumn:
    """A category column with any rule."""
    rules = ["drop", "category", Replace(values[0])]
    return CategoryColumn(
        name,
        values,
        missing=draw(st.sampled_from(rules)),
        unknown=draw(st.sampled_from(rules)),
    )


@st.composite
def units(draw: st.DrawFn, people: int | None) -> Unit:
    """A privacy unit; a public number of people makes it change-one."""
    with_person = draw(st.booleans())
    return Unit(
        person="pid" if with_person else None,
        max_rows=draw(st.integers(1, 5)) if with_person else 1,
        neighbours="add-remove" if people is None else "change-one",
        people=people,
        without_id=draw(st.sampled_from(["drop", "one-person"])),
    )


@st.composite
def queries(draw: st.DrawFn, index: int) -> Query:
    """Any query that the forms can build on the made-up columns."""
    statistic = draw(st.sampled_from(["count", "count-people", "sum", "mean"]))
    by = draw(st.lists(st.sampled_from(["ward", "sex", "ok"]), max_size=2, unique=True))
    conditions = st.sampled_from(
        [
            IsIn("ward", ("A", "C")),
            IsNotIn("sex", ("F",)),
            IsIn("ok", ("yes",)),
            Between("stay", Decimal(1), Decimal(9)),
            IsMissing("ward", True),
            IsMissing("stay", False),
        ]
    )
    return Query(
        id=f"q{index}",
        statistic=statistic,
        column="stay" if statistic in ("sum", "mean") else None,
        by=tuple(by),
        where=tuple(draw(st.lists(conditions, max_size=2, unique=True))),
        epsilon=Epsilon(draw(st.integers(2, 3_000_000))),
        expected=100,
    )


@st.composite
def studies(draw: st.DrawFn, unit: Unit) -> Study:
    """A complete study over the made-up table."""
    columns = (
        draw(number_columns()),
        draw(category_columns("ward", ("A", "B", "C"))),
        draw(category_columns("sex", ("F", "M"))),
        YesNoColumn(
            "ok", ("yes", "1"), ("no", "0"), unknown=draw(st.sampled_from(["drop", "category"]))
        ),
    )
    count = draw(st.integers(1, 4))
    return Study(
        title="Made-up wards",
        data=DataSource(FILE, missing=("?",)),
        unit=unit,
        budget=Budget("wards", Epsilon.of(100)),
        columns=columns,
        queries=tuple(draw(queries(index)) for index in range(count)),
    )


# --- tables and neighbours ----------------------------------------------------------------------


@st.composite
def rows_of(draw: st.DrawFn, person: str | None, most: int) -> Rows:
    """Rows of one person, the id written in several ways; ``None``: rows without an id."""
    spellings = st.sampled_from(ID_SPELLINGS).map(lambda s: s.format(person))
    ids = st.sampled_from(["", " ", "?"]) if person is None else spellings
    row = st.builds(
        lambda *cells, priority: Row(cells, priority),
        ids,
        st.sampled_from(NUMBER_CELLS),
        st.sampled_from(WARD_CELLS),
        st.sampled_from(SEX_CELLS),
        st.sampled_from(OK_CELLS),
        st.just("canary-7f3a"),
        priority=st.integers(0, 2**64 - 1),
    )
    return tuple(draw(st.lists(row, min_size=1, max_size=most)))


@st.composite
def crowds(draw: st.DrawFn, most: int = 4) -> Rows:
    """Some people's rows and some rows without an id."""
    people = draw(st.integers(0, most))
    rows = [row for i in range(people) for row in draw(rows_of(str(100 + i), 6))]
    rows += draw(st.one_of(st.just(()), rows_of(None, 3)))
    return tuple(draw(st.permutations(rows))) if rows else ()


@st.composite
def neighbours(draw: st.DrawFn) -> Neighbours:
    """Two neighbouring tables: one person's rows, up to 50, added or replaced."""
    others = draw(crowds())
    unit = draw(units(None))
    victim = draw(st.sampled_from(["7", "patient x"]))
    most = 50 if unit.person else 1
    mine = draw(rows_of(victim, most))
    if draw(st.booleans()):
        return Neighbours(draw(studies(unit)), others, _mixed(draw, others + mine))
    instead = draw(rows_of(draw(st.sampled_from(["7", "8"])), most))
    unit = replace(unit, neighbours="change-one", people=1)
    first, second = others + mine, others + instead
    return Neighbours(draw(studies(unit)), first, _mixed(draw, second))


def _mixed(draw: st.DrawFn, rows: Rows) -> Rows:
    return tuple(draw(st.permutations(rows)))
