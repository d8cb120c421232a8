# SPDX-License-Identifier: Apache-2.0
"""A release is withdrawn in History, and Verify says so of its bundle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.notice_file import read_notice, write_notice
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.release.signing import keys
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts
from tests.release.studies import one_query

PASSPHRASE = "correct horse battery"


@pytest.fixture
def bundle(study_file: Path, home: Home) -> Path:
    """A release of entry 2, exported."""
    keys.new_key(home.keys, "office@hospital.example", PASSPHRASE)
    done = release(one_query(), study_file.parent, Ledger.open(home), OpenDPDoor())
    path = study_file.parent / "bundle.zip"
    write_bundle(path, build(done.stored, done.chain, keys.unlock(home.keys, PASSPHRASE)))
    return path


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, bundle: Path) -> MainWindow:
    return open_window(study_file, page="history")


def history(window: MainWindow) -> HistoryPage:
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def verify_page(window: MainWindow, qtbot: QtBot) -> VerifyPage:
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    qtbot.waitUntil(lambda: not page._latest.is_pending)
    settle()
    return page


def withdraw(window: MainWindow, path: Path, qtbot: QtBot, table: int = 0) -> HistoryPage:
    """Withdraw the newest release, or one of its tables, counted from 1."""
    page = history(window)
    page.table.selectRow(0)
    page.revoke_button.click()
    dialog = page.notice_dialog
    title, said = page._entries[0].title, texts(dialog)
    assert title in said, "it says which release"
    assert any(text.startswith("1 (entry 2 of the ledger), ") for text in said)
    dialog.ok.click()
    assert dialog.reason.error
    dialog.reason.set_text("two wards were swapped")
    assert dialog.table.combo.itemText(0) == "The whole release"
    dialog.table.combo.setCurrentIndex(table)
    dialog.passphrase.set_text(PASSPHRASE)
    dialog.ok.click()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "is signed" in dialog.outcome.sentence
    dialog.reject()
    return page


def test_a_withdrawn_release_is_said_by_history_and_verify(
    window: MainWindow, bundle: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, proposed = tmp_path / "one.notice", []

    def save(_parent: object, _title: str, start: str, *_more: object) -> tuple[str, str]:
        proposed.append(Path(start).name)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    page = withdraw(window, path, qtbot)
    assert proposed == ["release-1.notice"], "of the bundle's number: stays-release-1.zip"
    said = "Release 1 (entry 2 of the ledger) withdrawn: two wards were swapped"
    assert page._model.index(0, 4).data() == said
    settle()
    page.table.selectRow(1)
    qtbot.waitUntil(page.results.isVisible)
    assert page.withdrawn.isVisible()
    assert said in page.withdrawn.accessibleName(), "beside what can be exported again"
    page.table.selectRow(2)
    settle()
    assert not page.withdrawn.isVisible(), "it is about no other entry"
    page.table.selectRow(0)
    assert page.revoke_button.text() == "Save notice…"
    before = path.read_bytes()
    path.unlink()
    page.revoke_button.click()
    page.notice_dialog.passphrase.set_text(PASSPHRASE)
    page.notice_dialog.ok.click()
    qtbot.waitUntil(lambda: not page.notice_dialog.is_busy)
    page.notice_dialog.reject()
    assert path.read_bytes() == before

    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)), QUrl.fromLocalFile(str(bundle))])
    point, action = QPointF(9, 9), Qt.DropAction.CopyAction
    buttons, keyboard = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(point, action, data, buttons, keyboard))
    found = verify_page(window, qtbot)
    assert found.verdict.verdict.text() == "This release was withdrawn"
    assert not found.figures_button.isEnabled(), "what is not to be used is not saved"
    assert "their release was withdrawn" in found.footer.sentence
    assert "Its signer withdrew it on" in found.verdict.accessibleName()
    assert found.verdict.accessibleName().endswith("Reason: two wards were swapped")
    assert "Withdrawn" in found.answers.notice.accessibleName()
    assert "two wards were swapped" in found.answers.notice.accessibleName()
    found.open_bundle(bundle)
    found = verify_page(window, qtbot)
    assert found.verdict.verdict.text() == "This release was withdrawn", "whoever did it knows"
    assert "on this computer" in found.verdict.accessibleName()
    assert found.verdict.accessibleName().endswith("Reason: two wards were swapped")
    assert "In this computer’s ledger" in found.answers.notice.accessibleName()
    assert not found.figures_button.isEnabled()


def test_one_table_is_withdrawn_and_the_other_figures_stay_open(
    window: MainWindow, bundle: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one.notice"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    page = withdraw(window, path, qtbot, table=1)
    file = f"{read_notice(path).tables[0]}.csv"
    assert page.notice_dialog.table.combo.itemText(1).endswith(f"({file})")
    said = f"Only {file} of release 1 (entry 2 of the ledger) withdrawn: two wards were swapped"
    assert page._model.index(0, 4).data() == said
    only = f"Only {file}: do not use it. The other tables stay as they are."
    for opened in (None, path):
        window.verify_bundle(bundle)
        found = verify_page(window, qtbot)
        if opened is not None:
            found.answers.notice.open_notice(opened)
        assert found.verdict.verdict.text() == "Tables of this release were withdrawn"
        for part in (found.verdict, found.answers.notice):
            assert only in part.accessibleName() and "wards" in part.accessibleName()
        assert found.figures_button.isEnabled(), "the others can be used"


def test_a_bundle_that_is_on_show_is_withdrawn_meanwhile(
    window: MainWindow, bundle: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.verify_bundle(bundle)
    assert "You can rely" in verify_page(window, qtbot).verdict.verdict.text()
    path = tmp_path / "two.notice"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    withdraw(window, path, qtbot)
    window.go_to("verify")
    settle()
    shown = verify_page(window, qtbot)
    assert shown.verdict.verdict.text() == "This release was withdrawn"


def test_stored_figures_of_a_withdrawn_release_are_said_to_be(
    window: MainWindow, study_file: Path, home: Home, tmp_path: Path, qtbot: QtBot
) -> None:
    ledger, path = Ledger.open(home), tmp_path / "again.zip"
    asked = replace(one_query(), title="The same figures")
    again = release(asked, study_file.parent, ledger, OpenDPDoor(), same_extract=True)
    key = keys.unlock(home.keys, PASSPHRASE)
    write_bundle(path, build(again.stored, again.chain, key))
    window.verify_bundle(path)
    assert "You can rely" in verify_page(window, qtbot).verdict.verdict.text()
    entry = revoke(ledger, Wish("withdrawn", 2, "two wards were swapped"), key.info)
    notice = tmp_path / "two.notice"
    write_notice(notice, notice_of(ledger, entry.sequence, key))
    for opened in (None, notice):
        window.verify_bundle(path)
        page = verify_page(window, qtbot)
        if opened is not None:
            page.answers.notice.open_notice(opened)
        assert page.verdict.verdict.text() == "Its figures are from a withdrawn release"
        said = "contains figures of an earlier release (entry 2 of its ledger)."
        for part in (page.verdict, page.answers.notice):
            assert said in part.accessibleName() and "wards" in part.accessibleName()
        assert "their release was withdrawn" in page.footer.sentence
        assert not page.figures_button.isEnabled()


def test_a_notice_that_does_not_count_changes_no_verdict(
    window: MainWindow, bundle: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "none.notice"
    path.write_bytes(b"-----BEGIN SSH SIGNATURE-----\n")
    window.opening.open_any(path)
    settle()
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    assert "Open the bundle" in page._trouble.accessibleName()
    window.opening.open_any(bundle)
    found = verify_page(window, qtbot)
    assert "You can rely" in found.verdict.verdict.text()
    assert "is not a notice" in found.answers.notice.accessibleName()
