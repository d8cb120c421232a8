# SPDX-License-Identifier: Apache-2.0
"""Every pair of colours that stands on each other can be told apart, light and dark."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from dpdesk.desk.theme.roles import Role, color, set_dark

GROUNDS = (Role.BG, Role.RAIL, Role.SURFACE, Role.INSET)
TEXTS = [
    *((ink, ground) for ink in (Role.TEXT, Role.TEXT_QUIET) for ground in GROUNDS),
    *((Role.ACCENT, ground) for ground in (Role.BG, Role.SURFACE, Role.INSET, Role.TINT)),
    (Role.TEXT, Role.TINT),
    (Role.ON_ACCENT, Role.ACCENT),
    (Role.ON_DANGER, Role.DANGER_FILL),
    (Role.DANGER, Role.SURFACE),
    (Role.DANGER, Role.BG),
    (Role.DANGER, Role.DANGER_TINT),
    (Role.TEXT, Role.DANGER_TINT),
    (Role.WARN, Role.SURFACE),
    (Role.WARN, Role.WARN_TINT),
    (Role.TEXT, Role.WARN_TINT),
    (Role.OK, Role.SURFACE),
    (Role.OK, Role.OK_TINT),
    (Role.TEXT, Role.OK_TINT),
    (Role.SECOND, Role.SURFACE),
]
SHAPES = [
    *((Role.CONTROL, ground) for ground in GROUNDS),
    (Role.ACCENT, Role.TRACK),
    (Role.DISABLED, Role.SURFACE),
]


def contrast(first: QColor, second: QColor) -> float:
    """WCAG contrast ratio of two opaque colours, 1 to 21."""
    bright, dim = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def _luminance(of: QColor) -> float:
    parts = (_linear(of.redF()), _linear(of.greenF()), _linear(of.blueF()))
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXTS, ids=lambda r: r.name.lower())
def test_text_is_readable_on_its_ground(ink: Role, ground: Role, dark: bool) -> None:
    set_dark(dark)
    assert contrast(color(ink), color(ground)) >= 4.5


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), SHAPES, ids=lambda r: r.name.lower())
def test_shapes_stand_out_from_their_ground(ink: Role, ground: Role, dark: bool) -> None:
    set_dark(dark)
    assert contrast(color(ink), color(ground)) >= 3.0


def test_contrast_is_the_one_of_the_guideline() -> None:
    black, white = color(Role.TEXT), color(Role.SURFACE)
    black.setRgb(0, 0, 0)
    assert contrast(black, white) == pytest.approx(21.0)
    assert contrast(white, white) == 1.0
