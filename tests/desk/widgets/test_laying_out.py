# SPDX-License-Identifier: Apache-2.0
"""A part that is shown moves none of those above it, and has its place at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.laying_out import laid_out_once, lay_out_now
from tests.desk.event_counts import EventCount
from tests.desk.screens import settle

CARDS = 8
TEXT = "A text that needs more than one line where there is not much room for it. " * 4


class Cards(QScrollArea):
    """A page with a part of hidden cards, two layouts further in."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        content, holder, self.part = QWidget(), QWidget(), QWidget()
        self.cards = [Label(f"{place}. {TEXT}", wrap=True) for place in range(CARDS)]
        column = QVBoxLayout(content)
        column.addWidget(holder)
        column.addStretch(1)
        QVBoxLayout(holder).addWidget(self.part)
        inner = QVBoxLayout()
        QVBoxLayout(self.part).addLayout(inner)
        for card in self.cards:
            card.hide()
            inner.addWidget(card)
        self.setWidget(content)
        self.resize(300, 200)

    def places(self) -> list[object]:
        """Where each card on show is, and how high the page."""
        shown = [card.geometry().getRect() for card in self.cards if card.isVisible()]
        return [*shown, self.widget().height()]


@pytest.fixture
def page(qtbot: QtBot) -> Cards:
    made = Cards()
    qtbot.addWidget(made)
    made.show()
    settle()
    return made


def test_what_is_above_a_part_that_is_shown_keeps_its_size(page: Cards) -> None:
    for card in page.cards[:-1]:
        with laid_out_once(page.part):
            card.show()
    sizes = EventCount(QEvent.Type.Resize, *page.cards[:-1])
    with laid_out_once(page.part):
        page.cards[-1].show()
    lay_out_now()
    assert sizes.times == 0
    whole = page.places()
    settle()
    assert page.places() == whole, "it had its place before anything was painted"
    assert page.cards[-1].height() == page.cards[-1].heightForWidth(page.cards[-1].width())


def test_a_part_has_the_place_that_it_would_have_by_itself(page: Cards, qtbot: QtBot) -> None:
    other = Cards()
    qtbot.addWidget(other)
    other.show()
    for mine, usual in zip(page.cards[:5], other.cards[:5], strict=True):
        with laid_out_once(page.part):
            mine.show()
        usual.show()
    with laid_out_once(page.part):
        page.cards[1].hide()
        page.cards[2].setText("short")
    other.cards[1].hide()
    other.cards[2].setText("short")
    settle()
    assert page.places() == other.places()


def test_it_may_be_said_within_itself_and_of_what_is_not_on_show(page: Cards, qtbot: QtBot) -> None:
    high = page.widget().height()
    with laid_out_once(page.part):
        with laid_out_once(page.part):
            for card in page.cards[:2]:
                card.show()
        assert page.widget().height() == high, "what is further out sees to it"
    assert page.widget().height() > high
    assert page.cards[0].height() == page.cards[0].heightForWidth(page.cards[0].width())
    hidden = Cards()
    qtbot.addWidget(hidden)
    size = hidden.part.size()
    with laid_out_once(hidden.part):
        hidden.cards[0].show()
    assert hidden.part.size() == size, "it is laid out when it comes on show"
    hidden.show()
    settle()
    assert hidden.places()[0] == page.places()[0]


def test_layouts_work_again_after_an_error(page: Cards) -> None:
    with pytest.raises(ValueError, match="wrong"), laid_out_once(page.part):
        page.cards[0].show()
        raise ValueError("wrong")
    page.cards[1].show()
    settle()
    assert page.cards[1].height() == page.cards[1].heightForWidth(page.cards[1].width())
