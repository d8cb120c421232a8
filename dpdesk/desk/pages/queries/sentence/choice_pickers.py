# SPDX-License-Identifier: Apache-2.0
"""Pick one of a short list: the statistic, how many are named, what makes a cut-off good, delta."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.pages.queries.sentence.picker import Anchor, Picker
from dpdesk.desk.text import query_words, words
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.checks.choice_checks import choices as choices_of
from dpdesk.study.model.amount import Delta
from dpdesk.study.model.statistics import Statistic

MOST_NAMED = 10
TOP_CODES = (*range(2, 11), 12, 15, 20, 25, 30, 40, 50, 75, 100)
DELTA_DIGITS = range(7, 14)


@dataclass(frozen=True)
class StatisticPicker(Picker):
    """Picks the statistic; what it needs comes with a default."""

    def open(self, at: Anchor) -> None:
        """Offer all statistics by their kinds."""
        names = words.names(self.study)
        choices = [
            Choice(key, one.about.format(rows=names.rows, people=names.people), group=group)
            for group, found in query_words.listed().items()
            for key, one in found.items()
            if query_edits.is_offered(self.study, key)
        ]
        at.offer(choices, self.query.statistic, self._pick)

    def _pick(self, key: str) -> None:
        self.done(query_edits.set_statistic(self.study, self.query, cast(Statistic, key)))


@dataclass(frozen=True)
class TopPicker(Picker):
    """Picks how many of the most common values are named."""

    def open(self, at: Anchor) -> None:
        """Offer as many as there are values."""
        most = max(1, min(MOST_NAMED, choices_of(self.study, self.query)))
        choices = [Choice(str(n), str(n)) for n in range(1, most + 1)]
        at.offer(choices, str(self.query.parameters.draws), self._pick)

    def _pick(self, key: str) -> None:
        self.done(self.query.having(top=int(key)))


@dataclass(frozen=True)
class TopCodePicker(Picker):
    """Picks the number of rows at which the last line of rows per person begins."""

    def open(self, at: Anchor) -> None:
        """Offer the first numbers one by one, then rounder ones; a study's own stays on offer."""
        own = self.query.members.get("top_code", query_edits.FIRST_TOP_CODE)
        numbers = sorted({*TOP_CODES, own})
        choices = [Choice(str(n), query_words.or_more(n)) for n in numbers]
        at.offer(choices, str(own), self._pick)

    def _pick(self, key: str) -> None:
        self.done(self.query.having(top_code=int(key)))


@dataclass(frozen=True)
class ScorePicker(Picker):
    """Picks what makes a cut-off good."""

    def open(self, at: Anchor) -> None:
        """Offer the scores."""
        choices = [Choice(key, text) for key, text in query_words.scores(self.study).items()]
        at.offer(choices, self.query.members.get("score", ""), self._pick)

    def _pick(self, key: str) -> None:
        target = None if key == "value-times-count" else self.query.members.get("target") or 100
        self.done(self.query.having(score=key, target=target))


@dataclass(frozen=True)
class DeltaPicker(Picker):
    """Picks the probability that categories of few people show."""

    def open(self, at: Anchor) -> None:
        """Offer the powers of ten that are usual."""
        amounts = [Delta.of(f"1e-{digits}") for digits in DELTA_DIGITS]
        choices = [Choice(str(amount), words.delta(amount)) for amount in amounts]
        at.offer(choices, str(self.query.members.get("delta", "")), self._pick)

    def _pick(self, key: str) -> None:
        self.done(self.query.having(delta=Delta.of(key)))
