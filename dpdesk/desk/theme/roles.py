# SPDX-License-Identifier: Apache-2.0
"""Colours by what they are for, each with a light and a dark value. No widget has a literal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from PySide6.QtGui import QColor


class Role(Enum):
    """What a colour is for; the value is its light and its dark form."""

    BG = ("#F5F6F8", "#15181D")
    RAIL = ("#EBEDF1", "#1A1E24")
    SURFACE = ("#FFFFFF", "#20252C")
    INSET = ("#F7F8FA", "#1B2026")
    LINE = ("#DDE1E7", "#343B45")
    CONTROL = ("#7E8896", "#7D8897")
    TEXT = ("#18202B", "#E9ECF0")
    TEXT_QUIET = ("#4E5866", "#A8B1BE")
    ACCENT = ("#0B6584", "#6CC5E3")
    ON_ACCENT = ("#FFFFFF", "#06222D")
    TINT = ("#E2F0F5", "#173745")
    BAND = ("#CFE4EC", "#23495A")
    HEAT = ("#81B1C2", "#396E83")
    TRACK = ("#D5DAE1", "#3B434E")
    DANGER = ("#AE3216", "#FF9B80")
    DANGER_FILL = ("#AE3216", "#F08A6C")
    ON_DANGER = ("#FFFFFF", "#06222D")  # noqa: PIE796 - two roles may look alike
    DANGER_TINT = ("#FCEBE6", "#43211A")
    WARN = ("#855000", "#F0C069")
    WARN_TINT = ("#FDF2DB", "#3D3013")
    OK = ("#0E6B52", "#72D3B0")
    OK_TINT = ("#E3F3EC", "#143A2F")
    SECOND = ("#AD5000", "#F2A154")
    DISABLED = ("#626B78", "#95A0AE")
    DIM = ("#5A18202B", "#A0000000")


STRONGER = {
    Role.TEXT_QUIET: Role.TEXT,
    Role.DISABLED: Role.TEXT_QUIET,
    Role.CONTROL: Role.TEXT,
}
"""Where the system asks for high contrast: nothing is quiet, and edges stand out as words do."""
_dark = _strong = _paper = False


def set_dark(dark: bool) -> None:
    """Choose the form in which every role is looked up from now on."""
    global _dark
    _dark = dark


def is_dark() -> bool:
    """Whether the dark form is in use."""
    return _dark


def set_strong(strong: bool) -> None:
    """Choose whether roles stand out more from now on."""
    global _strong
    _strong = strong


def is_strong() -> bool:
    """Whether roles stand out more."""
    return _strong


def color(role: Role) -> QColor:
    """The colour of a role now; ask when painting, never keep it."""
    used = STRONGER.get(role, role) if _strong else role
    return QColor(used.value[1 if _dark else 0])


@contextmanager
def on_paper() -> Iterator[None]:
    """Look every role up in its light form: a picture is printed, or put on a white slide."""
    global _paper
    was_dark = _dark
    set_dark(False)
    _paper = True
    try:
        yield
    finally:
        set_dark(was_dark)
        _paper = False


def is_on_paper() -> bool:
    """Whether a picture is made: what has the keyboard is nothing to a reader."""
    return _paper
