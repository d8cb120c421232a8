# SPDX-License-Identifier: Apache-2.0
"""The sentences of what is made of several rows: of a person, beside a row, of a case."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
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
    OfRows,
    PersonValue,
    RowNeighbour,
    Step,
)
from dpdesk.study.model.tables import MAIN, PEOPLE

if TYPE_CHECKING:
    from dpdesk.desk.pages.columns.derived.step_sentence import StepSentence

_ANY: tuple[type[Column], ...] = (NumberColumn, CategoryColumn, YesNoColumn, DateColumn)
_NUMBER, _MEASURED = (NumberColumn,), (NumberColumn, DateColumn)
OF_KIND: dict[str, tuple[type[Column], ...]] = {
    "sum": _NUMBER,
    "mean": _NUMBER,
    "smallest": _MEASURED,
    "largest": _MEASURED,
    "days": (DateColumn,),
    "most-frequent": (CategoryColumn, YesNoColumn),
}
"""The kinds of column that a value is taken of; of the others every kind."""
CASE, WHOLE = "\0case", "\0whole"


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


def of_rows(at: StepSentence, step: OfRows) -> None:
    """[First] [HbA1c] by [date of the sample] of a patient in [labs], where [...]."""
    values = person_values()
    at.choice_chip("what", values, step.what, lambda what: _other_value(at.study, step, what))
    if step.what not in WITHOUT_COLUMN:
        kinds = OF_KIND.get(step.what, _ANY)
        _column_chip(
            at, "column", step.column, kinds, step.table, lambda c: replace(step, column=c)
        )
    if step.what in IN_ORDER:
        at.word(tr("RowsSentence", "by"))
        put = partial(_with, step, "by")
        _column_chip(at, "by", step.by, (DateColumn,), step.table, put, with_people=False)
    if step.what in ("any", "all"):
        _conditions(at, step)
    names = words.names(at.study)
    whose = names.row if isinstance(step, OfCase) else names.person
    at.word(tr("RowsSentence", "of one {0}").format(whose))
    _table_chip(at, step)
    if step.what not in ("any", "all"):
        _where(at, step)


def beside_row(at: StepSentence, step: BesideRow) -> None:
    """[Previous] [discharge] of the same patient, by [admission]."""
    values = row_neighbours()
    at.choice_chip("what", values, step.what, lambda what: _other_neighbour(at.study, step, what))
    home = at.study.homes.get(step.by, MAIN)
    if step.what in ("previous", "next"):
        _column_chip(at, "column", step.column, _ANY, home, partial(_with, step, "column"))
    if step.what == "before":
        _conditions(at, step)
    at.word(tr("RowsSentence", "of the same {0}, by").format(words.names(at.study).person))
    dates = _choices(at, (DateColumn,), None)
    at.add_chip(
        "by",
        at.title(step.by),
        lambda: at.offer(dates, step.by, lambda c: at.changed.emit(replace(step, by=c))),
    )
    if step.what != "before":
        _where(at, step)


def _with(step: OfRows | BesideRow, key: str, name: str) -> OfRows | BesideRow:
    changed: dict[str, Any] = {key: name}
    return replace(step, **changed)


def _other_value(study: Study, step: OfRows, what: Any) -> OfRows:
    """Another value of the same rows; what the new one has no place for goes."""
    column = study.column(step.column)
    keeps = what not in WITHOUT_COLUMN and isinstance(column, OF_KIND.get(what, _ANY))
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
    name: str | None,
    kinds: tuple[type[Column], ...],
    table: str,
    put: Any,
    with_people: bool = True,
) -> None:
    def pressed() -> None:
        found = _choices(at, kinds, table, with_people)
        at.offer(found, name or "", lambda chosen: at.changed.emit(put(chosen)))

    at.add_chip(key, at.title(name or ""), pressed)


def _table_chip(at: StepSentence, step: OfRows) -> None:
    """Whose rows they are, where the study has further tables of many rows."""
    further = [one.name for one in at.study.tables if not one.is_of_people]
    if isinstance(step, OfCase):
        further = [one.name for one in at.study.tables if one.case]
    elif not further:
        return
    at.word(tr("RowsSentence", "in"))
    main = [] if isinstance(step, OfCase) else [Choice(WHOLE, _main_name(at.study))]
    choices = [*main, *(Choice(name, name) for name in further)]

    def put(chosen: str) -> None:
        table = MAIN if chosen == WHOLE else chosen
        if table != step.table:
            bare = replace(step, table=table, column=None, by=None, where=())
            at.changed.emit(_other_value(at.study, bare, step.what))

    now = step.table or WHOLE
    text = step.table or _main_name(at.study)
    at.add_chip("table", text, lambda: at.offer(choices, now, put))


def _main_name(study: Study) -> str:
    return tr("RowsSentence", "the main table ({0})").format(words.names(study).rows)


def _where(at: StepSentence, step: OfRows | BesideRow) -> None:
    if step.where:
        at.word(tr("RowsSentence", "where"))
    _conditions(at, step)


def _conditions(at: StepSentence, step: OfRows | BesideRow) -> None:
    for place, condition in enumerate(step.where):
        if place:
            at.word(tr("RowsSentence", "and"))
        text = words.condition(at.study, condition)
        at.add_chip(f"where-{place}", text, partial(at.ask_condition, place))
    plus = tr("RowsSentence", "Add a condition")
    needs = step.what in ("any", "all", "before") and not step.where
    text = tr("RowsSentence", "add a condition") if needs else "+"
    at.add_chip("add", text, lambda: at.ask_condition(len(step.where)), plus)


def rows_of(study: Study, step: Step) -> str | None:
    """The table whose rows a step sees; ``None`` where it sees one row alone."""
    if isinstance(step, OfRows):
        return step.table
    return study.homes.get(step.by, MAIN) if isinstance(step, BesideRow) else None
