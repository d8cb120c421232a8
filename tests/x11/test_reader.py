# SPDX-License-Identifier: Apache-2.0
"""The reader's hands press what they found, and hear a page out before they leave it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.x11 import reader
from tests.x11.reader import Reader
from tests.x11.screen import Control, Desk, Rect

PLACE = ("dpdesk", "/7")


class Played(Desk):
    """A program that answers as is set: each answer is given once, the last one again.

    Attributes:
        asked: what it was asked to do.
    """

    def __init__(self, done: list[bool], heard: list[list[str]]) -> None:
        self._done, self._heard = done, heard
        self.asked: list[dict[str, Any]] = []
        self.effort = MagicMock(clicks=0)

    def there(self, name: Any, role: str = "", within: float = 0) -> Control:
        found = next(n for n in ("Continue to People", "Add") if name.fullmatch(n))
        rect = Rect(0, 0, 9, 9)
        on = {"enabled": True, "checked": False, "focused": False, "focusable": True}
        return Control(
            found, "Button", "", rect, rect, **on, selected=False, tab=True, window="", place=PLACE
        )

    def look(self) -> Any:
        return None

    def wait(self, fits: Any, what: str = "", within: float = 0) -> Any:
        for _ in range(20):
            if fits(None):
                return None
        raise AssertionError(what)

    def ask(self, question: str) -> Any:
        if question != "heard":
            self.asked.append(json.loads(question))
        answers: list[Any] = self._heard if question == "heard" else self._done
        return answers.pop(0) if len(answers) > 1 else answers[0]


def test_what_moved_away_is_looked_for_again() -> None:
    desk = Played([False, False, True], [[]])
    Reader(desk).press("Add")
    assert [one["name"] for one in desk.asked] == ["Add"] * 3 and desk.effort.clicks == 1
    with pytest.raises(AssertionError, match="is not pressed"):
        Reader(Played([False], [[]])).press("Add")


def test_a_page_is_heard_before_anything_is_done_on_it() -> None:
    heard = [[], [], ["People"]]
    Reader(Played([True], heard)).press("Continue to People")
    assert heard == [["People"]]
    with pytest.raises(AssertionError, match="People to be announced"):
        Reader(Played([True], [["Data"]])).press("Continue to People")


def test_the_last_sentence_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "PAUSE_S", 0)
    late = [[], ["Data"], ["Data"], ["Data", "Valid"]]
    assert Reader(Played([True], late)).heard_out(["Data", "Valid"]) == []
    monkeypatch.setattr(reader, "PATIENCE_S", 0)
    assert Reader(Played([True], [["Data"]])).heard_out(["Data", "Valid"]) == ["Valid"]


@pytest.fixture
def screen_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module, whose bindings only the system's own Python has."""
    name = "tests.x11.screen_reader"
    for part in ("gi", "gi.repository"):
        monkeypatch.setitem(sys.modules, part, MagicMock())
    yield import_module(name)
    sys.modules.pop(name)


def test_a_control_that_is_called_otherwise_by_now_is_not_pressed(
    screen_reader: ModuleType,
) -> None:
    bus = MagicMock()
    bus.ask.side_effect = [["Next suggestion"]]
    pressed = {"do": "press", "place": PLACE, "name": "Suggestion"}
    assert not screen_reader.act(bus, pressed)
    bus.ask.side_effect = [["Suggestion"], [[("Press", "", "")]], [True]]
    assert screen_reader.act(bus, pressed)
