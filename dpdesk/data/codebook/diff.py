# SPDX-License-Identifier: Apache-2.0
"""A codebook against a study: what is new, what differs, and taking over what was chosen.

Nothing of a codebook applies by itself. What it does not speak of stays as it is declared, and
queries stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dpdesk.data.codebook.change import Change, MemberChange
from dpdesk.data.codebook.entry import Codebook, CodebookEntry
from dpdesk.data.codebook.recipe_changes import (
    is_recipe,
    operand_problems,
    recipe_changes,
)
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, Column, YesNoColumn, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.study.suggest.identifiers import identifier_kind


def diff(study: Study, codebook: Codebook, header: tuple[str, ...] | None) -> tuple[Change, ...]:
    """Compare a codebook with a study, variable by variable, without a look at any data.

    Args:
        header: the column names of the study's file; ``None`` where there is no file yet, and
            every variable counts as being in it.

    Returns:
        The codebook's variables in its order, then those declared in the study alone.
    """
    inside = None if header is None else frozenset(map(plain_name, header))
    declared = {plain_name(column.name): column for column in reversed(study.columns)}
    changes = [
        _change(study, declared, entry, inside)
        for entry in codebook.columns
        if not is_recipe(entry)
    ]
    recipes = [entry for entry in codebook.columns if is_recipe(entry)]
    changes += recipe_changes(study, changes, recipes, inside)
    known = {entry.name for entry in codebook.columns}
    read = [c for c in study.columns if c.made_from is None and not c.table]
    only = [c for c in read if plain_name(c.name) not in known]
    return (*changes, *(Change(c.name, "not-in-codebook", c) for c in only))


def accept(study: Study, chosen: Iterable[Change]) -> Study:
    """Take over changes; columns keep their places, new ones follow in the given order.

    Raises:
        Refused: ``codebook-not-offered`` or ``codebook-study-changed`` (name) for each that
            cannot be taken over, ``codebook-too-many-columns`` (most), or for a derived column
            what :func:`operand_problems` says.
    """
    columns, chosen = list(study.columns), tuple(chosen)
    problems: list[Problem] = []
    for change in chosen:
        places = [i for i, column in enumerate(columns) if column == change.declared]
        taken = any(column.name == change.name for column in columns)
        if not change.is_offered or change.proposed is None:
            problems.append(Problem("$", "codebook-not-offered", {"name": change.name}))
        elif change.declared is None and not taken:
            columns.append(change.proposed)
        elif change.declared is not None and places:
            columns[places[0]] = change.proposed
        else:
            problems.append(Problem("$", "codebook-study-changed", {"name": change.name}))
    if problems:
        raise Refused(problems)
    if len(columns) > limits.MAX_COLUMNS:
        raise refuse("codebook-too-many-columns", most=str(limits.MAX_COLUMNS))
    if unmade := operand_problems(study, chosen):
        raise Refused(unmade)
    return replace(study, columns=tuple(columns))


def offered(changes: Iterable[Change]) -> tuple[Change, ...]:
    """All changes that may be taken over at once: none that names a person."""
    return tuple(c for c in changes if c.is_offered and not c.identifier)


def named(changes: Iterable[Change], names: Iterable[str]) -> tuple[Change, ...]:
    """The changes of these variables, in the order of the names.

    Raises:
        Refused: ``codebook-name-unknown`` (name) for each name that is nowhere.
    """
    by_name = {change.name: change for change in changes}
    wanted = tuple(dict.fromkeys(plain_name(name) for name in names))
    unknown = [name for name in wanted if name not in by_name]
    if unknown:
        raise Refused(Problem("$", "codebook-name-unknown", {"name": n[:60]}) for n in unknown)
    return tuple(by_name[name] for name in wanted)


NAMES = {"title", "label"}
"""What a column and its unit are called; all else is what its source answers for."""


def _change(
    study: Study,
    declared: dict[str, Column],
    entry: CodebookEntry,
    inside: frozenset[str] | None,
) -> Change:
    column = declared.get(entry.name)
    named = identifier_kind(entry.name, entry.title)
    about = Change(
        name=entry.name,
        state="nothing-proposed",
        declared=column,
        identifier=entry.identifier or (named is not None and named.is_direct),
        notes=entry.notes,
    )
    is_derived = column is not None and column.made_from is not None
    if is_derived or (inside is not None and entry.name not in inside):
        return replace(about, state="not-in-file")
    if study.unit is not None and entry.name == plain_name(study.unit.person or ""):
        return replace(about, state="person")
    if column is None:
        return about if entry.column is None else _new(about, entry.column, entry, study)
    return _against(about, column, entry, study)


def _new(about: Change, column: Column, entry: CodebookEntry, study: Study) -> Change:
    proposed = replace(column, missing_values=_markers((), entry, study))
    members = tuple(
        MemberChange(field, None, getattr(proposed, field))
        for field in _fields(proposed, entry)
        if getattr(proposed, field) != ()
    )
    return replace(about, state="new", proposed=proposed, members=members)


def _against(about: Change, column: Column, entry: CodebookEntry, study: Study) -> Change:
    proposed = _merged(column, entry, study)
    fields = _fields(proposed, entry) if proposed.kind != column.kind else entry.said
    members = tuple(
        MemberChange(field, getattr(column, field, None), getattr(proposed, field))
        for field in (fields or ("title",))
        if getattr(proposed, field, None) != getattr(column, field, None)
    )
    if not members:
        return replace(about, state="same")
    if {member.field for member in members} <= NAMES:
        # A name from elsewhere says nothing of where bounds and values come from.
        proposed = replace(proposed, basis=column.basis, origin=column.origin)
    return replace(about, state="differs", proposed=proposed, members=members)


def _fields(proposed: Column, entry: CodebookEntry) -> tuple[str, ...]:
    """What is new of a column of another kind, or of none before.

    How its cells are compared is always among it: a codebook rarely says so, and the new column
    is compared without case and outer spaces all the same.
    """
    listed = isinstance(proposed, CategoryColumn | YesNoColumn)
    return tuple(dict.fromkeys(("kind", *entry.said, *(("compare",) if listed else ()))))


def _merged(column: Column, entry: CodebookEntry, study: Study) -> Column:
    """The declared column with all that the codebook says of it; where it says nothing of the
    kind, or nothing that contradicts the declared one, the kind stays.
    """
    said = {key: getattr(entry.column, key) for key in entry.said} if entry.column else {}
    said |= {"title": entry.title} if entry.title else {}
    said["missing_values"] = _markers(column.missing_values, entry, study)
    said |= {"basis": entry.basis, "origin": entry.origin}
    if entry.column is not None and entry.column.kind == column.kind:
        return replace(column, **said)
    if entry.column is None or _agree(column, entry.column):
        return replace(column, **{key: said[key] for key in _SHARED if key in said})
    kept = {key: getattr(column, key) for key in ("title", "label") if not said.get(key)}
    return replace(entry.column, **{**kept, "missing_values": said["missing_values"]})


_SHARED = ("title", "label", "missing_values", "basis", "origin")
"""What a codebook may say of a column of another kind."""


def _agree(column: Column, proposed: Column) -> bool:
    """Whether two kinds do not contradict each other.

    A category without values is any text. A declared yes-or-no column that sorts all listed
    values is one way to use them.
    """
    if isinstance(proposed, CategoryColumn) and not proposed.values:
        return True
    if isinstance(column, YesNoColumn) and isinstance(proposed, CategoryColumn):
        return set(column.yes) | set(column.no) >= set(proposed.values)
    if isinstance(column, CategoryColumn) and isinstance(proposed, YesNoColumn):
        return set(column.values) <= set(proposed.yes) | set(proposed.no)
    return False


def _markers(known: tuple[str, ...], entry: CodebookEntry, study: Study) -> tuple[str, ...]:
    """The known markers for missing, and the codebook's that the study does not have yet."""
    everywhere = study.data.missing if study.data else ()
    listed = entry.column.missing_values if entry.column else ()
    seen = {marker.strip() for marker in (*everywhere, *known)}
    return known + tuple(marker for marker in listed if marker.strip() not in seen)
