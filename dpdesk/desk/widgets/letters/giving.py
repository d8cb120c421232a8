# SPDX-License-Identifier: Apache-2.0
"""Which letter presses which button.

The letters of fields are marked in their texts. Those of buttons are found among what is left:
what a dialog offers changes, in each language otherwise, and no letter may stand for two things.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QWidget

from dpdesk.desk.theme import letters
from dpdesk.desk.widgets.pressing import Pressed

MARK = re.compile(r"&(\w)")
LAST = "gijlpqy"
"""An underline below these is hardly seen."""


def give_letters(*tops: QWidget, taken: Iterable[str] = ()) -> None:
    """Give each button below some widgets a letter that nothing else on show there has.

    Args:
        tops: a page and what stands around it, or a dialog.
        taken: letters that are used elsewhere in the window.
    """
    fields = [(label, top) for top in tops for label in _fields(top)]
    used = set(taken) | declared(label.text() for label, top in fields if label.isVisibleTo(top))
    later = declared(label.text() for label, _top in fields)
    buttons = sorted((one for top in tops for one in _buttons(top)), key=_scrolls)
    owners = _present(buttons, used)
    for button in [one for one in buttons if one not in owners.values()]:
        _take(button, owners, used, later, set())
    found = {button: letter for letter, button in owners.items()}
    for button in buttons:
        letter = found.get(button, "")
        if letter != button.letter:
            button.take_letter(letter)


def _present(buttons: Sequence[Pressed], used: Collection[str]) -> dict[str, Pressed]:
    """The letters that buttons have already and may keep."""
    present: dict[str, Pressed] = {}
    for button in buttons:
        if button.letter and button.letter not in used:
            present.setdefault(button.letter, button)
    return present


def _take(
    button: Pressed,
    owners: dict[str, Pressed],
    used: Collection[str],
    later: Collection[str],
    asked: set[str],
) -> bool:
    """Let a button take a letter that is free, or one whose owner finds another."""
    wanted = by_ease(button.text(), used, later)
    for letter in wanted:
        if letter not in owners:
            owners[letter] = button
            return True
    for letter in wanted:
        if letter not in asked:
            asked.add(letter)
            if _take(owners[letter], owners, used, later, asked):
                owners[letter] = button
                return True
    return False


def _fields(top: QWidget) -> Iterator[QLabel]:
    """The labels of fields."""
    return (label for label in top.findChildren(QLabel) if label.buddy() is not None)


def _buttons(top: QWidget) -> list[Pressed]:
    """Those on show that take a letter."""
    kinds = (one for one in top.findChildren(QAbstractButton) if isinstance(one, Pressed))
    return [one for one in kinds if one.TAKES_LETTER and one.text() and one.isVisibleTo(top)]


def _scrolls(widget: QWidget) -> bool:
    """Whether it is gone where one scrolls; what stays chooses first."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above is not None


def declared(texts: Iterable[str]) -> set[str]:
    """The letters that texts mark, in lower case.

    >>> sorted(declared(["&Name", "Q&&A", "T&itle"]))
    ['i', 'n']
    """
    found = (MARK.search(text.replace("&&", "")) for text in texts)
    return {match[1].lower() for match in found if match}


def by_ease(text: str, used: Collection[str], later: Collection[str] = ()) -> list[str]:
    """The letters that a text can have, the easiest to find first.

    >>> by_ease("Choose a file…", {"c", "o"})
    ['a', 'f', 'h', 's', 'e', 'i', 'l']

    Args:
        text: the words.
        used: letters that it cannot have.
        later: letters that others need when they come on show: it has them only in need.
    """
    ways = [
        (one in later, letters.is_inner(text, place), one in LAST, place, one)
        for place, one in enumerate(text.lower())
        if one.isascii() and one.isalpha() and one not in used
    ]
    return list(dict.fromkeys(way[-1] for way in sorted(ways)))
