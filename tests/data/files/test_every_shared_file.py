# SPDX-License-Identifier: Apache-2.0
"""Every shared file loads with the values that it holds, or is refused with a way out."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import cached_property
from pathlib import Path

import pandas as pd
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.missing_and_invalid import MISSING, OUTSIDE, UNKNOWN, UNPARSABLE
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.inspection.about import Seems, SeemsKind, what_it_seems
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import open_table, read_header, sample_rows
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.problems import SENTENCES, sentence
from tests.conftest import SHARED_DATA
from tests.data.files.holdings import DOCUMENTS, HOLDINGS, Refusal, Table
from tests.turns import in_turn

ALL_ROWS = 10**9
MOST_ROWS = 1_000
MOST_LINES = 60

FILES = sorted(
    path.relative_to(SHARED_DATA).as_posix() for path in SHARED_DATA.rglob("*") if path.is_file()
)
TABLES = [name for name in FILES if isinstance(HOLDINGS.get(name), Table)]
REFUSED = [name for name in FILES if isinstance(HOLDINGS.get(name), Refusal)]


@dataclass(frozen=True)
class SharedTable:
    """A shared file with what it holds; it is read once for all tests that look at it."""

    path: Path
    held: Table

    @cached_property
    def source(self) -> DataSource:
        """How it is read: what is recognised, and what its custodian says."""
        return replace(recognise(self.path), line_breaks=self.held.line_breaks)

    @cached_property
    def header(self) -> Sequence[str]:
        return read_header(self.source, Path())

    @cached_property
    def rows(self) -> Sequence[Sequence[str]]:
        return sample_rows(self.source, Path(), ALL_ROWS)

    @cached_property
    def table(self) -> EncodedTable:
        """All rows of the file, in its order."""
        unit = Unit(self.held.person, self.held.rows) if self.held.person else Unit()
        source = replace(self.source, missing=self.held.missing)
        return encode(Study(data=source, unit=unit, columns=self.held.columns), Path())


@pytest.fixture(scope="module", params=in_turn(TABLES, 3))
def shared(request: pytest.FixtureRequest, shared_data: Path) -> SharedTable:
    """Each file in turn, with all tests of it in a row."""
    held = HOLDINGS[request.param]
    assert isinstance(held, Table)
    return SharedTable(shared_data / request.param, held)


def refusal_of(source: DataSource, columns: tuple[Column, ...] = ()) -> Problem:
    with pytest.raises(Refused) as refused:
        encode(Study(data=source, unit=Unit(), columns=columns), Path())
    (problem,) = refused.value.problems
    return problem


@pytest.mark.parametrize("name", FILES)
def test_it_is_known_what_every_file_holds(name: str) -> None:
    assert name in HOLDINGS or name in DOCUMENTS, "say in holdings.py what this file holds"


def test_no_file_has_gone(shared_data: Path) -> None:
    assert {*HOLDINGS, *DOCUMENTS} <= {*FILES}


def test_a_table_has_its_columns_rows_and_people(shared: SharedTable) -> None:
    held = shared.held
    assert len(shared.header) == held.width
    # Without a person column every row is a person.
    assert encode(Study(data=shared.source, unit=Unit()), Path()).people() == held.rows
    if held.person is not None:
        assert shared.table.people() == held.people
        assert len(shared.table.persons()) == held.rows
        if held.other:
            # Ids of these files mean the same only where they are written the same.
            people = other_cells(shared.path, held)[held.person]
            assert partition(shared.table.persons().tolist()) == partition(people)


def test_a_table_has_its_codes(shared: SharedTable) -> None:
    held, table = shared.held, shared.table
    assert {*held.codes} <= {column.name for column in held.columns}
    for column, codes in held.codes.items():
        assert table.column(column).codes[: len(codes)].tolist() == codes, column
    if held.other:
        others = other_cells(shared.path, held)
        for column in held.columns:
            wanted = [code_of(column, cell, held.missing) for cell in others[column.name]]
            assert table.column(column.name).codes.tolist() == wanted, column.name


def test_a_table_shows_all_its_rows(shared: SharedTable) -> None:
    assert len(shared.rows) == shared.held.rows
    with open_table(shared.source, Path()) as table:
        assert table.first_rows(1) == shared.rows[:1]


def test_a_file_that_is_not_about_people_is_asked_about(shared: SharedTable) -> None:
    seems = what_it_seems(shared.header, shared.rows[:MOST_ROWS])
    assert (seems and (seems.kind, seems.row)) == shared.held.seems
    if seems:
        assert sentence(seems.question).endswith("Is it one row per visit or person?")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_a_way_out(name: str, shared_data: Path) -> None:
    held = HOLDINGS[name]
    assert isinstance(held, Refusal)
    problem = _refusal(shared_data / name)
    assert (problem.path, problem.code) == ("$.data.path", held.code)
    assert held.advice in sentence(problem)


def _refusal(path: Path) -> Problem:
    """Why a file is refused when it is chosen, or when it is opened as what it is."""
    try:
        return refusal_of(recognise(path))
    except Refused as refused:
        (problem,) = refused.problems
    # A study that calls it a text has no luck either: its columns are not there. What the file
    # is may be unsaid then, because lines below the header decide nothing.
    assert refusal_of(DataSource(path=str(path)), (CategoryColumn("ward", ("A",)),))
    return problem


# The one with a table in Markdown is proposed to be read from there, below its other lines.
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "README.md"])
def test_a_text_that_is_no_table_is_asked_about(name: str, shared_data: Path) -> None:
    source = recognise(shared_data / name)
    assert source.format == "csv"
    rows = top_rows(source, Path(), MOST_LINES)
    seems = what_it_seems(rows[0], rows[1:])
    assert seems == Seems(SeemsKind.TEXT)
    assert "looks like running text" in sentence(seems.question)
    problem = refusal_of(source, (CategoryColumn("ward", ("A",)),))
    assert (problem.path, problem.code) == ("$.columns[0]", "data-column-absent")
    assert problem.params["name"] == "ward"
    assert "check its spelling" in sentence(problem)


@pytest.mark.parametrize("name", [*TABLES, *DOCUMENTS])
def test_a_file_taken_for_another_kind_is_refused_with_a_way_out(
    name: str, shared_data: Path
) -> None:
    source = recognise(shared_data / name)
    kinds = {"excel", "parquet", "spss", "stata", "sas"} - {source.format}
    for kind in sorted(kinds):
        other = replace(source, format=kind, sheet="Sheet1", header_row=1)  # type: ignore[arg-type]
        problem = refusal_of(other)
        assert problem.path == "$.data.path"
        assert problem.code in {"data-file-wrong-format", "data-file-damaged"}
        assert SENTENCES[problem.code].count(";") == 1


def partition(owners: Sequence[Hashable]) -> list[int]:
    """For each row the first row of the same person."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(owner, row) for row, owner in enumerate(owners)]


def other_cells(path: Path, held: Table) -> dict[str, list[str]]:
    """The cells as another program reads them; days as YYYY-MM-DD."""
    names = [column.name for column in held.columns] + ([held.person] if held.person else [])
    if held.other == "csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        return {name: [row[name] for row in rows] for name in names}
    frame = pd.read_sas(path, format=held.other, encoding="utf-8")
    return {name: [sas_text(cell) for cell in frame[name]] for name in names}


def sas_text(cell: object) -> str:
    if isinstance(cell, float):
        # pandas reads a transport file's zero as the smallest number there is.
        return "" if cell != cell else repr(0.0 if abs(cell) < 1e-70 else cell)
    return str(cell)[:10]


def code_of(column: Column, text: str, missing: tuple[str, ...]) -> int:
    """A cell's code, by the words of the specification and no reader of dpdesk's."""
    text = text.strip().replace("\r\n", "\n")
    if isinstance(column, NumberColumn):
        return number_code(column, text, missing)
    if text == "" or text in missing:
        return MISSING
    if isinstance(column, CategoryColumn):
        return column.values.index(text) if text in column.values else UNKNOWN
    if isinstance(column, YesNoColumn):
        return 1 if text in column.yes else 0 if text in column.no else UNKNOWN
    return day_code(column, text)


def number_code(column: NumberColumn, text: str, missing: tuple[str, ...]) -> int:
    assert column.lower is not None and column.upper is not None and column.step is not None
    if text == "" or text in missing:
        return MISSING
    try:
        value = Decimal(text)
    except InvalidOperation:
        return UNPARSABLE
    if any(value == Decimal(marker) for marker in missing if marker.isdigit()):
        return MISSING
    value = min(max(value, column.lower), column.upper)
    steps = (value - column.lower) / column.step
    return int(steps.quantize(Decimal(1), ROUND_HALF_EVEN))


def day_code(column: DateColumn, text: str) -> int:
    assert column.first is not None and column.last is not None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return UNPARSABLE
    return (day - column.first).days if column.first <= day <= column.last else OUTSIDE
