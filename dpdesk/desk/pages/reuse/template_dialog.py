# SPDX-License-Identifier: Apache-2.0
"""Queries from a template of a usual release: which one, of which columns, for how much."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from dpdesk.desk.core.edits.study_edits import as_measure
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.text.template_words import template_contents, template_names
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.checks.study_checks import check_queries
from dpdesk.study.model.amount import Epsilon, Share
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem
from dpdesk.study.reuse.templates import (
    TEMPLATES,
    Chosen,
    Slot,
    Template,
    fitting,
    is_ready,
    proposed_columns,
    template_queries,
)

WIDTH = 680
SHOWN = 2
"""So many columns are named on a chip; of more it is said how many."""
NOTHING = "\0nothing"
WITHOUT_ACCOUNT = Epsilon.of(1)
"""What is shared out where no account says how much is left."""


class TemplateDialog(Dialog):
    """Asks for a template and its columns; nothing changes before it is accepted.

    Args:
        window: the window to dim.
        state: what the desk shows.
        wanted: the template to begin with; empty for the first that has its columns.


    Signals:
        decided: the queries.
    """

    decided = Signal(object)

    def __init__(self, window: QWidget, state: DeskState, wanted: str = "") -> None:
        title = tr("TemplateDialog", "Queries from a template")
        text = tr(
            "TemplateDialog",
            "Choose a usual release and its columns. No data is read, and nothing is spent.",
        )
        super().__init__(window, title, text, "table", width=WIDTH)
        self._state = state
        self._template = TEMPLATES[0]
        self._chosen: dict[str, tuple[str, ...]] = {}
        self.made: tuple[Query, ...] = ()
        self.cards = {
            key: OptionCard(name, template_contents()[key])
            for key, name in template_names().items()
        }
        self.chips = {key: Chip(name) for key, name in self._slot_names().items()}
        self.popup: ChoicePopup | None = None
        self._columns = FlowLayout()
        self.total = LineField(self.tr("Spend in &total"), self._left())
        self.list = quiet()
        self.note = Remark(Type.TEXT, Role.TEXT)
        self._build()
        first = next((t for t in TEMPLATES if is_ready(state.study, t)), TEMPLATES[0])
        self._pick(next((t for t in TEMPLATES if t.name == wanted), first))
        if self.made:
            self.ok.setFocus()  # Undo takes all of it back

    def _slot_names(self) -> dict[str, str]:
        return {
            "compared": self.tr("Groups"),
            "date": self.tr("Over time by"),
            "unit": self.tr("For each"),
            "outcomes": self.tr("Outcomes"),
            "measures": self.tr("Means of"),
            "splits": self.tr("Split by"),
            "characteristics": self.tr("Characteristics"),
        }

    def _build(self) -> None:
        group = QButtonGroup(self)
        for template in TEMPLATES:
            card = self.cards[template.name]
            group.addButton(card)
            card.clicked.connect(partial(self._pick, template))
            self.body.addWidget(card)
        for key, chip in self.chips.items():
            chip.clicked.connect(partial(self._offer, key))
            self._columns.addWidget(chip)
        self.body.addLayout(self._columns)
        self.body.addWidget(self.total)
        box = Card(fill=Role.INSET)
        box.body.addWidget(self.note)
        box.body.addWidget(self.list)
        self.body.addWidget(box)
        self.total.edited.connect(lambda _text: self._show())
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Add the queries"))

    # --- what is chosen -------------------------------------------------------------------------

    def _pick(self, template: Template) -> None:
        """Begin with the columns that fit a template, and its part of the budget."""
        self._template = template
        self.cards[template.name].setChecked(True)
        self._chosen = dict(proposed_columns(self._state.study, template))
        asked = {slot.key for slot in template.slots}
        for key, chip in self.chips.items():
            chip.setVisible(key in asked)
        self.total.set_text(words.amount(self._proposed_total()))
        self._show()

    def _proposed_total(self) -> Share:
        left = self._most()
        units = left.units * self._template.portion.numerator // self._template.portion.denominator
        step = int(10 ** max(0, len(str(units)) - 2))
        return type(left)(units // step * step)

    def _most(self) -> Share:
        """What may still be spent: of the account, and by the study's own limit."""
        state = self._state
        limit = state.study.budget.limit if state.study.budget else None
        if state.account is None:
            return limit or as_measure(WITHOUT_ACCOUNT, state.measure)
        left = state.account.left
        is_less = limit is not None and limit.measure == left.measure and limit.units < left.units
        return limit if limit is not None and is_less else left

    def _left(self) -> str:
        account = self._state.account
        if account is None:
            return ""
        return self.tr("{0} remains in the account.").format(words.budget(account.left))

    def _offer(self, key: str) -> None:
        slot = next(slot for slot in self._template.slots if slot.key == key)
        columns = fitting(self._state.study, slot)
        choices = [Choice(column.name, column_title(column)) for column in columns]
        if not slot.several and not slot.needed:
            choices.append(Choice(NOTHING, self.tr("None"), "cross"))
        if not choices:
            text = self.tr("No declared column fits; declare one in Columns.")
            choices = [Choice(NOTHING, text, enabled=False)]
        picked = self._chosen.get(slot.key, ())
        about = self.chips[slot.key].label
        self.popup = ChoicePopup(choices, picked, slot.several, self, about=about)
        self.popup.chosen.connect(partial(self._choose, slot))
        self.popup.open_under(self.chips[slot.key])

    def _choose(self, slot: Slot, names: tuple[str, ...]) -> None:
        self._chosen[slot.key] = tuple(name for name in names if name != NOTHING)
        self._show()

    # --- what comes of it -----------------------------------------------------------------------

    def _show(self) -> None:
        for slot in self._template.slots:
            self.chips[slot.key].set_value(self._named(self._chosen.get(slot.key, ())))
        total = typed_numbers.share_from_text(self._most().measure, self.total.text)
        problem = Problem("$.total", total) if isinstance(total, str) else None
        self.total.set_error("" if problem is None else words.problem_sentence(problem))
        self.made = () if isinstance(total, str) else self._queries(self._chosen, total)
        why = self._why_not()
        added = self.tr("%n quer(y|ies) (is|are) added:", "", len(self.made))
        self.note.say(why or added, Tone.ATTENTION if why else None)
        study = replace(self._state.study, queries=self.made)
        lines = (
            f"{words.query_title(study, query)}  \N{MIDDLE DOT}  {words.amount(query.share)}"
            for query in self.made
            if query.share is not None
        )
        self.list.setText("\n".join(lines))
        self.list.setVisible(bool(self.made))
        self.ok.setEnabled(bool(self.made) and not why and problem is None)

    def _queries(self, chosen: Chosen, total: Share) -> tuple[Query, ...]:
        if self._template.missing(chosen):
            return ()
        return template_queries(self._state.study, self._template, chosen, total)

    def _named(self, names: tuple[str, ...]) -> str:
        study = self._state.study
        titles = [words.title_of(study, name) for name in names]
        if not titles:
            return self.tr("none")
        shown = ", ".join(titles[:SHOWN])
        more = len(titles) - SHOWN
        return shown if more <= 0 else f"{shown} {self.tr('and %n more', '', more)}"

    def _why_not(self) -> str:
        """Why the queries cannot be added; empty where they can."""
        missing = self._template.missing(self._chosen)
        if missing:
            slot = next(slot for slot in self._template.slots if slot.key == missing[0])
            text = self.tr("“{0}” needs a category or a yes/no column: declare one in Columns.")
            if slot.kinds == ("date",):
                text = self.tr("“{0}” needs a date: declare a column as one in Columns.")
            return text.format(self._slot_names()[missing[0]])
        # As the study will be: each query by itself, and all of them together.
        study = self._state.study
        before = len(study.queries)
        whole = replace(study, queries=(*study.queries, *self.made))
        wrong = [
            problem
            for problem in check_queries(whole)
            if not problem.path.startswith("$.queries[")
            or int(problem.path.removeprefix("$.queries[").split("]")[0]) >= before
        ]
        return words.problem_sentence(wrong[0]) if wrong else ""

    def accept(self) -> None:
        if not self.ok.isEnabled():
            return
        queries = self.made
        super().accept()
        self.decided.emit(queries)
