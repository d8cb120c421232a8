# SPDX-License-Identifier: Apache-2.0
"""What comes on show away from the keyboard is said once, when it stays as it is."""

from __future__ import annotations

from typing import TypeVar

import pytest
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.accessibility.announcing import announce, say_now
from dpdesk.desk.widgets.footer import PageFooter
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.remark import Remark
from tests.desk.screens import settle

Shown = TypeVar("Shown", bound=QWidget)


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    QVBoxLayout(made)
    qtbot.addWidget(made)
    made.show()
    return made


def put(page: QWidget, widget: Shown) -> Shown:
    layout = page.layout()
    assert layout is not None
    layout.addWidget(widget)
    settle()
    return widget


def test_the_last_of_many_sentences_is_said(page: QWidget, announced: list[str]) -> None:
    for share in ("0.10", "0.20", "0.30"):
        announce(page, f"Left {share}.")
    settle()
    assert announced == ["Left 0.30."]


def test_what_is_gone_or_hidden_by_then_is_not_said(page: QWidget, announced: list[str]) -> None:
    announce(page, "The file is missing.")
    announce(page, "")
    settle()
    announce(page, "The file is missing.")
    page.hide()
    settle()
    assert announced == []


def test_a_banner_is_said_when_it_comes_or_changes(page: QWidget, announced: list[str]) -> None:
    banner = Banner(Tone.DONE, "Released.", "4 figures.")
    banner.hide()
    put(page, banner)
    assert announced == []
    banner.show()
    settle()
    assert announced == ["Released. 4 figures."]
    banner.show()
    settle()
    assert len(announced) == 1
    banner.say("Exported.", "12 files.")
    settle()
    assert announced[1:] == ["Exported. 12 files."]


def test_a_banner_that_is_there_with_its_page_is_not_said(
    page: QWidget, announced: list[str]
) -> None:
    page.hide()
    put(page, Banner(Tone.INFO, "Lost?", "What was signed stays valid."))
    page.show()
    settle()
    assert announced == []


def test_an_error_is_said_with_its_field(page: QWidget, announced: list[str]) -> None:
    field = put(page, LineField("&Row limit per person"))
    field.set_error("Between 1 and 10,000.")
    field.set_error("Between 1 and 10,000.")
    settle()
    assert announced == ["Row limit per person: Between 1 and 10,000."]
    field.set_error("")
    settle()
    assert len(announced) == 1


def test_a_remark_that_is_to_be_heeded_is_said(page: QWidget, announced: list[str]) -> None:
    remark = put(page, Remark())
    remark.say("2 values.", None)
    settle()
    assert announced == []
    remark.say("The public key is on the clipboard.", Tone.DONE)
    settle()
    assert announced == ["The public key is on the clipboard."]


def test_what_begins_is_said(page: QWidget, announced: list[str]) -> None:
    put(page, PageFooter()).start_progress("Reading the file and drawing noise")
    settle()
    assert announced == ["Reading the file and drawing noise"]


def test_it_is_said_as_an_announcement(page: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one event that readers speak: Qt hands its alerts to no reader on Linux."""
    events: list[QAccessibleEvent] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", events.append)
    say_now(page, "Copied.")
    (event,) = events
    assert event.type() == QAccessible.Event.Announcement
    assert event.message() == "Copied."  # type: ignore[attr-defined]
