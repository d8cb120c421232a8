# SPDX-License-Identifier: Apache-2.0
"""A text that is made of known pieces, one after the other, without a way back.

Possessive repeats of groups, such as ``(?:a|b)*+``, say the same and are not used: Python before
3.11.5, which Debian 12 has, goes on behind a piece that did not match (CPython's gh-106052), and
took a command of LaTeX for one that it begins like.
"""

from __future__ import annotations

import re
from typing import AnyStr

SEVERAL = "{1,200}"
"""How many pieces a pattern takes at once: few steps of ours, and a short way back."""


def end_of_pieces(pieces: re.Pattern[AnyStr], text: AnyStr, start: int = 0) -> int:
    """Where the pieces end that a text has from a place on.

    >>> end_of_pieces(re.compile(f"(?:[a-z]|<b>){SEVERAL}"), "ab<b>c<i>")
    6
    """
    while found := pieces.match(text, start):
        start = found.end()
    return start


def is_made_of(pieces: re.Pattern[AnyStr], text: AnyStr, start: int = 0) -> bool:
    """Whether a text has nothing but pieces from a place on."""
    return end_of_pieces(pieces, text, start) == len(text)
