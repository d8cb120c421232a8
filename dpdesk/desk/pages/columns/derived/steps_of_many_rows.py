# SPDX-License-Identifier: Apache-2.0
"""The steps that see many rows: of a person, beside a row, of a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from dpdesk.desk.pages.columns.derived.step_declaration import StepDeclaration
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.checks.step_checks import kinds_taken
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import (
    IN_ORDER,
    WITHOUT_COLUMN,
    BesideRow,
    OfCase,
    OfPerson,
    OfRows,
    PersonValue,
    RowNeighbour,
)
from dpdesk.study.model.tables import MAIN, PEOPLE

if TYPE_CHECKING:
    from dpdesk.desk.pages.columns.derived.step_sentence import StepSentence

_ANY = (NumberColumn, CategoryColumn, YesNoColumn, DateColumn)
WHOLE = "\0whole"


def person_values() -> dict[PersonValue, str]:
    """What is made of several rows, as it begins a sentence."""
    return {
        "count": tr("RowsSentence", "number of rows"),
        "any": tr("RowsSentence", "whether any row has"),
        "all": tr("RowsSentence", "whether all rows have"),
        "first": tr("RowsSentence", "first"),
        "last": tr("RowsSentence", "last"),
        "smallest": tr("RowsSentence", "smallest"),
        "largest": tr("RowsSentence", "largest"),
        "sum": tr("RowsSentence", "sum of"),
        "mean": tr("RowsSentence", "mean of"),
        "days": tr("RowsSentence", "days from the first to the last"),
        "most-frequent": tr("RowsSentence", "most frequent"),
    }


def row_neighbours() -> dict[RowNeighbour, str]:
    """What is beside a row, as it begins a sentence."""
    return {
        "previous": tr("RowsSentence", "previous"),
        "next": tr("RowsSentence", "next"),
        "number": tr("RowsSentence", "number of this row"),
        "before": tr("RowsSentence", "whether an earlier row had"),
    }


def columns_at(
    study: Study, table: str, kinds: tuple[type[Column], ...], with_people: bool = True
) -> tuple[Column, ...]:
    """The columns of some kinds that have values for a table's rows."""
    homes = (table, PEOPLE) if with_people else (table,)
    return tuple(c for c in study.columns if isinstance(c, kinds) and study.homes[c.name] in homes)


def _of_rows(at: StepSentence, step: OfPerson | OfCase) -> None:
    """[First] [HbA1c] by [date of the sample] of a patient in [labs], where [...]."""
    values = person_values()
    at.choice_chip("what", values, step.what, lambda what: _other_value(at.study, step, what))
    if step.what not in WITHOUT_COLUMN:
        kinds = kinds_taken(step.what)
        _column_chip(at, "column", step, kinds, step.table)
    if step.what in IN_ORDER:
        at.word(tr("RowsSentence", "by"))
        _column_chip(at, "by", step, (DateColumn,), step.table)
    if step.what in ("any", "all"):
        _conditions(at, step)
    names = words.names(at.study)
    whose = names.row if isinstance(step, OfCase) else names.person
    at.word(tr("RowsSentence", "of one {0}").format(whose))
    _table_chip(at, step)
    if step.what not in ("any", "all"):
        _where(at, step)


def _beside_row(at: StepSentence, step: BesideRow) -> None:
    """[Previous] [discharge] of the same patient, by [admission]."""
    values = row_neighbours()
    at.choice_chip("what", values, step.what, lambda what: _other_neighbour(at.study, step, what))
    home = at.study.homes.get(step.by, MAIN)
    if step.what in ("previous", "next"):
        _column_chip(at, "column", step, _ANY, home)
    if step.what == "before":
        _conditions(at, step)
    at.word(tr("RowsSentence", "of the same {0}, by").format(words.names(at.study).person))
    _column_chip(at, "by", step, (DateColumn,), None)
    if step.what != "before":
        _where(at, step)


def _other_value(study: Study, step: OfRows, what: Any) -> OfRows:
    """Another value of the same rows; what the new one has no place for goes."""
    column = study.column(step.column)
    keeps = what not in WITHOUT_COLUMN and isinstance(column, kinds_taken(what))
    by = step.by if what in IN_ORDER else None
    if what in IN_ORDER and by is None:
        dates = columns_at(study, step.table, (DateColumn,), with_people=False)
        by = dates[0].name if dates else ""
    wanted = "" if what not in WITHOUT_COLUMN else None
    return replace(step, what=what, column=step.column if keeps else wanted, by=by)


def _other_neighbour(study: Study, step: BesideRow, what: Any) -> BesideRow:
    wants = what in ("previous", "next")
    return replace(step, what=what, column=(step.column or "") if wants else None)


def _choices(
    at: StepSentence, kinds: tuple[type[Column], ...], table: str | None, with_people: bool = True
) -> list[Choice]:
    """The columns that fit and are not made of this one; those of any rows where no table is."""
    if table is None:
        fitting = {c.name for c in at.study.columns if at.study.homes[c.name] != PEOPLE}
    else:
        fitting = {c.name for c in columns_at(at.study, table, kinds, with_people)}
    return [one for one in at.columns(*kinds) if one.key in fitting]


def _column_chip(
    at: StepSentence,
    key: str,
    step: OfRows | BesideRow,
    kinds: tuple[type[Column], ...],
    table: str | None,
) -> None:
    """A chip for the column of a step, or for the date by which it orders rows."""
    now = getattr(step, key) or ""

    def put(chosen: str) -> OfRows | BesideRow:
        changed: dict[str, Any] = {key: chosen}
        return replace(step, **changed)

    offered = partial(_choices, at, kinds, table, with_people=key != "by")
    at.list_chip(key, at.title(now), offered, now, put)


def _table_chip(at: StepSentence, step: OfRows) -> None:
    """Whose rows they are, where the study has further tables of many rows."""
    further = [one.name for one in at.study.tables if not one.is_of_people]
    if isinstance(step, OfCase):
        further = list(_with_cases(at.study))
    elif not further:
        return
    at.word(tr("RowsSentence", "in"))
    main = [] if isinstance(step, OfCase) else [Choice(WHOLE, _main_name(at.study))]
    choices = [*main, *(Choice(name, name) for name in further)]

    def put(chosen: str) -> OfRows:
        table = MAIN if chosen == WHOLE else chosen
        if table == step.table:
            return step
        bare = replace(step, table=table, column=None, by=None, where=())
        return _other_value(at.study, bare, step.what)

    text = step.table or _main_name(at.study)
    at.list_chip("table", text, lambda: choices, step.table or WHOLE, put)


def files_chip(at: StepSentence) -> None:
    """Whose files' labels they are."""
    at.word(tr("RowsSentence", "in"))
    main = [Choice(WHOLE, _main_name(at.study))]
    choices = [*main, *(Choice(table.name, table.name) for table in at.study.tables)]

    def put(chosen: str) -> None:
        at.table_picked.emit(MAIN if chosen == WHOLE else chosen)

    now = at.table or WHOLE
    text = at.table or _main_name(at.study)
    at.add_chip("table", text, lambda: at.offer(choices, now, put))


def _main_name(study: Study) -> str:
    return tr("RowsSentence", "the main table ({0})").format(words.names(study).rows)


def _with_cases(study: Study) -> Iterator[str]:
    return (table.name for table in study.tables if table.case)


def _where(at: StepSentence, step: OfPerson | OfCase | BesideRow) -> None:
    if step.where:
        at.word(tr("RowsSentence", "where"))
    _conditions(at, step)


def _conditions(at: StepSentence, step: OfPerson | OfCase | BesideRow) -> None:
    table = at.study.homes.get(step.by, MAIN) if isinstance(step, BesideRow) else step.table

    at.add_conditions(
        step.where,
        lambda where: replace(step, where=where),
        lambda: _choices(at, _ANY, table),
        lambda _place: at.word(tr("RowsSentence", "and")),
        step.what in ("any", "all", "before"),
    )


OF_MANY_ROWS: Final = (
    StepDeclaration(
        "person", "people", lambda: tr("Steps", "Of a person"), _of_rows, OfPerson("count")
    ),
    StepDeclaration(
        "beside",
        "table",
        lambda: tr("Steps", "Beside a row"),
        _beside_row,
        BesideRow("previous", "", ""),
        (DateColumn,),
        lambda _study, name: BesideRow("previous", name, name),
    ),
    StepDeclaration(
        "case",
        "copy",
        lambda: tr("Steps", "Of a case"),
        _of_rows,
        OfCase("count"),
        begin=lambda study, _name: OfCase("count", table=next(_with_cases(study), "")),
        is_of_use=lambda study: any(_with_cases(study)),
    ),
)
