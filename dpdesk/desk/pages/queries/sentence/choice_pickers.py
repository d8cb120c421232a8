# SPDX-License-Identifier: Apache-2.0
"""The pickers of a query's sentence: statistic, column, condition, group, and what follows them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.edits.query_edits import fits
from dpdesk.desk.pages.queries.sentence.comparison_picker import ComparisonPicker
from dpdesk.desk.pages.queries.sentence.numbers_picker import GroupingNumbers, NumbersPicker
from dpdesk.desk.pages.queries.sentence.picker import NOTHING, SEPARATOR, Picker, described_first
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.text import query_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.checks.by_statistic.choice_checks import choices as choices_of
from dpdesk.study.checks.by_statistic.comparison_checks import no_comparison
from dpdesk.study.checks.by_statistic.member_checks import no_group_limit
from dpdesk.study.model.amount import Delta
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of
from dpdesk.study.model.parameters import PER, LinearModelParameters, MostCommonParameters
from dpdesk.study.model.periods import PERIODS, Period
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.text.unit_names import in_query

MOST_NAMED = 10
TOP_CODES = (*range(2, 11), 12, 15, 20, 25, 30, 40, 50, 75, 100)
DELTA_DIGITS = range(7, 14)


@dataclass(frozen=True)
class StatisticPicker(Picker):
    """Picks the statistic; what it needs comes with a default."""

    def open(self, at: Anchor) -> None:
        """Offer all statistics by their kinds."""
        names = words.names(self.study)
        of = in_query(names, self.query.of)
        choices = [
            Choice(
                key,
                one.about.format(rows=(of if _can_be(key) else names).rows, people=names.people),
                group=group,
            )
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
class PerPicker(Picker):
    """Picks of how much exposure a rate states the events."""

    def open(self, at: Anchor) -> None:
        """Offer what rates are stated per."""
        choices = [Choice(str(n), words.grouped(n)) for n in PER]
        at.offer(choices, str(self.query.members.get("per", "")), self._pick)

    def _pick(self, key: str) -> None:
        self.done(self.query.having(per=int(key)))


@dataclass(frozen=True)
class ScorePicker(Picker):
    """Picks what makes a cut-off good."""

    def open(self, at: Anchor) -> None:
        """Offer the scores."""
        scores = query_words.scores(self.study, self.query)
        choices = [Choice(key, text) for key, text in scores.items()]
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


@dataclass(frozen=True)
class OfPicker(Picker):
    """Picks of what a query is: rows within the limit, or people with one row each."""

    def open(self, at: Anchor) -> None:
        """Offer both, as they are called in this study."""
        names = words.names(self.study)
        limit = self.study.unit.max_rows if self.study.unit is not None else 1
        rows = tr("OfPicker", "{0}, at most %n per {1}", "", limit).format(names.rows, names.person)
        people = tr("OfPicker", "{0}, once each").format(names.people)
        at.offer([Choice("rows", rows), Choice("people", people)], self.query.of, self._pick)

    def _pick(self, key: str) -> None:
        self.done(self.query.having(of=key))


def has_person(study: Study) -> bool:
    """Whether people have rows, rather than each row being a person."""
    return study.unit is not None and study.unit.person is not None


def is_of_either(study: Study, query: Query) -> bool:
    """Whether a query can be of rows and of people."""
    return query.of == "people" or (has_person(study) and _can_be(query.statistic))


def _can_be(statistic: Statistic) -> bool:
    """Whether a statistic can be of people, and does not count them by itself."""
    declared = DECLARATIONS[statistic]
    fixed = declared.unit == "people" or declared.finds or declared.flips_answers
    return not fixed and not declared.before_limit


SEVERAL = "\0several"


@dataclass(frozen=True)
class ColumnPicker(Picker):
    """Offers the columns that fit the statistic."""

    def open(self, at: Anchor) -> None:
        """Offer them; the most common value may be of several columns."""
        fitting = [c for c in self.columns if fits(c, self.query.statistic)]
        choices = [Choice(c.name, column_title(c), "hash") for c in described_first(fitting)]
        if isinstance(self.query.parameters, MostCommonParameters) and len(self._yes_no()) > 1:
            text = tr("ColumnPicker", "Several yes/no columns…")
            choices.append(Choice(SEVERAL, text, "switch"))
        if not choices:
            text = tr("ColumnPicker", "No column of that kind is declared in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        picked = self.query.column or ""
        at.offer(choices, picked, lambda key: self._pick(key) if key != SEVERAL else self._more(at))

    def _pick(self, name: str) -> None:
        kept = self.query.members.get("columns", ()) if self._is_model else ()
        changed = self.query.having(column=name, columns=tuple(n for n in kept if n != name))
        if self.query.column != name:
            cleared = changed.having(candidates=(), edges=())
            changed = query_edits.set_statistic(self.study, cleared, self.query.statistic)
        self.done(changed)

    @property
    def _is_model(self) -> bool:
        return isinstance(self.query.parameters, LinearModelParameters)

    def _yes_no(self) -> list[YesNoColumn]:
        return [c for c in self.columns if isinstance(c, YesNoColumn)]

    def _more(self, at: Anchor) -> None:
        choices = [Choice(c.name, column_title(c), "switch") for c in self._yes_no()]
        at.offer_several(choices, self.query.members.get("columns", ()), self._pick_several)

    def _pick_several(self, names: tuple[str, ...]) -> None:
        if names:
            top = min(self.query.parameters.draws, len(names))
            self.done(self.query.having(column=None, columns=tuple(names), top=top))


@dataclass(frozen=True)
class ExplainingPicker(Picker):
    """Offers the columns that can explain the outcome of a linear model."""

    def open(self, at: Anchor) -> None:
        """Offer numbers and yes/no columns, of which several are picked."""
        names = query_edits.explaining(self.study, self.query)
        fitting = [column for column in self.columns if column.name in names]
        icons = {True: "hash", False: "switch"}
        choices = [
            Choice(c.name, column_title(c), icons[isinstance(c, NumberColumn)])
            for c in described_first(fitting)
        ]
        if any(isinstance(column, CategoryColumn) for column in self.study.columns):
            text = tr("ExplainingPicker", "Categories: make a yes/no column of each in Columns")
            choices.append(Choice(NOTHING, text, "tag", enabled=False))
        elif not choices:
            text = tr("ExplainingPicker", "No other number or yes/no column is declared yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        at.offer_several(choices, self.query.members.get("columns", ()), self._pick)

    def _pick(self, names: tuple[str, ...]) -> None:
        self.done(self.query.having(columns=tuple(name for name in names if name != NOTHING)))


ConditionList = Literal["where", "has"]


@dataclass(frozen=True)
class ConditionPicker(Picker):
    """Edits one condition; a new one begins with its column.

    Attributes:
        kept_in: the list that it is in: of conditions, or of properties.
        place: where it is there; behind the last one it is new.
    """

    kept_in: ConditionList
    place: int

    def open(self, at: Anchor) -> None:
        """Open the dialog of the condition, or for a new one the list of columns."""
        if self.place == len(self._conditions):
            at.offer(self._columns(), "", lambda name: self._ask(at, name, None))
        else:
            condition = self._conditions[self.place]
            self._ask(at, condition.column, condition)

    @property
    def _conditions(self) -> tuple[Condition, ...]:
        return self.query.where if self.kept_in == "where" else self.query.members.get("has", ())

    def _columns(self) -> list[Choice]:
        choices = [Choice(c.name, column_title(c)) for c in described_first(self.columns)]
        text = tr("ConditionPicker", "No column is declared in Columns yet")
        return choices or [Choice(NOTHING, text, enabled=False)]

    def _ask(self, at: Anchor, name: str, condition: Condition | None) -> None:
        column = self.study.column(name)
        if column is None:
            self._pick(None)
            return
        dialog = ConditionDialog(at.window, column, condition)
        dialog.other_wanted.connect(lambda: self._ask_other(at, condition))
        at.ask(dialog, self._pick)

    def _ask_other(self, at: Anchor, condition: Condition | None) -> None:
        """Let another column be chosen; until it has a condition, the one that was stays."""
        name = "" if condition is None else condition.column

        def ask(chosen: str) -> None:
            self._ask(at, chosen, condition if chosen == name else None)

        at.offer(self._columns(), name, ask)

    def _pick(self, condition: Condition | None) -> None:
        conditions = list(self._conditions)
        conditions[self.place : self.place + 1] = [] if condition is None else [condition]
        self.done(self.query.having(**{self.kept_in: tuple(conditions)}))


@dataclass(frozen=True)
class GroupPicker(Picker):
    """Picks one grouping.

    Attributes:
        place: where it is; behind the last one it is new.
    """

    place: int

    def open(self, at: Anchor) -> None:
        """Offer what can make groups, and for one that is there to let go of it."""
        choices = [
            choice
            for column in described_first(self.columns)
            if column.name not in self._taken()
            for choice in self._choices(column)
        ]
        now = ""
        if self.place < len(self.query.by):
            now = _key(self.query.by[self.place])
            choices.append(Choice(NOTHING, tr("GroupPicker", "No group"), "cross"))
        if not choices:
            text = tr("GroupPicker", "No column that makes groups is declared in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        at.offer(choices, now, lambda key: self._pick(key, at))

    def _taken(self) -> set[str]:
        """The columns that make groups already, or whose values are what is named."""
        taken = {column_of(g) for at, g in enumerate(self.query.by) if at != self.place}
        if self.query.column is not None and self.query.declaration.chooses == "group":
            taken.add(self.query.column)
        return taken

    def _choices(self, column: Column) -> list[Choice]:
        title = column_title(column)
        if isinstance(column, NumberColumn):
            text = tr("GroupPicker", "{0} in bins…").format(title)
            return [Choice(_key(Bins(column.name, ())), text, "hash")]
        if isinstance(column, DateColumn):
            made = [Periods(column.name, period) for period in PERIODS]
            return [Choice(_key(p), words.grouped_by(self.study, p), "calendar") for p in made]
        return [Choice(_key(column.name), title, "tag")]

    def _pick(self, key: str, at: Anchor) -> None:
        """Take a grouping over; where it is in bins, ask at once where they begin."""
        by: list[Grouping] = list(self.query.by)
        made = [] if key == NOTHING else [self._grouping(key)]
        by[self.place : self.place + 1] = made
        changed = replace(self.query, by=tuple(by))
        self.done(changed)
        if made and isinstance(made[0], Bins):
            numbers = GroupingNumbers(self.place)
            NumbersPicker(self.study, changed, self.done, numbers).open(at)

    def _grouping(self, key: str) -> Grouping:
        kind, _, name = key.partition(SEPARATOR)
        if not name:
            return key
        if kind == "bins":
            return Bins(name, query_edits.on_grid(self.study.column(name), 5)[1:-1])
        return Periods(name, cast(Period, kind))


def _key(grouping: Grouping) -> str:
    if isinstance(grouping, Bins):
        return f"bins{SEPARATOR}{grouping.column}"
    if isinstance(grouping, Periods):
        return f"{grouping.period}{SEPARATOR}{grouping.column}"
    return grouping


@dataclass(frozen=True)
class GroupLimitPicker(Picker):
    """Picks how many rows of a person count in one group at most."""

    def open(self, at: Anchor) -> None:
        """Offer fewer than the row limit: the first one by one, then rounder ones, and none."""
        limit = self.study.unit.max_rows if self.study.unit is not None else 1
        own = self.query.rows_per_group
        numbers = sorted({n for n in (1, *TOP_CODES) if n < limit} | ({own} if own else set()))
        choices = [Choice(str(n), self._said(n)) for n in numbers]
        if own:
            none = tr("GroupLimitPicker", "No limit for each group")
            choices.append(Choice(NOTHING, none, "cross"))
        at.offer(choices, str(own or ""), self._pick)

    def _said(self, most: int) -> str:
        return words.group_limit(self.study, replace(self.query, rows_per_group=most))

    def _pick(self, key: str) -> None:
        self.done(replace(self.query, rows_per_group=None if key == NOTHING else int(key)))


@dataclass(frozen=True)
class AdditionPicker(Picker):
    """Offers what the statistic can have more of, then that one's own picker."""

    def open(self, at: Anchor) -> None:
        """Offer it."""
        needs = self.query.declaration
        choices = [Choice("where", tr("AdditionPicker", "Only where…"), "sliders")]
        if len(self.query.by) < needs.groups:
            choices.insert(0, Choice("group", tr("AdditionPicker", "For each…"), "tag"))
        if "has" in self.query.parameters.needed:
            choices.append(Choice("has", tr("AdditionPicker", "And with the property…"), "switch"))
        if self.query.rows_per_group is None and has_person(self.study):
            choices.append(self._limit())
        if self.query.by and (needs.is_comparable or needs.model is not None):
            choices.append(self._comparison())
        at.offer(choices, "", lambda what: self._pickers()[what].open(at))

    def _limit(self) -> Choice:
        """The limit for each group, or why there is none."""
        why = no_group_limit(self.study, self.query)
        reasons = {
            None: tr("AdditionPicker", "Fewer {rows} per {person} in a group…"),
            "group-limit-of-statistic": tr(
                "AdditionPicker", "Fewer {rows} per {person} in a group: not for this statistic"
            ),
            "group-limit-one-row": tr(
                "AdditionPicker", "Fewer {rows} per {person} in a group: 1 per {person} anyway"
            ),
            "group-limit-without-groups": tr(
                "AdditionPicker", "Fewer {rows} per {person} in a group: needs groups"
            ),
        }
        names = words.names(self.study)
        text = reasons[why].format(rows=names.rows, person=names.person)
        return Choice("limit", text, "people", enabled=why is None)

    def _comparison(self) -> Choice:
        """The comparison of groups, or why there is none."""
        why = no_comparison(self.study, self.query)
        reasons = {
            None: tr("AdditionPicker", "Compare groups…"),
            "comparison-several-rows": tr(
                "AdditionPicker", "Compare groups: only with 1 {row} per {person}"
            ),
            "population-no-variance": tr(
                "AdditionPicker", "Compare groups: needs a variance of the same column and groups"
            ),
            "comparison-public-total": tr(
                "AdditionPicker", "Compare groups: two counts of a public number are one figure"
            ),
        }
        names = words.names(self.study)
        text = reasons[why].format(row=names.row, person=names.person)
        return Choice("comparison", text, "scales", enabled=why is None)

    def _pickers(self) -> dict[str, Picker]:
        """The pickers of something new, by the keys of the choices."""
        requested = (self.study, self.query, self.done)
        return {
            "group": GroupPicker(*requested, len(self.query.by)),
            "limit": GroupLimitPicker(*requested),
            "comparison": ComparisonPicker(*requested, len(self.query.comparisons)),
            "where": ConditionPicker(*requested, "where", len(self.query.where)),
            "has": ConditionPicker(*requested, "has", len(self.query.members.get("has", ()))),
        }
