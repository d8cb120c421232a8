# SPDX-License-Identifier: Apache-2.0
"""The rehearsal: every statistic, before any budget, without data, ledger or key."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.report_blocks import Paragraph
from dpdesk.release.rehearsal.made_up_report import DEPENDING, HEIGHTS, heights, made_up_report
from dpdesk.release.rehearsal.rehearse import rehearse
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import GroupComparison
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Refused
from tests.release.rehearsal.made_up_studies import asks
from tests.release.studies import STUDY

MARGINS = {"half-width", "share-half-width"}
WATCHED = """
import sys
from pathlib import Path
study, *forbidden = sys.argv[1:]
opened = []
def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "sqlite3.connect", "os.mkdir"):
        opened.append(str(arguments[0]))
sys.addaudithook(watch)
from dpdesk.study.json.study_files import load_study
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.rehearsal.made_up_files import made_up_bytes
from dpdesk.release.rehearsal.rehearse import rehearse
from dpdesk.privacy.compiler import compile_query
loaded = load_study(Path(study)).study
sizes = {q.id: {compile_query(loaded, q).cells[0]: 7} for q in loaded.queries}
raw = made_up_bytes(rehearse(loaded, OpenDPDoor()))
raw += made_up_bytes(rehearse(loaded, OpenDPDoor(), sizes=sizes))
assert study in opened
found = [path for path in opened for name in forbidden if name in path]
print(found, len(raw) > 1000)
"""


def margins(table: Table) -> list[tuple[str, ...]]:
    places = [i for i, column in enumerate(table.columns) if column.role in MARGINS]
    return [tuple(row[i] for i in places) for row in table.rows]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_every_statistic_is_rehearsed_before_any_budget(statistic: Statistic) -> None:
    found = rehearse(asks(statistic), OpenDPDoor()).queries[0]
    assert len(found.table.rows) >= 1
    assert found.table.columns


@pytest.mark.parametrize("statistic", [s for s in STATISTICS if DECLARATIONS[s].unit])
@pytest.mark.parametrize("expected", [None, 900])
@pytest.mark.in_turn(6)
def test_drawing_again_changes_heights_and_never_margins(
    statistic: Statistic, expected: int | None
) -> None:
    by = ("ward",) if DECLARATIONS[statistic].groups else ()
    guess = {"expected": expected} if expected and by else {}
    study = asks(statistic, by=by, **guess)
    tables = [rehearse(study, OpenDPDoor(), rows=6_000).queries[0].table for _ in range(8)]
    if statistic == "linear-model":  # a margin of two digits has what rounding moves the value
        drawn = [[float(one) for (one,) in margins(table)] for table in tables]
        assert all(max(same) - min(same) <= 1 for same in zip(*drawn, strict=True))
    elif statistic != "categories-found":
        assert len({tuple(margins(table)) for table in tables}) == 1
    assert len({table.rows for table in tables}) > 1


def test_margins_are_those_of_the_plan() -> None:
    study = asks("mean", by=("ward",), expected=900)
    plan = compile_query(study, study.queries[0])
    table = rehearse(study, OpenDPDoor()).queries[0].table
    assert plan.half_width is not None
    for (margin,) in margins(table):
        assert plan.half_width <= float(margin) < float(plan.half_width) * 1.11


def test_small_groups_drown_and_large_ones_do_not() -> None:
    small = rehearse(asks("mean", by=("ward",), expected=3), OpenDPDoor()).queries[0]
    large = rehearse(asks("mean", by=("ward",), expected=30_000), OpenDPDoor()).queries[0]
    assert small.table.too_noisy == 3
    assert large.table.too_noisy == 0


def test_rows_that_nobody_guessed_are_split_equally() -> None:
    study = asks("count", by=("ward", "sex"))
    found = rehearse(study, OpenDPDoor(), rows=6_000).queries[0]
    assert (set(found.sizes), found.is_guessed) == ({1_000}, False)
    values = [float(row[2]) for row in found.table.rows]
    assert all(900 < value < 1_100 for value in values)


def test_the_guess_of_another_query_holds_for_all() -> None:
    mean = asks("mean", id="mean", by=("ward",), expected=200).queries[0]
    study = asks("count", by=("sex",))
    study = replace(study, queries=(*study.queries, mean))
    assert [q.ends for q in rehearse(study, OpenDPDoor()).queries] == [(300, 300), (200, 200)]


def test_no_data_file_ledger_or_key_is_opened(tmp_path: Path) -> None:
    home, data = tmp_path / "home", tmp_path / "stays.csv"
    home.mkdir()
    data.write_text("id,days,sex\n1,3,f\n")
    study = tmp_path / "study.dpdesk"
    study.write_bytes(study_to_bytes(replace(STUDY, data=DataSource(path=str(data)))))
    arguments = [sys.executable, "-c", WATCHED, str(study), str(data), str(home), ".sqlite"]
    found = subprocess.run(
        arguments, capture_output=True, text=True, check=True, env={"DPDESK_HOME": str(home)}
    )
    assert found.stdout.strip() == "[] True"
    assert list(home.iterdir()) == []


def test_a_study_that_cannot_be_compiled_is_refused() -> None:
    study = asks("count")
    with pytest.raises(Refused) as refused:
        rehearse(replace(study, queries=()), OpenDPDoor())
    assert refused.value.problems
    with pytest.raises(Refused):
        rehearse(replace(study, unit=None), OpenDPDoor())
    with pytest.raises(Refused) as refused:
        rehearse(study, OpenDPDoor(), rows=0)
    assert refused.value.problems[0].code == "made-up-rows"


def test_an_account_that_cannot_pay_does_not_matter() -> None:
    study = replace(asks("count"), budget=Budget("nobody", Epsilon.of("0.001")))
    assert str(rehearse(study, OpenDPDoor()).total) == "1"


def test_a_group_may_have_a_size_of_its_own() -> None:
    study = asks("count", by=("ward", "sex"))
    cells = compile_query(study, study.queries[0]).cells
    own = {cells[1]: 0, cells[2]: 40_000}
    found = rehearse(study, OpenDPDoor(), rows=6_000, sizes={study.queries[0].id: own}).queries[0]
    assert found.sizes == (1_000, 0, 40_000, *(1_000 for _ in cells[3:]))
    assert (found.ends, found.is_guessed) == ((0, 40_000), True)
    values = [float(row[2]) for row in found.table.rows]
    for value, size in zip(values, found.sizes, strict=True):
        assert abs(value - size) < 100


@pytest.mark.parametrize("expected", [None, 900])
def test_a_small_group_has_the_margin_of_its_size_and_drowns_alone(expected: int | None) -> None:
    study = asks("mean", by=("ward",), expected=expected)
    cells = compile_query(study, study.queries[0]).cells
    sizes = {cells[0]: 3, cells[1]: 3_000, cells[2]: 30_000}
    for _ in range(3):
        found = rehearse(study, OpenDPDoor(), sizes={study.queries[0].id: sizes}).queries[0]
        _small, middle, large = (float(margin or 0) for (margin,) in margins(found.table))
        assert middle > large > 0
        alone = replace(study, queries=(replace(study.queries[0], expected=3_000),))
        (same, *_others) = margins(rehearse(alone, OpenDPDoor()).queries[0].table)
        assert middle == float(same[0])
        assert found.table.too_noisy == 1


def test_sizes_of_what_is_not_there_are_refused() -> None:
    study = asks("count", by=("ward",))
    query = study.queries[0]
    (cell, *_others) = compile_query(study, query).cells
    for sizes, code in (
        ({"nobody": {cell: 5}}, "made-up-query"),
        ({query.id: {("Nowhere",): 5}}, "made-up-group"),
        ({query.id: {cell: -1}}, "made-up-rows"),
    ):
        with pytest.raises(Refused) as refused:
            rehearse(study, OpenDPDoor(), sizes=sizes)
        assert refused.value.problems[0].code == code


def test_ranges_of_a_model_are_said_to_be_those_of_made_up_values() -> None:
    """Of rows spread evenly coefficients are the most certain: half of them say yes."""
    study, words = asks("linear-model"), ReleaseWords.of("en")
    assert DEPENDING in heights(study, words.say)
    opening = made_up_report(rehearse(study, OpenDPDoor()), words).opening
    assert Paragraph(heights(study, words.say)) in opening
    assert heights(asks("mean"), words.say) == HEIGHTS
    compared = asks("share", by=("ward",), comparisons=(GroupComparison("ward", "test"),))
    assert DEPENDING in heights(compared, words.say)
