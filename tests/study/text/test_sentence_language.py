# SPDX-License-Identifier: Apache-2.0
"""A language brings its signs for numbers and its way to write days in its one file."""

from __future__ import annotations

import pytest

from dpdesk.catalogue import ENGLISH, Translation, catalogue_of, read_catalogue
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.sentence_language import (
    Written,
    day_text,
    language_of,
    localised,
    numbers_of,
)

MADE_UP = catalogue_of(
    "xx",
    [
        Translation("", "", forms=("Plural-Forms: nplurals=2; plural=(n != 1);\n",)),
        Translation("decimal mark", ".", forms=(";",)),
        Translation("group separator", ",", forms=("'",)),
        Translation("day", "{year}-{month}-{day}", forms=("{day}/{month} {year}",)),
        Translation("title", "(other)", forms=("(ra)",)),
    ],
)


def test_numbers_and_days_are_those_of_the_file() -> None:
    assert numbers_of(MADE_UP) == NumberStyle(";", "'")
    assert day_text("2026-11-22", MADE_UP) == "22/11 2026"
    assert language_of(MADE_UP, numbers_of(MADE_UP)).day("2026-11-22") == "22/11 2026"
    assert numbers_of(ENGLISH) == NumberStyle() and day_text("2026-11-22", ENGLISH) == "2026-11-22"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("left", "0.25", "0;25"),
        ("left", "-0.25", "-0;25"),
        ("day", "2026-11-22", "22/11 2026"),
        ("count", "12", "12"),
        ("count", Written("12"), "12"),
        ("most", "9999", "9999"),
        ("version", "0.2", "0.2"),
        ("name", "0.25", "0.25"),
        ("suggestion", "0.25", "0.25"),
        ("path", "a.0.25.zip", "a.0.25.zip"),
        ("margin", Written("1.123"), "1.123"),
        ("at", "1e-9", "1e-9"),
    ],
)
def test_what_fills_a_sentence_is_written_as_the_language_does(
    key: str, value: object, said: str
) -> None:
    assert localised({key: value}, MADE_UP) == {key: said}
    assert localised({key: value}, ENGLISH) == {key: value}


def test_what_is_counted_has_separators_from_five_digits_on() -> None:
    for value in (100_000, "100000"):
        assert localised({"most": value}, MADE_UP) == {"most": "100'000"}
        assert localised({"most": value}, ENGLISH) == {"most": "100,000"}


def test_names_in_a_list_have_the_languages_quotation_marks() -> None:
    """A name may hold braces: it is a column's, or a sheet's."""
    found = {"header": "“age”, “{0}”, …", "sheets": "“Visits”"}
    german = read_catalogue("de")
    assert localised(found, german) == {"header": "„age“, „{0}“, …", "sheets": "„Visits“"}
    assert localised(found, ENGLISH) == found
