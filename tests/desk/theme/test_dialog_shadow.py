# SPDX-License-Identifier: Apache-2.0
"""The shadow of a dialog fades outwards, has no seams, and is drawn once for all paintings."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter

from dpdesk.desk.theme import dialog_shadow
from dpdesk.desk.theme.dialog_shadow import DARKEST, SHADOW, paint_shadow
from dpdesk.desk.theme.theme import Theme

PLACE = QRect(100, 60, 300, 160)
ROUNDED = 3
"""How far two roundings of an edge may be apart, of 255."""


def painted(place: QRect, scale: float = 1.0) -> QImage:
    """A shadow alone, on nothing."""
    image = QImage(round(500 * scale), round(320 * scale), QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(scale)
    image.fill(0)
    painter = QPainter(image)
    paint_shadow(painter, place)
    painter.end()
    return image


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
def test_it_fades_outwards_and_ends(themed: Theme, scale: float) -> None:
    themed.apply("light")
    image, middle = painted(PLACE, scale), round(PLACE.center().y() * scale)
    left = [
        image.pixelColor(round((PLACE.left() - far - 0.5) * scale), middle).alphaF()
        for far in range(SHADOW + 2)
    ]
    assert 0.8 * DARKEST < left[0] <= DARKEST + 0.01
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0


def test_it_has_no_seams_and_the_same_sides(themed: Theme) -> None:
    themed.apply("dark")
    image = painted(PLACE)
    rows = range(PLACE.top() + 2 * SHADOW, PLACE.bottom() - 2 * SHADOW)
    for far in (1, 8, SHADOW // 2):
        assert len({image.pixel(PLACE.left() - far, row) for row in rows}) == 1
        left = [image.pixelColor(PLACE.left() - far, row).alpha() for row in range(320)]
        right = [image.pixelColor(PLACE.right() + far, row).alpha() for row in range(320)]
        assert max(abs(a - b) for a, b in zip(left, right, strict=True)) <= ROUNDED
        assert max(left) > 0


def test_rings_are_drawn_once_a_look(themed: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    real = dialog_shadow._paint_rings
    monkeypatch.setattr(
        dialog_shadow, "_paint_rings", lambda *given: (drawn.append(given[1]), real(*given))
    )
    dialog_shadow._tile.cache_clear()
    themed.apply("light")
    light = painted(PLACE)
    for place in (PLACE, PLACE.adjusted(0, 0, 50, 40)):
        painted(place)
    assert len(drawn) == 1
    themed.apply("dark")
    assert painted(PLACE) != light
    assert len(drawn) == 2
