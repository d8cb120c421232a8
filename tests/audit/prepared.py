# SPDX-License-Identifier: Apache-2.0
"""One study with every kind of derived column, over a table so small that nearly all of it ties.

For tables without a person in common, what becomes of both together is what becomes of each by
itself, whatever the order of the file and whatever the row limit; a row without an id says nothing
of a person. What a step works out is held against fractions, up to the largest numbers that a
study may declare.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encode import encode
from dpdesk.data.encoding.column_coder import CodedColumn
from dpdesk.data.encoding.missing_and_invalid import MISSING, invalid_codes
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.preparation.derived import DerivedColumns
from dpdesk.data.preparation.late_columns import TableColumns, late_columns, make_late
from dpdesk.data.preparation.numbered import number_people
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    number_grid,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    MOST_ROWS,
    Arithmetic,
    BesideRow,
    CodePrefix,
    OfCase,
    OfPerson,
    Operand,
    RecodeEntry,
    TimeBetween,
)
from dpdesk.study.model.tables import MAIN, FurtherTable
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.tables import FILE, Row, Rows, write_table
from tests.audit.worlds import Neighbours

STAY = NumberColumn("stay", Decimal(0), Decimal(3), Decimal(1))
DAY = DateColumn("admitted", date(2021, 6, 1), date(2021, 6, 9))
READ: tuple[Column, ...] = (
    STAY,
    CategoryColumn("ward", ("A", "B", "C"), compare="folded"),
    CategoryColumn("sex", ("F", "M")),
    YesNoColumn("ok", ("yes",), ("no",)),
    DAY,
)
CHAPTERS = (RecodeEntry("first", ("A",)), RecodeEntry("later", ("B-C",)))
IN_A = (IsIn("ward", ("A",)),)
MANY = 50
"""No person of the made-up tables has more rows, so that a limit of as many leaves none out."""


def _number(name: str, made: Any, lower: int = -20, upper: int = 20) -> NumberColumn:
    return NumberColumn(name, Decimal(lower), Decimal(upper), Decimal(1), made_from=made)


def _wards(name: str, made: Any) -> CategoryColumn:
    return CategoryColumn(name, ("A", "B", "C"), made_from=made)


DERIVED: tuple[Column, ...] = (
    CategoryColumn("chapter", ("first", "later"), made_from=CodePrefix("ward", CHAPTERS)),
    _number("half", Arithmetic("multiply", (Operand("stay"), Decimal("0.5")))),
    _number("since", TimeBetween((date(2021, 6, 2), "admitted"))),
    _number("rows", OfPerson("count"), 0, 2 * MOST_ROWS),
    _number("first stay", OfPerson("first", "stay", "admitted")),
    _number("last stay", OfPerson("last", "stay", "admitted")),
    _wards("first ward", OfPerson("first", "ward", "admitted")),
    _number("most", OfPerson("largest", "stay"), 0, 3),
    _number("all stays", OfPerson("sum", "stay"), 0, 30_000),
    _number("usual stay", OfPerson("mean", "stay")),
    _wards("usual ward", OfPerson("most-frequent", "ward")),
    YesNoColumn("ever in A", ("yes",), ("no",), made_from=OfPerson("any", where=IN_A)),
    _number("number", BesideRow("number", "admitted"), 0, MOST_ROWS),
    _number("stay before", BesideRow("previous", "admitted", "stay")),
    _wards("ward behind", BesideRow("next", "admitted", "ward")),
    replace(DAY, name="day before", made_from=BesideRow("previous", "admitted", "admitted")),
    _number("gap", TimeBetween(("day before", "admitted"))),
    YesNoColumn("again", ("yes",), ("no",), made_from=BesideRow("before", "admitted", where=IN_A)),
    _number("longest gap", OfPerson("largest", "gap")),
)
LATE = [one.name for one in DERIVED if one.name not in ("chapter", "half", "since")]


def prepared_study(unit: Unit) -> Study:
    """A study that asks of people, and of rows by what is made of people's rows."""
    share: dict[str, Any] = {"epsilon": Epsilon.of(1), "expected": 100}
    people = Query("people", of="people").having(by=("first ward",), **share)
    return Study(
        title="Prepared",
        data=DataSource(FILE, missing=("?",), extract="made up"),
        unit=unit,
        budget=Budget("audit", Epsilon.of(100)),
        columns=(*READ, *DERIVED),
        queries=(
            people,
            people.having(id="usual", statistic="mean", by=(), column="usual stay"),
            people.having(id="most", statistic="sum", by=("ever in A",), column="most"),
            Query("rows").having(by=("chapter", "again"), **share),
            Query("stays").having(statistic="sum", column="stay before", **share),
        ),
    )


LABS, PATIENTS = "labs.csv", "patients.csv"


def joined_study(unit: Unit) -> Study:
    """The study with laboratory values of stays and a table of patients."""
    study, labs = prepared_study(replace(unit, case="ward")), {"table": "labs"}
    added: tuple[Column, ...] = (
        replace(STAY, name="value", in_file="stay", **labs),
        replace(DAY, name="taken", in_file="admitted", **labs),
        CategoryColumn("p sex", ("F", "M"), table="patients", in_file="sex"),
        _number("labs", OfPerson("count", **labs), 0, 20),
        _number("first value", OfCase("first", "value", "taken", **labs)),
        _number("values", OfCase("count", **labs), 0, 20),
    )
    people, rows = study.queries[0], study.queries[3]
    asked = (
        people.having(id="sexes", by=("p sex",)),
        people.having(id="labs", statistic="sum", by=(), column="labs"),
        rows.having(id="values", statistic="sum", by=("p sex",), column="values"),
        rows.having(id="first", statistic="mean", by=(), column="first value"),
    )
    source = replace(study.data or DataSource(), extract="", missing=("?",))
    tables = (
        FurtherTable("labs", replace(source, path=LABS), "pid", "ward"),
        FurtherTable("patients", replace(source, path=PATIENTS), "pid", rows="one-per-person"),
    )
    columns, queries = (*study.columns, *added), (*study.queries, *asked)
    return replace(study, tables=tables, columns=columns, queries=queries)


def prepared_worlds() -> Iterator[tuple[str, Neighbours]]:
    """One person comes or becomes another, with rows between everybody else's."""
    changed = Unit("pid", 3, "change-one", people=4)
    for seed in range(3):
        dice = random.Random(seed)
        others, nobody = (rows_of(dice, ids) for ids in (("1", "2", "ab"), ("", "?")))
        mine = mixed(dice, others, rows_of(dice, ("7", "07")))
        own = mixed(dice, others, rows_of(dice, ("7",)))
        pool, with_nobody = (mixed(dice, rows, nobody) for rows in (others, mine))
        for name, unit, first, second in (
            ("one comes", Unit("pid", 2), others, with_nobody),
            ("all without an id come", Unit("pid", 2, without_id="one-person"), others, pool),
            ("one becomes another", changed, own, with_nobody),
            ("all without an id become one", replace(changed, without_id="one-person"), pool, mine),
        ):
            yield f"prepared {seed}: {name}", Neighbours(prepared_study(unit), first, second)


def rows_of(dice: random.Random, ids: tuple[str, ...], count: int = 12) -> Rows:
    """So many rows; equal rows have equal priorities."""
    choices = (ids, ("0", "1", "2", "3", ""), ("A", "B", "b", "C", ""), ("F", "M"), ("yes", "no"))
    days = ("2021-06-01", "2021-06-02", "2021-06-02", "2021-06-04", "")
    made = [(*map(dice.choice, choices), "", dice.choice(days)) for _ in range(count)]
    return tuple(Row(cells, crc32("/".join(cells).encode())) for cells in made)


def beyond_the_bound(dice: random.Random) -> Rows:
    """One person with more rows than are seen, and one with few."""
    return rows_of(dice, ("1",), MOST_ROWS + 300) + rows_of(dice, ("2",), 3)


def mixed(dice: random.Random, others: Rows, mine: Rows) -> Rows:
    """The others in their order, and somebody's rows anywhere between them."""
    rows = list(others)
    for one in mine:
        rows.insert(dice.randint(0, len(rows)), one)
    return tuple(rows)


# --- local --------------------------------------------------------------------------------------


def local_findings(folder: Path, seeds: range = range(4)) -> Iterator[str]:
    """Where what becomes of somebody's rows depends on others' rows, on the order or the limit."""
    for seed in seeds:
        dice = random.Random(seed)
        here, there = rows_of(dice, ("1", "2", "")), rows_of(dice, ("4", "ab", ""), 11)
        together = tuple(dice.sample(here + there, len(here + there)))
        study = prepared_study(Unit("pid", MANY))
        tables = [_encoded(study, folder, rows) for rows in (together, here, there)]
        limited = [
            _encoded(replace(study, unit=Unit("pid", limit)), folder, together)
            for limit in (1, MANY)
        ]
        yield from _not_added(seed, tables)
        if _people(limited[0]) != _people(limited[1]):
            yield f"{seed}: the row limit moves the table of people"
        if _rows(limited[0]) - _rows(limited[1]):
            yield f"{seed}: the row limit moves what stands beside a row"
        yield from _of_nobody(seed, folder, dice)
    yield from _beyond_the_bound(folder)


def _encoded(study: Study, folder: Path, rows: Rows) -> EncodedTable:
    write_table(folder, rows, study.data)
    priorities = np.array([row.priority for row in rows], np.uint64)
    return encode(study, folder, priorities=lambda _count: priorities)


def _rows(table: EncodedTable) -> Counter[tuple[int, ...]]:
    codes = [column.codes.tolist() for column in table.columns()]
    return Counter(zip(*codes, strict=True))


def _people(table: EncodedTable) -> Counter[tuple[int, ...]]:
    return _rows(table.of_people())


def _not_added(seed: int, tables: list[EncodedTable]) -> Iterator[str]:
    for name, seen in (("rows", _rows), ("people", _people)):
        together, here, there = map(seen, tables)
        if together != here + there:
            yield f"{seed}: the {name} of two tables do not add up"
    if any(table.people() != table.of_people().people() for table in tables):
        # The number of people is public under change-one, and so is that of their rows then.
        yield f"{seed}: people with an id are more or fewer than rows of the table of people"


def _of_nobody(seed: int, folder: Path, dice: random.Random) -> Iterator[str]:
    """Rows without an id, whom the declaration takes for one person, are in no table of people."""
    unit = Unit("pid", MANY, without_id="one-person")
    table = _encoded(prepared_study(unit), folder, rows_of(dice, ("", "?")))
    said = {name for name in LATE if (table.column(name).codes != MISSING).any()}
    if said or _people(table):
        yield f"{seed}: rows without an id say {sorted(said)} of a person"


def _beyond_the_bound(folder: Path) -> Iterator[str]:
    """Of the rows of a person beyond the public bound the same ones are passed over each time."""
    dice, study = random.Random(5), prepared_study(Unit("pid", 2 * MOST_ROWS))
    rows = beyond_the_bound(dice)
    orders = (rows, tuple(dice.sample(rows, len(rows))))
    found = [_encoded(study, folder, order) for order in orders]
    if _rows(found[0]) != _rows(found[1]) or _people(found[0]) != _people(found[1]):
        yield "the order of the file says which rows of a person are seen"
    if max(found[0].of_people().column("rows").codes) != MOST_ROWS:
        yield "the bound on the rows that are seen of a person does not hold"


# --- exact --------------------------------------------------------------------------------------


def exact_findings(_folder: Path) -> Iterator[str]:
    """Where a number is another than fractions give, up to the largest that may be declared."""
    for places in range(0, 62, 2):
        for column, made in _as_large_as(2**places):
            if not any(check_step(Study(columns=(column, made)), made, "")):
                yield from _not_exact(column, made)


def _as_large_as(size: int) -> Iterator[tuple[NumberColumn, NumberColumn]]:
    """Columns of numbers of a size, and derived ones that hold about their results."""
    for fine in (Decimal(1), Decimal("0.3")):
        column = NumberColumn("n", -size * fine, size * fine, fine)
        for scale, step in (
            (1, Arithmetic("add", (Operand("n"), Operand("n")))),
            (1, Arithmetic("subtract", (Decimal("0.7"), Operand("n")))),
            (size, Arithmetic("multiply", (Operand("n"), Operand("n", 2)))),
            (1, Arithmetic("multiply", (Operand("n"), Decimal("-0.5")))),
            (1, Arithmetic("divide", (Operand("n"), Decimal(-2)))),
            (1, Arithmetic("divide", (Operand("n", 2), Operand("n")))),
            (MOST_ROWS, OfPerson("sum", "n")),
            (1, OfPerson("mean", "n")),
        ):
            ends = Decimal(size * scale)
            made: Any = step
            yield column, NumberColumn("made", -ends, ends, Decimal(1), made_from=made)


def _not_exact(column: NumberColumn, made: NumberColumn) -> Iterator[str]:
    last = number_grid(column).last
    person = isinstance(made.made_from, OfPerson)
    cells = (
        [last] * MOST_ROWS
        if person
        else [-3, -2, MISSING, 0, 1, last // 3, last // 2, last - 1, last]
    )
    found = _codes(column, made, cells)
    wanted = [_wanted(column, made, code) for code in cells[: 1 if person else None]]
    if found[: len(wanted)] != wanted:
        yield f"{made.made_from} of numbers up to {column.upper} is another"
    if not person:
        alone = [_codes(column, made, [code])[0] for code in cells]
        if alone != found:
            yield f"{made.made_from} of numbers up to {column.upper} depends on other rows"


def _codes(column: NumberColumn, made: NumberColumn, cells: list[int]) -> list[int]:
    study = Study(columns=(column, made))
    stores = {one.name: CodedColumn(one) for one in study.columns}
    codes = {"n": stores["n"].as_stored(np.array(cells))}
    if not late_columns(study):
        DerivedColumns(study).add_to(codes, stores, {})
        return codes["made"].tolist()
    stores["n"].add(codes["n"])
    one_person = number_people([Keys(np.zeros(len(cells), np.int64))]).tables[0]
    table = TableColumns(stores, PersonRows.of(one_person, lambda rows: []))
    return make_late(study, {MAIN: table})["made"].codes.tolist()


def _wanted(column: NumberColumn, made: NumberColumn, code: int) -> int:
    """The code by fractions; a person has ``MOST_ROWS`` rows of the value."""
    undefined, _ = invalid_codes(made)
    if code < 0:
        return MISSING
    grid, step = number_grid(column), made.made_from
    value = (grid.offset + grid.factor * code) * grid.quantum
    if isinstance(step, OfPerson):
        return _placed(made, value * MOST_ROWS if step.what == "sum" else value)
    assert isinstance(step, Arithmetic)
    a, b = (
        value**one.power if isinstance(one, Operand) else Fraction(one) for one in step.operands
    )
    if step.operation == "divide":
        return _placed(made, a / b) if b else undefined
    results = {"add": a + b, "subtract": a - b, "multiply": a * b}
    return _placed(made, results[step.operation])


def _placed(made: NumberColumn, value: Fraction) -> int:
    """Half away from zero; beyond the bounds, the nearest of them."""
    assert made.lower is not None
    assert made.upper is not None
    assert made.step is not None
    step = Fraction(made.step)
    inside = min(max(value, Fraction(made.lower)), Fraction(made.upper))
    half = abs(inside) / step + Fraction(1, 2)
    rounded = (half.numerator // half.denominator) * (1 if inside >= 0 else -1)
    return int(rounded - Fraction(made.lower) / step)
