# SPDX-License-Identifier: Apache-2.0
"""Made-up derived columns over made-up columns of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    group_labels,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.steps.result import own_values, result_of
from dpdesk.study.model.steps.step import (
    DATE_PARTS,
    OPERATIONS,
    TIME_UNITS,
    Arithmetic,
    Bands,
    DatePart,
    FirstThere,
    Holds,
    Operand,
    Recode,
    RecodeEntry,
    Step,
    TimeBetween,
)

WITHOUT_CLOCK = [unit for unit in TIME_UNITS if unit != "hours"]
"""Hours are of a file's cells; see ``test_derived.py``."""
STEPS_OF_GRIDS = (Decimal(1), Decimal("0.5"), Decimal("0.1"), Decimal(3))


@st.composite
def numbers(draw: st.DrawFn, name: str) -> NumberColumn:
    lower = draw(st.sampled_from([Decimal(-6), Decimal(0), Decimal("0.5"), Decimal(10)]))
    step = draw(st.sampled_from(STEPS_OF_GRIDS))
    upper = lower + step * draw(st.sampled_from([1, 7, 40, 3_000, 20_000_000]))
    rules = st.sampled_from(["drop", Replace(lower), Replace(upper)])
    return NumberColumn(
        name,
        lower,
        upper,
        step,
        missing=draw(rules),
        unparsable=draw(rules),
        outside=draw(st.one_of(st.just("clamp"), rules)),
    )


@st.composite
def dates(draw: st.DrawFn, name: str) -> DateColumn:
    first = draw(st.sampled_from([date(2019, 12, 30), date(1999, 2, 27), date(1900, 3, 1)]))
    last = first + timedelta(draw(st.sampled_from([0, 3, 400, 40_000])))
    rules = st.sampled_from(["drop", Replace(first.isoformat()), Replace(last.isoformat())])
    return DateColumn(
        name,
        first,
        last,
        missing=draw(rules),
        unparsable=draw(rules),
        outside=draw(st.one_of(st.just("clamp"), rules)),
    )


@st.composite
def groups(draw: st.DrawFn, name: str, values: tuple[str, ...]) -> CategoryColumn:
    rules = st.sampled_from(["drop", "category", Replace(values[0])])
    labels = tuple(f"{value}." for value in values) if draw(st.booleans()) else ()
    return CategoryColumn(name, values, missing=draw(rules), unknown=draw(rules), labels=labels)


@st.composite
def answers(draw: st.DrawFn, name: str) -> YesNoColumn:
    rules = st.sampled_from(["drop", "category", Replace("n"), Replace("y")])
    return YesNoColumn(name, ("y", "1"), ("n",), missing=draw(rules), unknown=draw(rules))


@st.composite
def raw_columns(draw: st.DrawFn) -> tuple[Column, ...]:
    """Two columns of each kind."""
    return (
        draw(numbers("n1")),
        draw(numbers("n2")),
        draw(dates("d1")),
        draw(dates("d2")),
        draw(groups("c1", ("a", "b", "c"))),
        draw(groups("c2", ("b", "c", "d"))),
        draw(answers("y1")),
        draw(answers("y2")),
    )


@st.composite
def conditions(draw: st.DrawFn, column: Column) -> Condition:
    if draw(st.integers(0, 3)) == 0:
        return IsMissing(column.name, draw(st.booleans()))
    if isinstance(column, NumberColumn):
        ends = st.integers(-20, 60).map(lambda n: Decimal(n) / 2)
        low, high = sorted((draw(ends), draw(ends)))
        return Between(column.name, low, high)
    if isinstance(column, DateColumn):
        days = st.dates(date(1899, 1, 1), date(2021, 1, 1))
        first, last = sorted((draw(days), draw(days)))
        return DateBetween(column.name, first, last)
    labels = st.lists(st.sampled_from(group_labels(column)), min_size=1, unique=True)
    return draw(st.sampled_from([IsIn, IsNotIn]))(column.name, tuple(draw(labels)))


@st.composite
def steps(draw: st.DrawFn, columns: Sequence[Column], kind: type[Step]) -> Step:
    """A step of a class over some of the columns."""

    def names(*kinds: type[Any]) -> st.SearchStrategy[str]:
        return st.sampled_from([one.name for one in columns if isinstance(one, kinds)])

    if kind is TimeBetween:
        day = st.dates(date(1950, 1, 1), date(2030, 12, 31))
        end = st.one_of(names(DateColumn), day)
        first = draw(end)
        last = draw(names(DateColumn) if isinstance(first, date) else end)
        return TimeBetween((first, last), draw(st.sampled_from(WITHOUT_CLOCK)))
    if kind is Recode:
        name = draw(names(CategoryColumn, YesNoColumn))
        column = next(one for one in columns if one.name == name)
        # A value and its printed name are one group; behind them come those without a value.
        own = own_values(column)
        old = list(draw(st.permutations([*own, *group_labels(column)[len(own) :][-1:]])))
        cut = draw(st.integers(1, len(old)))
        parts = [tuple(old[:cut]), tuple(old[cut : cut + 1])]
        entries = [RecodeEntry(f"v{at}", of) for at, of in enumerate(parts) if of]
        return Recode(name, tuple(entries))
    if kind is Bands:
        edges = st.lists(st.integers(-10, 40), min_size=1, max_size=4, unique=True)
        return Bands(draw(names(NumberColumn)), tuple(Decimal(e) for e in sorted(draw(edges))))
    if kind is Holds:
        some = st.lists(st.sampled_from(list(columns)), min_size=1, max_size=3)
        tested = tuple(draw(conditions(one)) for one in draw(some))
        return Holds(tested, draw(st.sampled_from(["all", "any"])))
    if kind is Arithmetic:
        operand = st.builds(Operand, names(NumberColumn), st.sampled_from([1, 1, 2]))
        constant = st.sampled_from([Decimal("2.54"), Decimal(-3), Decimal("0.01"), Decimal(100)])
        first = draw(st.one_of(operand, constant))
        second = draw(operand if isinstance(first, Decimal) else st.one_of(operand, constant))
        return Arithmetic(draw(st.sampled_from(OPERATIONS)), (first, second))
    if kind is DatePart:
        return DatePart(
            draw(st.sampled_from([part for part in DATE_PARTS if part != "hour"])),
            draw(names(DateColumn)),
        )
    by_kind: dict[type, list[str]] = {}
    for one in columns:
        by_kind.setdefault(type(one), []).append(one.name)
    alike = draw(st.sampled_from([names_ for names_ in by_kind.values() if len(names_) > 1]))
    return FirstThere(tuple(draw(st.permutations(alike))))


ROW_STEPS: tuple[type[Step], ...] = (
    TimeBetween,
    Recode,
    Bands,
    Holds,
    Arithmetic,
    DatePart,
    FirstThere,
)


@st.composite
def derived_columns(
    draw: st.DrawFn, columns: Sequence[Column], name: str, kinds: tuple[str, ...] = ()
) -> Column:
    """A derived column of one of some kinds, or of any, with any rules."""
    by_name = {one.name: one for one in columns}
    wanted = st.sampled_from(ROW_STEPS).flatmap(lambda kind: steps(columns, kind))
    step = draw(wanted.filter(lambda s: not kinds or result_of(s, by_name).kinds[0] in kinds))
    result = result_of(step, by_name)
    if result.kinds[0] == "number":
        made: Any = draw(numbers(name))
    elif result.kinds[0] == "date":
        made = draw(dates(name))
    elif result.kinds[0] == "yes-no":
        made = draw(answers(name))
    else:
        values = result.values
        if isinstance(step, Bands):
            values = tuple(f"from {edge}" for edge in step.edges)
        made = draw(groups(name, values))
    return type(made)(**{**vars(made), "made_from": step})
