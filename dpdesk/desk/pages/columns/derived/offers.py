# SPDX-License-Identifier: Apache-2.0
"""Columns that are one press away from another one, by its name and kind; never by the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_groups import has_many_values
from dpdesk.desk.pages.columns.derived import derived_edits
from dpdesk.desk.pages.columns.derived.derived_edits import free_name, of_kinds
from dpdesk.desk.text import suggestion_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
    group_labels,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.steps.step import (
    BesideRow,
    CodePrefix,
    OfCase,
    OfPerson,
    Step,
    TimeBetween,
)
from dpdesk.study.suggest.code_lists import CodeList, code_lists_for
from dpdesk.study.text.titles import in_sentence

MOST_LISTS = 2


@dataclass(frozen=True)
class Offer:
    """A column that somebody may want.

    Attributes:
        text: what is pressed.
        column: the column as the dialog begins with it: its title is its name to be.
        needs: columns that it is made of and that are declared with it.
    """

    text: str
    column: Column
    needs: tuple[Column, ...] = ()


def offers(name: str, column: Column | None, state: DeskState) -> tuple[Offer, ...]:
    """What may be made from a column of the study or its files."""
    found = () if column is None else _of_many(column, state)
    if isinstance(column, DateColumn):
        return (*found, *_of_date(column, state), *_since(column, state))
    if isinstance(column, YesNoColumn) and not found:
        return _ever(column, state)
    is_read = column is None or column.made_from is None
    is_there = name in state.header or name in state.further
    return (*found, *_of_codes(name, column, state)) if is_read and is_there else found


def _of_many(column: Column, state: DeskState) -> tuple[Offer, ...]:
    """One value of the many that a person, or a case, has of a column."""
    if not has_many_values(state, column):
        return ()
    study, name = state.study, column.name
    table = study.table(study.homes[name])
    if table is None:
        return ()
    by_case = bool(table.case) and study.unit is not None and bool(study.unit.case)
    made = partial(OfCase if by_case else OfPerson, table=table.name)
    shown = column_title(column)
    dates = [c for c in of_kinds(study, DateColumn) if study.homes[c.name] == table.name]
    found: list[tuple[str, Step]] = []
    if dates:
        by = next((c.name for c in dates if c.name != name), dates[0].name)
        found.append((tr("Offers", "First {0}").format(shown), made("first", name, by=by)))
    if isinstance(column, NumberColumn):
        found.append((tr("Offers", "Mean {0}").format(shown), made("mean", name)))
    elif groups := group_labels(column):
        value = column.yes[0] if isinstance(column, YesNoColumn) else groups[0]
        holds = (IsIn(name, (value,)),)
        found.append((tr("Offers", "Any {0}").format(shown), made("any", where=holds)))
    counted = tr("Offers", "Number of rows of {0}").format(table.name)
    found.append((counted, made("count")))
    return tuple(_titled(title, step, state) for title, step in found)


def _titled(title: str, step: Step, state: DeskState) -> Offer:
    made = derived_edits.column_of(step, state.study, "")
    return Offer(f"{title}…", replace(made, title=title))


def _of_date(column: DateColumn, state: DeskState) -> tuple[Offer, ...]:
    found: list[tuple[str, Step]] = []
    if stay := derived_edits.stay_of(state.study, column.name):
        found.append((tr("Offers", "Length of stay"), stay))
    if age := derived_edits.age_at(state.study, column.name):
        event = words.title_of(state.study, str(age.between[1]))
        found.append((tr("Offers", "Age at {0}").format(event), age))
    return tuple(_titled(title, step, state) for title, step in found)


def _since(column: DateColumn, state: DeskState) -> tuple[Offer, ...]:
    """The days since the person's row before: a readmission is in no file."""
    study = state.study
    pair = derived_edits.since_previous(study, column.name)
    if pair is None or not derived_edits.has_rows_of_people(study, column):
        return ()
    begins, ends = pair
    whose = words.title_of(study, ends)
    named = free_name(study, state.header, tr("Offers", "Previous {0}").format(whose))
    before = derived_edits.column_of(BesideRow("previous", begins, ends), study, named)
    made_of = replace(state, study=derived_edits.put_column(study, before))
    title = tr("Offers", "Days since the previous {0}").format(whose)
    offer = _titled(title, TimeBetween((named, begins)), made_of)
    return (replace(offer, needs=(before,)),)


def _ever(column: YesNoColumn, state: DeskState) -> tuple[Offer, ...]:
    """Whether any of a person's rows says yes."""
    study = state.study
    if not column.yes or not derived_edits.has_rows_of_people(study, column):
        return ()
    table = study.homes[column.name]
    step = OfPerson("any", where=(IsIn(column.name, column.yes[:1]),), table=table)
    said = in_sentence(column_title(column))
    offer = _titled(tr("Offers", "Ever {0}").format(said), step, state)
    template = tr("Offers", "Ever {0}, by {1}…")
    return (replace(offer, text=template.format(said, words.names(study).person)),)


def _of_codes(name: str, column: Column | None, state: DeskState) -> tuple[Offer, ...]:
    unit = state.study.unit
    if unit is not None and unit.person == name:
        return ()
    title = "" if column is None else column.title
    header = state.place_of(name)[1]
    found = sorted(code_lists_for(header, title), key=_order)[:MOST_LISTS]
    whose = header if column is None else column_title(column)
    return tuple(_by_list(name, whose, one, state) for one in found)


def _order(codes: CodeList) -> tuple[bool, bool]:
    """Chapters before groups, and the edition of the desk's language before others."""
    is_gm = "-gm-" in codes.key
    return not codes.key.endswith(("chapters", "level-1")), is_gm != suggestion_words.is_german()


def _by_list(name: str, whose: str, codes: CodeList, state: DeskState) -> Offer:
    table, header = state.place_of(name)
    step = derived_edits.by_list(CodePrefix(header, ()), codes)
    made = replace(derived_edits.column_of(step, state.study, ""), table=table)
    if isinstance(made, CategoryColumn):
        made = derived_edits.with_list(made, codes, suggestion_words.is_german())
    called = suggestion_words.called_list(codes)
    return Offer(f"{called}…", replace(made, title=f"{whose}, {called}"))
