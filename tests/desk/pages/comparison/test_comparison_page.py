# SPDX-License-Identifier: Apache-2.0
"""Compare: from a release's figures, with an earlier one of the ledger or anyone's bundle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.comparison import page as comparison
from dpdesk.desk.pages.comparison.chart_marks import Axis, Scale
from dpdesk.desk.pages.comparison.chart_table import MARKS
from dpdesk.desk.pages.comparison.compared_card import MOST_DRAWN, names_of
from dpdesk.desk.pages.comparison.compared_chart import ComparedChart
from dpdesk.desk.pages.comparison.compared_rows import compared_row, heads
from dpdesk.desk.pages.comparison.page import ComparisonPage
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.text import words
from dpdesk.desk.text.times import when
from dpdesk.desk.theme.roles import Role, color
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.differences import Difference
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.comparison.compare_records import ComparedLine
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import DataSource
from tests.acceptance.publish import linear
from tests.desk.coming_cards import check_squeezes_none
from tests.desk.conftest import OpenWindow
from tests.desk.languages import spoken_language
from tests.desk.screens import settle, wait_until
from tests.release.bundles import KEY
from tests.release.studies import STUDY, release, write_data

NEXT = replace(STUDY, title="Next year", data=DataSource("stays.csv", extract="next"))


@pytest.fixture
def two(tmp_path: Path, home: Home) -> tuple[ReleaseDone, ReleaseDone]:
    """The same questions about two extracts."""
    write_data(tmp_path)
    ledger = Ledger.open(home)
    ledger.new_account("registry", Epsilon.of(10), "for tests")

    def done(study: Study) -> ReleaseDone:
        return release(study, tmp_path, ledger, OpenDPDoor())

    return done(STUDY), done(NEXT)


def compared(window: MainWindow, qtbot: QtBot) -> ComparisonPage:
    page = window.pages["comparison"]
    assert isinstance(page, ComparisonPage)
    qtbot.waitUntil(lambda: page.comparison is not None)
    page.finish()
    return page


def compared_in(
    window: MainWindow, size: QSize, later: ReleaseDone, qtbot: QtBot
) -> ComparisonPage:
    """The page in a window of a size, with a release beside the one before."""
    window.resize(size)
    window.compare_release(later.sequence)
    page = compared(window, qtbot)
    settle()
    return page


def texts(page: ComparisonPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page)]


def test_where_there_is_no_earlier_release_it_says_what_can_be_compared(
    open_window: OpenWindow, two: tuple[ReleaseDone, ReleaseDone]
) -> None:
    window = open_window()
    page = window.pages["comparison"]
    assert isinstance(page, ComparisonPage)
    first = min(one.sequence for one in page._releases())
    window.go_to("comparison")
    page.begin(first)
    assert page.nothing.isVisibleTo(page) and page.comparison is None
    assert not page.save_button.isVisibleTo(page)
    assert page.first_to_do() is page.nothing.button
    page.nothing.button.setFocus()
    page.begin(first + 1)
    assert not page.nothing.isVisibleTo(page)
    assert window.focusWidget() is page.earlier.combo


def test_history_leads_there_and_proposes_the_release_before(
    open_window: OpenWindow,
    qtbot: QtBot,
    two: tuple[ReleaseDone, ReleaseDone],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window()
    window.go_to("history")
    history = window.pages["history"]
    assert isinstance(history, HistoryPage)
    history.table.selectRow(0)
    history.results.compare_button.click()
    page = compared(window, qtbot)
    assert window.page == "comparison"
    assert (page.earlier.sequence, page.later.sequence) == (two[0].sequence, two[1].sequence)
    assert len([card for card in page.cards if not card.isHidden()]) == 3
    begin, at_once = page._coming.begin, list[int]()

    def begun(steps: Iterator[object]) -> None:
        at_once.append(sum(not card.isHidden() for card in page.cards))
        begin(steps)

    monkeypatch.setattr(page._coming, "begin", begun)
    monkeypatch.setattr(comparison, "MANY_LINES", 0)
    page.compare()
    qtbot.waitUntil(lambda: bool(at_once))
    assert at_once == [1], "cards of many lines are filled one by one from the first"
    page.footer.back.click()
    assert window.page == "history"


def test_each_line_has_both_figures_the_difference_and_what_it_says(
    open_window: OpenWindow, qtbot: QtBot, two: tuple[ReleaseDone, ReleaseDone], home: Home
) -> None:
    revoke(Ledger(home), Wish("corrected", two[0].sequence, "the wrong file"), KEY.info)
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    assert page.standing.taken_back.isVisible()
    assert (
        "earlier release was corrected: the wrong file."
        in page.standing.taken_back.accessibleName()
    )
    rows, found = page.cards[1].rows, page.comparison
    assert found is not None
    assert rows.rowCount() == len(found.queries[1].lines) == 2
    offered = page.later.combo.itemText(0)
    stamp, title = when(two[1].stored.record.time, brief=True), two[1].stored.record.study.title
    assert offered == f"{title}, release 2", "as Results and History call it"
    assert page.later.hint == stamp, "no long title cuts the day off"
    line = [rows.index(0, column).data() for column in range(5)]
    assert line[0] == "f"
    assert all("±" in cell for cell in line[1:4])
    assert line[4] in ("cannot tell", "more than noise")
    said = " ".join(texts(page))
    assert "no evidence that nothing has changed" in said
    assert "may contain the same people" in said


def test_a_bundle_of_nobody_known_is_refused_there(
    open_window: OpenWindow, qtbot: QtBot, two: tuple[ReleaseDone, ReleaseDone], tmp_path: Path
) -> None:
    path = tmp_path / "theirs.zip"
    write_bundle(path, build(two[0].stored, two[0].chain, KEY))
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    page.earlier.take_bundle(path)
    qtbot.waitUntil(page.banner.isVisible)
    assert page.comparison is None
    assert any("theirs.zip does not verify" in text for text in texts(page))


def test_a_bundle_of_a_copied_ledger_is_said_to_be_and_a_notice_is_taken(
    open_window: OpenWindow,
    qtbot: QtBot,
    two: tuple[ReleaseDone, ReleaseDone],
    tmp_path: Path,
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bundle from a second ledger under the same key, which asks for other things, too."""
    elsewhere = Ledger.open(Home.at(tmp_path / "copy"))
    elsewhere.new_account("registry", Epsilon.of(10), "for tests")
    days = STUDY.queries[1].having(statistic="sum", column="days")
    study = replace(NEXT, queries=(STUDY.queries[0], days))
    theirs = release(study, tmp_path, elsewhere, OpenDPDoor())
    path = tmp_path / "theirs.zip"
    path.write_bytes(build(theirs.stored, theirs.chain, KEY))
    monkeypatch.setattr(keys, "show", lambda _folder: KEY.info)
    window = open_window()
    window.compare_release(two[1].sequence)
    page, standing = compared(window, qtbot), window.pages["comparison"].standing
    assert not standing.isVisible(), "this ledger knows what it took back itself"
    page.later.take_bundle(path)
    compared(window, qtbot)
    assert "Budget may have been spent twice" in standing.forked.accessibleName()
    assert standing.forked.isVisible() and not standing.taken_back.isVisible()
    assert page.later.hint == f"{when(theirs.stored.record.time, brief=True)}. Signature valid."
    link, beside = standing.notice_button, standing.forked
    assert link.geometry().right() - link.ring_room == beside.geometry().right()
    said = texts(page)
    assert any(text.startswith("Only in the earlier release: ") for text in said)
    assert any(text.startswith("Only in the later release: ") for text in said)
    entry = revoke(elsewhere, Wish("withdrawn", theirs.sequence, "the wrong file"), KEY.info)
    notice = tmp_path / "theirs.notice"
    notice.write_bytes(notice_of(elsewhere, entry.sequence, KEY))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_more: (str(notice), ""))
    assert standing.notice_button.isVisible()
    standing.notice_button.click()
    heard = standing.taken_back.accessibleName()
    assert heard == "The later release was withdrawn: the wrong file."
    notice.write_bytes(notice.read_bytes().replace(b"wrong", b"right"))
    standing.open_notice(notice)
    heard = standing.taken_back.accessibleName()
    assert heard.startswith("The later release was withdrawn: the wrong file.")
    assert "changed after it was signed" in heard
    page.begin(two[1].sequence)
    assert not standing.isVisible()


def test_a_release_beside_itself_says_so(
    open_window: OpenWindow, qtbot: QtBot, two: tuple[ReleaseDone, ReleaseDone]
) -> None:
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    page.earlier.offer(page._releases(), two[1].sequence)
    page.compare()
    qtbot.waitUntil(page.banner.isVisible)
    assert any("Both are the same release" in text for text in texts(page))


def test_the_first_release_waits_for_a_choice(
    open_window: OpenWindow, two: tuple[ReleaseDone, ReleaseDone]
) -> None:
    window = open_window()
    window.compare_release(two[0].sequence)
    page = window.pages["comparison"]
    assert isinstance(page, ComparisonPage)
    assert page.earlier.sequence is None
    assert page.comparison is None
    middle = Qt.TextElideMode.ElideMiddle
    assert page.earlier.combo.cut is page.later.combo.cut is middle, "titles end in their year"


def test_every_margin_is_on_the_chart_and_read_out(
    open_window: OpenWindow, qtbot: QtBot, two: tuple[ReleaseDone, ReleaseDone]
) -> None:
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    card = page.cards[1]
    chart, rows = card.chart, card.chart.view.rows
    assert card.chart.isVisibleTo(page) and not card.table.isVisibleTo(page)
    assert card.view.width() == card.view.sizeHint().width(), "as on the other cards"
    scale = chart.axis.scale
    ends = [end for row in rows for end in row.difference.ends or ()]
    assert len(ends) == 2 * len(rows)
    assert scale.low < min(ends) and max(ends) < scale.high
    model = chart.view.model()
    said = [model.index(0, column).data() for column in range(model.columnCount())]
    assert said[MARKS].startswith("between ") and [*said[:MARKS], said[-1]] == list(rows[0].cells)
    assert "noise" in chart.view.accessibleDescription()
    chart.view.setFocus()
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(chart.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("Group\tEarlier")
    card.view.segment("table").click()
    assert card.table.isVisibleTo(page) and not card.chart.isVisibleTo(page)


def test_a_difference_has_its_sign_and_the_axis_its_unit_at_0() -> None:
    half = Figure(Fraction(1, 2), Fraction(3, 100))
    more = Figure(Fraction(11, 20), Fraction(3, 100))
    row = compared_row("", Difference(half, more, Fraction(1, 20), Fraction(21, 500)), 1)
    assert row.is_more and row.name == "All"
    assert row.difference.between == ("0.008", "0.092")
    left = Difference(half, half, Fraction(-1, 100), Fraction(33, 1000))
    scale = Scale.over([compared_row("", left, 1)], 2)
    assert scale.ticks() == [-0.04, -0.02, 0.0, 0.02], "not 0 alone"
    axis = Axis("days")
    assert [axis.text(value) for value in (-1.0, 0.0, 1.0)] == ["−1", "0 days", "+1"]
    nothing = compared_row("all", Difference(None, half), 1)
    assert nothing.cells == ("all", "–", "0.500 ± 0.030", "–", "says nothing")


def test_an_interval_for_the_population_is_beside_the_difference() -> None:
    half = Figure(Fraction(1, 2), Fraction(3, 100))
    change = Difference(half, half, Fraction(0), Fraction(1, 25))
    row = compared_row("", change, 100, (Fraction(-71, 1000), Fraction(9, 100)))
    assert row.population == "between −7.1 and 9.0"
    shown = row.with_population(row.cells, "percentage points")
    assert dict(zip(heads(True), shown, strict=True))["For the population"] == (
        "between −7.1 and 9.0 percentage points"
    )
    nothing = compared_row("", Difference(None, half), 100)
    assert nothing.with_population(nothing.cells)[4:] == ("–", "says nothing")


def test_a_line_has_equally_many_decimals_all_over() -> None:
    wide, narrow = Figure(Fraction("4.376"), Fraction("0.0188")), Fraction("0.0091")
    fine = Figure(Fraction("4.3723"), narrow)
    row = compared_row("", Difference(wide, fine, Fraction("-0.0037"), Fraction("0.0321")), 1)
    assert row.cells[1:4] == ("4.376 ± 0.019", "4.372 ± 0.010", "−0.004 ± 0.033")
    coarse = Figure(Fraction(80), Fraction("89.9"))
    row = compared_row("", Difference(coarse, fine, Fraction(-76), Fraction(90)), 1)
    assert row.cells[2] == "4.372 ± 0.010", "no margin becomes 0, or all of it rounding"


def test_each_card_is_copied_and_saved_as_a_results_card_is(
    open_window: OpenWindow,
    qtbot: QtBot,
    two: tuple[ReleaseDone, ReleaseDone],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    shown_done: list[str],
) -> None:
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    single, card = page.cards[0], page.cards[1]
    clipboard = QGuiApplication.clipboard()
    card.tools.copy_button.click()
    lines = clipboard.text().splitlines()
    heads = ["Earlier", "± Earlier", "Later", "± Later", "Difference", "± Difference"]
    assert lines[0].split("\t") == ["Group", *heads, "What it says"]
    copied = [line.split("\t") for line in lines[1:]]
    assert [cells[0] for cells in copied] == ["f", "m"]
    assert all(float(cell.replace(",", "")) > -1e6 for cells in copied for cell in cells[1:7])
    card.tools.copy_as("markdown")
    assert clipboard.text().splitlines()[1] == "| :--- | ---: | ---: | ---: | :--- |"
    card.tools.copy_as("latex")
    assert clipboard.text().startswith(r"\begin{tabular}{lrrrl}")
    card.tools.copy_picture()
    assert not clipboard.image().isNull()
    path = tmp_path / "change.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(path), ""))
    card.tools.save_picture.click()
    assert path.read_bytes().startswith(b"<?xml")
    assert b"is within its margin" in path.read_bytes(), "the picture says what it shows"
    assert single.tools.save_picture.isVisibleTo(page)
    wait_until(lambda: shown_done[-1:] == ["Saved: change.svg"])
    card.rows.set_rows(())
    card._show_view()  # as of one and the same answer
    retained = [one.sizePolicy().retainSizeWhenHidden() for one in card.buttons]
    assert retained == [False, False], "the title has the room of buttons that never come"
    names = {shown.tools.copy_button.accessibleName() for shown in page.cards[:3]}
    assert len(names) == 3, "screen readers tell the cards apart"


@pytest.mark.painted
@pytest.mark.in_turn(2)
def test_the_whole_comparison_is_saved_as_one_picture_without_buttons(
    open_window: OpenWindow,
    qtbot: QtBot,
    two: tuple[ReleaseDone, ReleaseDone],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    window = open_window()
    window.go_to("comparison")
    page = window.pages["comparison"]
    assert isinstance(page, ComparisonPage) and not page.save_button.isEnabled()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    chosen = [tmp_path / "all.png"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(chosen[0]), ""))
    page.save_button.click()
    picture = QImage(str(chosen[0]))
    assert picture.height() == 2 * page.shown.height() > 2 * page.scroll_area.height()
    assert picture.pixelColor(1, 1) == color(Role.BG)
    tools = page.cards[1].tools
    assert tools.isVisibleTo(page), "the buttons are back"
    place = QRect(tools.mapTo(page.shown, QPoint()) * 2, tools.size() * 2)
    seen = picture.copy(place)
    plain = QImage(seen.size(), seen.format())
    plain.fill(color(Role.SURFACE))
    assert seen == plain
    combo = page.earlier.combo
    assert combo.hasFocus()
    above = combo.mapTo(page.shown, QPoint(combo.width() // 2, 0)) * 2
    column = {picture.pixelColor(above.x(), above.y() + y).name() for y in range(-24, 0)}
    assert color(Role.ACCENT).name() not in column, "paper has no keyboard"
    chosen[0] = tmp_path / "all.pdf"
    page.save_button.click()
    assert chosen[0].read_bytes().startswith(b"%PDF")


def test_a_question_of_very_many_lines_has_a_table_and_no_marks_are_made(
    open_window: OpenWindow, qtbot: QtBot, two: tuple[ReleaseDone, ReleaseDone]
) -> None:
    """Of 50 questions with 700 lines each, the first 40 lines were laid out as marks unseen."""
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    assert page.comparison is not None
    card, query = page.cards[0], page.comparison.queries[0]
    many = replace(query, lines=query.lines * (MOST_DRAWN + 1))
    card.show_query(page.comparison.study, many)
    assert card.rows.rowCount() == len(many.lines)
    assert not card.table.isHidden() and card.chart.isHidden() and card.chart.view.rows == ()
    card.show_query(page.comparison.study, query)
    assert card.table.isHidden() and len(card.chart.view.rows) == len(query.lines)


def test_a_difference_is_that_of_the_figures_before_they_are_rounded() -> None:
    """What it is said to lie within 95 times in 100 holds for the exact difference."""
    earlier, later = (Figure(Fraction(text), Fraction("0.019")) for text in ("4.3716", "4.3714"))
    found = Difference(earlier, later, Fraction("-0.0002"), Fraction("0.028"))
    row = compared_row("", found, 1)
    assert row.cells[1:4] == ("4.372 ± 0.019", "4.371 ± 0.019", "0.000 ± 0.028")
    assert row.difference.between == ("−0.028", "0.028") and not row.is_more


def test_shares_are_compared_in_percent_and_percentage_points() -> None:
    half, more = (Figure(Fraction(n, 20), Fraction(3, 100)) for n in (10, 11))
    found = Difference(half, more, Fraction(1, 20), Fraction(21, 500))
    cells = compared_row("f", found, 100).cells
    assert cells == ("f", "50.0 % ± 3.0", "55.0 % ± 3.0", "+5.0 ± 4.2", "more than noise")
    assert compared_row("f", found, 1).cells[1] == "0.500 ± 0.030"


def test_a_compared_figure_is_read_out_with_its_unit() -> None:
    half, more = (Figure(Fraction(n, 20), Fraction(3, 100)) for n in (10, 11))
    found = Difference(half, more, Fraction(1, 20), Fraction(21, 500))
    days = compared_row("f", found, 1).accessible_cells("days", "days")
    assert days[1:4] == ("0.500 ± 0.030 days", "0.550 ± 0.030 days", "+0.050 ± 0.042 days")
    share = compared_row("f", found, 100).accessible_cells("", "percentage points")
    assert share[1:4] == (
        "50.0 % ± 3.0 percentage points",
        "55.0 % ± 3.0 percentage points",
        "+5.0 ± 4.2 percentage points",
    )
    nothing = compared_row("f", Difference(None, half), 1).accessible_cells("days", "days")
    assert nothing[1] == nothing[3] == "says nothing"
    card = ComparedChart()
    card.show_rows([compared_row("f", found, 1)], "days", "days")
    model = card.view.model()
    role = Qt.ItemDataRole.AccessibleTextRole
    read = [model.index(0, column).data(role) for column in range(model.columnCount())]
    assert read == ["f", *days[1:4], "between 0.008 and 0.092 days", "more than noise"]


def test_what_came_of_a_choice_is_announced_and_titles_come_before_tools(
    open_window: OpenWindow,
    qtbot: QtBot,
    two: tuple[ReleaseDone, ReleaseDone],
    announced: list[str],
) -> None:
    window = open_window()
    window.compare_release(two[1].sequence)
    page = compared(window, qtbot)
    more = sum(query.more_than_noise for query in page.comparison.queries)  # type: ignore[union-attr]
    word = "figure differs" if more == 1 else "figures differ"
    qtbot.waitUntil(lambda: f"{more} {word} by more than noise." in announced)
    for card in page.cards:
        read = card._card.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert read.index(card._title) < read.index(card.tools) < read.index(card.view)


def test_what_differs_is_counted_before_the_window_has_it(
    open_window: OpenWindow,
    qtbot: QtBot,
    two: tuple[ReleaseDone, ReleaseDone],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window()
    page = window.pages["comparison"]
    assert isinstance(page, ComparisonPage)
    counted: list[bool] = []
    show = page._show

    def look(found: comparison.Compared) -> None:
        each = (found[0], *found[0].queries)
        counted.extend("more_than_noise" in vars(one) for one in each)
        show(found)

    monkeypatch.setattr(page, "_show", look)
    window.compare_release(two[1].sequence)
    compared(window, qtbot)
    assert len(counted) > 1 and all(counted)


def test_a_card_that_comes_squeezes_none_above_it(
    open_window: OpenWindow, qtbot: QtBot, two: tuple[ReleaseDone, ReleaseDone]
) -> None:
    window = open_window()
    page = compared_in(window, QSize(1280, 734), two[1], qtbot)
    assert page.comparison is not None
    for card in page.cards:
        card.hide()
    *above, last = page.cards
    assert len(above) > 1
    coming = page._fill_cards(page.comparison)
    while not above[-1].isVisible():
        next(coming)
    next(coming)  # it is filled, and shown in a step of its own
    check_squeezes_none(lambda: next(coming), above, last)


def test_periods_are_called_as_people_write_them() -> None:
    figure = Figure(Fraction(1), Fraction(1))
    same = Difference(figure, figure, Fraction(0), Fraction(1))
    lines = [ComparedLine((f"2026-Q{n}", "f"), same) for n in (1, 2)]
    assert names_of(lines, {}) == ["Q1 2026, f", "Q2 2026, f"]
    assert names_of(lines, {"f": "Female"}) == ["Q1 2026, Female", "Q2 2026, Female"]
    assert names_of([ComparedLine((), same)], {}) == [""]


def test_each_question_is_called_in_the_window_s_language(
    open_window: OpenWindow,
    qtbot: QtBot,
    qapp: QApplication,
    home: Home,
    two: tuple[ReleaseDone, ReleaseDone],
    tmp_path: Path,
) -> None:
    """One that is not compared, too: the release's own record has its title in English."""
    ledger = Ledger.open(home)
    asked = Query("middle").having(statistic="median", column="days", epsilon=Epsilon.of("0.1"))
    for extract in ("then", "now"):
        data = DataSource("stays.csv", extract=extract)
        study = replace(STUDY, data=data, queries=(asked, *STUDY.queries[:1]))
        done = release(study, tmp_path, ledger, OpenDPDoor())
    Settings(home).language = "de"
    with spoken_language(qapp, "de"):
        window = open_window()
        window.compare_release(done.sequence)
        page = compared(window, qtbot)
        said = " ".join(texts(page))
    assert "Nicht verglichen: Median: days" in said
    assert "Median of days" not in said


def test_what_counts_rows_has_no_unit_of_its_column() -> None:
    made = linear.made_up(Epsilon.of(1))
    study = replace(made, columns=tuple(replace(one, label="days") for one in made.columns))
    assert words.unit_of(study, study.queries[0]) == ""
    mean = Query("mean", "mean", ColumnParameters("y"))
    assert words.unit_of(study, mean) == "days"
