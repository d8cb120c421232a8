# SPDX-License-Identifier: Apache-2.0
"""The dossier in the window: a form, a signed file, and what Verify says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.dossier.dossier_dialog import DossierDialog
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.compared_dossier import ComparedDossier, check_beside
from dpdesk.desk.pages.verify.dossier_answer import dossier_sentences
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.dossier.dossier_check import DossierCheck, check_dossier
from dpdesk.release.dossier.governance import COUNTERSIGN_NAMESPACE, MANIFEST
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.revoke import Wish, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import Who, verify
from dpdesk.shell.dossier import checked
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.bundles import signing_key
from tests.release.studies import one_query, release

PASSPHRASE = "correct horse battery"


@pytest.fixture
def bundles(study_file: Path, home: Home) -> list[Path]:
    """Two releases' bundles, the first release first."""
    keys.new_key(home.keys, "office@hospital.example", PASSPHRASE)
    found = []
    for number, share in enumerate(("0.1", "0.2"), 1):
        study = one_query(epsilon=Epsilon.of(share))
        done = release(study, study_file.parent, Ledger.open(home), OpenDPDoor())
        path = study_file.parent / f"release-{number}.zip"
        write_bundle(path, build(done.stored, done.chain, keys.unlock(home.keys, PASSPHRASE)))
        found.append(path)
    return found


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, bundles: list[Path]) -> MainWindow:
    return open_window(study_file, page="release")


@pytest.fixture
def dialog(
    window: MainWindow, bundles: list[Path], monkeypatch: pytest.MonkeyPatch
) -> DossierDialog:
    """The form of the newest release, reached as a person does."""
    chosen = (str(bundles[1]), "")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: chosen)
    return opened(window)


def opened(window: MainWindow) -> DossierDialog:
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    page.table.selectRow(page.table.model().rowCount() - 1)  # the account's opening
    settle()
    assert not page.results.dossier_button.isVisibleTo(page)
    page.table.selectRow(0)
    settle()
    page.results.dossier_button.click()
    settle()
    page.results.choose_bundle.click()
    settle()
    return page.results.dossier


def written(dialog: DossierDialog, path: Path, qtbot: QtBot) -> str:
    """What the form says once a file was chosen."""
    dialog.passphrase.set_text(PASSPHRASE)
    dialog.write(path)
    qtbot.waitUntil(lambda: not dialog.is_busy)
    settle()
    return dialog.outcome.sentence


def test_a_dossier_is_written_and_its_texts_are_offered_again(
    dialog: DossierDialog, window: MainWindow, bundles: list[Path], home: Home, qtbot: QtBot
) -> None:
    for field in dialog.fields.values():
        assert field.edit.placeholderText().startswith("For example "), field.label
    dialog.fields["purpose"].set_text("Report 2026")
    dialog.fields["review_date"].set_text("2027-11-30")
    path = bundles[0].with_name("dossier.zip")
    assert "dossier.zip is saved" in written(dialog, path, qtbot)
    assert dialog.passphrase.text == ""
    known = known_signers(home)
    found = check_dossier(path, known, [verify(bundles[1], known)])
    assert found.is_good and found.remade == "yes"
    dialog.reject()
    window.go_to("verify")
    again = opened(window)
    assert again.fields["purpose"].text == "Report 2026"
    assert again.fields["review_date"].text == "2027-11-30"
    again.reject()


def test_a_wrong_text_is_said_beside_its_field_before_a_file_is_asked_for(
    dialog: DossierDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: asked.append(args))
    dialog.fields["review_date"].set_text("soon")
    dialog.ok.click()
    assert "2027-01-31" in dialog.fields["review_date"].error
    assert not asked
    dialog.reject()


def test_a_wrong_passphrase_and_a_file_that_is_there_are_said(
    dialog: DossierDialog, bundles: list[Path], qtbot: QtBot
) -> None:
    assert "exists already" in written(dialog, bundles[0], qtbot)
    dialog.passphrase.set_text("another one")
    dialog.write(bundles[0].with_name("new.zip"))
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "passphrase" in dialog.passphrase.error
    assert not bundles[0].with_name("new.zip").exists()
    dialog.reject()


def test_the_bundle_of_another_release_is_refused(
    window: MainWindow, bundles: list[Path], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    chosen = (str(bundles[0]), "")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: chosen)
    dialog = opened(window)
    path = bundles[0].with_name("dossier.zip")
    assert "another release" in written(dialog, path, qtbot)
    assert not path.exists()
    dialog.reject()


def test_verify_tells_a_dossier_from_a_bundle(
    dialog: DossierDialog,
    window: MainWindow,
    bundles: list[Path],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = bundles[0].with_name("dossier.zip")
    written(dialog, path, qtbot)
    dialog.reject()
    manifest = unpack(path.read_bytes())[MANIFEST]
    officer = signing_key(7, "officer@hospital.example")
    beside = path.with_name("dossier.zip.officer.sig")
    beside.write_bytes(sign(manifest, officer, COUNTERSIGN_NAMESPACE))
    page = shown(window, path, qtbot)
    said = page.dossier.accessibleName()
    assert "You can rely on this dossier" in said and officer.info.fingerprint in said
    assert f"Compared with {bundles[1].name}: every page follows" in said
    assert not page.figures_button.isEnabled() and not page.empty.isVisibleTo(page)
    chosen = (str(bundles[1]), "")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: chosen)
    page.after_dossier.click()
    qtbot.waitUntil(lambda: page.found is not None)
    assert not page.dossier.isVisibleTo(page)
    damaged = bytearray(path.read_bytes())
    damaged[2_000] ^= 1
    path.write_bytes(bytes(damaged))
    assert not page.dossier.isVisibleTo(shown(window, bundles[0], qtbot))
    page = shown(window, path, qtbot)
    assert "Do not rely" in page.dossier.accessibleName() + page.verdict.accessibleName()


def test_a_dossier_is_compared_with_the_one_bundle_it_names(
    dialog: DossierDialog, window: MainWindow, bundles: list[Path], qtbot: QtBot
) -> None:
    path = bundles[0].with_name("dossier.zip")
    written(dialog, path, qtbot)
    dialog.reject()
    away = bundles[1].with_name("elsewhere")
    away.mkdir()
    bundles[1].rename(away / bundles[1].name)
    said = shown(window, path, qtbot).dossier.accessibleName()
    assert "not in the dossier’s folder" in said and "You can rely on this dossier" in said
    kept = (away / bundles[1].name).read_bytes()
    bundles[1].write_bytes(kept[:-40] + bytes(40))
    assert "not in the dossier’s folder" in shown(window, path, qtbot).dossier.accessibleName()
    bundles[1].with_name("another name.zip").write_bytes(kept)
    said = shown(window, path, qtbot).dossier.accessibleName()
    assert "Compared with another name.zip: every page follows" in said


@pytest.mark.threat("E3", "G9")
def test_a_dossier_of_a_withdrawn_release_is_not_relied_on(
    dialog: DossierDialog, window: MainWindow, bundles: list[Path], home: Home, qtbot: QtBot
) -> None:
    """By its own notice, or by the ledger of who withdrew it where it is older than that."""
    before, after = bundles[0].with_name("before.zip"), bundles[0].with_name("after.zip")
    written(dialog, before, qtbot)
    wish = Wish("withdrawn", 3, "a ward was left out")
    revoke(Ledger.open(home), wish, keys.unlock(home.keys, PASSPHRASE).info)
    written(dialog, after, qtbot)
    dialog.reject()
    for path in (before, after):
        said = shown(window, path, qtbot).dossier.accessibleName()
        assert "This release was withdrawn" in said and "You can rely" not in said
        assert said.count("a ward was left out") == 1
    home.ledger.unlink()  # as a recipient, who knows what they were sent
    assert check_beside(before, home).is_good
    found = check_beside(after, home)
    assert found.check.is_good and not found.is_good


def test_a_dossier_that_says_something_else_than_its_bundle_is_not_relied_on() -> None:
    who = Who("known", "office@hospital.example", "SHA256:x")
    check = DossierCheck((), who, "0" * 64, "0" * 32, is_given=True, remade="no")
    assert not check.is_good
    assert "it differs from that bundle" in " ".join(
        dossier_sentences(ComparedDossier(check, "b.zip"))
    )


def test_a_dossier_by_a_revoked_key_is_named_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """Window and shell had no word for it, and ended in an error."""
    who = Who("revoked", "office@hospital.example", "SHA256:x")
    check = DossierCheck((), who, "0" * 64, "0" * 32)
    assert "which is revoked" in " ".join(dossier_sentences(ComparedDossier(check)))
    checked.show(check)
    assert "Signer: revoked" in capsys.readouterr().out


def shown(window: MainWindow, path: Path, qtbot: QtBot) -> VerifyPage:
    window.opening.open_any(path)
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    qtbot.waitUntil(lambda: not page._latest.is_pending)
    settle()
    return page


def test_without_an_exported_bundle_it_leads_to_the_export_first(
    open_window: OpenWindow,
    study_file: Path,
    home: Home,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys.new_key(home.keys, "office@hospital.example", PASSPHRASE)
    window = open_window(study_file, page="release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    window.go_to("release")
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    settle()
    results = page.results
    results.dossier_button.click()
    assert "Export the bundle first" in results.before_dossier.accessibleDescription()
    path = tmp_path / "figures.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    results.export_first.click()
    settle()
    results.unlock.passphrase.edit.setText(PASSPHRASE)
    results.unlock.ok.click()
    wait_until(lambda: not results.exported.isHidden())
    settle()
    assert path.exists() and results.dossier.isVisible(), "the dossier of what was exported"
    results.dossier.reject()
