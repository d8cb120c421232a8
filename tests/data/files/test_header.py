# SPDX-License-Identifier: Apache-2.0
"""Headers have public limits, whatever kind of file they stand in."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.files.header import column_names
from dpdesk.data.opened import read_header
from dpdesk.study import limits
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.problems import sentence


def refused(cells: list[str]) -> Problem:
    with pytest.raises(Refused) as caught:
        column_names(cells)
    (problem,) = caught.value.problems
    assert "{" not in sentence(problem)
    return problem


def test_a_name_may_be_a_question_but_not_a_file() -> None:
    assert column_names(["q" * limits.MAX_HEADER_NAME])
    assert refused(["id", "q" * (limits.MAX_HEADER_NAME + 1)]).code == "data-header-name-too-long"


def test_a_table_is_no_wider_than_can_be_listed() -> None:
    widest = [f"c{n}" for n in range(limits.MAX_FILE_COLUMNS)]
    assert len(column_names(widest)) == limits.MAX_FILE_COLUMNS
    assert refused([*widest, "one"]).code == "data-header-too-wide"


def test_long_names_make_few_columns_too_many() -> None:
    names = [str(n) + "q" * 4_990 for n in range(10, 211)]
    assert refused(names).code == "data-header-too-wide"


def test_a_wrong_encoding_is_refused_before_anything_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,age\n" + "11,42\n" * 20_000, encoding="utf-8")
    with pytest.raises(Refused) as caught:
        read_header(DataSource("a.csv", encoding="utf-16"), tmp_path)
    assert [p.code for p in caught.value.problems] == ["data-header-name-too-long"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.in_turn(3)
def test_forty_thousand_columns_are_refused_in_every_kind(kind: str, tmp_path: Path) -> None:
    names, one = [f"c{n}" for n in range(40_000)], pa.array([1])
    path = tmp_path / f"wide.{kind}"
    if kind == "csv":
        path.write_text(",".join(names) + "\n" + ",".join("1" * len(names)) + "\n")
    else:
        pq.write_table(pa.table([one] * len(names), names), path)
    with pytest.raises(Refused) as caught:
        read_header(DataSource(str(path), format=kind), tmp_path)
    assert [p.code for p in caught.value.problems] == ["data-header-too-wide"]
