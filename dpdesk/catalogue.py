# SPDX-License-Identifier: Apache-2.0
"""One catalogue for all sentences outside Qt: of the shell, of problems, of plans and bundles.

As in gettext the English sentence is the key. Code reads as what it says, a sentence without a
translation appears in English, and a sentence that changes never appears in the translation of
what it said before; stable keys give none of the three. A translation is one file,
``resources/texts/LANGUAGE.po``, which translators' programs (Poedit, Weblate, Lokalize) open.

The standard library reads only the compiled form of such files. Compiled files in the repository
would conflict whenever two people change a sentence, and compiling at installation needs a tool
that no custodian's machine has; so the text form is read here, and the standard library evaluates
its plural rule. ``tests/texts.py`` collects the sentences and brings the files up to date:

* ``say("… {name} …", name=…)``: a sentence, its placeholders named;
* ``say_word("title", "Count")``: a word or two, with the context that a translator needs;
* ``say_count(number, "{n} row", "{n} rows", n=…)``: a sentence with the form for a number;
* constants annotated with ``Template``, ``TitleWord``, ``UnitWord`` or ``SampleWord``, tables of
  them too: what one of these says by name.

The window's own texts are said by Qt (``tr``), which looks them up here: their context is the
class in which they stand (``desk/text/translators/``). What the window shares with the shell
is here once.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from dpdesk.resources import resource_path

Template: TypeAlias = str
"""A sentence that is said where its values are known."""
TitleWord: TypeAlias = str
"""A part of a query's title; its context is ``title``."""
UnitWord: TypeAlias = str
"""What a row or a person is called; its context is ``unit``."""
SampleWord: TypeAlias = str
"""A name or a note of the sample hospital; its context is ``sample``."""

_ENGLISH_FORM = gettext.c2py("n != 1")
_STRING = re.compile(
    r'^(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[[0-9]\])?) )?(".*")$', re.MULTILINE
)
_PLURAL = re.compile(r"plural=([^;]+)")


@dataclass(frozen=True)
class Translation:
    """One sentence of a translation file.

    Attributes:
        context: what kind of word it is; empty for a whole sentence.
        plural: its English plural; empty where it has one form.
        forms: the translation, in each plural form; empty texts where there is none yet.
        is_fuzzy: the translation is of an earlier wording and has to be revised before it is used.
    """

    context: str
    source: str
    plural: str = ""
    forms: tuple[str, ...] = ("",)
    is_fuzzy: bool = False


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one language.

    Attributes:
        language: its code, such as ``de``.
        forms: by context and English sentence, the translation in each plural form.
    """

    language: str = "en"
    forms: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    plural_form: Callable[[int], int] = _ENGLISH_FORM

    def say(self, source: str, /, **values: object) -> str:
        """A sentence, its placeholders filled.

        >>> Catalogue().say("Written to {name}.", name="a.dpdesk")
        'Written to a.dpdesk.'
        """
        return self.say_word("", source).format(**values)

    def say_word(self, context: str, source: str) -> str:
        """A template as it is, by its context and its English text."""
        return self.forms.get((context, source), (source,))[0]

    def say_count(self, number: int, one: str, many: str, /, **values: object) -> str:
        """A sentence in the form that a number takes.

        >>> Catalogue().say_count(2, "{n} row", "{n} rows", n="2")
        '2 rows'
        """
        return self.counting(number, one, many).format(**values)

    def counting(self, number: int, one: str, many: str) -> str:
        """The template of a sentence in the form that a number takes."""
        forms = self.forms.get(("", one))
        if forms is None:
            return one if number == 1 else many
        return forms[self.plural_form(number)]


ENGLISH = Catalogue()
_LANGUAGE = re.compile(r"[a-z]{2}")
_spoken = [ENGLISH]


def speak(catalogue: Catalogue) -> None:
    """Let this process's commands speak a language from now on, or its window."""
    _spoken[0] = catalogue


def spoken() -> Catalogue:
    """The language that this process's commands speak, or its window."""
    return _spoken[0]


def shipped_languages() -> tuple[str, ...]:
    """The codes of the languages that there are sentences in, English first."""
    found = sorted(path.stem for path in resource_path("texts").glob("*.po"))
    return (ENGLISH.language, *filter(_LANGUAGE.fullmatch, found))


@lru_cache
def read_catalogue(language: str) -> Catalogue:
    """The catalogue of a language; English where no translation is shipped."""
    try:
        path = resource_path(f"texts/{language}.po")
    except FileNotFoundError:
        return ENGLISH
    return catalogue_of(language, read_entries(path.read_text(encoding="utf-8")))


def catalogue_of(language: str, entries: Iterable[Translation]) -> Catalogue:
    """The catalogue of a translation file's entries, of those that are translated."""
    forms = {
        (entry.context, entry.source): entry.forms
        for entry in entries
        if all(entry.forms) and not entry.is_fuzzy
    }
    rule = _PLURAL.search(forms.pop(("", ""), ("",))[0])
    return Catalogue(language, forms, gettext.c2py(rule[1]) if rule else _ENGLISH_FORM)


def read_entries(text: str) -> tuple[Translation, ...]:
    """The entries of a translation file; the one without a source is its head."""
    return tuple(_entry(block) for block in text.split("\n\n") if 'msgid "' in block)


def _entry(block: str) -> Translation:
    texts: dict[str, str] = {}
    name = ""
    for field_name, quoted in _STRING.findall(block):
        name = field_name or name
        texts[name] = texts.get(name, "") + _unquoted(quoted)
    return Translation(
        texts.get("msgctxt", ""),
        texts["msgid"],
        texts.get("msgid_plural", ""),
        tuple(text for name, text in texts.items() if name.startswith("msgstr")),
        "\n#," in f"\n{block}" and any(_is_fuzzy(line) for line in block.splitlines()),
    )


def _unquoted(text: str) -> str:
    """Most texts have no escape, and are read ten times as fast so."""
    return str(json.loads(text)) if "\\" in text else text[1:-1]


def _is_fuzzy(line: str) -> bool:
    return line.startswith("#,") and "fuzzy" in line
