# SPDX-License-Identifier: Apache-2.0
"""Another look, text size or language in the middle of a release: nothing of it is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.app import make_window
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.theme.roles import is_dark
from dpdesk.desk.theme.theme import Theme
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.second_person.plan_signature import sign_plan
from dpdesk.release.second_person.requirement import require, second_person
from dpdesk.release.signing.keys import SigningKey, new_key, unlock
from dpdesk.release.signing.signers import add_signer
from tests.audit.length import FULL
from tests.desk.releasing import ask_release, wait_for_check
from tests.desk.screens import settle, texts, wait_until
from tests.release.second_person import Person, make_person

PASSPHRASE = "correct horse battery staple"


def window_now() -> MainWindow:
    """The window on show; those that wait to be deleted are hidden."""
    (shown,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and _is(w)]
    return shown


def _is(window: MainWindow) -> bool:
    return window.isVisible() and window.session.home == Home.locate()


def in_dark(window: MainWindow) -> MainWindow:
    window.menus._set_scheme("dark")
    wait_until(is_dark)
    settle()
    return window


def in_german(window: MainWindow) -> MainWindow:
    return _renewed(window, lambda: window.language_wanted.emit("de"))


def in_larger_text(window: MainWindow) -> MainWindow:
    return _renewed(window, lambda: window.text_size_wanted.emit(125))


def _renewed(window: MainWindow, change: Callable[[], None]) -> MainWindow:
    change()
    wait_until(lambda: not shiboken6.isValid(window))
    settle()
    return window_now()


SETTINGS = {"look": in_dark, "language": in_german, "text size": in_larger_text}
SOME = SETTINGS if FULL else [name for name in SETTINGS if name != "text size"]
"""Another language and another size are one way: the window is made again."""


@pytest.fixture(params=SOME)
def change(request: pytest.FixtureRequest) -> Callable[[MainWindow], MainWindow]:
    return SETTINGS[request.param]


@pytest.fixture
def window(qapp: QApplication, home: Home, study_file: Path) -> Iterator[MainWindow]:
    made = make_window(qapp, home)
    made.show()
    made.activateWindow()
    made.opening.open_any(study_file)
    new_key(home.keys, "office@hospital.example", PASSPHRASE)
    yield made
    speak(qapp, SYSTEM)
    Theme(qapp).set_text_size(100)
    for one in QApplication.topLevelWidgets():
        if isinstance(one, MainWindow) and one.session.home == home:
            one.close()
            one.deleteLater()


@pytest.fixture
def key(window: MainWindow) -> SigningKey:
    return unlock(window.session.home.keys, PASSPHRASE)


def page_of(window: MainWindow) -> ReleasePage:
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def shown_page(window: MainWindow) -> ReleasePage:
    window.go_to("release")
    settle()
    return page_of(window)


def released(window: MainWindow, same_extract: bool = False) -> ReleasePage:
    page = shown_page(window)
    page.start_release(same_extract=same_extract)
    wait_until(lambda: page.shown_release is not None)
    settle()
    return page


@dataclass(frozen=True)
class Seen:
    """What of a release a person sees and can do next, whatever language it is said in."""

    page: str
    done: ReleaseDone | None
    figures: int
    is_exported: bool
    bundle: Path | None
    buttons: tuple[bool, ...]


def seen(window: MainWindow) -> Seen:
    page = page_of(window)
    page.results.finish()
    settle()
    view = page.results
    known = view.export_memory()
    buttons = (page.release_button, page.export_button, page.again_button, view.exported.verify)
    return Seen(
        window.page,
        page.shown_release,
        sum(card.isVisible() for card in view.cards),
        view.exported.isVisible(),
        known.path if known is not None else None,
        tuple(button.isVisible() for button in buttons),
    )


def in_turn(window: MainWindow) -> Iterator[MainWindow]:
    """The window after each change, each upon the one before."""
    for name in SOME:
        window = SETTINGS[name](window)
        yield window


def test_what_the_check_found_and_was_agreed_to_is_there(
    window: MainWindow, tmp_path: Path
) -> None:
    data = window.session.state.study.data
    assert data is not None
    (tmp_path / data.path).write_text("id,sex,age,days\n1,x,5000,y\n" * 9, encoding="utf-8")
    page = shown_page(window)
    page.review.check.start()
    wait_for_check(page)
    before = page.review.check.memory()
    assert before.found
    page.review.check._agree()
    count = len(texts(page.review.check))
    for changed in in_turn(window):
        after = page_of(changed).review.check
        assert after.isVisible() and after.memory() == replace(before, agreed=True)
        assert len(texts(after)) == count and after.is_done and not after.stands_in_the_way


@pytest.mark.in_turn(2)
def test_why_nothing_was_released_stays_and_the_signed_plan_is_kept(
    window: MainWindow, change: Callable[[MainWindow], MainWindow], home: Home, tmp_path: Path
) -> None:
    second = make_person(tmp_path / "second")
    demand_plan(window, home, second)
    page = shown_page(window)
    page.start_release()  # without the plan that has to be signed
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    assert page._trouble.isVisible()
    page = page_of(window := change(window))
    assert page._trouble.isVisible() and page._trouble.accessibleName()
    ask_release(page)
    plan = tmp_path / "plan.json"
    page.second_person.write_to(plan)
    (tmp_path / "plan.json.sig").write_bytes(sign_plan(plan.read_bytes(), second.key))
    page.second_person.take(plan)
    settle()
    page.confirm.reject()
    page = page_of(change(window)) if change is in_dark else page_of(in_english(window))
    page.ask_release()
    settle()
    assert page.confirm.isVisible(), "the plan is signed, and is not asked for again"


def in_english(window: MainWindow) -> MainWindow:
    return _renewed(window, lambda: window.language_wanted.emit("en"))


def demand_plan(window: MainWindow, home: Home, second: Person) -> None:
    account = window.session.state.account
    assert account is not None
    line = second.line.read_text()
    require(Ledger.open(home), account.name, second_person("release", line), "two of us")
    add_signer(home.signers, line)
    window.session.reread_accounts()


@pytest.mark.in_turn(2)
def test_what_is_confirmed_is_released(
    window: MainWindow, change: Callable[[MainWindow], MainWindow], qtbot: QtBot
) -> None:
    """While noise is drawn, language and size stay; the figures come in the look of now."""
    page = shown_page(window)
    page.start_release()
    if change is in_dark:
        window.menus._set_scheme("dark")
    elif change is in_german:
        window.language_wanted.emit("de")
    else:
        window.text_size_wanted.emit(125)
    wait_until(lambda: page.shown_release is not None)
    settle()
    assert window_now() is window and seen(window).figures
    assert seen(change(window)).figures == len(page_of(window_now()).results.cards)


@pytest.mark.parametrize("change", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.in_turn(4)
def test_a_release_that_is_not_exported_yet_is_exported_afterwards(
    window: MainWindow,
    change: Callable[[MainWindow], MainWindow],
    key: SigningKey,
    tmp_path: Path,
) -> None:
    released(window)
    before = seen(window)
    assert before.done is not None and before.buttons == (False, True, False, False)
    window = change(window)
    assert seen(window) == before
    page_of(window).results._write(tmp_path / "after.zip", key)
    assert (tmp_path / "after.zip").exists() and seen(window).is_exported


@pytest.mark.in_turn(2)
def test_what_was_exported_stays_so_and_its_dossier_is_offered(
    window: MainWindow,
    change: Callable[[MainWindow], MainWindow],
    key: SigningKey,
    tmp_path: Path,
) -> None:
    released(window).results._write(tmp_path / "bundle.zip", key)
    before = seen(window)
    assert before.is_exported and before.bundle == tmp_path / "bundle.zip"
    window = change(window)
    assert seen(window) == before
    page = page_of(window)
    assert page.results.exported.banner.isVisible() and page.results.exported.mail.toPlainText()
    page.results.ask_dossier()
    settle()
    assert page.results.dossier.isVisible(), "it does not ask for the bundle again"
    page.results.dossier.reject()
    page.results.exported.closed.emit()
    back = seen(window)
    assert back.figures and not back.is_exported
    assert seen(change(window)) == back, "the figures of an exported release, too"


def test_a_release_that_was_edited_since_stays_on_show_and_is_not_the_study_s(
    window: MainWindow,
) -> None:
    """As after *Use as the column's bounds*: the figures could not be exported any more."""
    page = released(window)
    window.session.edit(replace(window.session.state.study, title="Edited since"), "Title")
    before = seen(window)
    assert before.figures and not page.is_of_the_study
    for changed in in_turn(window):
        assert seen(changed) == before and not page_of(changed).is_of_the_study
    window = window_now()
    window.go_to("queries")
    assert shown_page(window).shown_release is None, "whoever comes back sees the plan"


@pytest.mark.in_turn(2)
def test_an_earlier_release_that_history_shows_stays_chosen_and_exported(
    window: MainWindow, key: SigningKey, tmp_path: Path
) -> None:
    released(window)
    window.session.draw_again(True)
    page_of(window)._plan_again()
    released(window, same_extract=True)
    window.go_to("history")
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    wait_until(lambda: not page._coming.are_left)
    page.table.selectRow(1)  # the first release; the newest is chosen by itself
    settle()
    page.results._write(tmp_path / "again.zip", key)
    chosen = page._chosen()
    for changed in in_turn(window):
        page = changed.pages["history"]
        assert isinstance(page, HistoryPage)
        wait_until(lambda shown=page: not shown._coming.are_left)
        settle()
        assert page._chosen() == chosen and page.results.exported.isVisible()
        assert page.results.export_memory() is not None
