# SPDX-License-Identifier: Apache-2.0
"""Spaces, sizes, radii and type, on a grid of 4. No widget has a pixel literal."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

from PySide6.QtCore import QMargins
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from dpdesk.desk.theme import fonts

NO_MARGINS = QMargins()
"""For a layout inside another one, which has the margins."""


class Space(IntEnum):
    """Distances and sizes in device-independent pixels."""

    HAIR = 1
    RING = 2
    TIGHT = 4
    LABEL = 5
    SMALL = 8
    CARDS = 12
    CARD = 18
    GAP = 24
    PAGE = 28
    FIELD = 34
    BUTTON = 34
    BUTTON_SMALL = 28
    ROW = 26
    ROW_REVIEW = 38
    RAIL = 220
    RAIL_NARROW = 88
    RAIL_ICONS = 48
    RAIL_ITEM = 50
    RAIL_ITEM_PLAIN = 38
    PANEL = 292
    PANEL_NARROW = 240
    ICON = 18
    ICON_CHIP = 16
    MENU = 32
    FOOTER = 60
    FOOTER_LOW = 52


class Radius(IntEnum):
    """Corner radii."""

    CARD = 10
    ITEM = 8
    BUTTON = 7
    FIELD = 6


class Type(IntEnum):
    """Text sizes in pixels at the usual font scaling of 13."""

    GAUGE = 36
    HERO = 28
    TITLE = 22
    HEADING = 17
    CARD = 15
    TEXT = 13
    QUIET = 12
    SMALL = 11


GLIDE_MS = 120
NARROW_PANEL_BELOW = 1280
NARROW_RAIL_BELOW = 1232
LOW_RAIL_BELOW = 640
STRIP_BELOW = 1152
ICON_RAIL_BELOW = 800
NARROW_PAGE_BELOW = 700
WIDEST_PAGE = 1200
LOW_PAGE_BELOW = 440
UNLIMITED = 16_777_215
"""What Qt takes for no limit of a width."""
BASE = 13.0


def font(size: Type, semibold: bool = False, mono: bool = False, tabular: bool = False) -> QFont:
    """A font of the user's family and scaling.

    Args:
        size: which text.
        semibold: heavier.
        mono: for column names as they stand in the file.
        tabular: digits of one width, for numbers under each other.
    """
    return QFont(_font(QApplication.font().key(), size, semibold, mono, tabular))


@lru_cache(maxsize=64)
def _font(_user: str, size: Type, semibold: bool, mono: bool, tabular: bool) -> QFont:
    """Made once; a table asks for one a cell."""
    made = QFont(QApplication.font())
    if mono:
        fonts.take(made, fonts.MONO)
    made.setPixelSize(round(size * scale()))
    made.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
    if tabular:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def scale() -> float:
    """The user's font scaling: 1 where text is 13 pixels high."""
    size = QApplication.font().pixelSize()
    return size / BASE if size > 0 else 1.0
