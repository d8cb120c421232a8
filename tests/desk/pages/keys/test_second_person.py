# SPDX-License-Identifier: Apache-2.0
"""A second person in the window: the plan goes out, comes back signed, and is what is released."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.second_person_dialog import SecondPersonDialog
from dpdesk.desk.pages.keys.sign_dialog import SignDialog
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.text import words
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.plan_signature import read_returned_plan, sign_plan
from dpdesk.release.second_person.requirement import require, second_person
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import add_signer
from dpdesk.study.model.columns import NumberColumn
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import ask_release
from tests.desk.screens import settle, texts, wait_until
from tests.release.second_person import SECOND, WORDS, Person, make_person

OFFICE, PASSPHRASE = "data-office@hospital.example", "correct horse battery"


@pytest.fixture
def second(tmp_path: Path) -> Person:
    return make_person(tmp_path / "second")


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    keys.new_key(home.keys, OFFICE, PASSPHRASE)
    return open_window(study_file, page="release")


def page_of(window: MainWindow) -> ReleasePage:
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def account_of(window: MainWindow) -> str:
    account = window.session.state.account
    assert account is not None
    return account.name


def demand(window: MainWindow, home: Home, second: Person, before: str) -> Ledger:
    ledger = Ledger.open(home)
    person = second_person(before, second.line.read_text())
    require(ledger, account_of(window), person, "the board wants two")
    add_signer(home.signers, second.line.read_text())
    window.session.reread_accounts()
    settle()
    return ledger


def test_a_release_asks_for_the_signed_plan(
    window: MainWindow, home: Home, second: Person, tmp_path: Path
) -> None:
    page = page_of(window)
    ledger = demand(window, home, second, "release")
    page.review.check.stop()
    ask_release(page)
    dialog = page.second_person
    assert isinstance(dialog, SecondPersonDialog) and dialog.isVisible()
    plan = tmp_path / "plan.json"
    dialog.write_to(plan)
    assert plan.exists()
    dialog.take(plan)
    assert dialog.isVisible(), "no signature lies beside it"
    (tmp_path / "plan.json.sig").write_bytes(sign_plan(plan.read_bytes(), second.key))
    dialog.take(plan)
    settle()
    assert page.confirm.isVisible()
    page.confirm.accept()
    wait_until(lambda: window.session.jobs.current is None)
    assert page.shown_release is not None
    stated = page.shown_release.stored.record.second_person
    assert stated is not None and stated.plan is not None
    assert stated.person.identity == SECOND
    assert ledger.account(account_of(window)).spent.units > 0


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("release", "sign the plan first"),
        ("export", "before you send it"),
        ("both", "the plan first, and the bundle"),
    ],
)
@pytest.mark.in_turn(2)
def test_that_somebody_else_signs_is_said_before_the_red_button(
    window: MainWindow, home: Home, second: Person, before: str, said: str
) -> None:
    assert not page_of(window).review.second.isVisible()
    demand(window, home, second, before)
    window.go_to("people")
    shown = page_of(window).review.second
    assert shown.isVisible()
    assert SECOND in shown.accessibleName() and said in shown.accessibleName()


def test_a_refusal_is_on_show_wherever_the_page_was_scrolled(
    window: MainWindow, home: Home, second: Person, tmp_path: Path
) -> None:
    page = page_of(window)
    demand(window, home, second, "release")
    window.resize(1024, 640)
    settle()
    bar = page.scroll_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    page.start_release()  # without the plan that has to be signed
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    assert page._trouble.isVisible() and bar.value() == 0


def test_a_plan_signed_for_another_study_releases_nothing(
    window: MainWindow, home: Home, second: Person, tmp_path: Path
) -> None:
    page = page_of(window)
    ledger = demand(window, home, second, "release")
    ask_release(page)
    plan = tmp_path / "plan.json"
    page.second_person.write_to(plan)
    (tmp_path / "plan.json.sig").write_bytes(sign_plan(plan.read_bytes(), second.key))
    signed = read_returned_plan(plan)
    page.second_person.reject()
    study = replace(window.session.state.study, title="Another title")
    window.session.edit(study, "retitle")
    settle()
    page._signed_plan = signed
    page.start_release()
    wait_until(lambda: window.session.jobs.current is None)
    assert page.shown_release is None
    assert any("differs from the signed plan" in text for text in texts(page))
    assert ledger.account(account_of(window)).spent.units == 0


def test_the_second_person_reads_and_signs_a_plan(
    window: MainWindow, home: Home, second: Person, tmp_path: Path, open_window: OpenWindow
) -> None:
    page = page_of(window)
    demand(window, home, second, "both")
    study = window.session.state.study
    named = replace(study.queries[0], title="Harmless")
    asked = words.sentence(study, named)
    window.session.edit(replace(study, queries=(named, *study.queries[1:])), "retitle")
    settle()
    ask_release(page)
    plan = tmp_path / "plan.json"
    page.second_person.write_to(plan)
    page.second_person.reject()
    # At the second person's computer.
    window.session.home = second.home  # type: ignore[misc]
    verify = window.pages["verify"]
    assert isinstance(verify, VerifyPage)
    window.go_to("verify")
    verify.open_bundle(plan)
    dialog = verify.handed
    assert isinstance(dialog, SignDialog) and dialog.isVisible()
    assert account_of(window) in dialog.shown.text
    shown = dialog.shown.text
    assert f"Harmless: {asked}" in shown, "a title says whatever was typed"
    number = next(column for column in study.columns if isinstance(column, NumberColumn))
    for declared in (number.name, number.basis, f"{number.lower:f} to ", "Margin in 95 of 100"):
        assert declared in shown, "whoever signs sees what it is of, and how exact it will be"
    assert f"{plan.name}.sig" in " ".join(texts(dialog)) and plan.name in " ".join(texts(dialog))
    dialog.passphrase.edit.setText("wrong")
    dialog.accept()
    wait_until(lambda: bool(dialog.passphrase.error))
    dialog.passphrase.edit.setText(WORDS)
    dialog.accept()
    wait_until(lambda: plan.with_name("plan.json.sig").exists())
    settle()
    assert any("plan.json and plan.json.sig" in text for text in texts(verify))


def test_the_second_person_signs_a_bundle(
    window: MainWindow, home: Home, second: Person, tmp_path: Path
) -> None:
    page = page_of(window)
    demand(window, home, second, "export")
    page.start_release()
    wait_until(lambda: window.session.jobs.current is None)
    done = page.shown_release
    assert done is not None
    bundle = tmp_path / "bundle.zip"
    key = keys.unlock(home.keys, PASSPHRASE)
    bundle.write_bytes(build(done.stored, done.chain, key))
    verify = window.pages["verify"]
    assert isinstance(verify, VerifyPage)
    window.go_to("verify")
    verify.open_bundle(bundle)
    wait_until(lambda: verify.found is not None)
    assert verify.answers.second.isVisible() and not verify.answers.sign_button.isVisible()
    add_signer(second.home.signers, keys.allowed_signers_line(key.info))
    verify.session.home = second.home  # type: ignore[misc]
    verify.open_bundle(bundle)
    wait_until(lambda: verify.found is not None)
    assert verify.answers.sign_button.isVisible()
    said = " ".join(texts(verify))
    assert "this bundle does not have it yet" in said
    assert "None was changed" in said
    for wrong in ("Do not rely", "fresh copy", "1 changed", "0 files"):
        assert wrong not in said, "nothing is wrong with it that the second person would ask about"
    verify.answers.sign_button.click()
    shown, study = verify.unlock.shown.text, window.session.state.study
    assert verify.unlock.shown.isVisible() and " ± " in shown
    for declared in (words.sentence(study, study.queries[0]), "Source: ", "± 95 %"):
        assert declared in shown, "whoever signs reads what is published"
    verify.unlock.reject()
    verify.sign_as_second(second.key)
    wait_until(lambda: verify.found is not None and verify.found.is_good)
    settle()
    assert not verify.answers.sign_button.isVisible()


def test_what_is_no_plan_is_refused_in_a_sentence(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"other": 1}', encoding="utf-8")
    verify = window.pages["verify"]
    assert isinstance(verify, VerifyPage)
    window.go_to("verify")
    verify.open_bundle(path)
    settle()
    assert any("not a plan" in text for text in texts(verify))
