# SPDX-License-Identifier: Apache-2.0
"""Codes by how they begin: total, and the same in every way they are written."""

from __future__ import annotations

import pytest

from dpdesk.data.encoding.code_prefix import MAX_CODE_TEXT, entry_reader, plain_code
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
    ],
)
def test_a_code_has_the_entry_that_its_chapter_says(text: str, value: str | None) -> None:
    assert entry_reader(CodePrefix("dx", ENTRIES, digits=3))(text) == value


def test_zeros_are_filled_up_where_they_were_lost_alone() -> None:
    assert (plain_code("8.1"), plain_code("8.1", 3), plain_code("V8", 3)) == ("81", "0081", "V8")


def test_a_number_has_no_code_of_what_is_not_listed() -> None:
    assert unknown_code(ex.STAY) == UNKNOWN == unknown_code(ex.SEX)
    assert unknown_code(ex.WARD) == 3
