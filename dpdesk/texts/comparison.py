# SPDX-License-Identifier: Apache-2.0
"""What is said of two releases beside each other: the words of window and shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from dpdesk.catalogue import Template, spoken
from dpdesk.release.comparison.compare_records import (
    ComparedLine,
    ComparedQuery,
    OnlyAsked,
    ReleaseComparison,
    Unlike,
)
from dpdesk.release.comparison.sides import SideName
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, column_title
from dpdesk.study.model.dates import day_to_text
from dpdesk.study.reuse.moved_periods import MovedPeriod
from dpdesk.study.text.sentence_language import day_text
from dpdesk.study.text.shown_text import as_sentence, shown_text
from dpdesk.texts.verification import tables_sentence

_UNLIKE: Final[dict[Unlike, Template]] = {
    "no-margin": "no margin can be given for the difference",
    "groups": "other groups",
    "group-limit": "another limit on a person's rows in one group",
    "conditions": "other conditions",
    "unit": "another privacy unit",
    "declarations": "other bounds, lists or rules of its columns",
    "tables": "other tables, or another rule for their rows",
    "other": "another query of the same kind",
}
_TAKEN_BACK: Final[dict[tuple[SideName, str], Template]] = {
    ("earlier", "withdrawn"): "The earlier release was withdrawn: {reason}",
    ("earlier", "corrected"): "The earlier release was corrected: {reason}",
    ("later", "withdrawn"): "The later release was withdrawn: {reason}",
    ("later", "corrected"): "The later release was corrected: {reason}",
}
_TABLES_TAKEN: Final[dict[tuple[SideName, str], Template]] = {
    ("earlier", "withdrawn"): "Tables of the earlier release were withdrawn: {reason}",
    ("earlier", "corrected"): "Tables of the earlier release were corrected: {reason}",
    ("later", "withdrawn"): "Tables of the later release were withdrawn: {reason}",
    ("later", "corrected"): "Tables of the later release were corrected: {reason}",
}
_DRAWN_IN: Final[dict[tuple[SideName, str], Template]] = {
    ("earlier", "withdrawn"): "Figures of the earlier release were drawn in one that was "
    "withdrawn: {reason}",
    ("earlier", "corrected"): "Figures of the earlier release were drawn in one that was "
    "corrected: {reason}",
    ("later", "withdrawn"): "Figures of the later release were drawn in one that was "
    "withdrawn: {reason}",
    ("later", "corrected"): "Figures of the later release were drawn in one that was "
    "corrected: {reason}",
}
_ONLY: Final[dict[SideName, Template]] = {
    "earlier": "Only in the earlier release: {titles}.",
    "later": "Only in the later release: {titles}.",
}
GROUPS_COMPARED: Final[Template] = (
    "Its groups are compared with one another, too: each release has that in its own report."
)
"""Of a query whose groups both releases compare (differences, ratios, tests)."""
SAME_ANSWER: Final[Template] = "Both releases contain the same stored figure, drawn once."
_PERIODS: Final[dict[str, Template]] = {
    "span": "{name} {first} to {last}, before {begun} to {ended}",
    "condition": "the condition on {name} {first} to {last}, before {begun} to {ended}",
    "day": "the day beside {name} {last}, before {ended}",
}
ANOTHER_PERIOD: Final[Template] = (
    "Another period: {periods}. Each group is compared with the one at the same place."
)
WRITTEN_OTHERWISE: Final[Template] = (
    "{name} is read as {now} from the file, before as {before}; what it asks is the same."
)
_EXAMPLE_DAY = date(2026, 9, 3)
_MEANINGS: Final[tuple[tuple[Template, Template], ...]] = (
    (
        "More than noise",
        "The difference is larger than its margin. Privacy noise alone would do that, on average, "
        "in at most 5 of 100 comparisons or groups.",
    ),
    (
        "Cannot tell",
        "Noise alone could explain it. That is no evidence that nothing has changed.",
    ),
)
MARGINS: Final[Template] = (
    "The margins cover only the noise of both releases, not chance or changes in who is in the "
    "data. Both extracts may contain the same people. Differences are computed before figures "
    "are rounded."
)


POPULATIONS: Final[Template] = (
    "“For the population” takes the rows of each release for a sample: 95 times in 100 over noise "
    "and chance together, the difference of both populations lies between both ends. That holds "
    "even if the same people are in both."
)


def said_of(query: ComparedQuery) -> Iterator[str]:
    """Which of its periods are later ones, and which columns a file writes otherwise now."""
    if query.moved:
        periods = "; ".join(_period(one, query) for one in query.moved)
        yield spoken().say(ANOTHER_PERIOD, periods=periods)
    for before, now in query.read:
        old, new = _written(before), _written(now)
        if old != new:
            name = shown_text(column_title(now))
            yield spoken().say(WRITTEN_OTHERWISE, name=name, now=new, before=old)


def _period(one: MovedPeriod, query: ComparedQuery) -> str:
    column = next((c for c in query.plan.question.used if c.name == one.now.column), None)
    days = (one.now.first, one.now.last, one.before.first, one.before.last)
    first, last, begun, ended = (day_text(day.isoformat(), spoken()) for day in days)
    name = shown_text(one.now.column if column is None else column_title(column))
    template = spoken().say_word("", _PERIODS[one.now.what])
    return template.format(name=name, first=first, last=last, begun=begun, ended=ended)


def _written(column: Column) -> str:
    """How a file writes a day or a number of a column."""
    if isinstance(column, DateColumn):
        return day_to_text(_EXAMPLE_DAY, column.format)
    mark = column.decimal if isinstance(column, NumberColumn) else ""
    return f"1{mark}5" if mark else spoken().say("all numbers of the file")


def line_name(line: ComparedLine, called: Sequence[Mapping[str, str]]) -> str:
    """What the groups of a line are called; of another period, both of them.

    Args:
        called: the names of labels, for each grouping.
    """
    before = line.before or line.labels
    return ", ".join(
        names.get(now, now) if now == old else f"{names.get(old, old)} → {names.get(now, now)}"
        for names, old, now in zip(called, before, line.labels, strict=True)
    )


def taken_sentences(taken: Mapping[SideName, TakenBack]) -> Iterator[str]:
    """Which of both was withdrawn or corrected, and why."""
    for side, decided in taken.items():
        whole = _TABLES_TAKEN if decided.tables else _TAKEN_BACK
        table = _DRAWN_IN if decided.drawn_in else whole
        reason = shown_text(as_sentence(decided.reason))
        said = spoken().say_word("", table[side, decided.decision]).format(reason=reason)
        yield " ".join(filter(None, (said, tables_sentence(decided.tables, decided.decision))))


def unlike_sentence(title: str, why: Iterable[Unlike]) -> str:
    reasons = ", ".join(spoken().say_word("", _UNLIKE[reason]) for reason in why)
    return spoken().say("Not compared: {title} ({why}).", title=shown_text(title), why=reasons)


def only_sentences(found: ReleaseComparison, title: Callable[[OnlyAsked], str]) -> Iterator[str]:
    """What one of both does not ask, by the titles of its questions."""
    by_side: dict[SideName, tuple[OnlyAsked, ...]] = {
        "earlier": found.only_earlier,
        "later": found.only_later,
    }
    for side, only in by_side.items():
        if only:
            titles = "; ".join(shown_text(title(one)) for one in only)
            yield spoken().say_word("", _ONLY[side]).format(titles=titles)


def meanings() -> Iterator[tuple[str, str]]:
    """What each verdict on a difference means, behind its words."""
    for head, text in _MEANINGS:
        yield spoken().say_word("", head), spoken().say_word("", text)
