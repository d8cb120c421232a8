# SPDX-License-Identifier: Apache-2.0
"""Neighbours in a database: one person's rows are added, taken away or replaced in its tables.

A table's columns have declared types, which neighbours share. Every exact number takes the whole
way: order, runner, DuckDB, sealed file. Random numbers are all the same, so that what a row holds
says whether the bound keeps it: neighbours keep the same rows of everybody else.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.encode import encoded_rows
from dpdesk.engine import coded_rows, passes
from dpdesk.engine.runner import Binding
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import Unit
from tests.audit.neighbour_several import KEPT, several_study
from tests.audit.neighbour_studies import NAMES
from tests.audit.neighbour_tables import (
    MINE,
    POOLS,
    THEIRS,
    Cell,
    Pools,
    Row,
    made_row,
    table_world,
)
from tests.audit.pairs import ADD_REMOVE, CHANGE_ONE, every_statistic
from tests.doors import Call, distance
from tests.engine.counted import in_passes_of, ranked_in_the_database
from tests.engine.through_runner import calls_of

TEXTS = ("VARCHAR", "VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT.NOCASE")
NUMBERS = ("DOUBLE", "FLOAT", "VARCHAR")
DAYS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_NS", "TIMESTAMPTZ", "VARCHAR")
MOST = (1, 2, 5)
"""So many rows are kept of a person where there are several tables."""

Rows = tuple[Row, ...]


@dataclass(frozen=True)
class DatabaseWorld:
    """A database and neighbours of it.

    Attributes:
        study: what is asked.
        others: everybody else's rows, by table.
        mine: one person's rows by table, in each of the databases; the first is the one that the
            others are neighbours of.
        types: the declared type of each column, by table.
    """

    study: Study
    others: Mapping[str, Rows]
    mine: tuple[Mapping[str, Rows], ...]
    types: Mapping[str, tuple[str, ...]]


def database_world(seed: int, several: int = 3) -> DatabaseWorld:
    """A made-up world of one table; the same for the same seed."""
    world = table_world(seed, several)
    mine = tuple({MAIN: rows} for rows in (world.first, *world.neighbours))
    return _world(random.Random(seed), world.study, {MAIN: world.others}, mine)


def database_of_several(seed: int, several: int = 3) -> DatabaseWorld:
    """A made-up world of three tables, whose columns meet over people and cases."""
    dice = random.Random(seed)
    one = table_world(seed, several)
    unit = replace(one.study.unit or Unit(), person="pid", max_rows=dice.choice(MOST), case="note")
    study = several_study(unit, dice.choice(KEPT))
    pools = tuple(dice.choice(pools) for pools in POOLS)
    tables = (MAIN, *(table.name for table in study.tables))
    others = {name: tuple(_others(dice, pools)) for name in tables}
    ids = MINE if unit.without_id == "drop" else MINE[:-1]

    def mine() -> dict[str, Rows]:
        return {
            name: tuple(made_row(dice, ids, pools) for _ in range(dice.randint(0, 6)))
            for name in tables
        }

    first = dict.fromkeys(tables, ()) if unit.neighbours == "add-remove" else mine()
    return _world(dice, study, others, (first, *(mine() for _ in range(several))))


def worst_databases() -> dict[str, DatabaseWorld]:
    """Worlds in which each answer moves as far as it may, and further by one mistake."""
    three = replace(ADD_REMOVE, max_rows=3), replace(CHANGE_ONE, max_rows=3)
    crowd = tuple(_seen(f"p{n}", 10, "B", at) for n in range(9) for at in range(4))
    first = tuple(_seen("7", 0, ward, 0) for ward in 3 * "A")
    everywhere = tuple(_seen("7", 10, ward, at) for ward in "ABC" for at in range(3))
    found = {}
    for unit, before in zip(three, ((), first), strict=True):
        for by in ((), ("ward",), ("sex", "ok")):
            for name, mine in (("in one cell", everywhere[3:6]), ("in every cell", everywhere)):
                worlds = tuple({MAIN: rows} for rows in (before, mine))
                study = every_statistic(unit, by)
                types = {MAIN: ("VARCHAR", "DOUBLE", *["VARCHAR"] * 5)}
                title = f"{unit.neighbours} by {by or 'nothing'}: {name}"
                found[title] = DatabaseWorld(study, {MAIN: crowd}, worlds, types)
    return found


def _seen(pid: str, stay: int, ward: str, at: int) -> Row:
    return pid, stay, ward, None, ("yes", "no")[at % 2], "FM"[at // 2 % 2], None


def _others(dice: random.Random, pools: Pools) -> Iterator[Row]:
    for ids in THEIRS:
        yield from (made_row(dice, ids, pools) for _ in range(dice.randint(0, 3)))


def _world(
    dice: random.Random,
    study: Study,
    others: Mapping[str, Rows],
    mine: tuple[Mapping[str, Rows], ...],
) -> DatabaseWorld:
    types = {}
    for name, rows in others.items():
        every = [*rows, *(row for one in mine for row in one[name])]
        types[name] = tuple(
            _type(dice, [row[place] for row in every]) for place in range(len(NAMES))
        )
    return DatabaseWorld(study, others, mine, types)


def _type(dice: random.Random, cells: Sequence[Cell]) -> str:
    """A type of DuckDB that holds the cells, those of every neighbour alike."""
    known = [cell for cell in cells if cell is not None]
    if known and all(isinstance(cell, datetime) for cell in known):
        return dice.choice(DAYS)
    if all(type(cell) in (int, float) for cell in known):
        small = all(abs(cell) < 2**31 for cell in known if isinstance(cell, (int, float)))
        return dice.choice([*NUMBERS, *(["DECIMAL(18,3)", "HUGEINT"] if small else [])])
    return dice.choice(TEXTS)


def database_violations(world: DatabaseWorld, seed: int) -> Iterator[tuple[str, int, float]]:
    """The draws whose distance exceeds what was declared, for any of the neighbours."""
    dice = random.Random(seed)
    with _counting() as backend:
        first, *others = (
            _calls(world, backend, world.others, mine, dice=dice) for mine in world.mine
        )
    for second in others:
        assert [c.public for c in first] == [c.public for c in second]
        for here, there in zip(first, second, strict=True):
            if (moved := distance(here, there)) > here.sensitivity:
                yield here.name, here.sensitivity, moved


def not_local(world: DatabaseWorld, seed: int) -> Iterator[str]:
    """The draws that are not of one person's rows and of everybody else's together."""
    dice, mine, nobody = random.Random(seed), world.mine[-1], dict.fromkeys(world.others, ())
    parts = ((world.others, mine), (world.others, nobody), (nobody, mine))
    with _counting() as backend:
        both, *each = (_calls(world, backend, *rows, dice=dice) for rows in parts)
    for together, here, there in zip(both, *each, strict=True):
        # Scores of a choice are distances from a rank, and are no sums.
        adds = together.noise.mechanism != "noisy-max"
        if adds and _added(here, there) != _added(together):
            yield together.name


def _added(*calls: Call) -> Counter[object]:
    """The exact numbers of a draw by their places or texts, added up; those that are not 0."""
    found: Counter[object] = Counter()
    for call in calls:
        for place, number in zip(call.texts or range(len(call.exact)), call.exact, strict=True):
            found[place] += number
    return Counter({place: number for place, number in found.items() if number})


@contextmanager
def _counting() -> Iterator[Any]:
    backend = ibis.duckdb.connect()
    try:
        with pytest.MonkeyPatch.context() as patch:
            _draw_nothing(patch)
            yield backend
    finally:
        backend.disconnect()


CELLS, CELL = "add-remove by ('ward',): in every cell", "change-one by ('ward',): in one cell"
WORST = ((CELLS, None), (CELL, None), (CELL, 20))
"""Worlds, and how many rows a pass has; ``None`` where the database ranks and groups."""


def database_neighbours(_folder: Path) -> Iterator[str]:
    """Where one person moves what a database counts too far, in few worlds."""
    for name, rows in WORST:
        with pytest.MonkeyPatch.context() as patch:
            if rows:
                in_passes_of(rows, patch)
            else:
                ranked_in_the_database(patch)
            for part, sensitivity, moved in database_violations(worst_databases()[name], 0):
                yield f"{name}: {part} moves by {moved}, {sensitivity} declared"


def _draw_nothing(patch: pytest.MonkeyPatch) -> None:
    """Let rows be put in order by what they hold alone."""

    def encoded(study: Study, tables: Any) -> Any:
        return encoded_rows(study, tables, lambda rows: np.zeros(rows, np.uint32))

    patch.setattr(coded_rows.ibis, "random", lambda: ibis.literal(0.0))
    patch.setattr(passes, "encoded_rows", encoded)


def _calls(
    world: DatabaseWorld,
    backend: Any,
    *parts: Mapping[str, Rows],
    dice: random.Random,
) -> list[Call]:
    """What goes through the door for a database of some rows, which lie in any order."""
    fill_world(world, backend, *parts, dice=dice)
    return calls_of(world.study, backend, binding_of(world))


def binding_of(world: DatabaseWorld) -> Binding:
    """Which table of the database each of a world's is."""
    return Binding({name: _called(name) for name in world.others})


def fill_world(
    world: DatabaseWorld, backend: Any, *parts: Mapping[str, Rows], dice: random.Random
) -> None:
    """Put rows into a world's tables, in place of those that are there."""
    for name, types in world.types.items():
        rows = [row for part in parts for row in part[name]]
        fill(backend, _called(name), NAMES, types, dice.sample(rows, len(rows)))


def _called(name: str) -> str:
    return f"t_{name}"


def fill(
    backend: Any, name: str, header: Sequence[str], types: Sequence[str], rows: Sequence[Row]
) -> None:
    """A table of these rows: DuckDB makes of each text what it declares of it."""
    texts = [[_text(row[place]) for row in rows] for place in range(len(header))]
    plain = pa.table(dict(zip(header, (pa.array(own, pa.string()) for own in texts), strict=True)))
    backend.con.register("plain", plain)
    pairs = list(zip(header, types, strict=True))
    declared = ", ".join(f"{own} {type}" for own, type in pairs)
    casts = ", ".join(f"CAST({own} AS {type.split(' ')[0]})" for own, type in pairs)
    backend.raw_sql(f"CREATE OR REPLACE TABLE {name} ({declared})")
    backend.raw_sql(f"INSERT INTO {name} SELECT {casts} FROM plain")
    backend.con.unregister("plain")


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)
