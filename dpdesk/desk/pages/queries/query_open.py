# SPDX-License-Identifier: Apache-2.0
"""What an open query's card shows: title, sentence, what is wrong or weak, and its accuracy."""

from __future__ import annotations

from PySide6.QtCore import Qt

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.asked_card import OpenPart
from dpdesk.desk.pages.queries.query_notes import BoundsFirst, CountedNote, ShareNote
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.desk.text import weak_words, words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.privacy.planning.remedies import Remedy
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem


class OpenQuery(OpenPart):
    """All that can be set of a query."""

    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self.sentence = QuerySentence()
        self.accuracy = QueryAccuracy()
        self.counted = CountedNote()
        self.first = BoundsFirst()
        self.whole = ShareNote()
        self.weak = Banner(Tone.ATTENTION, stands_out=True)
        self._trouble = Banner(Tone.ERROR)
        self._trouble.hide()
        self._remedy: Remedy | None = None
        self._asked: object = None
        self._build()
        self.sentence.changed.connect(self.changed)
        self.accuracy.changed.connect(self.changed)
        self.weak.action_pressed.connect(self._help)
        self.whole.counted.connect(self.helped)

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self.title, 1)
        head.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        column.addWidget(self.sentence)
        column.addWidget(self._trouble)
        column.addWidget(self.first)
        column.addWidget(self.counted)
        column.addWidget(self.whole)
        column.addWidget(self.weak)
        column.addWidget(self.accuracy)

    def show_query(self, state: DeskState, query: Query, problems: tuple[Problem, ...]) -> None:
        self._show_question(state, query)
        self.accuracy.show_query(state, query)
        # What its field says is not said above it, too: that would move the field from the hand.
        said = {"share-not-set"} if problems and self.accuracy.is_share_wrong else set()
        text = " ".join(words.problem_sentence(p) for p in problems if p.code not in said)
        if text != self._trouble.accessibleName():
            self._trouble.say("", text)
            self._trouble.setVisible(bool(text))
        self._render_weak(state, query)

    def _show_question(self, state: DeskState, query: Query) -> None:
        """What it asks, and what is to be known of that; no share and no budget changes it."""
        study = state.study
        self.sentence.show_query(state, query)  # which edits the query of now
        if query.declaration.finds == "bounds":
            self.first.show_query(state, query)  # other queries wait for them
        question = (query.unpriced, query.id in state.answered)
        asked = (question, study.columns, study.unit, study.data)
        if asked == self._asked:
            return
        self._asked = asked
        self.title.show_title(query.title, words.sentence(study, query))
        called = words.query_title(study, query)
        self.more.setAccessibleName(self.tr("More for {0}").format(called))
        self.first.show_query(state, query)
        self.counted.show_query(state, query)
        self.whole.show_query(state, query)

    def _render_weak(self, state: DeskState, query: Query) -> None:
        """Say what is weak; what was answered is paid for, and nothing makes it better."""
        weaknesses = state.weak_of(query.id) if query.id not in state.answered else ()
        self._remedy = weaknesses[0].remedy if weaknesses else None
        if weaknesses:
            self.weak.say(
                weak_words.first(state.study, weaknesses[0]),
                weak_words.rest(state.study, weaknesses[0]),
            )
            self.weak.set_action(weak_words.action(state.study, weaknesses[0]))
        self.weak.setVisible(bool(weaknesses))

    def _help(self) -> None:
        """Make the change that helps, or go where something must be typed."""
        if self._remedy is not None and self._remedy.study is not None:
            self.helped.emit(self._remedy.study)
        else:
            self.accuracy.ask_size()
