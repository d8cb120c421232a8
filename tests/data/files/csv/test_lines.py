# SPDX-License-Identifier: Apache-2.0
"""Every line is read as a slow reader reads it who sees nothing but this line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.data.encode import encode
from dpdesk.data.files import source
from dpdesk.data.files.batch import Wanted
from dpdesk.data.files.csv import row_shapes
from dpdesk.data.files.csv.csv_file import open_csv
from dpdesk.data.inspection.ragged_rows import ragged_rows
from dpdesk.data.opened import sample_rows
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.audit.neighbour_files import FILE, NAMES, FileWorld, file_world
from tests.data.line_reader import encoded, lines_of, read_line

WORLDS = runs(short=60, full=150)
WIDTH = len(NAMES)


def rows_below(world: FileWorld) -> list[tuple[int, list[str] | None]]:
    """Each line below the header with its number, and what it reads as alone."""
    data = world.study.data
    assert data is not None
    raw = world.first.removeprefix(encoded("\ufeff", data))
    lines = [read_line(line, data, world.longest) for line in lines_of(raw, data)]
    numbered = list(enumerate(lines, 1))
    if data.header_row == 0:
        return numbered
    above = max(0, (data.header_row or 1) - 1)
    header = next(n for n, row in numbered[above:] if row is not None)
    return numbered[header:]


def read_as_texts(world: FileWorld, folder: Path) -> list[list[str]]:
    """The first cells of all rows, as they reach the coders."""
    assert world.study.data is not None
    # Where ids are filled down a line that is no row is nobody's: see the proof of neighbours.
    data = replace(world.study.data, fill_down=False)
    wanted = [Wanted(place, repeats=place % 2 == 1) for place in range(WIDTH)]
    rows: list[list[str]] = []
    with open_csv(data, folder, no_progress, CancelToken()) as table:
        for load in table.loads(wanted):
            columns = [column.to_pylist() for column in load().columns]
            rows += [[cell or "" for cell in row] for row in zip(*columns, strict=True)]
    return rows


def test_rows_are_what_their_lines_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(WORLDS):
        world = file_world(seed)
        (tmp_path / FILE).write_bytes(world.first)
        below = rows_below(world)
        rows = [row for _, row in below if row is not None]
        padded = [[*row, *[""] * WIDTH][:WIDTH] for row in rows]
        world.read_in_pieces(monkeypatch)
        for chunk in (world.chunk, max(5, world.chunk // 5)):
            monkeypatch.setattr(source, "CHUNK_BYTES", chunk)
            assert read_as_texts(world, tmp_path) == padded, seed
            assert world.study.data is not None
            assert sample_rows(world.study.data, tmp_path, 99) == rows, seed


def test_lines_that_are_no_rows_keep_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = 0
    for seed in range(WORLDS):
        world = file_world(seed)
        assert world.study.data is not None
        (tmp_path / FILE).write_bytes(world.first)
        world.read_in_pieces(monkeypatch)
        found = ragged_rows(world.study.data, tmp_path, 99)
        marked = [n for n, row in rows_below(world) if row is None]
        assert set(found.open_lines) <= set(marked), seed
        opened += len(found.open_lines)
        width = WIDTH + world.study.data.row_names
        if world.study.data.header_row != 0:
            wide = [n for n, row in rows_below(world) if row is not None and len(row) != width]
            assert list(found.lines) == wide, seed
    assert opened > 20


def test_short_rows_of_a_wide_table_come_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"c{place}" for place in range(50)]
    wide = ",".join(str(place) for place in range(50))
    lines = ["7", wide, f"{wide},x", "", " ", "8,9"] * 20
    (tmp_path / "t.csv").write_text("\n".join([",".join(names), *lines]))
    read = []
    for added in (1 << 24, 100, 1):
        monkeypatch.setattr(row_shapes, "ADDED_BYTES", added)
        with open_csv(DataSource("t.csv"), tmp_path, no_progress, CancelToken()) as table:
            wanted = [Wanted(0), Wanted(49, repeats=True)]
            batches = [load().columns for load in table.loads(wanted)]
        columns = [[str(cell) for b in batches for cell in b[n].to_pylist()] for n in (0, 1)]
        read.append(columns)
    assert read[0] == [["7", "0", "0", "8"] * 20, ["None", "49", "49", "None"] * 20]
    assert read[1] == read[2] == read[0]


def test_two_lines_of_one_person_take_nobody_else_along(tmp_path: Path) -> None:
    people = "".join(f"{number},12,5\n" for number in range(20_000))
    text = f'id,note,days\nME,"see note,5\n{people}ME,pipe of 12",5\n'
    (tmp_path / "t.csv").write_text(text)
    study = Study(data=DataSource("t.csv"), unit=Unit("id"))
    assert encode(study, tmp_path).people() == 20_001


def test_no_first_row_decides_whether_there_is_a_table(tmp_path: Path) -> None:
    path, bare = tmp_path / "t.csv", DataSource("t.csv", header_row=0)
    study = Study(data=bare, unit=Unit("(column 3)"))
    for text, people in (("", 0), ("1\n", 0), ("%PDF-1.7\n1,2,3\n", 1), ("1,2,3,4\n2\r,,4\n", 2)):
        path.write_bytes(text.encode())
        assert encode(study, tmp_path).people() == people
    with pytest.raises(Refused):
        encode(Study(data=DataSource("t.csv", header_row=1), unit=Unit("(column 3)")), tmp_path)
