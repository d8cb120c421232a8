# SPDX-License-Identifier: Apache-2.0
"""The window's sentences in another language, out of the one file that has all its sentences.

Qt asks with a context and the English sentence. The context is the class in which the sentence
stands: ``self.tr`` asks with each class of an object's line in turn, until one has an answer, so a
base class's sentence is found for whatever derives from it. In the file that is the ``msgctxt``.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTranslator

from dpdesk.catalogue import Catalogue
from dpdesk.desk.text.language import number_style
from dpdesk.study.text.number_text import in_text

LANGUAGE_CONTEXT = "Language"
"""In it a translator says the code of its language; ``text/language.py`` asks for it."""
SEPARATED_FROM = 10_000
"""From five digits on a number has separators, as in every sentence (``number_text``)."""


class CatalogueTranslator(QTranslator):
    """Says what its catalogue has a translation of, and leaves everything else to the others."""

    def __init__(self, catalogue: Catalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._catalogue = catalogue

    def isEmpty(self) -> bool:
        """It has something to say, or Qt would leave it out."""
        return False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        """The translation, in the form for ``n`` where a number is asked about."""
        forms = self._catalogue.forms.get((context, source))
        if forms is None:
            return self._catalogue.language if context == LANGUAGE_CONTEXT else None
        if n < 0 or len(forms) == 1:
            return separated(forms[0], n)
        return separated(forms[self._catalogue.plural_form(n)], n)


def separated(text: str, n: int) -> str:
    """A text whose ``%n`` is filled where the number needs separators; Qt fills the others."""
    if n < SEPARATED_FROM:
        return text
    return text.replace("%n", in_text(str(n), number_style()))
