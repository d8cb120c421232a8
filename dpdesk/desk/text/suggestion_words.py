# SPDX-License-Identifier: Apache-2.0
"""What a column's name suggests, and how each proposal reads."""

from __future__ import annotations

import re
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn
from dpdesk.study.model.comparison import FOLDED
from dpdesk.study.suggest.categories import CategoryList, suggest_categories
from dpdesk.study.suggest.range_match import Suggestion, suggest_ranges

Proposal = Suggestion | CategoryList
MOST_VALUES = 6


def proposals(column: Column) -> tuple[CategoryList, ...]:
    """The lists that fit a column whose values are not declared; nothing for any other."""
    if isinstance(column, CategoryColumn) and not column.values:
        return suggest_categories(column.name, column.title)
    return ()


def kind_by_name(name: str, proposed: str) -> str:
    """The first guess of a kind, or number where nothing but a range is known for the name."""
    is_number = proposed == "category" and suggest_ranges(name) and not suggest_categories(name)
    return "number" if is_number else proposed


def accept(column: Column, proposal: Proposal) -> Column:
    """The column as the proposal declares it; a unit that somebody typed stays as it is."""
    if isinstance(column, NumberColumn) and isinstance(proposal, Suggestion):
        return replace(
            column,
            lower=proposal.lower,
            upper=proposal.upper,
            step=proposal.step,
            label=column.label or proposal.unit,
            basis=proposal.basis,
        )
    if isinstance(column, CategoryColumn) and isinstance(proposal, CategoryList):
        return replace(
            column, values=proposal.values, labels=(), basis=proposal.basis, compare=FOLDED
        )
    return column


def sentence(proposal: Proposal) -> str:
    """Name, range or values, and whom they are from."""
    if isinstance(proposal, CategoryList):
        template = QCoreApplication.translate("Suggestion", "{0}, {1} ({2})")
        return template.format(proposal.english, _listed(proposal.values), from_whom(proposal))
    template = QCoreApplication.translate("Suggestion", "{0}: {1} to {2} {3} ({4})")
    bounds = (words.localised(words.plain(v)) for v in (proposal.lower, proposal.upper))
    return template.format(proposal.english, *bounds, proposal.unit, from_whom(proposal))


def second_line(proposal: Proposal) -> str:
    """What to know before accepting it."""
    note = proposal.note
    if isinstance(proposal, CategoryList):
        alike = QCoreApplication.translate("Suggestion", "Case and outer spaces count as equal.")
        note = f"{alike} {note}"
    if isinstance(proposal, Suggestion) and proposal.unit and not proposal.unit_is_stated:
        template = QCoreApplication.translate("Suggestion", "Only if the file gives it in {0}.")
        note = f"{template.format(proposal.unit)} {note}"
    return note.strip()


def _listed(values: tuple[str, ...]) -> str:
    """The first values, and how many there are in all."""
    shown = ", ".join(values[:MOST_VALUES])
    count = len(values)
    whole = QCoreApplication.translate("Suggestion", "%n value(s): {0}", "", count)
    cut = QCoreApplication.translate("Suggestion", "%n value(s): {0}, …", "", count)
    return (whole if count <= MOST_VALUES else cut).format(shown)


def from_whom(proposal: Proposal) -> str:
    """The name before a source's details, which stand whole in the basis and the tooltip."""
    return re.split(r"[,:;]", proposal.source, maxsplit=1)[0].strip()
