# SPDX-License-Identifier: Apache-2.0
"""Foot, banner, buttons, empty places, and words that wrap."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets import footer as footer_module
from dpdesk.desk.widgets.buttons import danger, icon_button, primary
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.footer import PageFooter
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.page import Page
from dpdesk.desk.widgets.work_bar import WorkBar
from tests.desk.screens import settle, spoken, texts, titled


@pytest.fixture
def foot(qtbot: QtBot) -> PageFooter:
    made = PageFooter()
    qtbot.addWidget(made)
    made.set_primary(primary("Review release"))
    made.resize(900, made.height())
    made.show()
    return made


def test_why_a_button_cannot_be_pressed_is_spoken_with_it(foot: PageFooter) -> None:
    foot.say("Over budget by 0.20.", attention=True)
    assert foot.sentence == "Over budget by 0.20."
    assert foot.primary is not None
    assert foot.primary.accessibleDescription() == "Over budget by 0.20."


def test_progress_takes_the_foots_place(foot: PageFooter, qtbot: QtBot) -> None:
    foot.start_progress("Reading the file")
    assert foot.primary is not None and not foot.primary.isVisible()
    bar = foot.findChild(QProgressBar)
    assert bar is not None and bar.maximum() == 0
    foot.show_progress(25, 100)
    assert (bar.value(), bar.maximum()) == (250, 1_000)
    assert spoken(bar) == "Reading the file"
    with qtbot.waitSignal(foot.cancelled):
        qtbot.mouseClick(foot.cancel, Qt.MouseButton.LeftButton)
    foot.stop_progress()
    assert foot.primary.isVisible()


def test_time_left_is_shown_after_three_seconds(
    foot: PageFooter, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(footer_module.time, "monotonic", lambda: clock[0])
    foot.start_progress("Reading")
    clock[0] += 2
    foot.show_progress(50, 100)
    assert not any("remaining" in t for t in texts(foot))
    clock[0] += 2
    foot.show_progress(80, 100)
    assert "1 second remaining" in texts(foot)
    foot.show_progress(25, 100)
    assert "12 seconds remaining" in texts(foot)
    foot.show_progress(5, 0)
    foot.show_progress(9_999, 10_000)
    assert "1 second remaining" in texts(foot), "never none while it goes on"


def test_what_follows_when_all_is_read_has_no_known_end(foot: PageFooter) -> None:
    foot.start_progress("Reading the file and drawing noise")
    foot.show_progress(100, 100)
    bar = foot.findChild(WorkBar)
    assert bar is not None and bar.runs
    assert not any("remaining" in t for t in texts(foot))
    foot.show_progress(50, 100)
    assert not bar.runs


def test_a_long_sentence_makes_the_foot_higher_and_is_read_whole(qtbot: QtBot) -> None:
    page = titled("Release", "")
    qtbot.addWidget(page)
    page.footer.set_primary(primary("Export signed bundle…"))
    said = "The margins show the noise alone; counts can be below nothing. " * 4
    page.footer.say(said)
    page.resize(420, 600)
    page.show()
    settle(6)
    label = next(w for w in page.footer.findChildren(Label) if w.text() == said)
    assert label.height() >= label.heightForWidth(label.width())
    assert page.footer.height() >= label.height() > Space.FOOTER
    page.footer.say("Ready.")
    settle(6)
    assert page.footer.height() == Space.FOOTER


def test_a_banner_shows_marks_as_they_are(qtbot: QtBot) -> None:
    made = Banner(Tone.INFO, "<Look> & see", "a < b", action="Undo")
    qtbot.addWidget(made)
    assert "<b>&lt;Look> &amp; see</b> a &lt; b" in texts(made, with_hidden=True)
    assert made.accessibleName() == "<Look> & see a < b"
    with qtbot.waitSignal(made.action_pressed):
        qtbot.mouseClick(made.action, Qt.MouseButton.LeftButton)
    before = made.grab().toImage()
    made.say("<Look> & see", "a < b", Tone.ERROR)
    assert made.grab().toImage() != before


def test_a_button_with_an_icon_alone_has_a_name(qtbot: QtBot) -> None:
    made = icon_button("more", "Save or copy")
    qtbot.addWidget(made)
    assert spoken(made) == "Save or copy"


def test_buttons_show_ampersands_of_their_text(qtbot: QtBot) -> None:
    made = danger("R && D: &release")
    qtbot.addWidget(made)
    assert made._shown() == "R & D: release"
    assert made.sizeHint().width() > primary("R").sizeHint().width()


def test_an_empty_place_offers_one_thing(qtbot: QtBot) -> None:
    text = "A query is one sentence: a count, a sum or a mean, for each group of the table."
    made = EmptyState("chart", "No queries yet", text, "Add query")
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.action_pressed):
        qtbot.mouseClick(made.button, Qt.MouseButton.LeftButton)


class Word(QWidget):
    def __init__(self, width: int, height: int = 20) -> None:
        super().__init__()
        self._size = QSize(width, height)

    def sizeHint(self) -> QSize:
        return self._size


@pytest.fixture
def words(qtbot: QtBot) -> tuple[QWidget, FlowLayout, list[Word]]:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(holder, across=10, down=5)
    made = [Word(50), Word(50, 30), Word(50), Word(50)]
    for word in made:
        flow.addWidget(word)
    holder.show()
    return holder, flow, made


def test_words_wrap_and_share_a_middle_line(
    words: tuple[QWidget, FlowLayout, list[Word]],
) -> None:
    _, flow, made = words
    assert flow.heightForWidth(230) == 30
    assert flow.heightForWidth(229) == 30 + 5 + 20
    assert flow.heightForWidth(110) == 30 + 5 + 20
    assert flow.heightForWidth(50) == 20 + 5 + 30 + 5 + 20 + 5 + 20
    flow.setGeometry(QRect(0, 0, 110, 60))
    assert [w.geometry().topLeft().toTuple() for w in made] == [(0, 5), (60, 0), (0, 35), (60, 35)]


def test_a_word_stays_with_the_next_where_both_fit_into_a_row(
    words: tuple[QWidget, FlowLayout, list[Word]],
) -> None:
    _, flow, made = words
    flow.keep_with_next(made[1])
    assert flow.heightForWidth(230) == 30
    assert flow.heightForWidth(110) == 20 + 5 + 30 + 5 + 20
    flow.setGeometry(QRect(0, 0, 110, 80))
    assert [w.geometry().left() for w in made] == [0, 0, 60, 0]
    assert flow.heightForWidth(100) == 20 + 5 + 30 + 5 + 20 + 5 + 20, "as if nothing held them"


def test_hidden_words_take_no_room(words: tuple[QWidget, FlowLayout, list[Word]]) -> None:
    _, flow, made = words
    made[1].hide()
    assert flow.heightForWidth(170) == 20
    assert flow.sizeHint() == QSize(170, 20)
    for word in made:
        word.hide()
    assert flow.heightForWidth(10) == 0


def test_words_can_be_taken_out(words: tuple[QWidget, FlowLayout, list[Word]]) -> None:
    _, flow, _made = words
    while flow.takeAt(0) is not None:
        pass
    assert flow.count() == 0
    assert flow.takeAt(5) is None
    assert flow.itemAt(-1) is None


@pytest.fixture
def page(qtbot: QtBot) -> Page:
    made = titled("Queries", "Choose what to publish, and set how accurate it must be.")
    qtbot.addWidget(made)
    made.footer.set_primary(primary("Review release"))
    for name in ("Fit shares…", "Add query"):
        made.add_action(primary(name))
    made.show()
    return made


def test_a_bar_without_anything_to_scroll_is_not_painted(qtbot: QtBot) -> None:
    page = titled("Queries", "Choose what to publish.")
    qtbot.addWidget(page)
    page.show()
    page.resize(900, 500)
    settle()
    bar = page.scroll_area.verticalScrollBar()
    ground = QColor(bar.grab().toImage().pixel(bar.width() // 2, 4))
    picture = bar.grab().toImage()
    middle = {picture.pixel(bar.width() // 2, y) for y in range(bar.height())}
    assert bar.maximum() == 0 and middle == {ground.rgb()}


def test_a_page_arrives_at_its_title_where_the_first_thing_to_do_shows_with_it(
    qtbot: QtBot,
) -> None:
    for above, is_at_title in ((180, True), (500, False)):
        page = titled("Release", "Review what is published.")
        filler = QWidget()
        filler.setFixedHeight(above)
        button = primary("Go to Queries")
        below = QWidget()
        below.setFixedHeight(400)
        for part in (filler, button, below):
            page.body.addWidget(part)
        qtbot.addWidget(page)
        page.resize(760, 400)
        page.show()
        settle()
        bar = page.scroll_area.verticalScrollBar()
        assert bar.maximum() > 0
        bar.setValue(60)
        page.focus_first()
        settle()
        assert (bar.value() == 0) == is_at_title, above


def test_a_foot_that_says_nothing_is_no_text_and_moves_nothing(foot: PageFooter) -> None:
    assert foot.primary is not None
    foot.say("Over budget by 0.20.")
    settle()
    place = foot.primary.geometry()
    foot.say("")
    settle()
    silent = [one for one in foot.findChildren(QLabel) if one.isVisible() and not one.text()]
    assert silent == [] and foot.primary.geometry() == place
    foot.say("Nothing is spent before you release.")
    settle()
    assert "Nothing is spent before you release." in texts(foot)
