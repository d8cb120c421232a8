# SPDX-License-Identifier: Apache-2.0
"""English plurals: the sources carry both forms, ``%n row(s)`` and ``%n quer(y|ies)``.

Qt picks plural forms from a translation only. This one is always installed beneath the others
and knows English; every other language brings its own forms. Qt's own words it writes as ours are:
in sentence case.
"""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import QObject, QTranslator

from dpdesk.desk.text.translators.catalogue_translator import (
    MOST_KEPT,
    SEPARATED_FROM,
    separated,
)

_FORMS = re.compile(r"\((\w*)\|(\w*)\)|\((s)\)")
_QT_WORDS = {"Select All": "Select all", "Copy &Link Location": "Copy &link location"}
"""What Qt writes in title case in the menus of fields and texts."""


class EnglishPlurals(QTranslator):
    """Chooses the form that a number asks for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.translate = lru_cache(MOST_KEPT)(plural)  # type: ignore[method-assign]

    def isEmpty(self) -> bool:
        """It has something to say, or Qt would leave it out."""
        return False


def plural(
    context: str, source: str, _disambiguation: str | None = None, n: int = -1
) -> str | None:
    """The form for ``n``; where no number is asked about, nothing but a word of Qt's."""
    if n < 0 and context.startswith("Q"):
        return _QT_WORDS.get(source)
    is_large = n >= SEPARATED_FROM and "%n" in source
    if n < 0 or not (is_large or _FORMS.search(source)):
        return None
    return separated(chosen(source, n), n)


def chosen(source: str, n: int) -> str:
    """A text with its plural forms chosen.

    >>> chosen("%n quer(y|ies) and row(s)", 1), chosen("%n quer(y|ies) and row(s)", 2)
    ('%n query and row', '%n queries and rows')
    """

    def pick(match: re.Match[str]) -> str:
        if match[3]:
            return "" if n == 1 else "s"
        return match[1] if n == 1 else match[2]

    return _FORMS.sub(pick, source)
