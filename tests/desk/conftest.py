# SPDX-License-Identifier: Apache-2.0
"""A themed application, and a real window on a small study."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.file_opener import STUDY_SUFFIX
from dpdesk.desk.main_window import window as window_module
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.text.translators.chosen_language import SYSTEM, is_speaking, speak
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.accessibility import announcing
from dpdesk.privacy.noise.door import Door
from dpdesk.program import faults
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from tests.audit.length import some
from tests.desk.screens import wait_until
from tests.release.studies import STUDY, write_data
from tests.turns import in_turn
from tests.waiting import LIMIT_S

OpenWindow = Callable[..., MainWindow]

IN_LONG_WORDS = pytest.mark.parametrize("language", some(["de", "en"], 2), indirect=True)
"""In each run German alone, whose words are the longer ones: of tests that look for room."""


EVERY_COMMIT = {
    "test_constant_window.py",
    "test_first_release.py",
    "test_neighbouring_files.py",
    "test_nothing_of_the_data_in_the_log.py",
}
"""What rows must not tell, and the way to a first release."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of the others of the whole window a commit runs half: they walk through all of its pages."""
    is_of_window = item.path.parent == Path(__file__).parent
    if not is_of_window or item.path.name in EVERY_COMMIT:
        return
    if item.get_closest_marker("in_turn") is None:
        item.add_marker(pytest.mark.in_turn(2))


class PatientBot(QtBot):
    """Waits for what a test waits for as long as it takes."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        for name in ("waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"):
            setattr(self, name, partial(getattr(self, name), timeout=round(1000 * LIMIT_S)))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """In place of pytest-qt's own, which gives up after five seconds."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Garbage is collected in the window's thread alone, as in the program.

    A job's thread would destroy what an earlier test left behind, timers among it.
    """
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def no_faults(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The program makes no mistake: a window notes its own, and a test would not hear of them.

    Tests that have it make one are marked ``faulty``.
    """
    noted: list[str] = []
    write = faults.write

    def heard(home: Home, description: str) -> None:
        noted.append(description)
        write(home, description)

    monkeypatch.setattr(faults, "write", heard)
    yield
    is_wanted = request.node.get_closest_marker("faulty") is not None
    assert bool(noted) == is_wanted, "\n".join(noted) or "it made no mistake"


@pytest.fixture(autouse=True)
def themed(qapp: QApplication) -> Iterator[Theme]:
    """Every test starts in the light scheme and in the system's language.

    What it deleted is gone when it ends.
    """
    application()
    if is_speaking(qapp):
        speak(qapp, SYSTEM)  # an earlier test may have ended in another
    theme = Theme(qapp)
    theme.apply("light")
    yield theme
    # One that stayed open would be taken for what the next test opens, or must not open.
    while (left := QApplication.activeModalWidget()) is not None:
        delete(left)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.deleteLater()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at a small file is over before a test goes on, however busy the machine is."""
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 1000 * LIMIT_S)
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.WAIT_S", LIMIT_S)


@pytest.fixture(autouse=True)
def opens_nothing_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever programs this computer has, folders and documents are opened Qt's way."""
    monkeypatch.setattr("dpdesk.desk.opened_elsewhere.system_opener", lambda: "")


@pytest.fixture
def lingering(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A word of what was done is shown until a busy machine has looked at it."""
    monkeypatch.setattr(announcing, "SHOWN_MS", 60_000)
    yield
    QToolTip.hideText()


@pytest.fixture
def shown_done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of what was done, as they came; the tooltip goes when the keyboard moves on."""
    words: list[str] = []
    show = announcing._show

    def record(widget: QWidget, said: str) -> None:
        words.append(said)
        show(widget, said)

    monkeypatch.setattr(announcing, "_show", record)
    return words


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What screen readers are made to say by themselves, at once."""
    said: list[str] = []
    monkeypatch.setattr(announcing, "say_now", lambda _widget, sentence: said.append(sentence))
    monkeypatch.setattr(announcing, "SETTLES_MS", 0)
    return said


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    """This test's home."""
    return Home.at(dpdesk_home)


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest, home: Home, qapp: QApplication) -> Iterator[str]:
    """Each language that is whole in turn, of the windows that are opened next."""
    Settings(home).language = request.param
    yield request.param
    speak(qapp, SYSTEM)


@pytest.fixture
def session(home: Home, qapp: QApplication) -> Iterator[Session]:
    """A session without a window."""
    made = Session(home)
    yield made
    made.jobs.stop()
    made.deleteLater()


@pytest.fixture
def study_file(tmp_path: Path, home: Home) -> Path:
    """The small study, saved beside its data; its account has 1."""
    write_data(tmp_path)
    return save_with_account(STUDY, tmp_path / "stays.dpdesk", home)


def save_with_account(study: Study, path: Path, home: Home) -> Path:
    """Save a study and open the account it names, with 1 in it."""
    save_study(study, path)
    account = study.budget.account if study.budget else ""
    if home.ledger.exists():
        ledger = Ledger.open(home)
        if account and not ledger.accounts():
            ledger.new_account(account, Epsilon.of(1), "for tests")
        return path
    home.make()
    for place, content in zip((home.ledger, home.heads), _new_ledger(account), strict=True):
        place.touch(0o600)
        place.write_bytes(content)
    return path


@cache
def _new_ledger(account: str) -> tuple[bytes, bytes]:
    """A ledger and its heads with one account, or none: to make one takes ten times as long."""
    with TemporaryDirectory() as folder:
        home = Home.at(Path(folder))
        ledger = Ledger.open(home)
        if account:
            ledger.new_account(account, Epsilon.of(1), "for tests")
        return home.ledger.read_bytes(), home.heads.read_bytes()


@pytest.fixture
def open_window(
    qtbot: QtBot, qapp: QApplication, home: Home, request: pytest.FixtureRequest
) -> OpenWindow:
    """Opens the main window, with a study where one is given, on the page that a test is about.

    Without a page it is the first that is not done: *Queries*, the heaviest, for most studies. With
    a study the page that says how to begin is not made: nobody would see it.
    One test in eight, in turn, paints it once, as it leaves it: that takes an eighth of the time of
    a test. One that is marked ``painted`` has it painted throughout, as the program does.
    """
    is_painted = request.node.get_closest_marker("painted") is not None
    name = request.node.nodeid
    paints = _paint if in_turn([name], 8, name) else None
    opened: list[MainWindow] = []  # pytest-qt holds them weakly

    def open_it(study: Path | None = None, door: Door | None = None, page: str = "") -> MainWindow:
        with pytest.MonkeyPatch.context() as patch:
            if is_study(study):
                patch.setattr(MainWindow, "_show_welcome", lambda _window: None)
            window = make_window(qapp, home)
        qtbot.addWidget(window, before_close_func=paints)
        opened.append(window)
        if door is not None:
            window.session.door = door
        window.setUpdatesEnabled(is_painted)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        with pytest.MonkeyPatch.context() as patch:
            if page:
                patch.setattr(window_module, "first_open_step", lambda _state: page)
            if study is not None:
                window.opening.open_any(study)
        if is_study(study):
            wait_until(lambda: window.page or window.session.looks.current is None)
            assert window.page, "open it from a window that says how to begin"
        if page and window.page != page:
            window.go_to(page)
        return window

    return open_it


def is_study(path: Path | None) -> bool:
    return path is not None and path.suffix == STUDY_SUFFIX


def _paint(window: QWidget) -> None:
    """A window as a test leaves it: its painting makes no mistake."""
    if window.isVisible():
        window.setUpdatesEnabled(True)
        window.repaint()
