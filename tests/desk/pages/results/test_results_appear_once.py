# SPDX-License-Identifier: Apache-2.0
"""A chart of released figures is painted when it has its place, and not before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.jobs.jobs import Job
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.release.ledger import Ledger
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem
from tests.desk.coming_cards import check_asks_none_how_high_it_is, check_squeezes_none
from tests.desk.conftest import OpenWindow
from tests.desk.event_counts import EventCount
from tests.desk.releasing import release_page
from tests.desk.screens import settle, wait_until
from tests.doors import RecordingDoor
from tests.release.studies import STUDY, TENTH

pytestmark = pytest.mark.painted

BY_SEX = replace(STUDY, queries=(Query("by-sex", "count-people", by=("sex",), epsilon=TENTH),))


def all_released(window: MainWindow) -> ReleasePage:
    """The page with the cards of all figures."""
    page = release_page(window)
    page.start_release()
    wait_until(lambda: page.released_shares is not None and not page.results._coming.are_left)
    return page


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
@pytest.mark.in_turn(2)
def test_a_chart_appears_once_and_whole(
    open_window: OpenWindow, study_file: Path, queries: str
) -> None:
    window = open_window(study_file, page="release")
    window.resize(1280, 734)
    page = release_page(window)
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


@pytest.mark.in_turn(2)
def test_a_chart_appears_once_and_whole_in_history(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file, page="release")
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
    window = open_window(study_file, page="release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    with monkeypatch.context() as patch:
        patch.setattr(page, "_can_write", lambda: False)
        page._show_trouble((Problem("$", "ledger-unwritable"),))
        window.session.look_again()
        assert page._trouble.isVisible()
    window.session.look_again()  # as when the window is in front again
    assert not page._trouble.isVisible()
    page._show_trouble((Problem("$", "ledger-disk-full"),))  # nobody knows
    window.session.look_again()
    assert page._trouble.isVisible()


@pytest.mark.in_turn(2)
def test_a_short_release_needs_no_scrolling(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file, page="release")
    window.resize(1366, 680)
    window.session.door = RecordingDoor()  # no draw makes them too noisy, which takes more lines
    usable = replace(BY_SEX.queries[0], epsilon=Epsilon.of("1"))
    window.session.edit(replace(BY_SEX, queries=(usable,)), "")
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    settle()
    page._show_trouble((Problem("$", "extract-used", {"day": "2026-11-22"}),))
    page.start_release()  # as the answer to that problem does
    wait_until(lambda: page.released_shares is not None)
    settle()
    assert not page._trouble.isVisible(), "what stood in its way was answered"
    assert page.review.minimumSizeHint().height() > page.results.minimumSizeHint().height()
    assert page.scroll_area.verticalScrollBar().maximum() == 0
    card = page.results.table
    assert card._second.text() == "", "a title that nobody chose names the groups"
    lines = card._title.heightForWidth(card._title.width()) // card._title.fontMetrics().height()
    assert lines == 1, "a title that would wrap beside the tools has a line of its own"


@pytest.mark.in_turn(2)
def test_a_card_that_comes_squeezes_none_above_it_and_asks_none_how_high_it_is(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file, page="release")
    window.resize(1280, 734)
    page = all_released(window)
    assert page.shown_release is not None
    page.results.show_release(page.shown_release)
    *above, last = page.results.cards
    page.results._coming._step()
    assert len(above) == 2
    check_squeezes_none(page.results._coming._step, above, last)
    check_asks_none_how_high_it_is(page.results, above, last, monkeypatch)


@pytest.mark.in_turn(2)
def test_the_figures_of_another_plan_do_not_come_on_show_for_a_moment(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file, page="release")
    page = all_released(window)
    window.opening.open_study(study_file)
    wait_until(lambda: window.page != "release")
    settle()
    shown = EventCount(QEvent.Type.Show, page.results.table)
    window.go_to("release")
    settle()
    assert page.review.isVisible() and not page.results.isVisible()
    assert shown.times == 0


@pytest.mark.in_turn(2)
def test_the_released_study_is_read_before_the_window_has_it(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file, page="release")
    page, history = release_page(window), window.pages["history"]
    assert isinstance(history, HistoryPage)
    found: list[ReleaseDone] = []
    was_read: list[bool] = []
    finish = page._finished

    def note(job: Job, study: Study, done: ReleaseDone) -> None:
        found.append(done)
        was_read.append("study" in vars(done.stored.record.study))
        finish(job, study, done)

    monkeypatch.setattr(page, "_finished", note)
    page.start_release()
    wait_until(lambda: bool(found))
    entry = Ledger(window.session.home).entry(found[0].sequence)
    again = history._reader(entry)()
    was_read.append("study" in vars(again.stored.record.study))
    assert was_read == [True, True]
