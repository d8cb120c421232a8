# SPDX-License-Identifier: Apache-2.0
"""The benchmark of size measures the same questions with everybody, and says who is not here."""

import importlib.util
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.encode import encode
from dpdesk.privacy import compiler
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Noisy
from dpdesk.study.limits import MAX_ROWS_PER_PERSON
from tests.bench.size import prepared
from tests.bench.size.__main__ import provide
from tests.bench.size.cases import CASES, DUCKDB, OPENDP, OURS, PANDAS, Case, python_of
from tests.bench.size.declared import ASKED, EPSILON, ROWS_OF_A_PATIENT, SEXES, WARDS
from tests.bench.size.goals import goals
from tests.bench.size.ours import STUDY, answer, study_of
from tests.bench.size.process import Rounds, run
from tests.bench.size.table import table
from tests.doors import RecordingDoor

ROWS = 20_000
Answers = dict[str, list[float]]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up files, small."""
    if run([python_of("peers"), "-c", "import pyarrow.parquet"]).returncode:
        pytest.skip("pyarrow, which writes the made-up files, is not here")
    place = tmp_path_factory.mktemp("size")
    provide(place, ROWS)
    return place


@pytest.fixture(scope="session")
def said(folder: Path) -> Callable[[Case], dict[str, Any]]:
    """What a case says of itself; skips where its libraries are not here."""

    def once(case: Case) -> dict[str, Any]:
        rounds = Rounds()
        rounds.add(case, folder)
        if not rounds.said and not rounds.failed:
            pytest.skip(f"{case.name} is not here: {rounds.trouble}")
        assert rounds.said, rounds.trouble
        return rounds.said[0]

    return once


def ours(folder: Path, max_rows: int) -> Answers:
    """Our answers through a door that adds no noise."""
    study = study_of(folder / OURS.file)
    assert study.unit is not None
    study = replace(study, unit=replace(study.unit, max_rows=max_rows))
    plan, door = compiler.compile(study), RecordingDoor()
    encoded = encode(study, folder)
    return {q.query.id: exact(q, answer(plan, q, encoded, door)) for q in plan.queries}


def exact(query: QueryPlan, drawn: Noisy) -> list[float]:
    """What was drawn, not rounded to the accuracy that its noise would have had."""
    first, width, grid = drawn[0], float(query.parts[0].width), query.grid
    if query.query.statistic == "mean":
        assert grid is not None
        both = zip(first[::2], first[1::2], strict=True)
        return [width * grid.last * above / (above + below) for above, below in both]
    if query.query.statistic == "share":
        pairs = zip(first[::2], first[1::2], strict=True)
        return [having / (without + having) for without, having in pairs]
    return [place * width for place in first]


def test_the_study_declares_what_everybody_knows() -> None:
    study = study_of(Path("admissions.csv"))
    assert study.unit is not None
    assert study.unit.max_rows == ROWS_OF_A_PATIENT
    assert {column.name for column in study.columns} == set(ASKED)
    assert study.column("ward").values == WARDS  # type: ignore[union-attr]
    assert study.column("sex").values == SEXES  # type: ignore[union-attr]
    declared = json.loads(STUDY.read_text(encoding="utf-8"))
    assert [query["epsilon"] for query in declared["queries"]] == 7 * [EPSILON]


@pytest.mark.parametrize("peer", [PANDAS, DUCKDB], ids=lambda case: case.name)
@pytest.mark.in_turn(2)
def test_without_bound_and_noise_everybody_answers_the_same(
    peer: Case, folder: Path, said: Callable[[Case], dict[str, Any]]
) -> None:
    found, theirs = ours(folder, MAX_ROWS_PER_PERSON), said(peer)["answers"]
    assert found.keys() == theirs.keys()
    assert [len(each) for each in found.values()] == [1, 1, 1, 12, 24, 1, 12]
    for name, values in found.items():
        assert values == pytest.approx(theirs[name], rel=1e-9), name


ANSWERS = """
import json, sys
from tests.bench.size.{module} import {names}
print(json.dumps(answers({made})))
"""
PREPARING = {
    "pandas": ("prepared_pandas", "answers, prepare", "prepare(sys.argv[1])"),
    "DuckDB": ("prepared_duckdb", "answers, prepare", "prepare(sys.argv[1])"),
}


@pytest.mark.parametrize("peer", PREPARING)
@pytest.mark.in_turn(2)
def test_everybody_prepares_the_same(peer: str, folder: Path) -> None:
    path, (module, names, made) = folder / "all/admissions.parquet", PREPARING[peer]
    code = ANSWERS.format(module=module, names=names, made=made)
    ended = run([python_of("peers"), "-c", code, str(path)])
    if "ModuleNotFoundError" in ended.stderr:
        pytest.skip(f"{peer} is not here")
    assert ended.returncode == 0, ended.stderr
    (study,) = prepared.studies(path, "prepared")
    assert prepared.answers(encode(study, folder)) == json.loads(ended.stdout)


def test_opendp_asks_the_same_of_as_many_rows(
    folder: Path, said: Callable[[Case], dict[str, Any]]
) -> None:
    bounded, theirs = ours(folder, ROWS_OF_A_PATIENT), said(OPENDP)["answers"]
    assert {name: len(each) for name, each in theirs.items()} == {
        name: len(each) for name, each in bounded.items()
    }
    # Noise of scale 30 on counts: 600 off happens once in 10^8 times.
    assert theirs["count"] == pytest.approx(bounded["count"], abs=600)
    assert theirs["by-ward"] == pytest.approx(bounded["by-ward"], abs=600)
    assert theirs["median-age"] == pytest.approx(bounded["median-age"], abs=15)


@pytest.mark.in_turn(2)
def test_the_same_file_every_time(folder: Path, tmp_path: Path) -> None:
    provide(tmp_path, ROWS)
    for name in ("all/admissions.csv", "half/admissions.csv"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
    whole = (folder / "all/admissions.csv").read_text(encoding="ascii").splitlines()
    assert len(whole) == ROWS + 1
    assert len(whole[0].split(",")) == 9


@pytest.mark.in_turn(2)
def test_the_table_judges_ours_and_names_who_is_absent(
    said: Callable[[Case], dict[str, Any]],
) -> None:
    outcomes = {case.name: Rounds() for case in CASES}
    outcomes[OURS.name].said.append(said(OURS))
    outcomes[DUCKDB.name].trouble = "ModuleNotFoundError: No module named 'duckdb'"
    outcomes[OPENDP.name] = Rounds(trouble="ended with -9", failed=True)
    text = "\n".join(table(outcomes))
    assert re.search(r"^DuckDB, exact +not here: ModuleNotFoundError", text, re.M)
    assert re.search(r"^OpenDP with Polars +failed: ended with -9$", text, re.M)
    assert re.search(r"^whole / pandas, exact +n/a +<= 1 x  not measured$", text, re.M)
    assert len(list(goals(outcomes))) == 14


def test_goals_are_missed_beyond_their_ends_only() -> None:
    outcomes = {case.name: Rounds() for case in CASES}
    quick = {"seconds": 2.0, "cpu": 3.0, "encoded": 1.9, "peak": 100, "queries": {"count": 0.1}}
    outcomes[OURS.name].said.append(quick)
    for case, seconds, peak in ((PANDAS, 2.0, 200), (DUCKDB, 1.99, 1), (OPENDP, 16.0, 1)):
        outcomes[case.name].said.append({"seconds": seconds, "peak": peak})
    missed = {goal.name: goal.missed for goal in goals(outcomes) if goal.measured is not None}
    assert missed == {
        "slowest query (count) / encoding": True,
        "slowest query (count)": False,
        "whole / pandas, exact": False,
        "whole / DuckDB, exact": True,
        "OpenDP with Polars / whole": False,
        "peak memory / pandas, exact": False,
    }


def test_measuring_needs_none_of_the_peers_itself() -> None:
    for name in ("cases", "process", "goals", "table", "__main__", "clock", "declared"):
        spec = importlib.util.find_spec(f"tests.bench.size.{name}")
        assert spec is not None
        assert spec.origin is not None
        text = Path(spec.origin).read_text(encoding="utf-8")
        assert not any(f"import {peer}" in text for peer in ("pandas", "pyarrow", "duckdb"))
