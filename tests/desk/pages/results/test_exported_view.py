# SPDX-License-Identifier: Apache-2.0
"""After the export the window says what to do with the bundle, and hands over what it takes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.release.backup.key_page import groups_of
from dpdesk.release.record.second_person import SecondPerson, SecondPersonRecord
from dpdesk.release.signing.keys import SigningKey, allowed_signers_line, new_key, unlock
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until

PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file, page="release")


@pytest.fixture
def key(window: MainWindow) -> SigningKey:
    folder = window.session.home.keys
    new_key(folder, "office@hospital.example", PASSPHRASE)
    return unlock(folder, PASSPHRASE)


@pytest.fixture
def page(window: MainWindow, key: SigningKey, tmp_path: Path) -> ReleasePage:
    """The page after a release and its export."""
    window.go_to("release")
    shown = window.pages["release"]
    assert isinstance(shown, ReleasePage)
    shown.start_release()
    wait_until(lambda: shown.released_shares is not None)
    shown.results._write(tmp_path / "bundle.zip", key)
    settle()
    return shown


@pytest.mark.in_turn(2)
def test_what_to_do_stands_where_the_figures_were(page: ReleasePage, tmp_path: Path) -> None:
    view = page.results.exported
    assert view.isVisible() and not any(card.isVisible() for card in page.results.cards)
    assert (tmp_path / "bundle.zip").exists()
    name = view.banner.accessibleName()
    assert name.startswith("Exported and signed. bundle.zip, ") and "files" in name
    assert name.endswith(" kB"), "sizes of files have one scale, here and in Data"
    assert view.mail.verticalScrollBar().maximum() == 0, "all of the mail is on show"
    view.copy_mail.setFocus()
    assert view.line.shown.endswith("…") and view.line.text().startswith(view.line.shown[:-1])
    view.back.click()
    settle()
    assert not view.isVisible() and page.results.table.isVisible()


def test_what_lacks_the_second_signature_goes_to_who_signs_it(
    page: ReleasePage, key: SigningKey, tmp_path: Path
) -> None:
    done = page.shown_release
    assert done is not None
    record = done.stored.record
    person = SecondPerson("export", "board@hospital.example", key.info.public_line)
    stored = replace(
        done.stored, record=replace(record, second_person=SecondPersonRecord(person, "0" * 64))
    )
    view, study = page.results.exported, page.session.state.study
    view.show_bundle(tmp_path / "bundle.zip", replace(done, stored=stored), study, key.info)
    said = " ".join(texts(view))
    assert "Exported, but not finished." in said and "must sign it first" in said
    assert "Send the bundle to board@hospital.example" in said
    assert "Sign as the second person" in view.mail.toPlainText()
    assert "You may send it to anyone" not in said
    view.show_bundle(tmp_path / "bundle.zip", done, study, key.info)
    assert "You may send it to anyone" in " ".join(texts(view))


def test_what_is_copied_is_what_recipients_need(page: ReleasePage, key: SigningKey) -> None:
    view, clipboard = page.results.exported, QGuiApplication.clipboard()
    view.copy_line.click()
    assert clipboard.text() == allowed_signers_line(key.info).strip()
    view.copy_groups.click()
    assert tuple(clipboard.text().split()) == groups_of(key.info.fingerprint)
    view.mail.setPlainText("in my own words")
    view.copy_mail.click()
    assert clipboard.text() == "in my own words"


@pytest.mark.in_turn(2)
def test_the_mail_names_figures_and_signer_and_no_file(page: ReleasePage) -> None:
    text = page.results.exported.mail.toPlainText()
    assert "office@hospital.example" in text and "figures" in text
    for private in ("stays.csv", "bundle.zip", "/"):
        assert private not in text


@pytest.mark.in_turn(2)
def test_the_folder_is_opened_or_said_where_it_is(
    page: ReleasePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    monkeypatch.setattr("sys.platform", "linux")
    page.results.exported.banner.action.click()
    assert [url.toLocalFile() for url in opened] == [str(tmp_path)]
    exported = page.results.exported
    assert not exported._trouble.isVisible()
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    exported.banner.action.click()
    assert exported._trouble.isVisible()
    assert exported._trouble.accessibleName() == (
        f"dpdesk cannot open the folder. The bundle is in {tmp_path}."
    )
    (tmp_path / "bundle.zip").rename(tmp_path / "elsewhere.zip")
    exported.banner.action.click()
    assert "is no longer in" in exported._trouble.accessibleName()
    (tmp_path / "elsewhere.zip").rename(tmp_path / "bundle.zip")


def test_it_is_verified_as_its_recipients_will(
    page: ReleasePage, window: MainWindow, qtbot: QtBot
) -> None:
    page.results.exported.verify.click()
    verify = window.pages["verify"]
    assert isinstance(verify, VerifyPage)
    wait_until(lambda: verify.found is not None)
    assert window.page == "verify"
