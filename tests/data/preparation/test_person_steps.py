# SPDX-License-Identifier: Apache-2.0
"""Values of a person and beside a row, against a reader that goes through one person's rows."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encoding.condition_masks import passing
from dpdesk.data.encoding.missing_and_invalid import MISSING, missing_code
from dpdesk.data.encoding.table import EncodedColumn
from dpdesk.data.preparation.grid_places import NumberPlaces
from dpdesk.data.preparation.numbered import number_people
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.data.preparation.person_steps import codes_beside, codes_of_groups
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    number_grid,
)
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.steps.step import (
    PERSON_VALUES,
    ROW_NEIGHBOURS,
    BesideRow,
    OfPerson,
)

NUMBER = NumberColumn("n", Decimal("-1"), Decimal(4), Decimal("0.5"), missing=Replace(Decimal(2)))
DAY = DateColumn("d", date(2020, 1, 1), date(2020, 1, 6))
GROUP = CategoryColumn("c", ("a", "b", "c"), missing="category")
READ: tuple[Column, ...] = (NUMBER, DAY, GROUP)
WHERE = (IsIn("c", ("a", "b")), Between("n", Decimal(0), Decimal(4)))
RUNS = 60

Row = dict[str, int]


def random_rows(dice: random.Random, count: int) -> list[Row]:
    ends = {"n": number_grid(NUMBER).last, "d": 5, "c": 3}
    return [
        {name: dice.choice([-1, -2, *range(end + 1)]) for name, end in ends.items()}
        for _ in range(count)
    ]


def cells_of(rows: Sequence[Row]) -> dict[str, EncodedColumn]:
    return {
        one.name: EncodedColumn(
            np.array([row[one.name] for row in rows], np.int64), missing_code(one)
        )
        for one in READ
    }


def codes_of(column: Column, rows: Sequence[Row], ids: Sequence[int], most: int = 10_000) -> Any:
    cells = cells_of(rows)

    def content(places: Any) -> list[Any]:
        return [cell.codes[places] for cell in cells.values()]

    table = number_people([Keys(np.array(ids, np.int64))]).tables[0]
    seen = PersonRows.of(table, content, most)
    by_person = {name: cell.spread(seen.rows) for name, cell in cells.items()}
    columns = {one.name: one for one in (*READ, column)}
    step = column.made_from
    result = np.full(len(rows), MISSING, np.int64)
    if isinstance(step, OfPerson):
        codes = codes_of_groups(step, column, columns, by_person, seen)
        result[seen.rows] = codes[seen.persons[seen.rows]]
    elif isinstance(step, BesideRow):
        result[seen.rows] = codes_beside(step, column, columns, by_person, seen)
    return result.tolist()


def derived(step: OfPerson | BesideRow) -> Column:
    """A column that holds whatever the step gives, on a grid of its own."""
    rules: Mapping[str, Any] = {"made_from": step}
    if step.what in ("any", "all", "before"):
        return YesNoColumn("made", ("yes",), ("no",), **rules)
    kind = "number"
    if step.what in ("first", "last", "smallest", "largest", "previous", "next"):
        kind = {"n": "number", "d": "date", "c": "category"}[step.column or ""]
    if step.what == "most-frequent":
        kind = "category"
    if kind == "date":
        return DateColumn("made", date(2019, 12, 31), date(2020, 1, 5), outside="clamp", **rules)
    if kind == "category":
        return CategoryColumn("made", ("b", "a"), unknown="category", **rules)
    return NumberColumn("made", Decimal(-20), Decimal(20), Decimal("0.25"), **rules)


STEPS: list[OfPerson | BesideRow] = [
    *(
        OfPerson(what, column, by, where)
        for what in PERSON_VALUES
        for column, by in {
            "count": [(None, None)],
            "any": [(None, None)],
            "all": [(None, None)],
            "first": [("n", "d"), ("c", "d"), ("d", "d")],
            "last": [("n", "d"), ("c", "d")],
            "smallest": [("n", None), ("d", None)],
            "largest": [("n", None), ("d", None)],
            "sum": [("n", None)],
            "mean": [("n", None)],
            "days": [("d", None)],
            "most-frequent": [("c", None)],
        }[what]
        for where in ((WHERE,) if what in ("any", "all") else ((), WHERE))
    ),
    *(
        BesideRow(what, "d", column, where)
        for what in ROW_NEIGHBOURS
        for column in (("n", "c", "d") if what in ("previous", "next") else (None,))
        for where in ((WHERE,) if what == "before" else ((), WHERE[:1]))
    ),
]


def counted(name: str, row: Row) -> int:
    """A cell's code after its rule for missing cells."""
    column = {one.name: one for one in READ}[name]
    return missing_code(column) if row[name] == MISSING else row[name]


def value(name: str, code: int) -> Any:
    """What a code says: a fraction, a day's number, a group."""
    if name == "n":
        grid = number_grid(NUMBER)
        return (grid.offset + grid.factor * code) * grid.quantum
    return code


def own_code(column: Column, name: str, code: int) -> int:
    """A code of a column of the file as one of the derived column."""
    if code < 0:
        return MISSING
    if isinstance(column, NumberColumn):
        return on_grid(column, value(name, code))
    if isinstance(column, DateColumn):
        return min(5, code + 1)  # it begins a day earlier and ends a day earlier
    return {0: 1, 1: 0, 2: 2, 3: MISSING}[code]  # a, b, c and "(missing)" among b, a, "(other)"


def on_grid(column: NumberColumn, number: Fraction) -> int:
    places = NumberPlaces(column, Fraction(1, number.denominator))
    return int(places.codes(np.array([number.numerator]), np.array([True]))[0])


def passes(step: OfPerson | BesideRow, row: Row) -> bool:
    columns = {one.name: one for one in READ}
    cells = cells_of([row])
    return all(bool(passing(cells[c.column], columns[c.column], c)[0]) for c in step.where)


def of_person(step: OfPerson, column: Column, rows: Sequence[Row]) -> int:
    kept = [row for row in rows if passes(step, row)]
    if step.what == "count":
        assert isinstance(column, NumberColumn)
        return on_grid(column, Fraction(len(kept)))
    if step.what in ("any", "all"):
        return int(bool(kept) if step.what == "any" else len(kept) == len(rows))
    name = step.column or ""
    codes = [counted(name, row) for row in kept]
    if step.what in ("first", "last"):
        sign = 1 if step.what == "first" else -1
        found = [
            (sign * counted("d", row), code)
            for row, code in zip(kept, codes, strict=True)
            if code >= 0 and counted("d", row) >= 0
        ]
        return own_code(column, name, min(found)[1]) if found else MISSING
    codes = [code for code in codes if code >= 0]
    if not codes:
        return MISSING
    if step.what == "most-frequent":
        return own_code(column, name, max(sorted(set(codes)), key=codes.count))
    if step.what == "smallest":
        return own_code(column, name, min(codes))
    if step.what == "largest":
        return own_code(column, name, max(codes))
    assert isinstance(column, NumberColumn)
    if step.what == "days":
        return on_grid(column, Fraction(max(codes) - min(codes)))
    total = sum((value(name, code) for code in codes), Fraction(0))
    return on_grid(column, total / len(codes) if step.what == "mean" else total)


def beside(step: BesideRow, column: Column, rows: Sequence[Row]) -> list[int]:
    days = [counted("d", row) for row in rows]
    held = [passes(step, row) for row in rows]
    if step.what == "before":
        earlier = [day for day, holds in zip(days, held, strict=True) if holds and day >= 0]
        return [MISSING if day < 0 else int(any(other < day for other in earlier)) for day in days]
    wanted = [0 if step.column is None else counted(step.column, row) for row in rows]
    placed = [at for at in range(len(rows)) if held[at] and days[at] >= 0]
    placed.sort(key=lambda at: (days[at], wanted[at], rows[at]["c"], rows[at]["d"], rows[at]["n"]))
    result = [MISSING] * len(rows)
    for number, at in enumerate(placed):
        if step.what == "number":
            assert isinstance(column, NumberColumn)
            result[at] = on_grid(column, Fraction(number + 1))
            continue
        other = number - 1 if step.what == "previous" else number + 1
        if 0 <= other < len(placed):
            result[at] = own_code(column, step.column or "", wanted[placed[other]])
    return result


def expected(column: Column, rows: Sequence[Row], ids: Sequence[int]) -> list[int]:
    result = [MISSING] * len(rows)
    for person in {one for one in ids if one >= 0}:
        own = [at for at, one in enumerate(ids) if one == person]
        theirs = [rows[at] for at in own]
        step = column.made_from
        if isinstance(step, OfPerson):
            codes = [of_person(step, column, theirs)] * len(own)
        else:
            assert isinstance(step, BesideRow)
            codes = beside(step, column, theirs)
        for at, code in zip(own, codes, strict=True):
            result[at] = code
    return result


def named(step: OfPerson | BesideRow) -> str:
    return f"{step.what} {step.column or ''} {'where' if step.where else ''}".strip()


@pytest.mark.parametrize("step", STEPS, ids=named)
@pytest.mark.in_turn(8)
def test_each_is_what_one_persons_rows_say(step: OfPerson | BesideRow) -> None:
    dice, column = random.Random(7), derived(step)
    for _ in range(RUNS):
        rows = random_rows(dice, dice.choice([0, 1, 5, 30]))
        ids = [dice.choice([-1, 3, 8, 2**40]) for _ in rows]
        made = codes_of(column, rows, ids)
        if isinstance(step, BesideRow):
            # Rows that hold the same may have each other's codes.
            assert alike(rows, ids, made) == alike(rows, ids, expected(column, rows, ids))
        else:
            assert made == expected(column, rows, ids), (rows, ids)


def alike(rows: Sequence[Row], ids: Sequence[int], codes: Sequence[int]) -> list[Any]:
    return sorted((i, *row.values(), code) for row, i, code in zip(rows, ids, codes, strict=True))


@pytest.mark.parametrize("step", STEPS, ids=named)
@pytest.mark.in_turn(8)
def test_nobody_else_changes_it(step: OfPerson | BesideRow) -> None:
    """With another person's rows in any places, everybody else's codes stay the same."""
    dice, column = random.Random(8), derived(step)
    for _ in range(RUNS):
        rows = random_rows(dice, 20)
        ids = [dice.choice([1, 2, -1]) for _ in rows]
        more = random_rows(dice, dice.choice([1, 12]))
        both = [(0, at) for at in range(len(rows))]
        for at in range(len(more)):
            both.insert(dice.randint(0, len(both)), (1, at))
        together = [rows[at] if not other else more[at] for other, at in both]
        whose = [ids[at] if not other else 9 for other, at in both]
        made = codes_of(column, together, whose)
        kept = [code for code, (other, _) in zip(made, both, strict=True) if not other]
        assert kept == codes_of(column, rows, ids)


@pytest.mark.parametrize("what", ["count", "sum", "first"])
def test_no_more_rows_of_a_person_are_seen_than_the_public_bound(what: Any) -> None:
    """In the order of what they hold, so that no order of the file changes it."""
    dice = random.Random(9)
    step = OfPerson(what, None if what == "count" else "n", "d" if what == "first" else None)
    column = derived(step)
    rows = random_rows(dice, 50)
    ids = [1] * 40 + [2] * 10
    results = []
    for _ in range(5):
        order = dice.sample(range(50), 50)
        made = codes_of(column, [rows[at] for at in order], [ids[at] for at in order], most=12)
        by_place = dict(zip(order, made, strict=True))
        seen = {by_place[at] for at in range(40)} - {MISSING}
        results.append((seen, {by_place[at] for at in range(40, 50)}))
    assert all(result == results[0] for result in results)
    if what == "count":
        assert isinstance(column, NumberColumn)
        assert results[0] == ({on_grid(column, Fraction(12))}, {on_grid(column, Fraction(10))})
    # Whoever is within the bound is not concerned by it.
    whole = codes_of(column, rows[40:], ids[40:])
    assert results[0][1] == set(whole)


def test_a_code_of_a_replaced_cell_counts() -> None:
    """The column's own rule for missing cells comes first."""
    rows = [{"n": -1, "d": 0, "c": 0}]
    column = derived(OfPerson("sum", "n"))
    assert isinstance(column, NumberColumn)
    assert codes_of(column, rows, [1]) == [on_grid(column, Fraction(2))]
    dropped = replace(NUMBER, missing="drop")
    cells = {"n": EncodedColumn(np.array([-1]), missing_code(dropped))}
    seen = PersonRows.of(number_people([Keys(np.array([1]))]).tables[0], lambda rows: [])
    step, columns = OfPerson("sum", "n"), {"n": dropped, "made": column}
    assert codes_of_groups(step, column, columns, cells, seen).tolist() == [MISSING]


@pytest.mark.parametrize("step", [s for s in STEPS if isinstance(s, OfPerson)], ids=named)
def test_a_person_without_rows_has_none(step: OfPerson) -> None:
    """Who is in another table alone: no row, no yes, and no value; others keep theirs."""
    dice, column = random.Random(10), derived(step)
    columns = {one.name: one for one in (*READ, column)}
    rows = random_rows(dice, 12)
    here, there = Keys(np.array([5] * 7 + [9] * 5)), Keys(np.array([1, 5, 7, 11, -1]))

    def codes(*tables: Keys) -> list[int]:
        people = number_people(tables)
        seen = PersonRows.of(people.tables[0], lambda at: [])
        cells = {name: cell.spread(seen.rows) for name, cell in cells_of(rows).items()}
        return codes_of_groups(step, column, columns, cells, seen).tolist()  # type: ignore[no-any-return]

    nobody = of_person(step, column, ()) if step.what in ("count", "any") else MISSING
    alone, together = codes(here), codes(here, there)
    assert together == [nobody, alone[0], nobody, alone[1], nobody]
