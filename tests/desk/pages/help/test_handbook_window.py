# SPDX-License-Identifier: Apache-2.0
"""The handbook's window searches, shows its place, prints, and loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QTextCursor,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.app import make_window
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.help.handbook import HelpPage, read_handbook
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.help.page_view import COLUMN
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.release.places.home import Home
from tests.desk.screens import settle, wait_until
from tests.turns import in_turn


@pytest.fixture
def handbook(qtbot: QtBot) -> Iterator[HandbookWindow]:
    made = HandbookWindow(read_handbook("en"))
    qtbot.addWidget(made)
    made.show_page("bounds")
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_search_counts_marks_and_leaves_pages_in_place(handbook: HandbookWindow) -> None:
    handbook.search.setText("BOUND")
    assert handbook.contents.hits_of("bounds") > 3
    assert handbook.contents.hits_of("tutorial-release") == 0
    marks = handbook.view.extraSelections()
    assert {mark.cursor.selectedText().lower() for mark in marks} == {"bound", "bounds"}
    assert "page" in handbook._found.text()
    handbook.search.setText("zzz")
    assert not handbook.view.extraSelections()
    handbook.search.setText("delta zCDP")
    QTest.keyClick(handbook.search, Qt.Key.Key_Return)
    assert handbook.contents.hits_of(handbook.page) > 0


def best_of(handbook: HandbookWindow) -> list[str]:
    """Titles of the best pages, as they stand above the others; none where they are hidden."""
    first = handbook.contents.topLevelItem(0)
    assert first is not None
    return [] if first.isHidden() else [first.child(n).text(0) for n in range(first.childCount())]


def test_the_best_pages_stand_above_the_others_while_something_is_searched_for(
    handbook: HandbookWindow, qtbot: QtBot
) -> None:
    assert best_of(handbook) == []
    handbook.search.setText("patient twice")
    assert best_of(handbook)[0] == "Several rows per patient"
    QTest.keyClick(handbook.search, Qt.Key.Key_Return)
    assert handbook.page == "people"
    handbook.search.setText("forgot passphrase")
    first = handbook.contents.topLevelItem(0)
    assert first is not None
    place = handbook.contents.visualItemRect(first.child(0)).center()
    assert handbook.contents.viewport().rect().contains(place)
    qtbot.mouseClick(handbook.contents.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert handbook.page == "signing-key"
    assert handbook.contents.currentItem() is first.child(0), "the choice stays where it was made"
    handbook.search.setText("")
    assert best_of(handbook) == []
    assert handbook.contents.currentItem().text(0) == "The signing key"


def test_words_that_no_page_has_together_are_marked_where_they_are(
    handbook: HandbookWindow,
) -> None:
    handbook.search.setText("bounds of a blockchain")
    assert handbook.contents.hits_of("bounds") > 3
    marks = {mark.cursor.selectedText().lower() for mark in handbook.view.extraSelections()}
    assert marks == {"bound", "bounds"}


def test_back_and_forward(handbook: HandbookWindow) -> None:
    assert not handbook.back.isEnabled()
    handbook.after.click()
    assert handbook.page == "categories"
    handbook.show_page("words")
    QTest.keyClick(handbook, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(handbook, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert handbook.page == "bounds"
    QTest.keyClick(handbook, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(handbook, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert handbook.page == "categories"
    handbook.before.click()
    assert not handbook.forward.isEnabled()
    with pytest.raises(KeyError):
        handbook.show_page("nowhere")


def test_escape_ends_the_search_then_the_window(handbook: HandbookWindow, qtbot: QtBot) -> None:
    handbook.search.setText("noise")
    qtbot.keyClick(handbook.search, Qt.Key.Key_Escape)
    assert handbook.search.text() == "" and handbook.isVisible()
    qtbot.keyClick(handbook.view, Qt.Key.Key_Escape)
    assert not handbook.isVisible()


def test_links_are_followed_by_keys_read_out_and_come_back_to(
    handbook: HandbookWindow, announced: list[str]
) -> None:
    view = handbook.view
    handbook.show_page("people")
    handbook.activateWindow()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    while not view.link:
        QTest.keyClick(view, Qt.Key.Key_Tab)
        assert view.hasFocus(), "no link"
    link, place = view.link, view.place
    settle()
    assert announced[-1] == f"Link: {link}"
    (mark,) = view.extraSelections()
    assert mark.cursor.selectedText() == link
    assert mark.format.background().color() == color(Role.ACCENT)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert handbook.page != "people" and view.hasFocus()
    settle()
    assert announced[-1] == view.accessibleDescription(), "the page's title"
    QTest.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (handbook.page, view.link, view.place) == ("people", link, place)
    handbook.search.setFocus()
    assert not view.extraSelections()


def test_find_in_the_page(handbook: HandbookWindow) -> None:
    QTest.keyClick(handbook, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert handbook.find_bar.isVisible()
    handbook.find_bar.field.setText("codebook")
    QTest.keyClick(handbook.find_bar.field, Qt.Key.Key_Return)
    assert handbook.view.textCursor().selectedText() == "codebook"
    handbook.find_bar.field.setText("nothing of this kind")
    QTest.keyClick(handbook.find_bar.field, Qt.Key.Key_Return)
    assert handbook.find_bar.said.text()
    QTest.keyClick(handbook.find_bar.field, Qt.Key.Key_Escape)
    assert not handbook.find_bar.isVisible()


def test_only_pages_are_opened(
    handbook: HandbookWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    picture = tmp_path / "a.png"
    picture.write_bytes(b"no picture")
    text = f"# X\n\n[a](https://a.example/x) ![b]({picture.as_uri()}) [c](words.md)"
    handbook.view.show_page(HelpPage("x", "", "X", text, tmp_path))
    assert "https://a.example/x" in handbook.view.toPlainText()
    assert handbook.view.loadResource(2, picture.as_uri()) is None
    for address in ("https://a.example/x", picture.as_uri(), "nowhere.html"):
        handbook.view.anchorClicked.emit(QUrl(address))
    assert handbook.page == "bounds"
    handbook.view.anchorClicked.emit(QUrl("words.md"))
    assert handbook.page == "words"
    assert opened == []


def test_it_follows_the_theme(handbook: HandbookWindow, themed: Theme) -> None:
    def ground() -> str:
        settle()
        picture = handbook.view.viewport().grab().toImage()
        return picture.pixelColor(picture.width() - 1, 1).name()

    assert ground() == color(Role.SURFACE).name()
    light = ground()
    themed.apply("dark")
    assert ground() == color(Role.SURFACE).name() != light


def test_it_speaks_the_windows_language(qapp: QApplication, home: Home) -> None:
    window = make_window(qapp, home)
    window.show()
    window.handbook.open_page("bounds")
    replaced: list[MainWindow] = []
    window.replaced.connect(replaced.append)
    window.language_wanted.emit("de")
    wait_until(lambda: bool(replaced))
    (after,) = replaced
    try:
        assert after.handbook.page == "bounds"
        read = after.handbook.open_page("bounds")
        assert read.view.toPlainText().startswith("Grenzen wählen")
        assert read.windowTitle() == "Handbuch \N{EN DASH} dpdesk"
    finally:
        after.close()
        after.deleteLater()
        speak(qapp, SYSTEM)
    assert after.handbook.page == ""


def test_its_printer_button_asks_for_a_printer_and_prints(
    handbook: HandbookWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.mouseClick(handbook.print_button, Qt.MouseButton.LeftButton)
    asked = handbook.findChild(QPrintDialog)
    assert isinstance(asked, QPrintDialog)
    assert asked.isVisible()
    asked.printer().setOutputFileName(str(tmp_path / "page.pdf"))
    asked.done(QPrintDialog.DialogCode.Accepted)
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", ["", "no-such-folder/page.pdf"])
def test_a_file_that_cannot_be_printed_to_is_reported(
    name: str, handbook: HandbookWindow, tmp_path: Path
) -> None:
    printer = QPrinter()
    printer.setOutputFileName(str(tmp_path / name))
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    handbook.put_on_paper(printer)
    message = QApplication.activeModalWidget()
    assert isinstance(message, Dialog)
    assert message.windowTitle() == "The page was not printed"
    message.close()


def test_nothing_is_printed_where_nobody_wants_to(handbook: HandbookWindow, qtbot: QtBot) -> None:
    printed: list[QPrinter] = []
    handbook.put_on_paper = printed.append  # type: ignore[method-assign]
    qtbot.mouseClick(handbook.print_button, Qt.MouseButton.LeftButton)
    asked = handbook.findChild(QPrintDialog)
    assert isinstance(asked, QPrintDialog)
    asked.reject()
    assert printed == []


def test_it_prints_the_page(handbook: HandbookWindow, tmp_path: Path) -> None:
    printer = QPrinter()
    printer.setOutputFileName(str(tmp_path / "page.pdf"))
    handbook.put_on_paper(printer)
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_everything_has_a_name_and_takes_the_keyboard(handbook: HandbookWindow) -> None:
    for widget in (
        handbook.search,
        handbook.contents,
        handbook.view,
        handbook.back,
        handbook.print_button,
    ):
        assert widget.accessibleName() or widget.text()  # type: ignore[attr-defined]
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert handbook.childAt(QPoint(1, 1)) is not None
    assert isinstance(handbook.view.textCursor(), QTextCursor)
    assert not issubclass(HandbookWindow, Dialog)


@pytest.mark.parametrize("is_dark", [False, True])
def test_pictures_follow_the_colours_and_fit_the_page(
    handbook: HandbookWindow, is_dark: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdesk.desk.pages.help.page_view.is_dark", lambda: is_dark)
    for name in ("query", "column", "budget", "verify", "results"):
        picture = handbook.view.loadResource(2, QUrl(f"pictures/{name}.png"))
        assert isinstance(picture, QImage) and not picture.isNull()
        assert picture.width() / picture.devicePixelRatio() <= COLUMN
        whole = picture.scaled(1, 1, mode=Qt.TransformationMode.SmoothTransformation)
        brightness = whole.pixelColor(0, 0).lightness()  # of one pixel alone it may be a letter's
        assert (brightness < 100) is is_dark, name
    handbook.show_page("verify")
    settle()
    assert handbook.view.document().size().width() <= handbook.view.viewport().width()


@pytest.mark.in_turn(2)
def test_titles_in_the_foot_share_its_room(qtbot: QtBot) -> None:
    """Cut short where both have no room, whole again where they have; read out whole always."""
    book = read_handbook("de")
    window = HandbookWindow(book)
    qtbot.addWidget(window)
    window.show_page("bounds")
    window.show()
    buttons = window.before, window.after
    widths = ((900, False), (1200, False), (window.minimumWidth(), True), (1200, False))
    for width, cuts in widths:
        window.resize(width, 600)
        settle()
        shown = []
        for page in in_turn(book.pages, 3):
            window.show_page(page.key)
            settle()
            for button in (b for b in buttons if b.isVisible()):
                assert button.width() >= button.sizeHint().width(), page.key
                text = button.text().replace("&&", "&")
                assert button.accessibleName().startswith(text.removesuffix("…"))
                assert bool(button.toolTip()) == text.endswith("…")
                shown.append(text)
        assert any(text.endswith("…") for text in shown) == cuts
