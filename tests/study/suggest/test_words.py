# SPDX-License-Identifier: Apache-2.0
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.suggest.words import MAX_WORDS, joined, windows, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sysBP_1", ("sys", "bp", "1")),
        ("GebDatum", ("geb", "datum")),
        ("HERZFREQUENZ", ("herzfrequenz",)),
        ("Glucose [mg/dL]", ("glucose", "mg", "d", "l")),
        ("HbA1c", ("hb", "a", "1", "c")),
        ("Mother's name", ("mother", "name")),
        ("Körpergröße", ("korpergrosse",)),
        ("koerpergroesse", ("korpergrosse",)),
        ("Crème", ("creme",)),
        ("µmol", ("umol",)),
        ("", ()),
    ],
)
def test_headers_are_cut_where_people_see_words(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_the_gaps_of_a_phrase_do_not_matter() -> None:
    assert joined("heart rate") == joined("HeartRate") == joined("HEART_RATE") == "heartrate"


def test_the_longest_run_comes_first() -> None:
    runs = list(windows(("a", "b", "c")))
    assert runs[0] == (0, 3, "abc")
    assert len(runs) == 6


@given(st.text(max_size=2_000))
def test_any_header_gives_few_words(text: str) -> None:
    words = words_of(text)
    assert len(words) <= MAX_WORDS
    assert all(word and not word.isspace() for word in words)


@given(st.text(alphabet="aeouqx", max_size=12))
def test_an_umlaut_written_as_two_letters_is_one(text: str) -> None:
    spelled = re.sub(r"(?<!q)([aou])e", r"\1", text)
    assert joined(text) == spelled


@given(st.text(alphabet="aeocDEµé%²’'s_- 07", max_size=20))
def test_plain_headers_are_cut_as_any_other(text: str) -> None:
    # A percent sign takes the way of headers with marks and accents.
    assert words_of(f"{text} %") == (*words_of(text), "percent")
