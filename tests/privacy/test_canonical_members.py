# SPDX-License-Identifier: Apache-2.0
"""Every member of a query, a column, a unit or a reading is in a question's text, or known not to.

A member that a later version adds fails here until somebody has decided.
"""

from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from dpdesk.privacy.question import Question
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.columns import (
    CategoryColumn,
    CellReading,
    DateColumn,
    NumberColumn,
    Origin,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.model.steps.step import FirstThere
from dpdesk.study.model.unit import DataSource, IdShape, Unit
from tests.privacy import examples as ex

ALL = Query("q").having(
    statistic="most-common",
    column="a",
    by=("b", Bins("a", (Decimal(2),)), Periods("d", "month")),
    where=(IsIn("b", ("x",)), DateBetween("d", date(2020, 1, 1), date(2020, 1, 9))),
    epsilon=Epsilon(5),
    expected=3,
    has=(IsMissing("a"),),
    columns=("c", "e"),
    quantiles=(Decimal("0.5"),),
    candidates=(Decimal(1), Decimal(2)),
    edges=(Decimal(3),),
    times=(Decimal(2),),
    top=2,
    score="value-times-count",
    target=9,
    top_code=10,
    per=100,
    typical=Decimal(2),
    over="c",
    standard="own",
    weights=(Decimal(2), Decimal(3)),
    reference=(Decimal(2), Decimal(3)),
    expected_exposure=Decimal(3),
    expected_deviation=Decimal(4),
    delta=Delta(7),
    entry="f",
    entry_edges=(Decimal(2),),
    late="leave-out",
)
"""Every member is declared: no statistic has them all, and the text does not ask."""

CHANGED: dict[str, list[Any]] = {
    "statistic": ["cut-off"],
    "column": ["c", None],
    "by": [
        (),
        ALL.by[::-1],
        ("b", Bins("a", (Decimal(3),)), ALL.by[2]),
        ("b", ALL.by[1], Periods("d", "year")),
        (*ALL.by[:2], Periods("f", "month")),
    ],
    "where": [
        (),
        (IsNotIn("b", ("x",)), ALL.where[1]),
        (ALL.where[0], DateBetween("d", date(2020, 1, 1), date(2020, 1, 8))),
        (ALL.where[0], DateBetween("d", date(2020, 1, 2), date(2020, 1, 9))),
        (ALL.where[0], DateBetween("f", date(2020, 1, 1), date(2020, 1, 9))),
    ],
    "epsilon": [Epsilon(6), None],
    "has": [(), (IsMissing("a", False),), (IsMissing("b"),), ALL.where],
    "columns": [(), ("e", "c"), ("c",)],
    "quantiles": [(), (Decimal("0.25"),), (Decimal("0.25"), Decimal("0.5"))],
    "candidates": [(), (Decimal(1), Decimal(3))],
    "edges": [(), (Decimal(4),)],
    "times": [(), (Decimal(3),)],
    "top": [None, 1],
    "score": [None, "closest-to-target"],
    "target": [None, 8],
    "top_code": [None, 11],
    "per": [None, 1_000],
    "typical": [None, Decimal(3)],
    "over": [None, "b"],
    "standard": [None, "segi"],
    "weights": [(), (Decimal(1), Decimal(3))],
    "reference": [(), (Decimal(1), Decimal(3))],
    "expected_exposure": [None, Decimal(2)],
    "expected_deviation": [None, Decimal(5)],
    "delta": [None, Delta(8)],
    "entry": [None, "g"],
    "entry_edges": [(), (Decimal(3),)],
    "late": [None, "last-bin"],
    "of": ["people"],
    "rows_per_group": [1, 2],
}
NOT_ASKED = {"id", "title", "expected", "population", "component", "whole_numbers", "comparisons"}


PARAMETERS = {
    member.name: statistic
    for statistic, declared in DECLARATIONS.items()
    for member in fields(declared.parameters)
}
"""A statistic that takes each of the members which only some statistics do."""
ASKED = [f.name for f in fields(Query) if f.name not in ("parameters", "stray")]


def canonical_of(query: Query) -> str:
    return Question(ex.PERSON, query, (), (), DataSource()).canonical()


@pytest.mark.parametrize("member", [*ASKED, *PARAMETERS])
def test_each_member_of_a_query_is_in_its_text_or_said_not_to_be(member: str) -> None:
    if member == "noise":
        return  # what it led to stands with the draws
    if member == "rho":
        priced = [replace(ALL, epsilon=None, rho=Rho(5)), replace(ALL, epsilon=None, rho=Rho(6))]
        assert len({canonical_of(query) for query in (ALL, *priced)}) == 3
        return
    if member in NOT_ASKED:
        other = replace(ALL, **{member: 4 if member == "expected" else "other"})
        assert canonical_of(other) == canonical_of(ALL)
        return
    query = ALL.having(statistic=PARAMETERS.get(member, ALL.statistic))
    assert member not in dict(query.stray)
    texts = [canonical_of(query.having(**{member: value})) for value in CHANGED[member]]
    assert len({canonical_of(query), *texts}) == 1 + len(texts)


NUMBER = NumberColumn("a", Decimal(1), Decimal(9), Decimal("0.5"))
DAYS = DateColumn("a", date(2020, 1, 1), date(2020, 1, 9))
WORDS = CategoryColumn("a", ("x", "y"))
YES = YesNoColumn("a", ("y",), ("n",))
ONE_VALUE: dict[str, Any] = {
    "name": "b",
    "lower": Decimal(0),
    "upper": Decimal(10),
    "step": Decimal(1),
    "first": date(2019, 1, 1),
    "last": date(2021, 1, 1),
    "format": "DD.MM.YYYY",
    "decimal": ",",
    "values": ("y", "x"),
    "labels": ("yes", "no"),
    "yes": ("y", "1"),
    "no": ("n", "0"),
    "missing": Replace("x"),
    "unknown": Replace("x"),
    "unparsable": Replace("x"),
    "outside": Replace("x"),
    "missing_values": ("9",),
    "compare": "folded",
    "pivot": 1930,
    "made_from": FirstThere(("c", "d")),
    "reads": (CellReading("9+", Decimal(9)),),
    "table": "labs",
    "in_file": "A",
}
SHOWN: dict[str, Any] = {
    "title": "other",
    "label": "other",
    "basis": "other",
    "origin": Origin("sas"),
}


@pytest.mark.parametrize("column", [NUMBER, DAYS, WORDS, YES], ids=lambda c: c.kind)
def test_each_member_of_a_column_is_in_the_text_but_what_is_shown_of_it(column: Any) -> None:
    def text_of(used: Any) -> str:
        return Question(ex.PERSON, ALL, (), (used,), DataSource()).canonical()

    kinds = {text_of(c) for c in (NUMBER, DAYS, WORDS, YES)}
    assert len(kinds) == 4
    texts = {text_of(column)}
    members = [f.name for f in fields(column) if f.name != "kind"]
    for member in members:
        value = SHOWN[member] if member in SHOWN else ONE_VALUE[member]
        other = text_of(replace(column, **{member: value}))
        assert (other == text_of(column)) == (member in SHOWN)
        texts.add(other)
    assert len(texts) == 1 + len(members) - len(SHOWN)


@pytest.mark.parametrize("kind", [Unit, DataSource])
def test_each_member_of_unit_and_reading_is_in_the_text(kind: type[Any]) -> None:
    values: dict[str, Any] = {
        "person": "id",
        "max_rows": 2,
        "neighbours": "change-one",
        "people": 7,
        "leading_zeros": True,
        "without_id": "one-person",
        "format": "other",
        "missing": ("?",),
        "separator": ";",
        "decimal": ",",
        "encoding": "latin-1",
        "sheet": "2024",
        "header_row": 2,
        "thousands": ",",
        "quotes": False,
        "line_ending": "cr",
        "line_breaks": True,
        "row_names": True,
        "fill_down": True,
        "case": "stay",
        "id_shape": IdShape(),
        "label": "2024",
        "more": (DataSource(),),
    }
    # A stored answer is looked up under the extract; a catalogue names values, it holds none.
    elsewhere = {"path", "extract", "catalogue", "by_hand", "in_database"}
    # What a row and a person are called is said, never asked.
    if kind is Unit:
        elsewhere |= {"row_name", "row_names", "person_name", "person_names"}
    texts = set()
    members = [f.name for f in fields(kind) if f.name not in elsewhere]
    for member in members:
        other = kind(**{member: values[member]})
        unit, reading = (other, DataSource()) if kind is Unit else (Unit(), other)
        texts.add(Question(unit, ALL, (), (), reading).canonical())
    plain = Question(Unit(), ALL, (), (), DataSource()).canonical()
    assert len(texts | {plain}) == 1 + len(members)
