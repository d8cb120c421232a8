# SPDX-License-Identifier: Apache-2.0
"""The letters that Alt takes are underlined while Alt is down, in menus, labels and buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt

_SHOWN: list[bool] = [False]


def are_shown() -> bool:
    """Whether letters are underlined now."""
    return _SHOWN[0]


def set_shown(shown: bool) -> None:
    """Underline them from now on, or no longer; what is on show has to be painted anew."""
    _SHOWN[0] = shown


def underlining() -> Qt.TextFlag:
    """How a text with the mark of a letter is painted now."""
    return Qt.TextFlag.TextShowMnemonic if are_shown() else Qt.TextFlag.TextHideMnemonic


def marked(text: str, letter: str) -> str:
    """A text with the mark of a letter, at a word's beginning where one has it.

    >>> marked("Use condition", "C")
    'Use &condition'
    >>> marked("R & D", "D")
    'R && &D'
    """
    parts, place = text.split("&"), _place(text, letter)
    if place < 0:
        return "&&".join(parts)
    before, after = text[:place].replace("&", "&&"), text[place:].replace("&", "&&")
    return f"{before}&{after}"


def _place(text: str, letter: str) -> int:
    """Where a text has a letter; -1 where it has not."""
    lowered, wanted = text.lower(), letter.lower()
    if not wanted:
        return -1
    spots = [place for place, one in enumerate(lowered) if one == wanted]
    return min(spots, key=lambda at: (is_inner(text, at), at), default=-1)


def is_inner(text: str, place: int) -> bool:
    """Whether a letter stands within a word."""
    return place > 0 and text[place - 1].isalnum()
