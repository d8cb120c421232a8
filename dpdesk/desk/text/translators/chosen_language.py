# SPDX-License-Identifier: Apache-2.0
"""Which language the window speaks: the system's, or the one that was chosen.

A language is one file, ``resources/texts/LANGUAGE.po``; whatever is there can be chosen.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from dpdesk import catalogue
from dpdesk.catalogue import read_catalogue
from dpdesk.desk.text.language import forget_language
from dpdesk.desk.text.translators.catalogue_translator import CatalogueTranslator, EnglishPlurals
from dpdesk.resources import resource_path

SYSTEM = "system"
ENGLISH = "en"
_SPOKEN = "dpdesk-language"


def languages() -> tuple[str, ...]:
    """The codes of the languages that can be chosen, English first."""
    files = resource_path("texts").glob("*.po")
    return ENGLISH, *sorted(path.stem for path in files)


def own_name(code: str) -> str:
    """What a language is called by those who speak it; its code where Qt does not know it.

    >>> own_name("de"), own_name("en")
    ('Deutsch', 'English')
    """
    locale = QLocale(code)
    if locale.language() is QLocale.Language.C:
        return code
    # Qt calls English of no country that of the United States.
    name = "English" if code == ENGLISH else locale.nativeLanguageName()
    return name[:1].upper() + name[1:]


def spoken(choice: str) -> str:
    """The code of a choice: what it names, or the first of the system's languages that there is."""
    known = languages()
    if choice in known:
        return choice
    wanted = (name.replace("_", "-").split("-")[0] for name in QLocale.system().uiLanguages())
    return next((code for code in wanted if code in known), ENGLISH)


def speak(app: QCoreApplication, choice: str) -> None:
    """Let everything that is made from now on speak a language.

    Numbers and dates follow it: in the system's own way where this is the system's language.

    Args:
        choice: ``system``, or the code of a language.
    """
    if app.property(_SPOKEN) == choice:
        return
    app.setProperty(_SPOKEN, choice)
    _be_quiet(app)
    code = spoken(choice)
    catalogue.speak(read_catalogue(code))
    QLocale.setDefault(_locale(choice, code))
    # Asked last: English has both forms of a plural in its sentence.
    app.installTranslator(EnglishPlurals(app))
    _say_qt_words(app, code if choice != SYSTEM else "")
    if code != ENGLISH:
        app.installTranslator(CatalogueTranslator(read_catalogue(code), app))
    forget_language()


def is_speaking(app: QCoreApplication) -> bool:
    """Whether a language was chosen for this process yet."""
    return app.property(_SPOKEN) is not None


def _be_quiet(app: QCoreApplication) -> None:
    """Qt asks every installed translator for every text: those of before go."""
    for translator in app.findChildren(QTranslator):
        app.removeTranslator(translator)
        translator.setParent(None)


def _locale(choice: str, code: str) -> QLocale:
    system, named = QLocale.system(), QLocale(code)
    is_systems = choice not in languages() or named.language() == system.language()
    return system if is_systems else named


def _say_qt_words(app: QCoreApplication, code: str) -> None:
    """Qt's own words, such as those of its file dialog."""
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    locale = QLocale(code) if code else QLocale.system()
    if translator.load(locale, "qtbase", "_", folder):
        app.installTranslator(translator)
    else:
        translator.setParent(None)
