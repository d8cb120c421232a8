# SPDX-License-Identifier: Apache-2.0
"""Made-up studies and pairs of tables for the proofs: all that the forms can build, odd cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from hypothesis import strategies as st

from dpdesk.data.aggregation.aggregate import measure, text_counts
from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.plan import Plan
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import (
    CategoryColumn,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    number_grid,
)
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.dates import DATE_FORMATS
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import ROUNDINGS, Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS
from dpdesk.study.model.text_folding import COMPARISONS
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.asking import exists, on_grid, query_for, with_group_limit
from tests.audit.derived import asked_of, chains, of_people, stand_ins
from tests.audit.tables import CANARY, FILE, Row, Rows, Style, travelling, write_table

NUMBER_CELLS = (
    *("1", "2", "3.5", "14", "-4", "0", "1e9", "1e308", "-1e999", "inf", "-inf", "nan", "NaN"),
    *("", " ", "?", "abc", "7,5", "7.5", "0x10", "9" * 400, "None", "١٢", "2\n3", "3\x00", "\x00"),
    *("1e999999999", "-0", "+2", "1_000", '"3"', "2\r3", "99", "1\udcff"),
)
WARD_CELLS = (
    *("A", "B", "C", " A ", "a", "", "?", "unknown ward", "=1+1", "A\x00", "Ä", "(other)"),
    *("(missing)", "A,B", "B;C", 'say "A"', '"', "A\r\nB", "\ufeffB", "C\udcff"),
)
SEX_CELLS = ("F", "M", "f", "", "?", "X", "divers", "none")
OK_CELLS = ("yes", "no", "1", "0", "YES", "\u00a0No", "", "?", "maybe")
TEXT_VALUES = ("well", "a, b", 'said "no"', "ß", "-1")
TEXT_CELLS = (*TEXT_VALUES, CANARY, "", "?", "two\nlines", "tab\there", '"', "é", "\U0001f600", "|")
DATE_CELLS = (
    *("2021-06-01", "2021-06-02 23:59:59", "2021-06-02T00:00Z", "01.06.2021", "06/01/2021"),
    *("20210601", "2021/06/01", "2020-02-29", "2021-02-29", "2019-12-31", "9999-12-31", "1.6.21"),
    *("", " ", "?", "99", "44348", "0000-00-00", "0001-01-01", "1900-01-01 00:00:00", "NaT"),
    *("\u0662\u0660\u0662\u0661-\u0660\u0666-\u0660\u0661", "\uff12021-06-01", "9" * 400),
    *("2021-06-01\x00", "2021-06-01\n", "2021-06-01, 12:00", '"2021-06-01"', "=2021"),
    *("31/12/2021", "12/31/2021", "2021-06-01T25:00", "2021-06-01\udcff"),
)

NUMBER_ID, NAME_ID = "7", "patient x"
LONG_ID = "5f0c1d2e-0000-4a7b-9c3d-00000000000a"
NO_ID = ("", " ", "\u200b", "'", "\x00")
SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    " {} ".format,
    "\u200b{}".format,
    "{}\u00a0".format,
    "\ufeff{}".format,
    "'{}".format,
    '="{}"'.format,
    "{}\x00".format,
)
NUMBER_SPELLINGS: tuple[Callable[[str], str], ...] = ("{}.0".format, "{},".format)
ZERO_SPELLINGS: tuple[Callable[[str], str], ...] = ("0{}".format, "00{}".format)
MARKERS = ("?", "99")

MOST_ROWS = 50
LINKS = 5
"""A chain of derived columns has up to so many."""


@dataclass(frozen=True)
class Neighbours:
    """Two tables that differ in one person, under one study.

    Attributes:
        study: what is asked.
        first, second: the tables.
        styles: how each is written.
    """

    study: Study
    first: Rows
    second: Rows
    styles: tuple[Style, Style] = (Style(), Style())


def run_plan(
    study: Study, plan: Plan, folder: Path, rows: Rows, door: Door, style: Style | None = None
) -> None:
    """Run every draw of a plan on a table, as a release does."""
    write_table(folder, rows, study.data, style)
    draw_plan(study, plan, encode(study, folder, priorities=travelling(rows)), door)


def draw_plan(study: Study, plan: Plan, table: EncodedTable, door: Door) -> None:
    """Run every draw of a plan on an encoded table."""
    for query in plan.queries:
        for part in query.parts:
            name = f"{query.query.id}.{part.name}"
            if part.noise.threshold is not None:
                texts = text_counts(table, study, part.measure)
                door.draw_found(name, texts, part.noise, part.sensitivity)
                continue
            exact = measure(table, study, part.measure)
            door.draw(name, exact, part.noise, part.sensitivity)


# --- declarations -------------------------------------------------------------------------------


@st.composite
def sources(draw: st.DrawFn) -> DataSource:
    """How the file is read: separators, decimal marks, encodings, markers, line breaks."""
    separator, decimal = draw(
        st.sampled_from([(",", "."), (";", ","), (";", "."), ("\t", "."), ("|", ",")])
    )
    return DataSource(
        FILE,
        missing=MARKERS[: draw(st.integers(0, 2))],
        separator=separator,
        decimal=decimal,
        encoding=draw(st.sampled_from(["utf-8", "utf-8", "latin-1", "cp1252", "utf-16"])),
        line_breaks=draw(st.booleans()),
    )


def styles() -> st.SearchStrategy[Style]:
    """Every style of writing."""
    ends = st.sampled_from(["\n", "\r\n"])
    return st.builds(Style, st.booleans(), ends, st.booleans(), st.booleans(), st.booleans())


@st.composite
def number_columns(draw: st.DrawFn) -> NumberColumn:
    """A number column with any sign of bounds and any rule, from a few steps to millions."""
    step = draw(st.sampled_from([Decimal(1), Decimal("0.5"), Decimal("0.1"), Decimal(3)]))
    lower = draw(st.sampled_from([Decimal(-6), Decimal(-900), Decimal(0), Decimal("0.5")]))
    steps = st.one_of(st.integers(1, 40), st.sampled_from([127, 128, 32_767, 40_000_000]))
    upper = lower + step * draw(steps)
    rules = st.sampled_from(["drop", Replace(lower), Replace(upper)])
    return NumberColumn(
        "stay",
        lower,
        upper,
        step,
        missing=draw(rules),
        unparsable=draw(rules),
        outside=draw(st.one_of(st.just("clamp"), rules)),
        missing_values=draw(st.sampled_from([(), ("-4",), ("abc", "0")])),
    )


@st.composite
def category_columns(draw: st.DrawFn, name: str, values: tuple[str, ...]) -> CategoryColumn:
    """A category column with any rule."""
    rules = ["drop", "category", Replace(values[0])]
    return CategoryColumn(
        name,
        values,
        missing=draw(st.sampled_from(rules)),
        unknown=draw(st.sampled_from(rules)),
        missing_values=draw(st.sampled_from([(), ("none",), ("b", "NONE")])),
        compare=draw(st.sampled_from(COMPARISONS)),
    )


@st.composite
def date_columns(draw: st.DrawFn) -> DateColumn:
    """A date column with any format and any rule, from a single day to 150 years."""
    first = draw(st.sampled_from([date(2021, 6, 1), date(2020, 1, 1), date(1900, 1, 1)]))
    last = first + timedelta(draw(st.sampled_from([0, 1, 127, 128, 365, 54_000])))
    rules = st.sampled_from(["drop", Replace(first.isoformat()), Replace(last.isoformat())])
    return DateColumn(
        "admitted",
        first,
        last,
        draw(st.sampled_from(DATE_FORMATS)),
        missing=draw(rules),
        unparsable=draw(rules),
        outside=draw(st.one_of(st.just("clamp"), rules)),
        missing_values=draw(st.sampled_from([(), ("1900-01-01", "NaT")])),
        pivot=1950,
    )


@st.composite
def units(draw: st.DrawFn, people: int | None) -> Unit:
    """A privacy unit; a public number of people makes it change-one."""
    with_person = draw(st.booleans())
    bounds = st.one_of(st.integers(1, 5), st.sampled_from([10, MOST_ROWS]))
    return Unit(
        person="pid" if with_person else None,
        max_rows=draw(bounds) if with_person else 1,
        neighbours="add-remove" if people is None else "change-one",
        people=people,
        leading_zeros=draw(st.booleans()),
        without_id=draw(st.sampled_from(["drop", "one-person"])),
    )


CONDITIONS = (
    IsIn("ward", ("A", "C")),
    IsNotIn("sex", ("F",)),
    IsIn("ok", ("yes",)),
    IsNotIn("ok", ("yes",)),
    IsIn("free_text", ("well", "-1")),
    IsNotIn("free_text", ('said "no"',)),
    Between("stay", Decimal(1), Decimal(9)),
    Between("stay", Decimal(-1000), Decimal(0)),
    IsMissing("ward", True),
    IsMissing("stay", False),
    IsMissing("stay", True),
    IsMissing("free_text", False),
    DateBetween("admitted", date(2021, 6, 1), date(2021, 6, 2)),
    DateBetween("admitted", date(1800, 1, 1), date(2020, 12, 31)),
    IsMissing("admitted", True),
)


TABLES = ("count", "count-people", "sum")
"""Statistics with one draw of one figure for each cell: their tables may have three groupings."""


@st.composite
def queries(draw: st.DrawFn, index: int, stay: NumberColumn, measure: str, unit: Unit) -> Query:
    """Any query that the forms can build on the made-up columns."""
    statistic = draw(
        st.sampled_from([name for name in STATISTICS if exists(name, unit, measure, stay)])
    )
    bins = Bins("stay", on_grid(stay, 0.4, 1)[-2:] if number_grid(stay).last > 1 else (stay.upper,))
    period = Periods("admitted", draw(st.sampled_from(["year", "weekday"])))
    groups = st.sampled_from(["ward", "sex", "ok", "free_text", bins, period])
    most = min(3 if statistic in TABLES else 2, DECLARATIONS[statistic].groups)
    shares = draw(st.integers(20, 3_000_000))
    share = Rho(shares * 1_000) if measure == "rho" else Epsilon(shares)
    query = query_for(
        statistic,
        stay,
        f"q{index}",
        by=tuple(draw(st.lists(groups, max_size=most, unique=True))),
        where=tuple(draw(st.lists(st.sampled_from(CONDITIONS), max_size=2, unique=True))),
        expected=100,
        **{measure: share},
    )
    whole = query.declaration.has_whole_numbers and draw(st.booleans())
    query = replace(query, whole_numbers=whole)
    return with_group_limit(query, unit, draw(st.integers(0, 3)))


@st.composite
def studies(draw: st.DrawFn, unit: Unit) -> Study:
    """A complete study over the made-up table."""
    stay = draw(number_columns())
    measure = draw(st.sampled_from(["epsilon", "rho"]))
    limit = {"rho": Rho.of(100)} if measure == "rho" else {"epsilon": Epsilon.of(100)}
    columns = (
        stay,
        draw(category_columns("ward", ("A", "B", "C"))),
        draw(category_columns("sex", ("F", "M"))),
        YesNoColumn(
            "ok",
            ("yes", "1"),
            ("no", "0"),
            unknown=draw(st.sampled_from(["drop", "category"])),
            compare=draw(st.sampled_from(COMPARISONS)),
        ),
        draw(category_columns("free_text", TEXT_VALUES)),
        draw(date_columns()),
    )
    persons = unit.person is not None
    columns = draw(chains(columns, LINKS, persons=persons))
    made, names = draw(stand_ins(columns, stay))
    share = {measure: Rho.of("0.5") if measure == "rho" else Epsilon.of("0.5")}
    asked = (draw(of_people(columns, share)),) if persons and draw(st.booleans()) else ()
    return Study(
        title="Made-up wards",
        data=draw(sources()),
        unit=unit,
        budget=Budget("wards", **limit),
        rounding=draw(st.sampled_from([None, None, *ROUNDINGS])),
        columns=(*columns, *made),
        queries=tuple(
            asked_of(draw(queries(index, stay, measure, unit)), names)
            for index in range(draw(st.integers(1, 4)))
        )
        + asked,
    )


# --- tables and neighbours ----------------------------------------------------------------------


def spellings(person: str, leading_zeros: bool) -> tuple[str, ...]:
    """The ways in which one id may be written."""
    if not person:
        return NO_ID
    ways = SPELLINGS
    if person.isdigit():
        ways += NUMBER_SPELLINGS
        ways += () if leading_zeros else ZERO_SPELLINGS
    return tuple(way(person) for way in ways)


@st.composite
def rows_of(draw: st.DrawFn, ids: tuple[str, ...], most: int) -> Rows:
    """Up to so many rows of one person, some of them many times over, some of them ragged."""
    rows: list[Row] = []
    for _ in range(draw(st.integers(1, min(most, 6)))):
        cells = (
            draw(st.sampled_from(ids)),
            draw(st.sampled_from(NUMBER_CELLS)),
            draw(st.sampled_from(WARD_CELLS)),
            draw(st.sampled_from(SEX_CELLS)),
            draw(st.sampled_from(OK_CELLS)),
            draw(st.sampled_from(TEXT_CELLS)),
            draw(st.sampled_from(DATE_CELLS)),
            *draw(st.sampled_from([(), (), (), ("7", CANARY)])),
        )
        width = draw(st.sampled_from([9, 9, 9, 2, 6]))
        first = draw(st.integers(0, 2**64 - MOST_ROWS))
        times = draw(st.sampled_from([1, 1, 2, most]))
        rows += [Row(cells[:width], first + i) for i in range(times)]
    return tuple(rows[:most])


@st.composite
def crowds(draw: st.DrawFn, unit: Unit, most: int = 4, least: int = 0) -> Rows:
    """Some people's rows and, where nobody is counted, some rows without an id."""
    rows: list[Row] = []
    for index in range(draw(st.integers(least, most))):
        ids = spellings(str(100 + index), unit.leading_zeros)
        rows += draw(rows_of(ids, 6 if unit.person else 1))
    if unit.neighbours == "add-remove" and draw(st.booleans()):
        rows += draw(rows_of(NO_ID, 3))
    return mixed(draw, tuple(rows))


@st.composite
def neighbours(draw: st.DrawFn) -> Neighbours:
    """Two neighbouring tables: one person's rows, up to 50, added or replaced."""
    unit = draw(units(None))
    study = draw(studies(unit))
    written = (draw(styles()), draw(styles()))
    others = draw(crowds(unit))
    victim = draw(st.sampled_from([NUMBER_ID, NAME_ID, LONG_ID, ""]))
    if not victim:  # rows without an id are nobody's, or together one person's
        others = tuple(row for row in others if row.cells[0] not in NO_ID)
    most = MOST_ROWS if unit.person else 1
    mine = draw(rows_of(spellings(victim, unit.leading_zeros), most))
    if not victim or draw(st.booleans()):
        return Neighbours(study, others, mixed(draw, others + mine), written)
    other = draw(st.sampled_from([victim, "8"]))
    instead = draw(rows_of(spellings(other, unit.leading_zeros), most))
    study = with_response(replace(study, unit=replace(unit, neighbours="change-one", people=1)))
    return Neighbours(study, others + mine, mixed(draw, others + instead), written)


def with_response(study: Study) -> Study:
    """The same study that also asks a randomised response, where it may."""
    if study.unit is None or not exists("randomised-response", study.unit):
        return study
    stay, first = study.columns[0], study.queries[0]
    assert isinstance(stay, NumberColumn)
    asked = query_for("randomised-response", stay, "answers", epsilon=first.epsilon, rho=first.rho)
    return replace(study, queries=(*study.queries, asked))


def mixed(draw: st.DrawFn, rows: Rows) -> Rows:
    """The same rows in another order."""
    return tuple(draw(st.permutations(rows))) if rows else ()


def run(study: Study, folder: Path, rows: Rows, door: Door, style: Style | None = None) -> Plan:
    """Compile and run."""
    plan = compile(study)
    run_plan(study, plan, folder, rows, door, style)
    return plan
