# SPDX-License-Identifier: Apache-2.0
"""The verdict of any length leaves the page as narrow as it is; tones say how bad an answer is."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.verify.verify_answers import Verdict, VerifyAnswer
from dpdesk.desk.theme.roles import Role
from tests.desk.screens import settle


def test_a_long_verdict_takes_lines_instead_of_width(qtbot: QtBot) -> None:
    around, verdict = QWidget(), Verdict()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    column.addWidget(verdict)
    column.addStretch(1)
    verdict.say(False, "Dieses Paket wurde von seinem Herausgeber zurückgezogen", "Weil.")
    around.resize(320, 300)
    around.show()
    settle()
    assert around.width() == 320
    label = verdict.verdict
    assert label.height() == label.heightForWidth(label.width()) >= label.height_of(2)


def test_what_is_unknown_warns_and_what_was_not_asked_is_quiet(qtbot: QtBot) -> None:
    verdict, answer = Verdict(), VerifyAnswer("Signer")
    for widget in (verdict, answer):
        qtbot.addWidget(widget)
    roles = ((True, Role.OK), (None, Role.WARN), (False, Role.DANGER))
    for good, role in roles:
        verdict.say(good, "Title", "Text.")
        answer.say(good, "Found.", "Verdict")
        assert verdict._icon._role is answer._icon._role is role
    answer.say_unasked("Without a valid signature there is no signer.")
    assert answer._icon._role is Role.TEXT_QUIET
    assert answer.accessibleName().startswith("Signer: not answered.")
