# SPDX-License-Identifier: Apache-2.0
"""Segments side by side: where there is little room, icons give way to words."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.inputs.segmented import Segmented

GERMAN = {"Zahl": "hash", "Kategorie": "tag", "Ja/Nein": "switch", "Datum": "calendar"}


def kinds(qtbot: QtBot, width: int) -> Segmented:
    made = Segmented([(word, word, icon) for word, icon in GERMAN.items()], "Kind")
    qtbot.addWidget(made)
    made.resize(width or made.sizeHint().width(), 34)
    made.select("Zahl")
    made.show()
    return made


def test_icons_stand_beside_the_words_where_there_is_room(qtbot: QtBot) -> None:
    assert kinds(qtbot, 0).has_room_for_icons()


def test_icons_give_way_before_a_word_is_cut_short(qtbot: QtBot) -> None:
    widths = range(kinds(qtbot, 0).width(), 0, -8)
    found = (kinds(qtbot, width) for width in widths)
    segments = next(made for made in found if not made.has_room_for_icons())
    metrics = QFontMetrics(font(Type.TEXT, semibold=True))
    for word in GERMAN:
        assert segments.segment(word).width() >= metrics.horizontalAdvance(word) + 8
