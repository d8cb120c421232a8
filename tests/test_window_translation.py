# SPDX-License-Identifier: Apache-2.0
"""The window's sentences are translated, and a translation keeps what is filled and pressed."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.catalogue import Translation, read_entries
from tests import texts

COMPLETE = ("de",)
"""Languages that are shown to be whole; another one begins with a few sentences."""
FILES = sorted(texts.FOLDER.glob("*.po"))


def entries(path: Path) -> list[Translation]:
    found = read_entries(path.read_text(encoding="utf-8"))
    return [entry for entry in found if texts.is_windows(entry.context)]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def faults(entry: Translation, form: str) -> Iterator[str]:
    """What a translation has lost or added."""
    lost = placeholders(entry.source) - placeholders(form)
    # A study's own word for a person would need a gender; "Person" has one.
    if lost and "person" not in form.lower():
        yield f"lost {lost}"
    if placeholders(form) - placeholders(entry.source):
        yield "a placeholder that nothing fills"
    if ("%n" in entry.source) != ("%n" in form):
        yield "the number"
    if tags(entry.source) != tags(form):
        yield "tags"
    if mnemonics(entry.source) != mnemonics(form):
        yield "the letter that is pressed with Alt"
    if entry.source.endswith("…") != form.endswith("…"):
        yield "that more is asked for"
    if patterns(entry.source) != patterns(form):
        yield "which files are offered"
    if ("\n" in entry.source) != ("\n" in form):
        yield "lines"


def tags(text: str) -> Counter[str]:
    return Counter(re.findall(r"</?\w+>", text))


def mnemonics(text: str) -> int:
    return len(re.findall(r"&\w", text))


def patterns(text: str) -> list[str]:
    return re.findall(r"\*\.\w+", text)


@pytest.mark.parametrize("language", COMPLETE)
def test_every_sentence_of_the_window_is_translated(language: str) -> None:
    own = entries(texts.FOLDER / f"{language}.po")
    missing = [e.source for e in own if not all(e.forms) or e.is_fuzzy]
    assert len(own) > 1000 and not missing


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_translation_keeps_what_is_filled_and_pressed(path: Path) -> None:
    found = {
        (entry.context, entry.source, form): list(faults(entry, form))
        for entry in entries(path)
        for form in filter(None, entry.forms)
    }
    assert not {key: wrong for key, wrong in found.items() if wrong}


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("Use {0}", "Verwenden"),
        ("Use it", "{0} verwenden"),
        ("%n row(s)", "Zeilen"),
        ("<b>No</b>", "Nein"),
        ("&File", "Datei"),
        ("Open…", "Öffnen"),
        ("Tables (*.csv *.tsv)", "Tabellen (*.csv)"),
        ("one\ntwo", "eins zwei"),
    ],
)
def test_what_is_lost_is_found(source: str, form: str) -> None:
    assert len(list(faults(Translation("Any", source), form))) == 1
