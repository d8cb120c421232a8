# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.keystroke``: from a keystroke or a drag to gauge and plot.

A study of 200 columns and 50 queries is open. What an edit costs the processor until rail, gauge,
plot and page show it, painted, is printed as median and worst, beside a peer of the same minute:
parsing the study's file with the standard JSON module alone. Seconds say as much about the machine
as about the program; the ratio does not.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.jobs.garbage_collector import GarbageCollector
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.plots.plot_base import Canvas
from dpdesk.desk.widgets.inputs.accuracy_handle import AccuracyHandle
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Budget, DataSource, Unit

COLUMNS, QUERIES, ROUNDS = 200, 50, 20
KINDS: tuple[Statistic, ...] = ("count", "mean", "sum", "median", "share")
PEER_TIMES = 20


def study() -> Study:
    """Every usual kind of query, by groups."""
    return Study(
        "Many",
        data=DataSource(path="many.csv", extract="bench"),
        unit=Unit("c0", max_rows=1),
        columns=tuple(_column(place) for place in range(1, COLUMNS + 1)),
        queries=tuple(_query(place) for place in range(QUERIES)),
        budget=Budget("b", Epsilon.of(1)),
    )


def _column(place: int) -> Column:
    if place % 2:
        return CategoryColumn(f"c{place}", values=("a", "b", "c", f"d{place}"))
    return NumberColumn(f"c{place}", lower=Decimal(0), upper=Decimal(70), step=Decimal(1))


def _query(place: int) -> Query:
    kind = KINDS[place % len(KINDS)]
    number = f"c{2 + 2 * (place % 40)}" if kind in ("mean", "sum", "median") else None
    has = (IsIn(f"c{3 + 2 * (place % 40)}", ("a",)),) if kind == "share" else ()
    by = (f"c{1 + 2 * (place % 40)}",)
    share = Epsilon.of("0.01")
    return Query(f"q{place}").having(
        statistic=kind, column=number, by=by, has=has, expected=100, epsilon=share
    )


def opened(folder: Path) -> MainWindow:
    """A window with the study, from its file."""
    home = Home.at(folder / "home")
    Ledger.open(home).new_account("b", Epsilon.of(1), "for measuring")
    names = ",".join(f"c{place}" for place in range(COLUMNS + 1))
    (folder / "many.csv").write_text(names + "\n" + ("1" + ",a,2" * (COLUMNS // 2) + "\n") * 20)
    save_study(study(), folder / "many.dpdesk")
    window = make_window(application(), home)
    window.show()
    window.opening.open_study(folder / "many.dpdesk")
    _rest(lambda: bool(window.page))
    return window


def _rest(done: Callable[[], bool]) -> None:
    while not done():
        QTest.qWait(5)
    QTest.qWait(200)


def _share(window: MainWindow) -> QLineEdit:
    window.go_to("queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.select("q7")
    _rest(lambda: page.is_complete)
    page.scroll_area.ensureWidgetVisible(page.card("q7").accuracy)
    return page.card("q7").accuracy.share.edit


def _bound(window: MainWindow) -> QLineEdit:
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("c16")
    _rest(lambda: True)
    return page.form.numbers["upper"].edit


def _title(window: MainWindow) -> QLineEdit:
    _bound(window)
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page.form.release_name.edit


@dataclass(frozen=True)
class Cost:
    """Seconds of the processor.

    Attributes:
        median, worst: of an edit.
        peer: of what it is measured beside.
    """

    median: float
    worst: float
    peer: float


def keystrokes(window: MainWindow, edit: QLineEdit, texts: tuple[str, str], raw: bytes) -> Cost:
    """What a keystroke costs that ends another of two texts."""
    edit.setFocus()

    def prepare(turn: int) -> Callable[[], object]:
        text = texts[turn % 2]
        edit.blockSignals(True)
        edit.setText(text[:-1])
        edit.blockSignals(False)
        return lambda: QTest.keyClicks(edit, text[-1])

    return _cost(window, prepare, raw)


def drags(window: MainWindow, raw: bytes) -> Cost:
    """What each step costs by which the handle of a query is dragged."""
    _share(window)
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    handle = page.card("q7").accuracy.handle
    middle = QPoint(handle.width() // 3, handle.height() // 3)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)

    def prepare(turn: int) -> Callable[[], object]:
        place = QPointF(middle + QPoint(3 * turn + 3, 0))
        left = Qt.MouseButton.LeftButton
        none = Qt.KeyboardModifier.NoModifier
        moved = QMouseEvent(
            QEvent.Type.MouseMove, place, handle.mapToGlobal(place), left, left, none
        )
        return lambda: QApplication.sendEvent(handle, moved)

    cost = _cost(window, prepare, raw)
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton)
    return cost


def _cost(window: MainWindow, prepare: Callable[[int], Callable[[], object]], raw: bytes) -> Cost:
    took, beside = [], []
    pictures = Pictures(window)
    for turn in range(ROUNDS):
        edit = prepare(turn)
        took.append(_seconds(lambda edit=edit: pictures.show(edit)))
        beside.append(_seconds(lambda: [json.loads(raw) for _ in range(PEER_TIMES)]))
        QTest.qWait(300)  # what follows bit by bit, and the saving, are no part of the next
    return Cost(statistics.median(took), max(took), statistics.median(beside))


class Pictures(QObject):
    """What an edit must have painted before it counts as shown: gauge, plots and handles."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        page = window.pages[window.page]
        plots = [canvas.viewport() for canvas in page.findChildren(Canvas)]
        each = (window.panel.gauge, *plots, *page.findChildren(AccuracyHandle))
        self._each = [widget for widget in each if widget.isVisible()]
        self._painted: set[int] = set()
        for widget in self._each:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note what is painted."""
        if event.type() is QEvent.Type.Paint:
            self._painted.add(id(watched))
        return False

    def show(self, edit: Callable[[], object]) -> None:
        """Edit; lay out and paint, as the event loop does, and what it has left for later."""
        self._painted.clear()
        edit()
        QApplication.sendPostedEvents()
        for widget in self._each:
            if id(widget) not in self._painted:
                widget.repaint()


def _seconds(work: Callable[[], object]) -> float:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def _print_costs(name: str, cost: Cost) -> None:
    seconds = (cost.median, cost.worst, cost.peer)
    shown = "".join(f"{1000 * each:8.1f} ms" for each in seconds)
    print(f"{name:28}{shown}{cost.median / cost.peer:8.1f}", flush=True)


def main() -> int:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        window = opened(folder)
        garbage = GarbageCollector(application())  # as in the program, between the edits
        raw = (folder / "many.dpdesk").read_bytes()
        cases = (
            ("a query's share", _share, ("0.02", "0.03")),
            ("a column's upper bound", _bound, ("80", "90")),
            ("a column's title", _title, ("Days", "Dayt")),
        )
        print(f"{'':28}{'median':>11}{'worst':>11}{'peer':>11}")
        for name, field, texts in cases:
            _print_costs(name, keystrokes(window, field(window), texts, raw))
        _print_costs("a query's handle, dragged", drags(window, raw))
        garbage.stop()
        window.close()
        QApplication.processEvents()
    return 0


if __name__ == "__main__":
    screen = Path(__file__).parents[1] / "screen.json"
    os.environ.setdefault("QT_QPA_PLATFORM", f"offscreen:configfile={screen}")
    sys.exit(main())
