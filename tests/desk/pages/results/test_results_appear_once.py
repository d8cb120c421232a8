# SPDX-License-Identifier: Apache-2.0
"""A chart of released figures is painted when it has its place, and not before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QWidget

from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.labels.spread_text import SpreadText
from dpdesk.desk.widgets.laying_out import laid_out_once, lay_out_now
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY, TENTH

BY_SEX = replace(STUDY, queries=(Query("by-sex", "count-people", by=("sex",), epsilon=TENTH),))


class Paints(QObject):
    """Notes how a chart looks each time it is painted, with where it lies in its window."""

    def __init__(self, plot: ErrorBarsPlot) -> None:
        super().__init__(plot)
        self._plot = plot
        self.looks: list[tuple[object, ...]] = []
        self._ground: QWidget = plot.canvas.viewport()
        self._ground.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and watched is self._ground:
            canvas = self._plot.canvas
            self._plot._freshen()  # the first thing that is done as it is painted
            box = canvas.getPlotItem().getViewBox()
            place = self._ground.mapTo(self._ground.window(), QPoint(0, 0)).toTuple()
            look = (place, self._ground.size().toTuple(), box.geometry().getRect())
            shown = tuple(tuple(ends) for ends in canvas.viewRange())
            self.looks.append((*look, shown, len(canvas.getPlotItem().items)))
        return False


@pytest.mark.parametrize("queries", ["one", "all"])
def test_a_chart_appears_once_and_whole(
    open_window: OpenWindow, study_file: Path, queries: str
) -> None:
    window = open_window(study_file)
    window.resize(1280, 734)
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    if queries == "one":
        window.session.edit(replace(BY_SEX), "")
        settle()
    paints = Paints(page.results.table.plot)
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    wait_until(lambda: bool(paints.looks))
    settle(20)
    assert len(set(paints.looks)) == 1, paints.looks
    shown = [card for card in page.results.cards if not card.isHidden()]
    assert len(shown) == len(window.session.state.study.queries)
    if queries == "all":
        assert page.shown_release is not None
        page.results.show_release(page.shown_release)
        states = []
        for _ in range(3):
            states.append((page.results.cards[2].isHidden(), page.results._coming.are_left))
            page.results._coming._step()
        assert states == [(True, True), (True, True), (False, True)], "filled in a turn of its own"


def test_a_chart_appears_once_and_whole_in_history(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.resize(1280, 734)
    window.session.edit(replace(BY_SEX), "")
    window.go_to("release")
    settle()
    page, history = window.pages["release"], window.pages["history"]
    assert isinstance(page, ReleasePage) and isinstance(history, HistoryPage)
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    paints = Paints(history.results.table.plot)
    window.go_to("history")
    wait_until(lambda: bool(paints.looks))
    settle(20)
    assert len(set(paints.looks)) == 1, paints.looks


def test_a_ledger_that_can_be_written_again_is_no_trouble_any_more(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file)
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    with monkeypatch.context() as patch:
        patch.setattr(page, "_can_write", lambda: False)
        page._show_trouble((Problem("$", "ledger-unwritable"),))
        window.session.look_again()
        assert page._trouble.isVisible()
    window.session.look_again()  # as when the window is in front again
    assert not page._trouble.isVisible()
    page._show_trouble((Problem("$", "ledger-unwritable"),))  # a full disk: nobody knows
    window.session.look_again()
    assert page._trouble.isVisible()


def test_a_short_release_needs_no_scrolling(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    window.resize(1366, 680)
    window.session.edit(replace(BY_SEX), "")
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    settle()
    page._show_trouble((Problem("$", "data-known-elsewhere", {"known": "other-people"}),))
    page.start_release()  # as the answer to that problem does
    wait_until(lambda: page.released_shares is not None)
    settle()
    assert not page._trouble.isVisible(), "what stood in its way was answered"
    assert page.review.minimumSizeHint().height() > page.results.minimumSizeHint().height()
    assert page.scroll_area.verticalScrollBar().maximum() == 0
    card = page.results.table
    assert card._second.text() == "", "a title that nobody chose names the groups"


class Count(QObject):
    """Counts how often something happens to a widget."""

    def __init__(self, widget: QWidget, kind: QEvent.Type) -> None:
        super().__init__(widget)
        self.times = 0
        self._kind = kind
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == self._kind
        return False


def test_a_card_that_comes_squeezes_none_above_it_and_asks_none_how_high_it_is(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file)
    window.resize(1280, 734)
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    page.start_release()
    wait_until(lambda: page.released_shares is not None and not page.results._coming.are_left)
    assert page.shown_release is not None
    page.results.show_release(page.shown_release)
    *above, last = page.results.cards
    page.results._coming._step()
    sizes = [Count(card, QEvent.Type.Resize) for card in above]
    texts = {label._spread for card in above for label in card.findChildren(Label)}
    asked: list[SpreadText] = []
    height = SpreadText.height
    monkeypatch.setattr(
        SpreadText, "height", lambda text, width: (asked.append(text), height(text, width))[1]
    )
    assert last.isHidden() and len(above) == 2
    page.results._coming._step()
    assert not last.isHidden()
    assert [one.times for one in sizes] == [0, 0]
    for is_shown in (False, True):  # once more: what it was not asked before, it is no more
        asked.clear()
        with laid_out_once(page.results):
            last.setVisible(is_shown)
        lay_out_now()
    assert asked and not texts.intersection(asked)


def test_the_figures_of_another_plan_do_not_come_on_show_for_a_moment(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    page.start_release()
    wait_until(lambda: page.released_shares is not None and not page.results._coming.are_left)
    window.opening.open_study(study_file)
    wait_until(lambda: window.page != "release")
    settle()
    shown = Count(page.results.table, QEvent.Type.Show)
    window.go_to("release")
    settle()
    assert page.review.isVisible() and not page.results.isVisible()
    assert shown.times == 0
