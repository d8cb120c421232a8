# SPDX-License-Identifier: Apache-2.0
"""Codes of diagnoses, drugs and procedures by how they begin."""

from __future__ import annotations

import re
from collections.abc import Callable

from dpdesk.study.model.steps.step import CodePrefix

MAX_CODE_TEXT = 40
"""A cell with more characters is no code."""

_MARKS = re.compile(r"[^0-9A-Z]+")
_NUMBER = re.compile(r"[0-9]+")
_NO_CODE = re.compile(r"'?[-\u2212]\s*[0-9]|.*(?![0-9A-Za-z])[^\W_]", re.DOTALL)
"""A number below zero, or a cell with letters or digits that no code has."""


def plain_code(text: str, digits: int = 0) -> str:
    """A code in capitals, without dots, blanks and marks; ASCII letters and digits alone.

    A number below zero is no code, such as -999 where nothing is known; nor is what has letters
    beside those of ASCII, of which another code would be left. Both give an empty text.

    >>> plain_code("a17.0†"), plain_code(" G01* "), plain_code("8", 3), plain_code("41.05", 3)
    ('A170', 'G01', '008', '04105')
    >>> plain_code("V45", 3), plain_code("250.83", 3)
    ('V45', '25083')
    """
    code = text.strip()
    if len(text) > MAX_CODE_TEXT or _NO_CODE.match(code):
        return ""
    code = code.upper()
    if digits:
        whole = _NUMBER.match(code)
        # The dot stands where the number ends: 8 and 8.1 are 008 and 0081.
        code = whole[0].zfill(digits) + code[whole.end() :] if whole else code
    return _MARKS.sub("", code)


def entry_reader(step: CodePrefix) -> Callable[[str], str | None]:
    """The function from a cell's text to the value of the first entry that fits, if one does."""
    ranges = [
        (ends[0], ends[-1], entry.value)
        for entry in step.entries
        for ends in (text.split("-") for text in entry.of)
    ]

    def read(text: str) -> str | None:
        code = plain_code(text, step.digits)
        fitting = (
            value
            for first, last, value in ranges
            if len(code) >= len(first) and first <= code[: len(first)] <= last
        )
        return next(fitting, None)

    return read
