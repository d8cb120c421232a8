# SPDX-License-Identifier: Apache-2.0
"""What the row limit does to a figure: which rows were counted, and what "exact figure" means.

The one place where this is said: plan, card, results, report, workbook, data package,
``README.txt`` and the paragraph on methods take it from here. It follows from the declarations
alone. Whether anybody has more rows than the limit is never looked up, so it is said wherever
somebody could.

A count of all people is not concerned: each has a row, whatever the limit is. One by group,
condition or category is: a person is looked for in the rows that were kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpdesk.catalogue import TitleWord
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import in_text
from dpdesk.study.text.sentence_language import ENGLISH, Language
from dpdesk.study.text.unit_names import names_of

_ONE: Final[TitleWord] = "At most 1 {row} of each {person} counts, chosen at random."
_MANY: Final[TitleWord] = "At most {most} {rows} of each {person} count, chosen at random."
_ONE_IN_GROUP: Final[TitleWord] = "In one group at most 1 of them counts, chosen at random."
_MANY_IN_GROUP: Final[TitleWord] = (
    "In one group at most {in_group} of them count, chosen at random."
)
_FEWER_IN_GROUPS: Final[TitleWord] = (
    "Where a query says so, fewer of them count in one group, chosen at random."
)
_TOTAL: Final[TitleWord] = (
    "Further {rows} are left out: {people} with many {rows} weigh less than in the file."
)
_OTHER: Final[TitleWord] = (
    "The figure describes these {rows}, not all: {people} with many {rows} weigh less than in the "
    "file."
)
_PEOPLE: Final[TitleWord] = "Only these {rows} count; all {rows} could give more {people}."
_RELEASE: Final[TitleWord] = (
    "Figures of {rows} describe these, not all: {people} with many {rows} weigh less than in the "
    "file."
)
_RELEASE_PEOPLE: Final[TitleWord] = (
    "Counts of {people} by group, condition or category use only these {rows}; all {rows} could "
    "give more {people}."
)
_EXACT: Final[TitleWord] = "The exact figure is the one under the declared bounds and rules."
_EXACT_LIMITED: Final[TitleWord] = (
    "The exact figure is the one under the declared row limit, bounds and rules, not that of all "
    "{rows}."
)


@dataclass(frozen=True)
class CountedRows:
    """Which rows were counted, in words; both texts are empty where nothing is to be said.

    Attributes:
        limit: how many rows of a person count.
        meaning: what that does to the figure.
    """

    limit: str = ""
    meaning: str = ""

    def __str__(self) -> str:
        return f"{self.limit} {self.meaning}".strip()


def counted_rows(study: Study | None, query: Query, language: Language = ENGLISH) -> CountedRows:
    """Which rows a query's figures count, average or share out."""
    if study is None or not is_limited(study, query):
        return CountedRows()
    meaning = language.say(_PEOPLE) if _counts_people(query) else _of_rows(query, language)
    limit = f"{_limit(study, language)} {_in_group(query, language)}".strip()
    return CountedRows(limit, _filled(meaning, study, language))


def _in_group(query: Query, language: Language) -> str:
    """How many of a person's rows count in one group; empty without a limit of its own."""
    most = query.rows_per_group
    if most is None:
        return ""
    said = language.say(_ONE_IN_GROUP if most == 1 else _MANY_IN_GROUP)
    return said.format(in_group=in_text(str(most), language.numbers))


def _counts_people(query: Query) -> bool:
    return query.unit == "people"


def _of_rows(query: Query, language: Language) -> str:
    return language.say(_TOTAL if query.declaration.is_total else _OTHER)


def counted_in_release(study: Study | None, language: Language = ENGLISH) -> CountedRows:
    """The same of a whole study; empty where none of its queries is concerned."""
    kinds = {_counts_people(query) for query in _limited(study)}
    if study is None or not kinds:
        return CountedRows()
    said = [language.say(_RELEASE_PEOPLE if people else _RELEASE) for people in sorted(kinds)]
    has_fewer = any(query.rows_per_group for query in study.queries)
    fewer = f" {language.say(_FEWER_IN_GROUPS)}" if has_fewer else ""
    meaning = _filled(" ".join(said), study, language)
    return CountedRows(f"{_limit(study, language)}{fewer}", meaning)


def exact_figure(study: Study | None, language: Language = ENGLISH) -> str:
    """What is meant by the exact figure that a margin reaches."""
    if study is None or not _limited(study):
        return language.say(_EXACT)
    return _filled(language.say(_EXACT_LIMITED), study, language)


def is_limited(study: Study, query: Query) -> bool:
    unit = study.unit
    return unit is not None and unit.person is not None and query.is_limited


def _limited(study: Study | None) -> list[Query]:
    return [] if study is None else [query for query in study.queries if is_limited(study, query)]


def _limit(study: Study, language: Language) -> str:
    is_one = study.unit is not None and study.unit.max_rows == 1
    return _filled(language.say(_ONE if is_one else _MANY), study, language)


def _filled(template: str, study: Study, language: Language) -> str:
    names = names_of(study.unit, language.names)
    most = in_text(str(study.unit.max_rows if study.unit else 1), language.numbers)
    words = {"row": names.row, "rows": names.rows, "person": names.person, "people": names.people}
    return template.format(most=most, **words)
