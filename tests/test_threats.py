# SPDX-License-Identifier: Apache-2.0
"""Every known attack has a test or a sentence, and the page that says so is current."""

from tests.threats import CHAPTERS, PAGE, THREATS, WHY_NOT, marked, page


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.threats writes it anew"


def test_every_threat_has_a_test_or_a_sentence() -> None:
    assert not THREATS.keys() - {mark.threat for mark in marked()} - WHY_NOT.keys()


def test_no_mark_and_no_sentence_is_of_an_unknown_threat() -> None:
    assert not [mark for mark in marked() if mark.threat not in THREATS]
    assert not WHY_NOT.keys() - THREATS.keys()


def test_no_threat_went_missing() -> None:
    counts = {letter: sum(threat[0] == letter for threat in THREATS) for letter in CHAPTERS}
    assert counts == {"A": 18, "B": 14, "C": 8, "D": 8, "E": 12, "F": 10, "G": 12, "H": 5}
