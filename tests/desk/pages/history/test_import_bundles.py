# SPDX-License-Identifier: Apache-2.0
"""History reads own bundles back: what the ledger lacks is charged, once, with a reason."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import one_query

PASSPHRASE = "correct horse battery"


@pytest.fixture
def lost_bundle(study_file: Path, home: Home) -> Path:
    """A bundle of a release that ledger and second record both forgot."""
    keys.new_key(home.keys, "office@hospital.example", PASSPHRASE)
    kept = study_file.parent / "kept"
    kept.mkdir()
    for path in (home.ledger, home.heads):
        shutil.copy(path, kept)
    done = release(one_query(), study_file.parent, Ledger.open(home), OpenDPDoor())
    path = study_file.parent / "lost.zip"
    write_bundle(path, build(done.stored, done.chain, keys.unlock(home.keys, PASSPHRASE)))
    for path_before in (home.ledger, home.heads):
        shutil.copy(kept / path_before.name, path_before)
    return path


@pytest.fixture
def page(open_window: OpenWindow, study_file: Path, lost_bundle: Path) -> HistoryPage:
    window: MainWindow = open_window(study_file, page="history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def spent(page: HistoryPage) -> Epsilon:
    amount = Ledger.open(page.session.home).account("registry").spent
    assert isinstance(amount, Epsilon)
    return amount


def import_it(page: HistoryPage, path: Path, reason: str, qtbot: QtBot) -> str:
    page.import_from((path,))
    page.import_dialog.reason.set_text(reason)
    page.import_dialog.accept()
    qtbot.waitUntil(lambda: not page._latest.is_pending)
    settle()
    return page.banner.accessibleName()


@pytest.mark.threat("E6")
def test_a_lost_release_is_charged_once(
    page: HistoryPage, lost_bundle: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ([str(lost_bundle)], "")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_args: files)
    page.import_button.click()
    page.import_dialog.accept()
    assert page.import_dialog.isVisible() and spent(page) == Epsilon(0)
    page.import_dialog.reject()
    shown = import_it(page, lost_bundle, "the disk died", qtbot)
    assert "1 bundle of this ledger." in shown and "0.10 charged to registry." in shown
    assert spent(page) == Epsilon.of("0.1")
    assert page.table.model().rowCount() == 2
    assert "Nothing was charged" in import_it(page, lost_bundle, "again", qtbot)
    assert spent(page) == Epsilon.of("0.1")


def test_another_file_is_named_and_changes_nothing(
    page: HistoryPage, study_file: Path, qtbot: QtBot
) -> None:
    other = study_file.parent / "other.zip"
    other.write_bytes(b"PK")
    assert "other.zip is not a complete bundle" in import_it(page, other, "reason", qtbot)
    missing = study_file.parent / "missing.zip"
    assert "missing.zip does not exist" in import_it(page, missing, "reason", qtbot)
    assert spent(page) == Epsilon(0)


def test_without_the_key_it_says_that_a_new_one_does_not_help(
    page: HistoryPage, lost_bundle: Path, home: Home, qtbot: QtBot
) -> None:
    """After making one as advised, one was warned next that the bundle is not signed by it."""
    shutil.rmtree(home.keys)
    said = import_it(page, lost_bundle, "the disk was replaced", qtbot)
    assert "a new key does not help" in said
    assert spent(page) == Epsilon.of(0)
