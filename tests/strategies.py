# SPDX-License-Identifier: Apache-2.0
"""Arbitrary studies for Hypothesis, made from the limits that forms and JSON share.

``studies()`` are complete (``check`` finds nothing), ``drafts()`` are what a study looks like
while it is being filled in.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from hypothesis import strategies as st

from dpdesk.study import limits
from dpdesk.study.checks.study_checks import ENCODINGS, SEPARATORS
from dpdesk.study.model.amount import MAX_EPSILON_MICRO, Epsilon
from dpdesk.study.model.columns import (
    CODEBOOK_KINDS,
    MISSING_LABEL,
    OTHER_LABEL,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Origin,
    Replace,
    YesNoColumn,
    group_labels,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.dates import DATE_FORMATS, FIRST_YEAR, LAST_YEAR
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, labels_of
from dpdesk.study.model.periods import PERIODS
from dpdesk.study.model.queries import Query
from dpdesk.study.model.text_folding import COMPARISONS
from dpdesk.study.model.unit import (
    FORMATS,
    LINE_ENDINGS,
    RECOGNISED,
    THOUSANDS,
    Budget,
    DataSource,
    Unit,
)

ID_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"
RESERVED = frozenset({MISSING_LABEL, OTHER_LABEL})
TRICKY = (
    '"',
    "\\",
    "'",
    ",",
    "=1+1",
    "ß",
    "İ",
    "日本",
    "e\u0301",
    "\U0001f600",
    "</script>",
    "null",
)

_signs = st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=" ").filter(
    limits.is_printable_text
)


@cache
def texts(least: int = 0, most: int = 12) -> st.SearchStrategy[str]:
    """Texts that a study may declare, hostile ones among them."""
    plain = st.text(_signs, min_size=least, max_size=most)
    long = st.just("x" * limits.MAX_TEXT)
    return st.one_of(plain, st.sampled_from(TRICKY), long)


@cache
def labels() -> st.SearchStrategy[str]:
    """Texts that may stand for a value: not blank, not one of our own names."""
    return texts(1).filter(lambda t: t.strip() and t.strip() not in RESERVED)


@cache
def ids() -> st.SearchStrategy[str]:
    """Query ids and account names."""
    inner = st.text(ID_SIGNS + "-", max_size=38)
    ends = st.sampled_from(ID_SIGNS)
    made = st.one_of(ends, st.builds("{}{}{}".format, ends, inner, ends))
    return made.filter(lambda name: name not in limits.DEVICE_NAMES)


@cache
def numbers() -> st.SearchStrategy[Decimal]:
    """Numbers that a JSON file holds without loss, large, tiny and negative ones among them."""
    most = 10**limits.MAX_SIGNIFICANT_DIGITS - 1
    exponents = st.integers(-limits.MAX_EXPONENT, limits.MAX_EXPONENT - 15)
    wide = st.builds(lambda n, e: Decimal(n).scaleb(e), st.integers(-most, most), exponents)
    near = st.builds(lambda n: Decimal(n).scaleb(-2), st.integers(-99_999, 99_999))
    return st.one_of(near, wide.filter(limits.is_plain_number))


@cache
def epsilons(least: int = 1, most: int = MAX_EPSILON_MICRO) -> st.SearchStrategy[Epsilon]:
    """Amounts that a query may cost, in micro-epsilon."""
    usual = st.sampled_from([100_000, 250_000, 1_000_000]).filter(lambda m: least <= m <= most)
    return st.one_of(usual, st.integers(least, most)).map(Epsilon)


@cache
@st.composite
def data_sources(draw: st.DrawFn) -> DataSource:
    """Where a file lies and how it is read."""
    separator = draw(st.sampled_from(SEPARATORS))
    kind = draw(st.sampled_from(FORMATS))
    decimals = [d for d in (".", ",") if kind != "csv" or d != separator]
    decimal = draw(st.sampled_from(decimals))
    rows = st.integers(0, limits.MAX_HEADER_ROW)
    return DataSource(
        path=draw(texts(1)),
        format=kind,
        sheet=draw(texts(1 if kind == "excel" else 0)),
        header_row=(header := draw(rows if kind == "excel" else st.none() | rows)),
        thousands=draw(st.sampled_from([t for t in THOUSANDS if not t or t != decimal])),
        quotes=(quotes := draw(st.booleans())),
        line_ending=draw(st.sampled_from(LINE_ENDINGS)),
        line_breaks=quotes and draw(st.booleans()),
        row_names=header != 0 and draw(st.booleans()),
        catalogue=draw(texts()),
        in_database=draw(st.booleans()),
        by_hand=tuple(p for p in RECOGNISED if draw(st.booleans())),
        missing=tuple(draw(st.lists(texts(), max_size=3))),
        separator=separator,
        decimal=decimal,
        encoding=draw(st.sampled_from(ENCODINGS)),
        extract=draw(texts()),
    )


@cache
@st.composite
def units(draw: st.DrawFn) -> Unit:
    """Privacy units, with every neighbour notion."""
    person = draw(st.one_of(st.none(), labels()))
    most = limits.MAX_ROWS_PER_PERSON if person else 1
    neighbours = draw(st.sampled_from(["add-remove", "change-one"]))
    public = neighbours == "change-one"
    return Unit(
        person=person,
        max_rows=draw(st.integers(1, most)),
        neighbours=neighbours,
        people=draw(st.integers(1, limits.ROW_CAP)) if public else None,
        leading_zeros=draw(st.booleans()),
        without_id=draw(st.sampled_from(["drop", "one-person"])),
    )


def _common(draw: st.DrawFn, values: tuple[str, ...]) -> dict[str, Any]:
    """What columns of every kind declare; markers for missing are never values."""
    known = {v.strip() for v in values}
    markers = st.lists(texts().filter(lambda t: t.strip() not in known), max_size=2)
    declared = {key: draw(texts()) for key in ("title", "label", "basis")}
    origin = draw(
        st.builds(
            Origin,
            st.sampled_from([None, *CODEBOOK_KINDS]),
            st.one_of(st.none(), st.integers(1, 999)),
            st.booleans(),
        )
    )
    return {
        "name": draw(labels()),
        "missing_values": tuple(draw(markers)),
        "origin": origin,
        **declared,
    }


@cache
@st.composite
def number_columns(draw: st.DrawFn) -> NumberColumn:
    """Numbers on a grid that fits the limits; 0 to the largest grid among them."""
    unit = Decimal(1).scaleb(-draw(st.integers(0, 4)))
    step = draw(st.integers(1, 1_000)) * unit
    last = draw(st.one_of(st.integers(1, 200), st.integers(1, 1_000_000)))
    lower = draw(st.integers(-1_000_000_000, 1_000_000_000)) * unit
    if draw(st.booleans()):
        lower, step, last = Decimal(0), Decimal(1), limits.MAX_QUANTA
    upper = lower + last * step
    constant = st.sampled_from([Replace(lower), Replace(upper)])
    dropped = st.one_of(st.just("drop"), constant)
    return NumberColumn(
        lower=lower,
        upper=upper,
        step=step,
        missing=draw(dropped),
        unparsable=draw(dropped),
        outside=draw(st.one_of(st.just("clamp"), dropped)),
        **_common(draw, ()),
    )


def _rules(draw: st.DrawFn, values: tuple[str, ...]) -> dict[str, Any]:
    rule = st.one_of(st.sampled_from(["drop", "category"]), st.sampled_from(values).map(Replace))
    return {"missing": draw(rule), "unknown": draw(rule)}


@cache
def _values(least: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(labels(), min_size=least, max_size=most, unique_by=_read).map(tuple)


@cache
@st.composite
def category_columns(draw: st.DrawFn) -> CategoryColumn:
    """Texts with a list of values."""
    values = draw(_values(1, 6))
    names = draw(st.one_of(st.just(()), _labels_of(values)))
    rules, common = _rules(draw, values), _common(draw, values + names)
    missing = {_read(marker) for marker in common["missing_values"]}
    fitting = not missing & set(map(_read, names))
    compare = draw(st.sampled_from(COMPARISONS))
    names = names if fitting else ()
    return CategoryColumn(values=values, labels=names, compare=compare, **rules, **common)


def _read(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip()).strip()


@st.composite
def _labels_of(draw: st.DrawFn, values: tuple[str, ...]) -> tuple[str, ...]:
    """A name for each value, none of them another value; some values are their own names."""
    taken = set(map(_read, values))
    fresh = labels().filter(lambda t: _read(t) not in taken)
    size = len(values)
    names = draw(st.lists(fresh, min_size=size, max_size=size, unique_by=_read))
    own = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    pairs = zip(values, names, own, strict=True)
    return tuple(value if kept else name for value, name, kept in pairs)


@cache
@st.composite
def yes_no_columns(draw: st.DrawFn) -> YesNoColumn:
    """Properties that a row has or has not."""
    values = draw(_values(2, 5))
    cut = draw(st.integers(1, len(values) - 1))
    yes, no = values[:cut], values[cut:]
    rules = _rules(draw, (yes[0], no[0]))
    compare = draw(st.sampled_from(COMPARISONS))
    return YesNoColumn(yes=yes, no=no, compare=compare, **rules, **_common(draw, values))


@cache
@st.composite
def date_columns(draw: st.DrawFn) -> DateColumn:
    """Days of a period, from a single day to 200 years."""
    first = draw(st.dates(date(FIRST_YEAR, 1, 1), date(2000, 12, 31)))
    longest = min(date(first.year + 200, first.month, min(first.day, 28)), date(LAST_YEAR, 12, 31))
    days = st.one_of(st.integers(0, 400), st.just((longest - first).days))
    last = first + timedelta(draw(days))
    constant = st.sampled_from([Replace(first.isoformat()), Replace(last.isoformat())])
    dropped = st.one_of(st.just("drop"), constant)
    return DateColumn(
        first=first,
        last=last,
        format=draw(st.sampled_from(DATE_FORMATS)),
        # A period of two hundred years holds two years for each pair of digits.
        pivot=draw(st.integers(FIRST_YEAR, LAST_YEAR - 99)),
        missing=draw(dropped),
        unparsable=draw(dropped),
        outside=draw(st.one_of(st.just("clamp"), dropped)),
        **_common(draw, ()),
    )


@cache
def columns() -> st.SearchStrategy[Column]:
    """Complete columns of every kind."""
    return st.one_of(number_columns(), category_columns(), yes_no_columns(), date_columns())


@st.composite
def conditions(draw: st.DrawFn, column: Column) -> Condition:
    """Conditions that a column allows."""
    if draw(st.booleans()):
        return IsMissing(column.name, draw(st.booleans()))
    if isinstance(column, NumberColumn):
        lowest, highest = sorted((draw(numbers()), draw(numbers())))
        return Between(column.name, lowest, highest)
    if isinstance(column, DateColumn):
        first, last = sorted((draw(st.dates()), draw(st.dates())))
        return DateBetween(column.name, first, last)
    picked = st.lists(st.sampled_from(group_labels(column)), min_size=1, max_size=4)
    return draw(st.sampled_from([IsIn, IsNotIn]))(column.name, tuple(draw(picked)))


@st.composite
def queries(draw: st.DrawFn, declared: tuple[Column, ...] = ()) -> Query:
    """Queries that may be asked of the declared columns."""
    numeric = [c.name for c in declared if isinstance(c, NumberColumn)]
    counts = ["count", "count-people"]
    statistic = draw(st.sampled_from(counts + (["sum", "mean"] if numeric else [])))
    some = st.lists(st.sampled_from(declared or (None,)), max_size=3)
    least = 2 if statistic == "mean" else 1
    return Query(draw(ids())).having(
        statistic=statistic,
        column=None if statistic in counts else draw(st.sampled_from(numeric)),
        by=draw(groupings(declared)),
        where=tuple(draw(conditions(c)) for c in draw(some) if c is not None),
        epsilon=draw(epsilons(least)),
        expected=draw(st.one_of(st.none(), st.integers(1, limits.ROW_CAP))),
        title=draw(texts()),
    )


@st.composite
def groupings(draw: st.DrawFn, declared: tuple[Column, ...]) -> tuple[Grouping, ...]:
    """Up to three groupings, as many as make no more cells than a query may have."""
    chosen: list[Grouping] = []
    cells = 1
    for column in draw(st.permutations(declared))[: draw(st.integers(0, 3))]:
        grouping = draw(grouping_of(column))
        cells *= len(labels_of(grouping, column))
        if cells > limits.MAX_CELLS:
            break
        chosen.append(grouping)
    return tuple(chosen)


@st.composite
def grouping_of(draw: st.DrawFn, column: Column) -> Grouping:
    """A way to group by a complete column of any kind."""
    if isinstance(column, DateColumn):
        return Periods(column.name, draw(st.sampled_from(PERIODS)))
    if not isinstance(column, NumberColumn):
        return column.name
    assert column.lower is not None and column.upper is not None and column.step is not None
    places = {column.lower + column.step, column.upper - column.step, column.upper}
    edges = sorted(edge for edge in places if edge > column.lower)
    return Bins(
        column.name,
        tuple(draw(st.lists(st.sampled_from(edges), min_size=1, unique=True).map(sorted))),
    )


def _fits(data: DataSource, column: Column) -> bool:
    """Whether none of the file's markers for missing is one of the column's values."""
    values: tuple[str, ...] = ()
    if isinstance(column, CategoryColumn):
        values = column.values + column.labels
    elif isinstance(column, YesNoColumn):
        values = column.yes + column.no
    return not {_read(m) for m in data.missing} & {_read(v) for v in values}


@cache
@st.composite
def studies(draw: st.DrawFn) -> Study:
    """Complete studies."""
    data, unit = draw(data_sources()), draw(units())
    if unit.person is not None and unit.without_id == "drop":
        data = replace(data, fill_down=draw(st.booleans()))
    found = draw(st.lists(columns(), max_size=4, unique_by=lambda c: c.name))
    declared = tuple(c for c in found if c.name != unit.person and _fits(data, c))
    asked = st.lists(queries(declared), min_size=1, max_size=3, unique_by=lambda q: q.id)
    return Study(
        title=draw(texts()),
        organisation=draw(texts()),
        data=data,
        unit=unit,
        budget=Budget(draw(ids()), draw(epsilons())),
        columns=declared,
        queries=tuple(draw(asked)),
    )


def _without_bounds(column: Column) -> Column:
    if isinstance(column, NumberColumn):
        return replace(column, lower=None, step=None, missing=Replace(""))
    if isinstance(column, CategoryColumn):
        return replace(column, values=(), unknown=Replace(Decimal("0.5")))
    if isinstance(column, DateColumn):
        return replace(column, first=None, outside=Replace(Decimal("0.5")))
    return replace(column, yes=())


OMISSIONS: tuple[Callable[[Study], Study], ...] = (
    lambda s: replace(s, data=None),
    lambda s: replace(s, unit=None),
    lambda s: replace(s, budget=None),
    lambda s: replace(s, budget=Budget()),
    lambda s: replace(s, title="", organisation=""),
    lambda s: replace(s, columns=tuple(_without_bounds(c) for c in s.columns)),
    lambda s: replace(s, columns=()),
    lambda s: replace(s, queries=()),
    lambda s: replace(s, queries=tuple(replace(q, epsilon=None) for q in s.queries)),
)


@cache
@st.composite
def drafts(draw: st.DrawFn) -> Study:
    """Studies that are still being filled in."""
    study = draw(studies())
    for omit in draw(st.lists(st.sampled_from(OMISSIONS), max_size=3)):
        study = omit(study)
    return study
