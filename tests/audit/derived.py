# SPDX-License-Identifier: Apache-2.0
"""Derived columns for the proofs: chains of steps over the made-up table, and who asks them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.model.columns import Column, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import CodePrefix, Holds, Recode, RecodeEntry
from tests.data.preparation.steps import answers, conditions, derived_columns

WARDS = ("A", "B", "C")
SEXES = ("F", "M")
PREFIXES = (
    RecodeEntry("A", ("A", "WE")),
    RecodeEntry("B", ("B-G", "0-1")),
    RecodeEntry("C", ("C", "2-9")),
)


@st.composite
def chains(draw: st.DrawFn, read: tuple[Column, ...], links: int) -> tuple[Column, ...]:
    """The columns with a chain of derived ones behind them, each of any that is there before."""
    columns = list(read)
    for at in range(draw(st.integers(0, links))):
        made = draw(derived_columns(columns, f"link_{at}"))
        if not any(check_step(Study(columns=(*columns, made)), made, "")):
            columns.append(made)
    return tuple(columns)


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
        for key in ("column", "columns", "has")
        if key in query.members
    }
    by = tuple(
        named(g) if isinstance(g, str | Bins) or hasattr(g, "column") else g for g in query.by
    )
    return query.having(by=by, where=named(query.where), **own)
