# SPDX-License-Identifier: Apache-2.0
"""Rows per person: counted before the limit, each person in one line, no id in none."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.aggregation.rows_per_person import people_with_rows
from dpdesk.data.arrays import packed_sort
from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.length import runs
from tests.doors import RecordingDoor, distance

QUERY = Query("rows").having(statistic="rows-per-person", top_code=3, epsilon=Epsilon.of(1))
STUDY = Study(
    data=DataSource("stays.csv", missing=("?",)),
    unit=Unit("pid", 2),
    budget=Budget("stays", Epsilon.of(10)),
    queries=(QUERY,),
)
NOBODY = ("", "?", " ")


def asking(**unit: Any) -> Study:
    return replace(STUDY, unit=replace(STUDY.unit or Unit(), **unit))


def plan(query: Query = QUERY, **unit: Any) -> QueryPlan:
    return compile_query(asking(**unit), query)


def exact(study: Study, ids: Iterable[str], folder: Path) -> tuple[int, ...]:
    """What is counted of a file with one row for each id, before any noise."""
    lines = "".join(f"{one},x\n" for one in ids)
    (folder / "stays.csv").write_text(f"pid,ward\n{lines}", encoding="utf-8")
    door = RecordingDoor()
    (part,) = compile(study).queries[0].parts
    found = measure(encode(study, folder), study, part.measure)
    return door.draw("rows", found, part.noise, part.sensitivity)


@pytest.mark.parametrize("without_id", ["drop", "one-person"])
@pytest.mark.parametrize("limit", [1, 2, 9])
def test_people_are_counted_by_all_their_rows_whatever_the_limit_is(
    limit: int, without_id: str, tmp_path: Path
) -> None:
    ids = ["a", "b", "c", "a", "", "B", "?", "a", "a", " "]  # 4 rows of a, 2 of b, 1 of c
    study = asking(max_rows=limit, without_id=without_id)
    assert exact(study, ids, tmp_path) == (1, 1, 1)


@pytest.mark.parametrize("seed", range(20))
def test_any_file_is_counted_as_one_counts_by_hand(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs begin and end anywhere in the pieces that are worked on at a time."""
    monkeypatch.setattr(packed_sort, "CHUNK_ROWS", 3)
    dice = random.Random(seed)
    names = [str(n) for n in range(9)] if seed % 2 else [f"patient {n}/é" for n in range(9)]
    ids = [dice.choice([*names[: 1 + seed % 9], *NOBODY]) for _ in range(dice.randint(0, 60))]
    top = 2 + seed % 7
    study = replace(
        asking(without_id=dice.choice(["drop", "one-person"]), max_rows=dice.randint(1, 5)),
        queries=(QUERY.having(top_code=top),),
    )
    rows = Counter(one for one in ids if one not in NOBODY)
    by_hand = Counter(min(count, top) for count in rows.values())
    assert exact(study, ids, tmp_path) == tuple(by_hand[n] for n in range(1, top + 1))


def neighbours(add_remove: bool, without_id: str) -> Iterable[tuple[list[str], list[str]]]:
    """Others and one person who has 0 to 4 rows, or other rows; or the rows without an id."""
    others = ["a", "b", "b"]
    for mine in ("me", "") if without_id == "one-person" else ("me",):
        for here, there in product(range(5), repeat=2):
            loose = [""] * here if without_id == "drop" else []
            if add_remove:
                yield others, [*others, *[mine] * there, *loose]
            elif here and there:
                yield [*others, *[mine] * here], [*others, *[mine] * there]


@pytest.mark.parametrize("without_id", ["drop", "one-person"])
@pytest.mark.parametrize("measure_of", ["epsilon", "rho"])
@pytest.mark.parametrize("kind", ["add-remove", "change-one"])
@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.in_turn(8)
def test_the_sensitivity_is_what_somebody_attains_and_nobody_exceeds(
    limit: int, kind: str, measure_of: str, without_id: str, tmp_path: Path
) -> None:
    people = {"people": 3} if kind == "change-one" else {}
    study = asking(max_rows=limit, neighbours=kind, without_id=without_id, **people)
    query = QUERY
    if measure_of == "rho":
        query = replace(QUERY, epsilon=None, rho=Rho.of(1), noise="gaussian")
        study = replace(study, budget=Budget("stays", rho=Rho.of(2)))
    study = replace(study, queries=(query,))
    (part,) = compile(study).queries[0].parts
    assert part.sensitivity == (1 if kind == "add-remove" else 2)
    moved = []
    for first, second in neighbours(kind == "add-remove", without_id):
        doors = RecordingDoor(), RecordingDoor()
        for door, ids in zip(doors, (first, second), strict=True):
            lines = "".join(f"{one},x\n" for one in ids)
            (tmp_path / "stays.csv").write_text(f"pid,ward\n{lines}", encoding="utf-8")
            found = measure(encode(study, tmp_path), study, part.measure)
            door.draw("rows", found, part.noise, part.sensitivity)
        moved.append(distance(doors[0].calls[0], doors[1].calls[0]))
    assert max(moved) == part.sensitivity


def test_the_limit_is_no_part_of_the_question() -> None:
    """A limit that is chosen by these figures asks the same question, which is paid."""
    one, ten = plan(max_rows=1), plan(max_rows=10)
    assert one.canonical == ten.canonical
    assert one.parts == ten.parts
    count = Query("count", epsilon=Epsilon.of(1))
    assert plan(count, max_rows=1).canonical != plan(count, max_rows=10).canonical


def test_its_noise_is_that_of_one_row_a_person() -> None:
    count = Query("count", epsilon=Epsilon.of(1))
    assert plan(max_rows=10).parts[0].scale == plan(count, max_rows=1).parts[0].scale
    assert plan(max_rows=10).half_width == plan(count, max_rows=1).half_width


def test_the_table_has_a_line_for_each_number_of_rows() -> None:
    made = table(STUDY, plan(), ((50, 7, -2),))
    assert [column.name for column in made.columns][:3] == [
        "number_of_rows",
        "people",
        "half_width_95",
    ]
    assert [row[:2] for row in made.rows] == [("1", "50"), ("2", "7"), ("3 or more", "-2")]
    assert [row[-1] for row in made.rows] == ["no", "no", "yes"]


def test_no_more_than_the_public_number_of_people_are_possible() -> None:
    made = table(STUDY, plan(neighbours="change-one", people=52), ((50, 7, -2),))
    assert made.rows[0][4] == "52.0"


@pytest.mark.in_turn(2)
def test_its_bound_holds_by_draws_of_the_real_door() -> None:
    """Each line is within its margin, not within less; all are within that of all."""
    found = plan(QUERY.having(top_code=10))
    (part,) = found.parts
    door, draws = OpenDPDoor(), runs(short=1_000, full=10_000)
    zeros = np.zeros(part.cells, np.int64)
    drawn = np.array([door.add_noise("q", zeros, part.noise, 1) for _ in range(draws)])
    assert found.half_width is not None
    each = np.mean(np.abs(drawn) <= int(found.half_width))
    assert each >= 0.95 - 0.01
    assert np.mean(np.abs(drawn) <= int(found.half_width) - 1) < 0.95
    method = METHODS["rows-per-person"]
    assert method.claims(found) == 10
    whole = method.accuracy_together(found, 0.05)
    assert whole > noise_distribution.half_width(part.noise)
    assert np.mean(np.abs(drawn).max(axis=1) <= int(whole)) >= 0.93
    figures = method.figures_at(found, (tuple(range(10)),), 0, 0.05)
    assert [f.value for f in figures if f] == [Fraction(n) for n in range(10)]


@pytest.mark.parametrize("top_code", [1, 4])
def test_people_who_were_not_told_apart_so_far_are_not_counted(top_code: int) -> None:
    with pytest.raises(ValueError, match="not told apart"):
        people_with_rows(np.array([0, 5, 3, 2]), top_code)


def test_a_table_that_was_read_for_another_study_does_not_say_how_many_rows() -> None:
    with pytest.raises(ValueError, match="were not counted"):
        EncodedTable({}, np.zeros(0, np.int64), 0, None).people_by_rows()
