# SPDX-License-Identifier: Apache-2.0
"""What people of a hospital type, and the page that answers it: first or second of the best."""

from __future__ import annotations

import re

import pytest

from dpdesk.desk.pages.help.handbook import Handbook, HelpPage, read_handbook
from dpdesk.desk.pages.help.ranking import MOST, rank
from dpdesk.resources import resource_path

ENGLISH = {
    "patient twice": "people",
    "k-anonymity": "promise limits words",
    "what is epsilon": "budget words",
    "how much budget": "budget",
    "data protection officer": "dossier",
    "missing": "categories columns data",
    "empty cells": "categories columns",
    "Excel": "data",
    "key lost": "signing-key",
    "forgot passphrase": "signing-key",
    "password": "signing-key",
    "readmission": "people",
    "outliers": "bounds",
    "maximum age": "bounds",
    "small groups": "groups margins",
    "suppress small cells": "margins promise groups",
    "confidence interval": "margins",
    "error bars": "charts margins",
    "negative count": "margins",
    "standard deviation": "stat-spread",
    "average length of stay": "stat-means",
    "percentage": "stat-means",
    "sex by ward": "groups",
    "ICD codes": "categories",
    "REDCap": "codebooks",
    "SPSS labels": "codebooks",
    "new laptop": "ledger",
    "backup": "ledger",
    "computer stolen": "signing-key ledger",
    "account locked": "locked",
    "undo a release": "release after-export",
    "wrong figure published": "after-export",
    "ethics committee": "release",
    "four eyes": "second-person",
    "GDPR anonymous": "limits dossier",
    "quarterly report": "templates reuse account",
    "next year's data": "reuse",
    "dark mode": "preferences",
    "German language": "preferences",
    "print": "release keyboard",
    "methods section": "after-export",
    "made-up data test": "rehearsal",
    "is it secure": "promise limits",
    "internet connection": "what-leaves",
    "send by email": "after-export",
    "how accurate": "margins queries",
    "check signature": "verify",
    "command prompt": "verify-windows shell",
    "audit": "auditor",
    "trend over years": "comparison charts",
    "CSV separator": "data",
    "run out of budget": "account budget shares",
    "difference between two years": "comparison",
    "exclude patients": "groups columns",
    "how do I anonymise my data": "promise limits",
    "two ids for one patient": "people",
    "hospital merger ids": "people",
    "why is my count wrong": "margins averaging",
    "numbers don't add up": "margins",
    "choose epsilon for registry": "budget",
    "who decides the budget": "budget account auditor",
    "how many rows per patient": "people",
    "blank cells": "categories columns data",
    "NA values": "data categories columns",
    "date column": "columns",
    "yes no coding": "columns",
    "length of stay bounds": "bounds",
    "negative age": "bounds columns",
    "import codebook": "codebooks",
    "duplicate query": "groups queries",
    "delete a query": "groups queries",
    "compare men and women": "groups",
    "quarter": "groups templates account reuse",
    "percentile": "stat-ranks",
    "IQR": "stat-ranks",
    "mortality rate": "stat-means",
    "top 10 diagnoses": "stat-choices",
    "release again without paying": "averaging release history",
    "cannot release": "locked release second-person",
    "export again": "history",
    "resend bundle": "history after-export",
    "recipient cannot verify": "verify verify-windows",
    "public key for recipients": "signing-key after-export",
    "hash of a file": "verify-windows",
    "person left the hospital": "second-person signing-key",
    "transfer to another PC": "ledger",
    "ledger copy": "ledger locked",
    "where is my study saved": "study",
    "change font": "preferences",
    "tab key": "keyboard",
    "run from a script": "shell",
    "what does margin mean": "margins words",
    "glossary": "words",
    "laplace noise": "words account promise",
    "zcdp or epsilon": "account words",
    "what may I send outside": "what-leaves after-export",
    "export as pdf": "release after-export charts",
    "sample size": "rehearsal",
    "attackers": "promise limits dossier",
    "computer crashes during release": "release",
    "cancel a release": "release",
    "postcode": "columns",
    "can I see the true result": "what-leaves",
    "what is a bundle": "words tutorial-release",
    "which noise": "account",
    "budget for next year": "budget",
    "two studies same patients": "account",
    "where are the log files": "preferences",
}
GERMAN = {
    "Patient doppelt": "people",
    "k-Anonymität": "promise limits words",
    "was ist Epsilon": "budget words",
    "wie viel Budget": "budget",
    "Datenschutzbeauftragter": "dossier",
    "fehlende Werte": "categories columns data",
    "leere Zellen": "categories columns",
    "Excel": "data",
    "Schlüssel verloren": "signing-key",
    "Passwort vergessen": "signing-key",
    "Passwort": "signing-key",
    "Wiederaufnahme": "people",
    "Ausreißer": "bounds stat-spread",
    "Höchstalter": "bounds",
    "kleine Fallzahlen": "groups margins",
    "Zellen unterdrücken": "margins promise groups",
    "Konfidenzintervall": "margins",
    "Fehlerbalken": "charts margins",
    "negative Anzahl": "margins",
    "Standardabweichung": "stat-spread",
    "durchschnittliche Verweildauer": "stat-means",
    "Prozent": "stat-means margins",
    "Geschlecht je Station": "groups",
    "ICD-Codes": "categories",
    "REDCap": "codebooks",
    "SPSS": "codebooks data",
    "neuer Rechner": "ledger",
    "Datensicherung": "ledger",
    "Laptop gestohlen": "signing-key ledger",
    "Konto gesperrt": "locked",
    "Freigabe rückgängig machen": "release after-export",
    "falsche Zahl veröffentlicht": "after-export",
    "Ethikkommission": "release",
    "Vier-Augen-Prinzip": "second-person",
    "DSGVO anonym": "limits dossier",
    "Quartalsbericht": "templates reuse account",
    "Daten vom nächsten Jahr": "reuse",
    "Dunkelmodus": "preferences",
    "Sprache ändern": "preferences",
    "drucken": "release keyboard",
    "Methodenteil": "after-export",
    "Testdaten": "rehearsal",
    "wie sicher ist das": "promise limits",
    "Internet": "what-leaves",
    "per E-Mail schicken": "after-export",
    "wie genau": "margins queries",
    "Unterschrift prüfen": "verify",
    "Eingabeaufforderung": "verify-windows shell",
    "Revision": "auditor",
    "Trend über Jahre": "comparison charts",
    "Trennzeichen": "data",
    "Budget aufgebraucht": "account budget shares",
    "Unterschied zum Vorjahr": "comparison",
    "Patienten ausschließen": "groups columns",
    "wie anonymisiere ich": "promise limits",
    "zwei Kennungen für einen Patienten": "people",
    "Fallnummer statt Patientennummer": "people",
    "warum stimmt die Zahl nicht": "margins averaging",
    "Summe stimmt nicht": "margins",
    "Epsilon für Register wählen": "budget",
    "wer entscheidet über das Budget": "budget account auditor",
    "wie viele Zeilen je Patient": "people",
    "NA Werte": "data categories columns",
    "Datumsspalte": "columns",
    "Ja Nein Kodierung": "columns",
    "Verweildauer Grenzen": "bounds",
    "negatives Alter": "bounds columns",
    "Codebuch importieren": "codebooks",
    "Auswertung löschen": "groups queries",
    "Männer und Frauen vergleichen": "groups",
    "Quartal": "groups templates account reuse",
    "Perzentil": "stat-ranks",
    "Sterblichkeit": "stat-means",
    "häufigste Diagnosen": "stat-choices",
    "nochmal freigeben ohne zu bezahlen": "averaging release history",
    "kann nicht freigeben": "locked release second-person",
    "noch einmal exportieren": "history",
    "Empfänger kann nicht prüfen": "verify verify-windows",
    "öffentlicher Schlüssel für Empfänger": "signing-key after-export",
    "Prüfsumme einer Datei": "verify-windows",
    "Mitarbeiter ausgeschieden": "second-person signing-key",
    "auf anderen PC übertragen": "ledger",
    "Kopie des Budgetbuchs": "ledger locked",
    "wo ist meine Studie gespeichert": "study",
    "Schrift vergrößern": "preferences",
    "Tabulator": "keyboard",
    "Skript": "shell",
    "was bedeutet Fehlermarge": "margins words",
    "Glossar": "words",
    "Laplace-Rauschen": "words account promise",
    "zCDP oder Epsilon": "account words",
    "was darf raus": "what-leaves after-export",
    "als PDF": "release after-export charts",
    "Fallzahlplanung": "rehearsal",
    "Angreifer": "promise limits dossier",
    "Zwischenspeichern": "study",
    "Netzlaufwerk": "ledger",
    "Mindestfallzahl": "margins groups stat-found",
    "Datei hat sich geändert": "study release data reuse",
    "Absturz während der Freigabe": "release",
    "Freigabe abbrechen": "release",
    "Postleitzahl": "columns",
    "kann ich das wahre Ergebnis sehen": "what-leaves",
    "was ist ein Ergebnispaket": "words tutorial-release",
    "welches Rauschen": "account",
    "Budget für nächstes Jahr": "budget",
    "zwei Studien gleiche Patienten": "account",
    "wo liegen die Protokolle": "preferences",
    "Liegedauer": "stat-means bounds",
    "was heißt Fehlermarge": "margins words",
}
ASKED = [("en", *one) for one in ENGLISH.items()] + [("de", *one) for one in GERMAN.items()]


@pytest.mark.parametrize(("language", "question", "right"), ASKED)
def test_the_page_that_answers_comes_first_or_second(
    language: str, question: str, right: str
) -> None:
    book = read_handbook(language)
    assert {*right.split()} <= {page.key for page in book.pages}
    best = rank(book, question).best
    assert {*best[:2]} & {*right.split()}, best
    assert len(best) <= MOST


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_index_names_every_page_once_by_its_title(language: str) -> None:
    text = resource_path(f"help/{language}/index.md").read_text(encoding="utf-8")
    lines = re.findall(r"^- \[(.+)\]\((.+)\.md\): .+$", text, re.MULTILINE)
    assert lines == [(page.title, page.key) for page in read_handbook(language).pages]
    for page in read_handbook(language).pages:
        assert len(set(page.index)) == len(page.index) > 1, page.key
        assert all(entry == entry.strip() != "" for entry in page.index), page.key


def of(*texts: str) -> Handbook:
    """A handbook of pages A, B, … with these texts."""
    folder = resource_path("help/en")
    pages = (HelpPage("abcd"[n], "", f"Page {n}", text, folder) for n, text in enumerate(texts))
    return Handbook(tuple(pages))


def test_a_rare_word_decides_and_one_that_no_page_has_does_not_count() -> None:
    book = of("what is noise", "what is what is what", "what a budget is")
    assert rank(book, "what is a budget, please").best[0] == "c"
    found = rank(book, "budget noise")
    assert not found.needs_every
    assert {*found.best} == {"a", "c"}
    assert rank(book, "zzz").best == ()


def test_a_title_counts_more_than_many_words_of_a_text() -> None:
    folder = resource_path("help/en")
    many = HelpPage("many", "", "Noise", "budget " * 20, folder)
    about = HelpPage("about", "", "The budget", "what it is", folder)
    other = HelpPage("other", "", "Other", "nothing of it", folder)
    assert rank(Handbook((many, about, other)), "budgets").best[0] == "about"


def test_a_word_of_several_is_found_by_its_parts() -> None:
    """No page has the German word for a minimum number of cases; one has *Fallzahl*."""
    folder = resource_path("help/de")
    cases = HelpPage("cases", "", "Auswertung", "x", folder, ("Fallzahl",))
    other = HelpPage("other", "", "Anderes", "y", folder)
    assert rank(Handbook((other, cases)), "Mindestfallzahlen").best == ("cases",)
