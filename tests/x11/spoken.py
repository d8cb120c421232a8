# SPDX-License-Identifier: Apache-2.0
"""What the program calls a thing in the language that it speaks.

A walk is written down once, in the program's English sentences. The same file of sentences that
the program reads says what each is called in another language; whatever it does not hold, such as
a column's name, is called the same everywhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from dpdesk.catalogue import Translation, read_catalogue, read_entries
from dpdesk.desk.text.translators.catalogue_translator import chosen
from dpdesk.resources import resource_path
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.sentence_language import language_of
from dpdesk.study.text.titles import sentence

Name: TypeAlias = "str | re.Pattern[str]"
"""What a control is called: exactly so, or in one of the ways that a pattern takes."""

ENGLISH = "en"
LOCALES = {ENGLISH: "C.UTF-8", "de": "de_DE.UTF-8"}
"""What a system says that is set to a language."""
KEY_NAMES = {"ä": "adiaeresis", "ö": "odiaeresis", "ü": "udiaeresis", "ß": "ssharp"}
"""What X calls keys whose letter is not their name."""
QT_WORDS = {"de": {"File name:": "Dateiname:", "Save": "Speichern", "Open": "Öffnen"}}
"""Of Qt's own file dialog."""
_PLACEHOLDER = re.compile(r"\\\{\w*\\\}|%n")


def is_called(name: Name, called: str) -> bool:
    """Whether something has a name."""
    return name == called if isinstance(name, str) else bool(name.fullmatch(called))


@dataclass(frozen=True)
class Spoken:
    """The language of a walk.

    Attributes:
        language: its code.
    """

    language: str = ENGLISH

    @property
    def locale(self) -> str:
        """What the system says that the program runs on."""
        return LOCALES[self.language]

    def of(self, sentence: Name) -> re.Pattern[str]:
        """What an English sentence can read: whatever fills its placeholders, in each plural form.

        What is a pattern already is the name itself.

        >>> german = Spoken("de").of("Spend {0} and release")
        >>> bool(german.fullmatch("0,1 verbrauchen und freigeben"))
        True
        """
        if isinstance(sentence, re.Pattern):
            return sentence
        texts = self._texts[sentence] if self.language != ENGLISH else set()
        if self.language == ENGLISH or not texts:
            texts = {chosen(sentence, 1), chosen(sentence, 2)}
        return re.compile("|".join(sorted(_pattern(text) for text in texts)))

    def beginning(self, sentence: str) -> re.Pattern[str]:
        """What begins with a sentence."""
        return re.compile(f"(?:{self.of(sentence).pattern}).*", re.DOTALL)

    def letters(self, sentence: Name, *contexts: str) -> set[str]:
        """What Alt reaches it with, as X calls the key; the contexts are classes of the window.

        >>> Spoken("de").letters("Tools", "Menus")
        {'e'}
        """
        if isinstance(sentence, re.Pattern):
            return set()
        marked = self._marked[sentence]
        found = {text for where, text in marked if not contexts or where in contexts}
        keys = {text.replace("&&", "")[text.replace("&&", "").index("&") + 1] for text in found}
        return {KEY_NAMES.get(key.lower(), key.lower()) for key in keys}

    def query(self, study: Study, query: Query) -> re.Pattern[str]:
        """The sentence of a query."""
        said = language_of(read_catalogue(self.language))
        return re.compile(re.escape(sentence(study, query, said)))

    @cached_property
    def _marked(self) -> defaultdict[str, list[tuple[str, str]]]:
        """By English sentence, contexts and what is said there, where a letter is marked."""
        found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        path = resource_path("texts/de.po")
        for entry in read_entries(path.read_text(encoding="utf-8")):
            said = entry.source if self.language == ENGLISH else entry.forms[0]
            if "&" in said.replace("&&", ""):
                found[_plain(entry.source)].append((entry.context, said))
        return found

    @cached_property
    def _texts(self) -> defaultdict[str, set[str]]:
        """By English sentence, without the letters for Alt, its translations in all contexts."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for english, other in QT_WORDS.get(self.language, {}).items():
            found[english].add(other)
        path = resource_path(f"texts/{self.language}.po")
        for entry in read_entries(path.read_text(encoding="utf-8")):
            found[_plain(entry.source)] |= _forms(entry)
        return found


def _forms(entry: Translation) -> set[str]:
    return {_plain(form) for form in entry.forms if form}


def _plain(text: str) -> str:
    """As it is read out: without the mark of the letter that Alt reaches."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _pattern(text: str) -> str:
    return _PLACEHOLDER.sub(".+", re.escape(text))
