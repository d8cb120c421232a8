# SPDX-License-Identifier: Apache-2.0
"""Search finds words whatever their case, accents and endings."""

from __future__ import annotations

import pytest

from dpdesk.desk.pages.help.search import matches, terms


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
