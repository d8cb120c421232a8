# SPDX-License-Identifier: Apache-2.0
"""The window speaks the language that was chosen, out of its one file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from dpdesk import catalogue, resources
from dpdesk.catalogue import Catalogue
from dpdesk.desk.text.language import catalogue as shown_catalogue
from dpdesk.desk.text.language import number_style
from dpdesk.desk.text.translators import chosen_language
from dpdesk.desk.text.translators.catalogue_translator import CatalogueTranslator
from dpdesk.study.text.number_text import NumberStyle
from tests.desk.languages import spoken_language
from tests.texts import FOLDER

MADE_UP = r"""
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\n"

msgctxt "Menus"
msgid "&File"
msgstr "&Qapla"

msgctxt "RailView"
msgid "%n planned"
msgid_plural "%n planned"
msgstr[0] "%n wa'"
msgstr[1] "%n puS"
msgstr[2] "%n law'"
"""


class Menus(QObject):
    """Named as the class in which the sentence stands."""


class Derived(Menus):
    """Says what the class before it says."""


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A language of one file, dropped beside the others."""
    shutil.copytree(FOLDER, tmp_path / "texts")
    (tmp_path / "texts" / "tlh.po").write_text(MADE_UP, encoding="utf-8")
    monkeypatch.setattr(resources, "_PLACES", (tmp_path, *resources._PLACES))
    catalogue.read_catalogue.cache_clear()
    yield "tlh"
    catalogue.read_catalogue.cache_clear()


def test_a_language_is_one_file(made_up: str, qapp: QApplication) -> None:
    assert chosen_language.languages() == ("en", "de", made_up)
    assert chosen_language.own_name(made_up) == made_up
    with spoken_language(qapp, made_up):
        assert Menus().tr("&File") == "&Qapla"
        assert Derived().tr("&File") == "&Qapla", "a base class's sentence is found"
        assert Menus().tr("&Edit") == "&Edit", "what is not translated appears in English"
        counted = [QCoreApplication.translate("RailView", "%n planned", "", n) for n in (1, 3, 7)]
        assert counted == ["1 wa'", "3 puS", "7 law'"]
        assert shown_catalogue().language == made_up
    assert Menus().tr("&File") == "&File"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [(["de-AT", "de"], "de"), (["fr-FR", "fr", "de-DE"], "de"), (["fr"], "en"), (["C"], "en")],
)
def test_the_system_s_first_language_that_there_is(
    wanted: list[str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "uiLanguages", lambda _locale: wanted)
    assert chosen_language.spoken("system") == code
    assert chosen_language.spoken("no-such-language") == code
    assert chosen_language.spoken("de") == "de"


def test_numbers_and_qt_s_own_words_follow_the_language(qapp: QApplication) -> None:
    with spoken_language(qapp, "de"):
        assert number_style() == NumberStyle(",", ".")
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    with spoken_language(qapp, "en"):
        assert number_style() == NumberStyle(".", ",")
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_english_plurals_stay_beneath(qapp: QApplication) -> None:
    with spoken_language(qapp, "de"):
        said = QCoreApplication.translate("Nowhere", "%n quer(y|ies)", "", 2)
    assert said == "2 queries"


def test_languages_leave_nothing_behind(qapp: QApplication) -> None:
    before = len(qapp.findChildren(QTranslator))
    for choice in ("de", "en", "de", "system") * 3:
        chosen_language.speak(qapp, choice)
    assert len(qapp.findChildren(QTranslator)) == before


def test_large_counts_have_their_separators(qapp: QApplication) -> None:
    forms = {("Any", "%n row(s)"): ("%n Zeile", "%n Zeilen")}
    translator = CatalogueTranslator(Catalogue("de", forms))
    with spoken_language(qapp, "de"):
        qapp.installTranslator(translator)
        said = [QCoreApplication.translate("Any", "%n row(s)", "", n) for n in (1, 999, 12_345)]
        qapp.removeTranslator(translator)
    assert said == ["1 Zeile", "999 Zeilen", "12.345 Zeilen"]
