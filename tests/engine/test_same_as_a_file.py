# SPDX-License-Identifier: Apache-2.0
"""A database counts what the encoder makes of the same table, for every statistic there is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import ibis.expr.types as ir
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from dpdesk.engine import coded_rows, kept_rows, people
from dpdesk.engine.database import Database
from dpdesk.engine.dictionaries import different_values
from dpdesk.engine.meaning import Meaning, numbers_of
from dpdesk.privacy import compiler
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from tests.engine.counted import (
    counted,
    counted_of_file,
    differences,
    ranked_in_the_database,
)
from tests.engine.hostile import STUDY, declared, hostile, numbered
from tests.golden.making import NAMES, STUDIES

ALL_ROWS = 10_000
"""So many rows of a person that none is left out: then nothing is left to chance."""


def golden(name: str) -> tuple[Study, pa.Table]:
    """A golden study with all rows of each person, and its file as a table of texts."""
    read = load_study(STUDIES / f"{name}.dpdesk")
    data, path = (
        read.study.data or DataSource(),
        read.folder / (read.study.data or DataSource()).path,
    )
    header = path.read_text("utf-8").splitlines()[0].split(data.separator)
    table = pyarrow.csv.read_csv(
        path,
        parse_options=pyarrow.csv.ParseOptions(delimiter=data.separator),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=False
        ),
    )
    return read.study, table


def with_all_rows(study: Study) -> Study:
    """The study with all rows of each person, where its questions allow that."""
    unit = study.unit or Unit()
    if unit.person is None:
        return study
    wider = replace(study, unit=replace(unit, max_rows=ALL_ROWS))
    try:
        compiler.compile(wider)
    except Refused as refused:
        left = {int(p.path.split("[")[1].split("]")[0]) for p in refused.problems}
        kept = (q for at, q in enumerate(study.queries) if at not in left)
        return replace(wider, queries=tuple(kept))
    return wider


@pytest.fixture(params=["ranked", "told apart"])
def route(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who bounds people: the database, as a server does, or the runner."""
    if request.param == "ranked":
        ranked_in_the_database(monkeypatch)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.in_turn(3)
def test_every_statistic_is_counted_as_of_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, table = golden(name)
    study = with_all_rows(study)
    # The runner itself counts them in passes elsewhere.
    ranked_in_the_database(monkeypatch)
    own, of_file = counted(study, table), counted_of_file(study, table, tmp_path)
    assert own.vectors and differences(own, of_file) == []


def test_the_golden_studies_ask_for_every_kind_of_measure() -> None:
    kinds = Counter(
        part.measure.kind
        for name in NAMES
        for query in compiler.compile(with_all_rows(golden(name)[0])).queries
        for part in query.parts
    )
    assert set(kinds) >= {
        "rows", "people", "sum", "joint-sums", "events-and-exposure", "found", "quantile-scores",
        "rows-with-yes", "value-times-count", "closest-to-target", "tree", "weighted-bins",
        "magnitudes", "rows-per-person",
    }  # fmt: skip


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("without", ["drop", "one-person"])
@pytest.mark.parametrize("ward", ["VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT"])
@pytest.mark.in_turn(5)
def test_values_that_engines_fold_are_counted_as_of_a_file(
    ward: str, without: str, zeros: bool, tmp_path: Path, route: None
) -> None:
    unit = STUDY["unit"] | {"without_id": without, "leading_zeros": zeros}
    study = declared({**STUDY, "unit": unit})
    types = {"ward": ward, "pid": ward}
    of_file = counted_of_file(study, hostile(), tmp_path)
    assert differences(counted(study, hostile(), types), of_file) == []


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("without", ["drop", "one-person"])
@pytest.mark.in_turn(3)
def test_ids_of_whole_numbers_are_those_of_a_file(
    without: str, zeros: bool, tmp_path: Path, route: None
) -> None:
    unit = STUDY["unit"] | {"without_id": without, "leading_zeros": zeros}
    study, table = declared({**STUDY, "unit": unit}), numbered(hostile())
    assert differences(counted(study, table), counted_of_file(study, table, tmp_path)) == []


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.int8(), [1, -1, None, 100, 0]),
        (pa.uint64(), [2**64 - 1, 1, None, 3, 0]),
        (
            pa.decimal128(38, 20),
            [Decimal("0.75"), Decimal("1.24999999999999999999"), None, Decimal(10**17), 0],
        ),
        (pa.float32(), [0.1, 0.75, None, float("inf"), float("-inf")]),
        (pa.string(), ["0,75", "1e1", None, "\uff11", " 2 "]),
        (pa.date32(), [date(2024, 5, 1), None, date(1970, 1, 1), date(9999, 12, 31), date.min]),
    ],
)  # fmt: skip
def test_a_number_column_of_any_type_is_counted_as_of_a_file(
    kind: pa.DataType, values: list[object], tmp_path: Path
) -> None:
    table = pa.table({"pid": pa.array(range(5)), "stay": pa.array(values, kind)})
    table = table.append_column("ward", pa.array(["a"] * 5))
    asked = [q for q in STUDY["queries"] if q["id"] in ("mean", "median")]
    columns = [c for c in STUDY["columns"] if c["name"] in ("ward", "stay")]
    study = declared({**STUDY, "columns": columns, "queries": asked})
    assert differences(counted(study, table), counted_of_file(study, table, tmp_path)) == []


def test_no_person_has_more_rows_than_the_limit_and_everybody_the_lesser_of_both(
    route: None,
) -> None:
    rows = Counter({person: 1 + person % 7 for person in range(40)})
    ids = pa.array([person for person, n in rows.items() for _ in range(n)])
    table = pa.table({"pid": ids, "ward": pa.array(["a"] * len(ids))})
    for limit in (1, 3):
        unit = STUDY["unit"] | {"max_rows": limit}
        asked = [STUDY["queries"][0] | {"by": ["ward"]}]
        columns = [STUDY["columns"][0]]
        study = declared({**STUDY, "unit": unit, "columns": columns, "queries": asked})
        (vector,) = counted(study, table).vectors.values()
        assert vector.sum() == sum(min(n, limit) for n in rows.values())


@pytest.mark.parametrize("column", ["ward", "pid"])
def test_a_value_that_the_engine_does_not_find_again_stops_the_run(
    column: str, route: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = people if column == "pid" else coded_rows

    def some(database: Database, rows: ir.Table, value: str) -> pa.Table:
        found = different_values(database, rows, value)
        truths = pa.types.is_boolean(found.schema[0].type)
        return found if truths else found.filter(found.column(0).is_null())

    monkeypatch.setattr(module, "different_values", some)
    unit = STUDY["unit"] | {"without_id": "one-person"}
    with pytest.raises(Refused) as refused:
        counted(declared({**STUDY, "unit": unit}), hostile())
    assert refused.value.problems[0].code == "engine-compares-differently"


def test_a_person_with_more_rows_than_the_limit_stops_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranked_in_the_database(monkeypatch)
    row_number = kept_rows.ibis.row_number
    monkeypatch.setattr(kept_rows.ibis, "row_number", lambda: row_number() - 1)
    study = declared({**STUDY, "unit": STUDY["unit"] | {"max_rows": 2}})
    with pytest.raises(Refused) as refused:
        counted(study, hostile())
    assert refused.value.problems[0].code == "engine-compares-differently"


def test_which_of_a_persons_rows_are_kept_is_left_to_chance_alone(route: None) -> None:
    """Row j of n is kept with probability k / n, whatever it holds and wherever it is."""
    people, own = 3_000, 4
    ids = pa.array([person for person in range(people) for _ in range(own)])
    wards = pa.array(["a", "ä", "ß", "x"] * people)
    unit = STUDY["unit"] | {"max_rows": 1}
    columns, asked = [STUDY["columns"][0]], [STUDY["queries"][0] | {"by": ["ward"]}]
    study = declared({**STUDY, "unit": unit, "columns": columns, "queries": asked})
    (vector,) = counted(study, pa.table({"pid": ids, "ward": wards})).vectors.values()
    kept = vector[vector > 0]
    # Each of four is binomial (3000, 1/4): six standard deviations are 143.
    assert len(kept) == own and kept.sum() == people
    assert np.abs(kept - people / own).max() < 143


def test_ids_are_one_person_by_the_rules_of_files() -> None:
    study = declared(STUDY)
    ids = pa.array(["7", "007", "P-1", "p\u20111", "é", "e\u0301", "", None])
    persons = numbers_of({MAIN: ids}, {MAIN: Meaning(study)})[MAIN]
    assert persons[0] == persons[1] and persons[2] == persons[3] and persons[4] == persons[5]
    assert len(set(persons[:6].tolist())) == 3 and set(persons[6:].tolist()) == {-1}
