# SPDX-License-Identifier: Apache-2.0
"""What is read comes from the translation file: no page or dialog has words from elsewhere.

The rules of ``tests/test_translation_rules.py`` read the code. Here the program is looked at in a
language whose every text is in brackets: what stands outside them, and is no word of the study, is
said by nobody who asked for a translation, by a library, or by the system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from dpdesk.catalogue import Catalogue, read_catalogue
from dpdesk.desk.app import make_window
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.text import language
from dpdesk.desk.text.translators import chosen_language
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.release.bundle import query_headings
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import new_key, unlock
from dpdesk.resources import resource_path
from dpdesk.study.model.dates import DATE_FORMS, STAMP
from dpdesk.study.reuse.sample_study import WORDS
from tests.desk.dialogs import OFFICE, SECOND, released, some_dialogs
from tests.desk.pictures import PASSPHRASE, open_sample
from tests.desk.screens import settle, texts, wait_until

OPENED = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}"
CLOSED = "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
CUT = "\N{HORIZONTAL ELLIPSIS}"
WORD = re.compile(r"[^\W\d_]{3,}")
KEYS = {"Strg", "Umschalt", "Return", "Alt", "Links"}
SHIFTED = "JJJ"
"""The MMM of a format: brackets around the letters for year, month and day shift them."""

KNOWN = {"dpdesk", "Deutsch", "English", *KEYS, *DATE_FORMS, STAMP, SHIFTED}
"""The program, languages in their own words, keys as Qt says them, formats as a study has them."""

OWN_WORDS = {"numbers", "support"}
"""Dialogs with the test's words, and with what is sent to those who help, in English."""
ORDER = '{"format": "dpdesk-order", "version": 1}'
"""What one of them shows as it is in its file."""


def outside(said: str) -> str:
    """What no translation said; a text that was cut short is inside to its end."""
    depth, kept = 0, ""
    for sign in re.sub(r"<[^<>]*>", " ", said):
        depth = max(0, depth + (sign == OPENED) - (sign == CLOSED))
        kept += " " if depth or sign == CLOSED else sign
    return kept


def marked(code: str) -> Catalogue:
    """The catalogue of a language, each text of it in brackets."""
    read = read_catalogue(code)
    forms = {
        key: tuple(f"{OPENED}{form}{CLOSED}" for form in said) for key, said in read.forms.items()
    }
    return replace(read, forms=forms)


@pytest.fixture
def window(home: Home, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The sample hospital in the marked language."""
    for module in (chosen_language, language):
        monkeypatch.setattr(module, "read_catalogue", marked)
    language.forget_language()
    Settings(home).language = "de"
    made = make_window(qapp, home)
    made.show()
    open_sample(made)
    settle()
    yield made
    made.close()
    made.deleteLater()
    language.forget_language()
    speak(qapp, SYSTEM)


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is written by a painter, in lists and plots; a text of several lines is one text."""
    found: list[str] = []
    draw = QPainter.drawText

    def noted(painter: QPainter, *given: object) -> object:
        for part in given:
            if isinstance(part, str):
                if found and _goes_on(found[-1]):
                    part = f"{found.pop()} {part}"
                found.append(part)
        return draw(painter, *given)  # type: ignore[call-overload]

    monkeypatch.setattr(QPainter, "drawText", noted)
    return found


def _goes_on(text: str) -> bool:
    """Whether a text is the first lines of one: what is cut short goes on nowhere."""
    return text.count(OPENED) > text.count(CLOSED) and CUT not in text


def of_the_study() -> set[str]:
    """Words of the sample's files, and of what the dialogs are made with."""
    files = ("admissions.csv", "sample.dpdesk", "codebook.csv")
    text = " ".join(resource_path(f"sample/{name}").read_text("utf-8") for name in files)
    german = read_catalogue("de")
    text = " ".join((text, *(german.say_word("sample", word) for word in WORDS)))
    return KNOWN | {*WORD.findall(f"{text} {OFFICE} {SECOND.identity}")}


GROUPS = re.compile(r"(?:[0-9a-f]{4}\s){7}")


def unmarked(said: list[str], known: set[str]) -> set[str]:
    """The texts with a word that is neither in brackets nor the study's."""
    # A key's letters are no words, as OpenSSH prints it or in groups to be read out.
    read = (text for text in said if "SHA256:" not in text and not GROUPS.search(text))
    return {text for text in read if _others(outside(text), known)}


def _others(text: str, known: set[str]) -> set[str]:
    """Words that are not known; of one that is cut short its beginning or its end is."""
    found = {*WORD.findall(text)} - known
    if CUT not in text:
        return found
    return {word for word in found if not any(word in one for one in known)}


def said_in(root: QWidget) -> list[str]:
    """All that is read in a window, in its menus, and what is spoken of it."""
    root.grab()
    actions = [a for menu in root.findChildren(QMenu) for a in menu.actions()]
    return [*texts(root), *(action.text() for action in actions if not _is_qts(action))]


def _is_qts(action: QAction) -> bool:
    """Undo and Redo are said by Qt, around an edit's name; plots have menus that nobody opens."""
    return action.text().startswith(("R\u00fcckg", "Wiederh")) or not action.isVisible()


@pytest.mark.in_turn(2)
def test_all_pages_are_translated(window: MainWindow, painted: list[str]) -> None:
    known = of_the_study()
    found = {}
    for key in window.pages:
        window.go_to(key)
        settle()
        found[key] = unmarked([*said_in(window), *painted], known)
        painted.clear()
    window.session.document.close()
    settle()
    found["welcome"] = unmarked([*said_in(window), *painted], known)
    assert not {key: wrong for key, wrong in found.items() if wrong}


@pytest.mark.in_turn(2)
def test_all_dialogs_are_translated(
    window: MainWindow, painted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A plan to sign is said as documents say it.
    monkeypatch.setattr(query_headings, "read_catalogue", marked)
    known = of_the_study()
    found = {}
    for name, make in some_dialogs("translated").items():
        if name in OWN_WORDS:
            continue
        dialog = make(window)
        dialog.open()
        settle()
        said = [*said_in(dialog), *painted]
        folder = str(window.session.home.root)
        own = known | {"logs", "labs", "code", "name", "north", "south"}
        found[name] = unmarked([text.replace(folder, "").replace(ORDER, "") for text in said], own)
        painted.clear()
        dialog.close()
    assert not {name: wrong for name, wrong in found.items() if wrong}


@pytest.mark.in_turn(2)
def test_the_numbers_of_a_claim_are_translated(
    window: MainWindow, painted: list[str], tmp_path: Path
) -> None:
    """What a query was drawn for, too, where it took several draws."""
    done = released(window)
    bundle = tmp_path / "figures.zip"
    new_key(window.session.home.keys, OFFICE, PASSPHRASE)
    key = unlock(window.session.home.keys, PASSPHRASE)
    write_bundle(bundle, build(done.stored, done.chain, key))
    window.verify_bundle(bundle)
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    wait_until(lambda: page.found is not None)
    settle()
    said = [*said_in(window), *painted]
    # The bundle's words are not marked: it would be another bundle.
    of_the_bundle = {"figures", "zip", "Zeilen", "Summe"}
    assert not unmarked(said, of_the_study() | of_the_bundle)


def test_what_nobody_translated_is_found() -> None:
    said = [f"{OPENED}Freigeben{CLOSED} Release", f"{OPENED}Cut sho\u2026", "<b>12</b>", "sex"]
    assert unmarked(said, {"sex"}) == {said[0]}
