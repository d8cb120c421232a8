# SPDX-License-Identifier: Apache-2.0
"""What an open query's card shows: title, sentence, what is wrong or weak, and its accuracy."""

from __future__ import annotations

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.open_part import OpenPart
from dpdesk.desk.pages.queries.query_notes import BoundsFirst, CountedNote, ShareNote
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.desk.text import words
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem


class OpenQuery(OpenPart):
    """All that can be set of a query."""

    def __init__(self) -> None:
        accuracy = QueryAccuracy()
        super().__init__(accuracy)
        self.accuracy = accuracy
        self.sentence = QuerySentence()
        self.counted = CountedNote()
        self.first = BoundsFirst()
        self.whole = ShareNote()
        self._asked: object = None
        self._build()
        self.sentence.changed.connect(self.changed)
        self.whole.counted.connect(self.helped)

    def _build(self) -> None:
        column = self._build_head()
        column.addWidget(self.sentence)
        column.addWidget(self._trouble)
        column.addWidget(self.first)
        column.addWidget(self.counted)
        column.addWidget(self.whole)
        column.addWidget(self.weak)
        column.addWidget(self.accuracy)

    def show_query(self, state: DeskState, query: Query, problems: tuple[Problem, ...]) -> None:
        self._show_question(state, query)
        self.accuracy.show_asked(state, query)
        self._show_trouble(problems)
        self._show_weak(state.study, () if state.is_answered(query) else state.weak_of(query.id))

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
        called = words.query_title(study, query)
        self._show_title(query.title, words.sentence(study, query), called)
        self.first.show_query(state, query)
        self.counted.show_query(state, query)
        self.whole.show_query(state, query)
