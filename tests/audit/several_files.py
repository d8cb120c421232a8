# SPDX-License-Identifier: Apache-2.0
"""Neighbours of a study with several tables: one person's lines change in any of the files.

Each table is of one or two files, each in a dialect of its own; a line may hold what it may in
``neighbour_files``. What becomes of everybody else's rows is the same, row by row, and no answer
moves by more than its sensitivity.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.files import source
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.plan import Plan
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    BesideRow,
    FileLabel,
    OfCase,
    OfPerson,
    Step,
    TimeBetween,
)
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, DataSource, IdShape, Unit
from tests.audit.neighbour_files import PEOPLE, Lines, Writing, longest, random_writing
from tests.audit.neighbour_lattice import PAIRS, VICTIMS, Files, Lattice, OneFile, lattice
from tests.audit.neighbour_studies import BY_CODE, NAMES
from tests.audit.worlds import draw_plan
from tests.data.preparation.chains import random_chain_of_tables
from tests.doors import Call, RecordingDoor, distance

VARIANTS = 24
"""So many studies are asked, so that few plans are compiled for many files."""
CHUNKS = (3, 64, *[1 << 21] * 14)
"""Small ones take their time, and are what the proof of single files is about."""
LEVELS = 5
LABELS = ("first", "second")
FIRST, LAST = date(2024, 1, 1), date(2025, 6, 30)
SHAPES = (None, None, None, IdShape("", "letters-digits", 1, 2), IdShape("", "digits", 1, 1))


@dataclass(frozen=True)
class SeveralFiles:
    """The files of a study in several forms, of which each is a neighbour of some others.

    Attributes:
        study: what is asked; file ``n`` is at ``n.csv``.
        lattice: the files.
        pairs: which of them differ in one person, who comes where neighbours are added.
        chunk: so many bytes are read at once.
    """

    study: Study
    lattice: Lattice
    chunk: int
    pairs: tuple[tuple[int, int], ...] = PAIRS

    def read_in_pieces(self, patch: pytest.MonkeyPatch) -> None:
        """Let the program read this world's files as the world says."""
        patch.setattr(source, "CHUNK_BYTES", self.chunk)
        patch.setattr(source, "LINE_BYTES", longest(self.chunk))


# --- what is declared ---------------------------------------------------------------------------


def _read(dice: random.Random, table: str, before: str) -> tuple[Column, ...]:
    """A table's columns: one of each kind."""
    rules: Any = ("drop", "category")

    def at(header: str) -> dict[str, Any]:
        return {"table": table, "in_file": header if before else ""}

    return (
        NumberColumn(f"{before}stay", Decimal(0), Decimal(60), Decimal(1), **at("stay")),
        CategoryColumn(
            f"{before}ward", ("A", "B"), dice.choice(rules), dice.choice(rules), **at("ward")
        ),
        DateColumn(f"{before}day", FIRST, LAST, **at("day")),
        YesNoColumn(f"{before}ok", ("yes", "1"), ("no", "0"), dice.choice(rules), **at("ok")),
        CategoryColumn(f"{before}sex", ("F", "M"), missing=dice.choice(rules), **at("sex")),
    )


def _number(name: str, step: Step, upper: int = 10) -> NumberColumn:
    return NumberColumn(name, Decimal(0), Decimal(upper), Decimal(1), made_from=step)


ANY_IN_A = OfCase("any", where=(IsIn("l ward", ("A",)),), table="labs")
LAST_LAB = OfPerson("last", "l ward", "l day", table="labs")
MADE: tuple[Column, ...] = (
    CategoryColumn("file", LABELS, made_from=FileLabel()),
    CategoryColumn("p code", ("well", "other"), table="patients", made_from=BY_CODE),
    _number("labs", OfPerson("count", table="labs")),
    _number("all labs", OfPerson("sum", "l stay", table="labs"), 200),
    CategoryColumn("last lab", ("A", "B"), made_from=LAST_LAB),
    _number("labs of case", OfCase("count", table="labs")),
    _number("first of case", OfCase("first", "l stay", "l day", table="labs")),
    YesNoColumn("any of case", ("yes",), ("no",), made_from=ANY_IN_A),
    _number("lab before", BesideRow("previous", "l day", "l stay")),
    _number("most before", OfPerson("largest", "lab before", table="labs")),
    _number("case before", OfCase("largest", "lab before", table="labs")),
    _number("known", TimeBetween(("p day", "day"), "weeks"), 60),
    _number("stays", OfPerson("count")),
    _number("stay before", BesideRow("previous", "day", "labs of case")),
)
"""Of each home: of people, of cases, beside rows of either table, of two tables' people."""


def several_study(dice: random.Random, unit: Unit, writings: Sequence[Sequence[Writing]]) -> Study:
    """The tables, by how many there are, and what is read of them.

    Args:
        dice: the dice.
        unit: whose privacy is protected.
        writings: how the files of each table are written, the main one first.
    """
    data = list(sources(writings))
    keep: Any = dice.choice(["smallest", "first", "last"])
    by = None if keep == "smallest" else "p day"
    further = (
        FurtherTable("labs", data[1] if len(data) > 1 else DataSource(), "pid", "ward"),
        FurtherTable("patients", data[-1], "pid", "", "one-per-person", keep, by),
    )
    read = (_read(dice, table, before) for table, before in (("labs", "l "), ("patients", "p ")))
    tables = further[: len(data) - 1]
    more = (column for columns, _ in zip(read, tables, strict=False) for column in columns)
    unit = replace(unit, case="ward" if tables else "")
    return Study(
        "Files", data=data[0], unit=unit, tables=tables, columns=(*_read(dice, "", ""), *more)
    )


def sources(writings: Sequence[Sequence[Writing]]) -> Iterator[DataSource]:
    """Each table's files; what is said once is said of the first."""
    number = 0
    for table in writings:
        files = []
        for at, one in enumerate(table):
            file = replace(one.source, path=f"{number}.csv", label=LABELS[at])
            files.append(replace(file, missing=(), fill_down=False) if at else file)
            number += 1
        yield replace(files[0], more=tuple(files[1:]))


def _asked(study: Study) -> Study:
    """The study with questions about rows and people of all tables."""
    share: dict[str, Any] = {"epsilon": Epsilon.of(1)}
    people = Query("people", of="people").having(**share)
    rows = Query("rows").having(**share)
    well = IsIn("p code", ("well",))
    queries = (
        people.having(by=("p sex",), expected=100),
        people.having(id="labs", statistic="sum", column="all labs", by=("last lab",)),
        people.having(id="ages", statistic="mean", column="p stay", where=(well,)),
        people.having(id="gaps", statistic="sum", column="most before"),
        rows.having(by=("file", "p sex"), expected=100),
        rows.having(id="cases", statistic="sum", column="labs of case", by=("any of case",)),
        rows.having(id="case", statistic="mean", column="first of case"),
        rows.having(id="known", statistic="sum", column="known"),
        rows.having(id="before", statistic="sum", column="stay before"),
        rows.having(id="earlier", statistic="sum", column="case before"),
        rows.having(id="who", statistic="count-people", by=("ward",), expected=100,
                    where=(Between("labs", Decimal(1), Decimal(10)),)),
    )  # fmt: skip
    budget = Budget("files", Epsilon.of(100))
    return replace(study, columns=(*study.columns, *MADE), queries=queries, budget=budget)


# --- worlds -------------------------------------------------------------------------------------


def several_world(seed: int) -> SeveralFiles:
    """A made-up world with three tables and questions about them; the same for the same seed."""
    dice, variant = random.Random(seed), random.Random(seed % VARIANTS)
    unit = _unit(variant)
    writings = random_writings(dice, 3, unit)
    chunk = dice.choice(CHUNKS)
    study = _asked(several_study(variant, unit, writings))
    return made_world(dice, study, writings, chunk)


def chain_world(seed: int) -> SeveralFiles:
    """A world of one to three tables with a random chain of derived columns; somebody comes."""
    dice = random.Random(seed)
    unit = replace(_unit(dice), neighbours="add-remove", people=None)
    writings = random_writings(dice, dice.choice([1, 2, 3]), unit)
    study = several_study(dice, unit, writings)
    study = replace(study, columns=(*study.columns, MADE[0]))
    study = random_chain_of_tables(dice, study, dice.randint(1, 4 * LEVELS))
    study = replace(study, queries=(Query("people", of="people"),))
    return made_world(dice, study, writings, dice.choice(CHUNKS))


def worst_several() -> dict[str, SeveralFiles]:
    """Worlds in which one mistake shows, each in its own way."""
    stays, labs = ["1,3,A,2024-02-03", "2,4,B,2024-02-03"], ["1,9,A,2024-02-03", "2,8,B,2024-02-03"]
    patients = ["1,40,A,2024-01-01,,F,well", "2,50,A,2024-01-01,,M,ill"]
    mine = "7,5,A,2024-02-04"
    ties = ["1,3,A,2024-02-03", "1,9,A,2024-02-05", "1,4,A,2024-02-05"]
    doubled = [patients[0], "7,1,A", "7,2,B", *patients]
    filled = [",3,A,2024-02-03", "2,4,B,2024-02-03"]
    return {
        "somebody's row is the last of a file that another one follows": _fixed(
            [stays, filled, labs, patients], [[*stays, mine], filled, labs, patients], fills=True
        ),
        "rows of one day": _fixed(
            [stays, stays[:1], ties, patients],
            [stays, stays[:1], [mine, *ties], patients],
            [stays, stays[:1], ties[::-1], patients],
        ),
        "everybody has the same case number": _fixed(
            [[], stays, labs, []], [[], stays, [mine, *labs, mine], []]
        ),
        "several rows in a table of people": _fixed(
            [stays, [], labs, patients], [stays, [], labs, doubled]
        ),
    }


def _fixed(
    first: list[list[str]],
    second: list[list[str]],
    other: list[list[str]] | None = None,
    *,
    fills: bool = False,
) -> SeveralFiles:
    """Two files of the main table, one of laboratory values and one of patients."""
    main = DataSource("", missing=("?",), fill_down=fills)
    ends = b"", b"\n", "\r"
    plain = Writing(replace(main, fill_down=False), *ends)
    writings = [[Writing(main, *ends), plain], [plain], [plain]]
    study = _asked(several_study(random.Random(0), Unit("pid", 5), writings))
    named = {line.split(",")[0] for lines in first for line in lines} - {""}
    files = [
        tuple("\n".join([",".join(NAMES), *lines, ""]).encode() for lines in tables)
        for tables in (first, second, other or first)
    ]
    forms = Lattice(tuple(files[:2]), files[2], len(named))
    return SeveralFiles(study, forms, 1 << 21, ((0, 1),))


def _unit(dice: random.Random) -> Unit:
    without: Any = dice.choice(["drop", "drop", "one-person"])
    # A row with an id of another shape would be one more of the person without an id.
    shape = dice.choice(SHAPES) if without == "drop" else None
    unit = Unit("pid", dice.choice([1, 2, 5]), without_id=without, id_shape=shape)
    if dice.random() < 0.3:
        return replace(unit, neighbours="change-one", people=3)
    return unit


def random_writings(dice: random.Random, tables: int, unit: Unit) -> list[list[Writing]]:
    """How each file is written; ids are filled down in a table or are not."""
    found = []
    for _ in range(tables):
        fills = unit.without_id == "drop" and dice.random() < 0.3
        found.append([_writing(dice, fills) for _ in range(dice.choice([1, 2]))])
    return found


def _writing(dice: random.Random, fills: bool) -> Writing:
    """One with a header: columns of several files are matched by name."""
    while (found := random_writing(dice, fills)).source.header_row == 0:
        pass
    return found


def made_world(
    dice: random.Random, study: Study, writings: list[list[Writing]], chunk: int
) -> SeveralFiles:
    unit = study.unit or Unit()
    files: list[OneFile] = []
    for at, table in enumerate(writings):
        seen: Counter[str | None] = Counter()
        for one in table:
            maker = Lines(dice, one, unit, longest(chunk))
            files.append(OneFile(maker, _others(maker, seen, 50 if at else unit.max_rows)))
    return SeveralFiles(study, lattice(dice, files, unit), chunk)


def _others(maker: Lines, seen: Counter[str | None], most: int) -> list[bytes]:
    """Others' lines of a file, so few that the row limit touches the victims alone."""
    kept: list[bytes] = []
    for line in maker.many(PEOPLE, 8):
        owner = maker.owners([*kept, line])[-1]
        if owner in VICTIMS or (owner is not None and seen[owner] >= most):
            continue
        seen[owner] += 1
        kept.append(line)
    return kept


# --- what becomes of them -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Read:
    """A form of the files as it was read.

    Attributes:
        calls: what goes through the door for its questions; nothing where it has none.
        rows, people: the rows, and those of the table of people, as multisets.
        count: how many rows there are.
    """

    calls: Sequence[Call]
    rows: Counter[tuple[int, ...]]
    people: Counter[tuple[int, ...]]
    count: int


def several_violations(world: SeveralFiles, folder: Path) -> Iterator[str]:
    """Where an answer moves too far between two neighbours, or the order of lines says something.

    Where somebody comes, everybody else's rows are the same, and theirs are not too many.
    """
    read = [_as_read(world.study, files, folder) for files in world.lattice.files]
    yield from _of_itself(world, read[0], folder)
    adds = _adds(world.study)
    for one, other in world.pairs:
        yield from _moved(read[one].calls, read[other].calls)
        if adds:
            yield from _not_local(world.study, read[one], read[other])


def _adds(study: Study) -> bool:
    return study.unit is not None and study.unit.neighbours == "add-remove"


def _as_read(study: Study, files: Files, folder: Path) -> _Read:
    for number, raw in enumerate(files):
        (folder / f"{number}.csv").write_bytes(raw)
    table = encode(study, folder, priorities=lambda count: np.arange(count, dtype=np.uint32))
    people = rows_of(table.of_people())
    return _Read(_calls(study, table), rows_of(table), people, len(table.persons()))


def _of_itself(world: SeveralFiles, alone: _Read, folder: Path) -> Iterator[str]:
    """Where people are more or fewer than there are ids, or the order of lines says something."""
    seen = sum(alone.people.values())
    if seen != world.lattice.people:
        yield f"{world.lattice.people} people have an id, {seen} are in the table of people"
    reordered = _as_read(world.study, world.lattice.reordered, folder)
    if alone.people != reordered.people:
        yield "the order of lines moves the table of people"
    # Of the victims' rows, the row limit lets others through where they have other places.
    if _adds(world.study) and alone.rows != reordered.rows:
        yield "the order of lines moves what stands beside a row"


def _moved(first: Sequence[Call], second: Sequence[Call]) -> Iterator[str]:
    for a, b in zip(first, second, strict=True):
        if distance(a, b) > a.sensitivity or a.public != b.public:
            yield f"{a.name} moves by {distance(a, b)}, {a.sensitivity} declared"


def _not_local(study: Study, alone: _Read, together: _Read) -> Iterator[str]:
    if lost := alone.rows - together.rows:
        yield f"{sum(lost.values())} rows of others are lost or changed"
    if together.count > alone.count + (study.unit or Unit()).max_rows:
        yield "a person has more rows than the limit"
    if alone.people - together.people:
        yield "somebody else's row in the table of people is another"
    if sum(together.people.values()) > sum(alone.people.values()) + 1:
        yield "a person is several rows of the table of people"


def rows_of(table: EncodedTable) -> Counter[tuple[int, ...]]:
    """The rows as a multiset."""
    codes = [column.codes.tolist() for column in table.columns()]
    # Where nobody's column is declared, rows are alike.
    return Counter(zip(*codes, strict=True)) if codes else Counter({(): len(table.persons())})


def _calls(study: Study, table: EncodedTable) -> list[Call]:
    if study.budget is None:
        return []
    door = RecordingDoor()
    draw_plan(study, plan_of(study), table, door)
    return door.calls


def plan_of(study: Study) -> Plan:
    """The plan, which does not depend on how the files are written."""
    label = {"label": LABELS[0], "path": "0.csv"}
    tables = tuple(replace(one, data=DataSource(**label)) for one in study.tables)
    return _compiled(replace(study, data=DataSource(**label), tables=tables))


@lru_cache(maxsize=1_000)
def _compiled(study: Study) -> Plan:
    return compile(study)
