# SPDX-License-Identifier: Apache-2.0
"""When a cell is one of a column's declared texts: letter by letter, or folded.

Folding makes capitals and small letters alike by Unicode's canonical caseless match (D145: NFD,
case folding, and composed again) and leaves out the white space around a text, no-break spaces
and invisible marks among it. It is narrower than what makes two ids one person. Merging ids errs
on the safe side, merging values miscounts, so compatibility forms stay apart (``10²`` is not
``102``), and so do runs of white space inside a text.

Whether a column is folded follows from declarations alone. Folding one cell looks at that cell
alone, so what becomes of one person's rows still depends on nobody else's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final, Literal

from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, Column, YesNoColumn, value_labels
from dpdesk.study.model.document import Study

EXACT: Final = "exact"
FOLDED: Final = "folded"
Comparison = Literal["exact", "folded"]
COMPARISONS: tuple[Comparison, ...] = (EXACT, FOLDED)
_MISSING = -1
_INVISIBLE_EDGE = "\ufeff\u200b\u2060"
_LAST_SPACE = 0x3000
_EDGE = _INVISIBLE_EDGE + "".join(c for c in map(chr, range(_LAST_SPACE + 1)) if c.isspace())


def tidy(text: str) -> str:
    """A text without the white space around it, in Unicode's composed form."""
    text = text.strip()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).strip(_INVISIBLE_EDGE).strip()


def is_category(text: str) -> bool:
    """Whether a tidied cell can be given out as a category, no matter who has it."""
    return len(text) <= limits.MAX_FOUND_TEXT and limits.is_printable_text(text)


def folded(text: str) -> str:
    """A tidied text in which capitals and small letters are alike; folding twice changes nothing.

    >>> folded("\u00a0FEMALE ") == folded("Female"), folded("Stra\u00dfe") == folded("STRASSE")
    (True, True)
    >>> folded("10\u00b2") == folded("102")
    False
    """
    if text.isascii():
        return text.strip().lower()
    apart = unicodedata.normalize("NFD", text).casefold()
    # Some capitals come apart when they are folded, so they are put together last.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", apart)).strip(_EDGE)


def declared_codes(column: CategoryColumn | YesNoColumn) -> dict[str, int]:
    """The code of each tidied text that is declared, whichever way cells are compared."""
    if isinstance(column, CategoryColumn):
        values = {tidy(value): code for code, value in enumerate(column.values)}
        # A file with the names in place of the codes reads the same; a code is never outvoted.
        return {tidy(label): code for code, label in enumerate(value_labels(column))} | values
    return {tidy(text): 0 for text in column.no} | {tidy(text): 1 for text in column.yes}


def comparison_of(column: Column, missing: Iterable[str] = ()) -> Comparison:
    """How a column's cells are compared with its declared texts.

    A folded column in which two texts of different meaning fold to one is compared exactly, all
    of it: a file that tells ``m`` (married) from ``M`` (male) is read as it is declared.

    Args:
        column: its declaration.
        missing: the study's markers for missing cells.
    """
    if not isinstance(column, CategoryColumn | YesNoColumn) or column.compare != FOLDED:
        return EXACT
    markers = ("", *missing, *column.missing_values)
    meaning = dict.fromkeys(map(folded, markers), _MISSING)
    pairs = declared_codes(column).items()
    alike = all(meaning.setdefault(folded(text), code) == code for text, code in pairs)
    return FOLDED if alike else EXACT


def has_collision(column: Column, missing: Iterable[str] = ()) -> bool:
    """Whether a column that is declared to be folded is compared exactly all the same."""
    declared = isinstance(column, CategoryColumn | YesNoColumn) and column.compare == FOLDED
    return declared and comparison_of(column, missing) == EXACT


def comparisons(study: Study) -> dict[Column, Comparison]:
    """How the cells of each listed column that a query uses are compared."""
    return {
        column: comparison_of(column, study.missing_of(column))
        for column in study.columns
        if column.name in study.used_names and column.made_from is None and lists_texts(column)
    }


def lists_texts(column: Column) -> bool:
    """Whether cells are compared with anything; categories found in the data never are."""
    return isinstance(column, CategoryColumn | YesNoColumn) and bool(declared_codes(column))
