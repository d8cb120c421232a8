# SPDX-License-Identifier: Apache-2.0
"""One word for one thing in German, too: what the window calls it is what everything calls it."""

from __future__ import annotations

import re
from functools import cache

import pytest

from dpdesk.catalogue import Translation, read_entries
from dpdesk.desk.pages.help.handbook import read_handbook
from tests import texts

OTHERS = [
    (r"\bquer(y|ies)\b", r"\bAbfragen?\b", "Auswertung"),
    (r"\bmargins?\b", r"\bSpannen?\b", "Fehlermarge"),
    (r"\bhandles?\b", r"\bReglers?\b", "Griff"),
    (r"\brecipients?\b", r"\bEmpfangenden?\b", "Empfänger"),
    (r"\bledger\b", r"\bHauptbuch|\bKassenbuch", "Budgetbuch"),
    (r"\bbundles?\b", r"\bBündel\b", "Ergebnispaket"),
    (r"\bnoise\b", r"\bStörung|\bLärm", "Rauschen"),
    (r"\bstudy (?:plan|protocol)\b", r"\bStudienplan\b|\bStudienplans\b", "Studienprotokoll"),
    (r"\bduplicate\b", r"[Vv]erdoppel", "duplizieren"),
    (r"\bcomputer", r"\bRechners?\b", "Computer"),
    (r"\bprivate", r"[Dd]ifferentiell", "Differential Privacy"),
    (r"\bprivately\b", r"\b[Pp]rivate?[nr]? (ge)?[Ss](chätz|uch)", "mit Rauschen"),
    (r"\bsecond record\b", r"zweite[nr]? Aufzeichnung", "zweiter Nachweis"),
    (r"\badds? up\b", r"\bgeht (nicht )?auf\b|\baufgeht", "stimmt"),
    (r"\b(re)?made\b|\bmade again\b", r"\b[Nn]ach(ge)?bild", "neu erzeugt"),
    (r"\brollback\b", r"Rückfall", "Rücksetzung"),
    (r"\bline\b", r"[Öö]ffentlichen? Zeile", "öffentliche Schlüsselzeile"),
    (r"\breserv", r"\b[Zz]urück(ge|zu)?leg", "reservieren"),
    (r"\b[Rr]ehears", r"\b[Pp]roben?\b", "Probelauf"),
    (r"\baccounts?\b", r"\bKont(o|os|en)\b", "Budgetkonto"),
    (r"\bremain", r"\b[Üü]brig", "verbleibend"),
    (r"\bdeclared?\b", r"\bbeschrieben\b|\b[Bb]eschreiben Sie\b", "festlegen"),
    (r"\bstored figures?\b", r"\bgespeicherten? (Antwort|Wert)", "gespeichertes Ergebnis"),
]
"""An English word, German words that must not stand for it, and the one that does."""
IDS = [word for _, _, word in OTHERS]
IN_THE_CATALOGUE = [
    (r"\b[Rr]econcil", r"\b[Aa]b(zu)?gleichen\b|\babgeglichen\b", "nachbuchen"),
    (r"\bspen[dt]", r"\bgibt nichts aus\b|\bausgeben\b|\bausgab\b", "verbrauchen"),
    (r"\breleased?\b", r"\bveröffentlichen Sie\b", "freigeben"),
    (r"\bHistory\b|\bhistory\b", r"Vorgeschichte", "Verlauf"),
    (r"\btemplate", r"\bnach &?Vorlage\b", "aus einer Vorlage"),
    (r"\bnot stated\b", r"\bkeine Angabe\b", "nicht angegeben"),
    (r"^Notes?\b", r"\bAnmerkung", "Hinweis"),
    (r"\bopened by a person\b", r"\bvon Person\b|\bVon Person\b", "von einer Person"),
    (r"^spent before$", r"\bdavor\b", "vorher verbraucht"),
    (r"\bnoisy to use\b", r"\bverrauscht zum\b", "zu verrauscht"),
    (r"^Account \{", r"^Konto\b", "Budgetkonto"),
    (r"\banother form\b", r"\b[Ii]n anderer Form\b", "in anderem Format"),
    (r"^Not asked$", r"\b[Nn]icht gefragt\b", "nicht geprüft"),
    (r"^Has (?:not )?signed", r"\b(?:ist|wurde)\b", "hat signiert"),
    (r"\block", r"\b[Gg]esperrte Auswertung|Auswertungen sind gesperrt", "Anteil behalten"),
]
"""The same, of words that mean something else in running text."""
PAGES = "Daten|Personen|Spalten|Auswertungen|Freigabe|Verlauf|Prüfen"


@cache
def german() -> list[Translation]:
    return read_entries((texts.FOLDER / "de.po").read_text(encoding="utf-8"))[1:]


@pytest.mark.parametrize(
    ("english", "other", "word"),
    [*OTHERS, *IN_THE_CATALOGUE],
    ids=[word for _, _, word in (*OTHERS, *IN_THE_CATALOGUE)],
)
def test_a_thing_has_one_word(english: str, other: str, word: str) -> None:
    found = [
        form
        for entry in german()
        if re.search(english, entry.source, re.IGNORECASE)
        for form in entry.forms
        if re.search(other, form)
    ]
    assert not found, f"say {word}"


@pytest.mark.parametrize(("english", "other", "word"), OTHERS, ids=IDS)
def test_the_handbook_has_the_same_word(english: str, other: str, word: str) -> None:
    pages = [page for page in read_handbook("de").pages if re.search(other, page.text)]
    assert not [page.key for page in pages], f"{english}: say {word}"


FIRST_WORDS = ("WelcomePage", "Tour")
"""They speak to somebody who has not met the program's words, and the tour has numbers, too."""


def test_the_window_has_one_word_for_figures() -> None:
    found = [
        form
        for entry in german()
        if entry.context and entry.context not in FIRST_WORDS
        if re.search(r"\bfigures?\b(?!.*\bvalues?\b)", entry.source)
        for form in entry.forms
        if re.search(r"\b(?:Zahl(?:en)?|Werte?n?s?)\b", form)
    ]
    assert not found, "say Ergebnis"


def test_the_window_has_one_word_for_signing() -> None:
    other = re.compile(r"[Uu]nterschr[ei]|[Uu]nterzeichn")
    found = [
        form for entry in german() if entry.context for form in entry.forms if other.search(form)
    ]
    assert not found, "say signieren, Signatur, signierende Stelle"


def test_a_page_is_named_in_quotation_marks() -> None:
    bare = re.compile(rf"\bunter ({PAGES})\b")
    assert not [form for entry in german() for form in entry.forms if bare.search(form)]


def test_a_command_to_type_has_the_quotation_marks_of_a_shell() -> None:
    typed = re.compile(r"--\w+ [“„]")
    assert not [form for entry in german() for form in entry.forms if typed.search(form)]


def test_no_translation_is_a_mere_mark() -> None:
    """Where words stand in English, a letter in their place was forgotten."""
    short = [
        (entry.source, form)
        for entry in german()
        for form in entry.forms
        if len(form) * 5 < len(entry.plural or entry.source)
    ]
    assert not short
