# SPDX-License-Identifier: Apache-2.0
"""What the result can be: what is declared of each column, and what was worked out from it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.desk.pages.columns.derived import step_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.study.model.columns import Column, DateColumn, column_title, group_labels
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.result import result_of
from dpdesk.study.model.steps.step import TimeBetween

MOST_CARDS = 2


class ResultCards(QWidget):
    """A card for each of the columns, and one for the result.

    Attributes:
        result: the range or the values that were worked out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.result = ""
        self._row = QHBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)

    def show_column(self, column: Column, study: Study) -> None:
        """Show what a derived column is made of and what that gives."""
        empty(self._row)
        step = column.made_from
        if step is None:
            return
        # In the order of the sentence: the end minus the beginning.
        names = step.names[::-1] if isinstance(step, TimeBetween) else step.names
        made_of = [one for name in dict.fromkeys(names) if (one := study.column(name))]
        for one in made_of[:MOST_CARDS]:
            self._add(column_title(one), step_words.declared_range(one), self.tr("as declared"))
        if len(made_of) > MOST_CARDS:
            more = len(made_of) - MOST_CARDS
            self._add(self.tr("and %n more", "", more), "", "")
        result = result_of(step, study.by_name)
        found = step_words.result_range(result, step_words.unit_label(step))
        named = step_words.values_text(group_labels(column))
        days = step_words.declared_range(column) if isinstance(column, DateColumn) else ""
        self.result = named or found or days
        said = self.result or self.tr("not known yet")
        self._add(self.tr("Worked out"), said, self.tr("from what is declared"))

    def _add(self, first: str, middle: str, last: str) -> None:
        card = result_card(first, middle, last)
        self._row.addWidget(card, 1)
        card.show()


def result_card(first: str, middle: str, last: str) -> Card:
    """What a column is called, what it can be, and a remark; an empty one is left out."""
    card = Card()
    card.body.setContentsMargins(Space.CARDS, Space.SMALL, Space.CARDS, Space.SMALL)
    card.body.setSpacing(Space.HAIR)
    for label in (
        quiet(first),
        Label(middle, Type.TEXT, semibold=True, wrap=True),
        quiet(last),
    ):
        if label.text():
            card.body.addWidget(label)
    card.body.addStretch(1)
    card.setAccessibleName(": ".join(filter(None, (first, middle))))
    return card
