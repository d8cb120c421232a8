# SPDX-License-Identifier: Apache-2.0
"""Which words of a text stay on one line: a number and its neighbours, a small word and a name."""

from __future__ import annotations

import re

NO_BREAK = "\N{NO-BREAK SPACE}"
JOINER = "\N{WORD JOINER}"
"""Unseen and without a width; a line does not end beside it."""
NAMED = re.compile(r"@|\.\w")
"""In an address or a file's name, which is copied as it stands: a hyphen in it ends no line."""
LONGEST = 24
"""So many characters stay together at most: more might be wider than a narrow panel."""
BEHIND_NUMBER, BEFORE_NUMBER = 9, 5
"""A longer word beside a number stands by itself."""
SMALL = 3
"""Letters of a small word; one at the end of a line belongs to what follows it."""
SMALL_TOO = ("each",)
SHORT_END = 8
"""A last line that is shorter than that takes the word before with it."""
AROUND = "(„“\"'"


def bound(text: str, is_title: bool = False) -> str:
    """The same text, as long as it was, with no-break spaces where a line must not end.

    Args:
        text: plain.
        is_title: small words stay with the next one, too; in running text lines are longer, and
            an uneven edge is worse.

    >>> bound("on 26 November", is_title=True).split(" ")
    ['on\\xa026\\xa0November']
    >>> bound("the first release (entry 2). They cost").split(" ")
    ['the', 'first', 'release', '(entry\\xa02).', 'They\\xa0cost']
    >>> bound("Number of people, for each gender", is_title=True).split(" ")
    ['Number', 'of\\xa0people,', 'for\\xa0each\\xa0gender']
    """
    return "\n".join(_bound_line(line, is_title) for line in text.split("\n"))


def hyphens(text: str) -> list[int]:
    """Behind which hyphens of a text, by their places, a line must not end.

    A short word in small letters is the name of an account or a series, or reads better whole.

    >>> hyphens("by data-office@hospital.example, of diabetes-registry, in stays-2.zip")
    [7, 44, 63]
    >>> hyphens("Kaplan-Meier-Kurve")
    []
    """
    words = [word for word in re.finditer(r"\S+", text) if _is_whole(word[0])]
    return [word.start() + at for word in words for at, one in enumerate(word[0]) if one == "-"]


def _is_whole(word: str) -> bool:
    is_short = word.lstrip(AROUND)[:1].islower() and len(word) <= LONGEST
    return is_short or NAMED.search(word) is not None


def _bound_line(text: str, is_title: bool) -> str:
    words = text.split(" ")
    pieces = [words[-1]]
    # From the end: of several small words the last one is the nearest to the name.
    for word in reversed(words[:-1]):
        after = pieces[-1].split(NO_BREAK)[0]
        fits = len(word) + 1 + len(pieces[-1]) <= LONGEST
        # A number that has its unit needs no longer word before it: "need 15 times".
        has_unit = after[0:1].isdigit() and NO_BREAK in pieces[-1] and len(word) > SMALL
        is_short_end = len(pieces) == 1 and len(pieces[0]) < SHORT_END
        if fits and not has_unit and (is_short_end or _is_bound(word, after, is_title)):
            pieces[-1] = f"{word}{NO_BREAK}{pieces[-1]}"
        else:
            pieces.append(word)
    return " ".join(reversed(pieces))


def _is_bound(word: str, after: str, is_title: bool) -> bool:
    if not word or not after:
        return False
    if word[0] == "(" and after.rstrip(".,;:").endswith(")"):
        return True
    is_number, is_next_one = word[-1].isdigit(), after[0].isdigit()
    if is_number or is_next_one:
        return len(after) <= BEHIND_NUMBER if is_number else len(word) <= BEFORE_NUMBER
    small = word.lstrip(AROUND)
    return is_title and (small in SMALL_TOO or (small.isalpha() and len(small) <= SMALL))
