# SPDX-License-Identifier: Apache-2.0
"""One table, saved as seventeen files, is one encoded table."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.arrays.packed_sort import Unsigned
from dpdesk.data.encode import encode
from dpdesk.data.encoding.missing_and_invalid import MISSING as NONE
from dpdesk.data.encoding.missing_and_invalid import OUTSIDE, UNPARSABLE
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.inspection.recognise import recognise
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.data.files.saved import NAMES, NOT_ASKED, SAVED, Stay

AWKWARD = 'Frauen, "Süd"\nund Köln'
WARDS = ("Chirurgie", AWKWARD, "Hals–Nasen–Ohren", "ä")
FIRST, LAST = date(2019, 12, 31), date(2024, 2, 29)
COLUMNS = (
    NumberColumn("line", Decimal(0), Decimal(9_999), Decimal(1)),
    CategoryColumn("ward", WARDS, unknown="category"),
    NumberColumn("nights", Decimal(0), Decimal(2_000), Decimal(1), outside="drop"),
    NumberColumn("lactate", Decimal(0), Decimal(1_500), Decimal("0.1")),
    YesNoColumn("fallen", ("ja", "1", "True", "true"), ("nein", "0", "False", "false")),
    DateColumn("admitted", FIRST, LAST, "DD.MM.YYYY"),
)


def stay(line: int, patient: str | int | None, **cells: object) -> Stay:
    plain = Stay(line, patient, "Chirurgie", 1, Decimal("0.5"), False, date(2020, 1, 1))
    return replace(plain, **cells)  # type: ignore[arg-type]


STAYS = (
    stay(0, 7, ward=AWKWARD, lactate=Decimal("0.15"), fallen=True),
    stay(1, 12, ward="ä", nights=1_999, lactate=Decimal("0.25"), admitted=FIRST),
    stay(2, 7, ward=None, nights=NOT_ASKED, lactate=Decimal("0.35"), admitted=LAST),
    stay(3, None, ward="k.A.", nights=None, lactate=None, fallen=None, admitted=None),
    stay(4, 7, ward="Urologie", nights=0, lactate=Decimal("1234.05"), admitted=date(2024, 3, 1)),
    stay(5, 3, ward="Hals–Nasen–Ohren", nights=2_001, lactate=Decimal("1234.15")),
    stay(1_006, 12, lactate=Decimal("2.449"), fallen=True),
    stay(1_007, 7, nights=3, lactate=Decimal(-3), admitted=date(2023, 2, 28)),
)
"""Ties on a grid of tenths, markers, and values outside their column."""

CODES = {
    "line": [0, 1, 2, 3, 4, 5, 1_006, 1_007],
    "ward": [1, 3, NONE, NONE, 4, 2, 0, 0],
    "nights": [1, 1_999, NONE, NONE, 0, OUTSIDE, 1, 3],
    # A tie goes to the even tenth.
    "lactate": [2, 2, 4, NONE, 12_340, 12_342, 24, 0],
    "fallen": [1, 0, 0, NONE, 0, 0, 1, 0],
    "admitted": [1, 0, 1_521, NONE, OUTSIDE, 1, 1, 1_155],
}
"""What the cells above mean, counted by hand."""


def fixed(rows: int) -> Unsigned:
    """Each row's priority: the same whatever the file."""
    return (np.arange(rows, dtype=np.uint64) * 2_654_435_761 % 2**32).astype(np.uint32)


def study(source: DataSource, max_rows: int) -> Study:
    return Study(data=source, unit=Unit("patient", max_rows), columns=COLUMNS)


def read(source: DataSource, max_rows: int) -> EncodedTable:
    return encode(study(source, max_rows), Path(), priorities=fixed)


def people_by_key(table: EncodedTable) -> list[tuple[int, int]]:
    """Each row's person, by the key that tells the same person in another file."""
    keys = table.keys()
    assert keys is not None
    assert len(set(map(tuple, keys.tolist()))) == len(keys) == table.people()
    return [tuple(keys[person].tolist()) for person in table.persons()]


def content(table: EncodedTable) -> dict[str, list[int]]:
    return {column.name: table.column(column.name).codes.tolist() for column in COLUMNS}


def in_texts(stays: tuple[Stay, ...]) -> tuple[Stay, ...]:
    """The same people under ids that are no numbers."""
    return tuple(
        replace(stay, patient=None if stay.patient is None else f"Pat-{stay.patient}ß")
        for stay in stays
    )


@pytest.mark.parametrize("name", SAVED)
def test_every_file_gives_the_codes_that_the_cells_mean(name: str, tmp_path: Path) -> None:
    table = read(SAVED[name](STAYS, tmp_path), max_rows=8)
    with_id = [place for place, stay in enumerate(STAYS) if stay.patient is not None]
    for column, codes in CODES.items():
        assert table.column(column).codes.tolist() == [codes[place] for place in with_id], column
    assert table.people() == 3
    assert people_by_key(table) == [(0, STAYS[place].patient) for place in with_id]


@pytest.mark.parametrize("name", SAVED)
def test_a_number_never_is_another_kind_of_code(name: str, tmp_path: Path) -> None:
    stays = tuple(replace(stay, patient=1) for stay in STAYS)
    table = read(SAVED[name](stays, tmp_path), max_rows=8)
    assert content(table) == CODES
    assert table.column("fallen").missing_code == NONE


@pytest.mark.parametrize("max_rows", [1, 2])
@pytest.mark.parametrize("are_texts", [False, True])
@pytest.mark.parametrize("name", list(SAVED)[1:])
@pytest.mark.in_turn(8)
def test_the_bound_keeps_the_same_rows_of_the_same_people(
    name: str, are_texts: bool, max_rows: int, tmp_path: Path
) -> None:
    stays = in_texts(STAYS) if are_texts else STAYS
    plain = read(SAVED["comma, UTF-8"](stays, tmp_path), max_rows)
    other = read(SAVED[name](stays, tmp_path), max_rows)
    assert content(other) == content(plain)
    assert people_by_key(other) == people_by_key(plain)
    assert len(plain.persons()) == {1: 3, 2: 5}[max_rows]
    assert other.people() == 3


@pytest.mark.parametrize("name", SAVED)
def test_what_is_recognised_reads_the_file(name: str, tmp_path: Path) -> None:
    source = SAVED[name](STAYS, tmp_path)
    found = recognise(Path(source.path))
    # These are in the cells alone, where nothing is looked for.
    cells = ("missing", "thousands", "decimal", "line_breaks")
    declared = replace(found, **{name: getattr(source, name) for name in cells})
    assert found == replace(source, missing=(), thousands="", decimal=".", line_breaks=False)
    assert content(read(declared, 8)) == content(read(source, 8))


@pytest.mark.parametrize("name", SAVED)
def test_a_column_may_have_a_decimal_mark_of_its_own(name: str, tmp_path: Path) -> None:
    source = SAVED[name](tuple(replace(stay, patient=1) for stay in STAYS), tmp_path)
    turned = replace(source, decimal="," if source.decimal == "." else ".")
    if turned.decimal == source.thousands:
        pytest.skip("such a file is refused: what would its thousands separator be?")
    columns = tuple(
        replace(column, decimal=source.decimal) if isinstance(column, NumberColumn) else column
        for column in COLUMNS
    )
    table = encode(replace(study(turned, 8), columns=columns), Path(), priorities=fixed)
    assert content(table) == CODES


def test_a_decimal_comma_within_quotation_marks_parts_no_cells(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('id,dose\n1,"1,5"\n2,2\n3,3.5\n', encoding="utf-8")
    source = DataSource("t.csv", decimal=",")
    dose = NumberColumn("dose", Decimal(0), Decimal(10), Decimal("0.5"))
    asked = Study(data=source, unit=Unit("id"), columns=(dose,))
    codes = encode(asked, tmp_path).column("dose").codes
    # The third is written with a point: no number in this file.
    assert codes.tolist() == [3, 4, UNPARSABLE]


numbers = st.decimals(-20, 1_600, places=2).map(lambda number: number.normalize() + 0)
WORDS = st.text(st.sampled_from("abÄöß€ ,;|\"'.-"), max_size=6).filter(
    lambda text: text == text.strip()
)
wards = st.one_of(st.none(), st.sampled_from((*WARDS, "k.A.", "NA")), WORDS)
days = st.one_of(st.none(), st.dates(date(2019, 12, 1), date(2024, 3, 31)))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Stay, ...]:
    """Small tables, ids of one kind, every cell but the line's perhaps missing."""
    ids: st.SearchStrategy[str | int] = st.integers(0, 4)
    if draw(st.booleans()):
        ids = st.sampled_from(("P 1", "p 1", "Ö-2", "00A", "0A"))
    return tuple(
        Stay(
            line,
            draw(st.none() | ids),
            draw(wards),
            draw(st.none() | st.sampled_from((NOT_ASKED, 0, 1, 100))),
            draw(st.none() | numbers),
            draw(st.none() | st.booleans()),
            draw(days),
        )
        for line in range(draw(st.integers(1, 9)))
    )


@settings(
    # Each example is written and read seventeen times; fresh ones are tried by --fuzz.
    max_examples=max(1, settings.default.max_examples // 4),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(stays=tables(), max_rows=st.integers(1, 3))
def test_any_table_is_the_same_in_every_file(
    stays: tuple[Stay, ...], max_rows: int, tmp_path: Path
) -> None:
    plain = read(SAVED["comma, UTF-8"](stays, tmp_path), max_rows)
    for name, save in SAVED.items():
        other = read(save(stays, tmp_path), max_rows)
        assert content(other) == content(plain), name
        assert people_by_key(other) == people_by_key(plain), name


def test_the_table_has_what_files_differ_in() -> None:
    assert len(SAVED) == 17
    assert {len(CODES[name]) for name in CODES} == {len(STAYS)}
    assert set(NAMES) == {*CODES, "patient"}
