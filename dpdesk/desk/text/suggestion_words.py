# SPDX-License-Identifier: Apache-2.0
"""What a column's name suggests, and how each proposal reads."""

from __future__ import annotations

import re
from dataclasses import replace

from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import SUGGESTED, CategoryColumn, Column, NumberColumn
from dpdesk.study.model.text_folding import FOLDED
from dpdesk.study.suggest.categories import CategoryList, suggest_categories
from dpdesk.study.suggest.code_lists import CodeList
from dpdesk.study.suggest.range_match import Suggestion, remembered_ranges
from dpdesk.texts import range_notes

Proposal = Suggestion | CategoryList
MOST_VALUES = 6


def proposals(column: Column) -> tuple[CategoryList, ...]:
    """The lists that fit a column whose values are not declared; nothing for any other.

    Those of the window's language come first.
    """
    if isinstance(column, CategoryColumn) and not column.values:
        own = catalogue().language
        found = suggest_categories(column.in_file or column.name, column.title)
        return tuple(sorted(found, key=lambda one: one.language != own))
    return ()


def kind_by_name(name: str, proposed: str) -> str:
    """The first guess of a kind, or number where nothing but a range is known for the name."""
    has_range = proposed == "category" and remembered_ranges(name, "", "")
    return "number" if has_range and not suggest_categories(name) else proposed


def accept(column: Column, proposal: Proposal) -> Column:
    """The column as the proposal declares it; a unit that somebody typed stays as it is."""
    if isinstance(column, NumberColumn) and isinstance(proposal, Suggestion):
        return replace(
            column,
            lower=proposal.lower,
            upper=proposal.upper,
            step=proposal.step,
            label=column.label or unit_text(proposal.unit),
            basis=proposal.basis,
            origin=SUGGESTED,
        )
    if isinstance(column, CategoryColumn) and isinstance(proposal, CategoryList):
        return replace(
            column,
            values=proposal.values,
            labels=(),
            basis=proposal.basis,
            origin=SUGGESTED,
            compare=FOLDED,
        )
    return column


def sentence(proposal: Proposal) -> str:
    """Name, range or values, and whom they are from."""
    if isinstance(proposal, CategoryList):
        template = tr("Suggestion", "{0}, {1} ({2})")
        listed = _listed(proposal.values)
        return template.format(called(proposal), listed, from_whom(proposal))
    template = tr("Suggestion", "{0}: {1} to {2} {3} ({4})")
    bounds = (words.localised(words.plain(v)) for v in (proposal.lower, proposal.upper))
    name, unit = called(proposal), unit_text(proposal.unit)
    return template.format(name, *bounds, unit, from_whom(proposal))


def second_line(proposal: Proposal) -> str:
    """What to know before accepting it."""
    note = note_text(proposal.note)
    if isinstance(proposal, CategoryList):
        alike = tr("Suggestion", "Case and spaces around a value make no difference.")
        note = f"{alike} {note}"
    if isinstance(proposal, Suggestion) and proposal.unit and not proposal.unit_is_stated:
        template = tr("Suggestion", "Only if the file gives it in {0}.")
        note = f"{template.format(unit_text(proposal.unit))} {note}"
    return note.strip()


def _listed(values: tuple[str, ...]) -> str:
    """The first values, and how many there are in all."""
    shown = ", ".join(values[:MOST_VALUES])
    count = len(values)
    whole = tr("Suggestion", "%n value(s): {0}", "", count)
    cut = tr("Suggestion", "%n value(s): {0}, …", "", count)
    return (whole if count <= MOST_VALUES else cut).format(shown)


def from_whom(proposal: Proposal) -> str:
    """The name before a source's details, which stand whole in the basis and the tooltip."""
    return re.split(r"[,:;]", proposal.source, maxsplit=1)[0].strip()


# --- the tables in the desk's language ------------------------------------------------------------


def called(proposal: Proposal) -> str:
    """What a column is taken for."""
    return proposal.german if is_german() else proposal.english


def is_german() -> bool:
    """Whether the desk speaks German: public lists have their names in it and in English."""
    return tr("Language", "en") == "de"


def called_list(codes: CodeList) -> str:
    """What a public list of codes is called."""
    return codes.german if is_german() else codes.english


def unit_text(text: str) -> str:
    """A unit that is a word, in the desk's language; signs are the same in all."""
    said = {
        "days": tr("Suggestion", "days"),
        "hours": tr("Suggestion", "hours"),
        "weeks": tr("Suggestion", "weeks"),
        "months": tr("Suggestion", "months"),
        "years": tr("Suggestion", "years"),
        "points": tr("Suggestion", "points"),
        "fraction": tr("Suggestion", "fraction"),
        "ratio": tr("Suggestion", "ratio"),
    }
    return said.get(text, text)


def note_text(text: str) -> str:
    """What to know before a proposal is accepted, with numbers as the language writes them."""
    return range_notes.said(text, catalogue(), words.localised)
