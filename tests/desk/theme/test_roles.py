# SPDX-License-Identifier: Apache-2.0
"""Every pair of colours that stands on each other can be told apart, light and dark."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from dpdesk.desk.theme import theme
from dpdesk.desk.theme.roles import Role, color, set_dark
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.buttons import POINTED, PRESSED

GROUNDS = (Role.BG, Role.RAIL, Role.SURFACE, Role.INSET)
TINTS = (Role.TINT, Role.OK_TINT, Role.WARN_TINT, Role.DANGER_TINT)
STATES = (Role.DANGER, Role.WARN, Role.OK, Role.SECOND)
TEXTS = [
    *((ink, ground) for ink in (Role.TEXT, Role.TEXT_QUIET) for ground in GROUNDS),
    *((Role.ACCENT, ground) for ground in (*GROUNDS, Role.TINT)),
    # What is chosen: a line of the columns, a row of a table, an option.
    *((ink, Role.TINT) for ink in (Role.TEXT, Role.TEXT_QUIET, Role.WARN)),
    # Banners: their words, and what can be pressed in them.
    *((ink, ground) for ink in (Role.TEXT, Role.ACCENT) for ground in TINTS),
    # Quiet buttons while they are pressed. Plots: words over bands, bars and hatched rows; heat
    # cells, from the tint to this.
    *((Role.TEXT, ground) for ground in (Role.BAND, Role.HEAT, Role.LINE)),
    (Role.ACCENT, Role.BAND),
    # Remarks, what the made-up mark says in a page's head, and marks of the rail.
    *((ink, ground) for ink in STATES for ground in GROUNDS),
    # What cannot be pressed now still says what it is and why, chosen or not.
    *((Role.DISABLED, ground) for ground in (*GROUNDS, Role.TINT)),
    # Second lines in banners.
    *((Role.TEXT_QUIET, ground) for ground in TINTS),
    (Role.ON_ACCENT, Role.ACCENT),
    (Role.ON_DANGER, Role.DANGER_FILL),
    (Role.DANGER, Role.DANGER_TINT),
    (Role.WARN, Role.WARN_TINT),
    (Role.OK, Role.OK_TINT),
]
SHAPES = [
    # Edges of fields and buttons, in banners and on chosen rows, too; hatched bars.
    *((Role.CONTROL, ground) for ground in (*GROUNDS, *TINTS)),
    # The ring of the keyboard on what is pointed at, and lines of charts over their bands.
    *((ink, Role.BAND) for ink in (Role.ACCENT, Role.SECOND, Role.DANGER, Role.TEXT_QUIET)),
    (Role.ACCENT, Role.TRACK),
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
@pytest.mark.in_turn(8)
def test_text_is_readable_on_its_ground(ink: Role, ground: Role, dark: bool) -> None:
    set_dark(dark)
    assert contrast(color(ink), color(ground)) >= 4.5


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [(Role.ON_ACCENT, Role.ACCENT), (Role.ON_DANGER, Role.DANGER_FILL)],
    ids=["primary", "danger"],
)
def test_a_loud_button_stands_out_more_where_it_is_pointed_at_and_most_while_pressed(
    ink: Role, ground: Role, dark: bool
) -> None:
    set_dark(dark)
    below, over = color(ground), color(Role.TEXT)
    grounds = [below]
    for share in (POINTED, PRESSED):
        pairs = zip(over.getRgbF()[:3], below.getRgbF()[:3], strict=True)
        grounds.append(
            QColor.fromRgbF(*(share * one + (1 - share) * other for one, other in pairs))
        )
    least, pointed, pressed = (contrast(color(ink), one) for one in grounds)
    assert least < pointed < pressed
    assert contrast(grounds[1], grounds[2]) > 1.2, "a press is seen"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), SHAPES, ids=lambda r: r.name.lower())
def test_shapes_stand_out_from_their_ground(ink: Role, ground: Role, dark: bool) -> None:
    set_dark(dark)
    assert contrast(color(ink), color(ground)) >= 3.0


def test_where_the_system_asks_for_high_contrast_nothing_is_quiet(
    themed: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes: list[None] = []
    themed.changed.connect(lambda: changes.append(None))
    monkeypatch.setattr(theme, "wants_contrast", lambda: True)
    for scheme in ("light", "dark"):
        themed.apply(scheme)
        quiet = {(Role.TEXT_QUIET, ground) for ground in (*GROUNDS, *TINTS)}
        assert min(contrast(color(one), color(other)) for one, other in quiet) >= 10
        assert min(contrast(color(one), color(other)) for one, other in TEXTS) >= 4.5
        assert min(contrast(color(Role.CONTROL), color(ground)) for ground in GROUNDS) >= 7
    assert len(changes) == 2
    monkeypatch.undo()
    themed._follow_contrast()
    assert len(changes) == 3 and color(Role.CONTROL) == QColor(Role.CONTROL.value[1])


def test_contrast_is_the_one_of_the_guideline() -> None:
    black, white = color(Role.TEXT), color(Role.SURFACE)
    black.setRgb(0, 0, 0)
    assert contrast(black, white) == pytest.approx(21.0)
    assert contrast(white, white) == 1.0
