# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.standstill [PART ...]``: how long the window stands still with much.

A heartbeat ticks in the window's event loop while a study is opened, worked in and undone. The
longest time between two ticks is the standstill: in seconds, and in the processor's time of the
window's thread, which other programs on the machine do not lengthen.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.jobs.garbage_collector import GarbageCollector
from dpdesk.desk.main_window.warm_up import WarmUp
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import load_study, save_study
from dpdesk.study.limits import MAX_COLUMNS
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn
from dpdesk.study.model.conditions import Between
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Budget, DataSource, Unit

Act = tuple[str, Callable[[], object]]
COLUMNS, QUERIES, GROUPS = 5_000, 50, 700
ROWS = 70_000
BUDGET = Budget("b", Epsilon.of(1))
BEAT_MS = 5
QUIET_BEATS = 20
MOST_STILL_S = 0.1
LONG_S = 60.0


@dataclass(frozen=True)
class Still:
    """The longest standstill of one act, and how long it took until the window was at rest."""

    seconds: float
    thread: float
    whole: float


class Heart:
    """Ticks in the window's event loop, and remembers the longest time between two ticks.

    Args:
        is_busy: whether a job runs, whose end the window waits for.
    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._timer = QTimer(interval=BEAT_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._loop = QEventLoop()

    def watch(self, act: Callable[[], object]) -> Still:
        """Do something in the event loop and wait until the window is at rest."""
        self._most = self._most_thread = 0.0
        self._quiet = -1
        self._last, self._last_thread = time.perf_counter(), time.thread_time()
        begun = time.perf_counter()
        self._timer.start()
        QTimer.singleShot(0, lambda: self._do(act))
        QTimer.singleShot(int(1000 * LONG_S), self._loop, self._loop.quit)
        self._loop.exec()
        self._timer.stop()
        return Still(self._most, self._most_thread, time.perf_counter() - begun)

    def _do(self, act: Callable[[], object]) -> None:
        act()
        self._quiet = 0

    def _tick(self) -> None:
        now, thread = time.perf_counter(), time.thread_time()
        still, spent = now - self._last, thread - self._last_thread
        self._most, self._most_thread = max(self._most, still), max(self._most_thread, spent)
        self._last, self._last_thread = now, thread
        if self._quiet >= 0:
            # A window that shows its pages bit by bit is at rest when nothing is left to do.
            is_quiet = spent < 0.002 and not self._is_busy()
            self._quiet = self._quiet + 1 if is_quiet else 0
        if self._quiet >= QUIET_BEATS:
            self._loop.quit()


def wide_study(folder: Path) -> Path:
    """A study that declares as many columns as one may, of a file that has more."""
    wide_file(folder)
    unit = Unit("c0", max_rows=1)
    columns = tuple(_column(place) for place in range(1, MAX_COLUMNS + 1))
    study = Study(
        "Wide",
        data=_source("wide.csv"),
        unit=unit,
        columns=columns,
        budget=BUDGET,
    )
    save_study(study, folder / "wide.dpdesk")
    return folder / "wide.dpdesk"


def wide_file(folder: Path) -> Path:
    """A CSV file with very many columns and a few rows."""
    path = folder / "wide.csv"
    names = ",".join(f"c{place}" for place in range(COLUMNS))
    row = ",".join("1" for _ in range(COLUMNS))
    path.write_text(f"{names}\n" + f"{row}\n" * 20)
    return path


def long_study(folder: Path) -> Path:
    """A study with very many queries, of every usual kind, by groups."""
    names = ",".join(f"c{place}" for place in range(41))
    (folder / "long.csv").write_text(f"{names}\n" + ("1" + ",a,2" * 20 + "\n") * 20)
    columns = tuple(_column(place) for place in range(1, 41))
    queries = tuple(_query(place) for place in range(QUERIES))
    study = Study(
        "Long",
        data=_source("long.csv"),
        unit=Unit("c0", max_rows=1),
        columns=columns,
        queries=queries,
        budget=BUDGET,
    )
    save_study(study, folder / "long.dpdesk")
    return folder / "long.dpdesk"


def grouped_study(folder: Path) -> Path:
    """A study that asks three questions for each of very many wards, and its file."""
    wards = [f"Ward {place}" for place in range(GROUPS)]
    grouped_file(folder / "grouped.csv")
    tenth = Epsilon.of("0.1")
    queries = (
        Query("rows", by=("ward",), epsilon=tenth),
        Query("mean").having(
            statistic="mean", column="days", by=("ward",), epsilon=tenth, expected=100
        ),
        Query("people").having(statistic="count-people", by=("ward",), epsilon=tenth),
    )
    study = Study(
        "Grouped",
        data=_source("grouped.csv"),
        unit=Unit("id", max_rows=1),
        columns=(
            CategoryColumn("ward", values=tuple(wards)),
            NumberColumn("days", lower=Decimal(0), upper=Decimal(30), step=Decimal(1)),
        ),
        queries=queries,
        budget=BUDGET,
    )
    save_study(study, folder / "grouped.dpdesk")
    return folder / "grouped.dpdesk"


def grouped_file(path: Path, people: str = "") -> None:
    """A CSV file of very many wards, with the ids of people who stand in no other such file."""
    rows = "".join(f"{people}{row},Ward {row % GROUPS},{row % 30}\n" for row in range(ROWS))
    path.write_text(f"id,ward,days\n{rows}")


def cross_study(folder: Path, extract: str) -> Path:
    """A study of very many questions, each for very many wards, about one extract of the file."""
    study = load_study(folder / "grouped.dpdesk").study
    queries = tuple(
        Query(
            f"rows{place}",
            by=("ward",),
            where=(Between("days", Decimal(0), Decimal(place)),),
            epsilon=Epsilon.of("0.01"),
        )
        for place in range(QUERIES)
    )
    data = replace(_source("crossed.csv"), extract=extract)
    days = NumberColumn("days", lower=Decimal(0), upper=Decimal(60), step=Decimal(1))
    save_study(
        replace(
            study,
            title=extract,
            data=data,
            columns=(study.columns[0], days),
            queries=queries,
            budget=Budget("c", Epsilon.of(1)),
        ),
        folder / f"{extract}.dpdesk",
    )
    return folder / f"{extract}.dpdesk"


def _source(name: str) -> DataSource:
    return DataSource(path=name, extract=name.partition(".")[0])


def _column(place: int) -> Column:
    name = f"c{place}"
    if place % 2:
        return CategoryColumn(name, values=("a", "b", "c", f"d{place}"))
    return NumberColumn(name, lower=Decimal(0), upper=Decimal(70), step=Decimal(1))


def _query(place: int) -> Query:
    kinds: tuple[Statistic, ...] = ("count", "mean", "sum")
    kind = kinds[place % 3]
    of = None if kind == "count" else f"c{2 + 2 * (place % 20)}"
    by = f"c{1 + 2 * (place % 20)}"
    return Query(f"q{place}").having(
        statistic=kind, column=of, by=(by,), epsilon=Epsilon.of("0.01")
    )


def acts(window: MainWindow, folder: Path, parts: Sequence[str]) -> Iterator[Act]:
    """What a person does, each with its name."""
    for part in parts or PARTS:
        yield from PARTS[part](window, folder)


def wide_acts(window: MainWindow, folder: Path) -> Iterator[Act]:
    """What a person does with very many columns, and with very many queries."""
    wide, long = wide_study(folder), long_study(folder)
    yield "open a CSV file of 5,000 columns", lambda: window.opening.new_study(folder / "wide.csv")
    yield "go to Columns", lambda: window.go_to("columns")
    yield "choose all columns", lambda: _columns(window).choose_all()
    yield "switch them on", lambda: _columns(window).many.switch_on.click()
    yield (
        "choose 1,000 of them",
        lambda: _columns(window).choose(_columns(window).list.names[:1000]),
    )
    yield "switch those on", lambda: _columns(window).many.switch_on.click()
    yield "make them numbers", lambda: _columns(window).many._set_kind("number")
    yield "open a study of 5,000 columns", lambda: window.opening.open_study(wide)
    yield "go to Columns, described", lambda: window.go_to("columns")
    yield "go to Data", lambda: window.go_to("data")
    yield "go to Columns again", lambda: window.go_to("columns")
    yield "choose another column", lambda: window.show_column("c500")
    yield "type a letter", lambda: _type(window)
    yield "undo", window.session.document.undo_stack.undo
    yield "open a study of 50 queries", lambda: window.opening.open_study(long)
    yield "go to Queries", lambda: window.go_to("queries")
    yield "open another query", lambda: _queries(window).select("q25")
    yield "fit their shares", lambda: _queries(window).fit_shares()
    yield "want a margin of one", lambda: _want_margin(window)
    yield "leave the shares as they are", lambda: _fit_dialog(window).reject()
    yield "rehearse 50 queries", lambda: window.go_to("rehearsal")
    yield "go to Queries again", lambda: window.go_to("queries")
    yield "add a query", lambda: _queries(window).add_query()
    yield "undo adding it", window.session.document.undo_stack.undo
    yield "rename a column", lambda: _rename(window)
    yield "go to Release", lambda: window.go_to("release")
    yield "release 50 queries", lambda: _release(window).start_release()
    _see_released(window, QUERIES)
    yield from other_looks(window, "50 results")


def grouped_acts(window: MainWindow, folder: Path) -> Iterator[Act]:
    """What a person does with very many groups."""
    grouped = grouped_study(folder)
    yield "open a study of 700 groups", lambda: window.opening.open_study(grouped)
    yield "go to Queries, 700 groups", lambda: window.go_to("queries")
    yield "rehearse them", lambda: window.go_to("rehearsal")
    yield "go to Release, 700 groups", lambda: window.go_to("release")
    yield "release them", lambda: _release(window).start_release()
    _see_released(window, 3)
    yield "show a chart of them", lambda: _card(window)._pick("chart")
    yield "show them as a table", lambda: _card(window)._pick("table")
    yield "sort them", lambda: _card(window).rows.sort(1, Qt.SortOrder.DescendingOrder)
    yield "find among them", lambda: _card(window).bar.search.setText("ward 69")
    yield "go to History", lambda: window.go_to("history")
    yield "choose another release", lambda: _history(window).table.selectRow(1)
    yield "compare with the one before", lambda: window.compare_release(2)


def cross_acts(window: MainWindow, folder: Path) -> Iterator[Act]:
    """What a person does with very many groups of each of very many queries."""
    grouped_study(folder)
    # People of one account are paid for from no other: those of the part before have theirs.
    grouped_file(folder / "crossed.csv", "p")
    for extract in ("earlier", "later"):
        study = cross_study(folder, extract)
        yield f"open 50 x 700, {extract}", lambda study=study: window.opening.open_study(study)
        yield "go to Release, 50 x 700", lambda: window.go_to("release")
        yield "release 50 x 700", lambda: _release(window).start_release()
        _see_released(window, QUERIES)
    yield "go to History, 50 x 700", lambda: window.go_to("history")
    yield "choose the other of them", lambda: _history(window).table.selectRow(1)
    _see_chosen(window)
    yield (
        "compare 50 x 700",
        lambda: window.compare_release(_history(window)._entries[0].entry.sequence),
    )
    yield "go to Columns, 50 x 700", lambda: window.go_to("columns")


def other_looks(window: MainWindow, of: str) -> Iterator[Act]:
    """Dark and back, with much that is drawn in the colours of the one."""
    for scheme in ("dark", "light"):
        yield f"{scheme}, {of}", lambda scheme=scheme: window.menus._set_scheme(scheme)


def _history(window: MainWindow) -> HistoryPage:
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def _see_released(window: MainWindow, queries: int) -> None:
    """Fail where the release was refused: what follows would measure nothing."""
    done = _release(window).shown_release
    shown = [card for card in _release(window).results.cards if not card.isHidden()]
    if done is None or not len(done.stored.tables) == len(shown) == queries:
        raise RuntimeError(f"not released, or not shown: {queries} queries")


def _see_chosen(window: MainWindow) -> None:
    """Fail where the second row of History is not a release that is shown."""
    page = _history(window)
    if page.table.currentIndex().row() != 1 or page.results.isHidden():
        raise RuntimeError("no other release is shown")


def _columns(window: MainWindow) -> ColumnsPage:
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page


def _release(window: MainWindow) -> ReleasePage:
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def _card(window: MainWindow) -> ResultTable:
    return _release(window).results.cards[0]


def _queries(window: MainWindow) -> QueriesPage:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def _fit_dialog(window: MainWindow) -> FitDialog:
    return next(one for one in window.findChildren(FitDialog) if one.isVisible())


def _want_margin(window: MainWindow) -> None:
    """One keystroke in the first row; all shares are worked out anew."""
    first = next(iter(_fit_dialog(window).rows.values()))
    QTest.keyClick(first.within, Qt.Key.Key_5)


def _type(window: MainWindow) -> None:
    """One keystroke in the form of the chosen column."""
    QTest.keyClick(_columns(window).form.release_name.edit, Qt.Key.Key_A)


def _rename(window: MainWindow) -> None:
    """An edit that every query of a column shows."""
    study = window.session.state.study
    column = replace(study.columns[0], label="Ward")
    window.session.edit(study_edits.replace_column(study, column), "rename")


def language_acts(window: MainWindow, _folder: Path) -> Iterator[Act]:
    """The first time that a person asks for another language; the window is another one then."""
    yield "speak German", lambda: window.language_wanted.emit("de")


PARTS: dict[str, Callable[[MainWindow, Path], Iterator[Act]]] = {
    "wide": wide_acts,
    "grouped": grouped_acts,
    "crossed": cross_acts,
    "language": language_acts,
}
"""What is measured; the language comes last, as it makes the window anew."""


def main(arguments: list[str]) -> int:
    """Print the table; 1 where the window stands still for too long."""
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = Home.at(folder / "home")
        for account in ("b", "c"):
            Ledger.open(home).new_account(account, Epsilon.of(2), "for measuring")
        app = application()
        begun = time.thread_time()
        window = make_window(app, home)
        print(f"{'the window':34}{1000 * (time.thread_time() - begun):10.0f} ms")
        collector = GarbageCollector(app)
        warm_up = WarmUp(window, window.session, window.pages)
        warm_up.done.connect(collector.freeze)
        waiting = QEventLoop()
        warm_up.done.connect(waiting.quit)
        window.show()
        waiting.exec()
        session = window.session
        heart = Heart(lambda: any(one.current for one in (session.looks, session.jobs)))
        print(f"{'':34}{'standstill':>13}{'of processor':>15}{'at rest after':>16}")
        for act, do in acts(window, folder, arguments):
            still = heart.watch(do)
            failed |= still.thread > MOST_STILL_S
            print(
                f"{act:34}{1000 * still.seconds:10.0f} ms{1000 * still.thread:12.0f} ms"
                f"{still.whole:14.2f} s",
                flush=True,
            )
        app.closeAllWindows()
        QCoreApplication.processEvents()
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
