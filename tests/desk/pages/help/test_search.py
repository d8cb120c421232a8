# SPDX-License-Identifier: Apache-2.0
"""Search finds words whatever their case, accents and endings."""

from __future__ import annotations

import pytest

from dpdesk.desk.pages.help.search import MOST_SIGNS, MOST_TERMS, matches, terms


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("bounds", "Each bound, BOUNDS and bounded", ["bound", "BOUNDS", "bounded"]),
        ("schatzung", "Schätzungen und Schätzung", ["Schätzungen", "Schätzung"]),
        ("grenzen", "Die Obergrenze und Grenzen", ["Obergrenze", "Grenzen"]),
        ("Maß", "Das MASS", ["MASS"]),
        ("is", "is history", ["is"]),
        ("noise budget", "noisy figures cost budget", ["noisy", "budget"]),
        ("noise budget", "noisy figures", []),
        ("", "anything", []),
        ("%*[", "anything", []),
    ],
)
def test_words_are_found(query: str, text: str, found: list[str]) -> None:
    assert [text[begin:end] for begin, end in matches(text, terms(query))] == found


def test_of_a_text_that_was_pasted_the_beginning_is_searched_for() -> None:
    """Every word that no page has takes its time: 400 of them took 2.5 s."""
    assert len(terms(" ".join(f"w{number}" for number in range(400)))) == MOST_TERMS
    assert terms("x" * 1_000_000) == ("x" * MOST_SIGNS,)
    assert terms("budget " * 400) == terms("budget")
