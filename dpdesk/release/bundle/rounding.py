# SPDX-License-Identifier: Apache-2.0
"""To which steps numbers are rounded, in words: as declared, whether any needed it or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.study.model.columns import NumberColumn, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.text.number_text import plain

_ROUNDED: Final[Template] = (
    "Numbers are rounded to the nearest declared step, halves to the even one: {columns}."
)
_STEP: Final[Template] = "{column} to steps of {step}"


def rounding_sentences(study: Study, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """One sentence of all number columns that queries use; none where they use none.

    Of a column whose bounds are asked for, magnitudes are counted and nothing is rounded.
    """
    said = tuple(_steps(study, words))
    return (words.say(_ROUNDED, columns="; ".join(said)),) if said else ()


def _steps(study: Study, words: ReleaseWords) -> Iterator[str]:
    used = frozenset(name for query in study.queries for name in query.names)
    for column in study.columns:
        if not isinstance(column, NumberColumn) or column.name not in used:
            continue
        if column.step is not None and not is_unbounded(column):
            step = f"{words.number(plain(column.step))} {column.label}".rstrip()
            yield words.say(_STEP, column=column_title(column), step=step)
