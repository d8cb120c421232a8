# SPDX-License-Identifier: Apache-2.0
"""The window's sentences: in another language out of its one file, in English with its plurals.

Qt asks with a context and the English sentence. The context is the class in which the sentence
is: ``self.tr`` asks with each class of an object's line in turn, until one has an answer, so a
base class's sentence is found for whatever derives from it. In the file that is the ``msgctxt``.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial

from PySide6.QtCore import QObject, QTranslator

from dpdesk.catalogue import Catalogue
from dpdesk.desk.text.language import number_style
from dpdesk.study.text.number_text import in_text

LANGUAGE_CONTEXT = "Language"
"""In it a translator says the code of its language; ``text/language.py`` asks for it."""
SEPARATED_FROM = 10_000
"""From five digits on a number has separators, as in every sentence (``number_text``)."""
MOST_KEPT = 10_000
"""Sentences of one language that are kept as they were last said: each keystroke asks for dozens,
and Qt asks for the same one each time."""


class CatalogueTranslator(QTranslator):
    """Says what its catalogue has a translation of, and leaves everything else to the others."""

    def __init__(self, catalogue: Catalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Qt calls what the object holds by this name: what is kept needs no call of Python at all.
        self.translate = lru_cache(MOST_KEPT)(partial(translation, catalogue))  # type: ignore[method-assign]

    def isEmpty(self) -> bool:
        """It has something to say, or Qt would leave it out."""
        return False


def translation(
    catalogue: Catalogue, context: str, source: str, _disambiguation: str | None = None, n: int = -1
) -> str | None:
    """What a catalogue has, in the form for ``n`` where a number is asked about."""
    forms = catalogue.forms.get((context, source))
    if forms is None:
        return catalogue.language if context == LANGUAGE_CONTEXT else None
    if n < 0 or len(forms) == 1:
        return separated(forms[0], n)
    return separated(forms[catalogue.plural_form(n)], n)


def separated(text: str, n: int) -> str:
    """A text whose ``%n`` is filled where the number needs separators; Qt fills the others."""
    if n < SEPARATED_FROM:
        return text
    return text.replace("%n", in_text(str(n), number_style()))


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
