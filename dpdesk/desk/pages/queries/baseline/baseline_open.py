# SPDX-License-Identifier: Apache-2.0
"""What the open card of a Table 1 shows: title, sentence, characteristics, what is wrong, price."""

from __future__ import annotations

from PySide6.QtCore import Qt

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.asked_card import OpenPart
from dpdesk.desk.pages.queries.baseline.baseline_price import BaselinePrice
from dpdesk.desk.pages.queries.baseline.baseline_sentence import BaselineSentence
from dpdesk.desk.pages.queries.baseline.characteristics import Characteristics
from dpdesk.desk.text import weak_words, words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.privacy.planning.remedies import Remedy
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.problem import Problem


class OpenBaseline(OpenPart):
    """All that can be set of a Table 1."""

    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self.sentence = BaselineSentence()
        self.characteristics = Characteristics()
        self.price = BaselinePrice()
        self.weak = Banner(Tone.ATTENTION, stands_out=True)
        self._trouble = Banner(Tone.ERROR)
        self._trouble.hide()
        self._remedy: Remedy | None = None
        self._build()
        self.sentence.table_changed.connect(lambda table: self.changed.emit(table, ""))
        self.characteristics.changed.connect(lambda table: self.changed.emit(table, ""))
        self.price.changed.connect(self.changed)
        self.weak.action_pressed.connect(self._help)

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self.title, 1)
        head.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        column.addWidget(self.sentence)
        column.addWidget(self._trouble)
        column.addWidget(self.characteristics)
        column.addWidget(self.weak)
        one_price = self.tr(
            "One price for the whole table: one characteristic more makes every figure less "
            "accurate, not the table dearer. Margins are of one group, 95 times in 100."
        )
        column.addWidget(quiet(one_price))
        column.addWidget(self.price)

    def show_table(self, state: DeskState, table: BaselineTable) -> None:
        """Show a table, and each problem where it can be fixed."""
        self.title.show_title(table.title, baseline_words.title(state.study, table))
        called = baseline_words.asked_title(state.study, table)
        self.more.setAccessibleName(self.tr("More for {0}").format(called))
        self.sentence.show_table(state, table)
        self.price.show_table(state, table)
        of_rows, others = _placed(state.query_problems(table.id))
        self.characteristics.show_table(state, table, of_rows)
        # What its field says is not said above it, too: that would move the field from the hand.
        said = {"share-not-set"} if self.price.is_share_wrong else set()
        text = " ".join(words.problem_sentence(p) for p in others if p.code not in said)
        if text != self._trouble.accessibleName():
            self._trouble.say("", text)
        self._trouble.setVisible(bool(text))
        self._render_weak(state, table)

    def _render_weak(self, state: DeskState, table: BaselineTable) -> None:
        """Say what is weak first; what was answered is paid for, and nothing makes it better."""
        found = () if state.is_answered(table) else state.weak_of(table.id)
        self._remedy = found[0].remedy if found else None
        if found:
            part = state.study.query(found[0].query)
            lead = baseline_words.part_title(state.study, part) if part is not None else ""
            said = f"{weak_words.first(state.study, found[0])} "
            self.weak.say(f"{lead}:", said + weak_words.rest(state.study, found[0]))
            self.weak.set_action(weak_words.action(state.study, found[0]))
        self.weak.setVisible(bool(found))

    def _help(self) -> None:
        """Make the change that helps, or go where something must be typed."""
        if self._remedy is not None and self._remedy.study is not None:
            self.helped.emit(self._remedy.study)
        else:
            self.price.ask_size()


def _placed(problems: tuple[Problem, ...]) -> tuple[dict[int, str], list[Problem]]:
    """The sentences about one characteristic by its place, and all other problems."""
    of_rows: dict[int, list[str]] = {}
    others = []
    for problem in problems:
        place = problem.path.partition(".characteristics[")[2].partition("]")[0]
        if place:
            of_rows.setdefault(int(place), []).append(words.problem_sentence(problem))
        else:
            others.append(problem)
    return {place: " ".join(dict.fromkeys(said)) for place, said in of_rows.items()}, others
