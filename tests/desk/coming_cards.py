# SPDX-License-Identifier: Apache-2.0
"""A card that comes on a page of many touches none of those above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.labels.spread_text import SpreadText
from dpdesk.desk.widgets.laying_out import laid_out_once, lay_out_now
from tests.desk.event_counts import EventCount


def check_squeezes_none(
    come: Callable[[], object], above: Sequence[QWidget], last: QWidget
) -> None:
    """It has its place at once: by itself Qt lays out all above it, twice."""
    sizes = EventCount(QEvent.Type.Resize, *above)
    assert last.isHidden()
    come()
    assert last.isVisible() and sizes.times == 0


def check_asks_none_how_high_it_is(
    around: QWidget, above: Sequence[QWidget], last: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those above keep how high they are at each width that the page asks for."""
    texts = {label._spread for card in above for label in card.findChildren(Label)}
    asked: list[SpreadText] = []
    height = SpreadText.height
    monkeypatch.setattr(
        SpreadText, "height", lambda text, width: (asked.append(text), height(text, width))[1]
    )
    for is_shown in (False, True):  # once more: what it was not asked before, it is no more
        asked.clear()
        with laid_out_once(around):
            last.setVisible(is_shown)
        lay_out_now()
    assert asked and not texts.intersection(asked)
