# SPDX-License-Identifier: Apache-2.0
"""Derived columns for the proofs: chains of steps over the made-up table, and who asks them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import CodePrefix, Holds, Recode, RecodeEntry
from tests.data.preparation.chains import random_chain
from tests.data.preparation.steps import answers, conditions, derived_columns

WARDS = ("A", "B", "C")
SEXES = ("F", "M")
PREFIXES = (
    RecodeEntry("A", ("A", "WE")),
    RecodeEntry("B", ("B-G", "0-1")),
    RecodeEntry("C", ("C", "2-9")),
)


@st.composite
def chains(
    draw: st.DrawFn, read: tuple[Column, ...], links: int, *, persons: bool
) -> tuple[Column, ...]:
    """The columns with a chain of derived ones behind them, each of any that is there before."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    return random_chain(dice, read, draw(st.integers(0, links)), persons=persons)


@st.composite
def stand_ins(
    draw: st.DrawFn, columns: tuple[Column, ...], stay: NumberColumn
) -> tuple[tuple[Column, ...], dict[str, str]]:
    """Derived columns that are asked in place of some of the file's, and which are.

    Args:
        columns: what is declared so far.
        stay: the number column that queries are made for; its stand-in has its grid and rules.
    """
    made: list[Column] = []
    if draw(st.booleans()):
        number = draw(derived_columns(columns, "made_stay", kinds=("number",)))
        made.append(replace(stay, name="made_stay", made_from=number.made_from))
    if draw(st.booleans()):
        ward = next(c for c in columns if c.name == "ward")
        header = draw(st.sampled_from(["ward", "free_text", "stay", "admitted"]))
        merged = Recode(
            "sex", tuple(RecodeEntry(w, (s,)) for w, s in zip("AB", SEXES, strict=True))
        )
        step: Any = draw(st.sampled_from([CodePrefix(header, PREFIXES), merged]))
        made.append(replace(ward, name="made_ward", made_from=step))
    if draw(st.booleans()):
        tested = st.lists(st.sampled_from(columns), min_size=1, max_size=2, unique=True)
        holds = Holds(tuple(draw(conditions(one)) for one in draw(tested)))
        answer = draw(answers("made_ok"))
        made.append(
            YesNoColumn("made_ok", ("yes",), ("no",), missing="drop", unknown=answer.missing)
            if answer.missing in ("drop", "category")
            else YesNoColumn("made_ok", ("yes",), ("no",))
        )
        made[-1] = replace(made[-1], made_from=holds)
    sound = [one for one in made if not any(check_step(Study(columns=(*columns, one)), one, ""))]
    names = {one.name.removeprefix("made_"): one.name for one in sound}
    return tuple(sound), names


@st.composite
def of_people(draw: st.DrawFn, columns: tuple[Column, ...], share: dict[str, Any]) -> Query:
    """A query of people: counts and means of what is made of all of their rows."""
    study = Study(columns=columns)
    theirs = [one for one in columns if study.is_of_person(one.name)]
    groups = [one.name for one in theirs if isinstance(one, CategoryColumn | YesNoColumn)]
    numbers = [one.name for one in theirs if isinstance(one, NumberColumn)]
    by = tuple(draw(st.lists(st.sampled_from(groups), max_size=1))) if groups else ()
    tested = draw(st.lists(st.sampled_from(theirs), max_size=1)) if theirs else []
    where = tuple(draw(conditions(one)) for one in tested)
    asked = Query("people", of="people").having(by=by, where=where, expected=100, **share)
    kinds = ["count", *(("mean", "sum") if numbers else ())]
    statistic: Any = draw(st.sampled_from(kinds))
    if statistic == "count":
        return asked
    return asked.having(statistic=statistic, column=draw(st.sampled_from(numbers)))


def asked_of(query: Query, names: dict[str, str]) -> Query:
    """The same query of the columns that stand in for others."""
    if query.declaration.finds is not None:
        # What is looked for in the data is looked for in what the file itself holds.
        return query

    def named(one: Any) -> Any:
        if isinstance(one, str):
            return names.get(one, one)
        if isinstance(one, tuple):
            return tuple(map(named, one))
        if hasattr(one, "column"):
            return replace(one, column=named(one.column))
        return one

    own = {
        key: named(query.members[key])
        for key in ("column", "columns", "has", "over")
        if key in query.members
    }
    by = tuple(
        named(g) if isinstance(g, str | Bins) or hasattr(g, "column") else g for g in query.by
    )
    return query.having(by=by, where=named(query.where), **own)
