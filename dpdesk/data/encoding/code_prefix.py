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

_LISTS = re.compile(r"[;|&+\n\r\t]")
"""Marks between the codes of a list; no code has one inside."""
_COMMAS = re.compile(r"[,/]")
_DECIMAL_COMMA = re.compile(r"[^,/]*[0-9],[0-9]{1,2}[^\w,/]*")
_BLANKS = re.compile(r"[^0-9A-Za-z.\-]+")
_CODE_LIKE = re.compile(r"[A-Z][0-9]{2}|[0-9]{3}|[0-9]-[0-9]{2}", re.IGNORECASE)
_END = r"(?:[A-Z][0-9]{2}|[0-9]{3}(?![0-9]))"
_RANGE = re.compile(rf"\W*{_END}[0-9.]*\s*[-\u2013]\s*{_END}.*", re.IGNORECASE)
_PLAIN = re.compile(r"[^\W_]")
_DIGIT = re.compile(r"[0-9]")


def plain_code(text: str, digits: int = 0) -> str:
    """A code in capitals, without dots, blanks and marks; ASCII letters and digits alone.

    A number below zero is no code, such as -999 where nothing is known; nor is what has letters
    beside those of ASCII, of which another code would be left; nor are several codes in one cell.
    All give an empty text.

    >>> plain_code("a17.0†"), plain_code(" G01* "), plain_code("8", 3), plain_code("41.05", 3)
    ('A170', 'G01', '008', '04105')
    >>> plain_code("V45", 3), plain_code("250.83", 3)
    ('V45', '25083')
    """
    code = text.strip()
    if len(text) > MAX_CODE_TEXT or _NO_CODE.match(code) or holds_several(code):
        return ""
    code = code.upper()
    if digits:
        whole = _NUMBER.match(code)
        # The dot stands where the number ends: 8 and 8.1 are 008 and 0081.
        code = whole[0].zfill(digits) + code[whole.end() :] if whole else code
    return _MARKS.sub("", code)


def holds_several(text: str) -> bool:
    """Whether a cell has several codes, or a range of them: which one counts, nobody said.

    Codes are parted by a semicolon, a bar, a plus, an ampersand or a new line; by a comma or a
    slash where there is a digit on both sides, but for a decimal comma; by blanks where both sides
    begin as codes of three signs do. A dagger or a star at a code's end parts nothing.

    >>> [holds_several(one) for one in ("I21.0, E11.9", "I21;E11", "I21 E11", "I21-I25")]
    [True, True, True, True]
    >>> [holds_several(one) for one in ("41,05", "A17.0+", "I21.0 G", "A 10 BA 02", "5-820.00")]
    [False, False, False, False, False]
    """
    if _several(_LISTS, _PLAIN, text) or _RANGE.fullmatch(text):
        return True
    if not _DECIMAL_COMMA.fullmatch(text) and _several(_COMMAS, _DIGIT, text):
        return True
    return sum(map(bool, map(_CODE_LIKE.match, _BLANKS.split(text)))) > 1


def _several(between: re.Pattern[str], wanted: re.Pattern[str], text: str) -> bool:
    return sum(map(bool, map(wanted.search, between.split(text)))) > 1


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
