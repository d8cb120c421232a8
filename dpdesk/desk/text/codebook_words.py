# SPDX-License-Identifier: Apache-2.0
"""How the lines of a codebook's comparison read: what would be declared, beside what is."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.sources import stated_source
from dpdesk.desk.text import times, words
from dpdesk.desk.text.times import NO_BREAK
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.text_folding import FOLDED

MOST_VALUES = 4
MOST_MARKERS = 6
NOTHING = "–"

_ICONS = {
    "new": ("plus", Role.ACCENT),
    "differs": ("swap", Role.WARN),
    "same": ("equals", Role.TEXT_QUIET),
    "not-in-file": ("cross-circle", Role.TEXT_QUIET),
    "not-in-codebook": ("minus", Role.TEXT_QUIET),
    "person": ("key", Role.TEXT_QUIET),
    "nothing-proposed": ("minus", Role.TEXT_QUIET),
}


@dataclass(frozen=True)
class DeclarationText:
    """A declaration in two short lines: its kind and domain, and what else it says."""

    first: str
    second: str = ""


@dataclass(frozen=True)
class CodebookLine:
    """One variable of the comparison, in words.

    Attributes:
        name: the variable.
        mark: how the two compare.
        icon, role: the mark's icon and its colour.
        proposed, now: the two declarations.
        below: sentences on what would change and what could not be carried over.
    """

    name: str
    mark: str
    icon: str
    role: Role
    proposed: DeclarationText
    now: DeclarationText
    below: tuple[str, ...] = ()

    @property
    def accessible_text(self) -> str:
        """The whole line for a screen reader."""
        proposed = tr("Codebook", "would be declared: {0}")
        now = tr("Codebook", "declared now: {0}")
        parts = [self.name, self.mark]
        parts += [proposed.format(_joined(self.proposed))] if self.proposed.first else []
        parts += [now.format(_joined(self.now))] if self.now.first else []
        return ". ".join([", ".join(parts), *self.below])


def line_of(change: Change) -> CodebookLine:
    icon, role = _ICONS[change.state]
    differs = change.state == "differs"  # the source of what is new is the codebook
    proposed = DeclarationText("")
    if change.proposed is not None:
        proposed = side(change.proposed, with_basis=differs)
    if change.state == "same":
        proposed = DeclarationText(tr("Codebook", "As it is declared"))
    now = DeclarationText("") if change.declared is None else side(change.declared, with_basis=True)
    return CodebookLine(
        change.name, mark(change), icon, role, proposed, now, (*_below(change), *_notes(change))
    )


def mark(change: Change) -> str:
    """How a codebook and the study compare in one variable."""
    marks = {
        "new": tr("Codebook", "New"),
        "differs": tr("Codebook", "Changes"),
        "same": tr("Codebook", "The same"),
        "not-in-file": tr("Codebook", "Not in the data file"),
        "not-in-codebook": tr("Codebook", "Not in the codebook"),
        "person": tr("Codebook", "Person ID column"),
        "nothing-proposed": tr("Codebook", "Nothing to declare"),
    }
    return marks[change.state]


def side(column: Column, with_basis: bool = False) -> DeclarationText:
    """A declaration in two lines."""
    sentences = [words.made_from(Study(), column)] if column.made_from is not None else []
    if column_title(column) != column.name:
        sentences.append(tr("Codebook", "“{0}”").format(column.title))
    if column.missing_values:
        missing = tr("Codebook", "missing: {0}")
        sentences.append(missing.format(_some(column.missing_values, MOST_MARKERS)))
    if isinstance(column, CategoryColumn | YesNoColumn) and column.compare == FOLDED:
        sentences.append(tr("Codebook", "ignoring case and surrounding spaces"))
    if with_basis and (source := stated_source(column)):
        sentences.append(tr("Codebook", "source: {0}").format(source))
    return DeclarationText(domain(column), "; ".join(sentences))


def domain(column: Column) -> str:
    """Kind, and which values can occur."""
    if isinstance(column, NumberColumn):
        return _number(column)
    if isinstance(column, CategoryColumn):
        return _category(column)
    if isinstance(column, YesNoColumn):
        return _yes_no(column)
    return _date(column)


def _number(column: NumberColumn) -> str:
    range_ = _range(_plain(column.lower), _plain(column.upper))
    with_unit = f"{range_} {column.label}".strip()
    if not range_:
        no_bounds = tr("Codebook", "no bounds")
        with_unit = ", ".join(part for part in (no_bounds, column.label) if part)
    if column.step is None:
        template = tr("Codebook", "Number, {0}")
        return template.format(with_unit)
    template = tr("Codebook", "Number, {0}, step {1}")
    return template.format(with_unit, _plain(column.step))


def _plain(value: Decimal | None) -> str:
    return "" if value is None else words.localised(words.plain(value))


def _range(low: str, high: str) -> str:
    if low and high:
        template = tr("Codebook", "{0} to {1}")
    elif low:
        template = tr("Codebook", "from {0}")
    else:
        template = tr("Codebook", "up to {1}") if high else ""
    return template.format(low, high)


def _category(column: CategoryColumn) -> str:
    if not column.values:
        return tr("Codebook", "Category, no values listed")
    named = len(column.labels) == len(column.values)
    pairs = zip(column.values, column.labels if named else column.values, strict=True)
    listed = [value if value == label else _pair(value, label) for value, label in pairs]
    template = tr("Codebook", "Category, %n value(s): {0}", "", len(column.values))
    return template.format(_some(tuple(listed), MOST_VALUES))


def _pair(value: str, label: str) -> str:
    """What is in the file and its name, kept on one line.

    >>> _pair("1", "male").split(" ")
    ['1\\xa0=\\xa0male']
    """
    return f"{value}{NO_BREAK}={NO_BREAK}{label}"


def _yes_no(column: YesNoColumn) -> str:
    if not column.yes or not column.no:
        return tr("Codebook", "Yes/no, texts not listed")
    template = tr("Codebook", "Yes/no, yes: {0}; no: {1}")
    return template.format(_some(column.yes, MOST_VALUES), _some(column.no, MOST_VALUES))


def _date(column: DateColumn) -> str:
    ends = [times.typed(day) for day in (column.first, column.last)]
    period = _range(*ends) or tr("Codebook", "no first and last day")
    return tr("Codebook", "Date, {0}, written {1}").format(period, times.form_shown(column.format))


def _some(texts: tuple[str, ...], most: int) -> str:
    # Dots for a single one would take as much room as it does.
    return ", ".join(texts if len(texts) <= most + 1 else (*texts[:most], "…"))


def _joined(found: DeclarationText) -> str:
    return "; ".join(text for text in (found.first, found.second) if text)


def _below(change: Change) -> list[str]:
    """What would change, and what to think of before it does."""
    result = []
    if change.state == "differs":
        template = tr("Codebook", "Would change: {0}.")
        names = dict.fromkeys(field_name(member.field) for member in change.members)
        result.append(template.format(", ".join(names)))
    if change.identifier and change.is_offered:
        result.append(
            tr(
                "Codebook",
                "The name or the codebook suggests that this column identifies people. Leave it "
                "out unless you are sure it does not.",
            )
        )
    return result


def _notes(change: Change) -> list[str]:
    """What could not be carried over; of what tells people apart, the mark says all."""
    notes = () if change.state == "person" else change.notes
    return list(dict.fromkeys(words.problem_sentence(note) for note in notes))


def called(codebook: Codebook) -> str:
    """What a codebook is called: that a plain table is one says nothing beside its name."""
    return codebook.file if codebook.kind == "plain" and codebook.file else codebook.basis


def field_name(field: str) -> str:
    """What a member of a declaration is called."""
    names = {
        "kind": tr("Codebook", "kind"),
        "title": tr("Codebook", "name in the release"),
        "label": tr("Codebook", "unit"),
        "lower": tr("Codebook", "lowest value"),
        "upper": tr("Codebook", "highest value"),
        "step": tr("Codebook", "step"),
        "values": tr("Codebook", "values"),
        "labels": tr("Codebook", "names of the values"),
        "yes": tr("Codebook", "what means yes"),
        "no": tr("Codebook", "what means no"),
        "first": tr("Codebook", "first day"),
        "last": tr("Codebook", "last day"),
        "format": tr("Codebook", "date format"),
        "pivot": tr("Codebook", "first year of two-digit years"),
        "decimal": tr("Codebook", "decimal mark"),
        "missing_values": tr("Codebook", "what means missing"),
        "compare": tr("Codebook", "how cells are compared"),
        "made_from": tr("Codebook", "how it is made"),
        "table": tr("Codebook", "table"),
        "in_file": tr("Codebook", "column of the file"),
        "reads": tr("Codebook", "cells read as numbers"),
    }
    return names.get(field, tr("Codebook", "rules for invalid cells"))
