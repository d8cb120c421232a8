# SPDX-License-Identifier: Apache-2.0
"""Scores of what is chosen from: against one row at a time, and at the ends of 64 bits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.aggregation.candidate_scores import rows_between, scores_of
from dpdesk.data.encoding.table import Codes, EncodedColumn, EncodedTable
from dpdesk.exact import Exact
from dpdesk.study import limits
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import NumberColumn, YesNoColumn, number_grid
from dpdesk.study.model.document import Study
from tests.data import reference
from tests.data.tables import encode_rows, random_measure, random_rows, random_study
from tests.data.test_chain import readable

Opened = Callable[[Exact], list[int]]


def one_cell(indices: Codes, asked: AggregateSpec) -> list[int]:
    """The scores of one cell's rows."""
    cells = np.zeros(len(indices), np.intp)
    return scores_of(asked, rows_between(indices, cells, 1, asked.candidates)).tolist()


def scores(
    study: Study, rows: list[tuple[reference.Cells, int]], asked: AggregateSpec
) -> list[int]:
    """The scores of every cell and choice, from their definitions."""
    kept = [cells for _, cells in reference.bounded(study, rows)]
    kept = [cells for cells in kept if reference.counts(study, cells, asked)]
    labels = reference.answer(study, [], replace(asked, kind="rows"))
    found = [[0] * len(asked.columns or asked.candidates) for _ in labels]
    for index, own in enumerate(by_cell(study, kept, asked)):
        for place, name in enumerate(asked.columns):
            yes = study.column(name).yes[0]
            found[index][place] = sum(reference.value(study, c, name) == yes for c in own)
        for place, candidate in enumerate(asked.candidates):
            reached = sum(reference.value(study, c, asked.column) >= candidate for c in own)
            by_value = (asked.offset + asked.factor * candidate) * reached
            closest = -abs(reached - asked.target)
            found[index][place] = by_value if asked.kind == "value-times-count" else closest
    return [score for cell in found for score in cell]


def by_cell(
    study: Study, kept: list[reference.Cells], asked: AggregateSpec
) -> list[list[reference.Cells]]:
    """The rows of each cell, in row-major order of the groups."""
    cells: list[list[reference.Cells]] = [kept]
    for grouping in asked.by:
        column = study.column(reference.column_of(grouping))
        groups = reference.groups(column, grouping)
        cells = [
            [row for row in cell if reference.group_of(study, row, grouping) == group]
            for cell in cells
            for group in groups
        ]
    return cells


@pytest.mark.parametrize("kind", ["rows-with-yes", "value-times-count", "closest-to-target"])
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.in_turn(8)
def test_scores_are_what_their_definition_says(
    kind: str, seed: int, tmp_path: Path, opened: Opened
) -> None:
    dice = random.Random(f"{kind} {seed}")
    study = random_study(dice)
    others = [column for column in study.columns if column.name != "sex"]
    rules = {
        "missing": dice.choice(["drop", "category"]),
        "unknown": dice.choice(["drop", "category"]),
    }
    study = replace(study, columns=(*others, YesNoColumn("sex", ("F", "1"), ("M",), **rules)))
    rows = random_rows(dice)
    asked = asking(dice, study, kind)
    table = encode_rows(study, tmp_path, rows)
    found = opened(measure(table, study, asked))
    assert found == scores(study, [readable(row, study) for row in rows], asked)


def asking(dice: random.Random, study: Study, kind: str) -> AggregateSpec:
    """A measure of that kind over any groups and conditions."""
    about = replace(random_measure(dice, study), kind=kind, column=None)
    if kind == "rows-with-yes":
        columns = dice.sample(["sex", "ok"], dice.randint(1, 2))
        return replace(about, columns=tuple(columns))
    column = study.column(dice.choice(["stay", "dose"]))
    assert isinstance(column, NumberColumn)
    grid = number_grid(column)
    places = sorted(dice.sample(range(grid.last + 1), min(grid.last + 1, dice.randint(1, 9))))
    about = replace(about, column=column.name, candidates=tuple(places))
    return replace(about, offset=grid.offset, factor=grid.factor, target=dice.randint(0, 9))


def test_a_row_that_one_column_leaves_out_still_counts_for_the_other(opened: Opened) -> None:
    study = Study(columns=(YesNoColumn("a", ("y",), ("n",)), YesNoColumn("b", ("y",), ("n",))))
    codes = {"a": [1, -1, 1, 0, -1], "b": [1, 1, 0, -1, -1]}
    columns = {name: EncodedColumn(np.array(found), -1) for name, found in codes.items()}
    table = EncodedTable(columns, np.arange(5), 5, None)
    assert opened(measure(table, study, AggregateSpec("rows-with-yes", columns=("b", "a")))) == [
        2,
        2,
    ]
    assert opened(measure(table, study, AggregateSpec("rows-with-yes", columns=("a",)))) == [2]


@pytest.mark.threat("A4")
@pytest.mark.parametrize("sign", [1, -1])
def test_the_dearest_score_that_can_be_declared_does_not_wrap(sign: int) -> None:
    """A bound of ``MAX_QUANTA`` quanta that ``ROW_CAP`` rows reach."""
    value, rows = sign * limits.MAX_QUANTA, limits.ROW_CAP
    assert abs(value * rows) < 2**62
    asked = AggregateSpec("value-times-count", "n", offset=value, candidates=(0,))
    each = 1 << 20
    (one,) = one_cell(np.zeros(each, np.int8), asked)
    assert one * (rows // each) == value * rows
    assert one * (rows // each) == int(np.int64(one) * np.int64(rows // each))


@pytest.mark.parametrize("kind", ["value-times-count", "closest-to-target"])
def test_counts_stop_at_the_public_cap_of_rows(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is read, no score wraps: a file may have more rows than the cap."""
    monkeypatch.setattr(limits, "ROW_CAP", 3)
    asked = AggregateSpec(kind, "stay", candidates=(0, 2), offset=-5, factor=1, target=4)
    found = [one_cell(np.full(rows, 9), asked) for rows in range(6)]
    wanted = {"value-times-count": [-15, -9], "closest-to-target": [-1, -1]}[kind]
    assert found[3:] == [wanted] * 3
    assert found[2] != wanted


def test_an_empty_table_has_a_score_for_every_choice(opened: Opened) -> None:
    number = NumberColumn("n", Decimal(0), Decimal(9), Decimal(1))
    study = Study(columns=(number, YesNoColumn("a", ("y",), ("n",))))
    empty = {name: EncodedColumn(np.array([], np.int8), -1) for name in ("n", "a")}
    table = EncodedTable(empty, np.arange(0), 0, None)
    for kind, wanted in (("value-times-count", [0, 0]), ("closest-to-target", [-7, -7])):
        asked = AggregateSpec(kind, "n", offset=3, candidates=(2, 5), target=7)  # type: ignore[arg-type]
        assert opened(measure(table, study, asked)) == wanted
    asked = AggregateSpec("rows-with-yes", by=("a",), columns=("a", "a"))
    assert opened(measure(table, study, asked)) == [0, 0, 0, 0]
