# SPDX-License-Identifier: Apache-2.0
"""Names of a bundle's tables: an ASCII slug of each query's title.

A query without a title is named by its sentence in the language of its release, as its
files are read by people; a record has the sentence in English. Any system unpacks the names, no
two of them are one on any, and none is a name that Windows keeps for a device. The rule belongs to
the bundle's format: another rule needs another format.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from dpdesk.catalogue import read_catalogue
from dpdesk.study.limits import DEVICE_NAMES
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import Query
from dpdesk.study.text.sentence_language import language_of, numbers_of
from dpdesk.study.text.titles import column_name, sentence

MOST = 48
_NAMELESS = "table"
_SPELT = str.maketrans(
    {
        **{"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe"},
        **{"å": "aa", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i", "ħ": "h", "ŋ": "ng"},
    }
)
_LEAST_CUT = 24
"""A word is not cut off in the middle where so much of the name would stay without it."""


def derived_file(name: str) -> str:
    """The file of what follows from a table of that name; no table is called so."""
    return f"results/{name}.derived.csv"


def names_in(study: Study | None, titles: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The name of each query's table in a release.

    A part of a Table 1 has no title of its own: it is named by the table's and the columns', which
    are in the language of the study, as its sentence is not.

    Args:
        study: as released; ``None`` where nobody can read it.
        titles: the id and the title of each query, in their order; a forged record may have an id
            twice.
    """
    parts = {} if study is None else {query.id: _part_of(study, query) for query in study.queries}
    return table_names(parts.get(id) or title for id, title in titles)


def titles_in(
    study: Study | None, titles: Iterable[tuple[str, str]], language: str
) -> Iterator[tuple[str, str]]:
    """The same titles; of queries without one of their own their sentence in a language.

    Args:
        study: as released; ``None`` where nobody can read it.
        titles: the id and the title of each query, in their order.
        language: its code; one that has no sentences here is English.
    """
    catalogue = read_catalogue(language)
    spoken = language_of(catalogue, numbers_of(catalogue))
    for id, text in titles:
        query = None if study is None else study.query(id)
        if study is not None and query is not None:
            text = text if query.title else sentence(study, query, spoken)
        yield id, text


def _part_of(study: Study, query: Query) -> str:
    """The table, the characteristic and the groups of a part of a Table 1; else nothing."""
    table = None if query.component is None else study.baseline_table(query.component.table)
    if table is None or query.title:
        return ""
    return " ".join((table.title or table.id, *part_columns(study, query)))


def baseline_names(study: Study) -> dict[str, str]:
    """The name of each Table 1's files, without folder and ending, by the table's id."""
    tables = study.baseline_tables
    names = table_names(one.title or one.id for one in tables)
    return dict(zip((one.id for one in tables), names, strict=True))


def part_columns(study: Study, query: Query) -> tuple[str, ...]:
    """What the columns are called that a part of a Table 1 is about; of other queries nothing."""
    component = query.component
    table = None if component is None else study.baseline_table(component.table)
    if component is None or table is None:
        return ()
    own = [] if component.place is None else [table.characteristics[component.place].column]
    columns = dict.fromkeys((*own, *(column_of(by) for by in query.by)))
    return tuple(column_name(study, name) for name in columns)


def table_names(titles: Iterable[str]) -> tuple[str, ...]:
    """The name of each query's table, without folder and ending, in the order of the queries.

    >>> table_names(["Größe, männlich", "größe  MÄNNLICH", "LPT¹", "年齢"])
    ('groesse-maennlich', 'groesse-maennlich-2', 'table-lpt1', 'table')
    """
    taken: list[str] = []
    for title in titles:
        wanted = slug(title)
        endings = [f"-{number}" for number in range(2, len(taken) + 3)]
        numbered = (_cut(wanted, MOST - len(ending)) + ending for ending in endings)
        taken.append(next(n for n in (wanted, *numbered) if n not in taken))
    return tuple(taken)


def slug(title: str) -> str:
    """A title as a file's name: ``[a-z0-9-]``, 48 at most, no device of Windows, never empty."""
    title_words = ascii_words(title)
    if not title_words:
        return _NAMELESS
    return f"{_NAMELESS}-{title_words}" if title_words in DEVICE_NAMES else title_words


def ascii_words(title: str) -> str:
    """What ``[a-z0-9-]`` can say of a title, 48 at most; empty where that is nothing."""
    text = unicodedata.normalize("NFC", title).casefold().translate(_SPELT)
    letters = unicodedata.normalize("NFKD", text).casefold()
    text = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _cut(re.sub(r"[^a-z0-9]+", "-", text).strip("-"), MOST)


def _cut(name: str, most: int) -> str:
    """The name's first characters, where that can be, in whole words."""
    if len(name) <= most:
        return name
    short = name[:most]
    if name[most] != "-" and short.rfind("-") >= _LEAST_CUT:
        short = short[: short.rfind("-")]
    return short.rstrip("-")
