# SPDX-License-Identifier: Apache-2.0
"""Codes by how they begin: total, and the same in every way they are written."""

from __future__ import annotations

import pytest

from dpdesk.data.encoding.code_prefix import (
    MAX_CODE_TEXT,
    entry_reader,
    holds_several,
    plain_code,
)
from dpdesk.data.encoding.missing_and_invalid import UNKNOWN, unknown_code
from dpdesk.study.model.steps.step import CodePrefix, RecodeEntry
from tests.privacy import examples as ex

ENTRIES = (RecodeEntry("infections", ("001-139",)), RecodeEntry("injuries", ("800-999", "V")))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", "infections"),
        ("008.45", "infections"),
        (" 41.05 ", "infections"),
        ("139", "infections"),
        ("140", None),
        ("800", "injuries"),
        ("v45.81", "injuries"),
        ("E880", None),
        ("", None),
        ("8" + " " * MAX_CODE_TEXT, None),
        # A number below zero stands for something missing, and a letter that is none of a code's
        # is no mark: what is left of the cell is another code.
        ("-999", None),
        ("\u2212999", None),
        ("'-8", None),
        ("\u0410139", None),
        ("\uff36" + "139", None),
        ("139\u2020", "infections"),
        ("139*", "infections"),
        # Of several codes in one cell none counts, however they are parted.
        ("8; 800", None),
        ("8|V45", None),
        ("008, 800", None),
        ("8,5,41", None),
        ("008 800", None),
        ("008/800", None),
        ("001-139", None),
        ("8\n800", None),
        ("008+800", None),
        ("41,05", "infections"),
        ("008.45+", "infections"),
        ("008.45;", "infections"),
    ],
)
def test_a_code_has_the_entry_that_its_chapter_says(text: str, value: str | None) -> None:
    assert entry_reader(CodePrefix("dx", ENTRIES, digits=3))(text) == value


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("I21.0, E11.9", True),
        ("I21;E11", True),
        ("A17.0\u2020 G01*", True),
        ("A17.0+G01*", True),
        ("I20-I25", True),
        ("I21.0 \u2013 I25.9", True),
        ("1-207 8-930", True),
        ("a10ba02 c03ca01", True),
        ("A; C", True),
        ("I21.0 G", False),
        ("A17.0+", False),
        ("A 10 BA 02", False),
        ("I 21.0", False),
        ("5-820.00", False),
        ("5-83b.50 L", False),
        ("J18.9 Pneumonia, unspecified", False),
        ("0002-1433-80", False),
        ("250,83", False),
        ("", False),
    ],
)
def test_several_codes_in_a_cell_are_told_from_one_with_marks(text: str, several: bool) -> None:
    """I21.0, E11.9 counted as I21 alone, and I21; E11 did, too."""
    assert holds_several(text) == several
    assert bool(plain_code(text)) == (bool(text) and not several)


def test_zeros_are_filled_up_where_they_were_lost_alone() -> None:
    assert (plain_code("8.1"), plain_code("8.1", 3), plain_code("V8", 3)) == ("81", "0081", "V8")


def test_a_number_has_no_code_of_what_is_not_listed() -> None:
    assert unknown_code(ex.STAY) == UNKNOWN == unknown_code(ex.SEX)
    assert unknown_code(ex.WARD) == 3
