# SPDX-License-Identifier: Apache-2.0
"""The sentence that is filled in: [Mean] of [time in hospital] for each [age band] where [...]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.sentence.sentence_members import SentenceMembers
from dpdesk.desk.text import query_words, words
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.emptying import empty
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.groupings import Bins, Grouping
from dpdesk.study.model.queries import Condition, Query
from dpdesk.study.model.statistics import NEEDS, Statistic


class QuerySentence(SentenceMembers):
    """Words and chips; each chip opens a list or a dialog."""

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(self, across=6, down=4)
        self._shown: object = None
        self.setAccessibleName(self.tr("The query as a sentence"))

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show a query; the chips are made anew only where the sentence changed."""
        self._state, self._query = state, query
        titles = tuple(column_title(c) for c in state.study.columns)
        asked = replace(query, id="", title="", epsilon=None, rho=None, expected=None)
        key = (asked, titles, words.names(state.study))
        if key == self._shown:
            return
        self._shown = key
        had = next((name for name, chip in self._chips.items() if chip.hasFocus()), "")
        self._chips = {}
        empty(self._flow)
        self._build()
        if had in self._chips:
            self._chips[had].setFocus()
        self.updateGeometry()

    def _build(self) -> None:
        query = self._query
        self._chip("statistic", query_words.first_word(query.statistic), self._pick_statistic)
        self._build_members_before()
        self._word(words.joint(self._state.study, query))
        self._build_subject()
        self._build_members_after()
        for place, grouping in enumerate(query.by):
            self._word(self.tr("for each") if place == 0 else self.tr("and"))
            text = words.grouped_by(self._state.study, grouping)
            self._chip(f"group-{place}", text, partial(self._pick_group, place))
            self._build_bins(place, grouping)
        self._build_conditions("where", query.where, self.tr("where"))
        add = self._chip("add", "+", self._add, dashed=True)
        add.setAccessibleName(self.tr("Add a group or a condition"))
        add.setToolTip(add.accessibleName())

    def _build_members_before(self) -> None:
        """What stands between the statistic and its column: which quantiles, how many."""
        query = self._query
        if query.statistic == "quantiles":
            text = query_words.numbers(query.quantiles) or self.tr("which?")
            self._chip("quantiles", text, partial(self._type_numbers, "quantiles"))
        elif query.statistic == "most-common":
            self._chip("top", str(query.top or 1), self._pick_top)

    def _build_subject(self) -> None:
        """What the statistic is about: rows, people, a column, a property."""
        query, needs = self._query, NEEDS[self._query.statistic]
        if "has" in needs.members:
            self._build_conditions("has", query.has, "")
            if not query.has:
                self._chip("has-0", self.tr("choose a property"), partial(self._add_to, "has"))
        elif query.columns:
            titles = [words.title_of(self._state.study, name) for name in query.columns]
            self._chip("column", ", ".join(titles), self._pick_column)
        elif needs.column is not None:
            title = words.title_of(self._state.study, query.column) if query.column else ""
            self._chip("column", title or self.tr("choose a column"), self._pick_column)
        else:
            self._word(words.counted(self._state.study, query), leads=False)

    def _build_members_after(self) -> None:
        """What follows the column: candidates, bins, what makes a cut-off good, delta."""
        query, needs = self._query, NEEDS[self._query.statistic]
        if "edges" in needs.members:
            self._word(self.tr("in bins from"))
            text = query_words.numbers(query.edges) or self.tr("where?")
            self._chip("edges", text, partial(self._type_numbers, "edges"))
        if "candidates" in (*needs.members, *needs.optional):
            self._word(self.tr("among"))
            text = query_words.numbers(query.candidates) or self.tr("all its values")
            self._chip("candidates", text, partial(self._type_numbers, "candidates"))
        if "score" in needs.members:
            self._word(self.tr("by"))
            text = query_words.scores(self._state.study).get(query.score or "", self.tr("what?"))
            self._chip("score", text, self._pick_score)
        if query.score == "closest-to-target":
            text = words.grouped(query.target) if query.target is not None else self.tr("how many?")
            self._chip("target", text, partial(self._type_numbers, "target"))
        if "delta" in needs.members:
            self._word(self.tr("with delta"))
            text = words.delta(query.delta) if query.delta else self.tr("how much?")
            self._chip("delta", text, self._pick_delta)

    def _build_conditions(self, key: str, found: tuple[Condition, ...], first: str) -> None:
        for place, condition in enumerate(found):
            lead = first if place == 0 else self.tr("and")
            if lead:
                self._word(lead)
            text = words.condition(self._state.study, condition)
            self._chip(f"{key}-{place}", text, partial(self._edit_condition, key, place))

    def _build_bins(self, place: int, grouping: Grouping) -> None:
        if isinstance(grouping, Bins):
            self._word(self.tr("in bins from"))
            text = query_words.numbers(grouping.edges) or self.tr("where?")
            self._chip(f"bins-{place}", text, partial(self._type_bins, place))

    def _word(self, text: str, leads: bool = True) -> None:
        """Words that never break in the middle, nor off the chip that they lead to."""
        label = Label(text, Type.CARD)
        self._flow.addWidget(label)
        if leads:
            self._flow.keep_with_next(label)
        label.show()

    def _chip(self, name: str, text: str, work: Callable[[], object], dashed: bool = False) -> Chip:
        chip = Chip(value=text, tinted=True, dashed=dashed)
        chip.setObjectName(f"chip-{name}")
        chip.clicked.connect(lambda _on=False: work())
        self._flow.addWidget(chip)
        # Shown at once, so that the first wrapping already counts it.
        chip.show()
        self._chips[name] = chip
        return chip

    def _pick_statistic(self) -> None:
        names = words.names(self._state.study)
        choices = [
            Choice(key, query_words.about(key, names), group=group)
            for group, keys in query_words.kinds().items()
            for key in keys
        ]
        self._offer("statistic", choices, self._query.statistic, self._set_statistic)

    def _set_statistic(self, key: str) -> None:
        statistic = cast(Statistic, key)
        self._put(query_edits.set_statistic(self._state.study, self._query, statistic))

    def _add(self) -> None:
        choices = [Choice("where", self.tr("Only where…"), "sliders")]
        needs = NEEDS[self._query.statistic]
        if len(self._query.by) < needs.groups:
            choices.insert(0, Choice("group", self.tr("For each…"), "tag"))
        if "has" in needs.members:
            choices.append(Choice("has", self.tr("And with the property…"), "switch"))
        self._offer("add", choices, "", self._add_what)

    def _add_what(self, what: str) -> None:
        if what == "group":
            self._pick_group(len(self._query.by))
        else:
            self._add_to(what)
