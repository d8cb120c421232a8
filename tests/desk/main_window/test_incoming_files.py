# SPDX-License-Identifier: Apache-2.0
"""A file that is opened by double-click appears in the window that is open, where it may."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from dpdesk.desk.main_window.incoming_files import IncomingFiles
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.program import handover
from dpdesk.program.handover import Inbox
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import load_study, save_study
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.bundles import bundle as made_bundle
from tests.release.studies import STUDY
from tests.source_files import ROOT

pytestmark = pytest.mark.painted

ASKING = """
import sys
from pathlib import Path
from dpdesk.program.handover import hand_over
from dpdesk.release.places.home import Home
sys.exit(0 if hand_over(Home.at(Path(sys.argv[1])), Path(sys.argv[2]), 20) else 7)
"""
TAKEN, LEFT = 0, 7
Start = Callable[[Path], "subprocess.Popen[bytes]"]


@pytest.fixture
def start(home: Home) -> Iterator[Start]:
    """Starts another process that asks the window to open a file."""
    started = []

    def asked(path: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", ASKING, str(home.root), str(path)]
        started.append(subprocess.Popen(command, cwd=ROOT))
        return started[-1]

    yield asked
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def incoming(open_window: OpenWindow, home: Home, study_file: Path) -> Iterator[IncomingFiles]:
    """The first window, with the small study."""
    made = IncomingFiles(open_window(study_file), Inbox.open(home))
    yield made
    made.close()


def window_of(incoming: IncomingFiles) -> MainWindow:
    window = incoming.parent()
    assert isinstance(window, MainWindow)
    return window


def ended(process: subprocess.Popen[bytes]) -> int:
    wait_until(lambda: process.poll() is not None)
    return process.returncode


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.dpdesk"
    save_study(replace(STUDY, title="The other one"), path)
    return path


def test_a_study_opens_in_the_open_window(
    incoming: IncomingFiles, start: Start, other: Path
) -> None:
    window = window_of(incoming)
    assert ended(start(other)) == TAKEN
    wait_until(lambda: window.session.document.path == other)
    assert "The other one" in window.windowTitle()


def test_an_edit_that_is_not_saved_yet_is_saved_first(
    incoming: IncomingFiles, start: Start, other: Path, study_file: Path
) -> None:
    window = window_of(incoming)
    edited = replace(window.session.document.study, title="Just typed")
    process = start(other)
    window.session.edit(edited, "Title")
    assert ended(process) == TAKEN
    wait_until(lambda: window.session.document.path == other)
    assert load_study(study_file).study.title == "Just typed"


def test_an_edit_that_cannot_be_saved_stays_and_another_window_opens(
    incoming: IncomingFiles, start: Start, other: Path, study_file: Path
) -> None:
    window = window_of(incoming)
    save_study(replace(STUDY, title="Changed by others"), study_file)
    window.session.edit(replace(window.session.document.study, title="Mine"), "Title")
    assert ended(start(other)) == LEFT
    assert window.session.document.path == study_file
    assert window.session.document.study.title == "Mine"


def test_a_window_with_a_question_open_takes_nothing(
    incoming: IncomingFiles, start: Start, other: Path, study_file: Path
) -> None:
    window = window_of(incoming)
    dialog = Dialog(window, "Release now?")
    dialog.open()
    assert ended(start(other)) == LEFT
    assert window.session.document.path == study_file
    dialog.reject()
    assert ended(start(other)) == TAKEN


def test_a_bundle_opens_in_verify(incoming: IncomingFiles, start: Start, tmp_path: Path) -> None:
    window = window_of(incoming)
    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(made_bundle())
    assert ended(start(bundle)) == TAKEN
    wait_until(lambda: window.page == "verify")
    wait_until(lambda: window.session.jobs.current is None)


def test_a_minimised_window_comes_back(incoming: IncomingFiles, start: Start, other: Path) -> None:
    window = window_of(incoming)
    window.showMinimized()
    assert ended(start(other)) == TAKEN
    wait_until(lambda: window.session.document.path == other)
    assert not window.windowState() & Qt.WindowState.WindowMinimized


def test_what_is_asked_for_before_the_window_is_there_is_opened(
    open_window: OpenWindow, home: Home, start: Start, other: Path
) -> None:
    home.make()
    inbox = Inbox.open(home)
    process = start(other)
    assert inbox is not None
    wait_until(lambda: bool(inbox.requests()))
    incoming = IncomingFiles(open_window(), inbox)
    assert ended(process) == TAKEN
    wait_until(lambda: window_of(incoming).session.document.path == other)
    incoming.close()


def test_a_second_window_follows_the_first_when_it_is_used(
    open_window: OpenWindow, home: Home, start: Start, other: Path
) -> None:
    home.make()
    first = IncomingFiles(open_window(), Inbox.open(home))
    second = IncomingFiles(open_window(), Inbox.open(home))
    first.close()
    second._inherit(Qt.ApplicationState.ApplicationActive)
    settle()
    assert ended(start(other)) == TAKEN
    wait_until(lambda: window_of(second).session.document.path == other)
    second.close()


def test_a_file_that_is_gone_is_named_in_a_sentence(
    incoming: IncomingFiles, start: Start, study_file: Path
) -> None:
    window = window_of(incoming)
    assert ended(start(study_file.with_name("gone.dpdesk"))) == TAKEN
    wait_until(window.trouble.isVisible)
    assert window.session.document.path == study_file


def test_a_file_that_the_finder_asks_for_is_opened(
    incoming: IncomingFiles, other: Path, qapp: QApplication
) -> None:
    window = window_of(incoming)
    qapp.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(other))))
    wait_until(lambda: window.session.document.path == other)


def test_the_finder_takes_no_question_away(
    incoming: IncomingFiles, other: Path, study_file: Path, qapp: QApplication
) -> None:
    window = window_of(incoming)
    dialog = Dialog(window, "Release now?")
    dialog.open()
    qapp.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(other))))
    settle()
    assert window.session.document.path == study_file
    dialog.reject()


def test_two_files_opened_at_once_get_a_window_each(
    open_window: OpenWindow, home: Home, start: Start, other: Path, study_file: Path
) -> None:
    """The window that is still being built has a file of its own to show."""
    inbox = Inbox.open(home)
    assert inbox is not None
    process = start(other)
    wait_until(lambda: bool(inbox.requests()))
    incoming = IncomingFiles(open_window(), inbox, study_file)
    assert ended(process) == LEFT
    incoming.open_first()
    assert window_of(incoming).session.document.path == study_file
    assert ended(start(other)) == TAKEN
    wait_until(lambda: window_of(incoming).session.document.path == other)
    incoming.close()


@pytest.mark.threat("F5")
def test_a_path_that_a_killed_start_left_goes_though_nothing_changes_any_more(
    incoming: IncomingFiles, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "STALE_S", 0.1)
    incoming.findChild(QTimer).setInterval(150)
    (home.root / handover.FOLDER / "1-1.new").write_bytes(b"/half a path")
    wait_until(lambda: incoming._inbox is not None and incoming._inbox.is_empty)
