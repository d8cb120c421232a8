# SPDX-License-Identifier: Apache-2.0
"""One word for one thing in German, too: what the window calls it is what everything calls it."""

from __future__ import annotations

import re

import pytest

from dpdesk.catalogue import read_entries
from dpdesk.desk.pages.help.handbook import read_handbook
from tests import texts

OTHERS = [
    (r"\bmargins?\b", r"\bSpannen?\b", "Fehlermarge"),
    (r"\bhandles?\b", r"\bReglers?\b", "Griff"),
    (r"\brecipients?\b", r"\bEmpfangenden?\b", "Empfänger"),
    (r"\bledger\b", r"\bHauptbuch|\bKassenbuch", "Budgetbuch"),
    (r"\bbundles?\b", r"\bBündel\b", "Ergebnispaket"),
    (r"\bnoise\b", r"\bStörung|\bLärm", "Rauschen"),
    (r"\bstudy (?:plan|protocol)\b", r"\bStudienprotokoll", "Studienplan"),
    (r"\bduplicate\b", r"[Vv]erdoppel", "duplizieren"),
]
"""An English word, German words that must not stand for it, and the one that does."""
IDS = ["margin", "handle", "recipient", "ledger", "bundle", "noise", "study plan", "duplicate"]


@pytest.mark.parametrize(("english", "other", "word"), OTHERS, ids=IDS)
def test_a_thing_has_one_word(english: str, other: str, word: str) -> None:
    entries = read_entries((texts.FOLDER / "de.po").read_text(encoding="utf-8"))
    found = [
        form
        for entry in entries
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
    entries = read_entries((texts.FOLDER / "de.po").read_text(encoding="utf-8"))
    found = [
        form
        for entry in entries
        if entry.context and entry.context not in FIRST_WORDS
        if re.search(r"\bfigures?\b", entry.source)
        for form in entry.forms
        if re.search(r"\bZahl(?:en)?\b", form)
    ]
    assert not found, "say Wert"
