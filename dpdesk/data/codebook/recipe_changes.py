# SPDX-License-Identifier: Apache-2.0
"""Derived columns of a codebook against a study: what of them could be made here.

Columns of further tables are compared likewise; both are declared in a codebook as in a study.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from dpdesk.data.codebook.change import Change, MemberChange
from dpdesk.data.codebook.entry import CodebookEntry
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.model.columns import Column, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import derived_in_order, operands
from dpdesk.study.problem import Problem
from dpdesk.study.suggest.identifiers import identifier_kind

_SOURCE = ("basis", "origin")
_OPEN = ("lower", "upper", "step", "first", "last", "values", "yes", "no")
"""What may still be undeclared in a proposal."""


def is_recipe(entry: CodebookEntry) -> bool:
    """Whether a codebook declares a column as a study does, and not as a field of its file."""
    return entry.column is not None and bool(entry.column.made_from or entry.column.table)


def recipe_changes(
    study: Study,
    changes: Sequence[Change],
    recipes: Sequence[CodebookEntry],
    inside: frozenset[str] | None,
) -> list[Change]:
    """What each recipe would change, in the codebook's order.

    One is offered where the study's checks pass it: made of columns that are declared, or that the
    codebook offers, too. Whether those are chosen is seen when changes are accepted.

    Args:
        changes: those of the file's own columns.
        inside: names of the file's columns; ``None`` while they are not known.
    """
    ordered = _in_order(recipes)
    taken = {column.name for _, column in ordered if _is_taken(study, column, inside)}
    made = [column for _, column in ordered if column.name not in taken]
    new, other = (
        [c.proposed for c in changes if c.state == state and c.proposed is not None]
        for state in ("new", "differs")
    )
    trials = [_with(study, [*new, *made])] + [_with(study, [*new, *other, *made])] * bool(other)
    found: dict[str, Change] = {}
    unmade: set[str] = set()
    for entry, column in ordered:
        if column.name in taken:
            problems = [Problem(entry.place, "codebook-recipe-taken", {})]
        else:
            tried = ([*_problems(t, column, entry.place, inside, unmade)] for t in trials)
            problems = min(tried, key=len)
        if problems and study.column(column.name) is None:
            unmade.add(column.name)
        found[entry.name] = _change(study.column(column.name), entry, column, problems)
    return [found[entry.name] for entry in recipes]


def operand_problems(study: Study, chosen: Sequence[Change]) -> list[Problem]:
    """The first reason why a derived column among the chosen cannot be made once they are accepted.

    ``codebook-operand-not-chosen`` (name, operand) where what one is made of is not declared, else
    what the study's checks say.
    """
    proposed = [change.proposed for change in chosen if change.proposed is not None]
    after = _with(study, proposed)
    columns = [column for column in proposed if column.made_from is not None]
    return [problem for column in columns for problem in _unmade(after, column)][:1]


def _unmade(after: Study, column: Column) -> Iterator[Problem]:
    for operand in operands(column):
        if after.column(operand) is None:
            params = {"name": column.name, "operand": operand}
            yield Problem("$", "codebook-operand-not-chosen", params)
    yield from check_step(after, column, "$")


def _in_order(recipes: Sequence[CodebookEntry]) -> list[tuple[CodebookEntry, Column]]:
    """Each after those that it is made of; the reader refuses circles among them."""
    columns = {entry.name: entry.column for entry in recipes if entry.column is not None}
    entries = {entry.name: entry for entry in recipes}
    read = [column for column in columns.values() if column.made_from is None]
    named = {plain_name(name): name for name in columns}
    ordered = [*read, *derived_in_order(columns)]
    return [(entries[named[plain_name(column.name)]], column) for column in ordered]


def _with(study: Study, columns: Iterable[Column]) -> Study:
    """The study with these columns in place of those of their names, or at its end."""
    by_name = {column.name: column for column in study.columns}
    by_name |= {column.name: column for column in columns}
    return replace(study, columns=tuple(by_name.values()))


def _is_taken(study: Study, column: Column, inside: frozenset[str] | None) -> bool:
    """Whether a derived column has the name of one of the file."""
    declared = study.column(column.name)
    person = plain_name(study.unit.person or "") if study.unit else ""
    names = {*(inside or ()), person}
    is_read = declared is not None and declared.made_from is None and not declared.table
    return is_read or (column.made_from is not None and plain_name(column.name) in names)


def _problems(
    trial: Study,
    column: Column,
    place: str,
    inside: frozenset[str] | None,
    unmade: set[str],
) -> Iterator[Problem]:
    absent = [n for n in operands(column) if n in unmade or trial.column(n) is None]
    header = column.header if column.made_from is not None and not column.table else None
    if header is not None and inside is not None and plain_name(header) not in inside:
        absent.append(header)
    if absent:
        yield Problem(place, "codebook-operand-missing", {"operand": absent[0]})
        return
    yield from check_step(trial, column, place)
    for problem in check_column(column, place):
        is_open = problem.code.endswith("-not-declared")
        if not (is_open and problem.path.removeprefix(f"{place}.") in _OPEN):
            yield problem


def _change(
    declared: Column | None, entry: CodebookEntry, column: Column, problems: list[Problem]
) -> Change:
    named = identifier_kind(entry.name, entry.title)
    about = Change(
        name=column.name,
        state="nothing-proposed",
        declared=declared,
        identifier=named is not None and named.is_direct,
        notes=tuple(problems[:1]),
    )
    if problems:
        return about
    members = tuple(_members(declared, column))
    if not members:
        return replace(about, state="same")
    return replace(
        about,
        state="new" if declared is None else "differs",
        proposed=column,
        members=members,
    )


def _members(declared: Column | None, column: Column) -> Iterator[MemberChange]:
    if declared is None or declared.kind != column.kind:
        yield MemberChange("kind", getattr(declared, "kind", None), column.kind)
    for field in fields(column):
        now: Any = getattr(declared, field.name, field.default if declared is None else None)
        proposed = getattr(column, field.name)
        if field.name not in ("name", *_SOURCE) and now != proposed:
            yield MemberChange(field.name, None if declared is None else now, proposed)
