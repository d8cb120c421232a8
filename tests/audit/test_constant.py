# SPDX-License-Identifier: Apache-2.0
"""Constant: with a door that answers constants, nothing that leaves depends on the data at all.

Any two tables of one declared schema, neighbours or not, give the same record, the same ledger
entries, the same signed bundle, the same door calls, log lines, warnings and errors, byte by byte.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.privacy import compiler
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import OfPerson
from tests.asking import is_curve
from tests.audit.constant import Outcome, Table, differences, outcome
from tests.audit.derived import asked_of
from tests.audit.length import MEMORY, examples, some
from tests.audit.pairs import ADD_REMOVE, ODD_ROWS, STAY, every_statistic, pairs, row
from tests.audit.tables import CANARY, Rows
from tests.audit.worlds import crowds, studies, styles, units

pytestmark = pytest.mark.audit

EMPTY = Table(())
ODD = Table(ODD_ROWS, name=f"{CANARY}.csv", time=1_000_000_000)
WARDS = next(pair.study for pair in pairs() if pair.name == "mean by sex, k = 3")
THEIRS: dict[str, Column] = {
    one.name: replace(
        one,
        name=f"their {one.name}",
        made_from=OfPerson("largest" if one == STAY else "most-frequent", one.name),
    )
    for one in WARDS.columns
}
"""Of what people have survival curves in a study in which they may have several rows."""


def crowd(people: int, each: int = 1) -> Rows:
    """So many people with so many rows each."""
    return tuple(
        row(str(i), str((i + j) % 50), "ABC"[i % 3], "FM"[i % 2])
        for i in range(people)
        for j in range(each)
    )


def compared(study: Study, first: Table, second: Table, total: Epsilon | None = None) -> Outcome:
    """The outcome that two tables share."""
    with TemporaryDirectory(dir=MEMORY) as here, TemporaryDirectory(dir=MEMORY) as there:
        one = outcome(study, first, Path(here), total)
        other = outcome(study, second, Path(there), total)
    assert {place: (one.get(place), other.get(place)) for place in differences(one, other)} == {}
    return one


@st.composite
def any_two_tables(draw: st.DrawFn) -> tuple[Study, Table, Table]:
    """A study and two tables with nothing in common but header, layout and public counts."""
    people = draw(st.one_of(st.none(), st.integers(1, 6)))
    unit = draw(units(people))
    study = draw(studies(unit))
    most = (6, 2) if people is None else (people, people)
    tables = [
        Table(
            draw(crowds(unit, number, 0 if people is None else number)),
            name,
            draw(styles()),
            draw(st.integers(0, 2**31)),
        )
        for number, name in zip(most, ("a.csv", "late winter.txt"), strict=True)
    ]
    return study, tables[0], tables[1]


@pytest.mark.threat("B1", "B4", "B9", "B12", "E11")
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=examples(short=5, full=2_000),
)
@given(world=any_two_tables())
def test_nothing_that_leaves_depends_on_the_data(
    world: tuple[Study, Table, Table], capfd: pytest.CaptureFixture[str]
) -> None:
    shared = compared(*world)
    assert shared["first bundle is good"]
    assert shared["again bundle is good"]
    assert {"report.pdf", "results.xlsx"} <= unpack(shared["first bundle"]).keys()
    is_drawn = not all(plan.is_public for plan in compiler.compile(world[0]).queries)
    assert bool(shared["door calls"]) == is_drawn
    assert capfd.readouterr() == ("", "")


@pytest.mark.threat("B4", "B11")
@pytest.mark.parametrize(
    "table",
    some(
        [
            pytest.param(ODD, id="odd"),
            pytest.param(Table(crowd(7, 40)), id="crowded"),
            pytest.param(Table(crowd(20_000)), id="long"),
        ],
        2,
    ),
)
@pytest.mark.in_turn(2)
def test_a_header_alone_gives_what_any_table_gives(table: Table) -> None:
    every = [every_statistic(ADD_REMOVE, by).queries for by in ((), ("ward",), ("sex", "ok"))]
    share = Epsilon.of("1.5")  # so that all of them fit into an account
    asked = enumerate(query for queries in every for query in queries)
    queries = tuple(replace(query, id=f"q{i}", epsilon=share) for i, query in asked)
    columns = {name: column.name for name, column in THEIRS.items()}
    queries = tuple(
        replace(asked_of(one, columns), of="people") if is_curve(one.statistic) else one
        for one in queries
    )
    study = replace(WARDS, columns=(*WARDS.columns, *THEIRS.values()), queries=queries)
    shared = compared(study, EMPTY, table)
    drawn = {q.canonical: len(q.parts) for q in compiler.compile(study).queries}
    assert len(shared["door calls"]) == sum(drawn.values())
    assert CANARY not in str(shared)


def refused_studies() -> dict[str, tuple[Study, Epsilon]]:
    """Studies that are refused, each for another reason, with what the account holds."""
    enough = Epsilon.of(100)
    unit = replace(WARDS.unit, neighbours="change-one", people=11)  # type: ignore[type-var]
    absent = CategoryColumn("colour", ("red",))
    return {
        "another number of people": (replace(WARDS, unit=unit), enough),
        "another number of rows": (
            replace(WARDS, unit=replace(unit, person=None, max_rows=1)),
            enough,
        ),
        "an absent column": (replace(WARDS, columns=(*WARDS.columns, absent)), enough),
        "too little budget": (WARDS, Epsilon.of("0.5")),
        "no question": (replace(WARDS, queries=()), enough),
    }


@pytest.mark.threat("B11")
@pytest.mark.parametrize("reason", refused_studies())
@pytest.mark.parametrize("table", [ODD, Table(crowd(7, 40))], ids=["odd", "crowded"])
def test_a_refusal_is_the_same_for_all_and_spends_nothing(reason: str, table: Table) -> None:
    study, total = refused_studies()[reason]
    shared = compared(study, EMPTY, table, total)
    assert shared["first error"] == shared["again error"]
    assert shared["door calls"] == []
    assert [entry[2] for entry in shared["entries"]] == ["open-account"]


@pytest.mark.threat("B14")
def test_a_public_number_of_people_is_all_that_decides(tmp_path: Path) -> None:
    unit = replace(WARDS.unit, neighbours="change-one", people=3)  # type: ignore[type-var]
    study = replace(WARDS, unit=unit)
    odd = tuple(replace(r, cells=(f"{i % 3}", *r.cells[1:])) for i, r in enumerate(ODD_ROWS))
    shared = compared(study, Table(crowd(3, 40)), replace(ODD, rows=odd))
    assert "first record" in shared
