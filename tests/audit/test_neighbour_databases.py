# SPDX-License-Identifier: Apache-2.0
"""The proofs through order, runner, DuckDB and sealed file, as they hold of files.

Replay and local are the search among neighbouring databases; constant is of all that a run leaves
behind, its statements and the length of its file among them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ibis
import pytest

from dpdesk.engine.runner import Binding
from dpdesk.study.model.tables import MAIN
from tests.audit.constant import Outcome, Table, outcome
from tests.audit.guess import ALPHA, guess_audit
from tests.audit.length import FULL, runs
from tests.audit.neighbour_databases import (
    DatabaseWorld,
    Rows,
    binding_of,
    database_of_several,
    database_violations,
    database_world,
    fill,
    fill_world,
    not_local,
    worst_databases,
)
from tests.audit.pairs import EPSILON, Attack, Pair, choices, pairs
from tests.audit.tables import HEADER
from tests.audit.tables import Row as CsvRow
from tests.doors import Call
from tests.engine.counted import TABLE, in_passes_of, ranked_in_the_database
from tests.engine.through_runner import calls_of, carried_out

pytestmark = pytest.mark.audit

MAKERS = (database_world, database_of_several)
WORLDS = {database_world: runs(2, 500), database_of_several: runs(1, 150)}
COINS = runs(1_000, 20_000)
EVERY = [*pairs(), *choices()]

Made = Callable[[int, int], DatabaseWorld]


@contextmanager
def _either_way(seed: int) -> Iterator[None]:
    """People told apart by the runner, or, every other time, ranked in the database."""
    with pytest.MonkeyPatch.context() as patch:
        if seed % 2:
            ranked_in_the_database(patch)
        yield


@pytest.mark.threat("A8", "C1")
@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.in_turn(2)
def test_one_persons_rows_move_no_count_of_a_database_too_far(made: Made) -> None:
    for seed in range(WORLDS[made]):
        with _either_way(seed):
            assert list(database_violations(made(seed, 3 if FULL else 1), seed)) == [], seed


@pytest.mark.threat("A8", "C1")
@pytest.mark.parametrize("rows_a_pass", [None, 20])
@pytest.mark.parametrize("name", worst_databases())
@pytest.mark.in_turn(24)
def test_no_answer_moves_further_than_it_may(
    name: str, rows_a_pass: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rows_a_pass:
        in_passes_of(rows_a_pass, monkeypatch)
    else:
        ranked_in_the_database(monkeypatch)
    assert list(database_violations(worst_databases()[name], 0)) == []


@pytest.mark.threat("C5")
@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.in_turn(2)
def test_counts_of_disjoint_databases_add_up(made: Made) -> None:
    for seed in range(100, 101 + WORLDS[made] // 4):
        assert list(not_local(made(seed, 1), seed)) == [], seed


@pytest.mark.threat("B1", "B4")
@pytest.mark.parametrize("made", MAKERS)
@pytest.mark.in_turn(2)
def test_nothing_that_a_run_leaves_behind_depends_on_the_data(made: Made, tmp_path: Path) -> None:
    """Not the statements, which a server's log may hold, nor what is released with one noise."""
    for seed in range(200, 200 + runs(2, 60)):
        world = made(seed, 1)
        nobody = dict.fromkeys(world.others, ())
        with _either_way(seed):
            full, empty = (
                _left_behind(world, tmp_path / f"{seed}-{name}", *parts)
                for name, parts in (("full", (world.others, world.mine[-1])), ("empty", (nobody,)))
            )
        differing = [place for place in full if full[place] != empty[place]]
        assert differing == [] and full["door calls"] and full["statements"], seed


def _left_behind(world: DatabaseWorld, folder: Path, *parts: Mapping[str, Rows]) -> Outcome:
    folder.mkdir()
    backend = ibis.duckdb.connect()
    try:
        fill_world(world, backend, *parts, dice=random.Random(0))
        backend.raw_sql("CALL enable_logging('QueryLog')")
        done = carried_out(world.study, backend, binding_of(world))
        logged = backend.raw_sql("SELECT message FROM duckdb_logs").fetchall()
    finally:
        backend.disconnect()
    # Ibis gives what is uploaded a name at random.
    statements = [re.sub(r"memtable_\w+", "memtable", message) for (message,) in logged]
    left = outcome(world.study, Table(()), folder, counts=done.opened)
    return {**left, "statements": statements, "length": len(done.sealed)}


@pytest.mark.threat("D1")
@pytest.mark.parametrize("pair", EVERY, ids=lambda pair: pair.name)
@pytest.mark.in_turn(24)
def test_no_guess_from_counts_of_a_database_beats_the_claim(pair: Pair) -> None:
    backend = ibis.duckdb.connect()
    try:
        worlds = [_exact(pair, backend, rows) for rows in (pair.without, pair.with_person)]
    finally:
        backend.disconnect()
    attack = Attack(list(zip(*worlds, strict=True)))
    found = guess_audit(attack.weigh, EPSILON.micro / 1e6, COINS, sure=0.5)
    assert found.p >= ALPHA, found


def _exact(pair: Pair, backend: Any, rows: tuple[CsvRow, ...]) -> list[Call]:
    header = HEADER[:6]
    cells = [tuple(cell or None for cell in row.cells) for row in rows]
    fill(backend, TABLE, header, ["VARCHAR"] * len(header), cells)
    return calls_of(pair.study, backend, Binding({MAIN: TABLE}))
