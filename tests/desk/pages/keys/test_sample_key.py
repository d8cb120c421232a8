# SPDX-License-Identifier: Apache-2.0
"""In the window the sample hospital's key is made for it alone; a real study asks for its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.release.places.home import SAMPLE_ACCOUNT, Home
from dpdesk.release.signing import keys
from dpdesk.study.model.unit import Budget
from tests.desk.conftest import OpenWindow
from tests.release.studies import STUDY


def test_a_key_made_for_the_sample_is_no_key_of_a_real_study(
    open_window: OpenWindow, study_file: Path, home: Home, qtbot: QtBot
) -> None:
    window = open_window(study_file, page="keys")
    session: Session = window.session
    real = session.document.study
    sampled = replace(real, budget=replace(real.budget or Budget(), account=SAMPLE_ACCOUNT))
    session.edit(sampled, "Account")
    dialog = NewKeyDialog(window, session, session.signing_home)
    assert not dialog.restore.isVisibleTo(dialog)
    dialog.name.set_text("sample@try.example")
    for field in (dialog.first, dialog.second):
        field.set_text("made-up passphrase of the sample")
    with qtbot.waitSignal(dialog.made):
        dialog.accept()
    made = keys.show(session.signing_home.keys)
    assert made is not None and made.identity == "sample@try.example"
    session.edit(STUDY, "Account")
    assert keys.show(session.signing_home.keys) is None, "the real study asks for a real key"
    assert keys.show(home.keys) is None
