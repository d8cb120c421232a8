# SPDX-License-Identifier: Apache-2.0
"""What the sheets of a workbook are called: short, each by itself, and for what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import ReleaseWords

SMALL_WORDS: Final[Template] = (
    "a an and as at by for from in of on or per than the to until where with"
)
"""Words that no name ends with where it is cut."""
CROSSED: Final = " \N{MULTIPLICATION SIGN} "
"""Between columns that a table is by."""
_DATA: Final[Template] = "D{n}"
"""What a sheet of data begins with: the number of the sheet that people read."""
_SHEET_SIGNS = 31
_NOT_IN_NAMES = frozenset("[]:*?/\\'\"<>&")
_LEAST_NAME = 8
_LEFT_OUT: Final = "\N{HORIZONTAL ELLIPSIS}"
_ONE_UNIT = 0x10000
"""Signs from here on take two of the 31 places that a sheet's name has."""


def data_names(
    titles: Mapping[str, tuple[str, str]], taken: Sequence[str], words: ReleaseWords
) -> dict[str, str]:
    """The names of the sheets of data, by what tells them apart.

    Args:
        titles: the number of the sheet that people read, empty where it has none, and a title.
        taken: names of the other sheets.
    """
    small = frozenset(words.say(SMALL_WORDS).split())
    numbered = [(f"{words.say(_DATA, n=number)} ", title) for number, title in titles.values()]
    wanted = _short_names(numbered, small)
    names = distinct([*taken, *wanted])
    return dict(zip(titles, names[len(taken) :], strict=True))


def sheet_names(titles: Sequence[str], small: frozenset[str] = frozenset()) -> list[str]:
    """Names of sheets, which are short: numbered, as two may be alike; words stay whole.

    Args:
        small: words that no part of a name begins or ends with, as conjunctions.

    >>> sheet_names(["Stays, by sex", "Mean of time in hospital, days, for each sex", "[*]"])
    ['1 Stays, by sex', '2 Mean of time in hospital', '3']
    >>> sheet_names(["Stays by ward and by sex of patients"], frozenset({"by", "and", "of"}))
    ['1 Stays by ward … patients']
    >>> sheet_names([f"Survival after first contact, by {name}" for name in ("smoking", "sex")])
    ['1 Survival after … by smoking', '2 Survival after first … by sex']
    """
    return _short_names([(f"{i} ", title) for i, title in enumerate(titles, start=1)], small)


def _short_names(numbered: Sequence[tuple[str, str]], small: frozenset[str]) -> list[str]:
    """The short name of each title behind its number.

    Where one up to a comma would be that of another, too, it is the beginning and the end.
    """
    names = [short_name(before, title, small) for before, title in numbered]
    bare = [
        name.removeprefix(before) for name, (before, _title) in zip(names, numbered, strict=True)
    ]
    return [
        name if bare.count(text) == 1 else short_name(before, title, small, is_cut=False)
        for name, text, (before, title) in zip(names, bare, numbered, strict=True)
    ]


def distinct(names: Iterable[str]) -> list[str]:
    """The same, those that would be one sheet with a number behind them.

    >>> distinct(["Data Sex", "data sex", "Data Ward"])
    ['Data Sex', 'data sex 2', 'Data Ward']
    """
    kept: list[str] = []
    taken: set[str] = set()
    for name in names:
        endings = chain([""], (f" {number}" for number in count(2)))
        found = (f"{_within(name, _SHEET_SIGNS - len(end))}{end}" for end in endings)
        kept.append(next(one for one in found if one.casefold() not in taken))
        taken.add(kept[-1].casefold())
    return kept


def short_name(
    before: str, title: str, small: frozenset[str] = frozenset(), *, is_cut: bool = True
) -> str:
    """A sheet's name of a title: whole, else up to a comma, else its beginning and its end.

    Args:
        before: what it begins with.
        is_cut: whether it may end at a comma.
    """
    text = _allowed(title)
    room = _SHEET_SIGNS - len(before)
    if len(text) > room:
        cut = _to_comma(text, room) if is_cut else ""
        text = cut or _ends_of(text.split(" "), room, small)
    return _within(f"{before}{text}".strip(), _SHEET_SIGNS)


def _to_comma(text: str, room: int) -> str:
    """Its parts before a comma that have room; nothing where they say too little."""
    short = text[: max(0, text.rfind(", ", 0, room + 2))]
    return short if len(short) >= room // 2 else ""


def _ends_of(words: Sequence[str], room: int, small: frozenset[str]) -> str:
    """Its first and last words, as many as have room, with an ellipsis between them."""
    best = ""
    for first in range(1, len(words)):
        for last in range(first + 1, len(words)):
            at_ends = {words[first - 1].casefold(), words[last].casefold()}
            is_small = at_ends & (small | {CROSSED.strip()})
            text = f"{' '.join(words[:first]).rstrip(',;')} {_LEFT_OUT} {' '.join(words[last:])}"
            if not is_small and len(best) < len(text) <= room:
                best = text
    while not best and len(words) > 1 and (len(" ".join(words)) > room or words[-1] in small):
        words = words[:-1]
    return best or _within(" ".join(words), room)


def _allowed(title: str) -> str:
    signs = (" " if s in _NOT_IN_NAMES or not _is_shown(s) else s for s in title)
    return " ".join("".join(signs).split())


def _is_shown(sign: str) -> bool:
    return sign.isprintable() and ord(sign) < _ONE_UNIT


def _within(name: str, room: int) -> str:
    """The name's beginning: between words where it can be, else where it must end."""
    if len(name) <= room:
        return name
    at = name.rfind(" ", 0, room + 1)
    return name[: at if at > _LEAST_NAME else room].rstrip(" ,;.-")
