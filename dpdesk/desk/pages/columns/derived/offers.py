# SPDX-License-Identifier: Apache-2.0
"""Columns that are one press away from another one, by its name and kind; never by the data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.derived import derived_edits
from dpdesk.desk.pages.columns.derived.derived_edits import free_name
from dpdesk.desk.text import suggestion_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.steps.step import BesideRow, CodePrefix, OfPerson, TimeBetween
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
    """What may be made from a column of the study or its file."""
    if isinstance(column, DateColumn):
        return (*_of_date(column, state), *_since(column, state))
    if isinstance(column, YesNoColumn):
        return _ever(column, state)
    is_read = column is None or column.made_from is None
    return _of_codes(name, column, state) if is_read and name in state.header else ()


def _of_date(column: DateColumn, state: DeskState) -> tuple[Offer, ...]:
    found = []
    stay = derived_edits.stay_of(state.study, column.name)
    if stay is not None:
        named = tr("Offers", "Length of stay")
        made = derived_edits.column_of(stay, state.study, "")
        found.append(Offer(tr("Offers", "Length of stay…"), replace(made, title=named)))
    age = derived_edits.age_at(state.study, column.name)
    if age is not None:
        event = words.title_of(state.study, str(age.between[1]))
        named = tr("Offers", "Age at {0}").format(event)
        made = derived_edits.column_of(age, state.study, "")
        template = tr("Offers", "Age at {0}…")
        found.append(Offer(template.format(event), replace(made, title=named)))
    return tuple(found)


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
    made_of = derived_edits.put_column(study, before)
    since = derived_edits.column_of(TimeBetween((named, begins)), made_of, "")
    titled = replace(since, title=tr("Offers", "Days since the previous {0}").format(whose))
    template = tr("Offers", "Days since the previous {0}…")
    return (Offer(template.format(whose), titled, (before,)),)


def _ever(column: YesNoColumn, state: DeskState) -> tuple[Offer, ...]:
    """Whether any of a person's rows says yes."""
    study = state.study
    if not column.yes or not derived_edits.has_rows_of_people(study, column):
        return ()
    table = study.homes[column.name]
    step = OfPerson("any", where=(IsIn(column.name, column.yes[:1]),), table=table)
    made = derived_edits.column_of(step, study, "")
    said = in_sentence(column_title(column))
    titled = replace(made, title=tr("Offers", "Ever {0}").format(said))
    template = tr("Offers", "Ever {0}, by {1}…")
    return (Offer(template.format(said, words.names(study).person), titled),)


def _of_codes(name: str, column: Column | None, state: DeskState) -> tuple[Offer, ...]:
    unit = state.study.unit
    if unit is not None and unit.person == name:
        return ()
    title = "" if column is None else column.title
    found = sorted(code_lists_for(name, title), key=_order)[:MOST_LISTS]
    whose = name if column is None else column_title(column)
    return tuple(_by_list(name, whose, one, state) for one in found)


def _order(codes: CodeList) -> tuple[bool, bool]:
    """Chapters before groups, and the edition of the desk's language before others."""
    is_gm = "-gm-" in codes.key
    return not codes.key.endswith(("chapters", "level-1")), is_gm != suggestion_words.is_german()


def _by_list(name: str, whose: str, codes: CodeList, state: DeskState) -> Offer:
    step = derived_edits.by_list(CodePrefix(name, ()), codes)
    made = derived_edits.column_of(step, state.study, "")
    if isinstance(made, CategoryColumn):
        made = derived_edits.with_list(made, codes, suggestion_words.is_german())
    called = suggestion_words.called_list(codes)
    return Offer(f"{called}…", replace(made, title=f"{whose}, {called}"))
