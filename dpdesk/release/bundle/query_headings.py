# SPDX-License-Identifier: Apache-2.0
"""What a release's queries are called, and what they ask, for all that a person reads of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from dpdesk.catalogue import Catalogue, Template, read_catalogue
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, excess_text
from dpdesk.release.record.values import ReleasedQuery, ReleaseRecord
from dpdesk.study.model.columns import DROP, DateColumn, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.counted_rows import counted_rows
from dpdesk.study.text.missing_cells import missing_cells
from dpdesk.study.text.number_text import ENGLISH as ENGLISH_NUMBERS
from dpdesk.study.text.number_text import NumberStyle, in_text
from dpdesk.study.text.sentence_language import Language, day_text, language_of, numbers_of
from dpdesk.study.text.share_rows import left_out_of_share
from dpdesk.study.text.titles import sentence, subtitle
from dpdesk.study.text.unit_names import UnitNames, names_of


@dataclass(frozen=True)
class ReleaseWords:
    """The language of what is signed."""

    catalogue: Catalogue = field(default_factory=Catalogue)
    numbers: NumberStyle = ENGLISH_NUMBERS

    @classmethod
    def of(cls, language: str) -> ReleaseWords:
        """The words of a language; English ones where no translation is shipped."""
        found = read_catalogue(language)
        return cls(found, numbers_of(found))

    @property
    def code(self) -> str:
        """The language's code, such as ``de``."""
        return self.catalogue.language

    @cached_property
    def say(self) -> Callable[..., str]:
        return self.catalogue.say

    @cached_property
    def say_count(self) -> Callable[..., str]:
        return self.catalogue.say_count

    @cached_property
    def language(self) -> Language:
        return language_of(self.catalogue, self.numbers)

    def number(self, value: object) -> str:
        return in_text(str(value), self.numbers)

    def day(self, time: str) -> str:
        """The day of a record's time, such as ``2026-11-21T14:32Z``."""
        return day_text(time[:10], self.catalogue)

    def minute(self, time: str) -> str:
        return f"{self.day(time)} {time[11:16]} UTC"


WORDS: Final = ReleaseWords()
"""English: of what the public registry reads, and of what does not say another language."""

ADDS_UP: Final[Template] = (
    "These figures were made to add up with those of other tables over the same rows; the noisy "
    "numbers as drawn are in the CSV file and in manifest.json."
)
"""Of a table whose figures were made consistent."""

TOO_LARGE: Final[Template] = (
    "These figures are as drawn. Tables over the same rows have too many cells to be made to add "
    "up with them."
)
"""Of a table that was left as drawn for that."""

HAS_TOTAL: Final[Template] = (
    "The counts add up to the public total; the noisy numbers as drawn are in the CSV "
    "file and in manifest.json."
)
"""Of counts that were drawn and made to add up, or of which one follows from the other."""

ROUNDED: Final[Template] = "Counts are rounded to {n} after the noise; their margins include that."
"""Of counts that a house rule rounds."""

WHOLE: Final[Template] = "Counts are whole numbers."

NONE_BELOW_ZERO: Final[Template] = (
    "No count is below zero, so small ones are too high on average: a count of 0 by up to {excess}."
)

SMALL_ONES: Final[Template] = (
    "Where no count is published below zero, small ones are too high on average; each table says "
    "by how much."
)

NOT_EXACTLY: Final[Template] = (
    "Published counts are rounded one by one, so tables may no longer add up exactly."
)

EACH_BY_ITSELF: Final[Template] = (
    "Each is rounded by itself, so tables may no longer add up exactly; the noisy numbers as drawn "
    "are in the CSV file and in manifest.json."
)

TOTALS: Final[Template] = (
    "Totals of different tables can differ. Tables over the same rows add up with one another; any "
    "other has noise of its own, and leaves out rows without a value in its columns."
)
"""Of a release with several tables that add up to something."""


_PERIOD: Final[Template] = "Period ({column})"
_FROM_TO: Final[Template] = "{first} to {last}"

UNTITLED: Final[Template] = "Released statistics"
"""What heads a release whose study has no title."""


def form_sentences(rounded_to: int, excess: str, words: ReleaseWords) -> str:
    """In which form counts are published, and what that does to small ones.

    Args:
        rounded_to: of what they are multiples.
        excess: by how much a count of 0 is too high, on average and at most; may be empty.
        words: the language.
    """
    how = words.say(ROUNDED, n=str(rounded_to)) if rounded_to > 1 else words.say(WHOLE)
    if not excess:
        return how
    return f"{how} {words.say(NONE_BELOW_ZERO, excess=words.number(excess))}"


def form_of_release(tables: Sequence[Table], words: ReleaseWords) -> str:
    """What a reader of a release must know of how its counts are published; may be empty."""
    steps = {table.rounded_to for table in tables} - {0}
    said = [words.say(ROUNDED, n=str(max(steps)))] if max(steps, default=1) > 1 else []
    if any(table.excess for table in tables):
        said.append(words.say(SMALL_ONES))
    return " ".join((*said, words.say(NOT_EXACTLY))) if steps else ""


def totals_of_release(record: ReleaseRecord, words: ReleaseWords) -> str:
    """Why totals of its tables may differ; empty where there are not two that have some."""
    adding = [query for query in record.queries if DECLARATIONS[query.statistic].is_total]
    return words.say(TOTALS) if len(adding) > 1 else ""


def planned_form(plan: QueryPlan, words: ReleaseWords) -> str:
    """The same of a plan; empty where counts are published as they come from the noise."""
    if plan.form is None:
        return ""
    return form_sentences(plan.form.step, excess_text(plan, plan.errors), words)


def adds_up(table: Table, words: ReleaseWords) -> str:
    """What a table's figures add up with, or to, or why not exactly; may be empty."""
    if table.rounded_to:
        form = form_sentences(table.rounded_to, table.excess, words)
        return f"{form} {words.say(EACH_BY_ITSELF)}"
    if table.others:
        return words.say(ADDS_UP)
    if table.is_left_as_drawn:
        return words.say(TOO_LARGE)
    return words.say(HAS_TOTAL) if table.has_public_total else ""


@dataclass(frozen=True)
class Heading:
    """One query's heading.

    Attributes:
        question: what it asks, where the title is the custodian's own words; else empty.
        subtitle: the same without what the figures say themselves, such as their bins.
        left_out: which rows are not counted in its 100 %, where it is a share; else empty.
        counted: how many rows of each person it counts, and what that means; empty where the row
            limit does not concern it.
        limit: the first sentence of it: how many rows count.
        missing: what becomes of rows without a usable value; empty where none is concerned.
    """

    title: str
    question: str = ""
    subtitle: str = ""
    left_out: str = ""
    counted: str = ""
    limit: str = ""
    missing: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know who sees this one query's figures."""
        return tuple(filter(None, (self.left_out, self.counted)))


def headings_of(record: ReleaseRecord, words: ReleaseWords = WORDS) -> dict[str, Heading]:
    """The heading of each query of a release, by the query's id.

    A record's titles are the custodian's words or English sentences; the latter are translated.
    """
    return study_headings(record.study.study, record.queries, words)


def study_headings(
    study: Study | None, released: Iterable[ReleasedQuery], words: ReleaseWords
) -> dict[str, Heading]:
    """The heading of each query of a study, by the query's id; see :func:`headings_of`."""
    queries = study.queries if study is not None else ()
    english = {q.id: sentence(study, q) for q in queries if study is not None}
    asked = english
    if words != WORDS:
        asked = {q.id: sentence(study, q, words.language) for q in queries if study is not None}
    subtitles = {q.id: subtitle(study, q, words.language) for q in queries if study is not None}
    left_out = {
        q.id: left_out_of_share(study, q, words.language) for q in queries if study is not None
    }
    counted = {q.id: counted_rows(study, q, words.language) for q in queries}
    missing = {q.id: missing_cells(study, q, words.language) for q in queries if study is not None}
    return {
        q.id: replace(
            _heading(q.title, english.get(q.id, q.id), asked.get(q.id, q.id)),
            subtitle=subtitles.get(q.id, ""),
            left_out=left_out.get(q.id, ""),
            counted=str(counted.get(q.id, "")),
            limit=counted[q.id].limit if q.id in counted else "",
            missing=missing.get(q.id, ""),
        )
        for q in released
    }


def _heading(title: str, english: str, question: str) -> Heading:
    return Heading(question) if title in ("", english) else Heading(title, question)


def period_of(study: Study | None, words: ReleaseWords = WORDS) -> tuple[tuple[str, str], ...]:
    """The days that a release is about, by the name of their column; none where that is not known.

    They are those of the one column that its queries take by periods, which no day beyond them is
    counted in.
    """
    if study is None:
        return ()
    found = {
        by.column: study.column(by.column)
        for query in study.queries
        for by in query.by
        if isinstance(by, Periods) and by.period != "weekday"
    }
    columns = [one for one in found.values() if isinstance(one, DateColumn)]
    if len(found) != 1 or not columns or columns[0].outside != DROP:
        return ()
    (column,) = columns
    if column.first is None or column.last is None:
        return ()
    first, last = (words.day(day.isoformat()) for day in (column.first, column.last))
    head = words.say(_PERIOD, column=column_title(column))
    return ((head, words.say(_FROM_TO, first=first, last=last)),)


def release_title(record: ReleaseRecord, words: ReleaseWords = WORDS) -> str:
    """What a release is headed by: its study's title, where it has one."""
    declared = record.study.title
    return declared if declared.strip() else words.say(UNTITLED)


def released_names(record: ReleaseRecord, words: ReleaseWords = WORDS) -> UnitNames:
    """What a release's study calls its rows and people."""
    study = record.study.study
    return names_of(study.unit if study is not None else None, words.language.names)
